"""The hit-end rewrite against the three-valued matcher: a bolder claim is never wrong, a more timid one rare."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import regex
from antiphon_portability.regex import PatternError, exactness, parse
from random_patterns import BASE, FAMILIES, PatternMaker, counts_nothing, every_text, random_text
from support import examples

from oracles.hit_end import Rewritten, claims_less, claims_more, refuted
from oracles.matcher import Budget, search

CONTINUATIONS = list(every_text(3))
LATER_AT_MOST = {  # share of buffers for which the rewrite may know less; SPEC.md section 11 calls some conservative
    "plain": 0.01,
    "assertions": 0.03,
    "lookaheads": 0.01,
    "lookbehinds": 0.02,
    "atomic": 0.02,
    "references": 0.15,
    "lines": 0.03,
    "everything": 0.15,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_never_too_bold_and_rarely_later(family: str) -> None:
    asked: Counter[str] = Counter()
    later: Counter[str] = Counter()
    buffers = timid = bold = 0
    for seed in range(examples(200)):
        rng = random.Random(f"rewrite {family} {seed}")
        maker = PatternMaker(rng, BASE + FAMILIES[family])
        try:
            tree = parse(source := maker.pattern())
        except PatternError:  # a reference to a group that is still open
            continue
        if counts_nothing(tree.root):
            continue
        rewritten = Rewritten(tree)
        for buffer in [random_text(rng, 6) for _ in range(5)]:
            try:
                judge, claimed = search(tree, buffer, complete=False), rewritten.search(buffer)
            except (Budget, TimeoutError, MemoryError):
                continue
            buffers += 1
            asked.update(maker.used)
            if claims_more(claimed, judge, buffer):
                bold += 1  # the matcher doesn't know everything, either
                compiled = regex.compile(source, regex.DOTALL | regex.V0)
                refutation = refuted(claimed, compiled, buffer, CONTINUATIONS)
                assert refutation is None, (source, buffer, claimed, judge, refutation)
            if claims_less(claimed, judge, buffer):
                timid += 1
                assert exactness(tree).level == "conservative", (source, buffer, claimed, judge)
                later.update(maker.used)
    for construct, count in later.most_common():
        print(f"{construct}: later on {count} of {asked[construct]} buffers")
    assert timid <= LATER_AT_MOST[family] * buffers
    assert bold <= 0.005 * buffers
