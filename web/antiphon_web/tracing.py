"""A stream code point by code point: regions and delimiters, what is held and why, events with their moments.

It watches the reference at work: what it tells is what the reference does, not a second opinion. Stretches of text in
which no delimiter that counts can begin are fed at once: there each code point is due when it comes (DUE-3).
"""

from __future__ import annotations

import copy
import json
import time
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import antiphon
from antiphon.delimiter import Delimiter, Match
from antiphon.parser import Event, Message, ResponseParser, _Watch

from antiphon_web.asking import Json, Refused, Request, member, positive, read_json_of
from antiphon_web.streams import Given, failure, given, refused

LONGEST: Final = 50_000
"""Code points of a text that is traced."""
MOST_OF_MESSAGES: Final = 1_000_000
"""Code points of JSON that the messages so far may come to; of more, only the last message is told."""
MOST_LITERALS: Final = 20
"""Of a list of literals that held text may become."""
SPACING: Final = 256
MOST_CHECKPOINTS: Final = 64
"""A checkpoint is made every SPACING code points, or more, so that there are no more of them."""

By: TypeAlias = tuple[tuple[str, str, tuple[str, ...], bool], ...]
"""Delimiters: field, role, literals or pattern, and whether it is a pattern."""


class Span(NamedTuple):
    """A piece of the stream, from `start` to `end`. `field` None: its text is discarded."""

    start: int
    end: int
    kind: str
    field: str | None


class Hold(NamedTuple):
    """From moment `first` to `last` the stream from `begin` on is held, because of these delimiters."""

    first: int
    last: int
    begin: int
    by: By


class Timed(NamedTuple):
    """An event with its moments. A chunk of `size` code points is due at one moment, or one by one."""

    event: Event
    size: int
    first: int
    last: int


class Told(NamedTuple):
    """The message from a moment on, as a value and as JSON; None: it's too much. `total`: code points of all so far."""

    at: int
    message: Message | None
    written: str
    total: int


class Mark(NamedTuple):
    """How far a record's lists were: their lengths, and their last elements, which may be exchanged later."""

    lengths: tuple[int, ...]
    last: tuple[Any, ...]


@dataclass
class Record:
    """What was seen of a stream. Lists grow, and only their last elements are exchanged. Positions are the stream's."""

    spans: list[Span] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    events: list[Timed] = field(default_factory=list)
    messages: list[Told] = field(default_factory=list)

    @property
    def _lists(self) -> tuple[list[Any], ...]:
        return self.spans, self.holds, self.events, self.messages

    def mark(self) -> Mark:
        return Mark(tuple(map(len, self._lists)), tuple(one[-1] if one else None for one in self._lists))

    def back_to(self, mark: Mark) -> None:
        for one, length, last in zip(self._lists, mark.lengths, mark.last, strict=True):
            del one[length:]
            if length:
                one[-1] = last

    def saw_span(self, start: int, end: int, kind: str, name: str | None) -> None:
        before = self.spans[-1] if self.spans else None
        if kind in ("region", "discarded") and before is not None and before[1:] == (start, kind, name):
            self.spans[-1] = before._replace(end=end)
        else:
            self.spans.append(Span(start, end, kind, name))

    def saw_hold(self, moment: int, begin: int, by: By) -> None:
        before = self.holds[-1] if self.holds else None
        if before is not None and before[1:] == (moment - 1, begin, by):
            self.holds[-1] = before._replace(last=moment)
        else:
            self.holds.append(Hold(moment, moment, begin, by))

    def saw_event(self, event: Event, first: int, last: int) -> None:
        """`first` and `last` differ for a chunk whose code points are due one by one."""
        size = len(event["text"]) if event["type"] == "region_chunk" else 1
        before = self.events[-1] if self.events else None
        if before is None or not _goes_on(before, event, size, first, last):
            self.events.append(Timed(event, size, first, last))
            return
        merged = {**event, "text": before.event["text"] + event["text"]}
        self.events[-1] = Timed(merged, before.size + size, before.first, last)


def _goes_on(before: Timed, event: Event, size: int, first: int, last: int) -> bool:
    """Whether a chunk and the next are one: due at the same moment, or one by one all through."""
    if event["type"] != "region_chunk" or before.event["type"] != "region_chunk":
        return False
    if (event["field"], event["dirty"]) != (before.event["field"], before.event["dirty"]):
        return False
    if before.first == before.last == first == last:
        return True
    follows = first == before.last + 1
    return follows and size == last - first + 1 and before.size == before.last - before.first + 1


