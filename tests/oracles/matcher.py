"""A three-valued backtracking matcher, written straight from the definition: the judge of the hit-end rewrite.

A pattern's tree is walked over a buffer that may go on. The walk yields the ways in which a node can be passed, in the
order in which a backtracking search tries them. What depends on text that hasn't come yet is not a failure but a way
that is *unsure*. So the first way to the pattern's end says it all: if it is sure, nothing that comes can change the
match; if it is unsure, it may be a match, another one, or none; and if there is no way at all, there never will be.

Beyond the end of the buffer (`Way.beyond`) the text is unknown, and a node is only asked whether it could be passed at
all. Slow, recursive, and free of every trick; `Budget` stops what backtracks too long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import regex
from antiphon_portability.regex.nodes import (
    Alternation,
    AnyChar,
    Assertion,
    Atomic,
    Backreference,
    Capture,
    Char,
    CharSet,
    Conditional,
    Grapheme,
    Look,
    Marker,
    Never,
    Node,
    Pattern,
    Repeat,
    Sequence,
)

from oracles.chars import is_word, same_ignoring_case, takes

Span: TypeAlias = tuple[int, int]
Groups: TypeAlias = dict[int, "Span | Literal['unknown']"]

GRAPHEME = regex.compile(r"\X", regex.V0)
GRAPHEME_BEFORE = regex.compile(r"(?<=(\X))", regex.V0)


class Budget(Exception):
    """The walk took more steps than it was given."""


@dataclass(frozen=True)
class Match:
    """Whatever comes, the pattern matches here: `start` to `end` (code points), with these texts of named groups that
    took part."""

    start: int
    end: int
    captures: dict[str, str]


@dataclass(frozen=True)
class NoMatch:
    """Whatever comes, the pattern doesn't match at the starts that were asked about."""


@dataclass(frozen=True)
class Undecided:
    """It depends on what comes whether a match starts at `start`, or which."""

    start: int


Verdict: TypeAlias = Match | NoMatch | Undecided


@dataclass(frozen=True)
class Way:
    """A place that the walk reached: how far, with which groups, whether it's sure that it gets there, whether the
    place lies at or beyond the end of the buffer, in text that nobody knows (`pos` has no meaning then), and what all
    of the text to come must be for this way, if an assertion on the text's end asked for it."""

    pos: int
    groups: Groups
    sure: bool = True
    beyond: bool = False
    rest: str | None = None

    def unsure(self) -> Way:
        return replace(self, sure=False)

    def supposing(self, rest: str) -> Way:
        """If nothing but `rest` is still to come."""
        return replace(self, sure=False, rest=rest)

    def lost(self) -> Way:
        """Somewhere in the text that is still to come."""
        return replace(self, sure=False, beyond=True)


