"""What `conformance trend` does: run implementations one after another, or read reports, and show what changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from antiphon_conformance import inputs, terminal
from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.cases.selection import select
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.display import escape, title_lines
from antiphon_conformance.implementations.adapters import Adapter, StartupFailed
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.layout import print_line, print_table
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports import files, page, plot
from antiphon_conformance.reports.figures import columns
from antiphon_conformance.reports.trend import document, labels
from antiphon_conformance.reports.verdicts import startup
from antiphon_conformance.runs.runner import run_adapter

LISTED = 10
"""Cases of a change that are listed on a terminal."""
_RELEASES = re.compile(r"([A-Za-z][\w.-]*==)([^,\s]+(?:,[^,\s]+)+)")


def _json(trend: Json) -> str:
    return json.dumps(trend, indent=1) + "\n"


FORMS: files.Forms[Json] = {".svg": plot.write, ".html": page.write_trend, ".json": _json}


@dataclass(frozen=True)
class Wish:
    """What to show: adapters by name or command, `name==1.0,1.1` for several, or files of reports, in their order."""

    names: Sequence[str]
    settings: report.Settings
    suite: Path | None = None
    to: Sequence[Path] = ()


def trend(wish: Wish, console: Console) -> None:
    """Write the trend to files in the form of their suffixes, and print it. Raises BadInput."""
    files.prepare("--to", wish.to, FORMS)
    reports = list(_reports(wish))
    if sum(len(one["implementations"]) for one in reports) < 2:
        raise BadInput("NAME", "a trend needs two implementations at least; name more, or give versions: name==1.0,1.1")
    found = document(columns(reports), wish.settings.level)
    files.write_as(FORMS, "--to", wish.to, found)
    _print(console, found)


def expanded(names: Sequence[str]) -> list[str]:
    """The names, with `name==1.0,1.1` as `name==1.0` and `name==1.1`."""
    found: list[str] = []
    for name in names:
        several = _RELEASES.fullmatch(name)
        found += [several[1] + version for version in several[2].split(",")] if several else [name]
    return found


def _reports(wish: Wish) -> Iterator[Json]:
    """A report for each name. That nothing is wrong with the names is found out before the first run."""
    cases: list[Case] = []
    names = expanded(wish.names)
    adapters = {name: _adapter(name, wish.settings) for name in names if not _is_report(name)}
    for name in names:
        if _is_report(name):
            yield inputs.read_report(Path(name))
            continue
        cases = cases or select(load_suite(wish.suite), wish.settings.selection)
        with terminal.progress_bar(name, len(cases)) as step:
            result = run_adapter(adapters[name], cases, seed=wish.settings.seed, progress=step)
        yield report.document(cases, [result], wish.settings)


def _adapter(name: str, settings: report.Settings) -> Adapter:
    try:
        adapter = make_adapter(name, seconds=settings.timeout)
        adapter.hello()
    except StartupFailed as failure:
        raise BadInput(name, startup(failure.reason, failure.stderr)) from None
    adapter.close()
    return adapter


def _is_report(name: str) -> bool:
    return name.endswith((".json", ".json.gz")) and Path(name).is_file()


def _print(console: Console, trend: Json) -> None:
    name, names = labels(trend["releases"])
    title = f"{escape(name)}: required cases that pass at level {trend['level']}" if name else ""
    print_line(console, Text(title or f"Required cases that pass at level {trend['level']}", "bold"))
    totals = [release["tally"]["passed"] for release in trend["releases"]]
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("\ntopic", "required", no_wrap=True)
    table.add_column("\ncases", str(sum(topic["cases"] for topic in trend["topics"])), justify="right", no_wrap=True)
    for label, footer in zip(names, _with_changes(totals), strict=True):
        table.add_column(Text(title_lines(label)), footer, justify="right", no_wrap=True)
    for topic in trend["topics"]:
        table.add_row(Text(escape(topic["topic"])), str(topic["cases"]), *_with_changes(topic["passed"]))
    print_table(console, table)
    for change in trend["changes"]:
        _print_change(console, change)


def _with_changes(numbers: Sequence[int]) -> Iterator[Text]:
    """Numbers, each with its difference to the one before."""
    before: int | None = None
    for number in numbers:
        change = 0 if before is None else number - before
        style = "green" if change > 0 else "red"
        yield Text.assemble(str(number), (f" {change:+}".replace("-", "−").rjust(6) if change else " " * 6, style))
        before = number


def _print_change(console: Console, change: Json) -> None:
    print_line(console, Text(f"{escape(change['from'])} → {escape(change['to'])}", "bold"))
    for what, sign, style in (("fixed", "+", "green"), ("broken", "−", "red")):
        for name in change[what][:LISTED]:
            print_line(console, Text(f"  {sign} {escape(name)}", style))
        rest = len(change[what]) - LISTED
        if rest > 0:
            print_line(console, Text(f"  {sign} {rest} more; --to trend.json lists them", style))
    if not change["fixed"] and not change["broken"]:
        print_line(console, Text("  no case changed"))
