"""Where, in what a chat template writes, the prompt ends and the model's turn begins, and what ends the turn.

The text of a conversation with its last turn, and the prompt for that turn, are two renders. Where one continues the
other, the rest is what a model would have written. Where not, other settings are tried; then what is known to differ
without harm. What is still unclear is NotSplit: a guess here would blame a response template for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from antiphon_portability.autoparser.analysis.differences import common_length
from antiphon_portability.autoparser.analysis.markers import INNERMOST_MARKER
from antiphon_portability.autoparser.roundtrip.conversations import Conversation
from antiphon_portability.autoparser.roundtrip.ends import Ends
from antiphon_portability.autoparser.roundtrip.said import Said
from antiphon_portability.autoparser.roundtrip.variants import NOT_THINKING, THINKING, Setting
from antiphon_portability.autoparser.roundtrip.writing import Writer
from antiphon_portability.chat import NotRendered

_OPENER: Final = re.compile(r"<[\w:]+>|\[\w+\]")  # of a block, as <think>; not a token, as <|assistant|>
_MADE_TO_THINK: Final = "Let me see."
_AN_ANSWER: Final = "It may rain."


class NotSplit(Exception):
    """A turn of which it isn't clear where it begins. Its text says why."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as a model would have written it, behind its prompt.

    `text` ends with `end`, what ends the turn, if that is known. `said` is what went in: where the prompt makes a model
    think, a turn without reasoning is given some, as `notes` say. `composed`: the chat template doesn't write its
    reasoning, or not as such. `words`: how the prompt begins the reasoning; a message may have them or not.
    """

    prompt: str
    text: str
    end: str
    said: Said
    setting: Setting
    notes: tuple[str, ...] = ()
    composed: bool = False
    words: str = ""

    @property
    def bare(self) -> str:
        """The text without what ends the turn."""
        return self.text.removesuffix(self.end)


@dataclass(frozen=True, slots=True)
class Place:
    """A conversation as it was rendered, and the prompt for its last turn."""

    conversation: Conversation
    said: Said
    setting: Setting
    prompt: str
    full: str

    @property
    def common(self) -> int:
        """The length of the common beginning, without a part of a marker."""
        common = common_length(self.prompt, self.full)
        cut = (
            marker.start()
            for marker in INNERMOST_MARKER.finditer(self.prompt)
            if marker.start() < common < marker.end()
        )
        return next(cut, common)

    @property
    def head(self) -> str:
        """What the prompt goes on with."""
        return self.prompt[self.common :]

    def why(self) -> str:
        """Why it isn't split."""
        rest = _shown(self.full[self.common :])
        return f"the prompt goes on with {_shown(self.head)}, the turn as written with {rest}"


@dataclass(frozen=True, slots=True)
class Split:
    """What was written behind the prompt; the rest as in `Turn`."""

    place: Place
    written: str
    note: str = ""
    composed: bool = False
    words: str = ""


