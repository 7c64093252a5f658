"""Lines, tables and rows on a terminal, however narrow it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from antiphon_conformance.display import broken, escape

MIN_WIDTH = 40
"""Columns of a row's text, however narrow the terminal is."""
WIDEST = 1000
"""Columns that a table may need; it isn't squeezed to fit a narrow terminal."""


def print_line(console: Console, text: Text) -> None:
    """Without breaking the line, however narrow the terminal is."""
    console.print(text, soft_wrap=True)


def print_table(console: Console, table: Table) -> None:
    """A table with all of its columns, however narrow the terminal is."""
    narrow = console.width
    console.width = max(narrow, table_width(table))
    console.print(table)
    console.width = narrow


def table_width(table: Table) -> int:
    """How many columns of a terminal a table needs."""
    console = Console(width=WIDEST)
    return Measurement.get(console, console.options, table).maximum


def print_rows(
    console: Console, rows: Iterable[tuple[str, str]], styles: Mapping[str, str] | None = None, margin: int = 0
) -> None:
    """Names, and beside them their texts, broken into lines; `styles`: those of texts, by name.

    A text is escaped; see `broken` for where it is broken.
    """
    listed = list(rows)
    indent = max((len(name) for name, _ in listed), default=0) + 2
    for name, text in listed:
        style = (styles or {}).get(name, "")
        width = max(console.width - margin - indent, MIN_WIDTH)
        for index, line in enumerate(broken(escape(text), width)):
            shown = "" if index else name
            print_line(console, Text.assemble(" " * margin, (shown.ljust(indent), "bold"), (line, style)))
