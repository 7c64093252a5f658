"""What was expected and what came, side by side and in few words, for people."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from antiphon_conformance.case import Json
from antiphon_conformance.display import shorten, show_value
from antiphon_conformance.json_values import ABSENT, first_difference
from antiphon_conformance.trace import Merged, Piece

LINE_LIMIT = 30
"""Lines of a diff that are kept: beyond, equal stretches and the rest are left out."""

__all__ = ["event_diff", "moment", "shorten", "show_value", "tell", "tell_event", "value_diff"]


def tell(expected: Json, got: Json) -> str:
    """The place of the first difference of two values, and what each has there."""
    found = first_difference(expected, got)
    if found is None:
        return ": no difference"
    place = f" at {shorten(found.pointer)}" if found.pointer else ""
    return f"{place}: expected {_value(found.expected)}, got {_value(found.got)}"


def tell_event(expected: Mapping[str, Json] | None, got: Mapping[str, Json] | None, after: str) -> str:
    """How one event differs from another; None where a trace has ended, ``after`` says with what."""
    if expected is not None and got is not None and all(expected.get(key) == got.get(key) for key in ("type", "field")):
        return f"{_title(expected)}{tell(expected, got)}"
    wanted = _line(expected) if expected is not None else "no further event"
    return f"expected {wanted}, got {_line(got) if got is not None else after}"


def value_diff(expected: Json, got: Json) -> tuple[str, ...]:
    """Two values, one line each."""
    return f"- {show_value(expected, 300)}", f"+ {show_value(got, 300)}"


def event_diff(
    expected: Sequence[Merged], got: Sequence[Merged], moments: Sequence[int] = (), end: int = 0, *, timed: bool = False
) -> tuple[str, ...]:
    """Two traces line by line: expected (-), got (+), both ( ). ``timed``: with the moments, those due and those of the
    steps."""
    left = [_line(item.event) + (_due(item.pieces, end) if timed else "") for item in expected]
    came = [
        tuple(Piece(piece.size, moments[piece.first], moments[piece.first]) for piece in item.pieces)
        for item in got
        if timed
    ]
    right = [_line(item.event) + (_due(came[index], end) if timed else "") for index, item in enumerate(got)]
    lines: list[str] = []
    for tag, start, stop, from_, to in difflib.SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        if tag == "equal":
            same = [f"  {line}" for line in left[start:stop]]
            lines += same if len(same) <= 5 else [*same[:2], f"  … {len(same) - 4} more …", *same[-2:]]
        else:
            lines += [f"- {line}" for line in left[start:stop]] + [f"+ {line}" for line in right[from_:to]]
    return tuple(lines if len(lines) <= LINE_LIMIT else [*lines[:LINE_LIMIT], f"  … {len(lines) - LINE_LIMIT} more …"])


def moment(value: int, end: int) -> str:
    """A moment as the case files write it."""
    return "end" if value == end else str(value)


def _due(pieces: Sequence[Piece], end: int) -> str:
    """The moments of an event: ``@4``, ``@4..9`` one by one, several where its pieces differ."""
    spans: list[tuple[int, int, bool]] = []  # first, last, whether its code points come one by one
    for piece in pieces:
        growing = piece.size == 1 or piece.last > piece.first
        first, last, grew = spans[-1] if spans else (0, 0, False)
        if growing and grew and piece.first == last + 1:
            spans[-1] = (first, piece.last, True)
        elif not spans or (first, last) != (piece.first, piece.last):
            spans.append((piece.first, piece.last, growing))
    texts = [moment(first, end) + (f"..{moment(last, end)}" if last > first else "") for first, last, _ in spans]
    return "  @" + ",".join(texts if len(texts) <= 6 else [*texts[:3], "…", *texts[-2:]])


def _title(event: Mapping[str, Json]) -> str:
    return f"{event['type']} of {show_value(event['field'])}"


def _line(event: Mapping[str, Json]) -> str:
    details = [show_value(event[key]) for key in ("kind", "text", "value") if key in event]
    marks = ["dirty"] if event.get("dirty") else []
    return " ".join([event["type"], shorten(event["field"]), *details, *marks])


def _value(value: Json) -> str:
    return "nothing" if value is ABSENT else show_value(value)
