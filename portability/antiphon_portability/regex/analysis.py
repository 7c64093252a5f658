"""What can be said of a pattern without running it. Pure functions on nodes; no engine is known here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from operator import is_
from typing import Any, TypeAlias

from .codepoints import Ranges, set_ranges, size, tabled_set, union, with_case_variants
from .nodes import (
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
    Marked,
    Marker,
    Never,
    Node,
    Pattern,
    Property,
    Repeat,
    Sequence,
    Shorthand,
    Tail,
)

RangesOf: TypeAlias = Callable[[CharSet], Ranges | None]
_MOST_FIRST_CHARS = 64  # more than this are no help in skipping text
_ASKING = (Backreference, Conditional)


_CHILDREN: dict[type, Callable[[Any], tuple[Node, ...]]] = {  # a table, since this is asked more than anything else
    Sequence: lambda node: node.items,
    Alternation: lambda node: node.options,
    Conditional: lambda node: (node.yes, node.no),
    **dict.fromkeys((Capture, Atomic, Repeat, Look, Tail), lambda node: (node.body,)),
}


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly under `node`."""
    of = _CHILDREN.get(type(node))
    return of(node) if of else ()


def with_children(node: Node, new: tuple[Node, ...]) -> Node:
    """`node` with `new` in the place of its children."""
    if all(map(is_, new, children(node))):
        return node
    match node:
        case Sequence():
            return Sequence(new)
        case Alternation():
            return Alternation(new)
        case Capture() | Atomic() | Repeat() | Look() | Tail():
            return replace(node, body=new[0])
        case Conditional(number):
            return Conditional(number, *new)
    return node


def walk(node: Node) -> Iterator[Node]:
    """`node` and all that is under it, in the order of the pattern."""
    left = [node]
    while left:
        part = left.pop()
        yield part
        of = _CHILDREN.get(type(part))
        if of:  # most have none
            left.extend(reversed(of(part)))


def captures(node: Node) -> tuple[Capture, ...]:
    """The capturing groups in `node`, in the order of the pattern."""
    return tuple(part for part in walk(node) if isinstance(part, Capture))


def references(node: Node) -> frozenset[int]:
    """The numbers of the groups that a backreference or a conditional in `node` asks for."""
    return frozenset(part.number for part in walk(node) if isinstance(part, _ASKING))


def surely_set(node: Node) -> frozenset[int]:
    """The groups that every match of `node` sets."""
    match node:
        case Repeat(least=0) | Look(negated=True):
            return frozenset()
        case Alternation() | Conditional():
            return frozenset.intersection(*map(surely_set, children(node)))
    own = frozenset([node.number]) if isinstance(node, Capture) else frozenset()
    return own.union(*map(surely_set, children(node)))


def passed_by(pattern: Pattern) -> frozenset[int]:
    """The named or referenced groups that an iteration of a loop around them may leave out (`group-kept-in-loop`)."""
    asked = references(pattern.root) | frozenset(pattern.names.values())
    loops = (node for node in walk(pattern.root) if isinstance(node, Repeat) and node.most not in (0, 1))
    return frozenset(
        group.number for loop in loops for group in captures(loop.body) if group.number not in surely_set(loop.body)
    ).intersection(asked)


def is_one_char(node: Node) -> bool:
    """Whether `node` is a leaf that takes exactly one code point."""
    return isinstance(node, Char | CharSet | AnyChar)


def nullable(node: Node) -> bool:
    """Whether `node` may match the empty text."""
    return width(node)[0] == 0


def iterations(node: Node) -> int:
    """How often the innermost counted loop in `node` goes round at most, unlimited ones not counted."""
    inner = max(map(iterations, children(node)), default=1)
    return inner * max(node.least, node.most or 1, 1) if isinstance(node, Repeat) else inner


