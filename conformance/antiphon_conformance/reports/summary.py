"""What runs came to, on a terminal: the failing cases, tables by topic, and a verdict for each implementation.

Everything that comes from cases or adapters is printed as rich Text, never as markup, and is escaped before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import MIN_WIDTH, broken, escape, print_line
from antiphon_conformance.implementations.adapters import AdapterFailure
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.figures import Column, Tally, by_topic, failure, lag_figures, tally

LEGEND = (
    "passing at each level   lacks: not judged   lag: worst delay in code points\n optional, proposals: not required"
)
KIND_OF_FAULT = {Level.MESSAGE: "message or error", Level.EVENTS: "events", Level.PROMPT: "lag"}
_ERROR = re.compile(r"^[\s\w.:]*(error|exception)\b.*:|panicked at", re.IGNORECASE)
WIDEST = 1000
"""Columns that a table may need; it isn't squeezed to fit a narrow terminal."""
_LEVEL_WIDTHS = {Level.MESSAGE: 7, Level.EVENTS: 7, Level.PROMPT: 7}
_LACKS_WIDTH = 6


def print_results(console: Console, columns: Sequence[Column], level: Level) -> None:
    """The failing cases of each implementation, and below, where it stays on the screen, what they come to."""
    for column in columns:
        if column.started:
            _print_failures(console, column, level)
    print_summary(console, columns, level)


def print_summary(console: Console, columns: Sequence[Column], level: Level) -> None:
    """Tables by topic, and a verdict for each implementation."""
    started = [column for column in columns if column.started]
    if started:
        for table in _tables(started, level, console.width):
            _print_whole(console, table)
        print_line(console, Text(f" {LEGEND}\n", "dim"))
    for column in columns:
        for number, line in enumerate(_verdict(column, level)):
            _print_wrapped(console, line, 2 if number else 0)


def print_skipped(console: Console, adapter: str, failure: AdapterFailure) -> None:
    """Say that an implementation is left out, and why."""
    print_line(console, Text(f"{escape(adapter)} is skipped: it {_startup(failure.reason, failure.stderr)}", "yellow"))


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


def _tables(columns: Sequence[Column], level: Level, width: int) -> Iterator[Table]:
    """As many tables below each other as are needed for the width of the terminal."""
    chosen: list[Column] = []
    for column in columns:
        table = _table([*chosen, column], level)
        if chosen and _width(table) > width:
            yield _table(chosen, level)
            chosen = []
        chosen.append(column)
    yield _table(chosen, level)


def _width(table: Table) -> int:
    console = Console(width=WIDEST)
    return Measurement.get(console, console.options, table).maximum


def _table(columns: Sequence[Column], level: Level) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False, padding=(0, 1, 0, 0))
    required = [column.required for column in columns]
    cells = [_Cells(cases, level) for cases in required]
    table.add_column("\ntopic", "required", no_wrap=True)
    table.add_column("\ncases", str(max(map(len, required))), justify="right", no_wrap=True)
    for column, cell in zip(columns, cells, strict=True):
        heading = Text.assemble(f"{escape(column.title)}\n", (cell.heading(), "not bold dim"))
        table.add_column(heading, cell.of(column.required), no_wrap=True)
    for name, sides in _by_topic(required):
        shown = [cell.of(side) for cell, side in zip(cells, sides, strict=True)]
        table.add_row(Text(escape(name)), str(max(map(len, sides))), *shown)
    others = [[case for case in column.cases if not case["required"]] for column in columns]
    for name, sides in _by_topic(others):
        counts = [f"{tally(side, level).passed} of {len(side)} chosen" for side in sides]
        table.add_row(escape(name), str(max(map(len, sides))), *counts, style="dim")
    return table


class _Cells:
    """The cells of an implementation: as wide as its numbers need, and with those that it has."""

    def __init__(self, cases: Sequence[Json], level: Level) -> None:
        lag = lag_figures(cases)
        self._level = level
        self._lacks = _LACKS_WIDTH if any("lacks" in case for case in cases) else 0
        self._lag = max(len(" lag"), len(f" {lag.max}")) if lag and lag.max else 0

    def heading(self) -> str:
        """What the numbers are."""
        names = "".join(f"{name.value:>{width}}" for name, width in _LEVEL_WIDTHS.items())
        return names + "lacks".rjust(self._lacks) * bool(self._lacks) + "lag".rjust(self._lag) * bool(self._lag)

    def of(self, cases: Sequence[Json]) -> Text:
        """The numbers of some cases."""
        text = Text()
        for name, width in _LEVEL_WIDTHS.items():
            counts = tally(cases, name)
            asked = list(Level).index(name) <= list(Level).index(self._level)
            style = "green" if not counts.failed else "bold red" if asked else "yellow"
            text.append((str(counts.passed) if counts.judged else "").rjust(width), style)
        lacking, lag = tally(cases, self._level).unsupported, lag_figures(cases)
        text.append((str(lacking) if lacking else "").rjust(self._lacks), "yellow")
        return text.append((str(lag.max) if lag and lag.max else "").rjust(self._lag), "magenta")


