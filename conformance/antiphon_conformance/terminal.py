"""The outcome of a run on a terminal: the failing cases, a table by topic, and a verdict for each implementation.

Everything that comes from cases or adapters is printed as rich Text, never as markup, and was escaped before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from antiphon_conformance.adapters import AdapterFailure
from antiphon_conformance.case import Case
from antiphon_conformance.chunkings import Chunking
from antiphon_conformance.compare import Level
from antiphon_conformance.coverage import Coverage
from antiphon_conformance.difference import show_error, timed_lines
from antiphon_conformance.display import escape, print_line, show_value
from antiphon_conformance.report import Tally, tally, worst_lag
from antiphon_conformance.runner import AdapterResult, CaseResult, Step
from antiphon_conformance.trace import ending, expected_trace

LEGEND = " ✓ passed   ✗ failed   - lacks a feature   lag: worst delay in code points"
KIND_OF_FAULT = {Level.MESSAGE: "message or error", Level.EVENTS: "events", Level.PROMPT: "lag"}
SHOWN = 2000
"""Code points of a text that are shown of a case."""
_ERROR = re.compile(r"^[\s\w.:]*(error|exception)\b.*:|panicked at", re.IGNORECASE)
WIDEST = 1000
"""Columns that a table may need; it isn't squeezed to fit a narrow terminal."""


