"""Where the values of a JSON text stand: line and column of each JSON Pointer, and keys that stand twice.

For texts that are JSON already; anything else gives what was found before the fault.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

from antiphon.pointer import pointer

_TOKEN: Final = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([\[\]{}:,])|([^\s\[\]{}:,"]+))', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Span:
    """From (line, column) to (line, column) behind the last character; both count from 1, columns in code points."""

    start: tuple[int, int]
    end: tuple[int, int]


@dataclass
class Positions:
    """`values` by JSON Pointer; `twice`: pointers of keys that an object has more than once."""

    values: dict[str, Span] = field(default_factory=dict)
    twice: list[str] = field(default_factory=list)


@dataclass
class _Open:
    """An object or list that has begun, at `begin`."""

    pointer: str
    begin: int
    is_object: bool
    index: int = 0
    key: str | None = None
    keys: set[str] = field(default_factory=set)

    def member(self) -> str:
        """The pointer of the value that stands here."""
        return self.pointer + pointer((self.key or "") if self.is_object else self.index)


def positions(text: str) -> Positions:
    """The places of all values of a JSON text."""
    found = Positions()
    places = _Places(text)
    stack: list[_Open] = []
    for token in _TOKEN.finditer(text):
        string, mark, _ = token.groups()
        start, end = token.start(token.lastindex or 0), token.end()
        top = stack[-1] if stack else None
        if mark in ("{", "["):
            stack.append(_Open(top.member() if top else "", start, mark == "{"))
        elif mark in ("}", "]") and top is not None:
            stack.pop()
            found.values[top.pointer] = places.span(top.begin, end)
        elif mark == "," and top is not None:
            top.index, top.key = top.index + 1, None
        elif string is not None and top is not None and top.is_object and top.key is None:
            top.key = _decoded(string)
            if top.key in top.keys:
                found.twice.append(top.member())
            top.keys.add(top.key)
        elif mark is None:
            found.values[top.member() if top else ""] = places.span(start, end)
    return found


class _Places:
    """Line and column of offsets, asked for in any order."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> Span:
        return Span(self.place(start), self.place(end))

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def _decoded(string: str) -> str:
    try:
        return str(json.loads(string, strict=False))
    except ValueError:
        return string[1:-1]
