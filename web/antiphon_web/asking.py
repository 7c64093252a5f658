"""What the calls are asked with: members of a request, JSON as people write it in editors, and refusals in words.

Nothing here knows what a call does. Whatever is wrong with a request is a `Refused`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

Json: TypeAlias = Any
Request: TypeAlias = Mapping[str, Any]

T = TypeVar("T")

DEEPEST: Final = 1_000
"""Levels of lists and objects that are read: in a browser some thousands of them overflow the stack, and end it all."""
_TYPES: Final[Mapping[type, str]] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
_STRING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_NO_BRACKETS: Final = re.compile(r"[^][{}]+")
_DEEPER: Final[Mapping[str, int]] = {"[": 1, "{": 1, "]": -1, "}": -1}


class Refused(Exception):
    """What the caller can mend; `failure` tells it, as `Failure` of api.ts."""

    def __init__(self, stage: str, kind: str, message: str, **place: str | int) -> None:
        super().__init__(message)
        self.failure: dict[str, Json] = {"stage": stage, "kind": kind, "message": message, **place}


class JsonFault(Exception):
    """A text that can't be read as JSON: what is wrong with it, at which code point, and what to do."""

    def __init__(self, text: str, problem: str, position: int = 0, remedy: str = "correct the JSON there") -> None:
        super().__init__(f"{problem}; {remedy}")
        self.problem = problem
        self.position = position
        self.remedy = remedy
        line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
        self.place = f"line {line} column {column}"


def unsound(message: str) -> Refused:
    """What is wrong with a request itself: a mistake of the program that calls."""
    return Refused("state", "request", message)


def member(request: Request, name: str, type_: type[T]) -> T:
    """A member that a request must have. Raises Refused."""
    value = request.get(name)
    if type(value) is not type_:
        raise unsound(f"the request's member {name} isn't {_TYPES[type_]}")
    return value


def optional(request: Request, name: str, type_: type[T]) -> T | None:
    """A member that may be left out, or null. Raises Refused."""
    return None if request.get(name) is None else member(request, name, type_)


def limited(request: Request, name: str, most: int) -> str:
    """A text of at most so many code points. Raises Refused."""
    found = member(request, name, str)
    if len(found) > most:
        message = f"the {name} has {len(found):,} code points, and may have {most:,}; take some out"
        raise Refused("state", "too-long", message)
    return found


def choice(request: Request, name: str, known: tuple[str, ...], default: str | None = None) -> str:
    """A member that has one of these values; the default, if there is one, where it isn't there. Raises Refused."""
    value = request.get(name, default)
    if value not in known:
        raise unsound(f"the request's member {name} is none of {', '.join(known)}")
    return str(value)


def texts(request: Request, name: str) -> list[str]:
    """A list of texts; an empty one where it isn't there. Raises Refused."""
    value = request.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise unsound(f"the request's member {name} isn't a list of texts")
    return value


def special_tokens(request: Request) -> Mapping[str, str]:
    """The tokens of a chat template by their names; none where the member isn't there. Raises Refused."""
    found = optional(request, "special_tokens", dict) or {}
    if not all(isinstance(value, str) for value in found.values()):
        raise unsound("the request's member special_tokens has values that aren't texts")
    return found


def amount(request: Request, name: str, most: float = math.inf) -> float:
    """A number from 0 on; what is more than `most` counts as that. Raises Refused."""
    value = request.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise unsound(f"the request's member {name} isn't a number from 0 on")
    return min(value, most)


def read_json(text: str) -> Json:
    """A JSON text, as RFC 8259 has it. Raises JsonFault."""
    if is_too_deep(text):
        raise _too_deep(text)
    if not text.strip():
        raise JsonFault(text, "is empty", remedy="write the JSON")
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise JsonFault(text, f"isn't JSON: {error.msg[:1].lower()}{error.msg[1:]}", error.pos) from None
    except RecursionError:  # most of the stack is in use
        raise _too_deep(text) from None
    except _NoNumber as error:
        place = max(0, text.find(error.literal))
        raise JsonFault(text, f"holds {error}, a number that can't be had", place, "write another") from None
    except ValueError:  # Python reads whole numbers up to a length
        raise JsonFault(text, "holds a whole number of too many digits", remedy="write a shorter one") from None


def read_file(source: str, name: str) -> Json:
    """The same of a file that somebody opens. Raises Refused."""
    try:
        return read_json(source)
    except JsonFault as fault:
        remedy = "save it without a byte order mark" if source.startswith("\ufeff") else fault.remedy
        message = f"{name}: {fault.place}: {fault.problem}; {remedy}"
        raise Refused("load", "input", message, position=fault.position) from None


def read_editor(text: str, what: str) -> Json:
    """The same of an editor's text, `what` for instance "template". Raises Refused."""
    try:
        return read_json(text)
    except JsonFault as fault:
        message = f"the {what} {fault.problem} at {fault.place}; {fault.remedy}"
        raise Refused("load", "json", message, position=fault.position) from None


def is_too_deep(text: str) -> bool:
    """Whether a text has more than DEEPEST levels of brackets, in time that grows with its length alone."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    brackets = _NO_BRACKETS.sub("", _STRING.sub("", text))
    return max(accumulate(map(_DEEPER.__getitem__, brackets)), default=0) > DEEPEST


def _too_deep(text: str) -> JsonFault:
    return JsonFault(text, "is nested too deeply to be read", remedy="take levels out")


class _NoNumber(ValueError):
    """A number that JSON, or a computer, doesn't have."""

    def __init__(self, literal: str) -> None:
        super().__init__(literal if len(literal) <= 20 else literal[:20] + "…")
        self.literal = literal


def _no_number(literal: str) -> NoReturn:
    raise _NoNumber(literal)


def _finite(literal: str) -> float:
    number = float(literal)
    return number if math.isfinite(number) else _no_number(literal)
