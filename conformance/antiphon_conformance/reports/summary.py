"""What runs came to, on a terminal: the failing cases, tables by topic, and a verdict for each implementation.

Everything that comes from cases or adapters is printed as rich Text, never as markup, and is escaped before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import broken, escape, title_lines
from antiphon_conformance.implementations.adapters import AdapterFailure
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.layout import MIN_WIDTH, WIDEST, print_line, print_table, table_width
from antiphon_conformance.reports.figures import NOT_STARTED, Column, Figures, topics
from antiphon_conformance.reports.verdicts import last_words, of_implementation, startup

LEGEND = (
    "passing at each level   lacks: not judged   lag: worst delay in code points\n optional, proposals: not required"
)
STYLES = {"good": "bold green", "bad": "bold red", "open": "yellow"}
"""By the tone of a verdict."""
LEAST_NAME = 24
"""Columns of the ids in a matrix, however narrow the terminal is."""
MOST_OF_PEER = 5
"""Failing cases of a peer that are shown, so that those of what is under test aren't lost among them."""
_LEVEL_WIDTHS = {Level.MESSAGE: 7, Level.EVENTS: 7, Level.PROMPT: 7}
_LACKS_WIDTH = 6


def print_results(console: Console, columns: Sequence[Column], level: Level) -> None:
    """The failing cases of each implementation, and below, where it stays on the screen, what they come to."""
    for column in columns:
        if not column.startup_failure:
            _print_failures(console, column, level)
    print_summary(console, columns, level)


def print_summary(console: Console, columns: Sequence[Column], level: Level) -> None:
    """Tables by topic, and a verdict for each implementation."""
    started = [column for column in columns if not column.startup_failure]
    if started:
        for table in _tables(started, level, console.width):
            print_table(console, table)
        print_line(console, Text(f" {LEGEND}\n", "dim"))
    if not columns:
        print_line(console, Text("no implementation was run", "yellow"))
    for column in columns:
        verdict = of_implementation(column, level)
        separator = " " if column.startup_failure else ": "
        _print_wrapped(console, Text(escape(column.title + separator + verdict.said), STYLES[verdict.tone]), 0)
        for detail in verdict.details:
            _print_wrapped(console, Text(escape(detail), "red" if detail == verdict.faults else ""), 2)


def print_skipped(console: Console, adapter: str, failure: AdapterFailure) -> None:
    """Say that an implementation is left out, and why."""
    why = f"{adapter} is skipped: it {startup(failure.reason, failure.stderr)}"
    print_line(console, Text(escape(why), "yellow"))


def print_matrix(console: Console, matrix: Sequence[Sequence[str]]) -> None:
    """A heading and rows of description (left out here), case and verdicts."""
    heading, *rows = matrix
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in heading[1:]:
        table.add_column(Text(title_lines(title)), no_wrap=True)
    for _, name, *verdicts in rows:
        table.add_row(Text(escape(name)), *(Text(escape(one), _style_of(one)) for one in verdicts))
    missing = table_width(table) - console.width
    if missing > 0:
        longest = max(len(escape(row[1])) for row in rows)
        table.columns[0].width = max(LEAST_NAME, longest - missing)
        table.columns[0].no_wrap, table.columns[0].overflow = False, "fold"
    print_table(console, table)


def _style_of(verdict: str) -> str:
    """That of a verdict on a case."""
    return {"✓": "green", "✗": "red"}.get(verdict[:1], "yellow")


def _tables(columns: Sequence[Column], level: Level, width: int) -> Iterator[Table]:
    """As many tables below each other as are needed for the width of the terminal."""
    chosen: list[Column] = []
    for column in columns:
        table = _table([*chosen, column], level)
        if chosen and table_width(table) > width:
            yield _table(chosen, level)
            chosen = []
        chosen.append(column)
    yield _table(chosen, level)


