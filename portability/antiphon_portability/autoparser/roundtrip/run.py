"""The round trip: what a chat template writes is parsed with a response template, and compared with what went in.

A difference is the response template's only if the text shows it: what the chat template would also have written for
the message that came out is not its loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import antiphon

from antiphon_portability.autoparser.roundtrip.comparing import Difference, differences
from antiphon_portability.autoparser.roundtrip.conversations import CONVERSATIONS, SEARCH, WEATHER, Conversation
from antiphon_portability.autoparser.roundtrip.results import Result, RoundTrip, Verdict
from antiphon_portability.autoparser.roundtrip.said import Part, Said, Spelling
from antiphon_portability.autoparser.roundtrip.spelling import spelling_of
from antiphon_portability.autoparser.roundtrip.splitting import NotSplit, Splitter, Turn
from antiphon_portability.autoparser.roundtrip.texts import Texts, Tool
from antiphon_portability.autoparser.roundtrip.variants import PLAIN, Setting
from antiphon_portability.autoparser.roundtrip.writing import Writer
from antiphon_portability.chat import NotRendered, Renderer, TooMuch

MayParse: TypeAlias = Callable[[str, str], str]
_LONGEST_BY_CHARACTER: Final = 400
"""Code points of a turn that is also parsed by the character. The result doesn't depend on chunks (EVENT-4)."""
_FROM_BEST: Final = (Verdict.EXACT, Verdict.NOT_WRITTEN, Verdict.LOSSY, Verdict.WRONG)
_WORDS: Final[Mapping[Part, str]] = {"ids": "the ids of calls", "calls": "calls"}


def round_trip(
    renderer: Renderer,
    response_template: Mapping[str, Any] | antiphon.Template,
    conversations: Iterable[Conversation] = CONVERSATIONS,
    *,
    may_parse: MayParse | None = None,
) -> RoundTrip:
    """What comes of the conversations.

    `may_parse` is asked before a prompt and a text are parsed, where patterns may be slow: what it says is why not.
    Raises antiphon.TemplateError for a response template that can't be loaded, or tools that are none. Whatever the
    chat template does is a verdict, not an error.
    """
    if not isinstance(response_template, antiphon.Template):
        response_template = antiphon.load_template(response_template)
    return RoundTrip(tuple(_results(renderer, response_template, [*conversations], may_parse)))


def _results(
    renderer: Renderer, template: antiphon.Template, conversations: Sequence[Conversation], may_parse: MayParse | None
) -> Iterator[Result]:
    texts = Texts(renderer)
    trouble = ""
    try:
        splitter = Splitter(Writer(texts, spelling_of(texts)))
    except TooMuch as error:
        splitter, trouble = Splitter(Writer(texts, Spelling())), str(error)
    for conversation in conversations:
        if not trouble:
            try:
                yield _Trip(splitter, template, conversation, may_parse).result()
                continue
            except TooMuch as error:
                trouble = str(error)
        yield Result(conversation.feature, Verdict.NOT_TRIED, trouble)


@dataclass(frozen=True)
class _Parsed:
    """What came out of a text: a message, or an error."""

    message: dict[str, Any] | None = None
    error: str = ""
    error_field: str | None = None


