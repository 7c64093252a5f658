"""A timeline on a terminal: what was due on the left, what came on the right, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import escape
from antiphon_conformance.layout import print_line

MARK_WIDTH = 2
LEAST_WIDTH = 24
"""Columns of a side, however narrow the terminal is."""
FIRST, OTHER = "✗", "≠"


def print_timeline(console: Console, rows: Sequence[Json], title: str) -> None:
    """The rows of a report's timeline. `title`: of the implementation."""
    times = max(3, *(len(row.get("due", row.get("came", ""))) for row in rows))
    side = max(LEAST_WIDTH, (console.width - MARK_WIDTH - times - 6) // 2)
    widths = (MARK_WIDTH - 1, times, side, 1, side)
    _print_row(console, widths, ["", "due", "expected", "│", escape(title)], "bold")
    step = ""
    for row in rows:
        if "left_out" in row:
            what = "in which nothing differs" if row["alike"] else "more"
            print_line(console, Text(f"  … {row['left_out']} rows {what} …", "dim"))
            continue
        if row.get("step", "") != step:
            step = row["step"]
            _print_step(console, row)
        mark = FIRST if "first" in row else OTHER if row["expected"] != row["got"] else ""
        style = {FIRST: "bold red", OTHER: "yellow", "": ""}[mark]
        cells = [mark, row.get("due", row.get("came", "")), _cell(row["expected"]), "│", _cell(row["got"])]
        _print_row(console, widths, cells, style)


def _cell(line: str | None) -> str:
    return "·" if line is None else line


def _print_step(console: Console, row: Json) -> None:
    """The heading of a step: for a feed, what was fed, and how much that makes."""
    fed = f"  {row['chunk']}" if "chunk" in row else ""
    after = f"  → {row['at']}" if fed else ""
    print_line(console, Text.assemble((f"{row['step']}{after}", "cyan"), (escape(fed), "dim")))


def _print_row(console: Console, widths: Sequence[int], cells: Sequence[str], style: str) -> None:
    table = Table.grid(padding=(0, 1, 0, 0))
    for number, width in enumerate(widths):
        table.add_column(width=width, overflow="fold", justify="right" if number == 1 else "left")
    table.add_row(*(Text(escape(cell), style if cell not in ("·", "│") else "dim") for cell in cells))
    console.print(table)
