"""Trees in the terms of one engine: what it lacks is said by what it has. Tree in, tree out; the meaning stays.

`prepare` runs before the hit-end rewrite, on what the template's author wrote; `lower` runs on the tree to be written,
rewritten or not. Both add what they did to `said`, as keys of `notes.NOTES`, and raise `EngineError`.
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import Final

from .analysis import captures, children, first_ranges, nullable, references, walk, width, with_children
from .build import either, ordered, sequence, times
from .codepoints import Ranges, union
from .engines import Engine
from .errors import EngineError
from .nodes import (
    EMPTY,
    Alternation,
    AnyChar,
    Assertion,
    Atomic,
    Backreference,
    Capture,
    Char,
    CharSet,
    Conditional,
    Look,
    Marked,
    Marker,
    Never,
    Node,
    Pattern,
    Range,
    Repeat,
    RepeatMode,
    Sequence,
    Tail,
)
from .notes import REFUSALS

_END: Final = Assertion("text-end")
_NOT_AT_END: Final = Look(AnyChar(), ahead=True)
_FINAL_NEWLINE: Final = Sequence((Repeat(Char(0x0A), 0, 1), _END))
_LONGEST_DENIED: Final = 32  # code points of a text in a negative lookahead that is turned into options


def refusal(engine: Engine, key: str) -> EngineError:
    """The error for `key` of `REFUSALS`."""
    return EngineError(engine.name, *REFUSALS[key])


def prepare(pattern: Pattern, engine: Engine, said: set[str]) -> Pattern:
    """`pattern` without what must be gone before the rewrite copies and extends it."""
    root = pattern.root
    if not engine.native_classes:
        root = _Loops(pattern, engine, said).filled(root)
    if engine.atomic is None:
        root = _Atomics(engine, said).plain(root, _NOTHING)
    if not engine.lookahead:
        root = _with_positive_lookaheads(root)
    return Pattern(root, pattern.group_count, pattern.names)


def lower(root: Node, engine: Engine, kept: frozenset[int], said: set[str]) -> Node:
    """`root` as `engine` can have it; `kept` are the groups that must stay groups."""
    root = _without_absent_groups(_without_lost_groups(_without_empty_loops(root)))
    if not engine.empty_lazy_iterations:
        root = _without_empty_lazy_iterations(root)
    if not (engine.unset_group_fails and engine.conditional):
        root = _Groups(engine, kept, said).resolved(root)
    if not engine.lookahead:
        root = _Tails(engine, kept, said).lowered(root, last=True)
    return root


def _without_empty_loops(node: Node) -> Node:
    """`node` without what stands in a loop that never goes round, or in a lookaround that is decided."""
    if isinstance(node, Repeat) and node.most == 0:
        return EMPTY
    if isinstance(node, Look) and node.body == Never():
        return EMPTY if node.negated else Never()
    return with_children(node, tuple(map(_without_empty_loops, children(node))))


def _without_empty_lazy_iterations(node: Node) -> Node:
    """`node` with lazy loops that don't go round at the end of the text: behind each stands what hits there."""
    node = with_children(node, tuple(map(_without_empty_lazy_iterations, children(node))))
    if not isinstance(node, Repeat) or node.mode != "lazy" or node.most in (node.least, 1) or not nullable(node.body):
        return node
    most = None if node.most is None else node.most - node.least
    return sequence(times(node.body, node.least), Repeat(sequence(_NOT_AT_END, node.body), 0, most, "lazy"))


def _without_lost_groups(root: Node) -> Node:
    """`root` without groups that nobody sees: outside of a negative lookaround, what it captured isn't set.

    What is referred to within gets a number of its own. Engines that let such groups leak can't, then.
    """
    if not any(isinstance(node, Look) and node.negated for node in walk(root)):
        return root
    return _LostGroups(root).without(root, {}, denied=False)


