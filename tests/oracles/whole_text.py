"""What a complete text means: SPEC.md sections 2 to 5, 9 and 10, with no streaming anywhere.

The oracle of messages and of merged events. It is given the whole stream, so it has no holding, no partial matches and
no chunks: a delimiter's first match is whatever the `regex` module finds. `values` has the sections in between. The
template is taken to be valid; `determined` asks when each event is due. The proposals of `reference/proposals/` are
here too: a template that has their keys has asked for them.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import regex

from oracles.values import (
    CONTENT_KINDS,
    JSON,
    Captures,
    ValueFault,
    content_value,
    is_white,
    same_json,
    tool_schemas,
    transformed,
    typed,
)

Event = dict[str, JSON]

CLEAN_KINDS = frozenset({"text", "int", "float", "bool"})  # EVENT-3


@dataclass(frozen=True)
class Fault:
    """A `ParseError`: its kind (SPEC.md section 10), the field it names, and the position in the generation, in code
    points and negative inside the head, at which the text in question begins. ERROR-2."""

    kind: str
    field: str | None = None
    position: int = 0


@dataclass
class Outcome:
    """All that a complete text gives. `message` is what was parsed so far if there is an `error`."""

    head: str = ""
    events: list[Event] = field(default_factory=list)
    message: dict[str, JSON] = field(default_factory=dict)
    error: Fault | None = None


def parse(
    template: Mapping[str, JSON],
    text: str,
    *,
    prefix: str | None = "",
    tools: list[JSON] | None = None,
    on_malformed: str = "raise",
) -> Outcome:
    """Events (the text of a region in one chunk) and message, or error, of a generation. None as `prefix` is a caller
    who left it out (PREFIX-1)."""
    if prefix is None:
        return Outcome(error=Fault("prefix-missing"))
    grammar = Grammar(template, tools, on_malformed)
    head = grammar.head(prefix)
    outcome = Outcome(head)
    message = Message(grammar.template)
    for event in grammar.events(head + text, message):
        if isinstance(event, Fault):
            position = event.position - len(head)
            outcome.error = Fault(event.kind, event.field, position)
        else:
            outcome.events.append(event)
    outcome.message = message.so_far()
    return outcome


def by_code_point(events: list[Event]) -> list[Event]:
    """The same events with every chunk divided into single code points: E(x) of section 5."""
    result = []
    for event in events:
        parts = event["text"] if event["type"] == "region_chunk" else [None]
        result += [event if part is None else {**event, "text": part} for part in parts]
    return result


# ---- section 4: delimiters -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """A match: where it starts and ends in the stream, and the named groups that took part."""

    start: int
    end: int
    captures: Captures


class Searcher(Protocol):
    def first(self, stream: str, start: int) -> Found | None:
        """The first match that starts at `start` or later in a complete stream. DELIM-1, DELIM-3."""


@dataclass(frozen=True)
class Literals:
    """DELIM-2."""

    literals: tuple[str, ...]

    def first(self, stream: str, start: int) -> Found | None:
        places = [(stream.find(literal, start), -len(literal)) for literal in self.literals]
        there = [place for place in places if place[0] >= 0]
        if not there:
            return None
        at, negated_length = min(there)
        return Found(at, at - negated_length, {})


@dataclass(frozen=True)
class Expression:
    """A pattern, searched by the `regex` module itself. DIALECT-1."""

    source: str
    compiled: regex.Pattern[str]

    def first(self, stream: str, start: int) -> Found | None:
        match = self.compiled.search(stream, start) if start <= len(stream) else None
        if not match:
            return None
        return Found(match.start(), match.end(), {k: v for k, v in match.groupdict().items() if v is not None})


@dataclass(frozen=True)
class Delimiter:
    """An open or a close of a field."""

    field: str
    opens: bool
    searcher: Searcher


def searcher(owner: Mapping[str, JSON], key: str) -> Searcher | None:
    """What `key` (literals) or `key_pattern` says in a field, or in the template for the anchor."""
    literals, pattern = owner.get(key), owner.get(f"{key}_pattern")
    assert literals is None or pattern is None, f"both {key} and {key}_pattern"
    if pattern is not None:
        return Expression(pattern, regex.compile(pattern, regex.DOTALL | regex.V0))
    if literals is not None:
        return Literals((literals,) if isinstance(literals, str) else tuple(literals))
    return None


# ---- proposal close-outside-strings --------------------------------------------------------------------------------


def strings(stream: str, begin: int, spec: Mapping[str, JSON]) -> Iterator[tuple[int, int]]:
    """Where the strings of a region that begins at `begin` begin and end. OUTSIDE-2 to OUTSIDE-4."""
    at = begin
    while at < len(stream):
        delimited = [pair for pair in string_delims(spec) if stream.startswith(pair[0], at)]
        if delimited:
            first, last = max(delimited, key=lambda pair: len(pair[0]))  # `max` keeps the first listed of equals
            end = stream.find(last, at + len(first))
            if end < 0:
                return
            yield at, end + len(last)
            at = end + len(last)
        elif stream[at] in ("'\"" if spec["content"] == "python-call-list" else '"'):
            end = quoted_end(stream, at)
            if stream[end : end + 1] == stream[at]:
                yield at, end + 1
                at = end + 1
            else:
                at = end
        else:
            at += 1


def string_delims(spec: Mapping[str, JSON]) -> list[tuple[str, str]]:
    """The pairs of a field whose opens can stand anywhere."""
    pairs = spec.get("content_args", {}).get("string_delims", [])
    return [(first, last) for first, last in pairs if first[0] not in "\t\n\r "]


def quoted_end(stream: str, at: int) -> int:
    """Where what the quote at `at` begins ends: before the same quote, a line end, or the end of the stream."""
    end = at + 1
    while end < len(stream) and stream[end] not in (stream[at], "\n", "\r"):
        escapes = stream[end] == "\\" and end + 1 < len(stream) and stream[end + 1] not in "\n\r"
        end += 2 if escapes else 1
    return end


# ---- section 9: the message ----------------------------------------------------------------------------------------


@dataclass
class Message:
    """The message while it is written."""

    template: Mapping[str, JSON]
    values: dict[str, JSON] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.values = copy.deepcopy(dict(self.template.get("defaults", {})))  # MESSAGE-1

    def write(self, name: str, value: JSON) -> None:
        """MESSAGE-1 to MESSAGE-4."""
        spec = self.template["fields"][name]
        value = copy.deepcopy(value)
        if "join" in spec:
            self.values[name] = self.values[name] + spec["join"] + value if name in self.values else value
        elif spec.get("repeats", False):
            self.values.setdefault(name, []).append(value)
        else:
            self.values[name] = value

    def missing(self) -> str | None:
        """The first field that must be there and isn't. MESSAGE-5."""
        for name, spec in self.template["fields"].items():
            if not spec.get("optional", True) and name not in self.values:
                return str(name)
        return None

    def so_far(self) -> dict[str, JSON]:
        """MESSAGE-6."""
        defaults = self.template.get("defaults", {})
        return {key: value for key, value in self.values.items() if key in defaults or not is_nothing(value)}


