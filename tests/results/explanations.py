"""Which fault of an implementation explains which failing case: conformance/results/explanations.json, applied.

The first fault that fits a case explains it, so special ones stand before general ones. Nothing is explained by
default: a case that no fault fits is *unexplained*, and a fault, or a part of one, that explains nothing is *stale*.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[2] / "conformance" / "results"
FILE = RESULTS / "explanations.json"


@dataclass(frozen=True)
class Where:
    """A part of the failing cases; all that is said must hold of a case, and of its failure at the lowest level.

    `cases`: globs of ids; `reason`: a regular expression that is found in it; `chunked`: whether it's right in one
    piece; `late`: by "one" code point at most, or by "more".
    """

    cases: tuple[str, ...] = ()
    reason: str = ""
    level: str | None = None
    chunked: bool | None = None
    late: str | None = None

    def fits(self, case: Mapping[str, Any]) -> bool:
        """Whether a failing case of a report belongs to it."""
        failure = case["failures"][0]
        return (
            (not self.cases or any(fnmatchcase(case["id"], glob) for glob in self.cases))
            and re.search(self.reason, failure["reason"]) is not None
            and self.level in (None, failure["level"])
            and self.chunked in (None, failure["chunking"] not in ("whole", "none"))
            and self.late in (None, _lateness(case))
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
    """What came of a report. `by`: for a fault's slug and an implementation the ids of the cases, in their order."""

    by: Mapping[tuple[str, str], Sequence[str]]
    unexplained: Sequence[tuple[str, str]] = field(default=())
    stale: Sequence[str] = field(default=())


def faults(file: Path = FILE) -> list[Fault]:
    """The faults in their order."""
    return [_fault(**source) for source in json.loads(file.read_text("utf-8"))["faults"]]


def explain(known: Sequence[Fault], report: Mapping[str, Any]) -> Explained:
    """Hold the faults against the failing required cases of a report."""
    by: dict[tuple[str, str], list[str]] = {(one.slug, name): [] for one in known for name in one.implementations}
    unexplained: list[tuple[str, str]] = []
    used: set[str] = set()
    for name, cases in failing(report).items():
        for case in cases:
            found = next((one for one in known if name in one.implementations and _uses(one, case)), None)
            if found is None:
                unexplained.append((name, case["id"]))
            else:
                by[found.slug, name].append(case["id"])
                used.update(_uses(found, case))
    stale = [f"{slug}: explains nothing of {name}" for (slug, name), cases in by.items() if not cases]
    stale += [label for one in known for label in _labels(one) if label not in used]
    return Explained(by, unexplained, stale)


def failing(report: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """For each implementation, by name and version, the required cases that fail at the report's level."""
    return {
        f"{one['name']} {one['version']}": [
            case for case in one["cases"] if case["outcome"] == "failed" and case["required"]
        ]
        for one in report["implementations"]
    }


def newest() -> Path:
    """The stored report of the latest run."""
    return max(RESULTS.glob("20*.json"))


def _uses(fault: Fault, case: Mapping[str, Any]) -> set[str]:
    """The labels of the parts of a fault, and of their globs, that fit a case."""
    used: set[str] = set()
    for number, where in enumerate(fault.where):
        if where.fits(case):
            used.add(f"{fault.slug}: where {number}")
            used.update(
                f"{fault.slug}: where {number}: {glob}" for glob in where.cases if fnmatchcase(case["id"], glob)
            )
    return used


def _labels(fault: Fault) -> list[str]:
    return [
        label
        for number, where in enumerate(fault.where)
        for label in (
            f"{fault.slug}: where {number}",
            *(f"{fault.slug}: where {number}: {glob}" for glob in where.cases),
        )
    ]


def _fault(*, where: list[dict[str, Any]], clauses: list[str], implementations: list[str], **texts: str) -> Fault:
    parts = tuple(Where(**{**part, "cases": tuple(part.get("cases", ()))}) for part in where)
    return Fault(**texts, clauses=tuple(clauses), implementations=tuple(implementations), where=parts)


def _lateness(case: Mapping[str, Any]) -> str:
    return "more" if case["lag"] and case["lag"]["max"] > 1 else "one"
