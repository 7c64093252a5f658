"""Schemas that all have to be fitted, put together into one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from antiphon_portability.autoparser.grammar.json_values import common
from antiphon_portability.autoparser.grammar.keywords import ANNOTATIONS, LOWER_BOUNDS, UPPER_BOUNDS, Schema

Tell: TypeAlias = Callable[[str, str], None]
"""Gets a keyword that isn't held to in all of the schemas, and why."""


def together(parts: Sequence[Schema], tell: Tell) -> dict[str, Any]:
    """One schema in the place of several, none of which has `allOf` or a reference."""
    found: dict[str, Any] = {}
    for part in _with_each_others_names(parts):
        for keyword, value in map(_as_enum, part.items()):
            if keyword in ANNOTATIONS or keyword.startswith("x-"):
                continue
            if keyword not in found or (keyword != "enum" and found[keyword] == value):
                found[keyword] = value
            else:
                found[keyword] = _both(keyword, found[keyword], value, tell)
    return found


def _as_enum(member: tuple[str, Any]) -> tuple[str, Any]:
    keyword, value = member
    return ("enum", [value]) if keyword == "const" else member


def _with_each_others_names(parts: Sequence[Schema]) -> Iterator[Schema]:
    """The schemas; each says by its `additionalProperties` what holds for names that only others list."""
    names = dict.fromkeys(name for part in parts for name in _properties(part))
    for part in parts:
        known, others = _properties(part), part.get("additionalProperties", True)
        more = {} if others is True else {name: others for name in names if name not in known}
        yield {**part, "properties": {**known, **more}} if more else part


def _properties(part: Schema) -> Schema:
    properties = part.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _both(keyword: str, one: Any, other: Any, tell: Tell) -> Any:
    try:
        match keyword:
            case "properties":
                shared = {name: _all_of(one[name], other[name]) for name in one.keys() & other.keys()}
                return {**one, **other, **shared}
            case "required":
                return [*one, *(name for name in other if name not in one)]
            case "type":
                return _common_types(one, other)
            case "enum":
                return common(one, other)
            case "additionalProperties":
                return _all_of(one, other)
            case _ if keyword in LOWER_BOUNDS:
                return max(one, other)
            case _ if keyword in UPPER_BOUNDS:
                return min(one, other)
    except (TypeError, AttributeError):
        pass  # not of the type that the keyword has; whoever reads the first one says so
    tell(keyword, "stands in several schemas of allOf, of which the first is held to")
    return one


_UNBOUND: Final[tuple[Any, ...]] = (True, {})


def _all_of(one: Any, other: Any) -> Any:
    if one is False or other is False:
        return False
    return other if one in _UNBOUND else one if other in _UNBOUND else {"allOf": [one, other]}


def _common_types(one: Any, other: Any) -> list[str]:
    first, second = ([value] if isinstance(value, str) else value for value in (one, other))
    common_names = [name for name in first if name in second]
    if "integer" not in common_names and {"integer", "number"} <= {*first, *second}:
        common_names.append("integer")
    return common_names
