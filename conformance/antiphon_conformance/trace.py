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
    """A run of ``size`` code points of a chunk, or another event (size 1).

    ``first`` and ``last`` are moments for what is expected (equal, or ``size`` consecutive ones), and the number of
    the step, twice, for what came.
    """

    size: int
    first: int
    last: int


@dataclass(frozen=True)
class Merged:
    """An event, chunks merged, and the pieces that it is made of; no pieces where moments aren't known."""

    event: Mapping[str, Json]
    pieces: tuple[Piece, ...]


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


def error_step(result: Result, steps: int) -> int:
    """The number of the step in which the result's error came, of so many steps in all."""
    stage = result.error.stage if result.error else "finalize"
    return {"feed": len(result.feeds), "finalize": steps - 1}.get(stage, 0)


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
