"""What the calls are asked with: members of a request, JSON as people write it in editors, and refusals in words.

Nothing here knows what a call does. Whatever is wrong with a request is a `Refused`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

Json: TypeAlias = Any
Request: TypeAlias = Mapping[str, Any]

T = TypeVar("T")

_TYPES: Final[Mapping[type, str]] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


DEEPEST: Final = 1_000
"""Levels of lists and objects that are read: in a browser some thousands of them overflow the stack, and end it all."""
TOO_DEEP: Final = "nested too deeply to be read; take levels out"
_STRING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NO_BRACKETS: Final = re.compile(r"[^][{}]+")
_EMPTY: Final = re.compile(r"\[\]|\{\}")


class Refused(Exception):
    """What the caller can mend; `failure` tells it, as `Failure` of api.ts."""

    def __init__(self, stage: str, kind: str, message: str, **place: str | int) -> None:
        super().__init__(message)
        self.failure: dict[str, Json] = {"stage": stage, "kind": kind, "message": message, **place}


class JsonFault(Exception):
    """A text that isn't JSON: at which code point, and in which line and column, from 1."""

    def __init__(self, text: str, problem: str, position: int) -> None:
        super().__init__(problem)
        self.position = position
        self.line = text.count("\n", 0, position) + 1
        self.column = position - text.rfind("\n", 0, position)


def member(request: Request, name: str, type_: type[T]) -> T:
    """A member that a request must have. Raises Refused."""
    value = request.get(name)
    if type(value) is not type_:
        raise Refused("state", "request", f"the request's member {name} isn't {_TYPES[type_]}")
    return value


def choice(request: Request, name: str, known: tuple[str, ...], default: str | None = None) -> str:
    """A member that has one of these values; the default, if there is one, where it isn't there. Raises Refused."""
    value = request.get(name, default)
    if value not in known:
        raise Refused("state", "request", f"the request's member {name} is none of {', '.join(known)}")
    return str(value)


def texts(request: Request, name: str) -> list[str]:
    """A list of texts; an empty one where it isn't there. Raises Refused."""
    value = request.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Refused("state", "request", f"the request's member {name} isn't a list of texts")
    return value


def positive(request: Request, name: str, most: float = math.inf) -> float:
    """A number from 0 to `most`; more counts as that. Raises Refused."""
    value = request.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise Refused("state", "request", f"the request's member {name} isn't a number from 0 on")
    return min(value, most)


def read_json(text: str) -> Json:
    """A JSON text, as RFC 8259 has it. Raises JsonFault."""
    if is_too_deep(text):
        raise JsonFault(text, TOO_DEEP, 0)
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise JsonFault(text, error.msg[:1].lower() + error.msg[1:], error.pos) from None
    except RecursionError:  # most of the stack is in use
        raise JsonFault(text, TOO_DEEP, 0) from None
    except ValueError as error:
        raise JsonFault(text, str(error), _place(text, error)) from None


def is_too_deep(text: str) -> bool:
    """Whether a text has more than DEEPEST levels, or so many brackets without the other one that it is no JSON."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    left = _NO_BRACKETS.sub("", _STRING.sub("", text))
    for _ in range(DEEPEST):
        inner = _EMPTY.sub("", left)
        if inner == left:
            return len(left) > DEEPEST
        left = inner
    return bool(left)


def read_json_of(text: str, what: str) -> Json:
    """The same of an editor's text, `what` for instance "template". Raises Refused."""
    try:
        return read_json(text)
    except JsonFault as fault:
        place = f"line {fault.line} column {fault.column}"
        raise Refused("load", "json", f"the {what} isn't JSON: {fault} at {place}", position=fault.position) from None


class _NoNumber(ValueError):
    """A number that JSON, or a computer, doesn't have."""

    def __init__(self, literal: str) -> None:
        shown = literal if len(literal) <= 20 else literal[:20] + "…"
        super().__init__(f"{shown} is a number that can't be had; write another")
        self.literal = literal


def _no_number(literal: str) -> NoReturn:
    raise _NoNumber(literal)


def _finite(literal: str) -> float:
    number = float(literal)
    return number if math.isfinite(number) else _no_number(literal)


def _place(text: str, error: ValueError) -> int:
    return max(0, text.find(error.literal)) if isinstance(error, _NoNumber) else 0
