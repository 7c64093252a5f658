"""What is said to a driver, and what it answers: a line each way, as JSON or, where a language has none, plain.

JSON, UTF-8:

    {}                                                       →  {"version": "…"}
    {"pattern": …, "flags": …, "texts": […], "groups": […]}  →  {"results": […]}, or {"error": "…"} if it is refused

A result is null (no match), {"span": [0, 2], "groups": {"name": [1, 2], "other": null}} for the leftmost match from the
text's beginning, or {"failed": "…"} if the search gave up. Positions are code points.

Plain lines have fields between tabs, text is UTF-8 in hexadecimal digits:

    version                                                  →  version TAB hex
    search TAB hex TAB hex(flags) TAB name,name TAB hex,hex  →  results TAB 0,2;1,2;- TAB - TAB !hex, or error TAB hex
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Span: TypeAlias = tuple[int, int]


class Refused(Exception):
    """The engine doesn't take the pattern."""


class Garbage(Exception):
    """What the driver wrote is no answer."""


@dataclass(frozen=True)
class Match:
    """Where a pattern matched, and what its groups took; positions in code points."""

    span: Span
    groups: Mapping[str, Span | None]


@dataclass(frozen=True)
class Failed:
    """The search gave up: a stack, a limit of steps, a time limit."""

    message: str


Result: TypeAlias = Match | Failed | None


@dataclass(frozen=True)
class Request:
    """One pattern, with all texts that are to be searched for it."""

    pattern: str
    flags: str
    groups: tuple[str, ...]
    texts: tuple[str, ...]


class Wire(Protocol):
    """One way to write requests and to read answers."""

    hello: bytes

    def write(self, request: Request) -> bytes: ...

    def version(self, line: bytes) -> str:
        """Raises Garbage."""

    def read(self, line: bytes, request: Request) -> list[Result]:
        """Raises Refused, Garbage."""


class JsonLines:
    hello = b"{}"

    def write(self, request: Request) -> bytes:
        return json.dumps(
            {"pattern": request.pattern, "flags": request.flags, "texts": request.texts, "groups": request.groups}
        ).encode()

    def version(self, line: bytes) -> str:
        try:
            return str(json.loads(line)["version"])
        except (ValueError, TypeError, KeyError) as error:
            raise Garbage(repr(line)) from error

    def read(self, line: bytes, request: Request) -> list[Result]:
        try:
            answer = json.loads(line)
            if "error" in answer:
                raise Refused(answer["error"])
            return _complete([self._result(result) for result in answer["results"]], request)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise Garbage(repr(line[:200])) from error

    def _result(self, result: Any) -> Result:
        if result is None:
            return None
        if "failed" in result:
            return Failed(result["failed"])
        groups = dict(result["groups"] or {})  # PHP writes an empty object as a list
        return Match(_span(result["span"]), {name: span and _span(span) for name, span in groups.items()})


class PlainLines:
    hello = b"version"

    def write(self, request: Request) -> bytes:
        texts = ",".join(map(_hex, request.texts))
        fields = ("search", _hex(request.pattern), _hex(request.flags), ",".join(request.groups), texts)
        return "\t".join(fields).encode()

    def version(self, line: bytes) -> str:
        kind, _, rest = line.decode().partition("\t")
        if kind != "version":
            raise Garbage(repr(line))
        return _text(rest)

    def read(self, line: bytes, request: Request) -> list[Result]:
        try:
            kind, *fields = line.decode().split("\t")
            if kind == "error":
                raise Refused(_text(fields[0]))
            if kind != "results":
                raise ValueError(kind)
            return _complete([self._result(field, request.groups) for field in fields], request)
        except (ValueError, IndexError) as error:
            raise Garbage(repr(line[:200])) from error

    def _result(self, field: str, groups: Sequence[str]) -> Result:
        if field == "-":
            return None
        if field.startswith("!"):
            return Failed(_text(field[1:]))
        whole, *spans = [None if span == "-" else _span(span.split(",")) for span in field.split(";")]
        if whole is None:
            raise ValueError(field)
        return Match(whole, dict(zip(groups, spans, strict=True)))


def _complete(results: list[Result], request: Request) -> list[Result]:
    if len(results) != len(request.texts):
        raise ValueError(f"{len(results)} results for {len(request.texts)} texts")
    return results


def _span(pair: Sequence[Any]) -> Span:
    start, end = map(int, pair)
    return start, end


def _hex(text: str) -> str:
    return text.encode().hex()


def _text(digits: str) -> str:
    return bytes.fromhex(digits).decode()
