"""Event sequences with adjacent chunks merged (EVENT-4), each piece with the moment it was due or the step it came in.

A *step* is a call of the parser: number 0 is its construction, then one per feed, the last finalizes. The moment of a
step is the number of code points of text that have been fed when it returns; finalizing counts as one beyond the text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from antiphon_conformance.cases.case import Case, ExpectedEvent, Json
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.implementations.protocol import Result


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


def due_steps(expected: Iterable[Merged], moments: Sequence[int]) -> list[list[Mapping[str, Json]]]:
    """The events that are due in each step of a run, chunks merged (DUE-1, DUE-3); `moments` are those of the steps."""
    steps: list[list[Mapping[str, Json]]] = [[] for _ in moments]
    for item in expected:
        if item.event["type"] == "region_chunk":
            for step, text in _texts(item, moments):
                steps[step].append({**item.event, "text": text})
        else:
            steps[bisect_left(moments, item.pieces[0].first)].append(item.event)
    return steps


def _texts(chunk: Merged, moments: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The parts of a chunk's text, each with the step in which it is due."""
    text, start, end, current = chunk.event["text"], 0, 0, -1
    for piece in chunk.pieces:
        due = piece.first
        while due <= piece.last:
            step = bisect_left(moments, due)
            if step != current and end > start:
                yield current, text[start:end]
                start = end
            current = step
            until = min(piece.last, moments[step])
            end += until - due + 1 if piece.last > piece.first else piece.size
            due = until + 1
    yield current, text[start:]


def actual_trace(result: Result) -> list[Merged]:
    """What an implementation emitted."""
    steps: Sequence[tuple[Json, ...]] = (result.initial, *result.feeds, result.final)
    return list(_merge((event, step, step) for step, events in enumerate(steps) for event in events))


def as_told(expected: Sequence[Merged], got: Sequence[Merged]) -> list[Merged]:
    """What is expected, without the kinds of malformed regions where the implementation doesn't tell any."""
    untold = {
        index
        for index, item in enumerate(got[: len(expected)])
        if item.event["type"] == "region_malformed" and "kind" not in item.event
    }
    return [
        Merged({name: value for name, value in item.event.items() if name != "kind"}, item.pieces)
        if index in untold
        else item
        for index, item in enumerate(expected)
    ]


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
