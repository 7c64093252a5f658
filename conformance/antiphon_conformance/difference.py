"""What was expected and what came, side by side and in few words, for people."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from antiphon_conformance.case import ExpectedError, Json
from antiphon_conformance.display import shorten, show_value
from antiphon_conformance.json_values import ABSENT, first_difference
from antiphon_conformance.protocol import AdapterError
from antiphon_conformance.trace import Merged

LINE_LIMIT = 30
"""Lines of a diff that are kept: beyond, equal stretches and the rest are left out."""

Row = tuple[str, tuple[tuple[int, int], ...]]
"""An event's line, and the steps of its code points as runs of equal ones: step and length."""


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


def show_error(error: ExpectedError | AdapterError) -> str:
    """An error on one line."""
    text = f": {shorten(error.message)}" if isinstance(error, AdapterError) and error.message else ""
    return f"error {error.kind or 'without a kind'} ({error.stage}){text}"


def show_event(event: Mapping[str, Json]) -> str:
    """An event on one line; also the error that a trace may end with (`trace.ending`)."""
    if event["type"] == "error":
        return str(event["shown"])
    details = [show_value(event[key]) for key in ("kind", "text", "value") if key in event]
    marks = ["dirty"] if event.get("dirty") else []
    return " ".join([event["type"], shorten(event["field"]), *details, *marks])


def event_diff(expected: Sequence[Merged], got: Sequence[Merged], moments: Sequence[int] = ()) -> tuple[str, ...]:
    """Two traces line by line: expected (-), got (+), both ( ).

    With `moments`, those of the run's steps, each event has those of the steps in which it was due, and came.
    """
    left = [_row(item, [bisect_left(moments, due) for due in item.each] if moments else ()) for item in expected]
    right = [_row(item, item.each if moments else ()) for item in got]
    lines: list[str] = []
    for tag, start, stop, from_, to in difflib.SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        if tag == "equal":
            same = [f"  {_show_row(row, moments)}" for row in left[start:stop]]
            lines += same if len(same) <= 5 else [*same[:2], f"  … {len(same) - 4} more …", *same[-2:]]
        else:
            lines += [f"- {_show_row(row, moments)}" for row in left[start:stop]]
            lines += [f"+ {_show_row(row, moments)}" for row in right[from_:to]]
    return tuple(lines if len(lines) <= LINE_LIMIT else [*lines[:LINE_LIMIT], f"  … {len(lines) - LINE_LIMIT} more …"])


def timed_lines(expected: Iterable[Merged], end: int) -> list[str]:
    """What is expected, line by line, with the moments, if they are fixed; `end` is that of the end of the stream."""
    return [_show_row(_row(item, item.each), range(end + 1)) for item in expected]


def moment(value: int, end: int) -> str:
    """A moment as the case files write it."""
    return "end" if value == end else str(value)


def _row(item: Merged, steps: Iterable[int]) -> Row:
    return show_event(item.event), tuple((step, len(list(group))) for step, group in groupby(steps))


def _show_row(row: Row, moments: Sequence[int]) -> str:
    """The line with its moments: `@4`, `@4..9` one by one, `@4×2,9` two code points at 4 and one at 9."""
    line, runs = row
    spans: list[tuple[int, int, int]] = []  # first and last moment, code points at each
    for step, size in runs:
        now = moments[step]
        if spans and size == spans[-1][2] == 1 and now == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], now, 1)
        else:
            spans.append((now, now, size))
    texts = [
        moment(first, moments[-1])
        + (f"..{moment(last, moments[-1])}" if last > first else "")
        + (f"×{size}" if size > 1 and len(spans) > 1 else "")
        for first, last, size in spans
    ]
    shown = texts if len(texts) <= 6 else [*texts[:3], "…", *texts[-2:]]
    return f"{line}  @{','.join(shown)}" if shown else line


def _value(value: Json) -> str:
    return "nothing" if value is ABSENT else show_value(value)
