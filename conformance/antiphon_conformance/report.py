"""The report document of a run: plain JSON by schema/report.schema.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from antiphon_conformance.adapters import RUN_SECONDS
from antiphon_conformance.case import Case, Json
from antiphon_conformance.compare import Level
from antiphon_conformance.runner import AdapterResult, CaseResult, Failure
from antiphon_conformance.suite import matches
from antiphon_conformance.timing import Lag


@dataclass(frozen=True)
class Settings:
    """With what a suite was run. `timeout` is in seconds."""

    level: Level = Level.EVENTS
    seed: int = 0
    filter: str | None = None
    timeout: float = RUN_SECONDS


@dataclass(frozen=True)
class Tally:
    """Numbers of cases at one level."""

    passed: int
    failed: int
    unsupported: int


def tally(results: Iterable[CaseResult], level: Level) -> Tally:
    """Count results by their outcome."""
    outcomes = [outcome(result, level) for result in results]
    return Tally(*(outcomes.count(name) for name in ("passed", "failed", "unsupported")))


def outcome(result: CaseResult, level: Level) -> str:
    """`passed`, `failed` or `unsupported`."""
    if result.lacks:
        return "unsupported"
    return "passed" if result.passes(level) else "failed"


def worst_lag(results: Iterable[CaseResult]) -> Lag | None:
    """The greatest lag of any case, and the sum of the cases' totals; None if none has one."""
    lags = [result.lag for result in results if result.lag is not None]
    return Lag(max(lag.max for lag in lags), sum(lag.total for lag in lags)) if lags else None


def document(cases: Sequence[Case], results: Iterable[AdapterResult], settings: Settings) -> Json:
    """The report of a run over these cases."""
    required = sum(case.required for case in cases)
    return {
        "report": 1,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "kit": kit_version(),
        "level": settings.level.value,
        "seed": settings.seed,
        "filter": settings.filter,
        "timeout": settings.timeout,
        "suite": {"required": required, "optional": len(cases) - required},
        "implementations": [_implementation(result, settings.level) for result in results],
    }


def write(path: Path, report: Json) -> None:
    """Write a report. Raises OSError."""
    path.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


def matrix(reports: Iterable[Json], glob: str | None = None) -> list[list[str]]:
    """The cases of reports against their implementations: a heading, then a row for each case that matches the glob.

    The columns are the case's description, its id, and the verdict on each implementation.
    """
    implementations = [found for document in reports for found in document["implementations"]]
    titles = [f"{found['name']} {found['version']}" for found in implementations]
    rows: dict[str, list[str]] = {}
    descriptions: dict[str, str] = {}
    for column, found in enumerate(implementations):
        for case in found["cases"]:
            if matches(glob, case["id"], case["clauses"]):
                descriptions.setdefault(case["id"], case["description"])
                cells = rows.setdefault(case["id"], ["–"] * len(implementations))
                cells[column] = _verdict(case)
    heading = ["what is tried", "case"]
    for title, found in zip(titles, implementations, strict=True):
        heading.append(title if titles.count(title) == 1 else f"{title} ({found['adapter']})")
    return [heading, *([descriptions[name], name, *cells] for name, cells in rows.items())]


def markdown(table: Sequence[Sequence[str]]) -> str:
    """A table as Markdown: its heading, and its rows with the second column as code."""
    heading, *rows = table
    lines = [heading, ["---"] * len(heading), *([first, f"`{name}`", *rest] for first, name, *rest in rows)]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def kit_version() -> str | None:
    """The version of the kit; None in a source checkout that isn't installed."""
    try:
        return version("antiphon")
    except PackageNotFoundError:
        return None


def _verdict(case: Json) -> str:
    """What a report says of a case, in a word or two."""
    if case["outcome"] == "unsupported":
        # Where a run was needed to find out, it is the implementation's own words.
        return f"{'unsupported:' if case['runs'] else 'lacks'} {', '.join(case['lacks'])}"
    if case["outcome"] == "passed":
        return "✓"
    failure = case["failures"][0]
    broken = next((word for word in ("timed out", "crashed") if failure["reason"].startswith(word)), None)
    return f"✗ {broken or ('late' if failure['level'] == 'prompt' else failure['level'])}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _implementation(result: AdapterResult, level: Level) -> Json:
    hello, conforms = result.hello, result.conforms()
    return {
        "adapter": result.adapter,
        "name": hello.name if hello else result.adapter,
        "version": hello.version if hello else "",
        "language": hello.language if hello else "",
        "conforms": conforms.value if conforms else None,
        "tally": vars(tally(result.required(), level)),
        "lag": _lag(worst_lag(result.required())),
        "cases": [_case(case, level) for case in result.cases],
    }


def _case(result: CaseResult, level: Level) -> Json:
    lacks = {"lacks": list(result.lacks)} if result.lacks else {}
    return {
        "id": result.case.full_id,
        "description": result.case.description,
        "clauses": list(result.case.clauses),
        "required": result.case.required,
        "outcome": outcome(result, level),
        **lacks,
        "runs": result.runs,
        "verdicts": {"message": result.message, "events": result.events, "prompt": result.prompt},
        "lag": _lag(result.lag),
        "failures": [_failure(failure) for failure in result.failures],
    }


def _failure(failure: Failure) -> Json:
    stderr = {"stderr": list(failure.stderr)} if failure.stderr else {}
    return {
        "level": failure.level.value,
        "reason": failure.finding.reason,
        "chunking": failure.chunking,
        "runs": failure.runs,
        "diff": list(failure.finding.diff),
        **stderr,
    }


def _lag(lag: Lag | None) -> Json:
    return None if lag is None else {"max": lag.max, "total": lag.total}
