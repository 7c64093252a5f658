"""The patterns of a template, translated: all that a port needs to find delimiters and tags with its own engine.

A port that keeps such a table beside a template needs no parser for patterns and no rewrite for streams. Any document
will do, also one that `antiphon.load_template` refuses: what isn't a pattern or a literal is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from antiphon.delimiter import literals_tree
from antiphon.pointer import pointer

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

End: TypeAlias = Literal["open", "close"]
ENDS: Final[tuple[End, ...]] = ("open", "close")


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a template that holds a pattern, a literal or a list of literals.

    `pointer` is its JSON Pointer; `source` the pattern, or the alternation that stands for `literals` (DELIM-2), of
    which a pattern has none. A delimiter is an `end` of a `field`; the start anchor and tag patterns are of neither.
    `closes_implicit`: whether DELIM-7 is about it.
    """

    pointer: str
    source: str
    literals: tuple[str, ...] = ()
    field: str = ""
    end: End | None = None
    closes_implicit: bool = False

    @property
    def streams(self) -> bool:
        """Whether it is searched for in a text that still goes on."""
        return self.end is not None


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
    def forms(self) -> tuple[Translation, ...]:
        """Those that are needed, the plain one first."""
        return tuple(form for form in (self.plain, self.hit_end, self.must, self.taking) if form is not None)

    @property
    def unsupported(self) -> bool:
        """Whether a form that is needed can't be had."""
        return any(form.pattern is None for form in self.forms)

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
        found = TranslatedPattern(source, tuple(sorted(tree.names)), translate(tree, target))
    except PatternError as error:
        return FaultyPattern(source, f"pattern-{error.kind}", error.told)
    if not streams:
        return found
    taking = _taking(tree) if closes_implicit else None
    return replace(
        found,
        hit_end=translate(tree, target, "hit-end"),
        must=translate(tree, target, "must"),
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
    """The places of a template that hold patterns or literals: the anchor, then field by field as they stand there."""
    members = _members(document)
    for key in ("start_anchor", "start_anchor_pattern"):
        yield from _place(members, (key,))
    for name, value in _members(members.get("fields")).items():
        field, keys = _members(value), ("fields", str(name))
        implicit = not field.keys() & {"open", "open_pattern"}
        for end in ENDS:
            for key in (end, f"{end}_pattern"):
                for place in _place(field, (*keys, key)):
                    yield replace(place, field=str(name), end=end, closes_implicit=implicit)
        yield from _tag_patterns(field, keys)


def _tag_patterns(field: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[Place]:
    """The tag patterns of a field's content, and of the parsers of its values (KIND-XML-5)."""
    kind, arguments_key = field.get("content"), "content_args"
    while kind in ("xml-inline", "kv-lines"):
        arguments, keys = _members(field.get(arguments_key)), (*keys, arguments_key)
        if kind == "xml-inline":
            yield from _place(arguments, (*keys, "tag_pattern"))
        field, keys = _members(arguments.get("value_parser")), (*keys, "value_parser")
        kind, arguments_key = field.get("name"), "args"


def _place(members: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[Place]:
    """The place to which `keys` lead, the last of them in `members`; nothing, if no pattern or literal is there."""
    value = members.get(keys[-1])
    if keys[-1].endswith("_pattern"):
        if isinstance(value, str) and value:
            yield Place(pointer(*keys), value)
        return
    literals = tuple(value) if isinstance(value, list | tuple) else (value,)
    if literals and all(isinstance(literal, str) and literal for literal in literals):
        yield Place(pointer(*keys), _alternation(literals), tuple(dict.fromkeys(literals)))


@lru_cache(maxsize=1024)
def _alternation(literals: tuple[str, ...]) -> str:
    return emit(literals_tree(literals), "regex").source


def _members(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
