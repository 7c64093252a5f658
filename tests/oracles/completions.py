"""Texts that a delimiter's pattern may still want: the continuations that brute force over continuations must not miss.

A pattern becomes a nondeterministic automaton that forgets what is hard (captures, assertions that look back): it is
only used to propose texts, never to decide anything, so it may propose too much. The states that are alive after the
text so far tell which completions are to the point; each state has a few sampled ways to the pattern's end.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TypeAlias

from antiphon_portability.regex.nodes import (
    Alternation,
    AnyChar,
    Atomic,
    Backreference,
    Capture,
    Char,
    CharSet,
    Conditional,
    Grapheme,
    Look,
    Never,
    Node,
    Pattern,
    Range,
    Repeat,
    Sequence,
)

from oracles.chars import OneChar, takes

States: TypeAlias = frozenset[int]

ACCEPT = 0
UNREACHABLE = 10**9
CHARACTER = 10**4  # what a character counts in distances; a silent step counts 1, so that every way gets nearer
POOL = "ax 7\n<>_-.Z\"'{}[]:,/|é\t0"  # characters to try where a pattern leaves the choice
MOST_COPIES = 40  # of the body of a counted repeat; beyond that it is taken for a loop
SAMPLES = 4


@dataclass
class Automaton:
    """States are numbers; each takes one character and goes on (`atoms`, `after`) or goes on at once (`silent`)."""

    words: tuple[str, ...] = ()  # what a backreference may want
    atoms: dict[int, OneChar] = field(default_factory=dict)
    after: dict[int, int] = field(default_factory=dict)
    silent: dict[int, list[int]] = field(default_factory=dict)
    references: set[int] = field(default_factory=set)
    size: int = 1
    start: int = ACCEPT

    def add(self, *silent: int) -> int:
        self.size += 1
        self.silent[self.size] = list(silent)
        return self.size

    def add_atom(self, atom: OneChar, after: int) -> int:
        state = self.add()
        self.atoms[state], self.after[state] = atom, after
        return state

    def build(self, node: Node, after: int) -> int:
        """The state in which `node` begins, if what follows it begins in state `after`."""
        match node:
            case Char() | CharSet() | AnyChar():
                return self.add_atom(node, after)
            case Grapheme():
                return self.add_atom(AnyChar(), after)
            case Never():
                return self.add()
            case Sequence(items):
                for item in reversed(items):
                    after = self.build(item, after)
                return after
            case Alternation(options):
                return self.add(*(self.build(option, after) for option in options))
            case Conditional(_, yes, no):
                return self.add(self.build(yes, after), self.build(no, after))
            case Capture(body) | Atomic(body):
                return self.build(body, after)
            case Repeat():
                return self.repeat(node, after)
            case Look(body, ahead=True, negated=False) if after == ACCEPT:  # the pattern can't end without it
                return self.build(body, ACCEPT)
            case Look(body, ahead):
                return self.add(after, self.build(body, ACCEPT if ahead else after))
            case Backreference():
                loop = self.add(after)
                self.silent[loop].append(self.add_atom(AnyChar(), loop))
                self.references.add(loop)
                return loop
            case _:  # assertions take no text
                return after

    def repeat(self, node: Repeat, after: int) -> int:
        counted = max(node.least, node.most or 0) <= MOST_COPIES
        if node.most is None or not counted:
            loop = self.add(after)
            self.silent[loop].append(self.build(node.body, loop))
            after = loop
        else:
            for _ in range(node.most - node.least):
                after = self.add(after, self.build(node.body, after))
        for _ in range(node.least if counted else 0):
            after = self.build(node.body, after)
        return after

    def closure(self, states: list[int]) -> States:
        """The states with an atom that can be reached without a character."""
        seen: set[int] = set()
        while states:
            state = states.pop()
            if state not in seen:
                seen.add(state)
                states += self.silent.get(state, [])
        return frozenset(state for state in seen if state in self.atoms or state in self.references)

    def step(self, states: States, c: str) -> States:
        """The states alive after one more character; a new match may begin anywhere, so `start` always is."""
        moved = [self.after[s] for s in states if s in self.atoms and takes(self.atoms[s], c)]
        return self.closure([*moved, self.start])

    def samples(self, state: int) -> tuple[str, ...]:
        """Some texts that lead from `state` to the end, the shortest first."""
        if state not in self.sampled:
            rng = random.Random(state)
            texts = [self.walk(state, rng, wander=0.0)]
            texts += [self.walk(state, rng, wander=0.3 + 0.1 * n) for n in range(SAMPLES)]
            self.sampled[state] = tuple(dict.fromkeys(text for text in texts if text is not None))
        return self.sampled[state]

    def walk(self, state: int, rng: random.Random, wander: float) -> str | None:
        """One way to the end: mostly the shortest, astray with probability `wander`. None if there is no way."""
        text, steps = "", 0
        if self.distance.get(state, UNREACHABLE) >= UNREACHABLE:
            return None
        while state != ACCEPT:
            if state in self.references and rng.random() < 0.7 and self.words:
                text += rng.choice(self.words)
                state = self.silent[state][0]
            elif state in self.atoms:
                text += self.representative(self.atoms[state], rng, wander)
                state = self.after[state]
            else:
                ways = [s for s in self.silent[state] if self.distance.get(s, UNREACHABLE) < UNREACHABLE]
                steps += 1
                astray = steps < 24 and rng.random() < wander
                state = rng.choice(ways) if astray else min(ways, key=lambda s: self.distance[s])
        return text

    def named_characters(self) -> list[str]:
        """The characters that the pattern names, to take or to exclude them."""
        named = []
        for atom in self.atoms.values():
            if isinstance(atom, Char):
                named.append(chr(atom.code))
            elif isinstance(atom, CharSet):
                named += [chr(code) for r in atom.items if isinstance(r, Range) for code in (r.first, r.last)]
        return named

    def representative(self, atom: OneChar, rng: random.Random, wander: float) -> str:
        if isinstance(atom, Char):
            return chr(atom.code)
        fitting = [c for c in POOL if takes(atom, c)]
        if fitting:
            return rng.choice(fitting) if wander else fitting[0]
        for item in atom.items if isinstance(atom, CharSet) else ():
            if isinstance(item, Range) and takes(atom, chr(item.first)):
                return chr(item.first)
        return next((chr(code) for code in range(0x3000) if takes(atom, chr(code))), "a")

    def __post_init__(self) -> None:
        self.sampled: dict[int, tuple[str, ...]] = {}
        self.distance: dict[int, int] = {}

    def measure(self) -> None:
        """Fill `distance`: how far each state is from the end, in characters, and for equally many in silent steps."""
        self.distance = {ACCEPT: 0}
        changed = True
        while changed:
            changed = False
            for state in range(1, self.size + 1):
                if state in self.atoms:
                    ways = [(self.after[state], CHARACTER)]
                else:
                    ways = [(s, 1) for s in self.silent.get(state, [])]
                near = min((self.distance.get(s, UNREACHABLE) + cost for s, cost in ways), default=UNREACHABLE)
                if near < self.distance.get(state, UNREACHABLE):
                    self.distance[state], changed = near, True


def automaton(pattern: Pattern | str, words: tuple[str, ...] = ()) -> Automaton:
    """The automaton of a pattern, or of a literal."""
    result = Automaton(words)
    root = Sequence(tuple(Char(ord(c)) for c in pattern)) if isinstance(pattern, str) else pattern.root
    result.start = result.build(root, ACCEPT)
    result.measure()
    return result
