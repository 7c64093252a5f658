"""Random patterns that press on one lowering each: small, over few characters, and full of what it has to get right."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_ATOMS = ("a", "b", "[ab]")
_LOOPS = ("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}", "{0}", "*+")


@dataclass(frozen=True)
class Grammar:
    """`leaves` stand for themselves; `wrappers` go around what the grammar makes; `suffixes` behind a group of it."""

    leaves: tuple[str, ...]
    wrappers: tuple[str, ...] = ("(?:",)
    suffixes: tuple[str, ...] = ("",)
    depth: int = 3

    def pattern(self, random: Random, depth: int | None = None) -> str:
        depth = self.depth if depth is None else depth
        if depth == 0 or random.random() < 0.15:
            return random.choice(self.leaves)
        parts = [self.pattern(random, depth - 1) for _ in range(random.randint(1, 3))]
        if random.random() < 0.5:
            return "".join(parts)
        return f"{random.choice(self.wrappers)}{'|'.join(parts)}){random.choice(self.suffixes)}"


GRAMMARS = {
    "empty iterations": Grammar((*_ATOMS, "", "^", "$", "(?=b)", "(?!a)", "a?", "b??"), suffixes=_LOOPS),
    "atomic groups": Grammar(
        (*_ATOMS, "a*", "b+", "a?", "a??", "a*?", "[^a]*", "a*+", "b?+", "(?=b)", "$"), ("(?>", "(?:"), ("", "?", "*")
    ),
    "lookbehinds": Grammar(
        (*_ATOMS, "a*", "b?", "a{1,2}", "a+?", "(?P<x>a)", "(?P<y>b)", "^", "a*+"),
        ("(?<=", "(?<!", "(?:", "(?>"),
        depth=2,
    ),
    "groups": Grammar(
        ("a", "b", "(?P<x>a)", "(?P<y>b)?", "(?P<x>a|b)?", "(?(x)b|c)", "(?(y)a)", "(?P=x)", "(?P<y>b)??", "(?(x)|c)"),
        ("(?:", "(?:", "(?=", "(?!", "(?>"),
        ("", "", *_LOOPS),
        depth=2,
    ),
    "tails": Grammar(
        (*_ATOMS, "(?=b)", "(?!b)", "(?!ab)", "$", "(?=a|b)", "(?m:$)", "(?![^a])", "(?=a+)", r"\Z", "b*"),
        suffixes=("", "?", "??"),
        depth=2,
    ),
    "references": Grammar(
        (*_ATOMS, "[^a]", ".", "(?=(a+))", "(?<=(b))", "(?=(?:a|(.b)))", r"(?=([ab]{2}))\1", r"\1", r"\1", r"\1[bc]"),
        ("(?:", "(?:", "(?>", "(?="),
        ("", "", "", "?", "{2}"),
        depth=2,
    ),
}

REFERENCES_FIRST = (
    r"(?=(\w\w))\1!",
    r"(?:)(?=(\w\w))(?:\1)[!?]",
    r"(?>(?=(\w\w))\1)!",
    r"(?=(a*))\1b",
    r"(?<=(a))\1b",
    r"\Ax|(?=(a)(?P<n>b))(?:\1(?P=n)c)+!",
    r"(?=(\w\w))(?-s:.)*\1!",
)
"""Matches begin with what a lookaround has captured, and nothing else in the pattern takes these characters."""
