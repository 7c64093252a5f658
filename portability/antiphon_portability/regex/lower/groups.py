"""Conditionals and backreferences, for engines that lack the first, or let the second match where nothing is set.

Where it is known beforehand whether a group is set, that decides. Where not, an empty group behind the group tells, if
the engine is one whose references to unset groups fail.
"""

from __future__ import annotations

from ..analysis import captures, references, walk
from ..build import sequence
from ..nodes import (
    EMPTY,
    Alternation,
    Atomic,
    Backreference,
    Capture,
    Conditional,
    Look,
    Never,
    Node,
    Repeat,
    Sequence,
)
from .work import Work


def with_known_groups(root: Node, work: Work) -> Node:
    """`root` without conditionals, and without references that the engine would let match wrongly."""
    if not captures(root) and not references(root):
        return root  # as most
    asked = sorted({node.number for node in walk(root) if isinstance(node, Conditional)})
    tests = {number: next(work.numbers) for number in asked} if work.engine.unset_group_fails else {}
    if work.engine.unset_group_fails and not tests:
        return root
    return _Groups(work, tests).node(root, frozenset(), frozenset(), backward=False)[0]


class _Groups:
    def __init__(self, work: Work, tests: dict[int, int]) -> None:
        self.work = work
        self.engine = work.engine
        self.tests = tests  # group -> the empty group that is set with it

    def node(
        self, node: Node, known: frozenset[int], possible: frozenset[int], backward: bool
    ) -> tuple[Node, frozenset[int], frozenset[int]]:
        """`node`, and the groups surely and possibly set behind it; `known` and `possible` are those before it."""
        match node:
            case Sequence(items):
                out = []
                for item in reversed(items) if backward else items:
                    new, known, possible = self.node(item, known, possible, backward)
                    out.append(new)
                return sequence(*(reversed(out) if backward else out)), known, possible
            case Alternation(options):
                parts = [self.node(option, known, possible, backward) for option in options]
                surely = frozenset.intersection(*(part[1] for part in parts))
                return (
                    Alternation(tuple(part[0] for part in parts)),
                    surely,
                    possible.union(*(part[2] for part in parts)),
                )
            case Capture(body, number):
                body, known, possible = self.node(body, known, possible, backward)
                return self.tested(Capture(body, number, node.name), backward), known | {number}, possible | {number}
            case Atomic(body):
                body, known, possible = self.node(body, known, possible, backward)
                return Atomic(body), known, possible
            case Repeat():
                return self.loop(node, known, possible, backward)
            case Look(body, ahead, negated):
                body, inner_known, inner_possible = self.node(body, known, possible, not ahead)
                look = Look(body, ahead, negated)
                return (look, known, possible) if negated else (look, inner_known, inner_possible)
            case Conditional():
                return self.node(self.conditional(node, known, possible), known, possible, backward)
            case Backreference(number) if not self.engine.unset_group_fails and number not in known:
                if number in possible:
                    raise self.work.refusal("unset-group")
                self.work.said.add("decided")
                return Never(), known, possible
        return node, known, possible

    def tested(self, capture: Capture, backward: bool) -> Node:
        """`capture`, with the empty group that is set with it, where one is needed."""
        if capture.number not in self.tests:
            return capture
        parts = (capture, Capture(EMPTY, self.tests[capture.number]))
        return sequence(*(reversed(parts) if backward else parts))

    def conditional(self, node: Conditional, known: frozenset[int], possible: frozenset[int]) -> Node:
        """What does as `node` does, without asking for a group."""
        if node.number in self.tests:
            self.work.said.add("conditional")
            test = Backreference(self.tests[node.number])
            return Alternation((sequence(test, node.yes), sequence(Look(test, ahead=True, negated=True), node.no)))
        if node.number not in known and node.number in possible:
            raise self.work.refusal("conditional")
        self.work.said.add("decided")
        return node.yes if node.number in known else node.no

    def loop(
        self, node: Repeat, known: frozenset[int], possible: frozenset[int], backward: bool
    ) -> tuple[Node, frozenset[int], frozenset[int]]:
        own = frozenset(group.number for group in captures(node.body))
        entered = known if self.engine.keeps_groups else known - own
        may_be_set = possible if node.most == 1 else possible | own
        body, after, after_possible = self.node(node.body, entered, may_be_set, backward)
        if not self.engine.keeps_groups and node.most != 1 and (own & self.work.kept) - after:
            raise self.work.refusal("loop-group")
        new = Repeat(body, node.least, node.most, node.mode)
        return new, after if node.least else known & after, possible | after_possible