def _table(columns: Sequence[Column], level: Level) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False, padding=(0, 1, 0, 0))
    cells = [_Cells(column.figures, level) for column in columns]
    table.add_column("\ntopic", "required", no_wrap=True)
    size = max(len(column.required) for column in columns)
    table.add_column("\ncases", str(size), justify="right", no_wrap=True)
    for column, cell in zip(columns, cells, strict=True):
        heading = Text.assemble(f"{escape(column.title)}\n", (cell.heading(), "not bold dim"))
        table.add_column(heading, cell.of(column.figures), no_wrap=True)
    for topic in topics([column.required for column in columns]):
        shown = [cell.of(side) for cell, side in zip(cells, topic.sides, strict=True)]
        table.add_row(Text(escape(topic.name)), str(topic.size), *shown)
    for topic in topics([column.others for column in columns]):
        counts = [
            f"{side.tallies[level].passed} of {size} chosen"
            for side, size in zip(topic.sides, topic.sizes, strict=True)
        ]
        table.add_row(escape(topic.name), str(topic.size), *counts, style="dim")
    return table


class _Cells:
    """The cells of an implementation: as wide as its numbers need, and with those that it has."""

    def __init__(self, all_required: Figures, level: Level) -> None:
        self._level = level
        self._lacks = _LACKS_WIDTH if all_required.lacking else 0
        worst = all_required.worst_lag
        self._lag = max(len(" lag"), len(f" {worst}")) if worst else 0

    def heading(self) -> str:
        """What the numbers are."""
        names = "".join(f"{name.value:>{width}}" for name, width in _LEVEL_WIDTHS.items())
        return names + "lacks".rjust(self._lacks) * bool(self._lacks) + "lag".rjust(self._lag) * bool(self._lag)

    def of(self, found: Figures) -> Text:
        """The numbers of some cases."""
        text = Text()
        for name, width in _LEVEL_WIDTHS.items():
            counts = found.tallies[name]
            asked = name in self._level.included
            style = "green" if not counts.failed else "bold red" if asked else "yellow"
            text.append((str(counts.passed) if counts.judged else "").rjust(width), style)
        text.append(str(found.lacking or "").rjust(self._lacks), "yellow")
        return text.append(str(found.worst_lag or "").rjust(self._lag), "magenta")


def _print_wrapped(console: Console, line: Text, margin: int) -> None:
    """A line behind a margin; on a terminal broken at its width. Elsewhere lines are for searching, and stay whole."""
    width = max(console.width - margin - 2, MIN_WIDTH) if console.is_terminal else WIDEST
    for number, part in enumerate(broken(line.plain, width)):
        print_line(console, Text(" " * (margin + 2 * (number > 0)) + part, line.style))


def _print_failures(console: Console, column: Column, level: Level) -> None:
    failing = column.failing(level)
    unexpected = [(case, found) for case, found in failing if "expected_failure" not in case]
    if not failing:
        return
    print_line(console, Text(f"{escape(column.title)} fails", "bold"))
    expected = len(failing) - len(unexpected)
    if expected:
        print_line(console, Text(f"  {expected} cases as the baseline says, which aren't listed", "dim"))
    tried = [(case, found) for case, found in unexpected if found["chunking"] != NOT_STARTED]
    shown = tried[:MOST_OF_PEER] if column.implementation["peer"] else tried
    for case, found in shown:
        _print_failure(console, case, found)
    if len(shown) < len(tried):
        rest = f"  … and {len(tried) - len(shown):,} cases more, which a report lists (--report)"
        print_line(console, Text(rest, "dim"))
    _print_not_reached(console, [found for _, found in unexpected if found["chunking"] == NOT_STARTED])
    console.print()


def _print_failure(console: Console, case: Json, found: Json) -> None:
    clauses = (f"  {' '.join(case['clauses'])}", "cyan")
    print_line(console, Text.assemble(("  ✗ ", "red"), (escape(case["id"]), "bold"), clauses))
    where = f"  [{found['chunking']}; {found['runs']} of {case['runs']} runs]" if case["runs"] > 1 else ""
    print_line(console, Text.assemble(f"    {escape(found['reason'])}", (escape(where), "dim")))
    _print_stderr(console, found)


def _print_not_reached(console: Console, failures: Sequence[Json]) -> None:
    """The cases that couldn't be tried any more: one reason goes for all."""
    if failures:
        cases = "1 case" if len(failures) == 1 else f"{len(failures)} cases"
        print_line(console, Text.assemble(("  ✗ ", "red"), (f"{cases}, since it didn't start again", "bold")))
        print_line(console, Text(f"    {escape(failures[-1]['reason'])}"))
        _print_stderr(console, failures[-1])


def _print_stderr(console: Console, found: Json) -> None:
    for line in last_words(found.get("stderr", ())):
        print_line(console, Text(f"    stderr: {escape(line)}", "dim"))
