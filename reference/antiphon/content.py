"""The content kinds: what a region's text means (SPEC.md, section 6). One class a kind, its arguments as fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

from antiphon.call_list import parse_call_list
from antiphon.engine import Found, Matcher
from antiphon.errors import Malformed
from antiphon.json_text import parse_json
from antiphon.reader import read_number

WHITE_SPACE: Final = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)  # TEXT-2

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_FLOAT: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class ContentKind(Protocol):
    """What the kinds have in common.

    Attributes:
        dirty: whether a chunk of the region's text is not yet a part of its value (EVENT-3).
        may_be_object: whether the value may have members (TRANSFORM-5).
    """

    dirty: ClassVar[bool]
    may_be_object: ClassVar[bool]

    def parse(self, text: str) -> Any:
        """The value of a region's text; raises `Malformed`."""
        ...


def strip(text: str) -> str:
    """The text without white space at both ends (TEXT-2)."""
    return text.strip(WHITE_SPACE)


def is_blank(text: str) -> bool:
    """Whether the text is nothing but white space."""
    return not strip(text)


def parse_int(text: str) -> int | float:
    """KIND-INT-1; raises `Malformed`."""
    literal = strip(text)
    if not _INTEGER.fullmatch(literal):
        raise Malformed("int-syntax", f"{_excerpt(literal)} is not an integer")
    return read_number(literal, integral=True)


def parse_float(text: str) -> float:
    """KIND-FLOAT-1; raises `Malformed`."""
    literal = strip(text)
    if not _FLOAT.fullmatch(literal):
        raise Malformed("float-syntax", f"{_excerpt(literal)} is not a number")
    return read_number(literal, integral=False)


@dataclass(frozen=True, slots=True)
class Text:
    dirty: ClassVar = False
    may_be_object: ClassVar = False
    strip: bool = True

    def parse(self, text: str) -> str:
        return strip(text) if self.strip else text


@dataclass(frozen=True, slots=True)
class Int:
    dirty: ClassVar = False
    may_be_object: ClassVar = False

    def parse(self, text: str) -> int | float:
        return parse_int(text)


@dataclass(frozen=True, slots=True)
class Float:
    dirty: ClassVar = False
    may_be_object: ClassVar = False

    def parse(self, text: str) -> float:
        return parse_float(text)


@dataclass(frozen=True, slots=True)
class Bool:
    dirty: ClassVar = False
    may_be_object: ClassVar = False

    def parse(self, text: str) -> bool:
        word = strip(text)
        return word == "1" or (word.isascii() and word.lower() == "true")


@dataclass(frozen=True, slots=True)
class Json:
    dirty: ClassVar = True
    may_be_object: ClassVar = True
    unquoted_keys: bool = False
    string_delims: tuple[tuple[str, str], ...] = ()
    allow_non_json: bool = False

    def parse(self, text: str) -> Any:
        try:
            return parse_json(text, unquoted_keys=self.unquoted_keys, string_delims=self.string_delims)
        except Malformed:
            if self.allow_non_json:
                return strip(text)
            raise


@dataclass(frozen=True, slots=True)
class XmlInline:
    dirty: ClassVar = True
    may_be_object: ClassVar = True
    tag_pattern: Matcher
    value_parser: ContentKind = Text(strip=False)
    merge_duplicates: bool = False

    def parse(self, text: str) -> dict[str, Any]:
        values: dict[str, list[Any]] = {}
        for tag in find_all(self.tag_pattern, text):
            if "key" not in tag.captures:
                raise Malformed("tag-without-key", "a tag matches tag_pattern without its group 'key'")
            value = tag.captures.get("value")
            values.setdefault(tag.captures["key"], []).append(None if value is None else self.value_parser.parse(value))
        merge = self.merge_duplicates
        return {key: found if merge and len(found) > 1 else found[-1] for key, found in values.items()}


@dataclass(frozen=True, slots=True)
class KvLines:
    dirty: ClassVar = True
    may_be_object: ClassVar = True
    line_sep: str = "\n"
    kv_sep: str = ":"
    strip: bool = True
    value_parser: ContentKind = Text(strip=False)

    def parse(self, text: str) -> dict[str, Any]:
        trim: Callable[[str], str] = strip if self.strip else str
        pairs = (trim(line).partition(self.kv_sep) for line in text.split(self.line_sep))
        return {trim(key): self.value_parser.parse(trim(value)) for key, separator, value in pairs if separator}


@dataclass(frozen=True, slots=True)
class PythonCallList:
    dirty: ClassVar = True
    may_be_object: ClassVar = False

    def parse(self, text: str) -> list[dict[str, Any]]:
        return parse_call_list(text)


KINDS: Final[dict[str, Callable[..., ContentKind]]] = {
    "text": Text,
    "int": Int,
    "float": Float,
    "bool": Bool,
    "json": Json,
    "xml-inline": XmlInline,
    "kv-lines": KvLines,
    "python-call-list": PythonCallList,
}


def find_all(matcher: Matcher, text: str) -> Iterator[Found]:
    """The matches in a complete text, each search beginning where the last match ended (ANCHOR-1, KIND-XML-1)."""
    pos = 0
    while (found := matcher.search(text, pos)) is not None:
        yield found
        pos = found.end if found.end > found.start else found.end + 1


def _excerpt(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")