def bulk(node: Node, unrolls_chars: bool) -> int:
    """How large `node` is with counted loops written out: one for a character or range, two for each piece of syntax.

    Loops over one character count as often as they go round only if `unrolls_chars`.
    """
    match node:
        case CharSet():
            return 1 + len(set_ranges(node) or ())
        case Char() | AnyChar():
            return 1
        case Assertion(at) if "word" in at:
            return 4 * bulk(CharSet((Shorthand("word", ascii=node.ascii),)), unrolls_chars)
        case Repeat(body, least, most):
            times = max(least, most or 1, 1) if unrolls_chars or not is_one_char(body) else 1
            return 2 + times * bulk(body, unrolls_chars)
        case Alternation(options):
            return sum(2 + bulk(option, unrolls_chars) for option in options)
    return (0 if isinstance(node, Sequence) else 2) + sum(bulk(child, unrolls_chars) for child in children(node))


def width(node: Node) -> tuple[int, int | None]:
    """The least and the greatest number of code points that `node` may take (None: no bound)."""
    match node:
        case Char() | CharSet() | AnyChar():
            return 1, 1
        case Grapheme():
            return 1, None
        case Backreference():
            return 0, None
        case Sequence(parts):
            widths = [width(part) for part in parts]
            return sum(least for least, _ in widths), _total([most for _, most in widths])
        case Alternation(options):
            return _either([width(option) for option in options])
        case Conditional(_, yes, no):
            return _either([width(yes), width(no)])
        case Capture(body) | Atomic(body):
            return width(body)
        case Repeat(body, least, most):
            body_least, body_most = width(body)
            if most == 0 or body_most == 0:
                return 0, 0
            return body_least * least, None if most is None or body_most is None else body_most * most
    return 0, 0


def _total(widths: list[int | None]) -> int | None:
    known = [width for width in widths if width is not None]
    return sum(known) if len(known) == len(widths) else None


def _either(widths: list[tuple[int, int | None]]) -> tuple[int, int | None]:
    greatest = [most for _, most in widths if most is not None]
    return min(least for least, _ in widths), max(greatest) if len(greatest) == len(widths) else None


def first_chars(node: Node) -> frozenset[int] | None:
    """The code points with which a match of `node` may start.

    None: any, or too many to be of use, or the match may be empty. A text that holds none of them holds no match.
    """
    ranges, may_be_empty = first_ranges(node, tabled_set)  # templates are loaded with it
    if ranges is None or may_be_empty or size(ranges) > _MOST_FIRST_CHARS:
        return None
    return frozenset(code for first, last in ranges for code in range(first, last + 1))


def first_ranges(node: Node, ranges_of: RangesOf = set_ranges) -> tuple[Ranges | None, bool]:
    """The code points with which `node` may start (None: any), and whether it may match without taking one."""
    match node:
        case Char(code, ignore_case):
            return (with_case_variants(((code, code),)) if ignore_case else ((code, code),)), False
        case CharSet():
            return ranges_of(node), False
        case AnyChar() | Grapheme():
            return None, False
        case Backreference():
            return None, True
        case Sequence(parts):
            firsts = []
            for part in parts:
                first, may_be_empty = first_ranges(part, ranges_of)
                firsts.append(first)
                if not may_be_empty:
                    return _any_of(firsts), False
            return _any_of(firsts), True
        case Alternation(options):
            return _any_first(options, ranges_of)
        case Conditional(_, yes, no):
            return _any_first((yes, no), ranges_of)
        case Capture(body) | Atomic(body):
            return first_ranges(body, ranges_of)
        case Repeat(body, least, most):
            first, may_be_empty = first_ranges(body, ranges_of)
            return (() if most == 0 else first), may_be_empty or least == 0
    return (), True


def _any_first(options: tuple[Node, ...], ranges_of: RangesOf) -> tuple[Ranges | None, bool]:
    firsts = [first_ranges(option, ranges_of) for option in options]
    return _any_of([first for first, _ in firsts]), any(may_be_empty for _, may_be_empty in firsts)


def _any_of(firsts: list[Ranges | None]) -> Ranges | None:
    known = [first for first in firsts if first is not None]
    return union(pair for first in known for pair in first) if len(known) == len(firsts) else None


def leaves_at_start(node: Node) -> Iterator[Node]:
    """The leaves that a match of `node` may come to before it has taken text; not those of lookarounds."""
    match node:
        case Look() | Repeat(most=0):
            return
        case Sequence(items):
            for item in items:
                yield from leaves_at_start(item)
                if not nullable(item):
                    return
        case _:
            under = children(node)
            yield from chain.from_iterable(map(leaves_at_start, under)) if under else (node,)