class _LostGroups:
    def __init__(self, root: Node) -> None:
        self.asked = {number for node in walk(root) if isinstance(node, Marked) for number in node.numbers}
        self.standing = Counter(group.number for group in captures(root))
        self.numbers = count(max(self.standing, default=0) + 1)

    def without(self, node: Node, new: dict[int, int | None], denied: bool) -> Node:
        """`node`; `new` are the numbers that lost groups get, or None. `denied`: in a negative lookaround."""
        match node:
            case Look(body, ahead, True):
                return Look(self.without(body, new | self.renumbered(body, new), denied=True), ahead, True)
            case Capture(body, number) if number in new:
                body, renumbered = self.without(body, new, denied), new[number]
                return body if renumbered is None else Capture(body, renumbered)
            case Backreference(number, ignore_case):
                return Backreference(new.get(number) or number, ignore_case)
            case Conditional(number, yes, no):
                yes, no = self.without(yes, new, denied), self.without(no, new, denied)
                return Conditional(new.get(number) or number, yes, no)
            case Marker(number) if denied and number not in self.asked:
                return EMPTY
        return with_children(node, tuple(self.without(child, new, denied) for child in children(node)))

    def renumbered(self, body: Node, known: dict[int, int | None]) -> dict[int, int | None]:
        """New numbers for the groups that stand in `body` only."""
        referred = references(body)
        return {
            number: next(self.numbers) if number in referred else None
            for number, times in Counter(group.number for group in captures(body)).items()
            if number not in known and times == self.standing[number]
        }


def _without_absent_groups(root: Node) -> Node:
    """`root` without references to groups that stand nowhere in it: the rewrite drops groups that can't be set."""
    present = {group.number for group in captures(root)}

    def resolved(node: Node) -> Node:
        match node:
            case Backreference(number) if number not in present:
                return Never()
            case Conditional(number, _, no) if number not in present:
                return resolved(no)
        return with_children(node, tuple(map(resolved, children(node))))

    found = resolved(root) if references(root) - present else root
    return found if found == root else _without_absent_groups(found)


# -- loops over what may be empty


class _Loops:
    """An engine of its own mind about iterations that take no text never sees one.

    No engine sees one that captures: what stays captured is another question on which they differ. A loop whose body
    may be empty goes round with the ways that take text; where the empty way comes among them decides whether the loop
    prefers to go on (DIALECT-5: an iteration that takes no text ends the loop).
    """

    def __init__(self, pattern: Pattern, engine: Engine, said: set[str]) -> None:
        self.kept = references(pattern.root) | frozenset(pattern.names.values())
        self.engine = engine
        self.said = said

    def filled(self, node: Node) -> Node:
        node = with_children(node, tuple(map(self.filled, children(node))))
        if not isinstance(node, Repeat) or not nullable(node.body) or node.most in (node.least, 1):
            return self.optional(node)
        if width(node.body)[1] != 0 and any(group.number in self.kept for group in captures(node.body)):
            raise refusal(self.engine, "empty-loop")
        return node if self.engine.empty_iterations else self.loop(node)

    def optional(self, node: Node) -> Node:
        """`node`; what may be left out and may be empty is an option."""
        if self.engine.empty_iterations or not isinstance(node, Repeat) or (node.least, node.most) != (0, 1):
            return node
        if not nullable(node.body):
            return node
        self.said.add("empty-loop")
        option = ordered(node.mode, node.body, EMPTY)
        return Atomic(option) if node.mode == "possessive" else option

    def loop(self, node: Repeat) -> Node:
        body, least, most, mode = node.body, node.least, node.most, node.mode
        self.said.add("empty-loop")
        if mode == "possessive":
            return Atomic(self.loop(Repeat(body, least, most)))
        if width(body)[1] == 0:  # a second iteration would see what the first one saw
            return body if least else ordered(mode, body, EMPTY)
        taking, empty_first = self.taking(body)
        required = Repeat(body, least, least) if least else EMPTY
        if taking == Never():
            return required
        if mode == "greedy" and empty_first is None:
            raise refusal(self.engine, "empty-loop")
        preferred: RepeatMode = "lazy" if mode == "lazy" or empty_first else "greedy"
        return sequence(required, Repeat(taking, 0, None if most is None else most - least, preferred))

    def taking(self, node: Node) -> tuple[Node, bool | None]:
        """The ways of `node` that take text, in order, and whether the empty way comes first (None: amidst them)."""
        if not nullable(node):
            return node, False
        if width(node)[1] == 0:  # under a condition, the empty way is not to be relied on
            return Never(), None if any(isinstance(part, Look | Assertion) for part in walk(node)) else True
        match node:
            case Capture(body):
                return self.taking(body)
            case Alternation(options):
                return self.taking_options(options)
            case Repeat(body, 0, most, "greedy" | "lazy") if not nullable(body):
                return Repeat(body, 1, most, node.mode), node.mode == "lazy"
            case Sequence((head, *rest)):
                tail = sequence(*rest)
                if width(head)[1] == 0:
                    taking, empty_first = self.taking(tail)
                    return sequence(head, taking), False if empty_first is False else None
                head_taking, head_first = self.taking(head)
                tail_taking, tail_first = self.taking(tail)
                if head_first is False and tail_first is False:
                    return either(sequence(head_taking, tail), tail_taking), False
        raise refusal(self.engine, "empty-loop")

    def taking_options(self, options: tuple[Node, ...]) -> tuple[Node, bool | None]:
        taking = either(*(self.taking(option)[0] for option in options))
        empty = [index for index, option in enumerate(options) if nullable(option)]
        first_empty = self.taking(options[empty[0]])[1]
        if len(empty) == 1 and empty[0] == len(options) - 1 and (first_empty is False or width(options[-1])[1] == 0):
            return taking, False
        return taking, True if empty[0] == 0 and first_empty else None


