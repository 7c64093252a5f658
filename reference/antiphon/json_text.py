"""JSON as models write it: RFC 8259 and the two liberties of SPEC.md (KIND-JSON-1 to KIND-JSON-6).

The grammar is followed rule by rule, one method each; a method takes the position of its first character and gives the
value with the position behind it. No liberty is simulated by rewriting the text: delimiters inside strings stay text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, Final

from antiphon.engine import compile_plain
from antiphon.errors import Malformed

MAX_DEPTH: Final = 200  # levels of lists and objects: twice what CONTENT-3 asks for, and safe on Python's stack

SPACE: Final = re.compile(r"[\t\n\r ]*")
NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_STRING_PART: Final = re.compile(r'[^"\\\x00-\x1f]*')
_HEX: Final = re.compile(r"[0-9A-Fa-f]{4}")
_WORD: Final = compile_plain(r"\w+")
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def parse_json(text: str, *, unquoted_keys: bool = False, string_delims: Sequence[tuple[str, str]] = ()) -> Any:
    """The value of a JSON text; raises `Malformed` (`json-syntax`, `number-range`, `nesting-too-deep`)."""
    return _Reader(text, unquoted_keys, string_delims).document()


def read_unicode_escape(text: str, pos: int) -> tuple[str, int] | None:
    r"""The code point of a `\uXXXX` escape, or a pair of them, whose backslash stands at `pos`; None if it has none."""
    high = _code_unit(text, pos)
    if high is None:
        return None
    pos += 6
    if 0xD800 <= high < 0xDC00 and (low := _code_unit(text, pos)) is not None and 0xDC00 <= low < 0xE000:
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), pos + 6
    return None if 0xD800 <= high < 0xE000 else (chr(high), pos)


def read_number(literal: str, *, integral: bool) -> int | float:
    """The number of a literal that has the grammar already; raises `Malformed` (CONTENT-2)."""
    try:
        number = int(literal) if integral else float(literal)
    except ValueError:  # more digits than Python converts
        number = math.inf
    if isinstance(number, float) and math.isinf(number):
        raise Malformed("number-range", f"the number {literal[:20]}… is too large")
    return number


def expected_at(expected: str, text: str, pos: int) -> str:
    """What a grammar expected at a position, and what it found."""
    found = repr(text[pos]) if pos < len(text) else "the end"
    return f"{expected} expected at code point {pos} of the text, not {found}"


def _code_unit(text: str, pos: int) -> int | None:
    digits = _HEX.match(text, pos + 2) if text.startswith("\\u", pos) else None
    return int(digits[0], 16) if digits else None


class _Reader:
    def __init__(self, text: str, unquoted_keys: bool, string_delims: Sequence[tuple[str, str]]) -> None:
        self.text = text
        self.unquoted_keys = unquoted_keys
        # Longest open first; the order of the list decides between equals, since sorting is stable.
        self.string_delims = sorted(string_delims, key=lambda pair: -len(pair[0]))

    def fail(self, pos: int, expected: str) -> Malformed:
        return Malformed("json-syntax", f"not JSON: {expected_at(expected, self.text, pos)}")

    def skip(self, pos: int) -> int:
        space = SPACE.match(self.text, pos)
        return space.end() if space else pos

    def document(self) -> Any:
        value, pos = self.value(self.skip(0), 0)
        pos = self.skip(pos)
        if pos != len(self.text):
            raise self.fail(pos, "the end")
        return value

    def value(self, pos: int, depth: int) -> tuple[Any, int]:
        string = self.string(pos)
        if string is not None:
            return string
        first = self.text[pos : pos + 1]
        if first and first in "[{":
            if depth == MAX_DEPTH:
                raise Malformed("nesting-too-deep", f"more than {MAX_DEPTH} levels of lists and objects")
            return self.array(pos, depth + 1) if first == "[" else self.object(pos, depth + 1)
        number = NUMBER.match(self.text, pos)
        if number:
            return read_number(number[0], integral=number[1] is None and number[2] is None), number.end()
        for word, constant in _CONSTANTS.items():
            if self.text.startswith(word, pos):
                return constant, pos + len(word)
        raise self.fail(pos, "a value")

    def array(self, pos: int, depth: int) -> tuple[list[Any], int]:
        elements: list[Any] = []
        pos = self.skip(pos + 1)
        if self.text.startswith("]", pos):
            return elements, pos + 1
        while True:
            element, pos = self.value(pos, depth)
            elements.append(element)
            pos = self.skip(pos)
            if self.text.startswith("]", pos):
                return elements, pos + 1
            pos = self.separator(pos, ",", "',' or ']'")

    def object(self, pos: int, depth: int) -> tuple[dict[str, Any], int]:
        members: dict[str, Any] = {}
        pos = self.skip(pos + 1)
        if self.text.startswith("}", pos):
            return members, pos + 1
        while True:
            name, pos = self.name(pos)
            pos = self.separator(self.skip(pos), ":", "':'")
            members[name], pos = self.value(pos, depth)
            pos = self.skip(pos)
            if self.text.startswith("}", pos):
                return members, pos + 1
            pos = self.separator(pos, ",", "',' or '}'")

    def separator(self, pos: int, separator: str, expected: str) -> int:
        if not self.text.startswith(separator, pos):
            raise self.fail(pos, expected)
        return self.skip(pos + 1)

    def name(self, pos: int) -> tuple[str, int]:
        string = self.string(pos)
        if string is not None:
            return string
        word = _WORD.match(self.text, pos) if self.unquoted_keys else None
        if word is None:
            raise self.fail(pos, "a member's name")
        return self.text[word.start : word.end], word.end

    def string(self, pos: int) -> tuple[str, int] | None:
        """The string that begins at `pos`, delimited or ordinary; None if none does."""
        for open_, close in self.string_delims:
            if self.text.startswith(open_, pos):
                begin = pos + len(open_)
                end = self.text.find(close, begin)
                if end < 0:
                    raise self.fail(len(self.text), f"the closing {close!r} of the string at code point {pos}")
                return self.text[begin:end], end + len(close)
        return self.quoted(pos + 1) if self.text.startswith('"', pos) else None

    def quoted(self, pos: int) -> tuple[str, int]:
        parts: list[str] = []
        while True:
            part = _STRING_PART.match(self.text, pos)
            assert part is not None  # it may be empty
            parts.append(part[0])
            pos = part.end()
            if self.text.startswith('"', pos):
                return "".join(parts), pos + 1
            if not self.text.startswith("\\", pos):
                raise self.fail(pos, "a character of a string or its closing quote")
            simple = _ESCAPES.get(self.text[pos + 1 : pos + 2])
            escape = (simple, pos + 2) if simple is not None else read_unicode_escape(self.text, pos)
            if escape is None:
                raise self.fail(pos, "an escape of JSON (with surrogates in pairs)")
            parts.append(escape[0])
            pos = escape[1]
