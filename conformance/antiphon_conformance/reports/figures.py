"""What a report document comes to: outcomes and tallies at a level, by topic, and the lag over cases.

All that shows a report counts with these; a document needs no results of a run, so reports of another day count alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median_low

from antiphon_conformance.cases.case import Json
from antiphon_conformance.cases.suite import matches
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
class Column:
    """An implementation of a report, and what it is called beside others."""

    title: str
    implementation: Mapping[str, Json]

    @property
    def cases(self) -> Sequence[Json]:
        return self.implementation["cases"]  # type: ignore[no-any-return]

    @property
    def required(self) -> list[Json]:
        return [case for case in self.cases if case["required"]]

    @property
    def missing(self) -> int:
        """Cases that should have been run, and weren't."""
        return int(self.implementation["missing"])

    @property
    def conforms(self) -> Level | None:
        """The highest level at which it conforms; None if there is none, or if cases are missing."""
        return None if self.missing else conforms(self.required)

    @property
    def started(self) -> bool:
        """Whether it ever told who it is."""
        return not self.cases or any(
            not case["failures"] or case["failures"][0]["chunking"] != NOT_STARTED for case in self.cases
        )


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
    upto = {one.value for one in list(Level)[: list(Level).index(level) + 1]}
    return next((found for found in case["failures"] if found["level"] in upto), None)


def outcome(case: Json, level: Level) -> str:
    """`passed`, `failed` or `unsupported`."""
    if "lacks" in case:
        return "unsupported"
    return "passed" if failure(case, level) is None else "failed"


def tally(cases: Iterable[Json], level: Level) -> Tally:
    """Count cases by their outcome."""
    outcomes = [outcome(case, level) for case in cases]
    return Tally(*(outcomes.count(name) for name in ("passed", "failed", "unsupported")))


def conforms(cases: Iterable[Json]) -> Level | None:
    """The highest level at which none of these cases fails, if at least one was judged."""
    tallies = {level: tally(cases, level) for level in Level}
    reached = [level for level, found in tallies.items() if found.judged and not found.failed]
    return reached[-1] if reached else None


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


def by_topic(cases: Iterable[Json]) -> dict[str, list[Json]]:
    """Cases by their topics, in the order of the topics' names."""
    found: dict[str, list[Json]] = {}
    for case in cases:
        found.setdefault(topic(case), []).append(case)
    return dict(sorted(found.items()))


def verdict(case: Json, level: Level) -> str:
    """What a report says of a case, in a word or two."""
    if "lacks" in case:
        # Where a run was needed to find out, it is the implementation's own words.
        return f"{'unsupported:' if case['runs'] else 'lacks'} {', '.join(case['lacks'])}"
    found = failure(case, level)
    return "✓" if found is None else f"✗ {kind(found)}"


def kind(found: Json) -> str:
    """What kind of failure it is, in a word or two."""
    broken = next((word for word in ("timed out", "crashed") if found["reason"].startswith(word)), None)
    return broken or ("late" if found["level"] == Level.PROMPT else found["level"])


def matrix(reports: Iterable[Json], glob: str | None = None) -> list[list[str]]:
    """The cases of reports against their implementations: a heading, then a row for each case that matches the glob.

    The columns are the case's description, its id, and the verdict on each implementation at its report's level.
    """
    listed = list(reports)
    levels = [Level(report["level"]) for report in listed for _ in report["implementations"]]
    found = columns(listed)
    rows: dict[str, list[str]] = {}
    descriptions: dict[str, str] = {}
    for number, (column, level) in enumerate(zip(found, levels, strict=True)):
        for case in column.cases:
            if matches(glob, case["id"], case["clauses"]):
                descriptions.setdefault(case["id"], case["description"])
                cells = rows.setdefault(case["id"], ["–"] * len(found))
                cells[number] = verdict(case, level)
    heading = ["what is tried", "case", *(column.title for column in found)]
    return [heading, *([descriptions[name], name, *cells] for name, cells in rows.items())]
