"""The verdicts on one run: message, events, and whether it was prompt, with lag (LEVEL-1 to LEVEL-4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from antiphon_conformance import difference
from antiphon_conformance.case import Case, ExpectedError
from antiphon_conformance.chunkings import Chunking
from antiphon_conformance.json_values import equal
from antiphon_conformance.protocol import AdapterError, Result
from antiphon_conformance.timing import Lag, Offence, measure
from antiphon_conformance.trace import Merged, Piece, actual_trace, error_step, expected_trace, schedule


class Level(StrEnum):
    """The levels of conformance, lowest first; each includes those before it."""

    MESSAGE = "message"
    EVENTS = "events"
    PROMPT = "prompt"


@dataclass(frozen=True)
class Finding:
    """Why a level isn't reached: one line, and the lines of a diff of expected (-) and actual (+)."""

    level: Level
    reason: str
    diff: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The verdicts on one run. None: the case doesn't judge that level. ``findings`` has one for each that is False.

    ``lag`` is known only where the events are right and the case fixes their moments.
    """

    message: bool
    events: bool | None = None
    prompt: bool | None = None
    lag: Lag | None = None
    findings: tuple[Finding, ...] = ()


def compare(case: Case, chunking: Chunking, result: Result) -> Comparison:
    """Judge what came of running a case with a chunking. The result isn't ``unsupported``."""
    message_finding = _judge_message(case, result)
    findings = [message_finding] if message_finding else []
    events = case.expect.events
    if events is None or not case.expect.parses:
        return Comparison(message=not findings, findings=tuple(findings))
    expected, got, moments = expected_trace(events), actual_trace(result), schedule(case, chunking)
    wrong = _judge_events(expected, got, "the error" if result.error else "no further event")
    if wrong:
        return Comparison(not findings, events=False, findings=(*findings, wrong))
    if not case.expect.timed:
        return Comparison(not findings, events=True, findings=tuple(findings))
    timing = measure(*_with_errors(case.expect.error, result, expected, got, len(moments)), moments)
    diff = difference.event_diff(expected, got, moments, case.end, timed=True) if timing.early or timing.late else ()
    if timing.early:
        reason = f"early: {_offence(expected, timing.early, case.end)}, when more text could still change it"
        findings.append(Finding(Level.EVENTS, reason, diff))
    prompt = None if timing.early or not case.prompt_required else timing.late is None
    if timing.late and prompt is False:
        findings.append(Finding(Level.PROMPT, f"late: {_offence(expected, timing.late, case.end)}", diff))
    lag = None if timing.early else timing.lag
    return Comparison(not message_finding, not timing.early, prompt, lag, tuple(findings))


def _judge_message(case: Case, result: Result) -> Finding | None:
    expect = case.expect
    reason: str | None = None
    if expect.error is not None:
        reason = _judge_error(expect.error, result)
    elif expect.loads:
        if result.error and result.error.stage == "load":
            reason = f"the template should load, got {_describe(result.error)}"
    elif result.error is not None:
        reason = f"expected a message, got {_describe(result.error)}"
    elif not equal(expect.message, result.message):
        diff = difference.value_diff(expect.message, result.message)
        return Finding(Level.MESSAGE, f"message{difference.tell(expect.message, result.message)}", diff)
    return Finding(Level.MESSAGE, reason) if reason else None


def _judge_error(expected: ExpectedError, result: Result) -> str | None:
    got = result.error
    wanted = f"expected the error {expected.kind} ({expected.stage})"
    if got is None and expected.stage == "load":
        return f"the template should be refused ({expected.kind}), but is accepted"
    if got is None:
        return f"{wanted}, got the message {difference.show_value(result.message)}"
    if (got.stage == "load") != (expected.stage == "load") or got.kind not in (None, expected.kind):
        return f"{wanted}, got {_describe(got)}"
    for detail in ("pointer", "field", "position"):
        due, given = getattr(expected, detail), getattr(got, detail)
        if due is not None and given not in (None, due):
            return f"{wanted} with {detail} {difference.show_value(due)}, got {difference.show_value(given)}"
    return None


def _judge_events(expected: Sequence[Merged], got: Sequence[Merged], after: str) -> Finding | None:
    """The first event that differs; ``after`` says what came when no more events did."""
    for index in range(max(len(expected), len(got))):
        left = expected[index].event if index < len(expected) else None
        right = got[index].event if index < len(got) else None
        if left is None or right is None or not equal(left, right):
            reason = f"event {index + 1}: {difference.tell_event(left, right, after)}"
            return Finding(Level.EVENTS, reason, difference.event_diff(expected, got))
    return None


def _with_errors(
    error: ExpectedError | None, result: Result, expected: list[Merged], got: list[Merged], steps: int
) -> tuple[list[Merged], list[Merged]]:
    """Both traces, with an error as their last element if both have one."""
    if error is None or error.at is None or result.error is None:
        return expected, got
    step = error_step(result, steps)
    event = {"type": "error", "kind": error.kind}
    return (
        [*expected, Merged(event, (Piece(1, error.at, error.at),))],
        [*got, Merged(event, (Piece(1, step, step),))],
    )


def _offence(expected: Sequence[Merged], offence: Offence, end: int) -> str:
    """What came at the wrong moment, when it was due and when it came."""
    if offence.index < len(expected):
        event = expected[offence.index].event
        what = f"{event['type']} of {difference.show_value(event['field'])}"
        if event["type"] == "region_chunk":
            what = f"code point {offence.offset} of the {what}"
    else:
        what = "the error"
    came, due = difference.moment(offence.came, end), difference.moment(offence.due, end)
    return f"{what} came at {came}, is due at {due}"


def _describe(error: AdapterError) -> str:
    text = f": {difference.shorten(error.message)}" if error.message else ""
    return f"the error {error.kind or 'without a kind'} ({error.stage}){text}"
