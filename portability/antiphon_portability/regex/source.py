"""The pattern as text, and the place in it: what the readers of `characters` and `parser` share.

It knows white space and comments under flag x, and how to refuse a pattern; it knows no syntax beyond that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from .errors import UNSUPPORTED, PatternError


class Source:
    """The pattern and the place in it. Under flag x white space and comments are skipped wherever they stand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.verbose = False

    def skip_space(self) -> None:
        while self.verbose and self.pos < len(self.text):
            if self.text[self.pos] == "#":
                line_end = self.text.find("\n", self.pos)
                self.pos = len(self.text) if line_end < 0 else line_end
            elif self.text[self.pos].isspace():
                self.pos += 1
            else:
                break

    def take(self) -> str:
        """The next character; empty at the end."""
        self.skip_space()
        return self.take_raw()

    def take_raw(self) -> str:
        """The next character, be it white space; empty at the end."""
        char = self.text[self.pos : self.pos + 1]
        self.pos += len(char)
        return char

    def take_while(self, wanted: Callable[[str], bool]) -> str:
        """The longest run of characters that are `wanted`."""
        taken = ""
        while True:
            before = self.pos
            char = self.take()
            if not char or not wanted(char):
                self.pos = before
                return taken
            taken += char

    def accept(self, expected: str) -> bool:
        """Whether `expected` comes next, which is then taken."""
        before = self.pos
        if all(self.take() == char for char in expected):
            return True
        self.pos = before
        return False

    def peek(self) -> str:
        before = self.pos
        char = self.take()
        self.pos = before
        return char

    def fail(self, reason: str, remedy: str, position: int | None = None) -> NoReturn:
        raise PatternError(reason, self.pos if position is None else position, "syntax", remedy)

    def refuse(self, construct: str, position: int) -> NoReturn:
        reason, remedy = UNSUPPORTED[construct]
        raise PatternError(reason, position, "unsupported", remedy)

    def expect(self, char: str, position: int) -> None:
        if not self.accept(char):
            self.fail(f"missing {char}", f"close what starts here with {char}", position)
