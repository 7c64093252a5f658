"""Does a stream's result depend on how it is cut? It is run in other cuts, and judged by what its trace says is due.

For the reference the answer is no, whatever the stream (EVENT-4); what judges is what judges ports.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from antiphon_conformance.cases.case import Case, Expectation, ExpectedError, ExpectedEvent
from antiphon_conformance.cases.chunkings import Chunking, cut, whole
from antiphon_conformance.implementations.adapters import script
from antiphon_conformance.implementations.protocol import parse_result, run_request
from antiphon_conformance.judging.compare import Run, compare
from antiphon_conformance.judging.ideal import Ideal
from antiphon_conformance.reports import timeline

from antiphon_web.asking import Json, Request, amount, read_editor
from antiphon_web.streams import Given
from antiphon_web.tracing import Tracer, traced

TWO_WAY: Final = 2_000
"""Ways to cut a text in two; of a text that has more, so many are tried, evenly spread."""
RANDOM: Final = 20
"""Ways to cut it in more, by chance, but always the same."""
MOST_PIECES: Final = 12


def cuts(request: Request) -> Json:
    """The first difference among as many ways to cut as there is time for, from the one of a number on.

    Raises Refused.
    """
    seconds = amount(request, "milliseconds", 60_000) / 1000
    stop = time.perf_counter() + seconds
    tracer = traced(request, seconds)
    ways = Ways(tracer.text)
    tried, difference = int(amount(request, "from", len(ways))), None
    if tracer.complete:
        judge = Judge(tracer)
        while tried < len(ways) and difference is None:
            difference = judge.difference(ways[tried])
            tried += 1
            if time.perf_counter() > stop:
                break
    return {"tried": tried, "total": len(ways), "difference": difference}


class Ways:
    """The ways to cut a text: as a whole, code point by code point, by chance, and in two. Each is made when needed."""

    def __init__(self, text: str) -> None:
        self._text = text
        length = len(text)
        step = max(1.0, (length - 1) / TWO_WAY)
        two_way = [(int(1 + index * step),) for index in range(min(length - 1, TWO_WAY))]
        self._cuts: list[tuple[int, ...]] = [(), *([tuple(range(1, length))] if length > 1 else [])]
        self._cuts += [*_by_chance(length), *two_way] if length > 2 else []

    def __len__(self) -> int:
        return len(self._cuts)

    def __getitem__(self, number: int) -> Chunking:
        text, cuts = self._text, self._cuts[number]
        if not cuts:
            return Chunking("whole", whole(text))
        name = "each" if number == 1 else "at " + ", ".join(map(str, cuts))
        return Chunking(name, cut(text, cuts).chunks)


def _by_chance(length: int) -> Iterator[tuple[int, ...]]:
    chance = random.Random(length)
    for _ in range(RANDOM):
        count = chance.randint(2, min(length - 1, MOST_PIECES))
        yield tuple(sorted(chance.sample(range(1, length), count)))


class Judge:
    """Judges runs of a stream by its complete trace, as the suite's runner judges those of a case."""

    def __init__(self, tracer: Tracer) -> None:
        self._case = _case_of(tracer)
        self._asked = _asked_of(self._case, tracer.stream)
        self._ideal = Ideal(self._case)

    def difference(self, chunking: Chunking) -> Json | None:
        """What differs when the stream is cut so, as `Difference` of api.ts."""
        request = run_request(1, self._asked, chunking)
        answer = script("reference").respond(request)
        if self._ideal.verdict(chunking, answer, 1) is not None:
            return None
        compared = compare(self._case, chunking, parse_result(answer, request))
        if not compared.findings:
            return None
        run = compared.findings[0].run
        assert isinstance(run, Run)
        return {"chunking": chunking.name, "rows": timeline.as_json(timeline.folded(timeline.timeline(run)))}


def _case_of(tracer: Tracer) -> Case:
    """A complete trace as a case. It has no template: whether patterns excuse lateness (DUE-4) isn't asked."""
    events = tuple(ExpectedEvent(one.event, one.first, one.last) for one in tracer.record.events)
    told, error, message = tracer.error, None, None
    if told is None:
        message = tracer.record.messages[-1].message
    else:
        error = ExpectedError("parse", told["kind"], None, told.get("field"), told.get("position"), told["at"])
    expectation = Expectation(message=message, error=error, events=events, timed=True)
    return Case("stream", "", (), None, expectation, text=tracer.text, prefix=tracer.stream.prefix)


def _asked_of(case: Case, stream: Given) -> Case:
    """The same case with all that an implementation is asked with."""
    return replace(
        case,
        template=read_editor(stream.template, "template"),
        tools=stream.tool_list(),
        options={"on_malformed": stream.on_malformed},
        proposals=stream.proposals,
    )
