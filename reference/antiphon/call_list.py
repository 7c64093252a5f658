"""Lists of calls as Python writes them: `[name(key="value", …), …]` (KIND-CALLS-1 to KIND-CALLS-5)."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from antiphon.errors import Malformed
from antiphon.reader import Reader

MAX_DEPTH: Final = 100  # levels of lists and objects (KIND-CALLS-4)
MAX_INTEGER: Final = 2**53 - 1

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*")
_CONSTANTS: Final = {"True": True, "true": True, "False": False, "false": False, "None": None, "null": None}


def parse_call_list(text: str) -> list[dict[str, Any]]:
    """The calls of a text; raises `Malformed` (`calls-syntax`, `nesting-too-deep`)."""
    reader = _CallReader(text)
    reader.expect("[")
    calls = reader.items("]", reader.call)
    reader.end()
    return calls


class _CallReader(Reader):
    error = "calls-syntax"
    title = "a list of calls"
    characters: ClassVar = {quote: re.compile(rf"[^{quote}\\\n\r\ud800-\udfff]*") for quote in "'\""}
    escapes: ClassVar = {
        "\\": "\\",
        "'": "'",
        '"': '"',
        "/": "/",
        "b": "\b",
        "f": "\f",
        "n": "\n",
        "r": "\r",
        "t": "\t",
    }

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
            place = f"before code point {self.pos} of the text"
            raise Malformed(self.error, f"not {self.title}: a name is repeated {place}")
        return members

    def value(self, depth: int) -> Any:
        if self.peek() in ("[", "{"):
            if depth == MAX_DEPTH:
                raise Malformed("nesting-too-deep", f"more than {MAX_DEPTH} levels of lists and objects")
            if self.accept("["):
                return self.items("]", lambda: self.value(depth + 1))
            self.expect("{")
            return self.unique(self.items("}", lambda: self.member(depth + 1)))
        string = self.quoted()
        if string is not None:
            return string
        number = self.finite_number()
        if number is not None:
            return number
        word = _NAME.match(self.text, self.pos)
        if word is None or word[0] not in _CONSTANTS:
            raise self.fail("a value")
        self.pos = word.end()
        return _CONSTANTS[word[0]]

    def member(self, depth: int) -> tuple[str, Any]:
        self.peek()
        name = self.quoted()
        if name is None:
            raise self.fail("a member's name in quotes")
        self.expect(":")
        return name, self.value(depth)

    def finite_number(self) -> int | float | None:
        """A number within the bounds of KIND-CALLS-4, if one comes next."""
        begin = self.pos
        try:
            number = self.number()
        except Malformed:
            raise self.fail("a smaller number") from None
        if isinstance(number, int) and abs(number) > MAX_INTEGER:
            self.pos = begin
            raise self.fail("an integer within ±(2^53-1)")
        return number
