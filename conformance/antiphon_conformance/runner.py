"""Runs cases in all their chunkings against an implementation and gathers the verdicts per case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from antiphon_portability.templates import table_as_json

from antiphon_conformance.adapters import Adapter, AdapterFailure, StartupFailed
from antiphon_conformance.case import Case
from antiphon_conformance.chunkings import Chunking, chunkings
from antiphon_conformance.compare import Comparison, Finding, Level, compare
from antiphon_conformance.protocol import Hello, run_request
from antiphon_conformance.timing import Lag

Step = Callable[[], None]
"""Called after each case."""


@dataclass(frozen=True)
class Failure:
    """Why a case fails at a level: what was found first, in which chunking, and in how many chunkings."""

    finding: Finding
    chunking: str
    runs: int = 1
    stderr: tuple[str, ...] = ()

    @property
    def level(self) -> Level:
        return self.finding.level


@dataclass(frozen=True)
class CaseResult:
    """The verdicts on a case over all chunkings, and the first failure of each level.

    `lacks` says what the implementation would need to be judged; then there are no verdicts. Else `message` is
    right or wrong, and `events` and `prompt` are too, or None where the case doesn't judge them. `lag` is that
    of the worst chunking.
    """

    case: Case
    runs: int = 0
    lacks: tuple[str, ...] = ()
    message: bool | None = None
    events: bool | None = None
    prompt: bool | None = None
    lag: Lag | None = None
    failures: tuple[Failure, ...] = ()

    def passes(self, level: Level) -> bool:
        """Whether nothing at this level, or one that it includes, was found wrong."""
        return self.failure(level) is None

    def failure(self, level: Level) -> Failure | None:
        """The failure that counts at a level: that of the lowest level."""
        levels = list(Level)
        upto = levels[: levels.index(level) + 1]
        return next((failure for failure in self.failures if failure.level in upto), None)


@dataclass(frozen=True)
class AdapterResult:
    """All that was found about one implementation. `hello` is None if it never told who it is."""

    adapter: str
    hello: Hello | None
    cases: tuple[CaseResult, ...]

    @property
    def title(self) -> str:
        """Name and version."""
        return f"{self.hello.name} {self.hello.version}" if self.hello else self.adapter

    def required(self) -> list[CaseResult]:
        """The results of the cases that count."""
        return [result for result in self.cases if result.case.required]

    def conforms(self) -> Level | None:
        """The highest level at which no required case fails, if at least one was judged."""
        judged = [result for result in self.required() if not result.lacks]
        reached = [level for level in Level if judged and all(result.passes(level) for result in judged)]
        return reached[-1] if reached else None


def run_adapter(
    adapter: Adapter, cases: Sequence[Case], *, seed: int = 0, progress: Step = lambda: None
) -> AdapterResult:
    """Run all cases against an implementation. Its failures are results; nothing is raised for them."""
    hello: Hello | None = None
    numbers = count(1)
    results: list[CaseResult] = []
    try:
        for case in cases:
            try:
                hello = hello or adapter.hello()
                results.append(_run_case(adapter, hello, case, seed, numbers))
            except StartupFailed as failure:
                results.append(_summary(case, [], _broken(failure, "none")))
            progress()
    finally:
        adapter.close()
    return AdapterResult(adapter.name, hello, tuple(results))


def _run_case(adapter: Adapter, hello: Hello, case: Case, seed: int, numbers: Iterable[int]) -> CaseResult:
    lacks = hello.lacks(case.needs)
    if lacks:
        return CaseResult(case, lacks=lacks)
    patterns = table_as_json(case.template, hello.dialect) if hello.dialect else None
    compared: list[tuple[Chunking, Comparison]] = []
    for number, chunking in zip(numbers, chunkings(case, seed), strict=False):
        try:
            result = adapter.run(run_request(number, case, chunking, patterns))
        except AdapterFailure as failure:  # the other chunkings would most likely fail, and cost, the same
            return _summary(case, compared, _broken(failure, chunking.name))
        if result.unsupported is not None:
            if case.needs or case.options:
                return CaseResult(case, runs=len(compared) + 1, lacks=(result.unsupported,))
            reason = f"unsupported, though the case needs only what every implementation has: {result.unsupported}"
            return _summary(case, compared, Failure(Finding(Level.MESSAGE, reason), chunking.name))
        compared.append((chunking, compare(case, chunking, result)))
    return _summary(case, compared)


def _broken(failure: AdapterFailure, chunking: str) -> Failure:
    return Failure(Finding(Level.MESSAGE, failure.reason), chunking, stderr=failure.stderr)


def _summary(case: Case, compared: Sequence[tuple[Chunking, Comparison]], broken: Failure | None = None) -> CaseResult:
    """The verdicts over all runs; `broken` is what put an end to them."""
    failures: dict[Level, Failure] = {}
    for chunking, comparison in compared:
        for finding in comparison.findings:
            known = failures.get(finding.level)
            failures[finding.level] = replace(known, runs=known.runs + 1) if known else Failure(finding, chunking.name)
    if broken is not None:
        failures.setdefault(broken.level, broken)
    lags = [comparison.lag for _, comparison in compared if comparison.lag is not None]
    return CaseResult(
        case,
        runs=len(compared) + (broken is not None),
        message=Level.MESSAGE not in failures,
        events=_overall([comparison.events for _, comparison in compared]),
        prompt=_overall([comparison.prompt for _, comparison in compared]),
        lag=Lag(max(lag.max for lag in lags), max(lag.total for lag in lags)) if lags else None,
        failures=tuple(failures[level] for level in Level if level in failures),
    )


def _overall(verdicts: Iterable[bool | None]) -> bool | None:
    known = [verdict for verdict in verdicts if verdict is not None]
    return all(known) if known else None
