"""What stands for one character: literals, escapes, classes and sets.

`CharacterReader` is the lower half of the parser; it knows nothing of groups, references and quantifiers.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from string import ascii_letters, digits, hexdigits, octdigits
from typing import Final

from .codepoints import case_variants, is_property
from .nodes import Char, CharSet, Node, Property, Range, SetItem, Shorthand
from .source import Source

_SHORTHANDS: Final[dict[str, Shorthand | Property]] = {
    "d": Shorthand("digit"),
    "D": Shorthand("digit", negated=True),
    "s": Shorthand("space"),
    "S": Shorthand("space", negated=True),
    "w": Shorthand("word"),
    "W": Shorthand("word", negated=True),
    "h": Property("blank"),
}
_CONTROLS: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_HEX_DIGIT_COUNTS: Final = {"x": 2, "u": 4, "U": 8}
_POSIX_ONLY: Final = frozenset({"ALNUM", "DIGIT", "PUNCT", "XDIGIT"})  # these differ from the like-named property


class CharacterReader:
    """Reads characters, under the flags in force."""

    def __init__(self, text: str, ascii_by_default: bool) -> None:
        self.source = Source(text)
        self.flags = frozenset("s")
        self.ascii_by_default = ascii_by_default  # flag a holds wherever neither a nor u is in force

    def set_flags(self, flags: frozenset[str]) -> None:
        self.flags = flags
        self.source.verbose = "x" in flags

    @property
    def ascii(self) -> bool:
        return "a" in self.flags or ("u" not in self.flags and self.ascii_by_default)

    def char(self, code: int, flags: frozenset[str] | None = None) -> Node:
        ignore_case = "i" in (self.flags if flags is None else flags) and bool(case_variants(code))
        if ignore_case and self.ascii_by_default:
            return self.ascii_case_set([Range(code, code)])
        return Char(code, ignore_case)

    def one_of(self, items: list[SetItem], negated: bool = False, start: int = 0) -> Node:
        if "i" not in self.flags:
            return CharSet(tuple(items), negated)
        if not self.ascii_by_default:
            return CharSet(tuple(items), negated, ignore_case=True)
        if any(isinstance(item, Property) for item in items):
            self.source.refuse("ascii-case", start)
        return self.ascii_case_set(items, negated)

    def ascii_case_set(self, items: list[SetItem], negated: bool = False) -> Node:
        """`items` with the other case of the ASCII letters among them, all that flag a at the top level allows."""
        ranges = [item for item in items if isinstance(item, Range)]
        swapped = [
            Range(ord(letter.swapcase()), ord(letter.swapcase()))
            for letter in ascii_letters
            if any(item.first <= ord(letter) <= item.last for item in ranges)
        ]
        if not swapped and len(ranges) == len(items) == 1 and ranges[0].first == ranges[0].last and not negated:
            return Char(ranges[0].first)
        return CharSet((*items, *swapped), negated)

    def class_or_code(self, start: int) -> SetItem | int:
        """What a backslash stands for that has the same meaning in a set and outside: a class, or a code point."""
        source = self.source
        char = source.take_raw()
        if not char:
            self.source.fail("a backslash at the end", r"write \\ for a backslash", start)
        if char in _HEX_DIGIT_COUNTS:
            return self.hexadecimal(_HEX_DIGIT_COUNTS[char], start)
        if char == "N":
            return self.named_char(start)
        if char in "pP":
            return self.property(char, start)
        if char in _SHORTHANDS:
            item = _SHORTHANDS[char]
            is_ascii = self.ascii if isinstance(item, Shorthand) else self.ascii_by_default
            return replace(item, ascii=is_ascii)
        if char in _CONTROLS:
            return ord(_CONTROLS[char])
        if char in digits:
            return self.octal(char, start)
        if char in ascii_letters:
            self.source.fail(rf"\{char} means nothing", f"write {char} without the backslash", start)
        return ord(char)

    def octal(self, number: str, start: int) -> int:
        before = self.source.pos
        while len(number) < 3 and (char := self.source.take()) and char in octdigits:
            number += char
            before = self.source.pos
        self.source.pos = before
        if number[0] not in octdigits:
            self.source.fail(rf"\{number} means nothing in a set", rf"write {number} without the backslash", start)
        return int(number, 8)

    def hexadecimal(self, count: int, start: int) -> int:
        taken = [self.source.take() for _ in range(count)]
        if not all(char and char in hexdigits for char in taken):
            self.source.fail("an incomplete hexadecimal escape", f"write {count} hexadecimal digits", start)
        code = int("".join(taken), 16)
        if code > 0x10FFFF:
            self.source.fail("a code point beyond Unicode", r"stay below \U00110000", start)
        return code

    def named_char(self, start: int) -> int:
        r"""`\N{name}`; without braces the letter N."""
        before = self.source.pos
        if self.source.accept("{"):
            name = ""
            while (char := self.source.take_raw()) and char in ascii_letters + digits + " -":
                name += char
            self.source.pos -= len(char)
            if self.source.accept("}"):
                try:
                    return ord(unicodedata.lookup(name))
                except (KeyError, TypeError):  # unknown, or the name of several code points
                    self.source.fail(f"no character is named {name!r}", r"write \uXXXX", start)
        self.source.pos = before
        return ord("N")

    def property(self, letter: str, start: int) -> SetItem | int:
        r"""`\p{…}`, `\P{…}`, `\pL`; where no property can be meant, as in `regex`, the letter p or P."""
        source = self.source
        before = source.pos
        negated = letter == "P"
        char = source.take()
        if char == "{":
            negated ^= source.accept("^")
            name = self.property_name()
            if source.accept("}"):
                return self.known_property(name, negated, self.ascii, start)
        elif char and char in "CLMNPSZ":
            return Property(char, negated, self.ascii)
        source.pos = before
        return ord(letter)

    def property_name(self) -> str:
        source = self.source
        name = source.take_while(lambda char: char in ascii_letters + digits + " &_-.")
        before = source.pos
        if source.take() in (":", "="):
            value = source.take_while(lambda char: char in ascii_letters + digits + " &_-./").strip()
            if value:
                return f"{name.strip()}={value}"
        source.pos = before
        return name.strip()

    def known_property(self, name: str, negated: bool, is_ascii: bool, start: int) -> Property:
        if not is_property(name):
            self.source.fail(f"there is no property {name!r}", "see Unicode's property names", start)
        return Property(name, negated, is_ascii)

    # -- sets

    def char_set(self, start: int) -> Node:
        verbose, self.source.verbose = self.source.verbose, False  # white space counts in a set
        negated = self.source.accept("^")
        items = self.set_member(start)
        while not self.source.accept("]"):
            items += self.set_member(start)
        self.source.verbose = verbose
        return self.one_of(items, negated, start)

    def set_member(self, start: int) -> list[SetItem]:
        """One character or class, or a range, which can look like one: `[a-]` and `[a-\\d]` hold a hyphen."""
        source = self.source
        place = source.pos
        first = self.set_item(start)
        if not isinstance(first, int):
            return [first]
        if not source.accept("-"):
            return [Range(first, first)]
        if source.text.startswith("]", source.pos):
            return [Range(first, first), Range(0x2D, 0x2D)]
        last = self.set_item(start)
        if not isinstance(last, int):
            return [Range(first, first), Range(0x2D, 0x2D), last]
        if first > last:
            self.source.fail("a range whose end comes before its start", "write the lower character first", place)
        return [Range(first, last)]

    def set_item(self, start: int) -> SetItem | int:
        source = self.source
        place = source.pos
        char = source.take()
        if not char:
            self.source.fail("a set without end", r"close it with ], or write \[ for a bracket", start)
        if char == "\\":
            return self.class_or_code(place)
        if char == "[" and source.accept(":"):
            negated = source.accept("^")
            name = self.property_name()
            if source.accept(":]"):
                name = f"posix{name}" if name.upper() in _POSIX_ONLY else name
                return self.known_property(name, negated, self.ascii_by_default, place)
            source.pos = place + 1
        return ord(char)
