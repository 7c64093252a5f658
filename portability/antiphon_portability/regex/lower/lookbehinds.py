"""Lookbehinds for engines that look behind from left to right, at texts of one width or of a bounded one.

The dialect looks behind from right to left. That makes no difference where what is looked for is of one width, or
where nothing depends on which way is found; what would depend on it is refused.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from ..analysis import captures, children, is_one_char, walk, width, with_children
from ..build import either, sequence, times
from ..nodes import (
    Alternation,
    Assertion,
    Atomic,
    Backreference,
    Capture,
    Conditional,
    Look,
    Marked,
    Node,
    Repeat,
    Sequence,
)
from .work import Work

_MOST_OPTIONS: Final = 64  # lookbehinds of one width, or copies of a loop's body, to stand for one lookbehind


def with_plain_lookbehinds(node: Node, work: Work) -> Node:
    """`node` with lookbehinds that the engine takes."""
    node = with_children(node, tuple(with_plain_lookbehinds(child, work) for child in children(node)))
    if not isinstance(node, Look) or node.ahead:
        return node
    if work.engine.lookbehind is None:
        raise work.refusal("lookbehind")
    return _Lookbehind(work).plain(node)


class _Lookbehind:
    def __init__(self, work: Work) -> None:
        self.work = work

    def plain(self, node: Look) -> Node:
        self.check(node)
        body = self.indifferent(_nearest(node.body))
        if self.work.engine.lookbehind == "bounded":
            if any(width(part)[1] is None for part in walk(body)):
                raise self.work.refusal("unbounded-lookbehind")
            return Look(self.unrolled(body), ahead=False, negated=node.negated)
        if _is_fixed(body):
            return Look(body, ahead=False, negated=node.negated)
        self.work.said.add("lookbehind")
        options = _fixed_options(body)
        if options is None:
            raise self.work.refusal("variable-lookbehind")
        looks = [Look(option, ahead=False, negated=node.negated) for option in options]
        return sequence(*looks) if node.negated else either(*looks)

    def check(self, node: Look) -> None:
        """Refuses what an engine doesn't take in a lookbehind, or takes for something else."""
        parts = list(walk(node.body))
        looks = any(isinstance(part, Look | Assertion) for part in parts)
        refers = any(isinstance(part, Backreference | Conditional | Marked) for part in parts)
        if refers or (looks and not self.work.engine.looks_in_lookbehind):
            raise self.work.refusal("look-in-lookbehind")
        if any(group.number in self.work.kept for group in captures(node.body)):
            loops = any(isinstance(part, Repeat) and part.most != 1 and not is_one_char(part.body) for part in parts)
            if loops or node.negated or not all(map(_is_fixed, parts)):
                raise self.work.refusal("group-lookbehind")

    def indifferent(self, node: Node) -> Node:
        """`node` without preferences: what its loops prefer, and what an atomic group of one width gives up."""
        node = node if isinstance(node, Look) else with_children(node, tuple(map(self.indifferent, children(node))))
        match node:
            case Repeat(body, least, most, "lazy"):
                return Repeat(body, least, most)
            case Atomic(body) if _is_fixed(body):
                return body
            case Repeat(body, least, most, "possessive") if _is_fixed(node):
                return Repeat(body, least, most)
            case Atomic() | Repeat(mode="possessive"):
                raise self.work.refusal("variable-lookbehind")
        return node

    def unrolled(self, node: Node) -> Node:
        """`node` with loops over more than one character written out: not every engine sees their bounds."""
        node = node if isinstance(node, Look) else with_children(node, tuple(map(self.unrolled, children(node))))
        if not isinstance(node, Repeat) or is_one_char(node.body) or node.most == 1:
            return node
        if node.most is None or node.most > _MOST_OPTIONS:
            raise self.work.refusal("variable-lookbehind")
        optional = Sequence(())
        for _ in range(node.least, node.most):
            optional = Sequence((Repeat(sequence(node.body, optional), 0, 1),))
        return sequence(*[node.body] * node.least, optional)


def _nearest(node: Node) -> Node:
    """What decides a lookbehind for `node`: of a loop that it begins with, no more iterations than there must be."""
    match node:
        case Sequence((head, *rest)):
            return sequence(_nearest(head), *rest)
        case Alternation(options):
            return Alternation(tuple(map(_nearest, options)))
        case Repeat(body, least, _, "greedy" | "lazy") if is_one_char(body):
            return times(body, least)
    return node


def _is_fixed(node: Node) -> bool:
    """Whether `node` is of one width, and seen to be so by any engine."""
    least, most = width(node)
    if least != most:
        return False
    if isinstance(node, Repeat):
        return node.least == node.most and _is_fixed(node.body)
    return isinstance(node, Look) or all(map(_is_fixed, children(node)))


def _fixed_options(node: Node) -> list[Node] | None:
    """The options of fixed width into which `node` falls; None if there is no end of them."""
    if _is_fixed(node):
        return [node]
    match node:
        case Capture(body):
            return _fixed_options(body)
        case Alternation(options):
            parts = [_fixed_options(option) for option in options]
            return None if None in parts else [option for part in parts if part for option in part]
        case Sequence(items):
            parts = [_fixed_options(item) for item in items]
            if None in parts:
                return None
            known = [part for part in parts if part is not None]
            chosen = list(product(*known))
            return [Sequence(items) for items in chosen] if len(chosen) <= _MOST_OPTIONS else None
        case Repeat(body, least, int(most), "greedy" | "lazy") if most <= _MOST_OPTIONS and _is_fixed(body):
            return [Repeat(body, count, count) for count in range(least, most + 1)]
    return None
