"""The patterns of a template, translated: all that a port needs to find delimiters and tags with its own engine.

A port that keeps such a table beside a template needs no parser for patterns and no rewrite for streams. Any document
will do, also one that `antiphon.load_template` refuses: what isn't a pattern or a literal is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from antiphon.delimiter import literals_tree

from antiphon_portability.regex import (
    Pattern,
    PatternError,
    Translation,
    captures,
    context_length,
    emit,
    parse,
    translate,
    width,
)
from antiphon_portability.regex.analysis import references
from antiphon_portability.regex.nodes import Alternation, Never
from antiphon_portability.regex.translate import LONGEST_SOURCE


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a template that holds a pattern, a literal or a list of literals.

    `pointer` is its JSON Pointer; `source` the pattern, or the alternation that stands for the literals (DELIM-2).
    `streams`: whether it is searched for in a text that still goes on. `closes_implicit`: whether DELIM-7 is about it.
    """

    pointer: str
    source: str
    streams: bool
    closes_implicit: bool = False


@dataclass(frozen=True, slots=True)
class TranslatedPattern:
    """A pattern in all the forms in which it is run.

    `groups`: its names in the original. `plain` is for complete texts: prefixes (ANCHOR-2), tags (KIND-XML-1), and
    every delimiter once the stream has ended (DELIM-5). The rest is there for delimiters only. `hit_end` is for the
    stream while it goes on (DELIM-4); `must`, run at the start of a match that is undecided, matches if one begins
    there whatever follows: then the event is due (DUE-3). `taking`, run where the implicit field's close is undecided,
    matches if it may take text there; if not, it is ignored (DELIM-7). None: it always may. `longest` is how many code
    points a match has at most (DELIM-1), `context` how many before its start it may look at (DELIM-3); None: no limit.
    """

    source: str
    groups: tuple[str, ...]
    plain: Translation
    hit_end: Translation | None = None
    must: Translation | None = None
    taking: Translation | None = None
    longest: int | None = None
    context: int | None = None

    @property
    def unsupported(self) -> bool:
        """Whether a form that is needed can't be had."""
        forms = (self.plain, self.hit_end, self.must, self.taking)
        return any(form is not None and form.pattern is None for form in forms)

    def as_json(self) -> dict[str, Any]:
        """The pattern as a JSON object; without the forms that it has no use for."""
        found: dict[str, Any] = {"source": self.source, "groups": list(self.groups), "plain": self.plain.as_json()}
        if self.hit_end is None or self.must is None:
            return found
        found |= {"hit_end": self.hit_end.as_json(), "must": self.must.as_json()}
        if self.taking is not None:
            found["taking"] = self.taking.as_json()
        return found | {"longest": self.longest, "context": self.context}


@dataclass(frozen=True, slots=True)
class FaultyPattern:
    """A pattern that no implementation takes: `kind` is that of LOAD-1."""

    source: str
    kind: str
    message: str

    def as_json(self) -> dict[str, Any]:
        """The fault as a JSON object."""
        return {"source": self.source, "error": {"kind": self.kind, "message": self.message}}


def pattern_table(document: Any, target: str) -> dict[str, TranslatedPattern | FaultyPattern]:
    """The patterns and literals of a template, for `target`, by their JSON Pointers in it.

    Raises `ValueError` for a target that doesn't exist.
    """
    return {
        place.pointer: _entry(place.source, target, place.streams, place.closes_implicit) for place in places(document)
    }


def table_as_json(document: Any, target: str) -> dict[str, Any]:
    """`pattern_table` as a JSON object."""
    return {pointer: entry.as_json() for pointer, entry in pattern_table(document, target).items()}


@lru_cache(maxsize=4096)
def _entry(source: str, target: str, streams: bool, closes_implicit: bool) -> TranslatedPattern | FaultyPattern:
    if len(source) > LONGEST_SOURCE:
        refused = translate(source, target)
        delimiter = refused if streams else None
        return TranslatedPattern(source, (), refused, hit_end=delimiter, must=delimiter)
    try:
        tree = parse(source)
        found = TranslatedPattern(source, tuple(sorted(tree.names)), translate(source, target))
    except PatternError as error:
        reason = f"{error.reason} at code point {error.position} of the pattern; {error.remedy}"
        return FaultyPattern(source, f"pattern-{error.kind}", reason)
    if not streams:
        return found
    taking = _taking(tree) if closes_implicit else None
    return replace(
        found,
        hit_end=translate(source, target, "hit-end"),
        must=translate(source, target, "must"),
        taking=None if taking is None else translate(taking, target, "hit-end"),
        longest=width(tree.root)[1],
        context=context_length(tree.root),
    )


def _taking(tree: Pattern) -> Pattern | None:
    """The pattern without those of its alternatives that never take text; None if it has none of them."""
    options = tree.root.options if isinstance(tree.root, Alternation) else (tree.root,)
    taking = tuple(option for option in options if width(option)[1] != 0)
    root = Alternation(taking) if taking else Never()
    if len(taking) == len(options) or not references(root) <= {group.number for group in captures(root)}:
        return None
    return replace(tree, root=root)


# -- where a template has patterns (sections 1 and 6)


def places(document: Any) -> Iterator[Place]:
    """The places of a template that hold patterns or literals, in the document's order of fields."""
    members = _members(document)
    for key in ("start_anchor", "start_anchor_pattern"):
        yield from _place(members, key, "", streams=False)
    for name, value in _members(members.get("fields")).items():
        field, pointer = _members(value), f"/fields/{_escaped(name)}"
        implicit = not field.keys() & {"open", "open_pattern"}
        for key in ("open", "open_pattern", "close", "close_pattern"):
            yield from _place(field, key, pointer, streams=True, closes_implicit=implicit)
        yield from _tag_patterns(field, pointer)


def _tag_patterns(field: dict[str, Any], pointer: str) -> Iterator[Place]:
    """The tag patterns of a field's content, and of the parsers of its values (KIND-XML-5)."""
    kind, arguments_key = field.get("content"), "content_args"
    while kind in ("xml-inline", "kv-lines"):
        arguments, pointer = _members(field.get(arguments_key)), f"{pointer}/{arguments_key}"
        if kind == "xml-inline":
            yield from _place(arguments, "tag_pattern", pointer, streams=False)
        field, pointer = _members(arguments.get("value_parser")), f"{pointer}/value_parser"
        kind, arguments_key = field.get("name"), "args"


def _place(
    members: dict[str, Any], key: str, parent: str, *, streams: bool, closes_implicit: bool = False
) -> Iterator[Place]:
    value = members.get(key)
    if not key.endswith("_pattern"):
        literals = value if isinstance(value, list) else [value]
        if literals and all(isinstance(literal, str) and literal for literal in literals):
            yield Place(f"{parent}/{key}", _alternation(tuple(literals)), streams, closes_implicit)
    elif isinstance(value, str) and value:
        yield Place(f"{parent}/{key}", value, streams, closes_implicit)


@lru_cache(maxsize=1024)
def _alternation(literals: tuple[str, ...]) -> str:
    return emit(literals_tree(literals), "regex").source


def _members(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