def is_nothing(value: JSON) -> bool:
    return value is None or (isinstance(value, (str, list, dict)) and not value)


# ---- sections 2, 3 and 5: anchor, regions, events ------------------------------------------------------------------


class Grammar:
    """A template made ready, with its tools and options."""

    def __init__(
        self, template: Mapping[str, JSON], tools: list[JSON] | None = None, on_malformed: str = "raise"
    ) -> None:
        self.template = copy.deepcopy(dict(template))
        self.schemas = None if tools is None else tool_schemas(copy.deepcopy(tools))
        self.malformed_as_events = on_malformed == "event"
        self.anchor = searcher(template, "start_anchor")
        self.opens: list[Delimiter] = []
        self.closes: dict[str, Delimiter] = {}
        self.implicit: str | None = None
        assert self.anchor is not None and template["fields"], "not a template"
        for name, spec in template["fields"].items():
            opening, closing = searcher(spec, "open"), searcher(spec, "close")
            assert spec.get("content", "text") in CONTENT_KINDS, spec["content"]
            if opening is not None:
                self.opens.append(Delimiter(name, True, opening))
            else:
                assert self.implicit is None, "two implicit fields"
                self.implicit = name
            if closing is not None:
                self.closes[name] = Delimiter(name, False, closing)

    def head(self, prefix: str) -> str:
        """What of the prefix remains after the anchor's last match. ANCHOR-1 to ANCHOR-3."""
        assert self.anchor is not None
        dropped, start = 0, 0
        while start <= len(prefix) and (found := self.anchor.first(prefix, start)):
            dropped = found.end
            start = found.end if found.end > found.start else found.end + 1
        return prefix[dropped:]

    def watched(self, open_field: str | None) -> list[Delimiter]:
        """REGION-2, REGION-7."""
        if open_field is not None:
            return [self.closes[open_field]] if open_field in self.closes else []
        own = [self.closes[self.implicit]] if self.implicit in self.closes else []
        return self.opens + own

    def next_delimiter(
        self, stream: str, reached: int, open_field: str | None, spent: set[tuple[Delimiter, int]]
    ) -> tuple[Delimiter, Found] | None:
        """The delimiter that fires next, by DELIM-1. `spent`: those that have fired with zero width, and where."""
        candidates = []
        for delimiter in self.watched(open_field):
            found = delimiter.searcher.first(stream, reached)
            while found and self.may_not_fire(delimiter, found, stream, reached, spent):
                found = delimiter.searcher.first(stream, found.start + 1)
            if found:
                candidates.append((delimiter, found))
        return min(candidates, key=rank, default=None)

    def may_not_fire(
        self, delimiter: Delimiter, found: Found, stream: str, reached: int, spent: set[tuple[Delimiter, int]]
    ) -> bool:
        """Of a match of zero width: DELIM-6, DELIM-7; and of one inside a string: OUTSIDE-5."""
        at = found.start
        if found.end == at and ((delimiter, at) in spent or (delimiter.field == self.implicit and at == reached)):
            return True
        spec = self.template["fields"][delimiter.field]
        outside_strings = not delimiter.opens and spec.get("close_outside_strings", False)
        return outside_strings and any(begin < at < end for begin, end in strings(stream, reached, spec))

    def events(self, stream: str, message: Message) -> Iterator[Event | Fault]:
        """The events of a complete stream, with the text of each region in one chunk, and the error, if there is one,
        at the end; its position counts in the stream. Writes the values to `message`. Section 3, EVENT-1."""
        reached = 0
        open_field: str | None = None
        open_captures: Captures = {}
        spent: set[tuple[Delimiter, int]] = set()
        while True:
            fired = self.next_delimiter(stream, reached, open_field, spent)
            end = fired[1].start if fired else len(stream)
            closing = fired[1].captures if fired and not fired[0].opens else {}
            for event in self.region_end(open_field, stream[reached:end], {**open_captures, **closing}, message):
                yield Fault(event.kind, event.field, reached) if isinstance(event, Fault) else event
                if isinstance(event, Fault):
                    return
            if not fired:
                break
            delimiter, found = fired
            if found.start == found.end:
                spent.add((delimiter, found.start))
            open_field, open_captures = (delimiter.field, found.captures) if delimiter.opens else (None, {})
            if open_field is not None and not self.skips_blank(open_field):
                yield {"type": "region_open", "field": open_field}
            reached = found.end
        missing = message.missing()
        if missing is not None:
            yield Fault("field-missing", missing, len(stream))

    def region_end(
        self, open_field: str | None, text: str, captures: Captures, message: Message
    ) -> Iterator[Event | Fault]:
        """The events of the current region but the open of an explicit one. REGION-3 to REGION-6, EVENT-2."""
        name = open_field if open_field is not None else self.implicit
        if name is None or (open_field is None and not text):
            return
        if self.skips_blank(name) and is_white(text):  # BLANK-2
            return
        if open_field is None or self.skips_blank(name):
            yield {"type": "region_open", "field": name}
        if text:
            yield {"type": "region_chunk", "field": name, "text": text, "dirty": self.is_dirty(name)}
        value = self.value(name, text, captures)
        if not isinstance(value, Fault):
            message.write(name, value)
            yield {"type": "region_close", "field": name, "value": value}
        elif self.malformed_as_events:  # ERROR-6
            yield {"type": "region_malformed", "field": name, "text": text, "kind": value.kind}
        else:
            yield value  # ERROR-3

    def skips_blank(self, name: str) -> bool:
        """BLANK-1."""
        return bool(self.template["fields"][name].get("skip_blank", False))

    def is_dirty(self, name: str) -> bool:
        """EVENT-3."""
        return self.template["fields"][name].get("content", "text") not in CLEAN_KINDS

    def value(self, name: str, text: str, captures: Captures) -> JSON | Fault:
        """A region's value: content kind, transform, tool typing; and what `join` asks of it."""
        spec = self.template["fields"][name]
        try:
            value = content_value(spec.get("content", "text"), spec.get("content_args", {}), text)
            if "transform" in spec:
                value = transformed(spec["transform"], spec.get("transform_each", False), value, captures)
            if self.schemas is not None:
                value = typed(value, self.schemas)
            if "join" in spec and not isinstance(value, str):
                raise ValueFault("join-not-string")  # MESSAGE-4
        except ValueFault as fault:
            return Fault(fault.kind, name)
        return value


