"""The hit-end rewrite against brute force: it never says what a continuation refutes, and says it early."""

from __future__ import annotations

from random import Random

import pytest
from antiphon_portability.regex import EngineError, PatternError, emit, exactness, may_match, must_match, parse
from brute_force import Held, Match, Subject, judge
from random_patterns import ALPHABET, BASE, SPECIAL, PatternMaker, random_text
from support import examples

# The least share of verdicts that come at the first possible moment, by the construct in question.
LEAST_EXACT = dict.fromkeys(SPECIAL, 0.92) | dict.fromkeys(("base", "ignore-case", "conditional", "grapheme"), 0.99)


def subjects(random: Random, constructs: tuple[str, ...], count: int, engine: str = "regex") -> list[Subject]:
    """Random patterns of these constructs, as far as the dialect and the engine take them."""
    alphabet = ALPHABET + ("\u0301" if "grapheme" in constructs else "")
    maker = PatternMaker(random, constructs)
    made: list[Subject] = []
    while len(made) < count:
        try:
            made.append(Subject(parse(maker.pattern()), alphabet, engine))
        except (PatternError, EngineError):  # a reference to an open group; a lookbehind of variable width in `re`
            continue
    return made


def verdicts(subject: Subject, random: Random, count: int) -> list[str]:
    judged = []
    for _ in range(count):
        buffer = random_text(random, 6, subject.alphabet)
        try:
            verdict, truth = subject.verdict(buffer), subject.truth(buffer, random)
        except TimeoutError:
            continue
        judgement = judge(verdict, truth)
        assert judgement != "unsound", (subject.plain.pattern, buffer, verdict, truth)
        if judgement == "late":
            assert exactness(subject.pattern).level == "conservative", (subject.plain.pattern, buffer, verdict, truth)
        judged.append(judgement)
    return judged


@pytest.mark.parametrize("construct", ["base", *SPECIAL])
def test_sound_and_nearly_always_exact(construct: str) -> None:
    random = Random(construct)
    constructs = BASE if construct == "base" else (*BASE, construct)
    judged = [
        judgement
        for subject in subjects(random, constructs, examples(60))
        for judgement in verdicts(subject, random, 4)
    ]
    assert judged.count("exact") >= LEAST_EXACT[construct] * len(judged)


def test_sound_with_constructs_mixed() -> None:
    random = Random(5)
    for _ in range(examples(150)):
        (subject,) = subjects(random, (*BASE, *random.sample(SPECIAL, 4)), 1)
        verdicts(subject, random, 3)


def test_sound_in_re() -> None:
    random = Random(6)
    for _ in range(examples(80)):
        (subject,) = subjects(random, (*BASE, *random.sample(SPECIAL, 2)), 1, "re")
        verdicts(subject, random, 3)


def test_must_match_proves_a_match() -> None:
    random = Random(7)
    for _ in range(examples(250)):
        (subject,) = subjects(random, (*BASE, *random.sample(SPECIAL, 2)), 1)
        buffer = random_text(random, 5, subject.alphabet)
        for start in range(len(buffer) + 1):
            if subject.must.match(buffer, start, timeout=1):
                for continuation in [*subject.continuations[:85], *subject.likely_continuations(random)]:
                    assert subject.plain.match(buffer + continuation, start), (subject.plain.pattern, buffer, start)


@pytest.mark.parametrize(
    ("pattern", "certain"),
    [
        (r"<\X", True),
        (r"a|<\X", True),
        (r"<(?P<x>\X)", True),
        (r"<\X>", False),
        (r"<\X\Z", False),
        (r"<(?=\X\Z)", False),
    ],
)
def test_a_cluster_at_the_very_end_is_certain_with_its_first_character(pattern: str, certain: bool) -> None:
    subject = Subject(parse(pattern))
    assert (subject.must.match("<e") is not None) == certain