def _by_topic(columns: Sequence[Sequence[Json]]) -> Iterator[tuple[str, list[list[Json]]]]:
    """For each topic of any implementation the cases of all."""
    topics = [by_topic(cases) for cases in columns]
    for name in sorted({name for found in topics for name in found}):
        yield name, [found.get(name, []) for found in topics]


def _print_wrapped(console: Console, line: Text, margin: int) -> None:
    """A line behind a margin; on a terminal broken at its width. Elsewhere lines are for searching, and stay whole."""
    width = max(console.width - margin - 2, MIN_WIDTH) if console.is_terminal else WIDEST
    for number, part in enumerate(broken(line.plain, width)):
        print_line(console, Text(" " * (margin + 2 * (number > 0)) + part, line.style))


def _print_failures(console: Console, column: Column, level: Level) -> None:
    failing = [(case, found) for case in column.required if (found := failure(case, level))]
    unexpected = [(case, found) for case, found in failing if "expected_failure" not in case]
    if not failing:
        return
    expected = len(failing) - len(unexpected)
    print_line(console, Text(f"{escape(column.title)} fails", "bold"))
    if expected:
        print_line(console, Text(f"  {expected} cases as the baseline says, which aren't listed", "dim"))
    for case, found in unexpected:
        clauses = (f"  {' '.join(case['clauses'])}", "cyan")
        print_line(console, Text.assemble(("  ✗ ", "red"), (escape(case["id"]), "bold"), clauses))
        where = f"  [{found['chunking']}; {found['runs']} of {case['runs']} runs]" if case["runs"] > 1 else ""
        print_line(console, Text.assemble(f"    {escape(found['reason'])}", (escape(where), "dim")))
        for line in last_words(found.get("stderr", ())):
            print_line(console, Text(f"    stderr: {escape(line)}", "dim"))
    console.print()


def _verdict(column: Column, level: Level) -> Iterator[Text]:
    """What is to be said of an implementation, in a line or more."""
    title, counts = escape(column.title), tally(column.required, level)
    if not column.started:
        found = column.cases[0]["failures"][0]
        yield Text(f"{title} {_startup(found['reason'], found.get('stderr', ()))}", "bold red")
        return
    if counts.failed:
        fails = f"does not conform at level {level}: {counts.failed} of {counts.judged} required cases fail"
        yield Text(f"{title}: {fails}", "bold red")
        lower = f"; it conforms at level {column.conforms}" if column.conforms else ""
        yield Text(_split(column, level) + lower, "red")
    elif column.conforms:
        said = f"conforms at level {column.conforms}: all {counts.judged} required cases pass"
        yield Text(f"{title}: {said}", "bold green")
    else:
        said = f"all {counts.judged} required cases that were run pass" if counts.judged else "nothing to judge"
        yield Text(f"{title}: {said}", "yellow")
    yield from map(Text, _details(column, counts))


def _details(column: Column, counts: Tally) -> Iterator[str]:
    """What else there is to know."""
    if column.missing:
        yield f"{column.missing} cases weren't run"
    if counts.unsupported:
        yield f"{counts.unsupported} not judged for what it lacks"
    flaky = sum("flaky" in case for case in column.cases)
    if flaky:
        yield f"{flaky} flaky: they differ when they are run again"
    lag = lag_figures(column.required)
    if lag and lag.worst:
        figures = f"median {lag.median}, 95th percentile {lag.p95}, worst {lag.max} code points"
        yield f"lag of a case: {figures} ({escape(lag.worst)})"


def _split(column: Column, level: Level) -> str:
    """How many cases fail by what."""
    levels = [found["level"] for case in column.required if (found := failure(case, level))]
    return ", ".join(f"{levels.count(name)} by {KIND_OF_FAULT[name]}" for name in Level if name.value in levels)


def _startup(reason: str, stderr: Sequence[str]) -> str:
    """Why an implementation didn't start, with its last words on standard error."""
    said = " / ".join(line.strip() for line in last_words(stderr))
    return escape(reason) + (f"; it said: {escape(said)}" if said else "")


def last_words(stderr: Sequence[str]) -> list[str]:
    """The last line that looks like an error (behind it often stands how it was reached), or else the last three."""
    said = [line for line in stderr if line.strip()]
    return [line for line in said if _ERROR.search(line)][-1:] or said[-3:]
