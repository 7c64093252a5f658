"""Texts to search with a pattern: what it may match, cut, changed, doubled and with neighbours; and awkward characters.

Deterministic for a given pattern. No lone surrogates: most engines have no text that holds one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from random import Random

from antiphon_portability.regex import Pattern
from antiphon_portability.regex.analysis import walk
from antiphon_portability.regex.nodes import Char, CharSet, Range
from random_patterns import every_text, sample

AWKWARD = [
    *("\n", "\r\n", "\r", "\x0b", "\x1c", "\x85", "\u2028", "\xa0", "\u200d", "\u180e", "\ufeff", "\u3000", " "),
    *("é", "e\u0301", "\u0301", "²", "½", "Ⓐ", "٣", "_", "1", "€", "İ", "ı", "ſ", "\u212a", "ß", "ẞ", "ǅ", "µ", "μ"),
    *("k", "K", "s", "S", "i", "I", "a", "Z", "😀", "𝟘", "𐐀", "\U0010ffff", "\x00", "-", "<", "x"),
]  # fmt: skip
_MOST_SHORT_TEXTS = 160
_SAMPLES_CUT_EVERYWHERE = 3
_LONGEST = 400  # code points


def texts_for(pattern: Pattern, count: int, *, thorough: bool = False) -> list[str]:
    """`count` different texts; `thorough` ones begin with all short texts over the pattern's own characters, samples
    cut at every place, and every awkward character alone and beside a sample."""
    random = Random(f"{pattern.root}")
    maker = _Maker(pattern, random)
    candidates = chain([""], maker.systematic() if thorough else (), maker.endless())
    return list(islice(_distinct(candidates), count))


class _Maker:
    def __init__(self, pattern: Pattern, random: Random) -> None:
        self.root = pattern.root
        self.random = random
        self.own = _own_characters(pattern) or ["a"]
        self.alphabets = ("".join(self.own), "".join(self.own) + "".join(AWKWARD))

    def systematic(self) -> Iterator[str]:
        yield from islice(every_text(4, "".join(self.own[:12])), _MOST_SHORT_TEXTS)
        for _ in range(_SAMPLES_CUT_EVERYWHERE):
            text = self.sample()
            yield from (text[:end] for end in range(len(text), 0, -1))
            yield from (text[start:] for start in range(1, len(text)))
        for awkward in AWKWARD:
            yield awkward
            yield self.sample() + awkward
            yield awkward + self.sample()

    def endless(self) -> Iterator[str]:
        changes = (self.sample, self.cut, self.changed, self.doubled, self.beside, self.short, self.awkward)
        while True:
            yield self.random.choice(changes)()

    def sample(self) -> str:
        return sample(self.root, self.random, {}, self.random.choice(self.alphabets))[:_LONGEST]

    def cut(self) -> str:
        text = self.beside()
        return text[: self.random.randint(0, len(text))]

    def changed(self) -> str:
        text = self.sample()
        start = self.random.randint(0, len(text))
        return text[:start] + self.some(2) + text[start + self.random.randint(0, 2) :]

    def doubled(self) -> str:
        return self.sample() + self.some(1) + self.sample()

    def beside(self) -> str:
        return self.some(2) + self.sample() + self.some(2)

    def short(self) -> str:
        return "".join(self.random.choices(self.own, k=self.random.randint(1, 6)))

    def awkward(self) -> str:
        return "".join(self.random.choices(AWKWARD + self.own, k=self.random.randint(1, 6)))

    def some(self, most: int) -> str:
        """Up to `most` characters, awkward ones or the pattern's own."""
        return "".join(self.random.choices(self.random.choice((AWKWARD, self.own)), k=self.random.randint(0, most)))


def _own_characters(pattern: Pattern) -> list[str]:
    """Characters that the pattern names, in the order in which it does."""
    codes: list[int] = []
    for node in walk(pattern.root):
        if isinstance(node, Char):
            codes.append(node.code)
        elif isinstance(node, CharSet):
            for item in node.items:
                if isinstance(item, Range):
                    codes += (item.first, item.last)
    return [chr(code) for code in dict.fromkeys(codes) if not 0xD800 <= code <= 0xDFFF]


def _distinct(texts: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        if text not in seen and not any("\ud800" <= char <= "\udfff" for char in text):
            seen.add(text)
            yield text