def rank(candidate: tuple[Delimiter, Found]) -> tuple[int, int, bool, str]:
    """Smaller fires: starts earlier, is longer, opens, has the first name. DELIM-1."""
    delimiter, found = candidate
    return found.start, found.start - found.end, not delimiter.opens, delimiter.field


# ---- sameness of events --------------------------------------------------------------------------------------------


def common_beginning(a: list[Event | Fault], b: Iterator[Event | Fault], enough: int) -> int:
    """How many elements the longest common beginning of two E(x) has (chunks counted by code points), or `enough` if
    it is at least that long. Both have a region's text in one chunk; `b` is not read further than needed."""
    count = 0
    for mine in a:
        if count >= enough:
            return enough
        theirs = next(b, None)
        if isinstance(mine, Fault) or isinstance(theirs, Fault) or theirs is None:
            return count + (isinstance(mine, Fault) and isinstance(theirs, Fault) and same_fault(mine, theirs))
        if mine["type"] != theirs["type"] or mine["field"] != theirs["field"]:
            return count
        if mine["type"] == "region_chunk":
            shared = common_length(mine["text"], theirs["text"])
            count += shared
            if shared < max(len(mine["text"]), len(theirs["text"])):
                break
        elif same_event(mine, theirs):
            count += 1
        else:
            break
    return min(count, enough)


def same_event(a: Event, b: Event) -> bool:
    """Whether two events of one type and field are the same; the value is often the very same object."""
    return same_json(a, b) if "text" in a else a.get("value") is b.get("value") or same_json(a, b)


def same_fault(a: Fault, b: Fault) -> bool:
    return (a.kind, a.field) == (b.kind, b.field)


def common_length(a: str, b: str) -> int:
    """The length of the longest common beginning of two texts."""
    if a.startswith(b):
        return len(b)
    if b.startswith(a):
        return len(a)
    same, different = 0, min(len(a), len(b))  # bisected, since this is where brute force spends its time
    while different - same > 1:
        middle = (same + different) // 2
        same, different = (middle, different) if a[same:middle] == b[same:middle] else (same, middle)
    return same
