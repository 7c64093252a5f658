"""Looks at what follows, for engines that can only take it: taken at the very end of a match, and left out of it."""

from __future__ import annotations

from typing import Final

from ..analysis import children, with_children
from ..build import either, sequence
from ..nodes import (
    Alternation,
    AnyChar,
    Assertion,
    Capture,
    Char,
    CharSet,
    Look,
    Marker,
    Never,
    Node,
    Range,
    Repeat,
    Sequence,
    Tail,
)
from .work import Work

_END: Final = Assertion("text-end")
_FINAL_NEWLINE: Final = Sequence((Repeat(Char(0x0A), 0, 1), _END))
_LONGEST_DENIED: Final = 32  # code points of a text in a negative lookahead that is turned into options


def with_positive_lookaheads(node: Node) -> Node:
    """`node` with what may follow for what may not, where that is a text: `(?!ab)` → `(?=$|[^a]|a$|a[^b])`."""
    node = with_children(node, tuple(map(with_positive_lookaheads, children(node))))
    if not isinstance(node, Look) or not node.ahead or not node.negated:
        return node
    atoms = node.body.items if isinstance(node.body, Sequence) else (node.body,)
    others = [_other_chars(atom) for atom in atoms]
    if not atoms or len(atoms) > _LONGEST_DENIED or None in others:
        return node
    options = []
    for index, other in enumerate(others):
        options += [sequence(*atoms[:index], _END), sequence(*atoms[:index], other or Never())]
    return Look(either(*options), ahead=True)


def _other_chars(node: Node) -> Node | None:
    """What takes one code point that `node` doesn't; None if `node` takes none, or more than one."""
    match node:
        case Char():
            return CharSet((Range(node.code, node.code),), negated=True, ignore_case=node.ignore_case)
        case CharSet():
            return CharSet(node.items, negated=not node.negated, ignore_case=node.ignore_case)
        case AnyChar(newline):
            return Never() if newline else Char(0x0A)
    return None


def with_tails(root: Node, work: Work) -> Node:
    """`root` with the looks at the very end of a match as `Tail`s; others are refused."""
    return _Tails(work).lowered(root, last=True)


class _Tails:
    def __init__(self, work: Work) -> None:
        self.work = work

    def lowered(self, node: Node, last: bool) -> Node:
        """`node`; `last` if nothing of the pattern comes after it."""
        match node:
            case Sequence(items):
                final = max((index for index, item in enumerate(items) if not isinstance(item, Marker)), default=0)
                return sequence(*(self.lowered(item, last and index == final) for index, item in enumerate(items)))
            case Alternation(options):
                return Alternation(tuple(self.lowered(option, last) for option in options))
            case Capture(body, number):
                return Capture(self.lowered(body, last and number not in self.work.kept), number, node.name)
            case Repeat(body, least, most):
                return Repeat(self.lowered(body, last and most == 1), least, most, node.mode)
            case Look(ahead=False):
                raise self.work.refusal("lookbehind")
            case Look(body, negated=negated):
                if not last or negated:
                    raise self.work.refusal("negative-lookahead" if negated else "lookahead")
                return self.tail(self.lowered(body, last=True))
            case Assertion("final-end"):
                if not last:
                    raise self.work.refusal("final-end")
                return self.tail(_FINAL_NEWLINE)
        return with_children(node, tuple(self.lowered(child, False) for child in children(node)))

    def tail(self, body: Node) -> Node:
        self.work.said.add("tail")
        return Tail(body)
