"""A run of the suite as the command line asks for it: load, run, print, write the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from antiphon_conformance import inputs, report, terminal
from antiphon_conformance.adapters import Adapter, StartupFailed, UnknownAdapter, make_adapter
from antiphon_conformance.coverage import coverage
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.runner import run_adapter
from antiphon_conformance.suite import load_suite, select


@dataclass(frozen=True)
class Request:
    """What to run: adapters and peers by name or command, and the suite's folder (None: the kit's own).

    Peers are judged like adapters, but don't decide about success, and are left out if they can't be started.
    """

    adapters: Sequence[str]
    settings: report.Settings
    peers: Sequence[str] = ()
    suite: Path | None = None
    report: Path | None = None


def run(request: Request, console: Console) -> bool:
    """Run it all; whether every implementation passes at the level asked for. Raises BadInput, SuiteError."""
    settings = request.settings
    cases = select(load_suite(request.suite), settings.filter)
    if not cases:
        raise BadInput(
            "--filter", f"no case matches {settings.filter}; it is compared with whole ids: try '*{settings.filter}*'"
        )
    adapters, peers = _adapters(request)
    if request.report is not None:
        _prepare(request.report)
    results = []
    for adapter in adapters + peers:
        try:
            if adapter in peers:
                adapter.hello()
        except StartupFailed as failure:
            terminal.print_skipped(console, adapter.name, failure)
            continue
        with terminal.progress_bar(adapter.name, len(cases)) as step:
            results.append(run_adapter(adapter, cases, seed=settings.seed, progress=step))
    terminal.print_results(console, results, settings.level)
    if request.report is not None:
        _write(request.report, report.document(cases, results, settings))
    deciding = results[: len(adapters)]
    return all(result.passes(settings.level) for found in deciding for result in found.required())


def _adapters(request: Request) -> tuple[list[Adapter], list[Adapter]]:
    made: list[list[Adapter]] = []
    for option, names in (("--adapter", request.adapters), ("--peer", request.peers)):
        try:
            made.append([make_adapter(name, seconds=request.settings.timeout) for name in names])
        except UnknownAdapter as error:
            raise BadInput(option, str(error)) from None
    return made[0], made[1]


def matrix(reports: Sequence[Path], glob: str | None) -> str:
    """The cases of reports against their implementations, as a Markdown table. Raises BadInput."""
    documents = [inputs.read_report(path) for path in reports]
    table = report.matrix(documents, glob)
    if table is None:
        raise BadInput("--filter", f"no case of the reports matches {glob}")
    return table


def show_coverage(suite: Path | None, minimum: int, console: Console, *, all_cases: bool) -> bool:
    """Print the coverage; whether each clause has enough cases and no case names a clause that doesn't exist."""
    found = coverage(load_suite(suite))
    terminal.print_coverage(console, found, minimum, all_cases=all_cases)
    return not found.unknown and not found.thin(minimum)


def _prepare(path: Path) -> None:
    """Find out before the run that the report can't be written after it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("a").close()
    except OSError as error:
        raise BadInput(f"--report {path}", f"can't be written: {error.strerror}; name another file") from None


def _write(path: Path, document: object) -> None:
    try:
        report.write(path, document)
    except OSError as error:
        raise BadInput(f"--report {path}", f"can't be written: {error.strerror}; name another file") from None
