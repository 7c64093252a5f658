"""The report document of a run: plain JSON by schema/report.schema.json.

What it comes to is in figures.py; the other forms in which people see it are made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from antiphon_conformance.cases.case import OPTIONAL, PROPOSALS, Case, Json
from antiphon_conformance.cases.identity import Identity
from antiphon_conformance.cases.selection import ALL, Selection, Shard
from antiphon_conformance.implementations.adapters import RUN_SECONDS
from antiphon_conformance.implementations.protocol import Hello
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import figures, timeline
from antiphon_conformance.runs.runner import AdapterResult, CaseResult, Failure

SETTINGS = ("kit", "level", "seed", "filter", "requires", "timeout", "case_timeout", "repeat")
"""The members of a document that tell how it was made; in them documents agree that are to become one."""


@dataclass(frozen=True)
class Settings:
    """With what a suite was run. `timeout` is in seconds, `case_timeout` too; None: no limit."""

    level: Level = Level.EVENTS
    seed: int = 0
    selection: Selection = ALL
    timeout: float = RUN_SECONDS
    case_timeout: float | None = None
    repeat: int = 1
    shard: Shard | None = None


def document(
    chosen: Sequence[Case],
    results: Iterable[AdapterResult],
    settings: Settings,
    suite: Identity | None = None,
    *,
    interrupted: bool = False,
) -> Json:
    """The report of a run over the chosen cases, or over a shard of them.

    `suite` tells to which suite they belong, if that is known. `interrupted`: some implementations weren't run.
    """
    asked = len(_places(chosen, settings.shard))
    found = [_implementation(result, settings.level, asked) for result in results]
    return of_implementations(chosen, found, settings, suite, interrupted=interrupted)


def of_implementations(
    chosen: Sequence[Case],
    implementations: Sequence[Json],
    settings: Settings,
    suite: Identity | None = None,
    *,
    interrupted: bool = False,
) -> Json:
    """The same of implementations as a report has them."""
    shard = settings.shard
    places = _places(chosen, shard)
    return {
        "report": 1,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "kit": kit_version(),
        "level": settings.level.value,
        "seed": settings.seed,
        "filter": list(settings.selection.filter),
        "requires": list(settings.selection.requires),
        "timeout": settings.timeout,
        "case_timeout": settings.case_timeout,
        "repeat": settings.repeat,
        "shard": {"index": shard.index, "count": shard.count, "places": places} if shard else None,
        "interrupted": interrupted or any(one["missing"] for one in implementations),
        "suite": _suite(suite, [chosen[place] for place in places]),
        "implementations": implementations,
    }


def _places(chosen: Sequence[Case], shard: Shard | None) -> list[int]:
    """Of the chosen cases, those that are run."""
    return [place for place, case in enumerate(chosen) if shard is None or shard.has(case.full_id)]


def _suite(suite: Identity | None, cases: Sequence[Case]) -> Json:
    return {
        "version": suite.version if suite else None,
        "digest": suite.digest if suite else None,
        "required": sum(case.required for case in cases),
        "optional": sum(case.topic == OPTIONAL for case in cases),
        "proposals": sum(case.topic == PROPOSALS for case in cases),
    }


def kit_version() -> str | None:
    """The version of the kit; None in a source checkout that isn't installed."""
    try:
        return version("antiphon")
    except PackageNotFoundError:
        return None


def head(adapter: str, hello: Hello | None, missing: int, *, peer: bool = False) -> Json:
    """An implementation without its cases. `missing`: how many of those that were asked for it wasn't run with."""
    return {
        "adapter": adapter,
        "peer": peer,
        "name": hello.name if hello else adapter,
        "version": hello.version if hello else "",
        "language": hello.language if hello else "",
        "missing": missing,
    }


def with_cases(implementation: Json, cases: Sequence[Json], level: Level) -> Json:
    """An implementation with these cases, and with what they come to at a level."""
    found = figures.figures([case for case in cases if case["required"]])
    return {
        **implementation,
        "conforms": found.conforms.value if found.conforms and not implementation["missing"] else None,
        "tally": vars(found.tallies[level]),
        "lag": vars(found.lag) if found.lag else None,
        "cases": cases,
    }


def _implementation(result: AdapterResult, level: Level, asked: int) -> Json:
    """An implementation as a report has it; `asked`: how many cases it should have been run with."""
    begun = head(result.adapter, result.hello, asked - len(result.cases), peer=result.peer)
    return with_cases(begun, [case_result(case, level) for case in result.cases], level)


def case_result(result: CaseResult, level: Level) -> Json:
    """The verdicts on a case as a report of a level has them."""
    lacks = {"lacks": list(result.lacks)} if result.lacks else {}
    expected = {"expected_failure": True} if result.expected_failure else {}
    flaky = {"flaky": vars(result.flake)} if result.flake else {}
    found = {
        "id": result.case.full_id,
        "description": result.case.description,
        "clauses": list(result.case.clauses),
        "required": result.case.required,
        **lacks,
        "runs": result.runs,
        "verdicts": {"message": result.message, "events": result.events, "prompt": result.prompt},
        "lag": vars(result.lag) if result.lag else None,
        **expected,
        **flaky,
        "failures": [_failure(failure) for failure in result.failures],
    }
    return {**found, "outcome": figures.outcome(found, level)}


def _failure(failure: Failure) -> Json:
    run = failure.finding.run
    seen = {"timeline": timeline.as_json(timeline.folded(timeline.timeline(run)))} if run else {}
    stderr = {"stderr": list(failure.stderr)} if failure.stderr else {}
    return {
        "level": failure.level.value,
        "reason": failure.finding.reason,
        "chunking": failure.chunking,
        "runs": failure.runs,
        **seen,
        **stderr,
    }
