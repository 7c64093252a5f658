"""How the project's case files are written: readable, one event a line, and the same bytes every time.

A value stands on one line if it fits there; an object or list that doesn't is broken up, one member a line, indented by
two spaces. The list of `events` is always broken up, and each event always stands on one line, so that a diff shows
events. Characters that can't be seen, and lone surrogates, are written as escapes; all others as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

WIDTH = 120
BROKEN = frozenset({"cases", "events"})  # always one member a line
ONE_LINE = frozenset({"events"})  # whose members are never broken up

INVISIBLE = (
    (0x00, 0x1F),
    (0x7F, 0xA0),
    (0xAD, 0xAD),
    (0x1680, 0x1680),
    (0x180E, 0x180E),
    (0x2000, 0x200F),
    (0x2028, 0x202F),
    (0x205F, 0x206F),
    (0x3000, 0x3000),
    (0xD800, 0xDFFF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
)


class SpeltFloat(float):
    """A number that is written as it was read."""

    def __new__(cls, source: str) -> SpeltFloat:
        result = super().__new__(cls, source)
        result.source = source
        return result

    source: str


def load(text: str) -> Any:
    """A case file's JSON."""
    return json.loads(text, parse_float=SpeltFloat)


def dump(document: Any) -> str:
    """The file's text for a document, with a line end at its end."""
    return broken(document, "", "") + "\n"


def written(value: Any, key: str, indent: str, room: int) -> str:
    """A member's value: on one line if it may be and `room` columns are enough for it."""
    line = compact(value)
    must_break = isinstance(value, (dict, list)) and value and (key in BROKEN or holds_broken(value))
    return line if len(line) <= room and not must_break else broken(value, key, indent)


def holds_broken(value: Any) -> bool:
    return isinstance(value, dict) and (bool(BROKEN & value.keys()) or any(map(holds_broken, value.values())))


def broken(value: Any, key: str, indent: str) -> str:
    """An object or list with one member a line; anything else on one line."""
    inner = indent + "  "
    if isinstance(value, dict) and value:
        members = [f"{quoted(k)}: " + written(v, k, inner, WIDTH - len(inner) - len(k) - 5) for k, v in value.items()]
        return enclosed("{", "}", members, indent)
    if isinstance(value, list) and value:
        member: Callable[[Any], str] = (
            compact if key in ONE_LINE else lambda item: written(item, "", inner, WIDTH - len(inner) - 1)
        )
        if key == "cases":
            member = lambda item: broken(item, "", inner)  # noqa: E731
        return enclosed("[", "]", [member(item) for item in value], indent)
    return compact(value)


def enclosed(first: str, last: str, members: list[str], indent: str) -> str:
    lines = f",\n{indent}  ".join(members)
    return f"{first}\n{indent}  {lines}\n{indent}{last}"


def compact(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)}: {compact(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(compact, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    return value.source if isinstance(value, SpeltFloat) else json.dumps(value, allow_nan=False)


def quoted(text: str) -> str:
    return '"' + "".join(escaped(c) for c in text) + '"'


def escaped(c: str) -> str:
    if c in '"\\' or any(first <= ord(c) <= last for first, last in INVISIBLE):
        return json.dumps(c)[1:-1]
    return c
