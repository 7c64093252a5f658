"""Finite automata over code points: texts without a delimiter, and what two expressions have in common.

A regular expression (one without rules) becomes an automaton, automata are intersected, and an automaton becomes rules,
each of which begins with a code point. Every step is counted: what would need too many states is `TooLarge`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Final, TypeVar

from antiphon_portability.autoparser.grammar.expressions import (
    MOST_RULES,
    NOTHING,
    Chars,
    Choice,
    Expression,
    Repeat,
    Rule,
    Rules,
    Text,
    choice,
    sequence,
)
from antiphon_portability.autoparser.grammar.expressions import Sequence as Items
from antiphon_portability.regex.codepoints import LAST, Ranges, union

MOST_STATES: Final = 4_000
_MOST_MERGED: Final = 300  # states of which equal ones are looked for, which takes the square of their number

_MOST_ADDED: Final = 1_500  # states of one part that may be left out

State = TypeVar("State")


class TooLarge(Exception):
    """An automaton of more than MOST_STATES states."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """A deterministic one. State 0 is the start; `moves[state]`: disjoint ranges, each with the state they lead to."""

    moves: tuple[tuple[tuple[int, int, int], ...], ...]
    accepting: frozenset[int]

    def takes(self, text: str) -> bool:
        """Whether the whole text is accepted."""
        state: int | None = 0
        for char in text:
            state = self._next(state, ord(char)) if state is not None else None
        return state in self.accepting

    def begins(self, text: str) -> bool | None:
        """Whether a beginning of the text, or of any text that goes on from it, is accepted; None: that depends."""
        state: int | None = 0
        for char in text:
            if state in self.accepting:
                return True
            state = self._next(state, ord(char)) if state is not None else None
        return True if state in self.accepting else False if state is None else None

    def _next(self, state: int, code: int) -> int | None:
        moves = self.moves[state]
        index = bisect_right(moves, code, key=lambda move: move[0]) - 1
        return moves[index][2] if index >= 0 and code <= moves[index][1] else None


# -- texts without delimiters (the automaton of Aho and Corasick)


def without(texts: Iterable[str]) -> Automaton:
    """All texts in which none of these stands."""
    trie = _Trie(texts)
    return _automaton(0, trie.moves(lambda state: not trie.ends[state]), lambda state: True)


def up_to(end: str, without_texts: Iterable[str] = ()) -> Automaton:
    """All texts that end where `end` stands in them for the first time, and in which none of the others stands.

    Others that are a part of `end` are left aside.
    """
    others = [text for text in without_texts if text not in end]
    trie = _Trie([end, *others])

    def entered(state: int) -> bool:
        return trie.ends[state] <= {0}

    moves = trie.moves(entered)
    return _automaton(0, lambda state: () if trie.ends[state] else moves(state), lambda state: 0 in trie.ends[state])


def without_any_of(texts: Iterable[str]) -> Automaton:
    """All texts but these."""
    trie = _Trie([])
    for text in texts:
        trie.put(0, text)
    outside = len(trie.next)  # a state of which nothing known comes any more

    def moves(state: int) -> Iterator[tuple[Ranges, int]]:
        known = trie.next[state] if state < outside else {}
        for char, after in known.items():
            yield ((ord(char), ord(char)),), after
        rest = _gaps(sorted(map(ord, known)))
        if rest:
            yield rest, outside

    return _automaton(0, moves, lambda state: state == outside or not trie.ends[state])


class _Trie:
    """The beginnings of some texts; `ends[state]`: the numbers of the texts that end there."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.next: list[dict[str, int]] = [{}]
        self.ends: list[set[int]] = [set()]
        self.back: list[int] = [0]
        for number, text in enumerate(texts):
            self.put(number, text)
        self._link()

    def put(self, number: int, text: str) -> None:
        state = 0
        for char in text:
            if char not in self.next[state]:
                if len(self.next) > MOST_STATES:
                    raise TooLarge
                self.next[state][char] = len(self.next)
                self.next.append({})
                self.ends.append(set())
                self.back.append(0)
            state = self.next[state][char]
        self.ends[state].add(number)

    def _link(self) -> None:
        """For each state, where its longest proper end that is a beginning leads."""
        queue = list(self.next[0].values())
        for state in queue:
            for char, after in self.next[state].items():
                self.back[after] = self._after(self.back[state], char)
                self.ends[after] |= self.ends[self.back[after]]
                queue.append(after)

    def _after(self, state: int, char: str) -> int:
        while state and char not in self.next[state]:
            state = self.back[state]
        return self.next[state].get(char, 0)

    def moves(self, entered: Callable[[int], bool]) -> Callable[[int], Iterator[tuple[Ranges, int]]]:
        """The moves of a state, as far as they lead to states that may be entered."""

        def of(state: int) -> Iterator[tuple[Ranges, int]]:
            known: set[str] = set()
            back = state
            while True:
                known |= self.next[back].keys()
                if not back:
                    break
                back = self.back[back]
            for char in sorted(known):
                after = self._after(state, char)
                if entered(after):
                    yield ((ord(char), ord(char)),), after
            rest = _gaps(sorted(map(ord, known)))
            if rest:
                yield rest, 0

        return of


