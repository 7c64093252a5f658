"""Tool typing: arguments that a model wrote as text, cast by the called tool's schema (SPEC.md, section 8)."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from antiphon.content import parse_float, parse_int, strip
from antiphon.errors import Malformed, TemplateError
from antiphon.json_text import parse_json

MAX_DEPTH: Final = 100  # levels of unions that are looked into; a schema may contain itself

Tool: TypeAlias = Mapping[str, Any] | Callable[..., Any]


class Tools:
    """The tools of a request, by name; raises `TemplateError` (`invalid-tools`) for what isn't a tool."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        if not isinstance(tools, list | tuple):
            raise TemplateError("invalid-tools", "", "tools are a list of tool objects or functions")
        self._properties: dict[str, Mapping[str, Any]] = {}
        for index, tool in enumerate(tools):
            name, properties = _read_tool(tool, f"/{index}")
            self._properties[name] = properties

    def cast(self, value: Any) -> Any:
        """A region's value with the arguments of its calls cast (TOOLS-2); the value itself isn't changed."""
        if isinstance(value, list):
            return [self.cast(element) for element in value]
        function = value.get("function") if isinstance(value, dict) else None
        if not isinstance(function, dict):
            return value
        name, arguments = function.get("name"), function.get("arguments")
        if not isinstance(name, str) or name not in self._properties or not isinstance(arguments, dict):
            return value
        properties = self._properties[name]
        typed = {key: cast_argument(argument, properties.get(key)) for key, argument in arguments.items()}
        return {**value, "function": {**function, "arguments": typed}}


def cast_argument(argument: Any, schema: Any) -> Any:
    """One argument by its schema (TOOLS-3 to TOOLS-6); as it is where no cast applies or succeeds."""
    candidates = tuple(_candidate_types(schema))
    if isinstance(argument, str):
        return _cast(argument, candidates)
    if isinstance(argument, list) and "array" not in candidates:
        return [_cast(element, candidates) if isinstance(element, str) else element for element in argument]
    return argument


def _read_tool(tool: Any, pointer: str) -> tuple[str, Mapping[str, Any]]:
    """A tool's name, and its parameters' schemas."""
    if callable(tool) and not isinstance(tool, Mapping):
        return _read_function(tool, pointer)
    function = tool.get("function", tool) if isinstance(tool, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(name, str):
        reason = 'a tool is {"type": "function", "function": {"name": …, "parameters": …}} or the inner object'
        raise TemplateError("invalid-tools", pointer, reason)
    parameters = function.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, Mapping) else None
    return name, properties if isinstance(properties, Mapping) else {}


def _read_function(function: Callable[..., Any], pointer: str) -> tuple[str, Mapping[str, Any]]:
    """A Python function as a tool: its parameters' schemas come from its annotations."""
    try:
        name, parameters = function.__name__, inspect.signature(function).parameters
    except (AttributeError, TypeError, ValueError):
        reason = f"{function!r:.60} has no name or signature; give a function, or a tool object"
        raise TemplateError("invalid-tools", pointer, reason) from None
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # annotations may name anything; a parameter without a type is simply not cast
        hints = {}
    return name, {parameter: _annotation_schema(hints.get(parameter)) for parameter in parameters}


def _candidate_types(schema: Any, depth: int = 0) -> Iterator[str]:
    if not isinstance(schema, Mapping) or depth == MAX_DEPTH:
        return
    declared = schema.get("type")
    yield from (name for name in (declared if isinstance(declared, list) else [declared]) if isinstance(name, str))
    for union in ("anyOf", "oneOf"):
        members = schema.get(union)
        for member in members if isinstance(members, list) else ():
            yield from _candidate_types(member, depth + 1)
    if schema.get("nullable") is True:
        yield "null"


def _cast(text: str, candidates: tuple[str, ...]) -> Any:
    for candidate in candidates:
        cast = _CASTS.get(candidate)
        if cast is not None:
            try:
                return cast(text)
            except Malformed:
                continue
    return text


def _cast_integer(text: str) -> int | float:
    try:
        return parse_int(text)
    except Malformed:
        number = parse_float(text)
        if not number.is_integer():
            raise
        return int(number)


def _cast_number(text: str) -> int | float:
    try:
        return parse_int(text)
    except Malformed:
        return parse_float(text)


def _cast_boolean(text: str) -> bool:
    word = strip(text)
    known = {"true": True, "1": True, "false": False, "0": False}.get(word.lower() if word.isascii() else word)
    if known is None:
        raise Malformed("cast", "not a boolean")
    return known


def _cast_null(text: str) -> None:
    if strip(text) not in ("null", "None"):
        raise Malformed("cast", "not null")


def _cast_container(container: type) -> Callable[[str], Any]:
    def cast(text: str) -> Any:
        value = parse_json(strip(text))
        if not isinstance(value, container):
            raise Malformed("cast", f"not a {container.__name__}")
        return value

    return cast


_CASTS: Final[dict[str, Callable[[str], Any]]] = {
    "integer": _cast_integer,
    "number": _cast_number,
    "boolean": _cast_boolean,
    "null": _cast_null,
    "object": _cast_container(dict),
    "array": _cast_container(list),
}

_ANNOTATIONS: Final[dict[Any, str]] = {
    str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", dict: "object", list: "array",
    tuple: "array", set: "array",
}  # fmt: skip


def _annotation_schema(annotation: Any) -> dict[str, Any]:
    origin = typing.get_origin(annotation) or annotation
    arguments = typing.get_args(annotation)
    if origin is typing.Annotated:
        return _annotation_schema(arguments[0])
    if origin is typing.Literal:
        return _annotation_schema(type(arguments[0])) if arguments else {}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_annotation_schema(argument) for argument in arguments]}
    try:
        name = _ANNOTATIONS.get(origin)
    except TypeError:  # not hashable
        name = None
    return {} if name is None else {"type": name}
