"""What `conformance explain` does: a case, what an implementation does with it in one chunking, and what that means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.text import Text

from antiphon_conformance import inputs, terminal
from antiphon_conformance.cases import specification
from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.cases.chunkings import Chunking, chunkings, named
from antiphon_conformance.cases.notes import Note, load_notes
from antiphon_conformance.cases.showing import find_case
from antiphon_conformance.display import escape
from antiphon_conformance.implementations.adapters import RUN_SECONDS, Adapter, AdapterFailure, StartupFailed
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.implementations.protocol import run_requests
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level, Run, compare
from antiphon_conformance.layout import print_line, print_rows
from antiphon_conformance.reports import timeline
from antiphon_conformance.reports.document import Settings, document
from antiphon_conformance.reports.figures import Column, columns, failure
from antiphon_conformance.reports.side_by_side import print_timeline
from antiphon_conformance.reports.verdicts import of_case, startup
from antiphon_conformance.runs.runner import run_adapter

ROWS = 200
"""Rows of a timeline that are shown."""


@dataclass(frozen=True)
class Wish:
    """What to explain: a case of the suite in a folder (None: the kit's own), cut by the chunking of that name.

    Without a name it is the first in which the case fails, or else in one piece. `timeout`: seconds of a run.
    """

    case: str
    chunking: str | None = None
    suite: Path | None = None
    timeout: float = RUN_SECONDS


@dataclass(frozen=True)
class Explanation:
    """What an implementation does with a case in one chunking. `found`: the case as a report has it.

    `reasons`: what is wrong, by level, lowest first. `rows`: of the timeline; empty where there is none.
    """

    title: str
    found: Json
    chunking: str
    reasons: Sequence[str]
    rows: Sequence[Json]
    stderr: Sequence[str]


def explain(wish: Wish, adapters: Sequence[str], console: Console) -> None:
    """Run a case against implementations, and print what each does with it. Raises BadInput."""
    case, _ = find_case(wish.suite, wish.case, wish.chunking)
    _print(console, wish, case, [_live(case, wish, name) for name in adapters])


def explain_adapter(case: Case, wish: Wish, adapter: Adapter, console: Console, *, seed: int = 0) -> None:
    """Run a case against an implementation that is at hand, and print what it does with it. Raises StartupFailed."""
    _print(console, wish, case, [_tried(case, wish, adapter, seed)])


def explain_report(wish: Wish, report: Path, console: Console) -> None:
    """Print what a report holds of a case, for each of its implementations. Raises BadInput."""
    case, _ = find_case(wish.suite, wish.case, wish.chunking)
    held = [
        (column, found)
        for column in columns([inputs.read_report(report)])
        for found in column.cases
        if found["id"] == wish.case
    ]
    if not held:
        raise BadInput(str(report), f"has no case {wish.case}; run it by --adapter")
    _print(console, wish, case, [_held(column, found, wish) for column, found in held])


def _live(case: Case, wish: Wish, name: str) -> Explanation:
    try:
        return _tried(case, wish, make_adapter(name, seconds=wish.timeout), seed=0)
    except StartupFailed as failed:
        raise BadInput(f"--adapter {name}", startup(failed.reason, failed.stderr)) from None


def _tried(case: Case, wish: Wish, adapter: Adapter, seed: int) -> Explanation:
    """Raises StartupFailed."""
    hello = adapter.hello()
    (column,) = columns([document([case], [run_adapter(adapter, [case], seed=seed)], Settings(Level.PROMPT))])
    found = column.cases[0]
    first = failure(found, Level.PROMPT)
    wished = wish.chunking or (first["chunking"] if first else "whole")
    chunking = named(case, wished) or chunkings(case)[0]  # it may have failed before any run
    if "lacks" in found:
        return Explanation(column.title, found, chunking.name, [], [], [])
    (request,) = run_requests(case, [chunking], hello.dialect, count(1))
    try:
        return _ran(case, chunking, adapter, request, column)
    finally:
        adapter.close()


def _ran(case: Case, chunking: Chunking, adapter: Adapter, request: Json, column: Column) -> Explanation:
    found = column.cases[0]
    try:
        result = adapter.run(request)
    except AdapterFailure as failed:
        rows = timeline.timeline(Run(case, chunking, None))
        reasons, stderr = [failed.reason], failed.stderr
    else:
        rows = timeline.timeline(Run(case, chunking, result))
        reasons = [finding.reason for finding in compare(case, chunking, result).findings]
        stderr = adapter.stderr
    shown = timeline.as_json(timeline.folded(rows, ROWS))
    return Explanation(column.title, found, chunking.name, reasons, shown, stderr)


def _held(column: Column, found: Json, wish: Wish) -> Explanation:
    """What a report has of a case: its failures, of the chunking that was wished for or else the first."""
    chosen = [one for one in found["failures"] if wish.chunking in (None, one["chunking"])]
    if wish.chunking is not None and not chosen:
        kept = ", ".join(dict.fromkeys(one["chunking"] for one in found["failures"])) or "none"
        raise BadInput(f"--chunking {wish.chunking}", f"the report has other chunkings of this case: {kept}")
    same = [one for one in chosen if one["chunking"] == chosen[0]["chunking"]]
    rows: Sequence[Json] = next((one["timeline"] for one in same if "timeline" in one), [])
    stderr: Sequence[str] = next((one["stderr"] for one in same if "stderr" in one), [])
    chunking = same[0]["chunking"] if same else "whole"
    return Explanation(column.title, found, chunking, [one["reason"] for one in same], rows, stderr)


def _print(console: Console, wish: Wish, case: Case, explanations: Sequence[Explanation]) -> None:
    print_line(console, Text(case.full_id, "bold"))
    print_rows(console, _about(case, load_notes(wish.suite)))
    for explanation in explanations:
        _print_explanation(console, case, explanation)


def _about(case: Case, notes: Mapping[str, Note]) -> Iterator[tuple[str, str]]:
    """What is tried, and what a failure means to users."""
    yield "tries", case.description
    for number, name in enumerate(case.notes):
        note = notes.get(name)
        yield "a failure" if number == 0 else "", f"{note.title}. {note.effect}" if note else name
    if case.reason is not None:
        yield "optional", case.reason
    if case.source is not None:
        yield "source", case.source


def _print_explanation(console: Console, case: Case, told: Explanation) -> None:
    print_line(console, Text(f"\n{escape(told.title)}", "bold"))
    print_rows(console, _verdict(told), {"right": "green", "wrong": "red"})
    chunking = named(case, told.chunking) or chunkings(case)[0]
    terminal.print_given(console, case, chunking)
    if told.rows:
        console.print()
        print_timeline(console, told.rows, told.title)
    for line in told.stderr:
        print_line(console, Text(f"stderr: {line}", "dim"))


def _verdict(told: Explanation) -> Iterator[tuple[str, str]]:
    """What is right or wrong, by which clauses, and what that means to users."""
    found = told.found
    first = failure(found, Level.PROMPT)
    if "lacks" in found:
        yield "unjudged", of_case(found, Level.PROMPT)
        return
    if first is None:
        yield "right", _all_right(found)
        return
    for reason in told.reasons:
        yield "wrong", reason
    if not told.reasons:
        yield "right", f"nothing is wrong in the chunking {told.chunking}; there is in others"
    several = f"in {first['runs']} of {found['runs']} runs, the first of which is {first['chunking']}"
    yield "", several if found["runs"] > 1 else f"in the chunking {first['chunking']}"
    if specification.depends_on_chunks(first["reason"], first["chunking"]):
        yield "", "in one piece it is right: the result depends on the chunks"
    texts = specification.clauses()
    for name in specification.concerned(found["clauses"], first["reason"], first["chunking"]):
        yield name, texts.get(name, "")


def _all_right(found: Json) -> str:
    runs = "its one run" if found["runs"] == 1 else f"all {found['runs']} runs"
    lag = found["lag"]["max"] if found["lag"] else 0
    late = f"; up to {lag} code points late, which is allowed here (DUE-4)" if lag else ""
    return f"in {runs}{late}"
