"""The reference, observed at work: a record of what it does to a text, and why it holds what it holds.

What is told is what the reference does, not a second opinion. This is the one module that reaches into its inner parts.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import antiphon
from antiphon.delimiter import Delimiter, Match
from antiphon.parser import Event, Message, ResponseParser, _Watch
from antiphon_portability.templates import End, places

from antiphon_web.asking import Json

MOST_LITERALS: Final = 20
"""Of a list of literals that held text may become."""


class Awaited(NamedTuple):
    """A delimiter that held text may become: the literals that it still may be, or one pattern."""

    field: str
    role: End
    delimiter: tuple[str, ...]
    pattern: bool


class Span(NamedTuple):
    """A piece of the stream, from `start` to `end`. `field` None: its text is discarded."""

    start: int
    end: int
    kind: str
    field: str | None


class Hold(NamedTuple):
    """From moment `first` to `last` the stream from `begin` on is held, because it may become one of these."""

    first: int
    last: int
    begin: int
    by: tuple[Awaited, ...]


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

    def saw_hold(self, moment: int, begin: int, by: tuple[Awaited, ...]) -> None:
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

    def __init__(self, template: antiphon.Template, document: Json, record: Record, **options: Any) -> None:
        """`document`: that of the template; `options`: those of ResponseParser."""
        self.record = record
        self._delimiters = _delimiters(document)
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

    def held(self) -> tuple[int, tuple[Awaited, ...]] | None:
        """From where on the stream is held, and by which delimiters; None if nothing is."""
        if self._position >= self._end:
            return None
        here = [watch for watch in self._watched() if watch.found and watch.found.start == self._position]
        ranked = sorted(here, key=_Watch.rank)
        decided = next((index for index, watch in enumerate(ranked) if isinstance(watch.found, Match)), len(ranked))
        text = self._text[self._position - self._offset :]
        return self._position, tuple(self._awaited(watch, text) for watch in ranked[: decided + 1])

    def _awaited(self, watch: _Watch, held: str) -> Awaited:
        known = self._delimiters[watch.field.name, _role(watch)]
        if known.pattern:
            return known
        left = (one for one in known.delimiter if one.startswith(held) or held.startswith(one))
        return known._replace(delimiter=tuple(left)[:MOST_LITERALS])

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
        shared: list[Any] = [self._template, self._tools, self.record, self._delimiters]
        shared += [part for watch in watches for part in (watch.field, watch.delimiter)]
        for watch in watches:
            if watch.strings is not None:
                shared += [watch.strings._syntax, *watch.strings._syntax.endings.values()]
        if self._region.field is not None:
            shared.append(self._region.field)
        self._region.parts[:] = ["".join(self._region.parts)]
        return copy.deepcopy(self, {id(one): one for one in shared})


def _role(watch: _Watch) -> End:
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


def _delimiters(document: Json) -> Mapping[tuple[str, str], Awaited]:
    """Those of a template that loads, by field and role."""
    return {
        (one.field, one.end): Awaited(one.field, one.end, one.literals or (one.source,), not one.literals)
        for one in places(document)
        if one.end is not None
    }
