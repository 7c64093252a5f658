"""JSON as models write it: RFC 8259 and the two liberties of SPEC.md (KIND-JSON-1 to KIND-JSON-6).

No liberty is simulated by rewriting the text: delimiters inside strings stay text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from antiphon.engine import compile_plain
from antiphon.errors import Malformed
from antiphon.reader import Reader

MAX_DEPTH: Final = 128  # levels of lists and objects: more than CONTENT-3 asks for, and safe on Python's stack

_WORD: Final = compile_plain(r"\w+")
_CONSTANTS: Final = {"true": True, "false": False, "null": None}


def parse_json(text: str, *, unquoted_keys: bool = False, string_delims: Sequence[tuple[str, str]] = ()) -> Any:
    """The value of a JSON text; raises `Malformed` (`json-syntax`, `number-range`, `nesting-too-deep`)."""
    reader = _JsonReader(text, unquoted_keys, string_delims)
    value = reader.value(0)
    reader.end()
    return value


class _JsonReader(Reader):
    error = "json-syntax"
    title = "JSON"
    characters: ClassVar = {'"': re.compile(r'[^"\\\x00-\x1f]*')}
    escapes: ClassVar = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

    def __init__(self, text: str, unquoted_keys: bool, string_delims: Sequence[tuple[str, str]]) -> None:
        super().__init__(text)
        self.unquoted_keys = unquoted_keys
        # Longest open first; the order of the list decides between equals, since sorting is stable.
        self.string_delims = sorted(string_delims, key=lambda pair: -len(pair[0]))

    def value(self, depth: int) -> Any:
        string = self.string()
        if string is not None:
            return string
        if self.peek() in ("[", "{"):
            if depth == MAX_DEPTH:
                raise Malformed("nesting-too-deep", f"more than {MAX_DEPTH} levels of lists and objects")
            if self.accept("["):
                return self.items("]", lambda: self.value(depth + 1))
            self.expect("{")
            return dict(self.items("}", lambda: self.member(depth + 1)))
        number = self.number()
        if number is not None:
            return number
        for word, constant in _CONSTANTS.items():
            if self.text.startswith(word, self.pos):
                self.pos += len(word)
                return constant
        raise self.fail("a value")

    def member(self, depth: int) -> tuple[str, Any]:
        name = self.name()
        self.expect(":")
        return name, self.value(depth)

    def name(self) -> str:
        string = self.string()
        if string is not None:
            return string
        word = _WORD.match(self.text, self.pos) if self.unquoted_keys else None
        if word is None:
            raise self.fail("a member's name")
        self.pos = word.end
        return self.text[word.start : word.end]

    def string(self) -> str | None:
        """The string that comes next, delimited or in quotes, if one does."""
        self.peek()
        for open_, close in self.string_delims:
            if self.text.startswith(open_, self.pos):
                begin = self.pos + len(open_)
                end = self.text.find(close, begin)
                if end < 0:
                    self.pos = len(self.text)
                    raise self.fail(f"the closing {close!r} of a string")
                self.pos = end + len(close)
                return self.text[begin:end]
        return self.quoted()
