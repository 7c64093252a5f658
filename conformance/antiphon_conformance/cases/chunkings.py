"""The ways in which the runner cuts a case's text into chunks. The same case and seed always give the same ones."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from antiphon_conformance.cases.case import Case

EVERY_CUT_LIMIT = 100
"""Up to this many code points of text, all ways to cut it in two are run; beyond, a sample of SAMPLED_CUTS."""
SAMPLED_CUTS = 40
EACH_LIMIT = 20_000
"""Longer texts are fed code point by code point only if the case lists that, and cut in few ways."""
FEW_CUTS = 4
RANDOM_CHUNKINGS = 4


@dataclass(frozen=True)
class Chunking:
    """A named way to feed a text."""

    name: str
    chunks: tuple[str, ...]

    @property
    def moments(self) -> tuple[int, ...]:
        """After each feed, how many code points have been fed."""
        return tuple(accumulate(len(chunk) for chunk in self.chunks))


def chunkings(case: Case, seed: int = 0) -> list[Chunking]:
    """All chunkings to run for a case, without duplicates; a single one where nothing is parsed."""
    if not case.expect.parses:
        return [Chunking("whole", whole(case.text))]
    found: dict[tuple[str, ...], Chunking] = {}
    for chunking in _all(case, random.Random(f"{seed} {case.full_id}")):
        found.setdefault(chunking.chunks, chunking)
    return list(found.values())


def named(case: Case, name: str) -> Chunking | None:
    """The chunking that a report names `whole`, `each` or `cut at 4,7`; None if the text can't be cut so."""
    if name in ("whole", "each"):
        return Chunking(name, whole(case.text) if name == "whole" else tuple(case.text))
    try:
        cuts = [int(one) for one in name.removeprefix("cut at ").split(",")]
    except ValueError:
        return None
    return cut(case.text, cuts) if [0, *cuts, len(case.text)] == sorted([0, *cuts, len(case.text)]) else None


def _all(case: Case, rng: random.Random) -> Iterator[Chunking]:
    text = case.text
    yield Chunking("whole", whole(text))
    if len(text) <= EACH_LIMIT or "each" in case.listed_chunkings:
        yield Chunking("each", tuple(text))
    for listed in case.listed_chunkings:
        if not isinstance(listed, str):
            yield cut(text, listed)
    for position in _two_way(case, rng):
        yield cut(text, (position,))
    for _ in range(RANDOM_CHUNKINGS if len(text) > 2 else 0):
        count = rng.randint(2, min(len(text) - 1, 12))
        yield cut(text, sorted(rng.sample(range(1, len(text)), count)))
    cuts = sorted(rng.choices(range(len(text) + 1), k=min(len(text), 4)))
    yield cut(text, sorted([0, *cuts, *cuts, len(text)]))


def _two_way(case: Case, rng: random.Random) -> Iterable[int]:
    """Positions of single cuts: all, or a sample that prefers the moments at which something becomes due."""
    length = len(case.text)
    if length <= EVERY_CUT_LIMIT:
        return range(1, length)
    wanted = SAMPLED_CUTS if length <= EACH_LIMIT else FEW_CUTS
    due = {
        moment + step
        for event in case.expect.events or ()
        for moment in (event.first, event.last)
        if moment
        for step in (-1, 0)
    }
    telling = sorted(position for position in due if 0 < position < length)
    chosen = rng.sample(telling, min(len(telling), wanted // 2))
    return sorted({*chosen, *rng.sample(range(1, length), min(length - 1, wanted) - len(chosen))})


def whole(text: str) -> tuple[str, ...]:
    """The one chunk that a text is; none for an empty one."""
    return (text,) if text else ()


def cut(text: str, positions: Iterable[int]) -> Chunking:
    """A text cut at these positions, which ascend."""
    cuts = list(positions)
    chunks = tuple(text[start:end] for start, end in pairwise([0, *cuts, len(text)]))
    return Chunking("cut at " + ",".join(map(str, cuts)), chunks)
