"""What `conformance run` does: choose cases, run them against implementations, print, write reports."""

from __future__ import annotations

import gc
import math
import os
import re
import secrets
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from antiphon_conformance import terminal
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.identity import identity
from antiphon_conformance.cases.selection import select
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import Adapter, StartupFailed, UnknownAdapter
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports import files, remarks, summary
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import columns
from antiphon_conformance.runs import baseline
from antiphon_conformance.runs.baseline import Baseline
from antiphon_conformance.runs.repetition import combined
from antiphon_conformance.runs.runner import AdapterResult, Step, run_adapter

INTERRUPTED = 130
"""The exit status after Ctrl-C or SIGTERM."""
AUTO, RANDOM = "auto", "random"
SEEDS = 1 << 32
MOST_JOBS = 1000
_JOBS = re.compile("[0-9]{1,9}")


@dataclass(frozen=True)
class Plan:
    """What to run: adapters and peers by name or command, and the suite's folder (None: the kit's own).

    Peers are judged like adapters, but don't decide about success, and are left out if they can't be started. `jobs`:
    how many processes of each work at the same time. `baseline`: the file of expected failures, which is brought up
    to date if `update_baseline`.
    """

    adapters: Sequence[str]
    settings: report.Settings
    peers: Sequence[str] = ()
    suite: Path | None = None
    reports: Sequence[Path] = ()
    jobs: int = 1
    fail_fast: bool = False
    baseline: Path | None = None
    update_baseline: bool = False


@dataclass(frozen=True)
class Team:
    """The processes of one implementation; they are started when they are needed."""

    adapters: Sequence[Adapter]
    peer: bool = False


def run(plan: Plan, console: Console) -> int:
    """Run it all; the exit status: 1 if a required case fails unexpectedly, INTERRUPTED, or 0. Raises BadInput."""
    settings = plan.settings
    suite = load_suite(plan.suite)
    chosen = select(suite, settings.selection)
    cases = [case for case in chosen if settings.shard is None or settings.shard.has(case.full_id)]
    expected = _baseline(plan)
    files.prepare("--report", plan.reports)
    gc.freeze()  # the suite is large and stays: there is nothing to collect in it
    with _interruptible(), ExitStack() as stack:
        teams = [_team(plan, name, stack) for name in plan.adapters]
        teams += _starting_peers(plan, stack, console)
        results, interrupted = _run_all(plan, teams, cases, expected)
    results = [result if result.peer else expected.marked(result) for result in results]
    left_out = interrupted or len(results) < len(teams)
    document = report.document(chosen, results, settings, identity(suite, plan.suite), interrupted=left_out)
    summary.print_results(console, columns([document]), settings.level)
    remarks.print_flakes(console, results)
    remarks.print_costs(console, results, settings.seed)
    files.write("--report", plan.reports, Content([document], lambda: suite, plan.suite))
    if plan.baseline is not None and results:
        passed = _against_baseline(plan, expected, results[0], suite, console, complete=not document["interrupted"])
    else:
        passed = not any(expected.is_new(case) for one in results if not one.peer for case in one.cases)
    return INTERRUPTED if interrupted else 0 if passed else 1


def jobs(text: str) -> int:
    """The number that --jobs names; AUTO: one for each processor that this process may use. Raises BadInput."""
    if text == AUTO:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not _JOBS.fullmatch(text) or not 1 <= int(text) <= MOST_JOBS:
        raise BadInput(f"--jobs {text}", f"isn't a number from 1 to {MOST_JOBS}; give one, or {AUTO}")
    return int(text)


def seed(text: str) -> int:
    """The number that --seed names; RANDOM: any. Raises BadInput."""
    if text == RANDOM:
        return secrets.randbelow(SEEDS)
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"--seed {text}", f"isn't a whole number; give one, or {RANDOM}") from None


