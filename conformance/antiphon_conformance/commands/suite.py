"""Commands about the suite itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from antiphon_conformance.cases import expansion, showing
from antiphon_conformance.cases.selection import Selection
from antiphon_conformance.commands.options import Filters, Requires, SuiteFolder

app = typer.Typer(no_args_is_help=True, help="Look at the conformance suite.")


@app.command()
def coverage(
    minimum: Annotated[
        int, typer.Option("--minimum", metavar="N", min=0, help="How many cases a clause should have.")
    ] = 2,
    cases: Annotated[bool, typer.Option("--cases", help="List all cases of each clause.")] = False,
    suite: SuiteFolder = None,
) -> None:
    """List the clauses of SPEC.md with their cases; exit status 1 if one has too few, or doesn't exist."""
    if not showing.show_coverage(suite, minimum, Console(), all_cases=cases):
        raise typer.Exit(1)


@app.command()
def show(
    full_id: Annotated[str, typer.Argument(metavar="ID", help="The full id of a case.")],
    chunking: Annotated[
        str | None,
        typer.Option("--chunking", metavar="NAME", help='As a report names it: whole, each, or "cut at 4,7".'),
    ] = None,
    requests: Annotated[
        bool,
        typer.Option("--requests", help="The lines that run it, to be piped into an adapter; without NAME by all."),
    ] = False,
    dialect: Annotated[
        str | None,
        typer.Option(
            "--dialect", metavar="TARGET", help="Like --requests, for an adapter whose dialect is this target."
        ),
    ] = None,
    suite: SuiteFolder = None,
) -> None:
    """Print a case: what is given, its text as it is cut, and what is expected at which moment."""
    if requests or dialect is not None:
        showing.show_requests(suite, full_id, chunking, dialect)
    else:
        showing.show_case(suite, full_id, chunking, Console())


@app.command()
def export(
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Where to write; standard output without it.")
    ] = None,
    filter_: Filters = None,
    requires: Requires = None,
    all_chunkings: Annotated[
        bool,
        typer.Option("--all-chunkings", help="All that `conformance run` makes, not only whole, each and listed ones."),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="What the random chunkings are made from.")] = 0,
    suite: SuiteFolder = None,
) -> None:
    """Write the suite as JSON Lines, the chunks and events of each feed written out: all that a JSON parser needs."""
    chosen = Selection(tuple(filter_ or ()), tuple(requires or ()))
    expansion.export(expansion.Wish(suite, chosen, every=all_chunkings, seed=seed), to)
