"""Atomic groups and possessive loops, for engines that lack them: left out, or a lookahead and a reference."""

from __future__ import annotations

from typing import Final, TypeAlias

from ..analysis import children, first_ranges, walk, with_children
from ..build import sequence, times
from ..codepoints import Ranges, union
from ..nodes import (
    Alternation,
    Assertion,
    Atomic,
    Backreference,
    Capture,
    Char,
    CharSet,
    Conditional,
    Look,
    Node,
    Repeat,
    Sequence,
)
from .work import Work

Follow: TypeAlias = tuple[Ranges | None, bool]  # what may come: its first code points (None: any), whether nothing may
_NOTHING: Final[Follow] = ((), True)
_UNKNOWN: Final[Follow] = (None, True)


def without_possessive(node: Node, work: Work) -> Node:
    """`node` with possessive loops as atomic groups."""
    node = with_children(node, tuple(without_possessive(child, work) for child in children(node)))
    if not isinstance(node, Repeat) or node.mode != "possessive":
        return node
    work.said.add("possessive")
    return Atomic(Repeat(node.body, node.least, node.most))


def by_lookahead(node: Node, work: Work, backward: bool = False) -> Node:
    """`node` with atomic groups as lookarounds that capture, and references to what they captured."""
    if isinstance(node, Look):
        backward = not node.ahead
    node = with_children(node, tuple(by_lookahead(child, work, backward) for child in children(node)))
    if not isinstance(node, Atomic):
        return node
    work.said.add("atomic")
    number = next(work.numbers)
    parts = Look(Capture(node.body, number), ahead=not backward), Backreference(number)
    return sequence(*(reversed(parts) if backward else parts))


def without_atomics(root: Node, work: Work) -> Node:
    """`root` without atomic groups, where they change nothing; else it is refused."""
    return _Atomics(work).plain(root, _NOTHING)


class _Atomics:
    def __init__(self, work: Work) -> None:
        self.work = work

    def plain(self, node: Node, follow: Follow) -> Node:
        """`node` without atomic groups; `follow` is what may come after it."""
        match node:
            case Sequence(items):
                out = []
                for item in reversed(items):
                    out.append(self.plain(item, follow))
                    follow = _then(_first(item), follow)
                return sequence(*reversed(out))
            case Repeat(body, mode="possessive"):
                return self.first_way(Repeat(body, node.least, node.most), follow)
            case Atomic(body):
                return self.first_way(body, follow)
            case Look(body):
                return Look(self.plain(body, _NOTHING), node.ahead, node.negated)
            case Repeat(body, least, most):
                inner = follow if most == 1 else _UNKNOWN
                return Repeat(self.plain(body, inner), least, most, node.mode)
        return with_children(node, tuple(self.plain(child, follow) for child in children(node)))

    def first_way(self, body: Node, follow: Follow) -> Node:
        """`body`, of which no other way than the first can be of use before `follow`."""
        self.work.said.add("plain-atomic")
        match body:
            case Repeat(Char() | CharSet(), least, _, "lazy"):
                return times(body.body, least)
            case Repeat(Char() | CharSet(), _, _, "greedy") if follow[0] is not None:
                taken = first_ranges(body.body)[0]
                if taken is not None and not _overlap(taken, follow[0]):
                    return body
        if follow != _NOTHING and _has_ways(body):
            raise self.work.refusal("atomic")
        return self.plain(body, follow)


def _first(node: Node) -> Follow:
    tests = any(isinstance(part, Look | Assertion | Backreference | Conditional) for part in walk(node))
    return _UNKNOWN if tests else first_ranges(node)


def _then(head: Follow, tail: Follow) -> Follow:
    ranges, may_be_empty = head
    if not may_be_empty:
        return head
    both = None if ranges is None or tail[0] is None else union((*ranges, *tail[0]))
    return both, tail[1]


def _has_ways(node: Node) -> bool:
    return any(
        isinstance(part, Alternation | Conditional) or (isinstance(part, Repeat) and part.least != part.most)
        for part in walk(node)
    )


def _overlap(one: Ranges, other: Ranges) -> bool:
    return any(a <= d and c <= b for a, b in one for c, d in other)
