"""Commands that judge implementations, and show what was found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from antiphon_conformance import session
from antiphon_conformance.adapters import RUN_SECONDS
from antiphon_conformance.commands.suite import SuiteFolder
from antiphon_conformance.compare import Level
from antiphon_conformance.report import Settings

app = typer.Typer(no_args_is_help=True, help="Judge implementations.")


@app.command()
def run(
    adapter: Annotated[
        list[str] | None,
        typer.Option(
            "--adapter",
            metavar="NAME_OR_COMMAND",
            help="reference, transformers, or a command that speaks the protocol. May be repeated.",
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            "--peer",
            metavar="NAME_OR_COMMAND",
            help="Like --adapter, for comparison: judged and shown, but left out of the exit status.",
        ),
    ] = None,
    filter_: Annotated[
        str | None,
        typer.Option("--filter", metavar="GLOB", help="Only cases whose full id, or one of whose clauses, matches."),
    ] = None,
    level: Annotated[
        Level, typer.Option("--level", help="What counts as a failure; each level includes those before it.")
    ] = Level.EVENTS,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a JSON report; folders are made.")
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout", metavar="SECONDS", min=0.01, max=86_400, help="How long an adapter may take for one run."
        ),
    ] = RUN_SECONDS,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="What the random chunkings are made from.")] = 0,
    suite: SuiteFolder = None,
) -> None:
    """Run the suite against implementations; exit status 1 if a required case fails."""
    settings = Settings(level, seed, filter_, timeout)
    plan = session.Plan(adapter or ["reference"], settings, peer or [], suite, report)
    if not session.run(plan, Console()):
        raise typer.Exit(1)


@app.command()
def matrix(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT...", help="Files that `run --report` wrote.")],
    filter_: Annotated[str | None, typer.Option("--filter", metavar="GLOB", help="As for `run`.")] = None,
) -> None:
    """Print the cases of reports against their implementations; written to a file, it is a Markdown table."""
    session.show_matrix(reports, filter_, Console())
