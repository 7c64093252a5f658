"""The hit-end rewrite: what does a pattern say of a text whose end is still to come?

`may_match` gives a pattern with the same search order in which everything that depends on what follows the text may
succeed, and passes a `Marker` when it does. Its leftmost-first match is therefore
    none       no match of the original can start before the end of the text, whatever follows;
    unmarked   the original's match, with its span and groups, whatever follows;
    marked     where the first match could start; whether it does depends on what follows.
`must_match` gives a pattern that matches at a place only if the original has a match there, whatever follows.

Trees in, trees out; no engine is known here. The terms: a search that needs a character beyond the end *hits*: from
there on its position is *lost* (it is somewhere beyond the text), and everything after it succeeds. A decision that
can't be made though the position is known *wavers*. Each lookaround has markers of its own for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from .analysis import captures, children, first_chars, is_one_char, nullable, references, walk, width, with_children
from .build import either, ordered, sequence, times
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
    Grapheme,
    Look,
    Marked,
    Marker,
    Never,
    Node,
    Pattern,
    Property,
    Range,
    Repeat,
    Sequence,
    Shorthand,
)

_END: Final = Assertion("text-end")
_NOT_AT_END: Final = Look(AnyChar(), ahead=True)
_NEWLINE: Final = Char(0x0A)
_AFTER_CONTROL: Final = Look(CharSet((Property("gcb=control"), Range(0x0A, 0x0A))), ahead=False)
_FORWARD: Final = frozenset(
    {"text-end", "final-end", "line-end", "word-boundary", "not-word-boundary", "word-start", "word-end"}
)
_LONGEST_RUN: Final = 32  # characters whose partial matches are nested in each other
_MOST_COPIED: Final = 64  # nodes that a counted loop may be unrolled to
_DEEPEST: Final = 3  # levels of what the rewrite copies several times: deeper ones are taken as undecided


def may_match(pattern: Pattern) -> Pattern:
    """The rewritten pattern; its new groups are `Marker`s."""
    rewriter = _Rewriter(pattern)
    frame = rewriter.frame(plain_start=not nullable(pattern.root))
    return replace(pattern, root=rewriter.may(pattern.root, frame, at_start=True))


def must_match(pattern: Pattern) -> Pattern:
    """A pattern that, if it matches at a place, proves that `pattern` has a match there; it captures nothing."""
    rewriter = _Rewriter(pattern)
    root = rewriter.must(_with_open_end(rewriter.without_captures(pattern.root)), backward=False)
    return Pattern(root, pattern.group_count, {})


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a part of the pattern stands: in the pattern itself, or in one of its lookarounds."""

    lost: int  # marker: the search has hit the end
    wavered: int  # marker: a decision at a known position depends on what follows
    ended: tuple[int, ...]  # markers that say that the position is lost here
    backward: bool = False
    plain_start: bool = False  # a match can't begin at the end: what it begins with need not hit there


def is_unrolled(node: Repeat, kept: frozenset[int]) -> bool:
    """Whether the rewrite counts a loop to its end, at the price of copies: no big body, no loop in it, no group."""
    if node.most is None or any(isinstance(part, Repeat) and part.most not in (1, None) for part in walk(node.body)):
        return False
    size = sum(1 for _ in walk(node.body)) * (node.most - node.least)
    return size <= _MOST_COPIED and not any(group.number in kept for group in captures(node.body))


