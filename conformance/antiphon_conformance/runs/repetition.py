"""Several runs of the same cases against the same implementation, as one: what differs between them is flaky."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.answers import Answer
from antiphon_conformance.runs.runner import AdapterResult, CaseResult, Cost, Flake


def combined(repetitions: Sequence[AdapterResult]) -> AdapterResult:
    """Of each case the result of the repetition in which it did worst, with what differed; the costs together."""
    first = repetitions[0]
    by_id = [{found.case.full_id: found for found in one.cases} for one in repetitions]
    cases = [
        _combined([known[found.case.full_id] for known in by_id if found.case.full_id in known])
        for found in first.cases
    ]
    return replace(
        first,
        cases=tuple(cases),
        interrupted=any(one.interrupted for one in repetitions),
        cost=Cost(*(sum(figures) for figures in zip(*(vars(one.cost).values() for one in repetitions), strict=True))),
    )


def _combined(results: Sequence[CaseResult]) -> CaseResult:
    worst = min(results, key=lambda found: found.failures[0].level.rank if found.failures else len(Level))
    return replace(worst, answers=(), flake=_flake(results))


def _flake(results: Sequence[CaseResult]) -> Flake | None:
    """The first difference from the first repetition."""
    first = results[0]
    for number, other in enumerate(results[1:], 2):
        if _verdicts(first) != _verdicts(other):
            return Flake(number, f"{_told(first)} in repetition 1, {_told(other)} in repetition {number}")
        for one, two in zip(first.answers, other.answers, strict=True):
            if one != two:
                return Flake(number, f"{_part(one, two)} in repetition {number} than in 1 [{one.chunking}]")
    return None


def _verdicts(result: CaseResult) -> object:
    """All that was found, without the words that come from the implementation."""
    failures = [
        (one.level, one.chunking, one.runs, one.finding.run is None and one.finding.reason) for one in result.failures
    ]
    return result.lacks, result.lag, failures


def _told(result: CaseResult) -> str:
    if result.lacks:
        return f"lacks {', '.join(result.lacks)}"
    if not result.failures:
        return "passes"
    return f"fails ({result.failures[0].finding.reason} [{result.failures[0].chunking}])"


def _part(one: Answer, two: Answer) -> str:
    if one.outcome != two.outcome:
        return "another message or error"
    return "other events" if one.events != two.events else "the same events in other steps or pieces"