def context_length(node: Node) -> int | None:
    """How many code points before the start of a match decide whether `node` matches there (None: no bound)."""
    match node:
        case Assertion(at):
            return 0 if at in ("text-end", "final-end", "line-end") else 1
        case Grapheme():
            return None  # whether a cluster ends can depend on a run of flag emoji, however long
        case Look(body, ahead=False):
            return _total([width(body)[1], context_length(body)])
    contexts = [context_length(child) for child in children(node)]
    known = [context for context in contexts if context is not None]
    return max(known, default=0) if len(known) == len(contexts) else None


def ids_at_end(root: Node) -> frozenset[int]:
    """The `id` of the nodes behind which nothing but markers comes wherever they stand: what they find is final."""
    last: set[int] = set()
    others: set[int] = set()

    def visit(node: Node, at_end: bool) -> None:
        (last if at_end else others).add(id(node))
        final = -1
        if isinstance(node, Sequence):
            final = max((index for index, item in enumerate(node.items) if not isinstance(item, Marker)), default=-1)
        passes = isinstance(node, Alternation | Capture) or (isinstance(node, Repeat) and node.most == 1)
        for index, child in enumerate(children(node)):
            visit(child, at_end and (passes or index == final))

    visit(root, True)
    return frozenset(last - others)


def matches_in_pair(node: Node) -> bool:
    """Whether `node` may match, without taking anything, where no character stands: within a surrogate pair."""
    match node:
        case Char() | CharSet() | AnyChar() | Grapheme() | Never():
            return False
        case Assertion(at):
            return at in ("line-start", "line-end", "not-word-boundary")
        case Alternation(options):
            return any(map(matches_in_pair, options))
        case Conditional(_, yes, no):
            return matches_in_pair(yes) or matches_in_pair(no)
        case Repeat(body, least):
            return least == 0 or matches_in_pair(body)
        case Look(body, negated=True):
            unsure = (Backreference, Conditional, Marked, Atomic, Look)
            return any(isinstance(part, unsure) for part in walk(body)) or not matches_in_pair(body)
    return all(map(matches_in_pair, children(node)))


# Slugs of `features`, for tables and reports. One slug for each construct that an engine may lack or treat differently.
_SIMPLE_FEATURES: dict[type, str] = {
    Alternation: "alternation",
    Atomic: "atomic",
    Backreference: "backreference",
    Conditional: "conditional",
    Grapheme: "grapheme",
    CharSet: "class",
    AnyChar: "dot",
}
_ASSERTION_FEATURES = {
    "text-start": "start-anchor",
    "line-start": "multiline",
    "text-end": "text-end",
    "final-end": "end-anchor",
    "line-end": "multiline",
    "word-boundary": "word-boundary",
    "not-word-boundary": "word-boundary",
    "word-start": "word-edge",
    "word-end": "word-edge",
}


def features(pattern: Pattern) -> frozenset[str]:
    """The slugs of the constructs that `pattern` uses."""
    kept = {"group-kept-in-loop"} if passed_by(pattern) else set()
    return frozenset(slug for node in walk(pattern.root) for slug in _features(node)).union(kept)


def _features(node: Node) -> Iterator[str]:
    if slug := _SIMPLE_FEATURES.get(type(node)):
        yield slug
    if getattr(node, "ignore_case", False):
        yield "ignore-case"
    match node:
        case Assertion(at, is_ascii):
            yield _ASSERTION_FEATURES[at]
            if is_ascii:
                yield "ascii"
        case Capture(name=name):
            yield "named-group" if name else "group"
        case Repeat(least=least, most=most, mode=mode):
            yield mode
            if most not in (None, 1) or least > 1:
                yield "bounded"
        case Look(_, ahead, negated):
            yield ("negative-" if negated else "") + ("lookahead" if ahead else "lookbehind")
        case CharSet(items):
            for item in items:
                if isinstance(item, Property):
                    yield "posix-class" if item.name.startswith("posix") else "unicode-property"
                if getattr(item, "ascii", False):
                    yield "ascii"
