"""Texts taken apart at their markers: `<…>` and `[…]`.

A JSON array is taken for a marker, too: nothing here knows what the text means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

SPACES: Final = " \t\n\v\f\r"
SPACE: Final = r"[ \t\n\v\f\r]*+"
"""A pattern: white space, all that stands there."""
MARKER: Final = r"(?:<[^>]*+>|\[[^\]]*+\])"
"""A pattern: from the opener to the first closer; other openers in between are swallowed."""
UP_TO_MARKER: Final = rf"[^<\[]*+(?:(?!{MARKER})[<\[][^<\[]*+)*+"
"""A pattern: all up to where a marker stands, or to the end."""

INNERMOST_MARKER: Final = re.compile(r"<<[^<>]*>>|\[\[[^\[\]]*\]\]|<[^<>]*>|\[[^\[\]]*\]")
"""What may be a token: unlike MARKER it has no other opener in it, since values have openers, too."""

_ONE: Final = re.compile(MARKER)
_OPENER: Final = re.compile(r"[<\[]")
_CLOSERS: Final = {"<": ">", "[": "]"}


@dataclass(frozen=True, slots=True)
class Segment:
    """A marker, or the text between two."""

    text: str
    is_marker: bool = False


def segments(text: str) -> list[Segment]:
    """The text, taken apart; put together again it's the same."""
    found: list[Segment] = []
    begin = pos = 0
    while opener := _OPENER.search(text, pos):
        opened = opener.start()
        if opened > begin:
            found.append(Segment(text[begin:opened]))
        closed = text.find(_CLOSERS[opener[0]], opened)
        begin = opened
        if closed < 0:
            break
        begin = pos = closed + 1
        found.append(Segment(text[opened:begin], is_marker=True))
    if begin < len(text):
        found.append(Segment(text[begin:]))
    return found


def visible(found: list[Segment]) -> list[Segment]:
    """Without those that are only white space."""
    return [segment for segment in found if trimmed(segment.text)]


def trimmed(text: str) -> str:
    return text.strip(SPACES)


def last_marker(text: str) -> re.Match[str] | None:
    return max(_ONE.finditer(text), key=re.Match.start, default=None)
