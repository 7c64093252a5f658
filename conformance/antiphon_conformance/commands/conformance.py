"""Commands that judge implementations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from antiphon_conformance.cases import selection
from antiphon_conformance.commands.suite import SuiteFolder
from antiphon_conformance.implementations.adapters import RUN_SECONDS
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs import merging, running

app = typer.Typer(no_args_is_help=True, help="Judge implementations.")

CASES, RUNS, OUTCOME = "Which cases", "How they are run", "What becomes of it"
REPORT_HELP = (
    "Write a report in the form of its suffix: .json, .html, .md, .xml (JUnit) or .badge.json. Folders are made. "
    "May be repeated."
)


@app.command()
def run(
    adapter: Annotated[
        list[str] | None,
        typer.Option(
            "--adapter",
            metavar="NAME_OR_COMMAND",
            help="A name that `antiphon conformance adapters` lists, or a command that speaks the protocol. "
            "May be repeated.",
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
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="GLOB",
            help="Only cases whose full id, or one of whose clauses, matches; '!GLOB': all but those. May be repeated: "
            "any will do.",
            rich_help_panel=CASES,
        ),
    ] = None,
    requires: Annotated[
        list[str] | None,
        typer.Option(
            "--requires",
            metavar="SLUG",
            help="Only cases that need this content kind or pattern construct; '!SLUG': all but those. "
            "May be repeated: any will do.",
            rich_help_panel=CASES,
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            "--shard",
            metavar="I/N",
            help="Only the I-th of N parts; `antiphon conformance merge` joins their reports.",
            rich_help_panel=CASES,
        ),
    ] = None,
    suite: SuiteFolder = None,
    jobs: Annotated[
        str,
        typer.Option(
            "--jobs",
            metavar="N",
            help="How many processes of each adapter work at the same time; `auto`: one for each processor.",
            rich_help_panel=RUNS,
        ),
    ] = "1",
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            min=0.01,
            max=86_400,
            help="How long an adapter may take for one run.",
            rich_help_panel=RUNS,
        ),
    ] = RUN_SECONDS,
    case_timeout: Annotated[
        float | None,
        typer.Option(
            "--case-timeout",
            metavar="SECONDS",
            min=0.01,
            max=86_400,
            help="How long an adapter may take for all runs of a case; no limit, if it isn't given.",
            rich_help_panel=RUNS,
        ),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(
            "--seed",
            metavar="N",
            help="What the random chunkings are made from; `random`: a new one, which is printed.",
            rich_help_panel=RUNS,
        ),
    ] = "0",
    repeat: Annotated[
        int,
        typer.Option(
            "--repeat",
            metavar="N",
            min=1,
            max=1000,
            help="Run everything N times, and tell what differs.",
            rich_help_panel=RUNS,
        ),
    ] = 1,
    fail_fast: Annotated[
        bool,
        typer.Option("--fail-fast", help="End with the first failure that counts.", rich_help_panel=RUNS),
    ] = False,
    level: Annotated[
        Level,
        typer.Option(
            "--level",
            help="What counts as a failure; each level includes those before it.",
            rich_help_panel=OUTCOME,
        ),
    ] = Level.EVENTS,
    report: Annotated[
        list[Path] | None,
        typer.Option("--report", metavar="FILE", help=REPORT_HELP, rich_help_panel=OUTCOME),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="The failures that are expected. Others count, and so do those of them that are fixed.",
            rich_help_panel=OUTCOME,
        ),
    ] = None,
    update_baseline: Annotated[
        bool,
        typer.Option("--update-baseline", help="Bring that file up to date, or make it.", rich_help_panel=OUTCOME),
    ] = False,
) -> None:
    """Run the suite against implementations; exit status 1 if a required case fails, 130 after Ctrl-C."""
    settings = Settings(
        level=level,
        seed=running.seed(seed),
        selection=selection.Selection(tuple(filter_ or ()), tuple(requires or ())),
        timeout=timeout,
        case_timeout=case_timeout,
        repeat=repeat,
        shard=None if shard is None else selection.shard(shard),
    )
    plan = running.Plan(
        adapters=adapter or ["reference"],
        settings=settings,
        peers=peer or [],
        suite=suite,
        reports=report or [],
        jobs=running.jobs(jobs),
        fail_fast=fail_fast,
        baseline=baseline,
        update_baseline=update_baseline,
    )
    raise typer.Exit(running.run(plan, Console()))


@app.command()
def merge(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT...", help="JSON documents of all shards of a run.")],
    report: Annotated[list[Path] | None, typer.Option("--report", metavar="FILE", help=REPORT_HELP)] = None,
    suite: SuiteFolder = None,
) -> None:
    """Join the reports of the shards of a run to the report of the whole; exit status 1 if a required case fails."""
    if not merging.merge(reports, report or [], suite, Console()):
        raise typer.Exit(1)