# -- atomic groups

_NOTHING: Final[tuple[Ranges | None, bool]] = ((), True)  # what may follow: its first code points, whether it is empty


class _Atomics:
    """Leaves out the atomic groups that change nothing, for an engine that has none."""

    def __init__(self, engine: Engine, said: set[str]) -> None:
        self.engine = engine
        self.said = said

    def plain(self, node: Node, follow: tuple[Ranges | None, bool]) -> Node:
        """`node` without atomic groups; `follow` is what may come after it."""
        match node:
            case Sequence(items):
                out = []
                for item in reversed(items):
                    out.append(self.plain(item, follow))
                    follow = _then(_first(item), follow)
                return sequence(*reversed(out))
            case Repeat(body, mode="possessive"):
                self.allow(node, follow)
                return Repeat(self.plain(body, _UNKNOWN), node.least, node.most)
            case Atomic(body):
                self.allow(body, follow)
                return self.plain(body, follow)
            case Look(body):
                return Look(self.plain(body, _NOTHING), node.ahead, node.negated)
            case Repeat(body, least, most):
                inner = follow if most == 1 else _UNKNOWN
                return Repeat(self.plain(body, inner), least, most, node.mode)
        return with_children(node, tuple(self.plain(child, follow) for child in children(node)))

    def allow(self, body: Node, follow: tuple[Ranges | None, bool]) -> None:
        """Raises unless no other way of `body` than the first can be of use before `follow`."""
        self.said.add("plain-atomic")
        if follow == _NOTHING or not _has_ways(body):
            return
        ranges, _ = follow
        match body:
            case Repeat(Char() | CharSet() as body_char) if ranges is not None:
                taken = first_ranges(body_char)[0]
                if taken is not None and not _overlap(taken, ranges):
                    return
        raise refusal(self.engine, "atomic")


_UNKNOWN: Final[tuple[Ranges | None, bool]] = (None, True)


def _first(node: Node) -> tuple[Ranges | None, bool]:
    tests = any(isinstance(part, Look | Assertion | Backreference | Conditional) for part in walk(node))
    return _UNKNOWN if tests else first_ranges(node)


def _then(head: tuple[Ranges | None, bool], tail: tuple[Ranges | None, bool]) -> tuple[Ranges | None, bool]:
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


