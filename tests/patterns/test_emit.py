"""What is emitted for an engine means what the pattern means."""

from __future__ import annotations

import re
import warnings
from random import Random
from typing import Any

import pytest
import regex
from antiphon_portability.regex import EngineError, emit, may_match, parse
from brute_force import compile_for
from random_patterns import ALPHABET, BASE, SPECIAL, PatternMaker, random_text
from support import examples

warnings.simplefilter("ignore", FutureWarning)
RUNNABLE = ("regex", "re")
UNICODE = "aAbB1_ \n<-kK\u212asS\u017fiIİ\u0131éÉ²½\u0301\u200d٣ßẞ\x85\u3000€µμΜ"


def spans(match: Any, groups: dict[str, str]) -> dict[str | int, tuple[int, int]] | None:
    """The spans of the match and of its named groups, by original name."""
    if match is None:
        return None
    taken = {name: match.span(emitted) for emitted, name in groups.items() if match[emitted] is not None}
    return {0: match.span()} | taken


def find(pattern: str, engine: str, text: str) -> dict[str | int, tuple[int, int]] | None:
    tree = parse(pattern)
    compiled, emitted = compile_for(engine, tree)
    return spans(compiled.search(text), {group: name for group, name in emitted.groups.items() if name in tree.names})


def test_re_finds_what_regex_finds() -> None:
    random = Random(3)
    for _ in range(examples(1_000)):
        pattern = PatternMaker(random, (*BASE, *random.sample(SPECIAL, 3))).pattern()
        try:
            find(pattern, "re", "")
        except ValueError:  # the pattern refers to an open group, or `re` can't express it
            continue
        for _ in range(6):
            text = random_text(random, 8, random.choice((UNICODE, ALPHABET)))
            assert find(pattern, "re", text) == find(pattern, "regex", text), (pattern, text)


@pytest.mark.parametrize("engine", RUNNABLE)
@pytest.mark.parametrize(
    "pattern",
    [
        *(r"\w", r"\W", r"\d", r"\s", r"\S", r"\h", r"\b.", r"\B.", r"\m", r"\M", r"(?a:\w)", r"(?a:\b).", "(?a)\\m"),
        *(r"[\w-]", r"[^\w\s]", r"[\W\d]", r"(?i)k", r"(?i)[j-l]", r"(?i)[^j-l]", r"(?i)\p{Lu}", r"(?i)[\p{Lu}1]"),
        *(r"\p{L}", r"\P{L}", r"\p{Greek}", "[[:alpha:]]", "[[:punct:]]", "(?a)[[:alpha:]]", "(?ai)k", ".", "(?-s:.)"),
        *(r"\R", r"\n|\r", r"\.\*\[\]\{\}\\", r"[\]\[\\^&~|-]", "#", "\\ ", "\\x00", "\\ud800", "\\U0001f600"),
    ],
)
def test_every_character_is_matched_alike(engine: str, pattern: str) -> None:
    original = regex.compile(pattern, regex.V0 | regex.DOTALL)
    again, _ = compile_for(engine, parse(pattern))
    everything = "".join(map(chr, [*range(0x3000), *range(0xD7F0, 0xE010), *range(0xFFF0, 0x10100), 0x1F600]))
    assert [match.span() for match in again.finditer(everything)] == [
        match.span() for match in original.finditer(everything)
    ]


@pytest.mark.parametrize(
    ("pattern", "text", "end"),
    [
        ("[^a]|[^b]", "a", 1),
        ("(?:x[^a]|x[^b])", "xb", 2),
        ("[^a]|(?-s:.)", "a", 1),
        (r"[^\s\S]", "a", None),
        (r"[^\p{L}\P{L}]", "a", None),
        (r"[^[:alpha:][:^alpha:]]", "a", None),
    ],
)
def test_bugs_of_the_regex_module_are_not_handed_on(pattern: str, text: str, end: int | None) -> None:
    for engine in RUNNABLE:
        found = find(pattern, engine, text)
        assert (found and found[0][1]) == end


def test_only_groups_that_matter_stay_groups() -> None:
    assert emit(parse("(a)(?P<n>b)(c)"), "regex").source == "a(?P<n>b)c"
    emitted = emit(parse(r"(a)(?P<g1>b)\1"), "regex")
    assert emitted.source == r"(?P<g1_2>a)(?P<g1>b)(?P=g1_2)"
    assert emitted.groups == {"g1_2": 1, "g1": "g1"}


def test_re_renames_the_groups_of_one_name() -> None:
    emitted = emit(parse("(?P<n>a)|(?P<n>b)"), "re")
    assert emitted.source == "(?P<n>a)|(?P<n_2>b)"
    assert emitted.groups == {"n": "n", "n_2": "n"}


def test_markers_are_named() -> None:
    emitted = emit(may_match(parse("(?P<hit1>a)b")), "re")
    assert emitted.source == r"(?P<hit1>a)(?:b|\Z(?P<hit1_2>))"
    assert emitted.markers == ("hit1_2",)
    assert emitted.groups == {"hit1": "hit1"}


def test_re_splits_a_lookbehind_into_fixed_widths() -> None:
    assert emit(parse("(?<=a|bc)d"), "re").source == "(?:(?<=a)|(?<=bc))d"
    assert emit(parse("(?<!x(?:a|bc))d"), "re").source == "(?<!xa)(?<!xbc)d"
    assert emit(parse("(?<=ab{1,2})d"), "re").source == "(?:(?<=ab{1})|(?<=ab{2}))d"


@pytest.mark.parametrize(
    ("pattern", "construct"),
    [
        ("(?<=ba+)b", "variable width"),
        ("(?<=(?P<n>a|bc))d", "named group"),
        (r"\X", "grapheme"),
        (r"(a)(?i:\1)", "ignores case"),
        (r"(?:\2b|(a)(c))*", "later group"),
        (r"(?:(?P<n>a)|(?P<n>b))(?P=n)", "several places"),
    ],
)
def test_what_re_cannot_say_is_refused(pattern: str, construct: str) -> None:
    with pytest.raises(EngineError, match=construct) as caught:
        emit(parse(pattern), "re")
    assert caught.value.engine == "re"
    assert caught.value.remedy
    assert emit(parse(pattern), "regex").source


@pytest.mark.parametrize("pattern", [r"(?<!(?=\R))a", r"(?<=(\b)?K(?(1)x|\S))", r"(?<=(?>(?:\M)?+)a)"])
def test_what_re_cannot_rewrite_is_refused(pattern: str) -> None:
    """A decision that `re` could not look up would make its search say something else (LEVEL-3)."""
    with pytest.raises((EngineError, re.error)):
        compile_for("re", may_match(parse(pattern)))
