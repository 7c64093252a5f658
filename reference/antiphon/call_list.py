"""Lists of calls as Python writes them: `[name(key="value", …), …]` (KIND-CALLS-1 to KIND-CALLS-5)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

from antiphon.errors import Malformed
from antiphon.json_text import NUMBER, SPACE, expected_at, read_number, read_unicode_escape

MAX_DEPTH: Final = 100  # levels of lists and objects (KIND-CALLS-4)
MAX_INTEGER: Final = 2**53 - 1

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*")
_STRING_PARTS: Final = {quote: re.compile(rf"[^{quote}\\\n\r\ud800-\udfff]*") for quote in "'\""}
_CONSTANTS: Final = {"True": True, "true": True, "False": False, "false": False, "None": None, "null": None}
_ESCAPES: Final = {
    "\\": "\\", "'": "'", '"': '"', "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"
}  # fmt: skip

T = TypeVar("T")


def parse_call_list(text: str) -> list[dict[str, Any]]:
    """The calls of a text; raises `Malformed` (`calls-syntax`, `nesting-too-deep`)."""
    reader = _Reader(text)
    reader.expect("[")
    calls = reader.items("]", reader.call)
    if reader.peek() is not None:
        raise reader.fail("the end")
    return calls


class _Reader:
    """Reads from `pos` on; each method of a rule leaves `pos` behind what the rule took."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0

    def fail(self, expected: str) -> Malformed:
        return Malformed("calls-syntax", f"not a list of calls: {expected_at(expected, self.text, self.pos)}")

    def peek(self) -> str | None:
        """The next character behind white space, which is skipped; None at the end."""
        space = SPACE.match(self.text, self.pos)
        self.pos = space.end() if space else self.pos
        return self.text[self.pos] if self.pos < len(self.text) else None

    def expect(self, character: str) -> None:
        if self.peek() != character:
            raise self.fail(repr(character))
        self.pos += 1

    def items(self, close: str, item: Callable[[], T]) -> list[T]:
        """Zero or more items with commas between them, up to and with `close`."""
        found: list[T] = []
        if self.peek() == close:
            self.pos += 1
            return found
        while True:
            found.append(item())
            if self.peek() == close:
                self.pos += 1
                return found
            self.expect(",")

    def call(self) -> dict[str, Any]:
        name = self.name("a function's name")
        self.expect("(")
        return {"name": name, "arguments": self.unique(self.items(")", self.argument))}

    def argument(self) -> tuple[str, Any]:
        name = self.name("the name of a keyword argument")
        self.expect("=")
        return name, self.value(0)

    def name(self, expected: str) -> str:
        self.peek()
        name = _NAME.match(self.text, self.pos)
        if name is None:
            raise self.fail(expected)
        self.pos = name.end()
        return name[0]

    def unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            raise Malformed("calls-syntax", f"not a list of calls: a name is repeated before code point {self.pos}")
        return members

    def value(self, depth: int) -> Any:
        first = self.peek()
        if first in _STRING_PARTS:
            return self.string()
        if first in ("[", "{"):
            if depth == MAX_DEPTH:
                raise Malformed("nesting-too-deep", f"more than {MAX_DEPTH} levels of lists and objects")
            self.pos += 1
            if first == "[":
                return self.items("]", lambda: self.value(depth + 1))
            return self.unique(self.items("}", lambda: self.member(depth + 1)))
        number = NUMBER.match(self.text, self.pos)
        if number:
            return self.number(number)
        word = _NAME.match(self.text, self.pos)
        if word is None or word[0] not in _CONSTANTS:
            raise self.fail("a value")
        self.pos = word.end()
        return _CONSTANTS[word[0]]

    def member(self, depth: int) -> tuple[str, Any]:
        if self.peek() not in _STRING_PARTS:
            raise self.fail("a member's name in quotes")
        name = self.string()
        self.expect(":")
        return name, self.value(depth)

    def number(self, literal: re.Match[str]) -> int | float:
        integral = literal[1] is None and literal[2] is None
        try:
            number = read_number(literal[0], integral=integral)
        except Malformed:
            raise self.fail("a finite number") from None
        if integral and abs(number) > MAX_INTEGER:
            raise self.fail("an integer within ±(2^53-1)")
        self.pos = literal.end()
        return number

    def string(self) -> str:
        quote = self.text[self.pos]
        self.pos += 1
        parts: list[str] = []
        while True:
            part = _STRING_PARTS[quote].match(self.text, self.pos)
            assert part is not None  # it may be empty
            parts.append(part[0])
            self.pos = part.end()
            following = self.text[self.pos : self.pos + 1]
            if following == quote:
                self.pos += 1
                return "".join(parts)
            simple = _ESCAPES.get(self.text[self.pos + 1 : self.pos + 2]) if following == "\\" else None
            escape = (simple, self.pos + 2) if simple is not None else read_unicode_escape(self.text, self.pos)
            if escape is None:
                raise self.fail("a character of a string, an escape, or the closing quote")
            parts.append(escape[0])
            self.pos = escape[1]