def _gaps(codes: Sequence[int]) -> Ranges:
    edges = [-1, *codes, LAST + 1]
    return tuple((low + 1, high - 1) for low, high in pairwise(edges) if high - low > 1)


# -- expressions


class _Nondeterministic:
    """An automaton that may be in several states at once (Thompson's construction)."""

    def __init__(self, expression: Expression, before: Automaton | None = None) -> None:
        """`before`: what a text of the expression stands behind."""
        self.moves: list[list[tuple[Ranges, int]]] = []
        self.free: list[list[int]] = []
        self.start = self._state()
        self.end = self._build(expression, self.start if before is None else self._copied(before))

    def _copied(self, automaton: Automaton) -> int:
        """The state in which the texts of an automaton end, which begin in the start."""
        states = [self.start, *(self._state() for _ in automaton.moves[1:])]
        end = self._state()
        for state, moves in zip(states, automaton.moves, strict=True):
            self.moves[state] += [(((first, last),), states[after]) for first, last, after in moves]
        for state in automaton.accepting:
            self.free[states[state]].append(end)
        return end

    def _state(self) -> int:
        if len(self.moves) > 4 * MOST_STATES:
            raise TooLarge
        self.moves.append([])
        self.free.append([])
        return len(self.moves) - 1

    def _build(self, expression: Expression, start: int) -> int:
        """Add an expression that begins in a state; the state in which it ends."""
        match expression:
            case Text(text):
                for char in text:
                    start = self._step(((ord(char), ord(char)),), start)
                return start
            case Chars(ranges):
                return self._step(ranges, start)
            case Items(items):
                for item in items:
                    start = self._build(item, start)
                return start
            case Choice(options):
                end = self._state()
                for option in options:
                    before = self._state()
                    self.free[start].append(before)
                    self.free[self._build(option, before)].append(end)
                return end
            case Repeat(body, least, most):
                return self._repeated(body, least, most, start)
            case Rule():
                raise TypeError("a rule isn't regular")

    def _step(self, ranges: Ranges, start: int) -> int:
        end = self._state()
        self.moves[start].append((ranges, end))
        return end

    def _repeated(self, body: Expression, least: int, most: int | None, start: int) -> int:
        for _ in range(least):
            start = self._build(body, start)
        if most is None:
            loop, end = self._state(), self._state()
            self.free[start].append(loop)
            self.free[loop].append(end)
            self.free[self._build(body, loop)].append(loop)
            return end
        end = self._state()
        for _ in range(most - least):
            self.free[start].append(end)
            start = self._build(body, start)
        self.free[start].append(end)
        return end

    def closed(self, states: Iterable[int]) -> frozenset[int]:
        """The states, and those that are reached from them for nothing."""
        found, left = set(states), list(states)
        while left:
            for state in self.free[left.pop()]:
                if state not in found:
                    found.add(state)
                    left.append(state)
        return frozenset(found)

    def split(self, states: frozenset[int]) -> Iterator[tuple[Ranges, frozenset[int]]]:
        """Where the states lead, by disjoint ranges."""
        moves = [(ranges, after) for state in states for ranges, after in self.moves[state]]
        edges = sorted({edge for ranges, _ in moves for first, last in ranges for edge in (first, last + 1)})
        starts: dict[int, set[int]] = {}
        for ranges, after in moves:
            for first, last in ranges:
                for index in range(bisect_right(edges, first) - 1, bisect_right(edges, last)):
                    starts.setdefault(index, set()).add(after)
        together: dict[frozenset[int], list[tuple[int, int]]] = {}
        for index, led in starts.items():
            together.setdefault(frozenset(led), []).append((edges[index], edges[index + 1] - 1))
        for states_after, pairs in together.items():
            yield union(pairs), self.closed(states_after)


def of(expression: Expression, before: Automaton | None = None) -> Automaton:
    """The automaton of an expression without rules, behind a text that another accepts. Raises TooLarge."""
    machine = _Nondeterministic(expression, before)
    return _automaton(machine.closed([machine.start]), machine.split, lambda states: machine.end in states)


def both(one: Automaton, other: Automaton) -> Automaton:
    """What both accept. Raises TooLarge."""

    def moves(pair: tuple[int, int]) -> Iterator[tuple[Ranges, tuple[int, int]]]:
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for first, last, after in one.moves[pair[0]]:
            for other_first, other_last, other_after in other.moves[pair[1]]:
                low, high = max(first, other_first), min(last, other_last)
                if low <= high:
                    found.setdefault((after, other_after), []).append((low, high))
        for states, pairs in found.items():
            yield union(pairs), states

    return _automaton((0, 0), moves, lambda pair: pair[0] in one.accepting and pair[1] in other.accepting)


