"""What the commands `conformance` and `suite` do: load, run, print, write the report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from antiphon_portability.templates import table_as_json
from rich.console import Console

from antiphon_conformance import inputs, report, terminal
from antiphon_conformance.adapters import Adapter, StartupFailed, UnknownAdapter, make_adapter
from antiphon_conformance.case import Case
from antiphon_conformance.chunkings import Chunking, chunkings, named
from antiphon_conformance.coverage import coverage
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.protocol import run_request
from antiphon_conformance.runner import run_adapter
from antiphon_conformance.suite import choose, load_suite


@dataclass(frozen=True)
class Plan:
    """What to run: adapters and peers by name or command, and the suite's folder (None: the kit's own).

    Peers are judged like adapters, but don't decide about success, and are left out if they can't be started.
    """

    adapters: Sequence[str]
    settings: report.Settings
    peers: Sequence[str] = ()
    suite: Path | None = None
    report: Path | None = None


def run(plan: Plan, console: Console) -> bool:
    """Run it all; whether every implementation passes at the level asked for. Raises BadInput."""
    settings = plan.settings
    cases = choose(load_suite(plan.suite), settings.filter)
    adapters = [_adapter(name, settings) for name in plan.adapters]
    if plan.report is not None:
        _prepare(plan.report)
    results = []
    for adapter in adapters + _starting_peers(plan, console):
        with terminal.progress_bar(adapter.name, len(cases)) as step:
            results.append(run_adapter(adapter, cases, seed=settings.seed, progress=step))
    terminal.print_results(console, results, settings.level)
    if plan.report is not None:
        with _writing(plan.report):
            report.write(plan.report, report.document(cases, results, settings))
    deciding = results[: len(adapters)]
    return all(result.passes(settings.level) for found in deciding for result in found.required())


def _adapter(name: str, settings: report.Settings) -> Adapter:
    try:
        return make_adapter(name, seconds=settings.timeout)
    except UnknownAdapter as error:
        raise BadInput(f"--adapter {name}", error.reason) from None


def _starting_peers(plan: Plan, console: Console) -> list[Adapter]:
    """Those that start; of the others it is said that they are skipped."""
    peers: list[Adapter] = []
    for name in plan.peers:
        try:
            peer = make_adapter(name, seconds=plan.settings.timeout)
            peer.hello()
        except StartupFailed as failure:
            terminal.print_skipped(console, name, failure)
        else:
            peers.append(peer)
    return peers


def show_matrix(reports: Sequence[Path], glob: str | None, console: Console) -> None:
    """Print the cases of reports against their implementations; as Markdown, if not on a terminal. Raises BadInput."""
    table = report.matrix([inputs.read_report(path) for path in reports], glob)
    if len(table) == 1:
        raise BadInput("--filter", f"no case of the reports matches {glob}")
    if console.is_terminal:
        terminal.print_matrix(console, table)
    else:
        print(report.markdown(table), end="")


def show_case(suite: Path | None, full_id: str, chunking: str | None, console: Console) -> None:
    """Print a case to be read, its text cut by a named chunking. Raises BadInput."""
    case, found = _case(suite, full_id, chunking)
    terminal.print_case(console, case, found[0])


def show_requests(suite: Path | None, full_id: str, chunking: str | None, dialect: str | None) -> None:
    """Print the requests that run a case, by all chunkings or a named one, as an adapter of a dialect gets them.

    Raises BadInput.
    """
    target = None if dialect is None else inputs.target("--dialect", dialect)
    case, found = _case(suite, full_id, chunking)
    patterns = None if target is None else table_as_json(case.template, target)
    for number, one in enumerate(found, 1):
        print(json.dumps(run_request(number, case, one, patterns)))


def _case(suite: Path | None, full_id: str, chunking: str | None) -> tuple[Case, list[Chunking]]:
    """The case of an id, with all of its chunkings or the named one. Raises BadInput."""
    cases = {case.full_id: case for case in load_suite(suite)}
    case = cases.get(full_id)
    if case is None:
        near = ", ".join(get_close_matches(full_id, cases)) or "one of `antiphon suite coverage --cases`"
        raise BadInput("ID", f"there is no case {full_id}; try {near}")
    found = chunkings(case)
    if chunking is not None:
        found = [one for one in [named(case, chunking)] if one]
    if not found:
        raise BadInput(
            "--chunking", f"{chunking} doesn't cut this text; give whole, each, or ascending cuts: cut at 1,2"
        )
    return case, found


def show_coverage(suite: Path | None, minimum: int, console: Console, *, all_cases: bool) -> bool:
    """Print the coverage; whether each clause has enough cases and no case names a clause that doesn't exist."""
    found = coverage(load_suite(suite))
    terminal.print_coverage(console, found, minimum, all_cases=all_cases)
    return not found.unknown and not found.thin(minimum)


def _prepare(path: Path) -> None:
    """Find out before the run that the report can't be written after it."""
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("a").close()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What goes wrong in here is the fault of --report."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"--report {path}", f"can't be written: {error.strerror}; name another file") from None
