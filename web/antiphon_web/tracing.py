"""A stream code point by code point: regions and delimiters, what is held and why, events with their moments.

Stretches of text in which no delimiter that counts can begin are fed at once: there each code point is due when it
comes (DUE-3).
"""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import antiphon

from antiphon_web.asking import Json, Request, amount, limited, read_editor
from antiphon_web.observing import Mark, ObservedParser, Record, Told
from antiphon_web.streams import Given, failure, given, refused

LONGEST: Final = 50_000
"""Code points of a text that is traced."""
MOST_OF_MESSAGES: Final = 1_000_000
"""Code points of JSON that the messages so far may come to; of more, only the last message is told."""
SPACING: Final = 256
MOST_CHECKPOINTS: Final = 64
"""A checkpoint is made every SPACING code points, or more, so that there are no more of them."""


class Checkpoint(NamedTuple):
    """A state to which a trace can go back: how much of the text had been fed, the parser then, the record's mark."""

    reached: int
    parser: ObservedParser
    mark: Mark


class Tracer:
    """The trace of a stream. `go_on` works for a while; `edit` exchanges the text and keeps what stays as it was."""

    def __init__(self, stream: Given, text: str) -> None:
        """Raises Refused."""
        self.stream = stream
        self.text = text
        self.reached = 0
        self.error: dict[str, Json] | None = None
        self.record = Record()
        self.spans_of_prefix = 0
        self._places: dict[int, int] = {}
        self._checkpoints: list[Checkpoint] = []
        self._parser: ObservedParser | None = None
        self.generation = 0  # where the generation begins in the stream
        self._begin()

    @property
    def complete(self) -> bool:
        return self.reached > len(self.text)

    def edit(self, text: str) -> None:
        """Another text for the same stream."""
        if text == self.text:
            return
        if self._parser is None:  # the prefix was an error already
            self.text, self.reached = text, len(text) + 1
            return
        same = _common_length(self.text, text)
        self.text, self.error, self._places = text, None, {}
        index = bisect_right([one.reached for one in self._checkpoints], same)
        del self._checkpoints[index:]
        kept = self._checkpoints[-1]
        self._parser, self.reached = kept.parser.forked(), kept.reached
        self.record.back_to(kept.mark)

    def go_on(self, seconds: float) -> None:
        """Trace more of the text, for at most so long."""
        stop = time.perf_counter() + seconds
        spacing = max(SPACING, len(self.text) // MOST_CHECKPOINTS)
        while not self.complete:
            assert self._parser is not None
            if self.reached >= self._checkpoints[-1].reached + spacing:
                self._keep()
            if self.reached == len(self.text):
                self._end()
            else:
                self._feed(min(self._checkpoints[-1].reached + spacing, len(self.text)))
            if time.perf_counter() > stop:
                return

    def _begin(self) -> None:
        """Make the parser, which takes in the prefix."""
        stream = self.stream
        template = stream.loaded()
        self.generation = len(template.head(stream.prefix))
        document, options = read_editor(stream.template, "template"), stream.options()
        try:
            parser = ObservedParser(template, document, self.record, **options)
        except (antiphon.TemplateError, antiphon.ParserStateError) as error:
            raise refused(error) from None
        except antiphon.ParseError as error:
            self._take(error.events, 0, error.message_so_far)
            self._fail("prefix", error, 0)
            return
        self._parser = parser
        self._take(parser.initial_events, 0, parser.message_so_far)
        self._hold(0)
        self.spans_of_prefix = len(self.record.spans)
        self._keep()

    def _feed(self, most: int) -> None:
        """Feed the next code point, or as many as are calm, up to the place `most`."""
        parser, pos = self._parser, self.reached
        assert parser is not None
        end = min(parser.calm_until(self.text, pos, self._places), most)
        if end > pos + 1:
            for event in parser.feed(self.text[pos:end]):
                self.record.saw_event(event, pos + 1, end)
            self.reached = end
            return
        moment = pos + 1
        try:
            events: Iterable[Any] = parser.feed(self.text[pos])
        except antiphon.ParseError as error:
            self._take(error.events, moment, error.message_so_far)
            self._fail("feed", error, moment)
            return
        self._take(events, moment)
        self._hold(moment)
        self.reached = moment

    def _end(self) -> None:
        """Finalize, in a fork: the text may be added to."""
        assert self._parser is not None
        self._keep()
        parser, moment = self._parser.forked(), len(self.text) + 1
        try:
            message, events = parser.finalize()
        except antiphon.ParseError as error:
            self._take(error.events, moment, error.message_so_far)
            self._fail("finalize", error, moment)
            return
        self._take(events, moment, message)
        self.reached = moment

    def _keep(self) -> None:
        assert self._parser is not None
        if not self._checkpoints or self._checkpoints[-1].reached < self.reached:
            self._checkpoints.append(Checkpoint(self.reached, self._parser.forked(), self.record.mark()))

    def _fail(self, stage: str, error: antiphon.ParseError, moment: int) -> None:
        self.error = {**failure(stage, error), "at": moment}
        self.reached = len(self.text) + 1

    def _hold(self, moment: int) -> None:
        assert self._parser is not None
        held = self._parser.held()
        if held is not None:
            self.record.saw_hold(moment, *held)

    def _take(self, events: Iterable[Mapping[str, Any]], moment: int, message: Mapping[str, Any] | None = None) -> None:
        """The events of a moment, and the message then, if it is known already."""
        changed = message is not None
        for event in events:
            self.record.saw_event(dict(event), moment, moment)
            changed = changed or event["type"] == "region_close"
        if changed:
            self._tell(moment, message)

    def _tell(self, moment: int, message: Mapping[str, Any] | None) -> None:
        """Note the message of a moment, if it's another than before; given is that of the end, or of an error."""
        messages = self.record.messages
        before = messages[-1] if messages else Told(0, None, "", 0)
        if message is None:
            if before.total > MOST_OF_MESSAGES:
                if before.message is not None:
                    messages.append(Told(moment, None, "", before.total))
                return
            assert self._parser is not None
            message = self._parser.message_so_far
        written = json.dumps(message)
        if written != before.written:
            messages.append(Told(moment, dict(message), written, before.total + len(written)))


def _common_length(one: str, other: str) -> int:
    """How many code points two texts have in common at their beginnings."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


_session: Tracer | None = None


def traced(request: Request, seconds: float) -> Tracer:
    """The trace of a request's stream, after work for at most so long; what is known from before is used.

    Raises Refused.
    """
    global _session
    stream, text = given(request), limited(request, "text", LONGEST)
    found, _session = _session, None  # what a failure leaves behind is of no use
    if found is None or found.stream != stream:
        found = Tracer(stream, text)
    else:
        found.edit(text)
    found.go_on(seconds)
    _session = found
    return found


def trace(request: Request) -> Json:
    """`Trace` of api.ts, as far as the milliseconds allow."""
    return as_json(traced(request, amount(request, "milliseconds", 60_000) / 1000))


def as_json(found: Tracer) -> Json:
    """What is known, with positions in the text."""
    begin, record = found.generation, found.record
    spans = [
        {"start": max(0, one.start - begin), "end": one.end - begin, "kind": one.kind, "field": one.field}
        for index, one in enumerate(record.spans)
        if one.end > begin or (one.end == begin and index >= found.spans_of_prefix)
    ]
    holds = [
        {"first": one.first, "last": one.last, "from": one.begin - begin, "by": [each._asdict() for each in one.by]}
        for one in record.holds
    ]
    return {
        "length": len(found.text),
        "reached": found.reached,
        "events": [{"event": one.event, "first": one.first, "last": one.last} for one in record.events],
        "spans": spans,
        "holds": holds,
        "messages": [{"at": one.at, "message": one.message} for one in record.messages],
        "error": found.error,
    }
