"""Event sequences with adjacent chunks merged (EVENT-4), each piece with the moment it was due or the step it came in.

A *step* is a call of the parser: number 0 is its construction, then one per feed, the last finalizes. The moment of a
step is the number of code points of text that have been fed when it returns; finalizing counts as one beyond the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from antiphon_conformance.case import Case, ExpectedEvent, Json
from antiphon_conformance.chunkings import Chunking
from antiphon_conformance.protocol import Result


@dataclass(frozen=True)
class Piece:
    """A run of `size` code points of a chunk, or another event (size 1).

    `first` and `last` are moments for what is expected (equal, or `size` consecutive ones), and the number of
    the step, twice, for what came.
    """

    size: int
    first: int
    last: int

    @property
    def each(self) -> Sequence[int]:
        """The moments or steps of its code points, one by one."""
        return range(self.first, self.last + 1) if self.last > self.first else [self.first] * self.size


@dataclass(frozen=True)
class Merged:
    """An event, chunks merged, and the pieces that it is made of; no pieces where moments aren't known.

    A trace may have one more at its end, for an error; see `ending`.
    """

    event: Mapping[str, Json]
    pieces: tuple[Piece, ...]

    @property
    def each(self) -> list[int]:
        """The moments or steps of its code points, one by one."""
        return [time for piece in self.pieces for time in piece.each]


def schedule(case: Case, chunking: Chunking) -> tuple[int, ...]:
    """The moments of all steps of a run."""
    return (0, *chunking.moments, case.end)


def expected_trace(events: Iterable[ExpectedEvent]) -> list[Merged]:
    """What a case expects."""
    return list(_merge((item.event, item.first, item.last) for item in events))


def actual_trace(result: Result) -> list[Merged]:
    """What an implementation emitted."""
    steps: Sequence[tuple[Json, ...]] = (result.initial, *result.feeds, result.final)
    return list(_merge((event, step, step) for step, events in enumerate(steps) for event in events))


def error_step(stage: str, feeds: int, steps: int) -> int:
    """The number of the step in which an error of a stage came, after so many feeds and of so many steps in all."""
    return {"feed": feeds, "finalize": steps - 1}.get(stage, 0)


def ending(shown: str, time: int | None) -> Merged:
    """The error that a trace ends with, as it is shown, and the moment it was due or the step it came in."""
    return Merged({"type": "error", "shown": shown}, () if time is None else (Piece(1, time, time),))


def _merge(items: Iterable[tuple[Mapping[str, Json], int | None, int | None]]) -> Iterator[Merged]:
    chunk: Mapping[str, Json] | None = None
    texts: list[str] = []
    pieces: list[Piece] = []
    for event, first, last in items:
        text = event["text"] if event["type"] == "region_chunk" else ""
        if chunk is not None and (not text or (event["field"], event["dirty"]) != (chunk["field"], chunk["dirty"])):
            yield Merged({**chunk, "text": "".join(texts)}, tuple(pieces))
            chunk, texts, pieces = None, [], []
        piece = [] if first is None or last is None else [Piece(len(text) or 1, first, last)]
        if not text:
            yield Merged(event, tuple(piece))
            continue
        chunk = event if chunk is None else chunk
        texts.append(text)
        pieces.extend(piece)
    if chunk is not None:
        yield Merged({**chunk, "text": "".join(texts)}, tuple(pieces))