# -- groups that may have taken no part


class _Groups:
    """Conditionals and backreferences for engines that lack the first, or let the second match where nothing is set.

    Where it is known beforehand whether a group is set, that decides. Where not, an empty group behind the group tells,
    if the engine is one whose references to unset groups fail.
    """

    def __init__(self, engine: Engine, kept: frozenset[int], said: set[str]) -> None:
        self.engine = engine
        self.kept = kept
        self.said = said
        self.tests: dict[int, int] = {}  # group -> the empty group that is set with it

    def resolved(self, root: Node) -> Node:
        numbers = count(max((group.number for group in captures(root)), default=0) + 1)
        if self.engine.unset_group_fails:
            asked = {node.number for node in walk(root) if isinstance(node, Conditional)}
            self.tests = {number: next(numbers) for number in sorted(asked)}
        if self.engine.unset_group_fails and not self.tests:
            return root
        return self.node(root, frozenset(), frozenset(), False)[0]

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
                    raise refusal(self.engine, "unset-group")
                self.said.add("decided")
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
            self.said.add("conditional")
            test = Backreference(self.tests[node.number])
            return Alternation((sequence(test, node.yes), sequence(Look(test, ahead=True, negated=True), node.no)))
        if node.number not in known and node.number in possible:
            raise refusal(self.engine, "conditional")
        self.said.add("decided")
        return node.yes if node.number in known else node.no

    def loop(
        self, node: Repeat, known: frozenset[int], possible: frozenset[int], backward: bool
    ) -> tuple[Node, frozenset[int], frozenset[int]]:
        own = frozenset(group.number for group in captures(node.body))
        entered = known if self.engine.keeps_groups else known - own
        may_be_set = possible if node.most == 1 else possible | own
        body, after, after_possible = self.node(node.body, entered, may_be_set, backward)
        if not self.engine.keeps_groups and node.most != 1 and (own & self.kept) - after:
            raise refusal(self.engine, "loop-group")
        new = Repeat(body, node.least, node.most, node.mode)
        return new, after if node.least else known & after, possible | after_possible


# -- looks at what follows, for engines that can only take it


def _with_positive_lookaheads(node: Node) -> Node:
    """`node` with what may follow for what may not, where that is a text: `(?!ab)` → `(?=$|[^a]|a$|a[^b])`."""
    node = with_children(node, tuple(map(_with_positive_lookaheads, children(node))))
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


class _Tails:
    """Writes the looks at the very end of a match as `Tail`s, and refuses the others."""

    def __init__(self, engine: Engine, kept: frozenset[int], said: set[str]) -> None:
        self.engine = engine
        self.kept = kept
        self.said = said

    def lowered(self, node: Node, last: bool) -> Node:
        """`node`; `last` if nothing of the pattern comes after it."""
        match node:
            case Sequence(items):
                final = max((index for index, item in enumerate(items) if not isinstance(item, Marker)), default=0)
                return sequence(*(self.lowered(item, last and index == final) for index, item in enumerate(items)))
            case Alternation(options):
                return Alternation(tuple(self.lowered(option, last) for option in options))
            case Capture(body, number):
                return Capture(self.lowered(body, last and number not in self.kept), number, node.name)
            case Repeat(body, least, most):
                return Repeat(self.lowered(body, last and most == 1), least, most, node.mode)
            case Look(ahead=False):
                raise refusal(self.engine, "lookbehind")
            case Look(body, negated=negated):
                if not last or negated:
                    raise refusal(self.engine, "negative-lookahead" if negated else "lookahead")
                return self.tail(self.lowered(body, last=True))
            case Assertion("final-end"):
                if not last:
                    raise refusal(self.engine, "final-end")
                return self.tail(_FINAL_NEWLINE)
        return with_children(node, tuple(self.lowered(child, False) for child in children(node)))

    def tail(self, body: Node) -> Node:
        self.said.add("tail")
        return Tail(body)
