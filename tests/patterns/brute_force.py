"""The hit-end rewrite's meaning, found by trying every continuation of a buffer with the original pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import regex
from antiphon_portability.regex import Emitted, Pattern, emit, may_match, must_match
from random_patterns import ALPHABET, sample

TIMEOUT = 0.5

Match = tuple[int, int, tuple[str | None, ...]]


@dataclass(frozen=True)
class Held:
    """Undecided: a match could start at `start` (the buffer's length: only beyond it)."""

    start: int


def compile_for(engine: str, pattern: Pattern) -> tuple[Any, Emitted]:
    emitted = emit(pattern, engine)
    module = {"regex": regex, "re": re}[engine]
    return module.compile(emitted.source), emitted


def named_groups(match: Any, names: list[str]) -> tuple[str | None, ...]:
    found = match.groupdict()  # the rewrite drops a group that no match can set
    return tuple(found.get(name) for name in names)


class Subject:
    """A pattern with all that is compiled of it."""

    def __init__(self, pattern: Pattern, alphabet: str = ALPHABET, engine: str = "regex") -> None:
        self.pattern = pattern
        self.alphabet = alphabet
        longest = 4 if len(alphabet) == 4 else 3
        self.continuations = [
            "".join(chars) for length in range(longest + 1) for chars in product(alphabet, repeat=length)
        ]
        self.names = sorted(pattern.names)
        self.plain, _ = compile_for("regex", pattern)
        self.may, self.emitted = compile_for(engine, may_match(pattern))
        self.must, _ = compile_for(engine, must_match(pattern))

    def search(self, text: str) -> Match | None:
        found = self.plain.search(text, timeout=TIMEOUT)
        return found and (found.start(), found.end(), named_groups(found, self.names))

    def verdict(self, buffer: str) -> Match | Held:
        found = self.may.search(buffer, **({"timeout": TIMEOUT} if isinstance(self.may, regex.Pattern) else {}))
        if found is None:
            return Held(len(buffer))
        groups = found.groupdict()
        if any(groups[marker] is not None for marker in self.emitted.markers):
            return Held(found.start())
        values = {
            self.emitted.groups[name]: text
            for name, text in groups.items()
            if text is not None and name in self.emitted.groups
        }
        return found.start(), found.end(), tuple(values.get(name) for name in self.names)

    def truth(self, buffer: str, random: Random) -> Match | Held:
        """What all continuations agree on, or else the earliest start among them."""
        found = [self.search(buffer + continuation) for continuation in self.continuations]
        found += [self.search(buffer + continuation) for continuation in self.likely_continuations(random)]
        first = found[0]
        if first is not None and first[1] <= len(buffer) and all(match == first for match in found):
            return first
        return Held(min([len(buffer), *(match[0] for match in found if match is not None)]))

    def likely_continuations(self, random: Random) -> list[str]:
        """Longer ones: random, and ends of texts that the pattern may match."""
        likely = {"".join(random.choices(self.alphabet, k=random.randint(4, 8))) for _ in range(30)}
        for _ in range(30):
            text = sample(self.pattern.root, random, {}, self.alphabet)
            likely |= {text[start:] for start in range(len(text) + 1)}
            likely.add(text + random.choice(self.alphabet))
        return sorted(likely)


def judge(verdict: Match | Held, truth: Match | Held) -> str:
    """ "exact"; "late": holds more than it must; "unsound": says what a continuation refutes."""
    if verdict == truth:
        return "exact"
    if isinstance(verdict, Held):
        return "unsound" if verdict.start > (truth.start if isinstance(truth, Held) else truth[0]) else "late"
    return "unsound"
