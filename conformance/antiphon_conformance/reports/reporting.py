"""What the commands do that show reports of earlier runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from antiphon_conformance import inputs
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.reports import files, markdown, summary
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.matrix import matrix


def show_matrix(reports: Sequence[Path], globs: Sequence[str], console: Console) -> None:
    """Print the cases of reports against their implementations; as Markdown, if not on a terminal. Raises BadInput."""
    table = matrix([inputs.read_report(path) for path in reports], globs)
    if len(table) == 1 and not globs:
        raise BadInput("REPORT", "no case was run; name a report that has some")
    if len(table) == 1:
        raise BadInput("--filter", f"no case of the reports matches {' or '.join(globs)}")
    if console.is_terminal:
        summary.print_matrix(console, table)
    else:
        print(markdown.table(table), end="")


def convert(reports: Sequence[Path], to: Sequence[Path], suite: Path | None, console: Console) -> None:
    """Write reports, side by side if they are several, to files in the form of their suffixes; print what they come
    to, if there are none. Raises BadInput."""
    content = Content([inputs.read_report(path) for path in reports], lambda: load_suite(suite), suite)
    if to:
        files.prepare("--to", to)
        files.write("--to", to, content)
    else:
        summary.print_summary(console, content.columns, content.level)
