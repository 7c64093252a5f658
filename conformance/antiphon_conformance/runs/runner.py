"""Runs cases in all their chunkings against an implementation and gathers the verdicts per case."""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.cases.chunkings import Chunking, chunkings
from antiphon_conformance.implementations.adapters import Adapter, AdapterFailure, StartupFailed, cpu_seconds
from antiphon_conformance.implementations.protocol import Hello, parse_result, run_requests
from antiphon_conformance.judging.compare import Comparison, Finding, Level, compare
from antiphon_conformance.judging.ideal import Ideal
from antiphon_conformance.judging.timing import Lag
from antiphon_conformance.runs.answers import Answer, answer
from antiphon_conformance.runs.pool import Pool

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
class Flake:
    """That a repetition (by its number, from 2) differed from the first one, and in what: one line for people."""

    repetition: int
    difference: str


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
    answers: tuple[Answer, ...] = field(default=(), repr=False)
    """Those of the runs, one by one, if they are to be compared with the answers of a repetition."""
    flake: Flake | None = None
    """What differed between repetitions."""
    expected_failure: bool = False
    """Whether a baseline says that it fails like that."""

    def passes(self, level: Level) -> bool:
        """Whether nothing at this level, or one that it includes, was found wrong."""
        return self.failure(level) is None

    def failure(self, level: Level) -> Failure | None:
        """The failure that counts at a level: that of the lowest level."""
        return next((failure for failure in self.failures if failure.level in level.included), None)


@dataclass(frozen=True)
class Cost:
    """What running took: the number of runs, seconds, and CPU seconds of the harness itself and of the adapter."""

    runs: int = 0
    seconds: float = 0.0
    own: float = 0.0
    adapter: float = 0.0

    @property
    def share(self) -> float:
        """The harness's part of the CPU seconds."""
        return self.own / (self.own + self.adapter) if self.own else 0.0


@dataclass(frozen=True)
class AdapterResult:
    """All that was found about one implementation. `hello` is None if it never told who it is."""

    adapter: str
    hello: Hello | None
    cases: tuple[CaseResult, ...]
    interrupted: bool = False
    peer: bool = False
    """Whether it was judged for comparison only."""
    cost: Cost = field(default=Cost(), compare=False)

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
    adapter: Adapter,
    cases: Sequence[Case],
    *,
    seed: int = 0,
    progress: Step = lambda: None,
    helpers: Sequence[Adapter] = (),
    last: Callable[[CaseResult], bool] = lambda result: False,
    keep_answers: bool = False,
) -> AdapterResult:
    """Run all cases against an implementation. Its failures are results; nothing is raised for them.

    `helpers`: more processes of the same implementation, which work at the same time. `last`: whether no cases behind
    that of a result are to be run. A KeyboardInterrupt ends the run, and the result is that of the cases so far.
    """
    workers = [_Worker(one, seed, progress, keep_answers) for one in (adapter, *helpers)]
    pool = Pool(workers, last)
    begin, children = time.monotonic(), _children_seconds()
    try:
        results = pool.work(cases)
        if not cases:  # so that the reports of all shards name the same implementation
            workers[0].greet()
    finally:
        interrupted = _close([worker.adapter for worker in workers]) or pool.interrupted
    cost = Cost(
        runs=sum(found.runs for found in results),
        seconds=time.monotonic() - begin,
        own=sum(worker.own for worker in workers),
        adapter=_children_seconds() - children + sum(worker.inside for worker in workers),
    )
    hello = next((worker.hello for worker in workers if worker.hello), None)
    return AdapterResult(adapter.name, hello, tuple(results), interrupted, cost=cost)


def run_case(adapter: Adapter, case: Case, *, seed: int = 0, first: int = 1) -> CaseResult:
    """The verdicts on one case, for those who go through a suite themselves. `first`: the number of its first request.

    The adapter stays open.
    """
    return _Worker(adapter, seed, lambda: None, keep_answers=False, first=first)(case)


def _close(adapters: Iterable[Adapter]) -> bool:
    """Close them all; whether a KeyboardInterrupt came meanwhile."""
    interrupted = False
    for adapter in adapters:
        try:
            adapter.close()
        except KeyboardInterrupt:
            interrupted = True
            adapter.close()
    return interrupted


def _children_seconds() -> float:
    """CPU seconds of the processes that were started by this one, and have ended."""
    times = os.times()
    return times.children_user + times.children_system


