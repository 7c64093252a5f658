"""What a report document comes to: outcomes, tallies at each level, lag; over all cases, and by topic.

All that shows a report counts with these; a document needs no results of a run, so reports of another day count alike.
What is said about it, in words, is in verdicts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from statistics import median_low

from antiphon_conformance.cases.case import Json
from antiphon_conformance.judging.compare import Level

NOT_STARTED = "none"
"""The chunking of a failure before any run."""


@dataclass(frozen=True)
class Tally:
    """Numbers of cases at one level."""

    passed: int
    failed: int
    unsupported: int

    @property
    def judged(self) -> int:
        return self.passed + self.failed


@dataclass(frozen=True)
class LagFigures:
    """Lag in code points over cases, each by the worst event or code point of its worst chunking.

    `total` is the sum of the cases' own totals. `worst` is the id of the case with the greatest lag, None if none has
    any. `p95` is the least lag that 95 of 100 cases don't exceed.
    """

    max: int
    total: int
    median: int
    p95: int
    worst: str | None


@dataclass(frozen=True)
class Figures:
    """What cases of an implementation come to, at each level. `lag`: None if no case has one."""

    tallies: Mapping[Level, Tally]
    lag: LagFigures | None

    @property
    def conforms(self) -> Level | None:
        """The highest level at which none of the cases fails, if at least one was judged."""
        reached = [level for level, found in self.tallies.items() if found.judged and not found.failed]
        return reached[-1] if reached else None

    @property
    def lacking(self) -> int:
        """Cases that aren't judged, at any level, for what the implementation lacks."""
        return self.tallies[Level.MESSAGE].unsupported

    @property
    def worst_lag(self) -> int:
        """0 also if it isn't known."""
        return self.lag.max if self.lag else 0


@dataclass(frozen=True)
class Topic:
    """A topic in several implementations: how many cases each has in it, and their figures."""

    name: str
    sizes: Sequence[int]
    sides: Sequence[Figures]

    @property
    def size(self) -> int:
        """The number of its cases. An implementation that wasn't run with all has fewer."""
        return max(self.sizes, default=0)


@dataclass(frozen=True)
class Column:
    """An implementation of a report, and what it is called beside others."""

    title: str
    implementation: Mapping[str, Json]

    @property
    def cases(self) -> Sequence[Json]:
        return self.implementation["cases"]  # type: ignore[no-any-return]

    @cached_property
    def required(self) -> list[Json]:
        return [case for case in self.cases if case["required"]]

    @property
    def others(self) -> list[Json]:
        """The cases that aren't required."""
        return [case for case in self.cases if not case["required"]]

    @cached_property
    def figures(self) -> Figures:
        """Those of the required cases."""
        return figures(self.required)

    @property
    def missing(self) -> int:
        """Cases that should have been run, and weren't."""
        return int(self.implementation["missing"])

    @property
    def flaky(self) -> int:
        """Cases that differ when they are run again."""
        return sum("flaky" in case for case in self.cases)

    @property
    def conforms(self) -> Level | None:
        """The highest level at which it conforms; None if there is none, or if cases are missing."""
        return None if self.missing else self.figures.conforms

    @property
    def startup_failure(self) -> Json | None:
        """Why it never told who it is; None if it did."""
        failures = [case["failures"][0] if case["failures"] else None for case in self.cases]
        never = bool(failures) and all(found and found["chunking"] == NOT_STARTED for found in failures)
        return failures[0] if never else None

    def failing(self, level: Level) -> list[tuple[Json, Json]]:
        """The required cases that fail at a level, each with the failure that counts."""
        return [(case, found) for case in self.required if (found := failure(case, level))]


def columns(reports: Iterable[Json]) -> list[Column]:
    """All implementations of reports. Two of one name and version are told apart by their adapters."""
    found = [implementation for report in reports for implementation in report["implementations"]]
    titles = [f"{one['name']} {one['version']}".strip() for one in found]
    return [
        Column(title if titles.count(title) == 1 else f"{title} ({one['adapter']})", one)
        for title, one in zip(titles, found, strict=True)
    ]


def topic(case: Json) -> str:
    """The first folder of the case's file below suite/."""
    return str(case["id"].partition("/")[0])


def failure(case: Json, level: Level) -> Json | None:
    """The failure that counts at a level: that of the lowest level."""
    return next((found for found in case["failures"] if found["level"] in level.included), None)


def outcome(case: Json, level: Level) -> str:
    """`passed`, `failed` or `unsupported`."""
    if "lacks" in case:
        return "unsupported"
    return "passed" if failure(case, level) is None else "failed"


def tally(cases: Iterable[Json], level: Level) -> Tally:
    """Count cases by their outcome."""
    outcomes = [outcome(case, level) for case in cases]
    return Tally(*(outcomes.count(name) for name in ("passed", "failed", "unsupported")))


def figures(cases: Sequence[Json]) -> Figures:
    """What cases of one implementation come to."""
    return Figures({level: tally(cases, level) for level in Level}, lag_figures(cases))


def lag_figures(cases: Iterable[Json]) -> LagFigures | None:
    """The lag over cases; None if no case has one."""
    known = [case for case in cases if case["lag"]]
    if not known:
        return None
    lags = sorted(case["lag"]["max"] for case in known)
    return LagFigures(
        max=lags[-1],
        total=sum(case["lag"]["total"] for case in known),
        median=median_low(lags),
        p95=lags[ceil(0.95 * len(lags)) - 1],
        worst=next((case["id"] for case in known if case["lag"]["max"] == lags[-1] > 0), None),
    )


def topics(sides: Sequence[Iterable[Json]]) -> list[Topic]:
    """The topics of any implementation, in the order of their names; `sides`: the cases of each implementation."""
    found: dict[str, list[list[Json]]] = {}
    for number, cases in enumerate(sides):
        for case in cases:
            found.setdefault(topic(case), [[] for _ in sides])[number].append(case)
    return [Topic(name, list(map(len, some)), list(map(figures, some))) for name, some in sorted(found.items())]
