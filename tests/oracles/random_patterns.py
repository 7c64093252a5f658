"""Random patterns of the dialect, as source text, and random texts that they have a chance to match."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from antiphon_portability.regex.nodes import (
    Alternation,
    AnyChar,
    Atomic,
    Capture,
    Char,
    CharSet,
    Conditional,
    Grapheme,
    Look,
    Never,
    Node,
    Repeat,
    Sequence,
)

LETTERS = "ab"
ALPHABET = "ab<\n "
ATOMS = ("a", "a", "b", "b", "<", "\\n", " ", ".", "[ab]", "[^a]", "\\w", "\\s", "\\W", "[b\\s]")
QUANTIFIERS = ("*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}")
ASSERTIONS = ("^", "$", "\\A", "\\Z", "\\b", "\\B", "\\m", "\\M")

EXACT = ("assertion", "lookahead", "negative-lookahead", "ignore-case", "lazy", "capture", "named")
CONSERVATIVE = (
    "lookbehind",
    "negative-lookbehind",
    "atomic",
    "possessive",
    "backreference",
    "conditional",
    "multiline",
    "grapheme",
)
PLAIN = ("lazy", "capture", "named")

WRAPPED = {
    "lookahead": "(?={})",
    "negative-lookahead": "(?!{})",
    "lookbehind": "(?<={})",
    "negative-lookbehind": "(?<!{})",
    "atomic": "(?>{})",
    "ignore-case": "(?i:{})",
    "multiline": "(?m:{})",
}


FAMILIES: dict[str, tuple[str, ...]] = {
    "plain": (),
    "assertions": ("assertion",),
    "lookaheads": ("lookahead", "negative-lookahead", "ignore-case"),
    "lookbehinds": ("lookbehind", "negative-lookbehind"),
    "atomic": ("atomic", "possessive"),
    "references": ("backreference", "conditional"),
    "lines": ("multiline", "assertion", "grapheme"),
    "everything": EXACT + CONSERVATIVE,
}


def rounds(number: int) -> int:
    """How many rounds a random test makes: `number`, or as many times more as ANTIPHON_FUZZ says."""
    return max(1, int(number * float(os.environ.get("ANTIPHON_FUZZ", "1"))))


@dataclass
class Maker:
    """Makes one pattern; `used` are the slugs of the constructs that it drew on, apart from plain ones."""

    rng: random.Random
    allowed: tuple[str, ...]
    used: set[str] = field(default_factory=set)
    groups: int = 0
    closed: list[int] = field(default_factory=list)

    def may(self, construct: str, chance: float) -> bool:
        return construct in self.allowed and self.rng.random() < chance

    def alternation(self, depth: int) -> str:
        options = [self.sequence(depth) for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3)))]
        return "|".join(options)

    def sequence(self, depth: int) -> str:
        return "".join(self.quantified(depth) for _ in range(self.rng.choice((0, 1, 1, 2, 2, 3))))

    def quantified(self, depth: int) -> str:
        body = self.item(depth)
        if self.rng.random() < 0.65 or body in ASSERTIONS:
            return body
        mode = ""
        if self.may("possessive", 0.15):
            self.used.add("possessive")
            mode = "+"
        elif self.may("lazy", 0.25):
            mode = "?"
        return body + self.rng.choice(QUANTIFIERS) + mode

    def item(self, depth: int) -> str:
        """One element that a quantifier may follow."""
        if depth > 0 and self.rng.random() < 0.45:
            return self.group(depth - 1)
        if self.may("assertion", 0.1):
            self.used.add("assertion")
            return self.rng.choice(ASSERTIONS)
        if self.closed and self.may("backreference", 0.15):
            self.used.add("backreference")
            return f"(?:\\{self.rng.choice(self.closed)})"
        if self.may("grapheme", 0.03):
            self.used.add("grapheme")
            return "\\X"
        return self.rng.choice(ATOMS)

    def group(self, depth: int) -> str:
        wrapped = [name for name in WRAPPED if name in self.allowed]
        kind = self.rng.choice(["plain", "capture", "named", "conditional", *wrapped])
        if kind == "conditional" and self.closed and "conditional" in self.allowed:
            self.used.add("conditional")
            number = self.rng.choice(self.closed)
            return f"(?({number}){self.sequence(depth)}|{self.sequence(depth)})"
        if kind in ("capture", "named") and kind in self.allowed:
            self.groups += 1
            number = self.groups
            body = self.alternation(depth)
            self.closed.append(number)
            return f"(?P<g{number}>{body})" if kind == "named" else f"({body})"
        if kind in WRAPPED:
            self.used.add(kind)
            return WRAPPED[kind].format(self.alternation(depth))
        return f"(?:{self.alternation(depth)})"


def pattern(rng: random.Random, allowed: tuple[str, ...], depth: int = 2) -> tuple[str, set[str]]:
    """A pattern and the slugs of its constructs."""
    maker = Maker(rng, allowed)
    return maker.alternation(depth), maker.used


def text(rng: random.Random, longest: int = 6) -> str:
    return "".join(rng.choice(ALPHABET) for _ in range(rng.randint(0, longest)))


def every_text(longest: int, alphabet: str = ALPHABET) -> Iterator[str]:
    """All texts over an alphabet, up to a length."""
    for length in range(longest + 1):
        yield from map("".join, itertools.product(alphabet, repeat=length))


def may_be_empty(node: Node) -> bool:
    """Whether a tree may match the empty text somewhere."""
    match node:
        case Char() | CharSet() | AnyChar() | Grapheme() | Never():
            return False
        case Sequence(items):
            return all(map(may_be_empty, items))
        case Alternation(options):
            return any(map(may_be_empty, options))
        case Capture(body) | Atomic(body):
            return may_be_empty(body)
        case Repeat(body, least):
            return least == 0 or may_be_empty(body)
        case Conditional(_, yes, no):
            return may_be_empty(yes) or may_be_empty(no)
        case _:
            return True


def counts_nothing(node: Node) -> bool:
    """Whether a counted repeat has a body that may be empty. There the `regex` module doesn't keep to any definition:
    it leaves out iterations that an earlier attempt at the same place makes it think to be useless."""
    match node:
        case Repeat(body, least, most):
            return (may_be_empty(body) and (least > 1 or most not in (None, 1))) or counts_nothing(body)
        case Sequence(parts) | Alternation(parts):
            return any(map(counts_nothing, parts))
        case Capture(body) | Atomic(body) | Look(body):
            return counts_nothing(body)
        case Conditional(_, yes, no):
            return counts_nothing(yes) or counts_nothing(no)
        case _:
            return False
