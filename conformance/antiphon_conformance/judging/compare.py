"""The verdicts on one run: message, events, and whether it was prompt, with lag (LEVEL-1 to LEVEL-4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from antiphon_conformance.cases.case import Case, ExpectedError
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.display import show_value
from antiphon_conformance.implementations.protocol import Result
from antiphon_conformance.judging import difference
from antiphon_conformance.judging.difference import show_error
from antiphon_conformance.judging.json_values import equal
from antiphon_conformance.judging.timing import Lag, Offence, measure
from antiphon_conformance.judging.trace import (
    Merged,
    actual_trace,
    as_told,
    ending,
    error_step,
    expected_trace,
    schedule,
)


class Level(StrEnum):
    """The levels of conformance, lowest first; each includes those before it."""

    MESSAGE = "message"
    EVENTS = "events"
    PROMPT = "prompt"

    @property
    def rank(self) -> int:
        """Its place among the levels, from 0, the lowest."""
        return (*Level,).index(self)

    @property
    def included(self) -> tuple[Level, ...]:
        """This level and those below it, lowest first."""
        return (*Level,)[: self.rank + 1]


@dataclass(frozen=True)
class Run:
    """A case, how its text was cut, and what came; None: no answer."""

    case: Case
    chunking: Chunking
    result: Result | None


@dataclass(frozen=True)
class Finding:
    """Why a level isn't reached, in one line, and the run in which that was found, if it came to its end."""

    level: Level
    reason: str
    run: Run | None = None


@dataclass(frozen=True)
class Comparison:
    """The verdicts on one run. None: the case doesn't judge that level. `findings` has one for each that is False.

    `lag` is known only where the events are right and the case fixes their moments.
    """

    message: bool
    events: bool | None = None
    prompt: bool | None = None
    lag: Lag | None = None
    findings: tuple[Finding, ...] = ()


def compare(case: Case, chunking: Chunking, result: Result) -> Comparison:
    """Judge what came of running a case with a chunking. The result isn't `unsupported`."""
    run = Run(case, chunking, result)
    message_finding = _judge_message(run)
    findings = [message_finding] if message_finding else []
    events = case.expect.events
    if events is None or not case.expect.parses:
        return Comparison(message=not findings, findings=tuple(findings))
    got, moments = actual_trace(result), schedule(case, chunking)
    expected = as_told(_expected(case), got)
    errors = _errors(case.expect.error, result, len(moments), right=not findings)
    wrong = _judge_events(run, expected, got, *errors)
    if wrong:
        return Comparison(not findings, events=False, findings=(*findings, wrong))
    if not case.expect.timed:
        return Comparison(not findings, events=True, findings=tuple(findings))
    if all(errors):
        expected, got = expected + errors[0], got + errors[1]
    timing = measure(expected, got, moments)
    if timing.early:
        reason = f"early: {_offence(expected, timing.early, case.end)}, when more text could still change it"
        findings.append(Finding(Level.EVENTS, reason, run))
    prompt = None if timing.early or not case.prompt_required else timing.late is None
    if timing.late and prompt is False:
        findings.append(Finding(Level.PROMPT, f"late: {_offence(expected, timing.late, case.end)}", run))
    lag = None if timing.early else timing.lag
    return Comparison(not message_finding, not timing.early, prompt, lag, tuple(findings))


@lru_cache(maxsize=64)  # a case has many runs
def _expected(case: Case) -> list[Merged]:
    return expected_trace(case.expect.events or ())


def first_unequal(expected: Sequence[Merged], got: Sequence[Merged]) -> int | None:
    """The index of the first event that differs; None if the two are the same."""
    for index, (left, right) in enumerate(zip(expected, got, strict=False)):
        if not (equal(left.event, right.event) if "value" in left.event else left.event == right.event):
            return index
    return None if len(expected) == len(got) else min(len(expected), len(got))


def _judge_message(run: Run) -> Finding | None:
    expect, result = run.case.expect, run.result
    assert result is not None
    reason: str | None = None
    if expect.error is not None:
        reason = _judge_error(expect.error, result)
    elif expect.loads:
        if result.error and result.error.stage == "load":
            reason = f"the template should load, got the {show_error(result.error)}"
    elif result.error is not None:
        reason = f"expected a message, got the {show_error(result.error)}"
    elif not equal(expect.message, result.message):
        reason = f"message{difference.tell(expect.message, result.message)}"
    return None if reason is None else Finding(Level.MESSAGE, reason, run)


def _judge_error(expected: ExpectedError, result: Result) -> str | None:
    got = result.error
    wanted = f"expected the {show_error(expected)}"
    if got is None and expected.stage == "load":
        return f"the template should be refused ({expected.kind}), but is accepted"
    if got is None:
        return f"{wanted}, got the message {show_value(result.message)}"
    if (got.stage == "load") != (expected.stage == "load") or got.kind not in (None, expected.kind):
        return f"{wanted}, got the {show_error(got)}"
    for detail, due in expected.details.items():
        given = getattr(got, detail)
        if given not in (None, due):
            return f"{wanted} with {detail} {show_value(due)}, got {show_value(given)}"
    return None


def _judge_events(
    run: Run, expected: list[Merged], got: list[Merged], error: list[Merged], got_error: list[Merged]
) -> Finding | None:
    """The first event that differs. The errors, if any, aren't judged here, but shown."""
    index = first_unequal(expected, got)
    if index is None:
        return None
    left, right = next(iter(expected[index:] or error), None), next(iter(got[index:] or got_error), None)
    return Finding(Level.EVENTS, f"event {index + 1}: {difference.tell_event(left, right)}", run)


def _errors(
    expected: ExpectedError | None, result: Result, steps: int, *, right: bool
) -> tuple[list[Merged], list[Merged]]:
    """The last elements of both traces: the errors, if any. `right`: they count as the same."""
    got = result.error
    due = expected.at if expected else None
    shown = show_error(got if got and right else expected) if expected else ""
    left = [ending(shown, due)] if expected else []
    return left, [ending(show_error(got), error_step(got.stage, len(result.feeds), steps))] if got else []


def _offence(expected: Sequence[Merged], offence: Offence, end: int) -> str:
    """What came at the wrong moment, when it was due and when it came."""
    event = expected[offence.index].event
    what = "the error" if event["type"] == "error" else f"{event['type']} of {show_value(event['field'])}"
    if event["type"] == "region_chunk":
        what = f"code point {offence.offset} of the {what}"
    came, due = difference.moment(offence.came, end), difference.moment(offence.due, end)
    return f"{what} came at {came}, is due at {due}"
