"""Loops over what may be empty: engines differ on iterations that take no text, so most of them never see one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..analysis import captures, children, nullable, width, with_children
from ..build import either, ordered, sequence, times
from ..nodes import EMPTY, Alternation, AnyChar, Atomic, Capture, Look, Never, Node, Repeat, RepeatMode, Sequence
from .work import Work

_NOT_AT_END: Final = Look(AnyChar(), ahead=True)


def without_empty_iterations(root: Node, work: Work) -> Node:
    """`root` with loops that go round with the ways that take text only (DIALECT-5), if the engine needs that.

    For any engine, loops over what may be empty are refused if they capture: what stays captured is another question
    on which engines differ.
    """
    return _Loops(work).filled(root)


def without_lazy_iterations_at_end(node: Node) -> Node:
    """`node` with lazy loops that don't go round at the end of the text: behind each stands what hits there."""
    node = with_children(node, tuple(map(without_lazy_iterations_at_end, children(node))))
    if not isinstance(node, Repeat) or node.mode != "lazy" or node.most in (node.least, 1) or not nullable(node.body):
        return node
    most = None if node.most is None else node.most - node.least
    return sequence(times(node.body, node.least), Repeat(sequence(_NOT_AT_END, node.body), 0, most, "lazy"))


@dataclass(frozen=True, slots=True)
class _Ways:
    """The ways of a node: `taking` those that take text, in order; `empty` what must hold for it to be empty.

    `first`: the empty way comes before the others, without a condition; `last`: after them.
    """

    taking: Node
    empty: Node
    first: bool
    last: bool


class _Loops:
    def __init__(self, work: Work) -> None:
        self.work = work

    def filled(self, node: Node) -> Node:
        node = with_children(node, tuple(map(self.filled, children(node))))
        if not isinstance(node, Repeat) or not nullable(node.body) or node.least == node.most:
            return node
        if node.most == 1:
            return node if self.work.engine.empty_iterations else self.optional(node)
        if any(group.number in self.work.kept for group in captures(node.body)):
            raise self.work.refusal("empty-loop")
        return node if self.work.engine.empty_iterations else self.loop(node)

    def optional(self, node: Repeat) -> Node:
        """What may be left out and may be empty, as an option."""
        self.work.said.add("empty-loop")
        option = ordered(node.mode, node.body, EMPTY)
        return Atomic(option) if node.mode == "possessive" else option

    def loop(self, node: Repeat) -> Node:
        body, least, most, mode = node.body, node.least, node.most, node.mode
        self.work.said.add("empty-loop")
        if mode == "possessive":
            return Atomic(self.loop(Repeat(body, least, most)))
        if width(body)[1] == 0:  # a second iteration would see what the first one saw
            return body if least else ordered(mode, body, EMPTY)
        ways = self.ways(body)
        required = times(body, least)
        if ways.taking == Never():
            return required
        if mode == "greedy" and not (ways.first or ways.last):
            raise self.work.refusal("empty-loop")
        preferred: RepeatMode = "greedy" if mode == "greedy" and ways.last else "lazy"
        return sequence(required, Repeat(ways.taking, 0, None if most is None else most - least, preferred))

    def ways(self, node: Node) -> _Ways:
        if not nullable(node):
            return _Ways(node, Never(), first=False, last=True)
        if width(node)[1] == 0:
            return _Ways(Never(), node, first=node == EMPTY, last=True)
        match node:
            case Capture(body):
                return self.ways(body)
            case Alternation(options):
                return self.ways_of_options([self.ways(option) for option in options])
            case Repeat(body, 0, most, "greedy" | "lazy") if not nullable(body):
                lazy = node.mode == "lazy"
                taking = body if most == 1 else Repeat(body, 1, most, node.mode)
                return _Ways(taking, EMPTY, first=lazy, last=not lazy)
            case Sequence((head, *rest)):
                return self.ways_of_sequence(self.ways(head), sequence(*rest))
        raise self.work.refusal("empty-loop")

    def ways_of_options(self, options: list[_Ways]) -> _Ways:
        first_empty = next(index for index, ways in enumerate(options) if ways.empty != Never())
        last = options[first_empty].last and all(ways.taking == Never() for ways in options[first_empty + 1 :])
        taking, empty = either(*(ways.taking for ways in options)), either(*(ways.empty for ways in options))
        return _Ways(taking, empty, first=options[0].first, last=last)

    def ways_of_sequence(self, head: _Ways, rest: Node) -> _Ways:
        """Both may be empty; with text that the first takes, the others go on as they like."""
        tail = self.ways(rest)
        empty = sequence(head.empty, tail.empty)
        if head.taking == Never():
            return _Ways(sequence(head.empty, tail.taking), empty, head.first and tail.first, tail.last)
        if not head.last or not tail.last:
            raise self.work.refusal("empty-loop")
        taking = either(sequence(head.taking, rest), sequence(head.empty, tail.taking))
        return _Ways(taking, empty, first=False, last=True)
