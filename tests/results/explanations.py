"""Which fault of an implementation explains which failing case: conformance/results/explanations.json, applied.

The first fault that fits a case explains it, so special ones stand before general ones. Nothing is explained by
default: a case that no fault fits is *unexplained*, a fault, or a part of one, that explains nothing is *stale*, and
one whose clauses neither the case nor the failure is about is *unsupported*.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from antiphon_conformance import inputs
from antiphon_conformance.cases.selection import NOT, filtered, matches

RESULTS = Path(__file__).parents[2] / "conformance" / "results"
FILE = RESULTS / "explanations.json"
STORED = "20*.json.gz"


@dataclass(frozen=True)
class Where:
    """A part of the failing cases; all that is said must hold of a case, and of its failure at the lowest level.

    `filter`: as for `--filter`, globs of ids and clauses, of which any chooses a case and any with ! leaves it out;
    `reason`: a regular expression that is found in the failure's; `level`: of the failure; `chunked`: whether the case
    is right in one piece; `late`: by "one" code point at most, or by "more". `breaks`: the clause that such a failure
    breaks whatever the case is about, which only what is said of the failure itself can show.
    """

    filter: tuple[str, ...] = ()
    reason: str = ""
    level: str | None = None
    chunked: bool | None = None
    late: str | None = None
    breaks: str | None = None

    def __post_init__(self) -> None:
        if self.breaks and not (self.reason or self.chunked or self.late):
            raise ValueError(f"breaks {self.breaks}: nothing is said of the failure that shows it")

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Whether a failing case of a report belongs to it."""
        failure = case["failures"][0]
        return (
            self.level in (None, failure["level"])
            and self.chunked in (None, failure["chunking"] not in ("whole", "none"))
            and self.late in (None, _lateness(case))
            and re.search(self.reason, failure["reason"]) is not None
            and filtered(self.filter, case["id"], case["clauses"])
        )


@dataclass(frozen=True)
class Fault:
    """What implementations get wrong: in plain words, by the clauses that say what is right, and where it shows."""

    slug: str
    title: str
    text: str
    clauses: tuple[str, ...]
    implementations: tuple[str, ...]
    where: tuple[Where, ...]


@dataclass(frozen=True)
class Explained:
    """What came of a report. `by`: for a fault's slug and an implementation the ids of the cases, in their order.

    The others are lines for people, of what is wrong with the explanations.
    """

    by: Mapping[tuple[str, str], Sequence[str]]
    unexplained: Sequence[str] = ()
    unsupported: Sequence[str] = ()
    stale: Sequence[str] = ()

    @property
    def problems(self) -> list[str]:
        return [*self.unexplained, *self.unsupported, *self.stale]


def faults(file: Path = FILE) -> list[Fault]:
    """The faults in their order."""
    return [_fault(**source) for source in json.loads(file.read_text("utf-8"))["faults"]]


def explain(known: Sequence[Fault], report: Mapping[str, Any]) -> Explained:
    """Hold the faults against the failing required cases of a report."""
    by: dict[tuple[str, str], list[str]] = {(one.slug, name): [] for one in known for name in one.implementations}
    unexplained: list[str] = []
    unsupported: list[str] = []
    used: set[str] = set()
    for name, cases in failing(report).items():
        for case in cases:
            found = next((one for one in known if name in one.implementations and any(_parts(one, case))), None)
            if found is None:
                unexplained.append(f"{name}: {case['id']}: no fault explains `{case['failures'][0]['reason']}`")
                continue
            by[found.slug, name].append(case["id"])
            used.update(label for number, where in _parts(found, case) for label in _used(found, number, where, case))
            if not _supported(found, case):
                unsupported.append(f"{name}: {case['id']}: isn't about the clauses of {found.slug}")
    stale = [f"{slug}: explains nothing of {name}" for (slug, name), cases in by.items() if not cases]
    stale += [f"{label}: fits nothing" for one in known for label in _labels(one) if label not in used]
    return Explained(by, unexplained, unsupported, stale)


def failing(report: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """For each implementation, by name and version, the required cases that fail at the report's level."""
    return {
        f"{one['name']} {one['version']}": [
            case for case in one["cases"] if case["outcome"] == "failed" and case["required"]
        ]
        for one in report["implementations"]
    }


def newest() -> Path:
    """The file of the stored report."""
    return max(RESULTS.glob(STORED))


@lru_cache(maxsize=1)
def stored() -> Any:
    """The stored report."""
    return inputs.read_report(newest())


def _parts(fault: Fault, case: Mapping[str, Any]) -> Iterator[tuple[int, Where]]:
    """The parts of a fault that fit a case, with their numbers."""
    return ((number, where) for number, where in enumerate(fault.where) if where.fits(case))


def _supported(fault: Fault, case: Mapping[str, Any]) -> bool:
    """Whether the case is about a clause of the fault, or its failure shows that one is broken."""
    shown = {where.breaks for _, where in _parts(fault, case)}
    return bool(set(fault.clauses) & (shown | set(case["clauses"])))


def _used(fault: Fault, number: int, where: Where, case: Mapping[str, Any]) -> Iterator[str]:
    """The labels of a part, and of its globs, that a case needs."""
    yield _label(fault, number)
    yield from (_label(fault, number, glob) for glob in where.filter if matches(glob, case["id"], case["clauses"]))


def _labels(fault: Fault) -> Iterator[str]:
    """All that is to be used, of a fault. That a glob with ! leaves nothing out can't be told from its own cases."""
    for number, where in enumerate(fault.where):
        yield _label(fault, number)
        yield from (_label(fault, number, glob) for glob in where.filter if not glob.startswith(NOT))


def _label(fault: Fault, number: int, glob: str = "") -> str:
    return f"{fault.slug}: where {number}" + (f": {glob}" if glob else "")


def _fault(*, where: list[dict[str, Any]], clauses: list[str], implementations: list[str], **texts: str) -> Fault:
    parts = tuple(Where(**{**part, "filter": tuple(part.get("filter", ()))}) for part in where)
    return Fault(**texts, clauses=tuple(clauses), implementations=tuple(implementations), where=parts)


def _lateness(case: Mapping[str, Any]) -> str:
    return "more" if case["lag"] and case["lag"]["max"] > 1 else "one"