class _Rewriter:
    def __init__(self, pattern: Pattern) -> None:
        self.numbers = count(1)
        self.depth = 0
        self.referenced = references(pattern.root)
        self.kept = self.referenced | frozenset(pattern.names.values())
        self.bodies: dict[int, list[Node]] = {}
        # For the groups captured in a lookaround: the markers that say that the lookaround wavered; None: any may.
        self.doubts: dict[int, tuple[int, ...] | None] = {}
        for node in walk(pattern.root):
            if isinstance(node, Capture):
                self.bodies.setdefault(node.number, []).append(node.body)
            elif isinstance(node, Look):
                self.doubts |= {group.number: () for group in captures(node.body)}
        self.doubts |= dict.fromkeys(_forward_references(pattern.root) & self.doubts.keys())

    def frame(self, ended: tuple[int, ...] = (), backward: bool = False, plain_start: bool = False) -> _Frame:
        lost, wavered = next(self.numbers), next(self.numbers)
        return _Frame(lost, wavered, ended if backward else (*ended, lost), backward, plain_start)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Within this, copies of copies are made; see `_DEEPEST`."""
        self.depth += 1
        yield
        self.depth -= 1

    def markers_since(self, frame: _Frame) -> tuple[int, ...]:
        """The markers of `frame` and of all frames made after it."""
        last = next(self.numbers)
        return tuple(range(frame.lost, last))

    def without_captures(self, node: Node) -> Node:
        """`node` without the groups that nothing refers to."""
        if isinstance(node, Capture) and node.number not in self.referenced:
            return self.without_captures(node.body)
        return with_children(node, tuple(map(self.without_captures, children(node))))

    # -- may match

    def may(self, node: Node, frame: _Frame, at_start: bool = False) -> Node:
        """`node`, or whatever may still become of it. `at_start`: nothing has been taken yet, so nothing is lost."""
        match node:
            case Char() | CharSet() | AnyChar():
                return self.run([node], frame, at_start)
            case Sequence(items):
                return self.sequence(items, frame, at_start)
            case Alternation(options):
                return Alternation(tuple(self.may(option, frame, at_start) for option in options))
            case Capture(body):
                return replace(node, body=self.may(body, frame, at_start))
            case Repeat(mode="possessive"):
                return self.atomic(replace(node, mode="greedy"), frame, at_start)
            case Repeat():
                return self.repeat(node, frame, at_start)
            case Atomic(body):
                return self.atomic(body, frame, at_start)
            case Grapheme():
                return self.grapheme(frame, at_start)
            case Assertion():
                return self.assertion(node, frame, at_start)
            case Look(negated=False):
                return self.look(node, frame, at_start)
            case Look():
                return self.negative_look(node, frame, at_start)
            case Backreference():
                return self.backreference(node, frame)
            case Conditional():
                return self.conditional(node, frame, at_start)
        return node

    def sequence(self, items: tuple[Node, ...], frame: _Frame, at_start: bool) -> Node:
        if not frame.backward and _is_impossible(items):
            return Never()
        out: list[Node] = []
        run: list[Node] = []
        for item in items:
            if is_one_char(item):
                run.append(item)
                continue
            if run:
                out.append(self.run(run, frame, at_start))
                run, at_start = [], False
            out.append(self.may(item, frame, at_start))
            at_start = at_start and width(item)[1] == 0
        if run:
            out.append(self.run(run, frame, at_start))
        return sequence(*out)

    def run(self, atoms: list[Node], frame: _Frame, at_start: bool) -> Node:
        """Atoms of one character each: all of them, or as many as there are before the end."""
        if frame.backward:
            return sequence(*atoms)
        if len(atoms) > _LONGEST_RUN:
            cuts = range(0, len(atoms), _LONGEST_RUN)
            parts = [self.run(atoms[cut : cut + _LONGEST_RUN], frame, at_start and cut == 0) for cut in cuts]
            return sequence(*parts)
        head = atoms[:1] if at_start and frame.plain_start else []
        tail = atoms[len(head) :]
        if not tail:
            return sequence(*head)
        partial: Node = EMPTY
        for atom in reversed(tail[:-1]):
            partial = Repeat(sequence(atom, partial), 0, 1)
        return sequence(*head, Alternation((sequence(*tail), sequence(partial, _hit(frame)))))

    def repeat(self, node: Repeat, frame: _Frame, at_start: bool) -> Node:
        body, least, most, mode = node.body, node.least, node.most, node.mode
        if frame.backward or most == 0 or width(body)[1] == 0:
            return replace(node, body=self.may(body, frame))
        if is_one_char(body):
            return self.char_repeat(node, frame, at_start)
        once = self.may(body, frame, at_start and most == 1)
        if (least, most) == (0, 1):
            return ordered(mode, once, EMPTY)
        if least == most:
            return times(once, least)
        if not is_unrolled(node, self.kept):
            again = ordered(mode, _hit(frame), EMPTY)  # at the end a further iteration may begin
            return sequence(Repeat(once, least, most, mode), again)
        optional: Node = EMPTY
        for _ in range(least, most or 0):
            optional = ordered(mode, sequence(once, optional), EMPTY)
        return sequence(times(once, least), optional)

    def char_repeat(self, node: Repeat, frame: _Frame, at_start: bool) -> Node:
        """A repeated character: only a loop that could still go on may hit the end."""
        least, most, mode = node.least, node.most, node.mode
        again = ordered(mode, _hit(frame), EMPTY)
        if most is None:
            loop = sequence(node, again)
        elif least == most:
            loop = node
        else:
            fewer = times(node.body, least, most - 1, mode)
            loop = ordered(mode, times(node.body, most), sequence(fewer, again))
        fewest = 1 if at_start and frame.plain_start else 0
        if least <= fewest:
            return loop
        return Alternation((loop, sequence(times(node.body, fewest, least - 1), _hit(frame))))

    def atomic(self, body: Node, frame: _Frame, at_start: bool) -> Node:
        """The first way in which the body may match.

        If that one hits the end, all that comes after it succeeds, and no other way need be tried. If it wavers at a
        known position, what comes after may fail where another way would do: then any way is tried.
        """
        if not any(map(_may_waver, walk(body))):
            return Atomic(self.may(body, frame, at_start))
        own = self.frame()
        inner = replace(frame, wavered=own.wavered)
        if self.depth == _DEEPEST:
            return _then(frame.backward, self.may(body, inner, at_start), _waver(frame))
        with self.deeper():
            first_way = Atomic(self.may(body, inner, at_start))
            wavered = Marked(self.markers_since(own))
            did_waver = _possible(_then(frame.backward, first_way, wavered), ahead=not frame.backward)
            any_way = self.may(self.without_captures(body), inner, at_start)
        return Alternation((first_way, _then(frame.backward, did_waver, any_way, _waver(frame))))

    def grapheme(self, frame: _Frame, at_start: bool) -> Node:
        """A cluster at the end may still grow, unless it ends in a control character."""
        if frame.backward:
            return Grapheme()
        grows = sequence(replace(_AFTER_CONTROL, negated=True), _hit(frame))
        cluster = sequence(Grapheme(), Alternation((grows, EMPTY)))
        return cluster if at_start and frame.plain_start else Alternation((cluster, _hit(frame)))

    def assertion(self, node: Assertion, frame: _Frame, at_start: bool) -> Node:
        end = sequence(_END, _waver(frame))
        match node.at:
            case "text-end":
                return end
            case "final-end":
                return sequence(Look(sequence(Repeat(_NEWLINE, 0, 1), _END), ahead=True), _waver(frame))
            case "line-end":
                return Alternation((Look(_NEWLINE, ahead=True), end))
            case "word-boundary" | "not-word-boundary":
                return Alternation((end, node))
            case "word-start":
                not_in_word = Look(CharSet((Shorthand("word", ascii=node.ascii),)), ahead=False, negated=True)
                return either(node, sequence(_END, not_in_word, _waver(frame)), *_lost(frame, at_start))
            case "word-end":
                return either(sequence(node, Alternation((end, EMPTY))), *_lost(frame, at_start))
        return either(node, *_lost(frame, at_start))

    def look(self, node: Look, frame: _Frame, at_start: bool) -> Node:
        inner = self.frame(frame.ended if node.ahead else (), backward=not node.ahead)
        may = replace(node, body=self.may(node.body, inner, at_start and node.ahead))
        groups = captures(node.body)
        for group in groups:
            known = self.doubts[group.number]
            self.doubts[group.number] = None if known is None else known + self.markers_since(inner)
        options = [may]
        captures_nothing = not any(group.number in self.kept for group in groups)
        if captures_nothing and _branches(node.body) and self.depth < _DEEPEST:
            with self.deeper():
                must = self.must(self.without_captures(node.body), backward=not node.ahead)
            options = [may] if may.body == must else [replace(node, body=must), may]
        return either(*options, *(() if node.ahead else _lost(frame, at_start)))

    def negative_look(self, node: Look, frame: _Frame, at_start: bool) -> Node:
        if self.depth == _DEEPEST:
            return _waver(frame)
        inner = self.frame(frame.ended if node.ahead else (), backward=not node.ahead)
        body = self.without_captures(node.body)
        with self.deeper():
            may = replace(node, body=self.may(body, inner, at_start and node.ahead))
            must = replace(node, body=self.must(body, backward=not node.ahead))
        if may == must:
            return either(may, *_lost(frame, at_start))
        unless_sure = EMPTY if must.body == Never() else must
        wavers = sequence(unless_sure, Look(may, ahead=True, negated=True), _waver(frame))
        return either(may, wavers, *_lost(frame, at_start))

    def backreference(self, node: Backreference, frame: _Frame) -> Node:
        options: list[Node] = [node]
        if not frame.backward:
            differs = Look(node, ahead=True, negated=True)
            options.append(sequence(differs, self.beginning(node, frame), _hit(frame)))
        if node.number in self.doubts:
            options.append(sequence(self.in_doubt(node.number), Repeat(AnyChar(), 0, None), _waver(frame)))
        return either(*options)

    def beginning(self, node: Backreference, frame: _Frame) -> Node:
        """What the rest of the text may be if it is the beginning of what group `node.number` captured."""
        bodies = self.bodies.get(node.number, [])
        widths = [width(body)[1] for body in bodies]
        if all(most is not None and most <= 1 for most in widths):
            return EMPTY
        if not node.ignore_case and all(map(_context_free, bodies)):
            return either(*(self.may(self.without_captures(body), frame) for body in bodies))
        return Repeat(AnyChar(), 0, None if None in widths else max(most for most in widths if most is not None) - 1)

    def in_doubt(self, number: int) -> Node:
        """Whether a lookaround that captured group `number` wavered."""
        markers = self.doubts[number]
        if markers is None:
            return EMPTY
        return Marked(markers) if markers else Never()

    def conditional(self, node: Conditional, frame: _Frame, at_start: bool) -> Node:
        if node.number not in self.doubts:
            return Conditional(node.number, self.may(node.yes, frame, at_start), self.may(node.no, frame, at_start))
        if self.depth == _DEEPEST:
            return sequence(Repeat(AnyChar(), 0, None), _waver(frame))
        with self.deeper():
            yes, no = self.may(node.yes, frame, at_start), self.may(node.no, frame, at_start)
        in_doubt = sequence(self.in_doubt(node.number), _waver(frame), Alternation((yes, no)))
        return either(Conditional(node.number, yes, no), in_doubt)

    # -- must match

    def must(self, node: Node, backward: bool) -> Node:
        """A tree that matches only where `node` matches whatever follows."""
        match node:
            case Sequence(items):
                return sequence(*(self.must(item, backward) for item in items))
            case Alternation(options):
                return either(*(self.must(option, backward) for option in options))
            case Repeat(mode="possessive"):
                return self.must_at_once(replace(node, mode="greedy"), backward)
            case Capture(body) | Repeat(body):
                return replace(node, body=self.must(body, backward))
            case Atomic(body):
                return self.must_at_once(body, backward)
            case Grapheme() if not backward:
                return sequence(node, Alternation((_NOT_AT_END, _AFTER_CONTROL)))
            case Assertion():
                return _must_assertion(node)
            case Look(body, ahead, negated=True):
                if self.depth == _DEEPEST:
                    return Never()
                with self.deeper():
                    return replace(node, body=self.may(body, self.frame(backward=not ahead)))
            case Look(body, ahead):
                if captures(body):  # what it captures must be what it captures in the end
                    return replace(node, body=self.must_at_once(body, not ahead))
                return replace(node, body=self.must(body, not ahead))
            case Backreference(number):
                return sequence(self.no_doubt(number), node)
            case Conditional(number, yes, no):
                choice = Conditional(number, self.must(yes, backward), self.must(no, backward))
                return sequence(self.no_doubt(number), choice)
        return node

    def must_at_once(self, body: Node, backward: bool) -> Node:
        """The first way in which the body may match, if nothing about it depends on what follows."""
        frame = self.frame(backward=backward)
        first_way = Atomic(self.may(body, frame))
        wavered = Marked(self.markers_since(frame))
        return _then(backward, first_way, Look(wavered, ahead=True, negated=True))

    def no_doubt(self, number: int) -> Node:
        in_doubt = self.in_doubt(number) if number in self.doubts else Never()
        return EMPTY if in_doubt == Never() else Look(in_doubt, ahead=True, negated=True)


def _with_open_end(node: Node) -> Node:
    r"""`node` with any character for a `\X` at the very end: a cluster begins there, however far it goes."""
    match node:
        case Sequence(items) if items:
            return Sequence((*items[:-1], _with_open_end(items[-1])))
        case Alternation(options):
            return Alternation(tuple(map(_with_open_end, options)))
        case Grapheme():
            return AnyChar()
    return node


def _hit(frame: _Frame) -> Node:
    return Sequence((_END, Marker(frame.lost)))


def _waver(frame: _Frame) -> Node:
    return Marker(frame.wavered)


def _lost(frame: _Frame, at_start: bool) -> tuple[Node, ...]:
    """An option that succeeds where the position is lost; none where it can't be."""
    if at_start or not frame.ended:
        return ()
    return (Sequence((_END, Marked(frame.ended), Marker(frame.lost))),)


