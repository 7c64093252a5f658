"""When things came, against when they were due: early (unsound, DUE-2) and late (lag, DUE-3).

What is due at moment n is expected in the first step whose moment is at least n. Its lag is the number of code points
between the moment of that step and the moment of the step in which it came.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from antiphon_conformance.judging.trace import Merged, Piece


@dataclass(frozen=True)
class Lag:
    """Lag in code points of text: the worst of all events and code points, and their sum."""

    max: int = 0
    total: int = 0


@dataclass(frozen=True)
class Offence:
    """The first thing that came at a wrong moment: its index in the trace, its code point there, and the moments."""

    index: int
    offset: int
    due: int
    came: int


@dataclass(frozen=True)
class Timing:
    """How a right trace lies in time. `late` also tells of a delay by steps without text, whose lag is 0."""

    lag: Lag
    early: Offence | None
    late: Offence | None


def measure(expected: Sequence[Merged], got: Sequence[Merged], moments: Sequence[int]) -> Timing:
    """The timing of a trace that has the expected events; `moments` are those of all steps."""
    worst = total = 0
    early: Offence | None = None
    late: Offence | None = None
    for index, (due_event, got_event) in enumerate(zip(expected, got, strict=True)):
        for offset, due, step in _overlaps(due_event.pieces, got_event.pieces):
            came = moments[step]
            if early is None and due.last > came:
                moment = max(due.first, came + 1)
                early = Offence(index, offset + moment - due.first, moment, came)
            if bisect_left(moments, due.first) >= step:
                continue
            late = late or Offence(index, offset, due.first, came)
            for moment in due.each:
                lag = max(0, came - moments[bisect_left(moments, moment)])
                worst, total = max(worst, lag), total + lag
    return Timing(Lag(worst, total), early, late)


def _overlaps(due: Iterable[Piece], got: Iterable[Piece]) -> Iterator[tuple[int, Piece, int]]:
    """Both divisions of a merged event laid over each other: offset, the part's moments, the step it came in."""
    due_pieces, offset = iter(due), 0
    rest: Piece | None = None
    for piece in got:
        left = piece.size
        while left:
            rest = rest or next(due_pieces)
            size = min(left, rest.size)
            grows = int(rest.last > rest.first)
            yield offset, Piece(size, rest.first, rest.first + grows * (size - 1)), piece.first
            offset, left = offset + size, left - size
            rest = Piece(rest.size - size, rest.first + grows * size, rest.last) if size < rest.size else None
