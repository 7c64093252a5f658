"""Transforms: the shape of a region's value, with placeholders (SPEC.md, section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from antiphon.engine import compile_plain
from antiphon.errors import Malformed

_PLACEHOLDER: Final = compile_plain(r"\{(?P<path>\w+(?:\.\w+)*)\}")


@dataclass(frozen=True, slots=True)
class Transform:
    """A shape, for the whole content or for `each` of its elements."""

    shape: Any
    each: bool = False

    def apply(self, content: Any, captures: Mapping[str, str]) -> Any:
        """The value; raises `Malformed` (`placeholder-unresolved`, `transform-each-…`)."""
        if not self.each:
            return _fill(self.shape, {**captures, "content": content})
        if not isinstance(content, list):
            raise Malformed("transform-each-not-list", f"transform_each needs a list, not {type_name(content)}")
        return [self._of_element(index, element, captures) for index, element in enumerate(content)]

    def _of_element(self, index: int, element: Any, captures: Mapping[str, str]) -> Any:
        if not isinstance(element, dict):
            reason = f"transform_each needs objects; element {index} is {type_name(element)}"
            raise Malformed("transform-each-not-object", reason)
        return _fill(self.shape, {**captures, **element})

    def depends_on(self, groups: frozenset[str]) -> bool:
        """Whether the value may depend on what one of the groups captured."""
        return any(path[0] in groups for path, _ in placeholders(self.shape))


@lru_cache(maxsize=1024)  # the strings are those of templates, and are asked for at every region's end
def read_placeholder(string: str) -> tuple[str, ...] | None:
    """The path of a string that is a placeholder; None for plain text; ValueError for a mixture (TRANSFORM-2)."""
    found = _PLACEHOLDER.search(string, 0)
    if found is None:
        return None
    if found.start > 0 or found.end < len(string):
        raise ValueError(string)
    return tuple(found.captures["path"].split("."))


def strings(shape: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """The strings in the values of a shape, each with the keys and indices that lead to it."""
    if isinstance(shape, str):
        yield shape, place
    elif isinstance(shape, dict):
        for key, value in shape.items():
            yield from strings(value, (*place, key))
    elif isinstance(shape, list):
        for index, value in enumerate(shape):
            yield from strings(value, (*place, index))


def placeholders(shape: Any) -> Iterator[tuple[tuple[str, ...], tuple[str | int, ...]]]:
    """The paths of the placeholders of a shape, each with its place."""
    for string, place in strings(shape):
        path = read_placeholder(string)
        if path is not None:
            yield path, place


def copy(value: Any) -> Any:
    """A JSON value of its own (TRANSFORM-7, TEMPLATE-9)."""
    if isinstance(value, dict):
        return {key: copy(member) for key, member in value.items()}
    return [copy(element) for element in value] if isinstance(value, list) else value


def _fill(shape: Any, scope: Mapping[str, Any]) -> Any:
    if isinstance(shape, dict):
        return {key: _fill(value, scope) for key, value in shape.items()}
    if isinstance(shape, list):
        return [_fill(value, scope) for value in shape]
    path = read_placeholder(shape) if isinstance(shape, str) else None
    return shape if path is None else copy(_look_up(path, scope))


def _look_up(path: tuple[str, ...], scope: Mapping[str, Any]) -> Any:
    value: Any = scope
    for depth, key in enumerate(path):
        if not isinstance(value, Mapping) or key not in value:
            there = ", ".join(map(repr, value)) if isinstance(value, Mapping) else type_name(value)
            missing = ".".join(path[: depth + 1])
            reason = f"the placeholder {{{'.'.join(path)}}} finds no {missing!r}; there is {there or 'nothing'}"
            raise Malformed("placeholder-unresolved", reason)
        value = value[key]
    return value


def type_name(value: Any) -> str:
    """The JSON type of a value, with its article, for messages to people."""
    names = {
        dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null", int: "a number",
        float: "a number",
    }  # fmt: skip
    return names.get(type(value), f"a {type(value).__name__}")
