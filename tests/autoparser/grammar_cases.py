"""Tools, texts and judgements for tests of grammars."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import antiphon
from jsonschema import Draft202012Validator, ValidationError

Tools = Sequence[Mapping[str, Any]]
TEMPLATES: Final = Path(__file__).parents[2] / "conformance" / "suite" / "templates"

RECORDED_TOOLS: Final[Tools] = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer"},
                "opts": {"type": "object", "properties": {"units": {"type": "string"}}},
                "detailed": {"type": "boolean"},
            },
            "required": ["city"],
        },
    },
    {
        "name": "add",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
        },
    },
]
"""Those for which llama.cpp's grammars were recorded."""

TOOLS: Final[Tools] = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "minLength": 1, "maxLength": 12},
                "days": {"type": "integer", "minimum": 1, "maximum": 14},
                "opts": {
                    "type": "object",
                    "properties": {
                        "units": {"enum": ["C", "F", "K<>"]},
                        "levels": {"type": "array", "items": {"type": "number"}, "maxItems": 3},
                    },
                },
                "detailed": {"type": "boolean"},
            },
            "required": ["city"],
        },
    },
    {
        "type": "function",
        "function": {
            "name": "add",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "number"}, "b": {"type": ["integer", "null"]}},
                "required": ["a", "b"],
            },
        },
    },
    {
        "name": "add_all",
        "parameters": {
            "type": "object",
            "properties": {
                "mode": {"type": "string", "enum": ["fast", "slow mode"]},
                "code": {"type": "string"},
                "when": {"type": "string", "format": "date"},
                "id": {"type": "string", "pattern": "^[a-z]{2}-\\d+$"},
                "any": {},
            },
            "required": ["mode", "code"],
        },
    },
    {"name": "nothing", "parameters": {}},
]
"""One name begins another; texts that have to fit something, and texts that may be anything."""

NOTHING: Final = {"type": "object", "maxProperties": 0}


def response_template(name: str) -> dict[str, Any]:
    """A template of the suite."""
    found: dict[str, Any] = json.loads((TEMPLATES / f"{name}.json").read_text("utf-8"))
    return found


def problem(text: str, document: Mapping[str, Any], tools: Tools, field: str = "tool_calls") -> str | None:
    """Why a text isn't read as calls of the tools with arguments by their schemas; None if it is."""
    schemas = {function["name"]: function.get("parameters") or NOTHING for function in map(_function, tools)}
    try:
        message = antiphon.parse_response(text, document, prefix="", tools=list(tools))
    except antiphon.AntiphonError as error:
        return str(error)
    calls = message.get(field)
    if not calls or not isinstance(calls, list):
        return f"no calls: {message}"
    for call in calls:
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        if name not in schemas:
            return f"there is no tool {name!r}"
        try:
            validator(json.dumps(schemas[name])).validate(arguments)
        except ValidationError as error:
            return error.message
    return None


def _function(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = tool.get("function", tool)
    return found


@cache
def validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


def broken(text: str, source: random.Random, count: int) -> Iterator[str]:
    """The text with a piece taken out, doubled, moved, or put in the place of another."""
    for _ in range(count):
        start, stop = sorted(source.sample(range(len(text) + 1), 2))
        stop = min(stop, start + source.choice((1, 1, 2, 8, 40)))
        other = source.randrange(len(text))
        piece = source.choice(
            ("", text[start:stop] * 2, text[other : other + stop - start], source.choice('"{}<>\n, x0'))
        )
        yield text[:start] + piece + text[stop:]
