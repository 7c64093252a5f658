"""JSON values as JSON Schema looks at them."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from antiphon.pointer import pointer


def types_of(value: Any) -> frozenset[str]:
    """The types that JSON Schema gives a value."""
    if value is None:
        return frozenset({"null"})
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if isinstance(value, int | float):
        return frozenset({"number", "integer"} if value == value // 1 else {"number"})
    return frozenset({"string" if isinstance(value, str) else "array" if isinstance(value, list | tuple) else "object"})


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal: 1 and 1.0 are, 1 and true aren't."""
    return _key(one) == _key(other)


def common(some: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Those of some values that are among others."""
    known = set(map(_key, others))
    return [value for value in some if _key(value) in known]


def _key(value: Any) -> Hashable:
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, Mapping):
        return dict, frozenset((name, _key(member)) for name, member in value.items())
    return (list, tuple(map(_key, value))) if isinstance(value, list | tuple) else value


def containers(value: Any) -> Iterator[tuple[str, int, Any]]:
    """The objects and arrays in a value, each with its JSON Pointer and its level; the value itself is on level 0."""
    left = [("", 0, value)]
    while left:
        path, level, part = left.pop()
        if isinstance(part, Mapping | list | tuple):
            yield path, level, part
            inner = part.items() if isinstance(part, Mapping) else enumerate(part)
            left += [
                (path + pointer(str(key)), level + 1, child)
                for key, child in inner
                if isinstance(child, Mapping | list | tuple)
            ]


def shown(value: Any) -> str:
    """A value in a message, cut short."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= 60 else f"{text[:57]}…"