@dataclass(frozen=True)
class _Trip:
    """One conversation's way."""

    splitter: Splitter
    template: antiphon.Template
    conversation: Conversation
    may_parse: MayParse | None = None

    def result(self) -> Result:
        """Raises TooMuch."""
        found = self._result()
        if found.verdict is not Verdict.NOT_RENDERED or self.conversation.tools:
            return found
        helped = replace(self, conversation=replace(self.conversation, tools=(WEATHER, SEARCH)))._result()
        if helped.verdict is Verdict.NOT_RENDERED:
            return found
        return replace(helped, notes=("with tools, without which it can't be rendered", *helped.notes))

    def _result(self) -> Result:
        try:
            turn = self.splitter.turn(self.conversation)
        except NotRendered as error:
            return Result(self.conversation.feature, Verdict.NOT_RENDERED, str(error))
        except NotSplit as error:
            said = self.splitter.writer.spelling.with_ids(self.conversation.said)
            missing = self._unwritten_parts(said, PLAIN)
            if missing:
                return self._not_written(missing)
            return Result(self.conversation.feature, Verdict.NOT_SPLIT, str(error))
        missing = [
            part for part in self._unwritten_parts(turn.said, turn.setting) if part != "reasoning" or not turn.composed
        ]
        return self._not_written(missing) if missing else self._parsed(turn)

    def _not_written(self, parts: Sequence[Part]) -> Result:
        reason = f"the chat template doesn't write {' and '.join(_WORDS.get(part, part) for part in parts)}"
        return Result(self.conversation.feature, Verdict.NOT_WRITTEN, reason)

    def _unwritten_parts(self, said: Said, setting: Setting) -> list[Part]:
        """Those of the feature that can be left out without a difference in the text."""
        return [
            part
            for part in sorted(self.conversation.about)
            if said.without(part) != said and self._is_same_text(said, said.without(part), setting)
        ]

    def _is_same_text(self, said: Said, other: Said, setting: Setting) -> bool:
        left, right = (self.splitter.writer.maybe_turn(self.conversation, one, setting) for one in (said, other))
        return left is not None and left == right

    # -- what was parsed

    def _parsed(self, turn: Turn) -> Result:
        refused = self.may_parse(turn.prompt, turn.text) if self.may_parse else ""
        if refused:
            return Result(self.conversation.feature, Verdict.NOT_TRIED, refused)
        found = [self._judged(turn, self._parse(turn, [turn.text]))]
        if len(turn.text) <= _LONGEST_BY_CHARACTER:
            found.append(self._judged(turn, self._parse(turn, turn.text)))
        if turn.end:
            found.append(replace(self._judged(turn, self._parse(turn, [turn.bare])), only_bare=True))
        return max(found, key=lambda result: _FROM_BEST.index(result.verdict))

    def _parse(self, turn: Turn, chunks: Iterable[str]) -> _Parsed:
        """Raises antiphon.TemplateError for tools that are none."""
        try:
            parser = antiphon.ResponseParser(self.template, prefix=turn.prompt, tools=[*self.conversation.tools])
            for chunk in chunks:
                parser.feed(chunk)
            return _Parsed(parser.finalize()[0])
        except antiphon.ParseError as error:
            told = f"an error: {error.kind}" + (f" in {error.field}" if error.field else "")
            return _Parsed(error=told, error_field=error.field)

    def _judged(self, turn: Turn, parsed: _Parsed) -> Result:
        result = Result(
            self.conversation.feature,
            Verdict.WRONG,
            notes=turn.notes,
            prompt=turn.prompt,
            text=turn.text,
            end=turn.end,
            message=parsed.message,
            error=parsed.error,
            error_field=parsed.error_field,
        )
        if parsed.message is None:
            return result
        with_words = replace(turn.said, reasoning=turn.words + turn.said.reasoning)
        return min((self._compared(turn, said, result) for said in (turn.said, with_words)), key=_badness)

    def _compared(self, turn: Turn, said: Said, result: Result) -> Result:
        assert result.message is not None
        found = [*differences(said, result.message)]
        unwritten = [one for one in found if self._is_unwritten(turn, said, one)]
        lost = tuple(one for one in found if one not in unwritten)
        told = tuple(dict.fromkeys(one.what.removeprefix("no ") for one in unwritten))
        if lost:
            verdict = Verdict.LOSSY if all(one.is_mild for one in lost) else Verdict.WRONG
            return replace(result, verdict=verdict, differences=lost, unwritten=told)
        if not any(said.changed(one.said) & self.conversation.about for one in unwritten if one.said):
            return replace(result, verdict=Verdict.EXACT, unwritten=told)
        reason = f"the chat template writes the same for what comes back: {', '.join(told)}"
        return replace(result, verdict=Verdict.NOT_WRITTEN, reason=reason)

    def _is_unwritten(self, turn: Turn, said: Said, found: Difference) -> bool:
        """Whether the chat template writes the same for what came out, and no tool's schema tells the difference."""
        if found.said is None or (turn.composed and found.said.reasoning != said.reasoning):
            return False
        if isinstance(found.expected, str) and not found.path and not found.is_mild:
            comes_with_more = found.got and found.got != found.expected and found.expected.strip() in turn.text
            if not found.expected or comes_with_more:
                return False  # it came with more than itself: chat templates take markers out of a content, too
        if _has_more_space(found):
            return False  # a chat template that trims writes the same, but nobody put it there
        if found.path and _tells(self.conversation.tools, said, found):
            return False
        return self._is_same_text(said, found.said, turn.setting)


def _has_more_space(found: Difference) -> bool:
    """Whether a text came with white space that didn't go in."""
    expected, got = found.expected, found.got
    if not (isinstance(expected, str) and isinstance(got, str)):
        return False
    return expected.strip() == got.strip() and got not in expected


def _badness(result: Result) -> tuple[int, int]:
    return _FROM_BEST.index(result.verdict), len(result.differences)


def _tells(tools: Sequence[Tool], said: Said, found: Difference) -> bool:
    """Whether the called tool's schema allows the value that went in, but not the one that came out."""
    call, *keys = found.path
    if not isinstance(call, int) or len(keys) != 1:
        return False
    for tool in tools:
        function = tool.get("function", tool)
        if isinstance(function, Mapping) and function.get("name") == said.calls[call].name:
            parameters = function.get("parameters")
            properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
            schema = properties.get(keys[0]) if isinstance(properties, Mapping) else None
            allowed = _allowed(schema) if isinstance(schema, Mapping) else frozenset()
            return bool(_kinds(found.expected) & allowed) and not _kinds(found.got) & allowed
    return False


def _allowed(schema: Mapping[str, Any]) -> frozenset[str]:
    """The types that a schema names."""
    kinds = schema.get("type")
    named = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]
    return frozenset([*named, "null"] if schema.get("nullable") is True else named)


def _kinds(value: Any) -> frozenset[str]:
    """The names that JSON Schema has for a value's type."""
    if isinstance(value, bool):
        return frozenset({"boolean"})
    for kind, names in _KINDS.items():
        if isinstance(value, kind):
            return names
    return frozenset({"null"}) if value is None else frozenset()


_KINDS: Final[Mapping[type, frozenset[str]]] = {
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
    str: frozenset({"string"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
}
