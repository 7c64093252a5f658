"""The parser: from a stream of text to events and a message (SPEC.md, sections 2 to 5, 9 and 10).

Positions are code points of the stream (ANCHOR-4). Of the stream only that is kept which may still matter: text that is
held because it may belong to a delimiter, and what lookbehinds can see before it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Literal, NoReturn, TypeAlias, overload

from antiphon.content import is_blank
from antiphon.delimiter import Delimiter, Match, SearchResult, Undecided
from antiphon.errors import Malformed, ParseError, ParserStateError
from antiphon.strings import Strings
from antiphon.template import Field, Template, load_template
from antiphon.tools import Tool, Tools
from antiphon.transform import copy, type_name

Event: TypeAlias = dict[str, Any]
Message: TypeAlias = dict[str, Any]
OnMalformed: TypeAlias = Literal["raise", "event"]
TemplateLike: TypeAlias = Template | Mapping[str, Any]


@overload
def parse_response(
    text: str,
    template: TemplateLike,
    *,
    prefix: str | None = None,
    tools: Sequence[Tool] | None = None,
    on_malformed: OnMalformed = "raise",
) -> Message: ...
@overload
def parse_response(
    text: list[str] | tuple[str, ...],
    template: TemplateLike,
    *,
    prefix: str | Sequence[str] | None = None,
    tools: Sequence[Tool] | None = None,
    on_malformed: OnMalformed = "raise",
) -> list[Message]: ...
def parse_response(
    text: str | list[str] | tuple[str, ...],
    template: TemplateLike,
    *,
    prefix: str | Sequence[str] | None = None,
    tools: Sequence[Tool] | None = None,
    on_malformed: OnMalformed = "raise",
) -> Message | list[Message]:
    """The message of a complete generation, or the messages of a batch of them.

    Args:
        text: the generation; a list is a batch.
        template: a template or its document.
        prefix: the prompt that was continued, `""` if there is none (PREFIX-1); for a batch one for all, or one each.
        tools: tool objects or Python functions, by whose schemas arguments are cast (section 8).
        on_malformed: "event" passes over regions whose text has no value (ERROR-6).

    Raises:
        TemplateError, ParseError: as SPEC.md says.
        ParserStateError: a text or prefix isn't a string, or there are more or fewer prefixes than texts.
    """
    loaded = template if isinstance(template, Template) else load_template(template)
    if not isinstance(text, list | tuple):
        return _parse(_as_text(text), loaded, prefix, tools, on_malformed)
    prefixes = list(prefix) if isinstance(prefix, list | tuple) else [prefix] * len(text)
    if len(prefixes) != len(text):
        message = f"{len(text)} texts but {len(prefixes)} prefixes; give one prefix for all, or one each"
        raise ParserStateError("batch-size", message)
    return [_parse(one, loaded, before, tools, on_malformed) for one, before in zip(text, prefixes, strict=True)]


def _parse(
    text: str, template: Template, prefix: Any, tools: Sequence[Tool] | None, on_malformed: OnMalformed
) -> Message:
    parser = ResponseParser(template, prefix=prefix, tools=tools, on_malformed=on_malformed)
    parser.feed(text)
    return parser.finalize()[0]


@dataclass(slots=True)
class _Watch:
    """A delimiter and what is known of its next match: this stays true whatever is watched in between."""

    field: Field
    delimiter: Delimiter
    is_open: bool
    strings: Strings | None = None  # outside of which alone it counts
    floor: int = 0  # no match begins before this position
    found: SearchResult = None
    seen: tuple[int, bool] | None = None  # up to where the stream was known when `found` was, and whether it had ended

    def rank(self) -> tuple[float, bool, str]:
        """Its place among the delimiters that begin where it does (DELIM-1); undecided, the best it can come to."""
        if isinstance(self.found, Match):
            length: float = self.found.end - self.found.start
        else:
            length = math.inf if self.delimiter.longest is None else self.delimiter.longest
        return -length, not self.is_open, self.field.name

    def fired(self, match: Match) -> None:
        """A match of zero width doesn't fire twice at one position (DELIM-6)."""
        self.pass_over(match.end + 1 if match.end == match.start else match.end)

    def pass_over(self, position: int) -> None:
        self.floor, self.found, self.seen = position, None, None


