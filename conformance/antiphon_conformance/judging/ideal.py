"""The answer that is right and prompt in everything: most answers are it, and to see that takes less than to judge.

It is compared at the speed of the interpreter's own equality, on documents that nothing has checked. What isn't equal
to it may be right as well, and is left to `protocol.parse_result` and `compare`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.judging.compare import Comparison
from antiphon_conformance.judging.json_values import equal
from antiphon_conformance.judging.timing import Lag
from antiphon_conformance.judging.trace import Merged, due_steps, expected_trace, schedule


class Ideal:
    """The ideal answers to the runs of a case. There are none where errors end them, or moments aren't known."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._exists = case.expect.message is not None and case.expect.timed
        self._message = Exactly(case.expect.message)
        self._expected = [_exactly(item) for item in expected_trace(case.expect.events or ())] if self._exists else []
        self._verdict = Comparison(True, True, True if case.prompt_required else None, Lag()) if self._exists else None

    def verdict(self, chunking: Chunking, answer: Json, number: int) -> Comparison | None:
        """The verdict on the ideal answer to the request of a number; None for any other answer."""
        if not self._exists:
            return None
        initial, *feeds, final = due_steps(self._expected, schedule(self._case, chunking))
        ideal = {
            "type": "result",
            "id": Exactly(number),
            "initial": initial,
            "feeds": feeds,
            "final": final,
            "message": self._message,
        }
        return self._verdict if answer == ideal else None


class Exactly:
    """A JSON value that is equal to what is the same JSON value, unlike those of Python, for which 1 is true."""

    __slots__ = ("_value",)

    def __init__(self, value: Json) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return other is self._value if isinstance(self._value, bool) else equal(self._value, other)

    __hash__ = None  # type: ignore[assignment]  # it is compared with what has none


def _exactly(item: Merged) -> Merged:
    """An event whose members are compared exactly, as far as it matters."""
    event: Mapping[str, Json] = {
        name: Exactly(value) if name in ("dirty", "value") else value for name, value in item.event.items()
    }
    return replace(item, event=event)