def _possible(node: Node, ahead: bool) -> Node:
    """That `node` matches here, leaving no captures."""
    return Look(Look(node, ahead, negated=True), ahead=True, negated=True)


def _then(backward: bool, *items: Node) -> Node:
    """The items in the order in which the search comes to them: a lookbehind is searched from its end."""
    return sequence(*(reversed(items) if backward else items))


def _must_assertion(node: Assertion) -> Node:
    match node.at:
        case "text-end" | "final-end":
            return Never()
        case "line-end":
            return Look(_NEWLINE, ahead=True)
        case "text-start" | "line-start":
            return node
    return sequence(_NOT_AT_END, node)


def _may_waver(node: Node) -> bool:
    """Whether `node` itself may depend on what follows though the position is known."""
    return isinstance(node, Look | Backreference | Conditional) or (isinstance(node, Assertion) and node.at in _FORWARD)


def _forward_references(node: Node) -> set[int]:
    """The groups that are referred to before they stand, as a loop allows."""
    seen: set[int] = set()
    forward: set[int] = set()
    for part in walk(node):
        if isinstance(part, Backreference | Conditional):
            seen.add(part.number)
        elif isinstance(part, Capture) and part.number in seen:
            forward.add(part.number)
    return forward


def _is_impossible(items: tuple[Node, ...]) -> bool:
    """Whether the items take text before the start or after the end, as no text has any there."""
    least = [width(item)[0] for item in items]
    for index, item in enumerate(items):
        if isinstance(item, Assertion):
            before, after = sum(least[:index]), sum(least[index:])
            last_newline = Sequence(items[index:])
            if (
                (item.at == "text-start" and before > 0)
                or (item.at == "text-end" and after > 0)
                or (item.at == "final-end" and (after > 1 or _NEWLINE.code not in (first_chars(last_newline) or {10})))
            ):
                return True
    return False


def _branches(node: Node) -> bool:
    """Whether there is more than one way to match `node`."""
    return any(not isinstance(part, Sequence | Capture) and not is_one_char(part) for part in walk(node))


def _context_free(node: Node) -> bool:
    """Whether what `node` matches depends on that text alone."""
    return not any(isinstance(part, Look | Assertion | Backreference | Conditional | Grapheme) for part in walk(node))