class _Worker:
    """One process of an implementation, which gets case after case."""

    def __init__(self, adapter: Adapter, seed: int, progress: Step, keep_answers: bool, first: int = 1) -> None:
        self.adapter = adapter
        self.hello: Hello | None = None
        self._seed, self._progress, self._keep_answers = seed, progress, keep_answers
        self._numbers = count(first)
        self._busy = 0.0
        self._busy_before = adapter.busy  # it may have been run before: in this process it is the same one then

    @property
    def own(self) -> float:
        """CPU seconds of the harness."""
        return self._busy - self.inside

    @property
    def inside(self) -> float:
        """CPU seconds of the adapter, where it runs in this process."""
        return self.adapter.busy - self._busy_before

    def interrupt(self) -> None:
        """Kill the process, so that what it is at fails; from another thread."""
        self.adapter.interrupt()

    def greet(self) -> None:
        """Find out who it is, if it starts."""
        with contextlib.suppress(StartupFailed):
            self.hello = self.adapter.hello()

    def __call__(self, case: Case) -> CaseResult:
        """The verdicts on a case."""
        begin = cpu_seconds()
        try:
            self.hello = self.adapter.hello()
            return self._run(case, self.hello)
        except StartupFailed as failure:
            return _summary(case, [], _broken(failure, "none"))
        finally:
            self._busy += cpu_seconds() - begin
            self._progress()

    def _run(self, case: Case, hello: Hello) -> CaseResult:
        lacks = hello.lacks(case.needs)
        if lacks:
            return CaseResult(case, lacks=lacks)
        ways = chunkings(case, self._seed)
        judge = _Judge(case, ways, keep_answers=self._keep_answers)
        broken = None
        try:
            requests = run_requests(case, ways, hello.dialect, self._numbers)
            deque(self.adapter.runs(requests, judge), maxlen=0)
        except AdapterFailure as failure:  # the other chunkings would most likely fail, and cost, the same
            broken = _broken(failure, judge.current.name)
        answers = tuple(judge.answers)
        if judge.refusal and (case.needs or case.options):
            return CaseResult(case, runs=len(judge.compared) + 1, lacks=(judge.refusal,), answers=answers)
        if judge.refusal:
            reason = f"unsupported, though the case needs only what every implementation has: {judge.refusal}"
            broken = Failure(Finding(Level.MESSAGE, reason), ways[len(judge.compared)].name)
        return replace(_summary(case, judge.compared, broken, self.adapter.stderr), answers=answers)


class _Judge:
    """Reads the answers to the runs of a case, one after the other.

    `compared` are the verdicts before the first refusal, which is what the implementation said it can't do.
    """

    def __init__(self, case: Case, ways: Sequence[Chunking], *, keep_answers: bool) -> None:
        self.compared: list[tuple[Chunking, Comparison]] = []
        self.answers: list[Answer] = []
        self.refusal = ""
        self._case, self._ways, self._read, self._keep_answers = case, ways, 0, keep_answers
        self._ideal = Ideal(case)

    @property
    def current(self) -> Chunking:
        """That of the run whose answer is to be read next; the last one's, if all have been read."""
        return self._ways[min(self._read, len(self._ways) - 1)]

    def __call__(self, document: Json, request: Mapping[str, Json]) -> None:
        """Raises ProtocolFault."""
        chunking = self.current
        comparison = self._ideal.verdict(chunking, document, request["id"])
        if comparison is None or self._keep_answers:
            result = parse_result(document, request)
            self._ideal.learn(result)
            if self._keep_answers:
                self.answers.append(answer(chunking, result))
            self.refusal = self.refusal or result.unsupported or ""
            comparison = comparison or (None if self.refusal else compare(self._case, chunking, result))
        if comparison is not None and not self.refusal:
            self.compared.append((chunking, comparison))
        self._read += 1


def _broken(failure: AdapterFailure, chunking: str) -> Failure:
    return Failure(Finding(Level.MESSAGE, failure.reason), chunking, stderr=failure.stderr)


def _summary(
    case: Case,
    compared: Sequence[tuple[Chunking, Comparison]],
    broken: Failure | None = None,
    stderr: tuple[str, ...] = (),
) -> CaseResult:
    """The verdicts over all runs; `broken` is what put an end to them, `stderr` what the adapter wrote meanwhile."""
    failures: dict[Level, Failure] = {}
    for chunking, comparison in compared:
        for finding in comparison.findings:
            known = failures.get(finding.level)
            failures[finding.level] = (
                replace(known, runs=known.runs + 1) if known else Failure(finding, chunking.name, stderr=stderr)
            )
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
