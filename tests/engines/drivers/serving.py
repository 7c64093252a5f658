"""The loop of a driver that is written in Python: lines of JSON as in ../protocol.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Span: TypeAlias = tuple[int, int]
Search: TypeAlias = Callable[[str], "tuple[Span, dict[str, Span | None]] | None"]
Compile: TypeAlias = Callable[[str, str, list[str]], Search]


def serve(version: str, compiler: Compile) -> None:
    """Answer requests until the input ends. `compiler` takes pattern, flags and the groups to report."""
    for line in sys.stdin.buffer:
        print(json.dumps(_answer(json.loads(line), version, compiler)), flush=True)


def in_code_points(text: str, span: Span) -> Span:
    """A span that was counted in units of UTF-16; -1 stands for a place within a surrogate pair."""
    start, end = (_code_points(text.encode("utf-16-le")[: 2 * unit]) for unit in span)
    return start, end


def _code_points(units: bytes) -> int:
    try:
        return len(units.decode("utf-16-le"))
    except UnicodeDecodeError:
        return -1


def spans(match: Any, groups: Mapping[str, str | int]) -> tuple[Span, dict[str, Span | None]]:
    """The spans of a match with the interface of `re`. `groups` has what its `span` takes for each group."""
    named = {name: match.span(group) for name, group in groups.items()}
    return match.span(), {name: None if span == (-1, -1) else span for name, span in named.items()}


def _answer(request: Any, version: str, compiler: Compile) -> dict[str, Any]:
    if "pattern" not in request:
        return {"version": version}
    try:
        search = compiler(request["pattern"], request["flags"], request["groups"])
    except Exception as error:  # each engine has classes of its own
        return {"error": str(error)[:300]}
    return {"results": [_result(search, text) for text in request["texts"]]}


def _result(search: Search, text: str) -> dict[str, Any] | None:
    try:
        found = search(text)
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}
    return found and {"span": found[0], "groups": found[1]}
