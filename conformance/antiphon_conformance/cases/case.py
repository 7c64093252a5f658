"""What a case of the suite says, as frozen values: Case, Expectation, ExpectedEvent, ExpectedError.

Moments are numbers of code points of the case's text that have been fed; the end of the stream is one more than the
text's length (`Case.end`), so that moments compare as numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from antiphon_portability.regex import PatternError, exactness, parse

Json = Any
"""A JSON value as the json module makes it."""

OPTIONAL, PROPOSALS = "optional", "proposals"
"""The topics of cases that aren't required: behaviour that ports may choose, and extensions under discussion."""
CONTENT_KINDS = frozenset(["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"])


@dataclass(frozen=True)
class ExpectedEvent:
    """An event (EVENT-1, without `at`) and the moments at which it is due.

    `first` and `last` differ only for a region_chunk whose code points become due one by one. Both are None where
    the case doesn't fix moments.
    """

    event: Mapping[str, Json]
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True)
class ExpectedError:
    """An error: while loading, with a JSON Pointer; or while parsing, with what ERROR-2 names and when it is due."""

    stage: Literal["load", "parse"]
    kind: str
    pointer: str | None = None
    field: str | None = None
    position: int | None = None
    at: int | None = None

    @property
    def details(self) -> Mapping[str, str | int]:
        """Those of `pointer`, `field` and `position` that the case tells."""
        told = {"pointer": self.pointer, "field": self.field, "position": self.position}
        return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True)
class Expectation:
    """Exactly one of `message`, `error` and `loads` is set; `events` are those before an error.

    `events` is None where the case says nothing about them; `timed` tells whether they carry moments.
    """

    message: Mapping[str, Json] | None = None
    error: ExpectedError | None = None
    loads: bool = False
    events: tuple[ExpectedEvent, ...] | None = None
    timed: bool = False

    @property
    def parses(self) -> bool:
        """Whether the case is about parsing, not only about loading the template."""
        return not self.loads and (self.error is None or self.error.stage == "parse")


@dataclass(frozen=True, eq=False)
class Case:
    """One case of the suite, with everything resolved: template names, the parts of the text. Equal to itself only."""

    full_id: str
    description: str
    clauses: tuple[str, ...]
    template: Json
    expect: Expectation
    text: str = ""
    prefix: str | None = ""
    tools: Json = None
    options: Mapping[str, Json] = field(default_factory=dict)
    requires: frozenset[str] = frozenset()
    listed_chunkings: tuple[str | tuple[int, ...], ...] = ()
    reason: str | None = None
    proposals: tuple[str, ...] = ()
    """The proposals that its template needs (SPEC.md, annex B): those in whose folder it lies."""
    notes: tuple[str, ...] = ()
    """What a failure means to users: names of entries in suite/notes.json."""
    source: str | None = None
    """Where format, text or fault come from; None: made up for the suite."""

    @property
    def topic(self) -> str:
        """The first folder of the case's file below suite/."""
        return self.full_id.partition("/")[0]

    @property
    def required(self) -> bool:
        """False for the cases under optional/ and proposals/."""
        return self.topic not in (OPTIONAL, PROPOSALS)

    @property
    def end(self) -> int:
        """The moment of the end of the stream."""
        return len(self.text) + 1

    @property
    def prompt_required(self) -> bool:
        """Whether level `prompt` demands that nothing comes late (DUE-3), or only recommends it (DUE-4)."""
        return demands_moments(self.template)

    @property
    def needs(self) -> frozenset[str]:
        """The capabilities without which an implementation can't be judged on the case (LEVEL-3)."""
        return self.requires | frozenset(_kinds(self.template)) | frozenset(self.proposals)


def demands_moments(template: Json) -> bool:
    """Whether nothing may come late (DUE-3) in a stream with this template, since no pattern excuses it (DUE-4)."""
    return all(_is_exact(pattern) for pattern in _patterns(template))


def _patterns(template: Json) -> Iterator[str]:
    """The patterns that open and close the regions of a template; nothing for what isn't a template."""
    fields = template.get("fields") if isinstance(template, dict) else None
    for spec in fields.values() if isinstance(fields, dict) else ():
        found = [spec.get(key) for key in ("open_pattern", "close_pattern")] if isinstance(spec, dict) else []
        yield from (pattern for pattern in found if isinstance(pattern, str))


@cache
def _is_exact(pattern: str) -> bool:
    try:
        return exactness(parse(pattern)).level == "exact"
    except PatternError:  # each implementation that is run tells so
        return True


def _kinds(template: Json) -> Iterator[str]:
    """The content kinds beyond `text` that the fields of a template name; nothing for what isn't a template."""
    fields = template.get("fields") if isinstance(template, dict) else None
    for spec in fields.values() if isinstance(fields, dict) else ():
        key = "content"
        while isinstance(spec, dict):
            kind = spec.get(key)
            if isinstance(kind, str) and kind in CONTENT_KINDS and kind != "text":
                yield kind
            arguments = spec.get("content_args" if key == "content" else "args")
            spec, key = arguments.get("value_parser") if isinstance(arguments, dict) else None, "name"
