"""What the grammars of `json` and `python-call-list` share: a place in a text, white space, items, strings, numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import ClassVar, Final, TypeVar

from antiphon.errors import Malformed

_SPACE: Final = re.compile(r"[\t\n\r ]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_HEX: Final = re.compile(r"[0-9A-Fa-f]{4}")

T = TypeVar("T")


class Reader:
    """Reads a text from `pos` on. Each method leaves `pos` behind what it took, or raises `Malformed`."""

    error: ClassVar[str]  # the kind of error of a text that isn't of the grammar
    title: ClassVar[str]  # what the grammar is a grammar of
    characters: ClassVar[Mapping[str, re.Pattern[str]]]  # the quotes, and what may stand between each two as it is
    escapes: ClassVar[Mapping[str, str]]  # what may follow a backslash, apart from u

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0

    def fail(self, expected: str) -> Malformed:
        found = repr(self.text[self.pos]) if self.pos < len(self.text) else "the end"
        place = f"at code point {self.pos} of the text"
        return Malformed(self.error, f"not {self.title}: {expected} expected {place}, not {found}")

    def peek(self) -> str:
        """The next character behind white space, which is taken; empty at the end."""
        space = _SPACE.match(self.text, self.pos)
        self.pos = space.end() if space else self.pos
        return self.text[self.pos : self.pos + 1]

    def accept(self, character: str) -> bool:
        """Whether the character comes next, which is then taken."""
        if self.peek() != character:
            return False
        self.pos += 1
        return True

    def expect(self, character: str) -> None:
        if not self.accept(character):
            raise self.fail(repr(character))

    def end(self) -> None:
        if self.peek():
            raise self.fail("the end")

    def items(self, close: str, item: Callable[[], T]) -> list[T]:
        """Zero or more items with commas between them, up to and with `close`."""
        found: list[T] = []
        if self.accept(close):
            return found
        while True:
            found.append(item())
            if self.accept(close):
                return found
            if not self.accept(","):
                raise self.fail(f"',' or {close!r}")

    def number(self) -> int | float | None:
        """The number that comes next, if one does (CONTENT-2)."""
        literal = _NUMBER.match(self.text, self.pos)
        if literal is None:
            return None
        value = read_number(literal[0], integral=literal[1] is None and literal[2] is None)
        self.pos = literal.end()
        return value

    def quoted(self) -> str | None:
        """The string in quotes that comes next, if one does."""
        quote = self.text[self.pos : self.pos + 1]
        if quote not in self.characters:
            return None
        self.pos += 1
        parts: list[str] = []
        while True:
            part = self.characters[quote].match(self.text, self.pos)
            assert part is not None  # it may be empty
            parts.append(part[0])
            self.pos = part.end()
            if self.text.startswith(quote, self.pos):
                self.pos += 1
                return "".join(parts)
            parts.append(self.escape())

    def escape(self) -> str:
        if self.text.startswith("\\", self.pos):
            simple = self.escapes.get(self.text[self.pos + 1 : self.pos + 2])
            if simple is not None:
                self.pos += 2
                return simple
        code = self.code_unit(self.pos)
        length = 6
        if code is not None and 0xD800 <= code < 0xDC00:
            low = self.code_unit(self.pos + length)
            if low is not None and 0xDC00 <= low < 0xE000:
                code, length = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), 12
        if code is None or 0xD800 <= code < 0xE000:
            raise self.fail("a character of a string, an escape (surrogates in pairs) or the closing quote")
        self.pos += length
        return chr(code)

    def code_unit(self, pos: int) -> int | None:
        r"""The number in a `\uXXXX` escape whose backslash stands at `pos`; None if there is none."""
        digits = _HEX.match(self.text, pos + 2) if self.text.startswith("\\u", pos) else None
        return int(digits[0], 16) if digits else None


def read_number(literal: str, *, integral: bool) -> int | float:
    """The number of a literal that has the grammar already; raises `Malformed` (CONTENT-2)."""
    try:
        number = int(literal) if integral else float(literal)
    except ValueError:  # more digits than Python converts
        number = math.inf
    if isinstance(number, float) and math.isinf(number):
        raise Malformed("number-range", f"the number {literal[:20]}… is too large")
    return number