@dataclass(slots=True)
class _Region:
    """The current region; without a field its text is discarded (REGION-1)."""

    field: Field | None
    begin: int
    captures: Mapping[str, str]
    exists: bool  # the implicit region doesn't before it has text (REGION-5)
    opened: bool  # has its region_open been emitted
    closed: bool = False  # has its region_close been emitted, while its close may still take more text
    parts: list[str] = dataclass_field(default_factory=list)


class ResponseParser:
    """Parses one stream, chunk by chunk; the result doesn't depend on the chunks (EVENT-4).

    Every event is emitted by the call that delivers the text which determines it (DUE-3).

    Attributes:
        initial_events: the events that the prefix determines.
    """

    initial_events: list[Event]

    def __init__(
        self,
        template: TemplateLike,
        *,
        prefix: str | None = None,
        tools: Sequence[Tool] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> None:
        """Begins a stream with the head of the prefix (section 2).

        Args:
            template: a template or its document.
            prefix: the prompt that is continued; `""` says that there is none.
            tools: tool objects or Python functions, by whose schemas arguments are cast (section 8).
            on_malformed: "event" emits `region_malformed` where "raise" raises a `ParseError` (ERROR-6).

        Raises:
            TemplateError: the template or the tools can't be used.
            ParseError: no prefix was given, or a region of the prefix has no value.
            ParserStateError: the prefix isn't a string, or `on_malformed` is neither of the two.
        """
        self._template = template if isinstance(template, Template) else load_template(template)
        if prefix is None:
            message = 'the prefix is missing: pass the prompt that the model continued, or prefix="" if there is none'
            raise ParseError("prefix-missing", message)
        if on_malformed not in ("raise", "event"):
            raise ParserStateError("option", f"on_malformed is 'raise' or 'event', not {on_malformed!r}")
        self._tools = None if tools is None else Tools(tools)
        self._on_malformed = on_malformed
        self._message: Message = copy(dict(self._template.defaults))
        self._joined: dict[str, list[str]] = {}  # the values of fields with `join`, which `_message` has no text of

        fields = self._template.fields.values()
        self._opens = [_Watch(f, f.open, True) for f in fields if f.open is not None]
        self._closes = {f.name: _Watch(f, f.close, False) for f in fields if f.close is not None}
        contexts = [watch.delimiter.context for watch in (*self._opens, *self._closes.values())]
        for field in fields:
            if field.outside_strings is not None:
                self._closes[field.name].strings = Strings(field.outside_strings)
                contexts.append(field.outside_strings.context)
        self._context = None if None in contexts else max((c for c in contexts if c is not None), default=0)

        head = self._template.head(_as_text(prefix))
        self._text = ""  # the stream from position _offset on
        self._offset = 0
        self._position = 0  # what lies before it has been given to regions and delimiters
        self._generation = len(head)  # where the generation begins
        self._region = _Region(self._template.implicit, 0, {}, exists=False, opened=False)
        self._announced = False  # has the region_open of the open that is about to fire been emitted
        self._events: list[Event] = []
        self._failure: ParseError | None = None
        self._finalized = False
        self.initial_events = self._advance(head, complete=False)

    @property
    def message_so_far(self) -> Message:
        """The message as the regions closed so far make it, without what MESSAGE-6 drops; a copy."""
        fields = self._template.fields
        joined = {name: (fields[name].join or "").join(values) for name, values in self._joined.items()}
        message = {**self._message, **joined}
        kept = {key for key, value in message.items() if key in self._template.defaults or not _is_empty(value)}
        return {key: copy(value) for key, value in message.items() if key in kept}

    def feed(self, text: str) -> list[Event]:
        """The events that are determined now that `text` has been received, and weren't before.

        Raises:
            ParseError: a region has no value; also at every call after one that raised it (ERROR-5).
            ParserStateError: after `finalize`, or if `text` isn't a string.
        """
        self._check_usable()
        return self._advance(_as_text(text), complete=False)

    def finalize(self) -> tuple[Message, list[Event]]:
        """Ends the stream: the message, and the events that only its end determines. Raises as `feed` does."""
        self._check_usable()
        events = self._advance("", complete=True)
        for field in self._template.fields.values():
            if not field.optional and field.name not in self._message:
                self._fail("field-missing", "this required field didn't occur", field.name, self._end)
        self._finalized = True
        return self.message_so_far, events

    def _check_usable(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self._finalized:
            raise ParserStateError("finalized", "the stream has ended; make a new parser for another one")

    def _advance(self, text: str, *, complete: bool) -> list[Event]:
        """Takes in more of the stream, does all that it determines, and forgets what can't matter any more."""
        self._events = []
        self._text += text
        while self._step(complete):
            pass
        if self._context is not None:
            forget = self._position - self._context - self._offset
            if forget > 0:
                self._text = self._text[forget:]
                self._offset += forget
        return self._events

    @property
    def _end(self) -> int:
        return self._offset + len(self._text)

    def _step(self, complete: bool) -> bool:
        """Fires the next delimiter, if it is determined (DELIM-1); False when nothing more can be done."""
        candidates = [(found, watch) for watch in self._watched() if (found := self._look(watch, complete)) is not None]
        start = min((found.start for found, _ in candidates), default=self._end)
        self._write(min(start, self._end))
        if not candidates:
            if complete:
                self._close_region({})
            return False
        ranked = sorted((one for one in candidates if one[0].start == start), key=lambda one: one[1].rank())
        # What ranks behind a match can't win any more, whatever it comes to.
        decided = next((index for index, (found, _) in enumerate(ranked) if isinstance(found, Match)), len(ranked))
        contenders = ranked[: decided + 1]
        match, watch = contenders[0]
        if isinstance(match, Match):
            self._fire(match, watch)
            return True
        self._foresee(contenders)
        return False

    def _watched(self) -> list[_Watch]:
        """The delimiters that count now (REGION-2)."""
        field = self._region.field
        close = self._closes.get(field.name) if field is not None else None
        own = [close] if close is not None else []
        return own if field is not None and field is not self._template.implicit else self._opens + own

    def _look(self, watch: _Watch, complete: bool) -> SearchResult:
        """The next match of a delimiter. What an earlier look found out is kept, so no text is searched twice."""
        while True:
            if watch.found is not None and watch.found.start < self._position:
                watch.pass_over(self._position)
            if not isinstance(watch.found, Match) and watch.seen != (self._end, complete):
                self._search(watch, complete)
            found = watch.found
            if found is None or not self._is_vacant(watch) or not self._must_be_empty(watch.delimiter, found):
                return found
            watch.pass_over(found.start + 1)  # DELIM-7

    def _must_be_empty(self, delimiter: Delimiter, found: Match | Undecided) -> bool:
        """Whether the delimiter, if it stands at the position reached, is empty there."""
        if isinstance(found, Match):
            return found.end == self._position
        here = self._position - self._offset
        return found.start == self._position < self._end and not delimiter.may_take_text(self._text, here)

    def _search(self, watch: _Watch, complete: bool) -> None:
        begin = max(watch.floor, self._position)
        found = self._first(watch.delimiter, begin, complete)
        if watch.strings is not None:
            found = self._first_outside(watch.strings, watch.delimiter, found, complete)
        watch.floor = begin if found is None else found.start
        watch.found = found
        watch.seen = (self._end, complete)

    def _first(self, delimiter: Delimiter, begin: int, complete: bool) -> SearchResult:
        found = delimiter.search(self._text, begin - self._offset, complete=complete)
        return None if found is None else found.moved(self._offset)

    def _first_outside(
        self, strings: Strings, delimiter: Delimiter, found: SearchResult, complete: bool
    ) -> SearchResult:
        """The first match from `found` on that begins outside of strings; undecided, if it's not known what does."""
        while found is not None:
            outside = strings.outside(found.start, self._text, self._offset, complete=complete)
            if outside is None:
                return Undecided(found.start, certain=False)
            if outside == found.start:
                break
            found = self._first(delimiter, outside, complete)
        return found

    def _is_vacant(self, watch: _Watch) -> bool:
        """Whether the delimiter is the close of an implicit region that doesn't exist yet (REGION-5)."""
        return not watch.is_open and not self._region.exists

    def _foresee(self, contenders: list[tuple[Match | Undecided, _Watch]]) -> None:
        """Emits what is determined although it isn't yet which delimiter fires next, or how far it reaches.

        If one of them begins here in any case, the current region ends here, whatever its close will take.
        """
        effective = [found for found, watch in contenders if not self._is_vacant(watch)]
        if not any(isinstance(found, Match) or found.certain for found in effective):
            return
        closes = [watch.field for _, watch in contenders if not watch.is_open]
        if not any(field.value_depends_on_close for field in closes):
            self._close_region({})
            if len(contenders) == 1 and not closes:
                self._announce(contenders[0][1].field)

    def _fire(self, match: Match, watch: _Watch) -> None:
        """Ends the current region and, at an open, begins that field's (REGION-4)."""
        self._position = match.end
        watch.fired(match)
        if watch.is_open:
            self._close_region({})
            self._announce(watch.field)
            opened, self._announced = self._announced, False
            self._region = _Region(watch.field, match.end, match.captures, exists=True, opened=opened)
            close = self._closes.get(watch.field.name)
            if close is not None and close.strings is not None:
                close.strings.begin(match.end)
        else:
            self._close_region(match.captures)
            self._region = _Region(self._template.implicit, match.end, {}, exists=False, opened=False)

    def _announce(self, field: Field) -> None:
        """Emits the region_open of an explicit region, once; not yet if it might turn out blank (skip_blank)."""
        if not self._announced and not field.skip_blank:
            self._announced = True
            self._events.append({"type": "region_open", "field": field.name})

    def _write(self, end: int) -> None:
        """Gives the text up to `end` to the current region (REGION-3)."""
        text = self._text[self._position - self._offset : end - self._offset]
        self._position = end
        region = self._region
        if not text or region.field is None:
            return
        name = region.field.name
        if not region.exists:
            region.exists = True
            region.begin = end - len(text)
        region.parts.append(text)
        if not region.opened:
            if region.field.skip_blank and is_blank(text):
                return
            region.opened = True
            text = "".join(region.parts)
            self._events.append({"type": "region_open", "field": name})
        self._events.append({"type": "region_chunk", "field": name, "text": text, "dirty": region.field.content.dirty})

    def _close_region(self, close_captures: Mapping[str, str]) -> None:
        """Ends the current region, unless it has been ended already, doesn't exist (REGION-5) or is skipped."""
        region = self._region
        if region.field is None or region.closed or not region.opened:
            return
        region.closed = True
        text = "".join(region.parts)
        try:
            value = self._value(region.field, text, {**region.captures, **close_captures})
            self._store(region.field, copy(value))
        except Malformed as malformed:
            if self._on_malformed == "raise":
                self._fail(malformed.kind, malformed.reason, region.field.name, region.begin)
            event = {"type": "region_malformed", "field": region.field.name, "text": text, "kind": malformed.kind}
            self._events.append(event)
        else:
            self._events.append({"type": "region_close", "field": region.field.name, "value": value})

    def _value(self, field: Field, text: str, captures: Mapping[str, str]) -> Any:
        try:
            value = field.content.parse(text)
            if field.transform is not None:
                value = field.transform.apply(value, captures)
            return value if self._tools is None else self._tools.cast(value)
        except RecursionError:  # the caller's own stack was nearly full
            raise Malformed("nesting-too-deep", "nested too deep for what is left of the stack") from None

    def _store(self, field: Field, value: Any) -> None:
        """Writes a region's value to the message (MESSAGE-1 to MESSAGE-4)."""
        name = field.name
        if field.join is not None:
            if not isinstance(value, str):
                raise Malformed("join-not-string", f"join needs strings, not {type_name(value)}")
            values = self._joined.setdefault(name, [self._message[name]] if name in self._message else [])
            values.append(value)
            self._message.setdefault(name, "")
        elif field.repeats:
            self._message.setdefault(name, []).append(value)
        else:
            self._message[name] = value

    def _fail(self, kind: str, reason: str, name: str, begin: int) -> NoReturn:
        error = ParseError(kind, reason, field=name, position=begin - self._generation)
        error.events = tuple(self._events)
        error.message_so_far = self.message_so_far
        self._failure = error
        raise error


def _as_text(text: Any) -> str:
    if not isinstance(text, str):
        raise ParserStateError("not-text", f"text is a string, not {type(text).__name__}; decode token ids first")
    return text


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)
