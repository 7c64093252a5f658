"""What is said of patterns without running them holds when they run."""

from __future__ import annotations

from random import Random

import pytest
import regex
from antiphon_portability.regex import (
    PatternError,
    captures,
    context_length,
    emit,
    features,
    first_chars,
    nullable,
    parse,
    passed_by,
    width,
)
from antiphon_portability.regex.analysis import leaves_at_start
from antiphon_portability.regex.nodes import Char
from random_patterns import BASE, SPECIAL, PatternMaker, random_text
from support import examples


def test_random_matches_keep_to_what_was_said() -> None:
    random = Random(8)
    for _ in range(examples(1_500)):
        pattern = PatternMaker(random, (*BASE, *random.sample(SPECIAL, 3))).pattern()
        try:
            tree = parse(pattern)
        except PatternError:  # a reference to an open group
            continue
        emitted = emit(tree, "regex")
        compiled = regex.compile(emitted.source, regex.V0)
        least, most = width(tree.root)
        firsts = first_chars(tree.root)
        context = context_length(tree.root)
        for _ in range(8):
            text = random_text(random, 8, "ab<\nABk\u212a")
            for start in range(len(text) + 1):
                found = compiled.match(text, start)
                if found is not None:
                    assert least <= found.end() - start
                    assert most is None or found.end() - start <= most
                    assert firsts is None or ord(text[start]) in firsts
                if context is not None:
                    cut = max(0, start - context)
                    again = compiled.match(text[cut:], start - cut)
                    assert (again and cut + again.end()) == (found and found.end()), (pattern, text, start)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc", (3, 3)),
        ("a?b*", (0, None)),
        ("(?:ab){2,3}|c", (1, 6)),
        ("(?=abc)(?<!d)^", (0, 0)),
        (r"(a)\1", (1, None)),
        (r"\X", (1, None)),
        ("(?:a*){0}", (0, 0)),
        ("(?:^)*", (0, 0)),
        ("(a)?(?(1)bc|d)", (1, 3)),
    ],
)
def test_width(pattern: str, expected: tuple[int, int | None]) -> None:
    root = parse(pattern).root
    assert width(root) == expected
    assert nullable(root) == (expected[0] == 0)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("</think>", "<"),
        (r"\n?<", "\n<"),
        ("a*(?:b|c)d", "abc"),
        ("(?i)k", "kK\u212a"),
        ("(?=a)[ab]", "ab"),
        ("^<", "<"),
        ("a?", None),
        (".a", None),
        (r"\w", None),
        (r"(a)\1|b", "ab"),
        ("", None),
    ],
)
def test_first_chars(pattern: str, expected: str | None) -> None:
    assert first_chars(parse(pattern).root) == (None if expected is None else frozenset(map(ord, expected)))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("ab", "a"),
        ("a?(b|c*)d", "abcd"),
        ("(?>a|)b+c", "ab"),
        ("(?=a)(?<!b)c", "c"),
        ("a{0}b", "b"),
        ("(?:a??b){2}c", "ab"),
        (r"(a)?\1b", "ab"),
        ("(a)?(?(1)b|c?)d", "abcd"),
        ("", ""),
    ],
)
def test_leaves_at_start(pattern: str, expected: str) -> None:
    leaves = leaves_at_start(parse(pattern).root)
    assert "".join(chr(leaf.code) for leaf in leaves if isinstance(leaf, Char)) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc$", 0),
        ("^a", 1),
        (r"\ba", 1),
        (r"a\b", 1),
        ("(?<=abc)", 3),
        ("(?<=^abc)", 4),
        ("(?<=a(?<!bcd)e)", 5),
        ("(?<=a*)", None),
        ("(?=(?<=ab))", 2),
        (r"\X", None),
    ],
)
def test_context_length(pattern: str, expected: int | None) -> None:
    assert context_length(parse(pattern).root) == expected


def test_captures() -> None:
    assert [(group.number, group.name) for group in captures(parse("((?P<n>a)|b)").root)] == [(1, None), (2, "n")]


@pytest.mark.parametrize(
    ("pattern", "slugs"),
    [
        ("a", ""),
        ("[a].*", "class dot greedy"),
        ("(a)(?P<n>b)|c", "group named-group alternation"),
        ("a+?b{2}c*+(?>d)", "lazy greedy bounded possessive atomic"),
        (r"^\b$\Z(?m:^)\m", "start-anchor word-boundary end-anchor text-end multiline word-edge"),
        ("(?=a)(?!b)(?<=c)(?<!d)", "lookahead negative-lookahead lookbehind negative-lookbehind"),
        (r"(a)\1(?(1)b)", "group backreference conditional"),
        (r"(?i:a)\p{L}[[:alnum:]]\X(?a:\w)", "ignore-case class unicode-property posix-class grapheme ascii"),
        ("(?:(?P<n>a)|b)+", "named-group alternation greedy group-kept-in-loop"),
    ],
)
def test_features(pattern: str, slugs: str) -> None:
    assert features(parse(pattern)) == frozenset(slugs.split())


@pytest.mark.parametrize(
    ("pattern", "groups"),
    [
        ("(?P<n>a)+", []),
        ("(?:(?P<n>a)|b)", []),
        ("(?:(?P<n>a)|b)?", []),
        ("(?:(?P<n>a)|b)*", [1]),
        ("(?:(?P<n>a)|b){2}", [1]),
        ("(?:(?P<n>a)?b)+", [1]),
        ("(?:(?P<n>a)*b)+", [1]),
        ("(?:(?P<n>a)+b)+", []),
        ("(?:(?:(?P<n>a)|b)c|d)+", [1]),
        ("(?:(?P<n>a)|(?P<n>b))+", []),
        ("(?|(?P<n>a)|(?P<n>b))+", []),
        ("(?:(?=(?P<n>a))a|b)+", [1]),
        ("(?:(?=(?P<n>.))[ab])+", []),
        ("(?:(?!(?P<n>a))b)+", [1]),
        ("(?:(a)|b)+", []),
        (r"(?:(a)|b)+\1", [1]),
        ("(?:(?>(?P<n>a)|b))+", [1]),
        ("(?P<m>(?:(?P<n>a)|b)?)c", []),
    ],
)
def test_groups_that_an_iteration_may_leave_out(pattern: str, groups: list[int]) -> None:
    assert sorted(passed_by(parse(pattern))) == groups
