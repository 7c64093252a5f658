"""Which patterns the hit-end rewrite decides at the first possible moment, and which it may decide later.

A statement about `hit_end`, kept apart from it: `tests/patterns/test_hit_end.py` looks for refutations. The rewrite is
always sound. It is exact where whatever it takes for possible is possible indeed: characters, sets and loops can always
be continued. Tests on the text can contradict what stands beside them (`a(?=b)c`); then it waits for what never comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from .analysis import captures, is_one_char, nullable, references, width
from .hit_end import is_unrolled
from .nodes import (
    Alternation,
    Assertion,
    Atomic,
    Backreference,
    Capture,
    Conditional,
    Grapheme,
    Look,
    Node,
    Pattern,
    Repeat,
    Sequence,
)


@dataclass(frozen=True, slots=True)
class Exactness:
    """`level` "exact": `may_match` never waits for text that can't matter. Otherwise `reasons` says why it may."""

    level: Literal["exact", "conservative"]
    reasons: tuple[str, ...]


def exactness(pattern: Pattern) -> Exactness:
    """Whether `may_match(pattern)` holds text only where it must."""
    kept = references(pattern.root) | frozenset(pattern.names.values())
    reasons = tuple(sorted(set(_reasons(pattern.root, _Place(kept)))))
    return Exactness("conservative" if reasons else "exact", reasons)


@dataclass(frozen=True, slots=True)
class _Place:
    kept: frozenset[int]  # groups whose text matters
    first: bool = True  # nothing is taken before
    last: bool = True  # nothing comes after, and no other way is left


def _reasons(node: Node, place: _Place) -> Iterator[str]:
    kept = place.kept
    match node:
        case Sequence(items):
            for index, item in enumerate(items):
                first = place.first and all(width(before)[1] == 0 for before in items[:index])
                yield from _reasons(item, _Place(kept, first, place.last and index == len(items) - 1))
        case Alternation(options):
            for option in options[:-1]:  # a later option may match what this one waits for
                yield from _reasons(option, replace(place, last=False))
            yield from _reasons(options[-1], place)
        case Capture(body):
            yield from _reasons(body, place)
        case Repeat(body, least, most, mode):
            yield from _reasons(body, _Place(kept, place.first and most == 1, last=False))
            if mode == "possessive":
                yield "possessive: what follows may need what it took"
            if most != 1 and nullable(body) and width(body)[1] != 0:
                yield "a loop over what may be empty: whether it goes on is an engine's choice"
            if most is not None and most > max(least, 1) and not is_one_char(body) and not is_unrolled(node, kept):
                yield "a counted loop over a named group or a big body: it is not counted to its end"
        case Atomic(body):
            yield from _reasons(body, _Place(kept, place.first, last=False))
            yield "atomic: what follows may need another way"
        case Look(body, ahead, negated):
            if ahead and not place.last:
                yield "a lookahead before the very end: what stands beside may contradict it"
            if ahead and negated and nullable(body):
                yield "a negative lookahead that never holds: it is not seen to be one"
            if ahead and any(group.number in kept for group in captures(body)):
                yield "a group in a lookahead: what it captures may be open when the lookahead is decided"
            if not ahead and not place.first:
                yield "a lookbehind after other items: they may contradict it"
            inside = _Place(kept, first=False, last=False)
            yield from _reasons(body, inside)
        case Assertion("text-start" | "line-start"):
            if not place.first:
                yield "a start anchor after other items: they may contradict it"
        case Assertion("word-start" | "word-end"):
            yield "a word's start or end: what stands before may contradict it"
        case Assertion():
            if not place.last:
                yield "an end anchor or word boundary before the very end: what stands beside may contradict it"
        case Grapheme():
            if not place.last:
                yield r"\X before other items: it may take what they need"
        case Backreference():
            yield "a backreference: the group may be unset, or begin like the text for other reasons"
        case Conditional(_, yes, no):
            yield "a conditional: one branch may be out of reach"
            yield from _reasons(yes, _Place(kept, first=False, last=False))
            yield from _reasons(no, _Place(kept, first=False, last=False))