class Splitter:
    """Splits the conversations of one chat template."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self._ends: dict[str, Ends] = {}

    def turn(self, conversation: Conversation) -> Turn:
        """Raises NotSplit, NotRendered, TooMuch."""
        said = self.writer.spelling.with_ids(conversation.said)
        try:
            return self._turn(conversation, said)
        except NotSplit:
            with suppress(NotSplit, NotRendered):
                if not said.reasoning:
                    thought = self._turn(conversation, replace(said, reasoning=_MADE_TO_THINK))
                    return replace(thought, notes=("with reasoning, which the prompt asks for", *thought.notes))
            raise

    def _turn(self, conversation: Conversation, said: Said) -> Turn:
        split = self._split(conversation, said)
        key = repr(split.place.setting)
        if key not in self._ends:
            self._ends[key] = Ends.of(self.writer, split.place.setting)
        text, end = self._ends[key].cut(split.written, has_calls=bool(said.calls))
        notes = (split.note,) if split.note else ()
        place = split.place
        return Turn(place.prompt, text, end, said, place.setting, notes, split.composed, split.words)

    def _split(self, conversation: Conversation, said: Said) -> Split:
        """By the first setting with which the render continues the prompt and has the reasoning, if there is any."""
        places: list[Place] = []
        direct: list[Split] = []
        refused: NotRendered | None = None
        for setting in THINKING if said.reasoning else NOT_THINKING:
            try:
                full, prompt = self.writer.turn(conversation, said, setting), self.writer.prompt(conversation, setting)
            except NotRendered as error:
                refused = refused or error
                continue
            place = Place(conversation, said, setting, prompt, full)
            places.append(place)
            if full.startswith(prompt) and not self._is_unfinished(place):
                direct.append(Split(place, full[len(prompt) :]))
                if not said.reasoning or self._turn_of(place, said.without("reasoning")) != full:
                    return direct[-1]
        found = next(chain(direct, *map(self._otherwise, places)), None)
        if found is None:
            raise NotSplit(places[0].why()) if places else refused or NotSplit("there is nothing to split")
        return found

    def _turn_of(self, place: Place, said: Said) -> str | None:
        """The text with something else as the last turn."""
        return self.writer.maybe_turn(place.conversation, said, place.setting)

    def _is_unfinished(self, place: Place) -> bool:
        """Whether the prompt begins a block that the turn doesn't end: it's written as something to be continued."""
        opener = re.search(rf"(?:{_OPENER.pattern})\s*\Z", place.prompt)
        if opener is None:
            return False
        closer = _closer(opener[0].strip())
        return closer in self.writer.source and closer not in place.full[len(place.prompt) :]

    # -- where the render doesn't continue the prompt

    def _otherwise(self, place: Place) -> Iterator[Split]:
        """Ways to split it nevertheless, the surest first."""
        head, rest = place.head, place.full[place.common :]
        if not head:
            return
        if not head.strip():
            yield Split(place, rest, f"without the {head!r} at the prompt's end, which it lacks")
            return
        at = self._elsewhere(place)
        if at is not None:
            note = "earlier turns are written otherwise than in the prompt"
            yield Split(place, place.full[at:], note)
        for marker in _OPENER.findall(head):
            yield from self._around(place, head, _closer(marker), rest)
        if place.said.reasoning and not INNERMOST_MARKER.search(head):
            yield from self._with_words(place, head)

    def _around(self, place: Place, head: str, closer: str, rest: str) -> Iterator[Split]:
        """Where the prompt opens a block that turns don't have: the chat template cuts it, or takes it as content."""
        said = place.said
        if closer in head:
            if self._cuts_at(place, closer):
                yield Split(place, rest, f"without the {head!r}, which it cuts from its turns")
        elif said.reasoning and self._cuts_at(place, closer):
            written = f"{said.reasoning}\n{closer}\n\n{rest}"
            note = f"with reasoning before {closer!r}, up to which the chat template cuts its turns"
            yield Split(place, written, note, composed=True)
        elif said.reasoning and closer in self.writer.source:
            block = Said(f"{head}{said.reasoning}\n{closer}\n\n{said.content}", calls=said.calls)
            full = self._turn_of(place, block)
            drops_calls = bool(said.calls) and full == self._turn_of(place, block.without("calls"))
            if full is not None and full.startswith(place.prompt + said.reasoning) and not drops_calls:
                written = full[len(place.prompt) :]
                yield Split(place, written, "with reasoning in the content", composed=True)

    def _with_words(self, place: Place, words: str) -> Iterator[Split]:
        """Where the prompt begins the reasoning with words of its own."""
        full = self._turn_of(place, replace(place.said, reasoning=words + place.said.reasoning))
        if full is not None and full.startswith(place.prompt):
            note = f"with reasoning that begins with the prompt's {words!r}"
            yield Split(place, full[len(place.prompt) :], note, words=words)

    def _elsewhere(self, place: Place) -> int | None:
        """Behind the last text in `full` that the prompt adds to the turns before, if no other turn follows there."""
        contents = [message.get("content") for message in place.conversation.before]
        said = [content.strip() for content in contents if isinstance(content, str) and content.strip()]
        base = self.writer.maybe_base(place.conversation, place.setting)
        if not said or base is None or not place.prompt.startswith(base):
            return None
        added, full = place.prompt[len(base) :], place.full
        at = full.rfind(added)
        if not added.strip() or at < 0 or said[-1] not in full[:at] or any(content in full[at:] for content in said):
            return None
        return at + len(added)

    def _cuts_at(self, place: Place, closer: str) -> bool:
        """Whether the chat template drops what a content has up to there."""
        whole = self._turn_of(place, Said(f"{_MADE_TO_THINK}\n{closer}\n\n{_AN_ANSWER}"))
        rest = self._turn_of(place, Said(_AN_ANSWER))
        return whole is not None and rest is not None and _AN_ANSWER in rest and _same_but_for_space(whole, rest)


def _closer(opener: str) -> str:
    return f"{opener[0]}/{opener[1:]}"


def _same_but_for_space(left: str, right: str) -> bool:
    return "".join(left.split()) == "".join(right.split())


def _shown(text: str, longest: int = 40) -> str:
    return repr(text if len(text) <= longest else text[:longest] + "…") if text else "nothing"