def all_of(expressions: Iterable[Expression]) -> Automaton:
    """The texts that fit each of some expressions without rules. Raises TooLarge, at once for what surely is."""
    listed = list(expressions)
    if any(_longest(one) > _MOST_ADDED for one in listed):
        raise TooLarge
    return reduce(both, map(of, listed))


def _longest(expression: Expression) -> int:
    """The length of the longest text, endless loops counted once: there is a state for each of its code points."""
    match expression:
        case Text(text):
            return len(text)
        case Items(items):
            return sum(map(_longest, items))
        case Choice(options):
            return max(map(_longest, options), default=0)
        case Repeat(body, least, most):
            return _longest(body) * (max(least, 1) if most is None else most)
    return 1


def _automaton(
    start: State,
    moves: Callable[[State], Iterable[tuple[Ranges, State]]],
    accepts: Callable[[State], bool],
) -> Automaton:
    """The states that are reached from the start and from which a text can still be accepted."""
    numbers = {start: 0}
    found: list[list[tuple[int, int, int]]] = []
    queue = [start]
    for state in queue:
        listed: list[tuple[int, int, int]] = []
        for ranges, after in moves(state):
            if after not in numbers:
                if len(numbers) >= MOST_STATES:
                    raise TooLarge
                numbers[after] = len(numbers)
                queue.append(after)
            listed += [(first, last, numbers[after]) for first, last in ranges]
        found.append(sorted(listed))
    accepting = {number for state, number in numbers.items() if accepts(state)}
    alive = _leading_to(accepting, found)
    return Automaton(
        tuple(tuple(move for move in listed if move[2] in alive) for listed in found), frozenset(accepting)
    )


def _leading_to(accepting: set[int], moves: list[list[tuple[int, int, int]]]) -> set[int]:
    before: dict[int, set[int]] = {}
    for state, listed in enumerate(moves):
        for _, _, after in listed:
            before.setdefault(after, set()).add(state)
    alive, left = set(accepting), list(accepting)
    while left:
        for state in before.get(left.pop(), ()):
            if state not in alive:
                alive.add(state)
                left.append(state)
    return alive


# -- rules


def affordable(automaton: Automaton, rules: Rules, hint: str) -> Expression:
    """The same as `expression`, for what a grammar can do without. Raises TooLarge for more than that is worth."""
    if len(automaton.moves) > _MOST_ADDED or rules.count + len(automaton.moves) > MOST_RULES // 2:
        raise TooLarge
    return expression(automaton, rules, hint)


def expression(automaton: Automaton, rules: Rules, hint: str) -> Expression:
    """A rule for what an automaton accepts; one more for each further state."""
    if len(automaton.moves) <= _MOST_MERGED:
        automaton = _smaller(automaton)
    names = [rules.reserve(hint if state == 0 else f"{hint}-{state}") for state in range(len(automaton.moves))]
    for state, moves in enumerate(automaton.moves):
        together: dict[int, list[tuple[int, int]]] = {}
        for first, last, after in moves:
            together.setdefault(after, []).append((first, last))
        ended = [NOTHING] if state in automaton.accepting else []
        led = [
            sequence(Chars(union(pairs)), names[after] if automaton.moves[after] else NOTHING)
            for after, pairs in together.items()
        ]
        rules.define(names[state], choice(*ended, *led))
    return names[0]


def _smaller(automaton: Automaton) -> Automaton:
    """The same with states that accept the same texts made one (Moore's partition), and without unreached ones."""
    group = [int(state in automaton.accepting) for state in range(len(automaton.moves))]
    count = 0
    while True:
        signs: dict[tuple[int, tuple[tuple[Ranges, int], ...]], int] = {}
        regrouped = [
            signs.setdefault((group[state], _sign(moves, group)), len(signs))
            for state, moves in enumerate(automaton.moves)
        ]
        group = regrouped
        if len(signs) == count:
            break
        count = len(signs)
    members = {number: state for state, number in reversed(list(enumerate(group)))}

    def moves(number: int) -> Iterator[tuple[Ranges, int]]:
        yield from _sign(automaton.moves[members[number]], group)

    return _automaton(group[0], moves, lambda number: members[number] in automaton.accepting)


def _sign(moves: tuple[tuple[int, int, int], ...], group: list[int]) -> tuple[tuple[Ranges, int], ...]:
    together: dict[int, list[tuple[int, int]]] = {}
    for first, last, after in moves:
        together.setdefault(group[after], []).append((first, last))
    return tuple(sorted((union(pairs), after) for after, pairs in together.items()))
