"""What was expected and what came, in few words, for people. Side by side it is in reports/timeline.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from antiphon_conformance.cases.case import ExpectedError, Json
from antiphon_conformance.display import VALUE_LIMIT, escape, shorten, show_value
from antiphon_conformance.implementations.protocol import AdapterError
from antiphon_conformance.judging.json_values import ABSENT, first_difference
from antiphon_conformance.judging.trace import Merged

HEAD = 30
"""Code points of a long line that are kept before what differs."""


def tell(expected: Json, got: Json) -> str:
    """The place of the first difference of two values, and what each has there."""
    found = first_difference(expected, got)
    if found is None:
        return ": no difference"
    place = f" at {shorten(found.pointer)}" if found.pointer else ""
    return f"{place}: expected {_value(found.expected)}, got {_value(found.got)}"


def tell_event(expected: Merged | None, got: Merged | None) -> str:
    """How one event differs from another; None where a trace has ended."""
    if expected and got and all(expected.event.get(key) == got.event.get(key) for key in ("type", "field")):
        return f"{expected.event['type']} of {show_value(expected.event['field'])}{tell(expected.event, got.event)}"
    return f"expected {_named(expected)}, got {_named(got)}"


def _named(item: Merged | None) -> str:
    if item is None:
        return "no further event"
    return f"the {show_event(item.event)}" if item.event["type"] == "error" else show_event(item.event)


@lru_cache(maxsize=1024)  # a case has many runs
def show_error(error: ExpectedError | AdapterError) -> str:
    """An error on one line."""
    text = f": {shorten(error.message)}" if isinstance(error, AdapterError) and error.message else ""
    return f"error {error.kind or 'without a kind'} ({error.stage}){text}"


def show_outcome(message: Json, error: ExpectedError | None, limit: int = VALUE_LIMIT) -> str:
    """What a run comes to, on one line: an error with its details, or a message; without either the template loads."""
    if error is not None:
        details = (f"{name} {show_value(value)}" for name, value in error.details.items())
        return " ".join([show_error(error), *details])
    return "the template loads" if message is None else f"message {show_value(message, limit)}"


def show_event(event: Mapping[str, Json], limit: int = VALUE_LIMIT) -> str:
    """An event on one line, its values up to `limit` code points; also what a trace may end with (`trace.ending`)."""
    if event["type"] == "error":
        return str(event["shown"])
    details = [show_value(event[key], limit) for key in ("kind", "text", "value") if key in event]
    marks = ["dirty"] if event.get("dirty") else []
    return " ".join([event["type"], shorten(event["field"]), *details, *marks])


def abridged(expected: str | None, got: str | None, limit: int) -> tuple[str | None, str | None]:
    """Two lines, escaped; where they are longer than `limit` code points, with their beginnings and what differs."""
    if expected is None or got is None or expected == got:
        return expected and shorten(expected, limit), got and shorten(got, limit)
    start = max(0, common_length(expected, got) - HEAD)
    return _window(expected, start, limit), _window(got, start, limit)


def common_length(left: Sequence[str], right: Sequence[str]) -> int:
    """How many code points two texts, or elements two lists, have in common at their beginnings."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(left), len(right)))


def _window(line: str, start: int, limit: int) -> str:
    if len(line) <= limit:
        return escape(line)
    start = min(start, len(line) - limit + HEAD)
    if start <= HEAD:
        start, head = 0, ""
    else:
        head = f"{line[:HEAD]}…({start - HEAD} more)…"
    rest = line[start : start + limit - HEAD]
    tail = len(line) - start - len(rest)
    return escape(head + rest + (f"…({tail} more)" if tail else ""))


def timed_lines(expected: Iterable[Merged], end: int) -> list[str]:
    """What is expected, line by line, with the moments, if they are fixed; `end` is that of the end of the stream."""
    shown = [(show_event(item.event), moments_of(item.each, end)) for item in expected]
    return [f"{line}  @{moments}" if moments else line for line, moments in shown]


def moment(value: int, end: int) -> str:
    """A moment as the case files write it."""
    return "end" if value == end else str(value)


def moments_of(each: Iterable[int], end: int) -> str:
    """The moments of code points: `4`, `4..9` one by one, `4×2,9` two at 4 and one at 9; nothing for none."""
    spans: list[tuple[int, int, int]] = []  # first and last moment, code points at each
    for now, group in groupby(each):
        size = len(list(group))
        if spans and size == spans[-1][2] == 1 and now == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], now, 1)
        else:
            spans.append((now, now, size))
    texts = [
        moment(first, end)
        + (f"..{moment(last, end)}" if last > first else "")
        + (f"×{size}" if size > 1 and len(spans) > 1 else "")
        for first, last, size in spans
    ]
    return ",".join(texts if len(texts) <= 6 else [*texts[:3], "…", *texts[-2:]])


def _value(value: Json) -> str:
    return "nothing" if value is ABSENT else show_value(value)