def _baseline(plan: Plan) -> Baseline:
    """The expected failures; none, if no file is given."""
    if plan.baseline is None:
        if plan.update_baseline:
            raise BadInput("--update-baseline", "needs a file; name it by --baseline FILE")
        return Baseline((), plan.settings.level)
    if len(plan.adapters) > 1:
        raise BadInput(f"--baseline {plan.baseline}", "is about one implementation; give one --adapter")
    expected = baseline.read(plan.baseline, plan.settings.level, new=plan.update_baseline)
    if plan.update_baseline:
        baseline.prepare(plan.baseline)
    return expected


def _team(plan: Plan, name: str, stack: ExitStack) -> Team:
    """Raises BadInput. The stack closes what is started."""
    try:
        return Team(_adapters(plan, name, stack))
    except UnknownAdapter as error:
        raise BadInput(f"--adapter {name}", error.reason) from None


def _adapters(plan: Plan, name: str, stack: ExitStack) -> list[Adapter]:
    """As many adapters as there are jobs, of which none is started yet. Raises UnknownAdapter."""
    settings = plan.settings
    found = [
        make_adapter(
            name, seconds=settings.timeout, case_seconds=settings.case_timeout or math.inf, own_process=plan.jobs > 1
        )
        for _ in range(plan.jobs)
    ]
    for adapter in found:
        stack.callback(adapter.close)
    return found


def _starting_peers(plan: Plan, stack: ExitStack, console: Console) -> Iterator[Team]:
    """Those that start; of the others it is said that they are skipped."""
    for name in plan.peers:
        try:
            adapters = _adapters(plan, name, stack)
            adapters[0].hello()
        except StartupFailed as failure:
            summary.print_skipped(console, name, failure)
        else:
            yield Team(adapters, peer=True)


def _run_all(
    plan: Plan, teams: Sequence[Team], cases: Sequence[Case], expected: Baseline
) -> tuple[list[AdapterResult], bool]:
    """The results of one implementation after the other, and whether they end by an interrupt."""
    results: list[AdapterResult] = []
    try:
        for team in teams:
            with terminal.progress_bar(team.adapters[0].name, len(cases) * plan.settings.repeat) as step:
                results.append(_run_team(plan, team, cases, expected, step))
            if results[-1].interrupted:
                return results, True
            if plan.fail_fast and not team.peer and any(map(expected.is_new, results[-1].cases)):
                break
    except KeyboardInterrupt:  # between two of them
        return results, True
    return results, False


def _run_team(plan: Plan, team: Team, cases: Sequence[Case], expected: Baseline, step: Step) -> AdapterResult:
    first, *helpers = team.adapters
    repetitions: list[AdapterResult] = []
    while len(repetitions) < plan.settings.repeat and not (repetitions and repetitions[-1].interrupted):
        result = run_adapter(
            first,
            cases,
            seed=plan.settings.seed,
            progress=step,
            helpers=helpers,
            last=lambda result: plan.fail_fast and not team.peer and expected.is_new(result),
            keep_answers=plan.settings.repeat > 1,
        )
        repetitions.append(replace(result, peer=team.peer))
    return combined(repetitions)


def _against_baseline(
    plan: Plan, expected: Baseline, result: AdapterResult, suite: Sequence[Case], console: Console, *, complete: bool
) -> bool:
    """Print what differs from the expected failures; whether nothing does, or the file has been brought up to date."""
    assert plan.baseline is not None
    found = expected.verdict(result.cases, [case.full_id for case in suite if case.required])
    update = plan.update_baseline and complete and result.hello is not None
    if update:
        baseline.write(plan.baseline, expected.updated(result.cases, found.stale))
    remarks.print_baseline(console, plan.baseline, found, updated=update, wanted=plan.update_baseline)
    return found.passes or update


@contextmanager
def _interruptible() -> Iterator[None]:
    """In here SIGTERM is what Ctrl-C is: a KeyboardInterrupt."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
