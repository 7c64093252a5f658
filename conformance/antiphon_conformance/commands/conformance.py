"""Commands that judge implementations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from antiphon_conformance.cases import selection
from antiphon_conformance.commands import options
from antiphon_conformance.implementations.adapters import RUN_SECONDS
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs import merging, running

app = typer.Typer(no_args_is_help=True, help="Judge implementations.")


@app.command()
def run(
    adapter: options.Adapters = None,
    peer: options.Peers = None,
    filter_: options.Filters = None,
    requires: options.Requires = None,
    shard: options.Shard = None,
    suite: options.SuiteFolder = None,
    jobs: options.Jobs = "1",
    timeout: options.Timeout = RUN_SECONDS,
    case_timeout: options.CaseTimeout = None,
    seed: options.Seed = "0",
    repeat: options.Repeat = 1,
    fail_fast: options.FailFast = False,
    level: options.Level = Level.EVENTS,
    report: options.Reports = None,
    baseline: options.BaselineFile = None,
    update_baseline: options.UpdateBaseline = False,
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
    report: options.Reports = None,
    suite: options.SuiteFolder = None,
) -> None:
    """Join the reports of the shards of a run to the report of the whole; exit status 1 if a required case fails."""
    if not merging.merge(reports, report or [], suite, Console()):
        raise typer.Exit(1)
