"""Commands that show what was found: in reports, or by running a case or several releases anew."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from antiphon_conformance.cases.selection import Selection
from antiphon_conformance.commands.options import Adapters, Filters, SuiteFolder
from antiphon_conformance.implementations.adapters import RUN_SECONDS
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import explaining, reporting, trending
from antiphon_conformance.reports.document import Settings

app = typer.Typer()

Reports = Annotated[list[Path], typer.Argument(metavar="REPORT...", help="JSON documents that `run --report` wrote.")]
FORMS = ".html, .md, .xml (JUnit), .badge.json or .json"
Timeout = Annotated[float, typer.Option("--timeout", metavar="SECONDS", min=0.01, max=86_400, help="As for `run`.")]


@app.command()
def report(
    reports: Reports,
    to: Annotated[
        list[Path] | None, typer.Option("--to", metavar="FILE", help=f"Write it as {FORMS}. May be repeated.")
    ] = None,
    suite: SuiteFolder = None,
) -> None:
    """Print what reports come to, or write them in other forms; several stand side by side."""
    reporting.convert(reports, to or [], suite, Console())


@app.command()
def matrix(reports: Reports, filter_: Filters = None) -> None:
    """Print the cases of reports against their implementations; written to a file, it is a Markdown table."""
    reporting.show_matrix(reports, filter_ or [], Console())


@app.command()
def explain(
    case: Annotated[str, typer.Argument(metavar="CASE", help="The full id of a case.")],
    adapter: Adapters = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Don't run it: show what this JSON report holds."),
    ] = None,
    chunking: Annotated[
        str | None,
        typer.Option(
            "--chunking",
            metavar="NAME",
            help='whole, each, or "cut at 4,7"; without it, the first in which the case fails.',
        ),
    ] = None,
    timeout: Timeout = RUN_SECONDS,
    suite: SuiteFolder = None,
) -> None:
    """Show what is wrong with a case: what was due and what came side by side, by which clauses, and what it means."""
    wish = explaining.Wish(case, chunking, suite, timeout)
    if report is None:
        explaining.explain(wish, adapter or ["reference"], Console())
    elif adapter:
        raise BadInput("--report", "holds what came; leave --adapter out, or run the case without --report")
    else:
        explaining.explain_report(wish, report, Console())


@app.command()
def trend(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...", help="Adapters as for `run`, name==1.0,1.1 for several releases, or JSON reports."
        ),
    ],
    level: Annotated[Level, typer.Option("--level", help="At which cases count as passed.")] = Level.EVENTS,
    filter_: Filters = None,
    timeout: Timeout = RUN_SECONDS,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="As for `run`.")] = 0,
    suite: SuiteFolder = None,
    to: Annotated[
        list[Path] | None,
        typer.Option("--to", metavar="FILE", help="Write it as .svg (a plot), .html or .json. May be repeated."),
    ] = None,
) -> None:
    """Show how conformance moved over releases: what passes by topic, which cases were fixed, which broke."""
    settings = Settings(level, seed, Selection(tuple(filter_ or ())), timeout)
    trending.trend(trending.Wish(names, settings, suite, to or []), Console())