@contextmanager
def progress_bar(title: str, cases: int) -> Iterator[Step]:
    """A bar on standard error while cases run, if that is a terminal; gives the function that advances it."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(escape(title), total=cases)
        yield lambda: bar.advance(task)


def print_results(console: Console, results: Sequence[AdapterResult], level: Level) -> None:
    """The failing cases of each implementation; the table; the verdicts, which stay on the screen."""
    started = [result for result in results if result.hello]
    for result in started:
        _print_failures(console, result, level)
    if started:
        _print_whole(console, _table(started, level))
        console.print(Text(LEGEND, "dim"), end="\n\n")
    for result in results:
        print_line(console, _verdict(result, level))


def print_skipped(console: Console, adapter: str, failure: AdapterFailure) -> None:
    """Say that an implementation is left out, and why."""
    print_line(console, Text(f"{escape(adapter)} is skipped: it {_startup(failure.reason, failure.stderr)}", "yellow"))


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
    given = {"requires": sorted(case.requires), "tools": case.tools, "options": case.options}
    print_line(console, Text.assemble((case.full_id, "bold"), (f"  {' '.join(case.clauses)}", "cyan")))
    print_line(console, Text(escape(case.description)))
    if case.reason is not None:
        print_line(console, Text(f"Not required: {escape(case.reason)}"))
    print_line(console, Text("\ntemplate", "bold"))
    for line in json.dumps(case.template, indent=2, ensure_ascii=False).splitlines():
        print_line(console, Text(f"  {escape(line)}"))
    for name, value in [("prefix", case.prefix), *((name, value) for name, value in given.items() if value)]:
        print_line(console, Text.assemble((name, "bold"), f"  {show_value(value, SHOWN)}"))
    chunks = " | ".join(show_value(chunk, SHOWN) for chunk in chunking.chunks or ("",))
    print_line(console, Text.assemble(("text", "bold"), f"  {chunks}  ({chunking.name})"))
    print_line(console, Text("\nexpected, @ after so many code points of text", "bold"))
    for line in _expected(case):
        print_line(console, Text(f"  {line}"))


def _expected(case: Case) -> list[str]:
    """The expected events with their moments, and the outcome."""
    expect, error = case.expect, case.expect.error
    trace = expected_trace(expect.events or ())
    if error is None:
        outcome = "the template loads" if expect.loads else f"message {show_value(expect.message, SHOWN)}"
        return [*timed_lines(trace, case.end), outcome]
    details = {"pointer": error.pointer, "field": error.field, "position": error.position}
    told = [f"{name} {show_value(value)}" for name, value in details.items() if value is not None]
    return timed_lines([*trace, ending(" ".join([show_error(error), *told]), error.at)], case.end)


def print_matrix(console: Console, matrix: Sequence[Sequence[str]]) -> None:
    """A heading and rows of description (left out here), case and verdicts."""
    heading, *rows = matrix
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in heading[1:]:
        table.add_column(Text(escape(title)), no_wrap=True)
    for _, name, *verdicts in rows:
        styled = [Text(escape(verdict), "green" if verdict == "✓" else "red") for verdict in verdicts]
        table.add_row(Text(escape(name)), *styled)
    _print_whole(console, table)


def _print_whole(console: Console, table: Table) -> None:
    """A table with all of its columns, however narrow the terminal is."""
    narrow = console.width
    wanted = Measurement.get(console, console.options.update(max_width=WIDEST), table).maximum
    console.width = max(narrow, wanted)
    console.print(table)
    console.width = narrow


def _table(results: Sequence[AdapterResult], level: Level) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False)
    table.add_column("topic", "required cases", no_wrap=True)
    table.add_column("cases", str(len(results[0].required())), justify="right", no_wrap=True)
    for result in results:
        table.add_column(Text(escape(result.title)), _cell(result.required(), level), no_wrap=True)
    for topic in sorted({result.case.topic for result in results[0].cases if result.case.required}):
        chosen = [[case for case in result.required() if case.case.topic == topic] for result in results]
        table.add_row(Text(escape(topic)), str(len(chosen[0])), *(_cell(some, level) for some in chosen))
    optional = [[case for case in result.cases if not case.case.required] for result in results]
    if optional[0]:
        counts = [f"{tally(some, level).passed} of {len(some)} chosen" for some in optional]
        table.add_row("optional (not required)", str(len(optional[0])), *counts, style="dim")
    return table


def _cell(results: Sequence[CaseResult], level: Level) -> Text:
    counts: Tally = tally(results, level)
    lag = worst_lag(results)
    text = Text()
    for number, mark, style in (
        (counts.passed, "✓", "green"),
        (counts.failed, "✗", "bold red"),
        (counts.unsupported, "-", "yellow"),
    ):
        text.append(f"{number:>5} {mark}" if number else " " * 7, style)
    if lag is not None and lag.max:
        text.append(f"  lag {lag.max}", "magenta")
    return text


def _print_failures(console: Console, result: AdapterResult, level: Level) -> None:
    failing = [case for case in result.cases if case.case.required and not case.passes(level)]
    if not failing:
        return
    print_line(console, Text(f"{escape(result.title)} fails", "bold"))
    for case in failing:
        failure = case.failure(level)
        assert failure is not None
        clauses = (f"  {' '.join(case.case.clauses)}", "cyan")
        print_line(console, Text.assemble(("  ✗ ", "red"), (case.case.full_id, "bold"), clauses))
        where = f"  [{failure.chunking}; {failure.runs} of {case.runs} runs]" if case.runs > 1 else ""
        print_line(console, Text.assemble(f"    {failure.finding.reason}", (where, "dim")))
        for line in _last_words(failure.stderr):
            print_line(console, Text(f"    stderr: {line}", "dim"))
    console.print()


def _verdict(result: AdapterResult, level: Level) -> Text:
    required = result.required()
    counts = tally(required, level)
    if result.hello is None:
        failure = result.cases[0].failures[0]
        return Text(f"{escape(result.title)} {_startup(failure.finding.reason, failure.stderr)}", "bold red")
    judged = counts.passed + counts.failed
    lacking = f"; {counts.unsupported} not judged for what it lacks" if counts.unsupported else ""
    title = escape(result.title)
    if not judged:
        return Text(f"{title}: nothing to judge{lacking}", "yellow")
    conforms = result.conforms()
    if not counts.failed:
        return Text(f"{title}: conforms at level {conforms}: all {judged} required cases pass{lacking}", "bold green")
    failures = [found.level for case in required if (found := case.failure(level))]
    split = ", ".join(f"{failures.count(name)} by {KIND_OF_FAULT[name]}" for name in Level if name in failures)
    lower = f"; it conforms at level {conforms}" if conforms else ""
    text = f"{title}: does not conform at level {level}: {counts.failed} of {judged} required cases fail ({split})"
    return Text(f"{text}{lower}{lacking}", "bold red")


def _startup(reason: str, stderr: Sequence[str]) -> str:
    """Why an implementation didn't start, with its last words on standard error."""
    said = " / ".join(line.strip() for line in _last_words(stderr))
    return reason + (f"; it said: {said}" if said else "")


def _last_words(stderr: Sequence[str]) -> list[str]:
    """The last line that looks like an error (behind it often stands how it was reached), or else the last three."""
    said = [line for line in stderr if line.strip()]
    return [line for line in said if _ERROR.search(line)][-1:] or said[-3:]