class ObservedParser(ResponseParser):
    """The reference, with a record of what it does to the text."""

    def __init__(self, template: antiphon.Template, record: Record, sources: Mapping[Any, Any], **options: Any) -> None:
        """`sources`: literals, or pattern, by field and role; `options`: those of ResponseParser."""
        self.record = record
        self._sources = sources
        super().__init__(template, **options)

    def _write(self, end: int) -> None:
        start, region = self._position, self._region
        super()._write(end)
        if end > start:
            name = None if region.field is None else region.field.name
            self.record.saw_span(start, end, "discarded" if name is None else "region", name)

    def _fire(self, match: Match, watch: _Watch) -> None:
        self.record.saw_span(match.start, match.end, _role(watch), watch.field.name)
        super()._fire(match, watch)

    def held(self) -> tuple[int, By] | None:
        """From where on the stream is held, and by which delimiters; None if nothing is."""
        if self._position >= self._end:
            return None
        here = [watch for watch in self._watched() if watch.found and watch.found.start == self._position]
        ranked = sorted(here, key=_Watch.rank)
        decided = next((index for index, watch in enumerate(ranked) if isinstance(watch.found, Match)), len(ranked))
        text = self._text[self._position - self._offset :]
        return self._position, tuple(self._told(watch, text) for watch in ranked[: decided + 1])

    def _told(self, watch: _Watch, held: str) -> tuple[str, str, tuple[str, ...], bool]:
        listed, is_pattern = self._sources[watch.field.name, _role(watch)]
        if not is_pattern:
            listed = tuple(one for one in listed if one.startswith(held) or held.startswith(one))[:MOST_LITERALS]
        return watch.field.name, _role(watch), listed, is_pattern

    def calm_until(self, text: str, pos: int, known: dict[int, int]) -> int:
        """Up to where in the generation no delimiter can begin that counts now, so that each code point is due when it
        comes; `pos`, up to where it has been fed, if that isn't so. `known`: the next place for each delimiter."""
        region = self._region
        if self._position < self._end or region.closed or (region.field is not None and not region.opened):
            return pos
        return min((_next_place(watch.delimiter, text, pos, known) for watch in self._watched()), default=len(text))

    def forked(self) -> ObservedParser:
        """Another parser in the same state. What never changes is shared, and so is the record."""
        watches = (*self._opens, *self._closes.values())
        shared: list[Any] = [self._template, self._tools, self.record, self._sources]
        shared += [part for watch in watches for part in (watch.field, watch.delimiter)]
        for watch in watches:
            if watch.strings is not None:
                shared += [watch.strings._syntax, *watch.strings._syntax.endings.values()]
        if self._region.field is not None:
            shared.append(self._region.field)
        self._region.parts[:] = ["".join(self._region.parts)]
        return copy.deepcopy(self, {id(one): one for one in shared})


def _role(watch: _Watch) -> str:
    return "open" if watch.is_open else "close"


def _next_place(delimiter: Delimiter, text: str, pos: int, known: dict[int, int]) -> int:
    """Where the delimiter may begin next, from `pos` on; `pos` itself, if it may begin at any code point."""
    first = delimiter._first
    if first is None:
        return pos
    place = known.get(id(delimiter), -1)
    if place < pos:
        found = first.search(text, pos)
        place = known[id(delimiter)] = len(text) if found is None else found.start()
    return place


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
        if text == self.text or self._parser is None:
            self.text, self.reached = text, self.reached if text == self.text else len(text) + 1
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
        options, sources = stream.options(), _sources(read_json_of(stream.template, "template"))
        try:
            parser = ObservedParser(template, self.record, sources, **options)
        except antiphon.TemplateError as error:
            raise refused(error) from None
        except antiphon.ParserStateError as error:
            raise Refused("state", error.kind, str(error)) from None
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


def _sources(document: Json) -> dict[tuple[str, str], tuple[tuple[str, ...], bool]]:
    """Of a template that loads: the literals, or the pattern, of each delimiter, and whether it is a pattern."""
    found: dict[tuple[str, str], tuple[tuple[str, ...], bool]] = {}
    for name, members in document["fields"].items():
        for role in ("open", "close"):
            if f"{role}_pattern" in members:
                found[name, role] = (members[f"{role}_pattern"],), True
            elif role in members:
                literal = members[role]
                found[name, role] = tuple(literal) if isinstance(literal, list) else (literal,), False
    return found


_session: Tracer | None = None


def traced(request: Request, seconds: float) -> Tracer:
    """The trace of a request's stream, after work for at most so long; what is known from before is used.

    Raises Refused.
    """
    global _session
    stream, text = given(request), member(request, "text", str)
    if len(text) > LONGEST:
        message = f"the text has {len(text):,} code points, and is traced up to {LONGEST:,}; take some out"
        raise Refused("state", "too-long", message)
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
    return as_json(traced(request, positive(request, "milliseconds", 60_000) / 1000))


def as_json(found: Tracer) -> Json:
    """What is known, with positions in the text."""
    begin, record = found.generation, found.record
    spans = [
        {"start": max(0, one.start - begin), "end": one.end - begin, "kind": one.kind, "field": one.field}
        for index, one in enumerate(record.spans)
        if one.end > begin or (one.end == begin and index >= found.spans_of_prefix)
    ]
    holds = [
        {"first": one.first, "last": one.last, "from": one.begin - begin, "by": [_by(*each) for each in one.by]}
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


def _by(name: str, role: str, delimiter: tuple[str, ...], is_pattern: bool) -> Json:
    return {"field": name, "role": role, "delimiter": list(delimiter), "pattern": is_pattern}
