"""What every check gets: the template in all its forms, texts that lead into it, and how much may be tried.

A check's work is counted, not timed, so a template has the same findings on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from typing import Any, Final, TypeAlias

import antiphon
from antiphon.delimiter import Delimiter, Match, literals_tree
from antiphon.template import Field, Template
from antiphon.transform import placeholders

from antiphon_portability.chat import Renderer
from antiphon_portability.lint.steps import Unmeasurable, search_steps
from antiphon_portability.regex import Pattern, nullable, parse
from antiphon_portability.regex.analysis import is_one_char
from antiphon_portability.regex.samples import canonical, loops, samples
from antiphon_portability.templates import End, places

Message: TypeAlias = Mapping[str, Any]

LONGEST_TEXT: Final = 600  # code points of a text that is tried
MOST_WORK: Final = 400_000  # code points parsed by one group of checks
STEPS: Final = 10  # of a counted search cost as much as a code point parsed
_MOST_OPTIONAL: Final = 8  # parts of a pattern that is searched without being counted
_MOST_STEPS: Final = 20_000  # of one search in such a text: more, and the text isn't tried

SOME_TEXT: Final = "some text"
ORDINARY: Final = "The answer is 42; here is more.\n"
STRANGER: Final = "\x00"  # a character with which hardly any delimiter goes on


class OutOfWork(Exception):
    """A group of checks has tried as much as it may."""


@dataclass
class Work:
    """How much a group of checks may still try."""

    left: int = MOST_WORK

    def spend(self, amount: int) -> None:
        if amount > self.left:
            raise OutOfWork
        self.left -= amount


def _may_be_slow(tree: Pattern) -> bool:
    """Whether there are two loops, one over more than single characters, or many optional parts.

    Others are quadratic at worst.
    """
    found = [loop.node for loop in loops(tree.root, least_most=1)]
    if sum(node.least == 0 for node in found) > _MOST_OPTIONAL:
        return True
    again = [node for node in found if node.most is None or node.most > 1]
    return len(again) > 1 or any(not is_one_char(node.body) for node in again)


def is_quick(
    tree: Pattern, text: str, work: Work | None = None, *, longest: int = LONGEST_TEXT, most: int = _MOST_STEPS
) -> bool:
    """Whether a pattern is searched in a text of at most `longest` code points in fewer than `most` steps."""
    if len(text) > longest:
        return False
    try:
        steps = search_steps(tree, text, most)
    except Unmeasurable:
        return len(text) <= 80
    if work is not None:
        work.spend(steps // STEPS)
    return steps < most


@dataclass(frozen=True, eq=False)
class Side:
    """A delimiter of a field: where it stands in the document, its tree, and what searches for it."""

    field: Field
    end: End
    pointer: str
    source: str | tuple[str, ...]  # a pattern, or literals
    delimiter: Delimiter = dataclass_field(repr=False)
    tree: Pattern = dataclass_field(repr=False)

    @property
    def is_literal(self) -> bool:
        return isinstance(self.source, tuple)

    @property
    def is_implicit_close(self) -> bool:
        return self.end == "close" and self.field.open is None

    @cached_property
    def candidates(self) -> list[str]:
        """Texts in which it should match, or nearly."""
        return [*self.source] if isinstance(self.source, tuple) else samples(self.tree.root)

    @cached_property
    def texts(self) -> list[str]:
        """Those that it takes wholly, if it stands alone."""
        return [text for text in self.candidates if is_quick(self.tree, text) and self.taken(text) is not None]

    @cached_property
    def text(self) -> str:
        """The plainest text that holds it; where it takes none, what must stand there for it to match."""
        return next(iter(self.texts), "") or (
            self.source[0] if isinstance(self.source, tuple) else canonical(self.tree.root)
        )

    def taken(self, text: str) -> Match | None:
        """Its match, if it is all of a complete text."""
        found = self.delimiter.search(text, 0, complete=True)
        return found if isinstance(found, Match) and (found.start, found.end) == (0, len(text)) else None


@dataclass
class Context:
    """A template that loads."""

    document: Mapping[str, Any]
    template: Template
    targets: tuple[str, ...]
    renderer: Renderer | None = None  # of the chat template, if there is one
    work: Work = dataclass_field(default_factory=Work)
    unfinished: list[str] = dataclass_field(default_factory=list)  # what takes too long to be looked at
    skipped: list[str] = dataclass_field(default_factory=list)  # what can't be looked at here

    @property
    def chat_template(self) -> str | None:
        return self.renderer.chat_template if self.renderer else None

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """All delimiters, in the order of the document."""
        return tuple(self._sides())

    def _sides(self) -> Iterator[Side]:
        for place in places(self.document):
            if place.end is None:
                continue
            found = self.template.fields[place.field]
            delimiter = found.open if place.end == "open" else found.close
            assert delimiter is not None
            tree = literals_tree(place.literals) if place.literals else self.patterns[place.pointer]
            yield Side(found, place.end, place.pointer, place.literals or place.source, delimiter, tree)

    @cached_property
    def patterns(self) -> Mapping[str, Pattern]:
        """The trees of all patterns, by JSON Pointer; not those of literals."""
        return {place.pointer: parse(place.source) for place in places(self.document) if not place.literals}

    def side(self, name: str, end: End) -> Side | None:
        return next((side for side in self.sides if side.field.name == name and side.end == end), None)

    @property
    def explicit(self) -> list[Field]:
        return [found for found in self.template.fields.values() if found.open is not None]

    # -- texts

    def lead(self, side: Side) -> str:
        """A text behind which a delimiter is watched for, and behind which there is a region for it to end."""
        opened = self.side(side.field.name, "open") if side.end == "close" else None
        return (opened.text if opened else "") + self.body(side.field)

    def body(self, found: Field) -> str:
        """A region's text from which its value can be made."""
        return _body(self.document["fields"][found.name])

    def region(self, found: Field) -> str:
        """A whole region: open, text, close."""
        ends = [self.side(found.name, end) for end in ("open", "close")]
        before, after = (end.text if end else "" for end in ends)
        return before + self.body(found) + after

    @cached_property
    def _risky(self) -> list[Pattern]:
        return [tree for tree in self.patterns.values() if _may_be_slow(tree)]

    def is_safe(self, text: str, longest: int = LONGEST_TEXT) -> bool:
        """Whether no pattern takes long to search the text; a text that isn't safe must not be parsed."""
        most = _MOST_STEPS * max(1, longest // LONGEST_TEXT)
        return len(text) <= longest and all(
            is_quick(tree, text, self.work, longest=longest, most=most) for tree in self._risky
        )

    def matches_nothing(self, side: Side) -> bool:
        """Whether a delimiter may match the empty text."""
        return nullable(side.tree.root)

    # -- the reference

    def spend_on(self, text: str, runs: int = 1) -> None:
        """What parsing a text costs: each of the watched delimiters is searched in it."""
        self.work.spend(runs * (len(text) + 20) * max(3, len(self.explicit)) // 3)

    def parse(self, text: str, prefix: str = "") -> Message | antiphon.ParseError:
        """What the reference makes of a text."""
        self.spend_on(text)
        try:
            return antiphon.parse_response(text, self.template, prefix=prefix)
        except antiphon.ParseError as error:
            return error

    def events(self, chunks: Iterable[str], prefix: str = "") -> tuple[list[dict[str, Any]], antiphon.ResponseParser]:
        """The events of a text that may go on, and the parser; up to an error, if there is one."""
        parser = antiphon.ResponseParser(self.template, prefix=prefix, on_malformed="event")
        found = list(parser.initial_events)
        for chunk in chunks:
            self.spend_on(chunk)
            found += parser.feed(chunk)
        return found, parser

    def all_events(self, chunks: Iterable[str], prefix: str = "") -> list[dict[str, Any]]:
        """The events of a text that ends; a required field that is missing doesn't matter."""
        found, parser = self.events(chunks, prefix)
        try:
            return found + parser.finalize()[1]
        except antiphon.ParseError as error:
            return found + [dict(event) for event in error.events]


_BODIES: Final = {"text": SOME_TEXT, "int": "1", "float": "0.5", "bool": "true", "python-call-list": "[f(x=1)]"}


def _body(members: Mapping[str, Any]) -> str:
    """A text of the field's content kind; if JSON, with the members that the transform asks for."""
    kind = members.get("content", "text")
    shape = members.get("transform")
    each = members.get("transform_each", False)
    paths = [path for path, _ in placeholders(shape)] if shape is not None else []
    if kind == "json":
        value: dict[str, Any] = {}
        for path in paths:
            keys = path if each else path[1:] if path[0] == "content" else ()
            _put(value, keys)
        return json.dumps([value] if each else value)
    if kind == "kv-lines":
        arguments = members.get("content_args", {})
        return f"a{arguments.get('kv_sep', ':')}b"
    return _BODIES.get(kind, "")


def _put(value: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in keys[:-1]:
        inner = value.setdefault(key, {})
        if not isinstance(inner, dict):
            inner = value[key] = {}
        value = inner
    if keys:
        value.setdefault(keys[-1], "x")
