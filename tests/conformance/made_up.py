"""Made-up cases, suites and adapters for the tests of the kit."""

from __future__ import annotations

import json
import math
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import ProcessAdapter
from antiphon_conformance.implementations.protocol import Result

FAKE = Path(__file__).parent / "fake_adapter.py"
TEMPLATE = {"start_anchor": "<bot>", "fields": {"think": {"open": "<t>", "close": "</t>"}, "content": {}}}


BAD: dict[str, Any] = {
    "message": {"content": "bad"},
    "events": [
        {"type": "region_open", "field": "content", "at": 1},
        {"type": "region_chunk", "field": "content", "text": "bad", "dirty": False, "at": [1, 3]},
        {"type": "region_close", "field": "content", "value": "bad", "at": "end"},
    ],
}
"""What is expected of the text `bad`, which makes a fake adapter misbehave."""


def case_source(**members: Any) -> dict[str, Any]:
    """A case as it stands in a file, unless told otherwise with the text `hi` and its expectation."""
    source = {"id": "a-case", "description": "d", "clauses": ["REGION-1"], "text": "hi", **members}
    source.setdefault("expect", {"message": {"content": "hi"}, "events": timed_hi()})
    return source


def timed_hi() -> list[dict[str, Any]]:
    """The events of the text `hi` where nothing has to be held."""
    return [opened("content", 1), chunk("content", "hi", [1, 2]), closed("content", "hi", "end")]


def opened(field: str, at: Any = None) -> dict[str, Any]:
    return _at({"type": "region_open", "field": field}, at)


def chunk(field: str, text: str, at: Any = None) -> dict[str, Any]:
    return _at({"type": "region_chunk", "field": field, "text": text, "dirty": False}, at)


def closed(field: str, value: Any, at: Any = None) -> dict[str, Any]:
    return _at({"type": "region_close", "field": field, "value": value}, at)


def _at(event: dict[str, Any], at: Any) -> dict[str, Any]:
    return event if at is None else {**event, "at": at}


def write_suite(folder: Path, *cases: dict[str, Any], name: str = "topic/file") -> Path:
    """A suite with one file of cases."""
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"description": "d", "template": TEMPLATE, "cases": list(cases)}), "utf-8")
    return folder


def make_case(folder: Path, **members: Any) -> Case:
    """A loaded case."""
    return load_suite(write_suite(folder, case_source(**members)))[0]


def cut(*chunks: str) -> Chunking:
    return Chunking("made up", chunks)


def result(
    initial: Sequence[Any] = (), feeds: Sequence[Sequence[Any]] = (), final: Sequence[Any] = (), **outcome: Any
) -> Result:
    """A result; `message` unless told otherwise that of the text `hi`."""
    return Result(tuple(initial), tuple(map(tuple, feeds)), tuple(final), **(outcome or {"message": {"content": "hi"}}))


def fake_command(mode: str, file: Path | None = None) -> str:
    """The command line of an adapter that behaves in a certain way."""
    return shlex.join([sys.executable, str(FAKE), mode, *([str(file)] if file else [])])


def fake(mode: str, *, seconds: float = 5.0, case_seconds: float = math.inf, startup: float = 10.0) -> ProcessAdapter:
    """An adapter that behaves in a certain way; without limits that the test is about, they are generous."""
    command = (sys.executable, str(FAKE), mode)
    return ProcessAdapter(mode, command, seconds=seconds, case_seconds=case_seconds, startup=startup)
