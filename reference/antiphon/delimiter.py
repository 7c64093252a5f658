"""Delimiters and the three-valued search for them (SPEC.md, section 4).

Literals, lists of literals and patterns are all trees of the dialect, and go the same way from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from antiphon_portability.regex import (
    Pattern,
    context_length,
    first_chars,
    may_match,
    must_match,
    nullable,
    parse,
    width,
)
from antiphon_portability.regex.nodes import Alternation, Char, Never, Sequence

from antiphon.engine import Matcher


@dataclass(frozen=True, slots=True)
class Match:
    """The delimiter stands here, whatever follows: from `start` to `end`, with these named captures."""

    start: int
    end: int
    captures: Mapping[str, str]

    def moved(self, by: int) -> Match:
        """The same in a text that has so many code points more at its beginning."""
        return Match(self.start + by, self.end + by, self.captures)


@dataclass(frozen=True, slots=True)
class Undecided:
    """More text decides; no match can begin before `start`. If `certain`, one begins there in any case."""

    start: int
    certain: bool

    def moved(self, by: int) -> Undecided:
        """The same in a text that has so many code points more at its beginning."""
        return Undecided(self.start + by, self.certain)


SearchResult: TypeAlias = Match | Undecided | None


class Delimiter:
    """A pattern, ready to be searched in a stream.

    Raises `PatternError` for a pattern outside the dialect and `EngineError` for one outside the engine.

    Attributes:
        groups: the names of its groups.
        context: how many code points before the start of a match the pattern may look at; None: no limit.
        longest: how many code points a match has at most; None: no limit.
    """

    def __init__(self, tree: Pattern) -> None:
        self.groups = frozenset(tree.names)
        self.context = context_length(tree.root)
        self.longest = width(tree.root)[1]
        self._tree = tree
        self._complete = Matcher(tree)
        self._streaming = Matcher(may_match(tree))
        self._first = None if nullable(tree.root) else _compile_first(first_chars(tree.root))

    @classmethod
    def of_pattern(cls, source: str) -> Delimiter:
        return cls(parse(source))

    @classmethod
    def of_literals(cls, literals: Iterable[str]) -> Delimiter:
        return cls(literals_tree(literals))

    def search(self, text: str, pos: int, *, complete: bool) -> SearchResult:
        """The first match that begins at `pos` or later in `text`; `complete` says that nothing will be added to it.

        None says that there is no match. In a text that isn't complete one can always begin at its end, if not before.
        """
        nothing = None if complete else Undecided(max(pos, len(text)), certain=False)
        if self._first is not None:
            candidate = self._first.search(text, pos)
            if candidate is None:
                return nothing
            pos = candidate.start()
        found = (self._complete if complete else self._streaming).search(text, pos)
        if found is None:
            return nothing
        if found.undecided:
            return Undecided(found.start, self._certain.match(text, found.start) is not None)
        return Match(found.start, found.end, found.captures)

    def may_take_text(self, text: str, pos: int) -> bool:
        """Whether a match that isn't empty may begin at `pos`, which lies before the end of the text at hand."""
        return self._taking.match(text, pos) is not None

    @cached_property
    def _taking(self) -> Matcher:
        root = self._tree.root
        options = root.options if isinstance(root, Alternation) else (root,)
        taking = tuple(option for option in options if width(option)[1] != 0)
        return Matcher(may_match(replace(self._tree, root=Alternation(taking) if taking else Never())))

    @cached_property
    def _certain(self) -> Matcher:
        return Matcher(must_match(self._tree))


def literals_tree(literals: Iterable[str]) -> Pattern:
    """Any one of the literals, the longest that stands at a place (DELIM-2)."""
    longest_first = sorted(set(literals), key=lambda literal: (-len(literal), literal))
    options = tuple(Sequence(tuple(Char(ord(character)) for character in literal)) for literal in longest_first)
    return Pattern(options[0] if len(options) == 1 else Alternation(options), 0, {})


def _compile_first(characters: frozenset[int] | None) -> re.Pattern[str] | None:
    if characters is None:
        return None
    if not characters:
        return re.compile("(?!)")
    return re.compile("[" + "".join(re.escape(chr(code)) for code in sorted(characters)) + "]")
