"""Cases, coverage, adapters and progress on a terminal. What runs came to is in reports/summary.py.

Everything that comes from cases or adapters is printed as rich Text, never as markup, and was escaped before.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.cases.coverage import Coverage
from antiphon_conformance.display import escape, show_value
from antiphon_conformance.implementations.known import Entry
from antiphon_conformance.implementations.scaffold import Written
from antiphon_conformance.judging.difference import show_outcome, timed_lines
from antiphon_conformance.judging.trace import ending, expected_trace
from antiphon_conformance.layout import print_line
from antiphon_conformance.runs.runner import Step

SHOWN = 2000
"""Code points of a text that are shown of a case."""


@contextmanager
def progress_bar(title: str, cases: int) -> Iterator[Step]:
    """A bar on standard error while cases run, if that is a terminal; gives the function that advances it."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(escape(title), total=cases)
        yield lambda: bar.advance(task)


def print_coverage(console: Console, found: Coverage, minimum: int, *, all_cases: bool) -> None:
    """Each clause with the number of its cases; all of their ids, or the first two."""
    for clause, cases in found.clauses.items():
        shown = cases if all_cases else cases[:2]
        rest = f" and {len(cases) - len(shown)} more" if len(cases) > len(shown) else ""
        style = "" if len(cases) >= minimum else "bold red"
        print_line(console, Text(f"{clause:<15}{len(cases):>5}  {', '.join(shown)}{rest}", style))
    thin = found.thin(minimum)
    for clause, cases in found.unknown.items():
        print_line(console, Text(f"{clause} isn't a clause of SPEC.md; named by {', '.join(cases)}", "bold red"))
    summary = f"{len(found.clauses)} clauses, {len(thin)} with fewer than {minimum} cases"
    print_line(console, Text(f"{summary}{': ' + ', '.join(thin) if thin else ''}", "red" if thin else "green"))


def print_case(console: Console, case: Case, chunking: Chunking) -> None:
    """A case as one can read it, its text cut by a chunking."""
    print_line(console, Text.assemble((case.full_id, "bold"), (f"  {' '.join(case.clauses)}", "cyan")))
    print_line(console, Text(escape(case.description)))
    if case.reason is not None:
        print_line(console, Text(f"Not required: {escape(case.reason)}"))
    print_given(console, case, chunking)
    print_line(console, Text("\nexpected, @ after so many code points of text", "bold"))
    for line in _expected(case):
        print_line(console, Text(f"  {line}"))


def print_given(console: Console, case: Case, chunking: Chunking) -> None:
    """What an implementation gets of a case, its text cut by a chunking."""
    given = {"requires": sorted(case.requires), "tools": case.tools, "options": case.options}
    print_line(console, Text("\ntemplate", "bold"))
    for line in json.dumps(case.template, indent=2, ensure_ascii=False).splitlines():
        print_line(console, Text(f"  {escape(line)}"))
    for name, value in [("prefix", case.prefix), *((name, value) for name, value in given.items() if value)]:
        print_line(console, Text.assemble((name, "bold"), f"  {show_value(value, SHOWN)}"))
    each = len(chunking.chunks) > 1 and chunking.name == "each"  # in pieces nobody could read it
    chunks = (case.text,) if each else chunking.chunks or ("",)
    shown = " | ".join(show_value(chunk, SHOWN) for chunk in chunks)
    cut = "each code point by itself" if each else chunking.name
    print_line(console, Text.assemble(("text", "bold"), f"  {shown}  ({cut})"))


def _expected(case: Case) -> list[str]:
    """The expected events with their moments, and the outcome."""
    expect = case.expect
    outcome = ending(show_outcome(expect.message, expect.error, SHOWN), expect.error.at if expect.error else None)
    return timed_lines([*expected_trace(expect.events or ()), outcome], case.end)


def print_entries(console: Console, entries: Sequence[Entry]) -> None:
    """The implementations that are known by name, and whether they can be used here."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("name", no_wrap=True)
    for heading in ("language", "where it comes from", "here"):
        table.add_column(heading)
    for entry in entries:
        table.add_row(*map(Text, (entry.name, entry.language, entry.source, entry.state)))
    console.print(table)
    console.print(Text("Anything else is a command that speaks the protocol, such as 'node adapter.mjs'."))


def print_written(console: Console, written: Written) -> None:
    """What a new adapter consists of, and what to do next."""
    for path in written.files:
        print_line(console, Text(str(written.folder / path)))
    print_line(console, Text("\nConnect your parser in the marked place. To build it and run the suite:\n"))
    for command in (f"cd {shlex.quote(str(written.folder))}", *written.commands):
        print_line(console, Text(f"  {command}"))
