"""Random patterns over a small alphabet, by construct, and texts for them. Deterministic for a given `Random`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from antiphon_portability.regex import Node, nullable
from antiphon_portability.regex.analysis import walk
from antiphon_portability.regex.codepoints import set_ranges
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
    Repeat,
    Sequence,
)

ALPHABET = "ab<\n"
BASE = ("class", "dot", "group", "alternation", "greedy", "lazy", "bounded")
SPECIAL = (
    *("possessive", "atomic", "caret", "dollar", "text-end", "word-boundary", "word-edge", "line-anchors"),
    *("lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "backreference", "conditional"),
    *("ignore-case", "grapheme"),
)
FAMILIES: dict[str, tuple[str, ...]] = {
    "plain": (),
    "assertions": ("caret", "dollar", "text-end", "word-boundary", "word-edge"),
    "lookaheads": ("lookahead", "negative-lookahead", "ignore-case"),
    "lookbehinds": ("lookbehind", "negative-lookbehind"),
    "atomic": ("atomic", "possessive"),
    "references": ("backreference", "conditional"),
    "lines": ("line-anchors", "caret", "dollar", "grapheme"),
    "everything": SPECIAL,
}
_SIMPLE = {
    "literal": ("a", "b", "<", "a", "b", r"\n"),
    "class": ("[ab]", "[^a]", "[^<]", r"\w", r"\s", "[a<]", r"\W"),
    "dot": (".", "(?-s:.)"),
    "caret": ("^",),
    "dollar": ("$",),
    "text-end": (r"\Z",),
    "word-boundary": (r"\b", r"\B"),
    "word-edge": (r"\m", r"\M"),
    "line-anchors": ("(?m:^)", "(?m:$)"),
    "ignore-case": ("(?i:a)", "(?i:[B<])", "(?i:ab)"),
    "grapheme": (r"\X",),
}
_QUANTIFIERS = {
    "greedy": ("*", "+", "?"),
    "lazy": ("*?", "+?", "??"),
    "possessive": ("*+", "++", "?+"),
    "bounded": ("{2}", "{1,2}", "{0,2}", "{2,3}?", "{2,}"),
}
_LOOKS = {"lookahead": "(?=", "negative-lookahead": "(?!", "lookbehind": "(?<=", "negative-lookbehind": "(?<!"}


@dataclass
class PatternMaker:
    """Makes patterns of the constructs in `constructs`; `used` tells which of them are in the last one."""

    random: Random
    constructs: tuple[str, ...]
    used: set[str] = field(default_factory=set)
    groups: int = 0

    def pattern(self) -> str:
        self.used = set()
        self.groups = 0
        return self.sequence(0, behind=False)

    def sequence(self, depth: int, behind: bool) -> str:
        length = self.random.choice((1, 1, 2, 2, 3) if depth else (1, 2, 2, 3, 3, 4))
        return "".join(self.item(depth, behind) for _ in range(length))

    def options(self, depth: int, behind: bool, most: int = 3) -> str:
        options = [self.sequence(depth, behind) for _ in range(self.random.randint(1, most))]
        return "|".join(option if self.random.random() < 0.92 else "" for option in options)

    def item(self, depth: int, behind: bool) -> str:
        kind = self.kind(depth, behind)
        self.used.add(kind)
        text = self.text(kind, depth, behind)
        quantifiers = [kind for kind in _QUANTIFIERS if kind in self.constructs]
        repeatable = kind not in _LOOKS and kind not in SPECIAL[2:8]
        if quantifiers and repeatable and self.random.random() < 0.35:
            quantifier = self.random.choice(quantifiers)
            self.used.add(quantifier)
            text = (text if len(text) == 1 or text[0] in "[(\\" else f"(?:{text})") + self.random.choice(
                _QUANTIFIERS[quantifier]
            )
        return text

    def kind(self, depth: int, behind: bool) -> str:
        kinds = ["literal"] * 4
        for construct in self.constructs:
            nested = construct in ("group", "alternation", "atomic", "conditional", *_LOOKS)
            needs_group = construct in ("backreference", "conditional")
            if construct in _QUANTIFIERS or (nested and depth > 2) or (needs_group and not self.groups):
                continue
            kinds += [construct] * (2 if needs_group else 1)
        return self.random.choice(kinds)

    def text(self, kind: str, depth: int, behind: bool) -> str:
        if kind in _SIMPLE:
            return self.random.choice(_SIMPLE[kind])
        if kind in _LOOKS:
            return _LOOKS[kind] + self.options(depth + 1, behind="behind" in kind, most=2) + ")"
        if kind == "atomic":
            return "(?>" + self.options(depth + 1, behind) + ")"
        if kind == "alternation":
            return "(?:" + self.options(depth + 1, behind) + ")"
        if kind == "backreference":
            return f"(?:\\{self.random.randint(1, self.groups)})"
        if kind == "conditional":
            number = self.random.randint(1, self.groups)
            return f"(?({number}){self.sequence(depth + 1, behind)}|{self.sequence(depth + 1, behind)})"
        self.groups += 1
        opening = self.random.choice((f"(?P<n{self.groups}>", "("))
        return opening + self.options(depth + 1, behind, most=2) + ")"


def random_text(random: Random, longest: int, alphabet: str = ALPHABET) -> str:
    return "".join(random.choice(alphabet) for _ in range(random.randint(0, longest)))


def sample(node: Node, random: Random, groups: dict[int, str], alphabet: str) -> str:
    """A text that `node` may well match: lookarounds and anchors are taken on trust."""
    match node:
        case Char(code):
            return chr(code)
        case CharSet():
            return random.choice(_fitting(node, alphabet))
        case AnyChar() | Grapheme():
            return random.choice(alphabet)
        case Sequence(items):
            return "".join(sample(item, random, groups, alphabet) for item in items)
        case Alternation(options):
            return sample(random.choice(options), random, groups, alphabet)
        case Conditional(_, yes, no):
            return sample(random.choice((yes, no)), random, groups, alphabet)
        case Capture(body, number):
            groups[number] = sample(body, random, groups, alphabet)
            return groups[number]
        case Atomic(body):
            return sample(body, random, groups, alphabet)
        case Repeat(body, least, most):
            times = random.randint(least, min(least + 2, least + 2 if most is None else most))
            return "".join(sample(body, random, groups, alphabet) for _ in range(times))
        case Look(body, ahead=True) if random.random() < 0.5:
            return sample(body, random, groups, alphabet)
        case Backreference(number):
            return groups.get(number, "")
    return ""


@lru_cache(1024)
def _fitting(char_set: CharSet, alphabet: str) -> list[str]:
    ranges = set_ranges(char_set) or ()
    return [char for char in alphabet if any(first <= ord(char) <= last for first, last in ranges)] or ["c"]


def every_text(longest: int, alphabet: str = ALPHABET) -> Iterator[str]:
    """All texts over an alphabet, up to a length."""
    for length in range(longest + 1):
        yield from map("".join, itertools.product(alphabet, repeat=length))


def counts_nothing(root: Node) -> bool:
    """Whether a counted repeat has a body that may be empty. There the `regex` module doesn't keep to any definition:
    it leaves out iterations that an earlier attempt at the same place makes it think to be useless (DIALECT-5)."""
    repeats = (node for node in walk(root) if isinstance(node, Repeat))
    return any(nullable(node.body) and (node.least > 1 or node.most not in (None, 1)) for node in repeats)
