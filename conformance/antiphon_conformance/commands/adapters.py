"""Commands about adapters: which there are, and a new one for a port."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from antiphon_conformance import terminal
from antiphon_conformance.implementations import known as implementations
from antiphon_conformance.implementations import scaffold

app = typer.Typer()


@app.command()
def adapters() -> None:
    """List the implementations that --adapter and --peer know by name."""
    terminal.print_entries(Console(), implementations.entries())


@app.command()
def new_adapter(
    language: Annotated[scaffold.Language, typer.Option("--language", help="What the port is written in.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="Where to; a folder that is empty or isn't there.")
    ] = Path("adapter"),
) -> None:
    """Write an adapter that runs at once, and fails every case until a parser is connected in the marked place."""
    terminal.print_written(Console(), scaffold.write(language, to))
