"""Texts made from a pattern's own tree: candidates in which it is likely to match, or nearly so.

Candidates only. Whoever takes one has to search it: a lookaround or a backreference may want something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from .analysis import first_chars, nullable, walk
from .codepoints import set_ranges
from .nodes import (
    Alternation,
    AnyChar,
    Atomic,
    Capture,
    Char,
    CharSet,
    Conditional,
    Look,
    Node,
    Repeat,
    Sequence,
)

LONGEST: Final = 400  # code points of a sample; longer ones are left out
_PREFERRED: Final = "x \nab1-.<A"  # what stands for a set, if it is in it
_MOST: Final = 16  # samples of one node


def samples(node: Node, most: int = _MOST) -> list[str]:
    """Texts for `node`, each once, the plainest first: loops at their least, the first option."""
    return _distinct(_samples(node), most)


def canonical(node: Node) -> str:
    """The plainest text for `node`; the empty one if there is none that is short."""
    return next(iter(_samples(node)), "")


def members(node: Char | CharSet | AnyChar, most: int = 3) -> list[str]:
    """Some of the code points that a leaf takes, ordinary ones first."""
    match node:
        case Char(code):
            return [chr(code)]
        case AnyChar(newline):
            return [char for char in _PREFERRED[: most + 1] if newline or char != "\n"][:most]
    ranges = set_ranges(node)
    if ranges is None:
        return ["x"]
    found = [char for char in _PREFERRED if any(first <= ord(char) <= last for first, last in ranges)]
    rest = (chr(code) for first, last in ranges for code in range(first, min(last, first + 40) + 1))
    return _distinct([*found, *sorted(rest, key=lambda char: not char.isprintable())], most)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of a pattern; a text that leads from the pattern's start to it; the code point that may come next."""

    lead: str
    node: Repeat
    next: str = ""


def loops(node: Node, least_most: int, lead: str = "", following: str = "") -> Iterator[Loop]:
    """The loops of a tree that go round without limit, or up to at least `least_most` times."""
    match node:
        case Sequence(items):
            for index, item in enumerate(items):
                if any(isinstance(part, Repeat) for part in walk(item)):
                    behind = canonical(Sequence(items[index + 1 : index + 3]))[:1] or following
                    yield from loops(item, least_most, lead, behind)
                lead += "" if isinstance(item, Look) else canonical(item)
        case Alternation(options):
            for option in options:
                yield from loops(option, least_most, lead, following)
        case Conditional(_, yes, no):
            yield from loops(yes, least_most, lead, following)
            yield from loops(no, least_most, lead, following)
        case Repeat(body, _, most):
            if most is None or most >= least_most:
                yield Loop(lead, node, following)
            yield from loops(body, least_most, lead, following)
        case Capture(body) | Atomic(body) | Look(body, ahead=True):
            yield from loops(body, least_most, lead, following)


def pumps(loop: Loop) -> list[str]:
    """What the loop may take at a time: single code points first, if it takes such."""
    node = loop.node.body
    firsts = first_chars(node) if not nullable(node) else None
    single = [chr(code) for code in sorted(firsts)][:4] if firsts is not None and len(firsts) <= 4 else []
    return _distinct([text for text in [*samples(node, 6), *single] if text], 8)


def _samples(node: Node) -> list[str]:
    match node:
        case Char() | CharSet() | AnyChar():
            return members(node)
        case Sequence(items):
            return _one_varied([samples(item) for item in items])
        case Alternation(options):
            return _in_turn([samples(option) for option in options])
        case Conditional(_, yes, no):
            return _in_turn([samples(yes), samples(no)])
        case Capture(body) | Atomic(body):
            return samples(body)
        case Look(body, ahead):
            return _distinct(["", *samples(body, 4)] if ahead else [*samples(body, 2), ""], _MOST)
        case Repeat(body, least, most):
            counts = [count for count in (least, least + 1, least + 2) if most is None or count <= most]
            bodies = samples(body, 4)
            found = [text * count for count in counts for text in (bodies if count else [""])]
            return _distinct([*found, *(bodies[:2] if least == 0 else ["".join(bodies[: max(least, 2)])])], _MOST)
    return [""]


def _one_varied(parts: list[list[str]]) -> list[str]:
    """The plainest text of all parts, then those in which one part differs from it, then two."""
    if not all(parts):
        return []
    plainest = [part[0] for part in parts]
    choices = [(index, part[1:]) for index, part in enumerate(parts) if len(part) > 1][:_MOST]

    def put(*changes: tuple[int, str]) -> str:
        texts = list(plainest)
        for index, text in changes:
            texts[index] = text
        return "".join(texts)

    varied = [put((index, text)) for index, others in choices for text in others]
    both = [
        put((index, one), (other, two))
        for (index, ones), (other, twos) in combinations(choices, 2)
        for one in ones[:2]
        for two in twos[:2]
    ]
    return _distinct(["".join(plainest), *varied, *both[:8]], _MOST)


def _in_turn(parts: list[list[str]]) -> list[str]:
    """The first of each, then the second of each, …"""
    rounds = range(max(map(len, parts), default=0))
    return _distinct([part[index] for index in rounds for part in parts if index < len(part)], _MOST)


def _distinct(texts: Iterable[str], most: int) -> list[str]:
    return list(dict.fromkeys(text for text in texts if len(text) <= LONGEST))[:most]