class Walk:
    """One buffer, and whether it is complete."""

    def __init__(self, pattern: Pattern, buffer: str, complete: bool, steps: int = 200_000) -> None:
        self.buffer = buffer
        self.complete = complete
        self.steps = steps
        self.seen_groups = {*pattern.names.values(), *referenced(pattern.root)}

    def text(self, way: Way) -> str:
        """All the text that there is on a way."""
        return self.buffer + (way.rest or "")

    def at_open_end(self, way: Way, pos: int) -> bool:
        """Whether the character at `pos` hasn't come yet."""
        return pos == len(self.buffer) and way.rest is None and not self.complete

    def ways(self, node: Node, way: Way, backward: bool = False) -> Iterator[Way]:
        """All ways to pass `node` from a place, in order; `backward`: from its end to its start, as a lookbehind."""
        self.steps -= 1
        if self.steps < 0:
            raise Budget
        match node:
            case Char() | CharSet() | AnyChar():
                yield from self.one_char(node, way, backward)
            case Grapheme():
                yield from self.grapheme(way, backward)
            case Assertion():
                yield from self.assertion(node, way)
            case Sequence(items):
                yield from self.sequence(items[::-1] if backward else items, way, backward)
            case Alternation(options):
                for option in options:
                    yield from self.ways(option, way, backward)
            case Capture(body, number):
                for end in self.ways(body, way, backward):
                    yield captured(way, end, number)
            case Atomic(body):
                yield from first_only(self.ways(body, supposed(way), backward), way.sure)
            case Repeat(mode="possessive"):
                greedy = replace(node, mode="greedy")
                yield from first_only(self.repeat(greedy, supposed(way), backward, 0), way.sure)
            case Repeat():
                yield from self.repeat(node, way, backward, 0)
            case Look(body, ahead, negated):
                yield from self.not_looked(body, way, ahead) if negated else self.looked(body, way, ahead)
            case Backreference(number, ignore_case):
                yield from self.backreference(number, ignore_case, way, backward)
            case Conditional(number, yes, no):
                yield from self.conditional(number, yes, no, way, backward)
            case Marker():
                yield way
            case Never():
                return

    # -- elements that take text

    def one_char(self, atom: Char | CharSet | AnyChar, way: Way, backward: bool) -> Iterator[Way]:
        text = self.text(way)
        if way.beyond and way.rest is not None and not backward:
            if way.rest and takes(atom, way.rest[0]):
                yield replace(way, rest=way.rest[1:])
        elif way.beyond or (not backward and self.at_open_end(way, way.pos)):
            yield way.lost()
        elif backward and way.pos > 0 and takes(atom, text[way.pos - 1]):
            yield replace(way, pos=way.pos - 1)
        elif not backward and way.pos < len(text) and takes(atom, text[way.pos]):
            yield replace(way, pos=way.pos + 1)

    def grapheme(self, way: Way, backward: bool) -> Iterator[Way]:
        text = self.text(way)
        if way.beyond or (not backward and self.at_open_end(way, way.pos)):
            yield way.lost()
        elif backward:
            behind = GRAPHEME_BEFORE.match(text, way.pos)
            if behind:
                yield replace(way, pos=behind.start(1))
        elif ahead := GRAPHEME.match(text, way.pos):
            # A cluster that reaches the end of the buffer may go on beyond it, but never after a line feed.
            grows = self.at_open_end(way, ahead.end()) and not ahead[0].endswith("\n")
            yield way.lost() if grows else replace(way, pos=ahead.end())

    def backreference(self, number: int, ignore_case: bool, way: Way, backward: bool) -> Iterator[Way]:
        span = way.groups.get(number)
        if span is None:
            return
        if way.beyond or span == "unknown":
            yield way.lost()
            return
        text = self.text(way)
        wanted = text[span[0] : span[1]]
        start = max(0, way.pos - len(wanted)) if backward else way.pos
        there = text[start : way.pos] if backward else text[start : start + len(wanted)]
        if len(there) < len(wanted):
            may_come = not backward and self.at_open_end(way, len(text))
            if may_come and equal(wanted[: len(there)], there, ignore_case):
                yield way.lost()
        elif equal(wanted, there, ignore_case):
            yield replace(way, pos=start if backward else start + len(wanted))

    # -- elements that take none

    def assertion(self, node: Assertion, way: Way) -> Iterator[Way]:
        at_end = way.beyond or way.pos == len(self.buffer)
        if node.at in ("text-end", "final-end") and way.rest is None and not self.complete:
            # It holds only if what is to come is one of these.
            if at_end or (node.at == "final-end" and self.buffer[way.pos :] == "\n"):
                yield way.supposing("")
            if at_end and node.at == "final-end":
                yield way.supposing("\n")
        elif way.beyond:
            # This lies behind at least one character, so it isn't the text's start; all else is possible there.
            if node.at != "text-start" and (node.at != "text-end" or not way.rest):
                yield way
        else:
            holds = self.holds(node, way)
            if holds is None:
                yield way.unsure()
            elif holds:
                yield way

    def holds(self, node: Assertion, way: Way) -> bool | None:
        """Whether an assertion holds at a place of the buffer; None if that depends on what comes."""
        text, pos = self.text(way), way.pos
        end, unknown = len(text), self.at_open_end(way, way.pos)
        match node.at:
            case "text-start":
                return pos == 0
            case "line-start":
                return pos == 0 or text[pos - 1] == "\n"
            case "line-end":
                return None if unknown else pos == end or text[pos] == "\n"
            case "text-end":
                return pos == end
            case "final-end":
                return pos == end or text[pos:] == "\n"
        before = pos > 0 and is_word(text[pos - 1], node.ascii)
        after = pos < end and is_word(text[pos], node.ascii)
        match node.at:
            case "word-boundary":
                return None if unknown else before != after
            case "not-word-boundary":
                return None if unknown else before == after
            case "word-start":
                return None if unknown and not before else not before and after
            case "word-end":
                return None if unknown and before else before and not after

    def looked(self, body: Node, way: Way, ahead: bool) -> Iterator[Way]:
        """A positive lookaround: it holds if its body has a way that is sure; its groups are those of the first way."""
        if way.beyond and not ahead:
            yield forgotten(way, body)
            return
        first, holds = None, False
        for end in self.ways(body, supposed(way), backward=not ahead):
            first = first or end
            holds = end.sure
            if holds:
                break
        if first is None:
            return
        if first.sure:
            yield replace(way, groups=first.groups)
        elif holds and self.seen_groups.isdisjoint(group_numbers(body)):
            yield way
        else:
            yield forgotten(way, body).unsure()

    def not_looked(self, body: Node, way: Way, ahead: bool) -> Iterator[Way]:
        """A negative lookaround: a way that is sure makes it fail, one that isn't makes it unsure."""
        if way.beyond:
            yield way
            return
        found = [end.sure for end in self.ways(body, supposed(way), backward=not ahead)]
        if not found:
            yield way
        elif not any(found):
            yield way.unsure()

    # -- structure

    def sequence(self, items: tuple[Node, ...], way: Way, backward: bool) -> Iterator[Way]:
        if not items:
            yield way
            return
        for middle in self.ways(items[0], way, backward):
            yield from self.sequence(items[1:], middle, backward)

    def repeat(self, node: Repeat, way: Way, backward: bool, count: int) -> Iterator[Way]:
        """DIALECT-5. An iteration that takes no text (and sets no group anew) ends its loop, unless it is one of those
        that must be; so does one beyond the end of the buffer, where one iteration can do what several can."""
        enough = count >= node.least
        if enough and node.mode == "lazy":
            yield way
        if node.most is None or count < node.most:
            for end in self.ways(node.body, way, backward):
                idle = end.pos == way.pos and end.groups == way.groups and count + 1 >= node.least
                if end.beyond or idle:
                    yield end
                else:
                    yield from self.repeat(node, end, backward, count + 1)
        if enough and node.mode == "greedy":
            yield way

    def conditional(self, number: int, yes: Node, no: Node, way: Way, backward: bool) -> Iterator[Way]:
        took_part = way.groups.get(number)
        if took_part == "unknown":
            yield from self.ways(yes, way.unsure(), backward)
            yield from self.ways(no, way.unsure(), backward)
        else:
            yield from self.ways(no if took_part is None else yes, way, backward)


