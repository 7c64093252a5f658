"""The outcome of a run on a terminal: the failing cases, a table by topic, and a verdict for each implementation.

Everything that comes from cases or adapters is printed as rich Text, never as markup, and was escaped before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from antiphon_conformance.adapters import AdapterFailure
from antiphon_conformance.compare import Level
from antiphon_conformance.coverage import Coverage
from antiphon_conformance.display import escape
from antiphon_conformance.report import Tally, tally, worst_lag
from antiphon_conformance.runner import AdapterResult, CaseResult
from antiphon_conformance.runner import Progress as Step

LEGEND = " ✓ passed   ✗ failed   - lacks a feature   lag: worst delay in code points"
KIND_OF_FAULT = {Level.MESSAGE: "message or error", Level.EVENTS: "events", Level.PROMPT: "lag"}
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
        console.print(_verdict(result, level), soft_wrap=True)


def print_skipped(console: Console, adapter: str, failure: AdapterFailure) -> None:
    """Say that an implementation is left out, and why."""
    console.print(
        Text(f"{escape(adapter)} is skipped: it {_startup(failure.reason, failure.stderr)}", "yellow"), soft_wrap=True
    )


def print_coverage(console: Console, found: Coverage, minimum: int, *, all_cases: bool) -> None:
    """Each clause with the number of its cases; all of their ids, or the first two."""
    for clause, cases in found.clauses.items():
        shown = cases if all_cases else cases[:2]
        rest = f" and {len(cases) - len(shown)} more" if len(cases) > len(shown) else ""
        style = "" if len(cases) >= minimum else "bold red"
        console.print(Text(f"{clause:<15}{len(cases):>5}  {', '.join(shown)}{rest}", style), soft_wrap=True)
    thin = found.thin(minimum)
    for clause, cases in found.unknown.items():
        console.print(
            Text(f"{clause} isn't a clause of SPEC.md; named by {', '.join(cases)}", "bold red"), soft_wrap=True
        )
    summary = f"{len(found.clauses)} clauses, {len(thin)} with fewer than {minimum} cases"
    console.print(
        Text(f"{summary}{': ' + ', '.join(thin) if thin else ''}", "red" if thin else "green"), soft_wrap=True
    )


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
        agreeing = [f"agrees with {tally(some, level).passed}" for some in optional]
        table.add_row("optional", str(len(optional[0])), *agreeing, style="dim")
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
    console.print(Text(f"{escape(result.title)} fails", "bold"), soft_wrap=True)
    for case in failing:
        failure = case.failure(level)
        assert failure is not None
        console.print(
            Text.assemble(("  ✗ ", "red"), (case.case.full_id, "bold"), (f"  {' '.join(case.case.clauses)}", "cyan")),
            soft_wrap=True,
        )
        where = f"  [{failure.chunking}; {failure.runs} of {case.runs} runs]" if case.runs > 1 else ""
        console.print(Text.assemble(f"    {failure.finding.reason}", (where, "dim")), soft_wrap=True)
        for line in failure.stderr[-3:]:
            console.print(Text(f"    stderr: {line}", "dim"), soft_wrap=True)
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
    """Why an implementation didn't start, with the last line that it wrote to standard error."""
    said = [line for line in stderr if line.strip()]
    return reason + (f"; it said: {said[-1]}" if said else "")
