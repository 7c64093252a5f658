"""The answer that is right and prompt in everything: most answers are it, and to see that takes less than to judge.

It is compared at the speed of the interpreter's own equality, on documents that nothing has checked. What isn't equal
to it may be right as well, and is left to `protocol.parse_result` and `compare`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from antiphon_conformance.cases.case import Case, ExpectedError, Json
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.implementations.protocol import Result
from antiphon_conformance.judging.compare import Comparison
from antiphon_conformance.judging.json_values import equal
from antiphon_conformance.judging.timing import Lag
from antiphon_conformance.judging.trace import due_steps, expected_trace, schedule

DEEPEST = 50
"""Up to here values are left to Python's equality, which goes down by recursion."""


class Ideal:
    """The ideal answers to the runs of a case that parses.

    Where moments aren't known, any is ideal that has the events whole and in order, in whatever steps. Where the events
    aren't either, they are those of an answer that was found to be sound (`learn`).
    """

    def __init__(self, case: Case) -> None:
        expect = case.expect
        self._case = case
        self._exists = expect.message is not None or (expect.timed and expect.error is not None)
        self._message = exactly(expect.message)
        trace = expected_trace(expect.events or ()) if self._exists else []
        self._expected = [replace(item, event=_comparable(item.event)) for item in trace]
        self._events = [item.event for item in self._expected]
        prompt, lag = (True if case.prompt_required else None, Lag()) if expect.timed else (None, None)
        self._verdict = Comparison(True, None if expect.events is None else True, prompt, lag)

    def verdict(self, chunking: Chunking, answer: Json, number: int) -> Comparison | None:
        """The verdict on the ideal answer to the request of a number; None for any other answer."""
        if not self._exists or type(answer) is not dict or type(answer.get("id")) is not int:
            return None
        error = self._case.expect.error
        came = self._succeeding(chunking, answer) if error is None else self._failing(chunking, error)
        ideal = {"type": "result", "id": number, **came}
        right = answer == ideal or (error is not None and answer == {"final": [], **ideal})
        return self._verdict if right else None

    def learn(self, result: Result) -> None:
        """Take note of an answer to a run; it matters where the case says nothing about events."""
        if self._exists and self._case.expect.events is None and not self._events:
            steps = (result.initial, *result.feeds, result.final)
            self._events = [_comparable(event) for event in chain.from_iterable(steps)]

    def _succeeding(self, chunking: Chunking, answer: Mapping[str, Json]) -> Mapping[str, Json]:
        """What comes of a run that ends with the message; nothing, if the answer has other events than it may."""
        timed = self._case.expect.timed
        steps = due_steps(self._expected, schedule(self._case, chunking)) if timed else self._own(chunking, answer)
        if not steps:
            return {}
        initial, *feeds, final = steps
        return {"initial": initial, "feeds": feeds, "final": final, "message": self._message}

    def _own(self, chunking: Chunking, answer: Mapping[str, Json]) -> Sequence[Json]:
        """Those of the answer, if the events in them are right, or else none."""
        try:
            steps = [answer["initial"], *answer["feeds"], answer["final"]]
        except (KeyError, TypeError):
            return []
        whole = len(steps) == len(chunking.chunks) + 2 and all(type(step) is list for step in steps)
        return steps if whole and list(chain.from_iterable(steps)) == self._events else []

    def _failing(self, chunking: Chunking, error: ExpectedError) -> Mapping[str, Json]:
        """What comes of a run that ends with an error at its moment."""
        moments = schedule(self._case, chunking)
        initial, *feeds, final = due_steps(self._expected, moments)
        step = bisect_left(moments, error.at or 0)
        if step == len(moments) - 1:
            return {"initial": initial, "feeds": feeds, "final": final, "error": Told("finalize", error)}
        stage = "feed" if step else "prefix"
        return {"initial": initial, **({"feeds": feeds[:step]} if step else {}), "error": Told(stage, error)}


class Exactly:
    """A JSON value that is equal to what is the same JSON value, unlike those of Python, for which 1 is true."""

    __slots__ = ("_value",)

    def __init__(self, value: Json) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return equal(self._value, other)

    __hash__ = None  # type: ignore[assignment]  # it is compared with what has none


class Truth(Exactly):
    """The same for true or false; most chunks of a stream are compared with one."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other is self._value

    __hash__ = None


class Told:
    """An error of a stage that is equal to one with its kind, in any words, with all, some or none of its details."""

    __slots__ = ("_members",)

    def __init__(self, stage: str, error: ExpectedError) -> None:
        self._members = {"stage": stage, "kind": error.kind, "field": error.field, "position": error.position}

    def __eq__(self, other: object) -> bool:
        if type(other) is not dict or not {"stage", "kind"} <= other.keys():
            return False
        told = {**other}
        words = told.pop("message", "")
        return type(words) is str and all(
            value is not None and type(value) is type(self._members.get(name)) and value == self._members[name]
            for name, value in told.items()
        )

    __hash__ = None  # type: ignore[assignment]  # it is compared with what has none


def exactly(value: Json) -> object:
    """What is equal to what is the same JSON value: the value itself, if Python's equality will do."""
    if isinstance(value, bool):
        return Truth(value)
    return value if _is_plain(value, DEEPEST) else Exactly(value)


def _is_plain(value: Json, depth: int) -> bool:
    """Whether a value holds neither numbers nor booleans, and isn't nested more deeply."""
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return depth > 0 and all(_is_plain(part, depth - 1) for part in parts)
    return value is None or isinstance(value, str)


def _comparable(event: Mapping[str, Json]) -> Mapping[str, object]:
    """An event whose members are compared exactly."""
    return {name: exactly(value) for name, value in event.items()}