def captured(before: Way, after: Way, number: int) -> Way:
    span = (min(before.pos, after.pos), max(before.pos, after.pos))
    return replace(after, groups={**after.groups, number: "unknown" if after.beyond else span})


def forgotten(way: Way, body: Node) -> Way:
    """A place behind a lookaround of which it isn't known what its groups took."""
    return replace(way, groups={**way.groups, **dict.fromkeys(group_numbers(body), "unknown")})


def referenced(node: Node) -> list[int]:
    """The numbers of all groups that a tree's backreferences and conditionals ask about."""
    match node:
        case Backreference(number):
            return [number]
        case Capture(body) | Atomic(body) | Repeat(body) | Look(body):
            return referenced(body)
        case Sequence(parts) | Alternation(parts):
            return [number for part in parts for number in referenced(part)]
        case Conditional(number, yes, no):
            return [number, *referenced(yes), *referenced(no)]
        case _:
            return []


def group_numbers(node: Node) -> list[int]:
    """The numbers of all groups in a tree."""
    match node:
        case Capture(body, number):
            return [number, *group_numbers(body)]
        case Atomic(body) | Repeat(body) | Look(body):
            return group_numbers(body)
        case Sequence(parts) | Alternation(parts):
            return [number for part in parts for number in group_numbers(part)]
        case Conditional(_, yes, no):
            return group_numbers(yes) + group_numbers(no)
        case _:
            return []


def supposed(way: Way) -> Way:
    """The same place as if it were sure: what an inner search finds is sure or not on its own account."""
    return replace(way, sure=True)


def first_only(ways: Iterable[Way], sure: bool) -> Iterator[Way]:
    """What an atomic group leaves of its body's ways: the first. If that is unsure a later one may turn out to be the
    first; but then it isn't sure either that a later one is the one. `sure`: whether the group is reached for sure."""
    for way in ways:
        yield replace(way, sure=way.sure and sure)
        if way.sure:
            return
        sure = False


def equal(a: str, b: str, ignore_case: bool) -> bool:
    return a == b or (ignore_case and len(a) == len(b) and all(map(same_ignoring_case, a, b)))


def match_at(pattern: Pattern, buffer: str, start: int, complete: bool) -> Verdict:
    """What is known about a match that starts at `start`. Raises Budget."""
    way = next(Walk(pattern, buffer, complete).ways(pattern.root, Way(start, {})), None)
    if way is None:
        return NoMatch()
    if not way.sure:
        return Undecided(start)
    texts = {}
    for name, number in pattern.names.items():
        span = way.groups.get(number)
        if isinstance(span, tuple):
            texts[name] = buffer[span[0] : span[1]]
    return Match(start, way.pos, texts)


def search(pattern: Pattern, buffer: str, start: int = 0, *, complete: bool) -> Verdict:
    """The verdict at the first start, from `start` on, that isn't definitely without a match. The end of the buffer is
    a start like any other: `Undecided(len(buffer))` says that no text at hand has to be held. Raises Budget."""
    for place in range(start, len(buffer) + 1):
        verdict = match_at(pattern, buffer, place, complete)
        if not isinstance(verdict, NoMatch):
            return verdict
    return NoMatch()


def plain_search(pattern: Pattern, text: str, start: int = 0) -> Match | None:
    """The ordinary search in a complete text: what the `regex` module finds. Raises Budget."""
    verdict = search(pattern, text, start, complete=True)
    assert not isinstance(verdict, Undecided), "nothing is undecided in a complete text"
    return verdict if isinstance(verdict, Match) else None
