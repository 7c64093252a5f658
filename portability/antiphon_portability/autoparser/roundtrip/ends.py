"""What ends a model's turn, and what a chat template adds behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from antiphon_portability.autoparser.analysis.differences import common_length
from antiphon_portability.autoparser.analysis.markers import INNERMOST_MARKER
from antiphon_portability.autoparser.roundtrip.conversations import SEARCH, WEATHER, Conversation
from antiphon_portability.autoparser.roundtrip.said import Call, Said
from antiphon_portability.autoparser.roundtrip.texts import Tool
from antiphon_portability.autoparser.roundtrip.variants import Setting
from antiphon_portability.autoparser.roundtrip.writing import Writer
from antiphon_portability.chat import NotRendered

_SPECIAL: Final = re.compile(r"<(?!/)(?=[^<>]*[|｜])[^<>]*>\s*\Z")  # a token, at the end

_QUESTION: Final = "Will it rain?"
_ASKED: Final = Conversation("", Said(), ({"role": "user", "content": _QUESTION},))
_CONTENTS: Final = (Said("Perhaps z"), Said("It may k"))
_CALLED: Final = "Romz"
_CALLS: Final = (
    Said(calls=(Call("weather", {"city": _CALLED}, "call00001"),)),
    Said(calls=(Call("search_notes", {"query": "Oslk"}, "call00002"),)),
)
_TOOLS: Final = (WEATHER, SEARCH)


@dataclass(frozen=True, slots=True)
class Tail:
    """What follows the last thing that a turn says; and `added`, what the chat template adds behind the turn whatever
    it's asked for, such as the beginning of the next."""

    text: str
    added: str


@dataclass(frozen=True)
class Ends:
    """What follows a content, and what follows a call; `parallel`: a turn with two calls."""

    content: Tail
    call: Tail
    parallel: str = ""

    @classmethod
    def of(cls, writer: Writer, setting: Setting) -> Ends:
        """Raises TooMuch."""
        beginning = _beginning(writer, setting)
        content = _tail(writer, setting, _CONTENTS, ()) or _tail(writer, setting, _CONTENTS, _TOOLS)
        inside = _tail(writer, replace(setting, followed=True), _CONTENTS, ())
        found = _parted(content, beginning)
        size = _common_markers(found.text, inside)
        if size:  # the rest is only there at a conversation's end
            found = Tail(content[:size], content[size:])
        call = _tail(writer, setting, _CALLS, _TOOLS)
        both = Said(calls=tuple(call for said in _CALLS for call in said.calls))
        parallel = writer.maybe_turn(replace(_ASKED, tools=_TOOLS), writer.spelling.with_ids(both), setting) or ""
        return cls(found, _parted(call, beginning, found.added), parallel)

    @cached_property
    def _common(self) -> str:
        """What ends every turn: the last marker behind a content that also stands behind a call."""
        content, call = self.content.text, self.call.text
        markers = INNERMOST_MARKER.findall(content)
        if not markers and (not call or call.endswith(content)):
            return content.strip()
        return next((marker for marker in reversed(markers) if marker in call or not call), "")

    def cut(self, written: str, *, has_calls: bool) -> tuple[str, str]:
        """The turn as far as a model writes it, and what ends it; that is "" if it isn't known."""
        tail = self.call if has_calls else self.content
        written = written.removesuffix(tail.added)
        end = self._common or self._own(tail.text)
        at = written.rfind(end) if end else -1
        if at >= 0:
            return written[: at + len(end)], end
        is_blank = not self.content.text.strip()
        return (written.removesuffix(self.content.text) if is_blank else written), ""

    def _own(self, tail: str) -> str:
        """The special token at the end of what is behind a content, or behind the calls, but not behind each call."""
        found = _SPECIAL.search(tail)
        token = found[0].strip() if found else ""
        return token if self.parallel[self.parallel.find(_CALLED) :].count(token) < 2 else ""


def _tail(writer: Writer, setting: Setting, pair: tuple[Said, Said], tools: tuple[Tool, ...]) -> str:
    """The common end of two conversations whose last turns end differently."""
    asked = replace(_ASKED, tools=tools)
    texts = [writer.maybe_turn(asked, writer.spelling.with_ids(said), setting) for said in pair]
    left, right = (text or "" for text in texts)
    same = common_length(left[::-1], right[::-1])
    return "" if left == right else left[len(left) - same :]


def _beginning(writer: Writer, setting: Setting) -> str:
    """What begins the next turn: the first marker that a prompt adds, or all of it; or the last before a question."""
    try:
        prompt = writer.prompt(_ASKED, setting)
    except NotRendered:
        return ""
    base = writer.maybe_base(_ASKED, setting) or ""
    before, _, after = prompt.rpartition(_QUESTION)
    markers: list[str] = INNERMOST_MARKER.findall(before)[-1:]
    if setting.followed:
        added = ""
    elif prompt != base and prompt.startswith(base):
        added = prompt[len(base) :]
        markers = INNERMOST_MARKER.findall(added)
    else:  # it's always written, behind what ends the question
        added, markers = after, INNERMOST_MARKER.findall(after)[1:]
    return markers[0] if markers else added


def _common_markers(left: str, right: str) -> int:
    """The length of what two texts begin with, up to the last marker that is in both."""
    common = left[: common_length(left, right)]
    return max((marker.end() for marker in INNERMOST_MARKER.finditer(common)), default=0)


def _parted(tail: str, beginning: str, added: str = "") -> Tail:
    """A tail, up to where the next turn begins in it, or what is added at a conversation's end."""
    at = tail.find(beginning) if beginning.strip() else -1
    if at < 0 and added.strip() and tail.endswith(added):
        at = len(tail) - len(added)
    return Tail(tail, "") if at < 0 else Tail(tail[:at], tail[at:])