@pytest.mark.parametrize(
    ("pattern", "buffer", "verdict"),
    [
        ("</think>", "ab</thin", Held(2)),
        ("</think>", "ab</think>", (2, 10, ())),
        ("</think>", "ab<", Held(2)),
        ("</think>", "ab<b", Held(4)),
        (r"\n?</think>", "a\n", Held(1)),
        (r"\s*</think>\s*", "a </think>", Held(1)),
        (r"</think>(?!\n)", "</think>", Held(0)),
        (r"</think>(?!\n)", "</think>a", (0, 8, ())),
        (r"</think>$", "</think>\n", Held(0)),
        (r"(?<=\n)<", "a\n<", (2, 3, ())),
        (r"<(?P<tag>[a-z]+)>", "x<think", Held(1)),
        (r"<(?P<tag>[a-z]+)>", "x<think>", (1, 8, ("think",))),
        (r"(?P<quote>[ab])<(?P=quote)", "a<", Held(0)),
        (r"(?P<quote>[ab])<(?P=quote)", "a<b", Held(2)),
        ("(?i:ab)", "xA", Held(1)),
        ("a*", "aab", (0, 2, ())),
        ("a*", "", Held(0)),
        ("a*?", "aa", (0, 0, ())),
        ("(?>a*)b", "aa", Held(0)),
        (r"a\b", "a", Held(0)),
        ("<" + "a" * 500 + ">", "<" + "a" * 400, Held(0)),
        ("<" + "a" * 500 + ">", "<" + "a" * 400 + "b", Held(402)),
        (r"(?m)a$", "a\n", (0, 1, ())),
        # What comes after a hit may be what another way of the atomic group leads to.
        (r"(?>a\b|ab)(?<=b)", "a", Held(0)),
        (r"(?>ab|)\A", "a", Held(0)),
        # A lookbehind is searched from its end, and so are the markers in it.
        (r"(?<=(?>a$|a))b", "a", Held(1)),
        (r"(?<=(?>a(?=b)|a))[bc]", "ac", (1, 2, ())),
        # A lookahead that wavers may capture something else in the end.
        (r"(?=(aab|a))a\1", "aa", Held(0)),
        (r"(?=(ab|a))[ab]+<\1", "aa<a", (0, 4, ())),
        (r"(?:(a)|b)(?(1)<|a)", "b<", Held(2)),
    ],
)
def test_verdicts(pattern: str, buffer: str, verdict: Match | Held) -> None:
    assert Subject(parse(pattern)).verdict(buffer) == verdict


@pytest.mark.parametrize(
    ("pattern", "level"),
    [
        ("</think>", "exact"),
        (r"\s*<tool_call>\s*", "exact"),
        ("<(?P<name>[a-z]+)(?: [^>]*)?>", "exact"),
        (r"(?<=\n)</think>(?!\n)", "exact"),
        (r"</think>\b", "exact"),
        ("a++b", "conservative"),
        ("(?>a|b)", "conservative"),
        (r"(?P<q>['\"]).*?(?P=q)", "conservative"),
        ("(?!a)[ab]", "conservative"),
        ("(?:a?)*b", "conservative"),
    ],
)
def test_exactness_is_known_beforehand(pattern: str, level: str) -> None:
    found = exactness(parse(pattern))
    assert found.level == level
    assert bool(found.reasons) == (level == "conservative")


@pytest.mark.parametrize(
    "pattern",
    [
        "(?!" * 60 + "a" + ")" * 60,
        "(?=(?!" * 30 + "a" + "))" * 30,
        "(?>a$|b" * 30 + ")" * 30,
        "(?:" * 60 + "ab" + ")+" * 60,
        "(?:" * 7 + "ab" + "){1,3}" * 7,
        "(?=(a))(?:(?(1)b|" * 30 + "c" + "))" * 30,
    ],
)
def test_deep_nesting_does_not_multiply(pattern: str) -> None:
    tree = parse(pattern)
    assert len(emit(may_match(tree), "regex").source) < 1_000_000
    assert len(emit(must_match(tree), "regex").source) < 1_000_000
