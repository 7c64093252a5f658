"""The three-valued matcher against the `regex` module and against brute force over continuations."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import regex
from antiphon_portability.regex import PatternError, parse
from antiphon_portability.regex.nodes import Pattern
from random_patterns import BASE, FAMILIES, PatternMaker, counts_nothing, every_text, random_text
from support import examples

from oracles.hit_end import Compiled, found, refuted
from oracles.matcher import Budget, Match, NoMatch, Undecided, Verdict, plain_search, search

LONG = ["aaaaaa", "bbbbbbb", "ababab", "a b a b", "\n\n\n\n", "<<<<<"]
CONTINUATIONS = [*every_text(3), *LONG]


def some_patterns(family: str, number: int) -> Iterator[tuple[random.Random, str, Pattern, Compiled]]:
    """Random patterns, parsed and compiled, for which the `regex` module keeps to the definition."""
    for seed in range(examples(number)):
        rng = random.Random(f"{family} {seed}")
        source = PatternMaker(rng, BASE + FAMILIES[family]).pattern()
        try:
            tree = parse(source)
        except PatternError:  # a reference to a group that is still open
            continue
        if not counts_nothing(tree.root):
            yield rng, source, tree, regex.compile(source, regex.DOTALL | regex.V0)


@pytest.mark.parametrize("family", FAMILIES)
def test_complete_texts_as_the_regex_module(family: str) -> None:
    for rng, source, tree, compiled in some_patterns(family, 300):
        for text in [random_text(rng, 6) for _ in range(5)]:
            try:
                mine, match = plain_search(tree, text), compiled.search(text, timeout=5)
            except (Budget, TimeoutError, MemoryError):
                continue
            assert mine == (found(match) if match else None), (source, text)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_continuation_refutes_a_verdict(family: str) -> None:
    for rng, source, tree, compiled in some_patterns(family, 60):
        for buffer in [random_text(rng, 4) for _ in range(3)]:
            try:
                verdict = search(tree, buffer, complete=False)
                counterexample = refuted(verdict, compiled, buffer, CONTINUATIONS)
            except (Budget, TimeoutError, MemoryError):
                continue
            assert counterexample is None, (source, buffer, verdict)


@pytest.mark.parametrize(
    ("source", "buffer", "verdict"),
    [
        ("ab", "xab", Match(1, 3, {})),
        ("ab", "xa", Undecided(1)),
        ("ab", "x", Undecided(1)),
        (r"\Aab", "x", NoMatch()),
        ("ab|a", "a", Undecided(0)),
        ("a|ab", "a", Match(0, 1, {})),
        ("a+", "aa", Undecided(0)),
        ("a+?", "aa", Match(0, 1, {})),
        ("(?P<n>a+)b", "aab", Match(0, 3, {"n": "aa"})),
        ("a(?!b)", "a", Undecided(0)),
        ("a(?!b)", "ac", Match(0, 1, {})),
        ("a(?=b)", "aa", Undecided(1)),
        (r"a(?=[\s\S]*;)", "ab", Undecided(0)),
        (r"a\b", "a", Undecided(0)),
        (r"a\b", "a ", Match(0, 1, {})),
        (r"\mb", "a ", Undecided(2)),
        (r"\mb", "ab", NoMatch()),
        ("a$", "a", Undecided(0)),
        ("a$", "a\n", Undecided(0)),
        ("a$", "a\nb", Undecided(3)),
        (r"a$b", "a", NoMatch()),
        (r"a$\n", "a", Undecided(0)),
        (r"a\Z", "ab", Undecided(2)),
        ("(?m)a$", "a\n", Match(0, 1, {})),
        ("(?>a+)b", "aa", Undecided(0)),
        (r"(a+)\1;", "aab", Undecided(3)),
        (r"(?<=a)b", "a", Undecided(1)),
        (r"a\Ab|c", "a", Undecided(1)),
        ("", "a", Match(0, 0, {})),
    ],
)
def test_verdicts(source: str, buffer: str, verdict: Verdict) -> None:
    assert search(parse(source), buffer, complete=False) == verdict


def test_searches_see_what_lies_before_their_start() -> None:
    assert search(parse("(?<=a)b"), "ab", 1, complete=True) == Match(1, 2, {})
    assert search(parse("^b"), "ab", 1, complete=True) == NoMatch()
