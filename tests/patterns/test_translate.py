"""What a translation says of itself: pattern, groups, verdict and notes, by construct. `tests/engines` runs them."""

from __future__ import annotations

import json
from random import Random

import pytest
from antiphon_portability.regex import TARGETS, PatternError, Translation, translate
from antiphon_portability.regex.translate import Form
from random_patterns import BASE, SPECIAL, PatternMaker
from support import examples

WITHOUT_LOOKAROUND = ("re2", "rust")
JAVASCRIPT = ("ecmascript", "ecmascript-v")


def constructs(translation: Translation, kind: str) -> list[str]:
    return [note.construct for note in translation.notes if note.kind == kind]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("form", ["plain", "hit-end", "must"])
def test_a_literal_is_exact_everywhere(target: str, form: Form) -> None:
    translation = translate("<tool_call>", target, form)
    assert translation.verdict == "exact"
    assert (translation.pattern == "<tool_call>") == (form != "hit-end")
    assert bool(translation.markers) == (form == "hit-end")


@pytest.mark.parametrize(
    ("source", "target", "pattern"),
    [
        ("(?P<n>a)", "ecmascript", "(?<n>a)"),
        ("(?P<n>a)", "re2", "(?P<n>a)"),
        ("(?P<a_b>a)", "java", "(?<ab>a)"),
        ("(?P<né>a)", "dotnet", "(?<n>a)"),
        ("(?P<n>a)(?P=n)", "java", r"(?<n>a)\k<n>"),
        ("(?P<n>a)(?P=n)", "pcre2", "(?P<n>a)(?P=n)"),
        ("(?P<n>a)|(?P<n>b)", "icu", "(?<n>a)|(?<nx2>b)"),
        ("(?P<n>a)|(?P<n>b)", "dotnet", "(?<n>a)|(?<n>b)"),
        ("a$", "ecmascript", r"a(?=\n?$)"),
        ("a$", "java", r"a(?=\n?\z)"),
        ("a$", "re2", r"a(?P<tail1>\n?\z)"),
        (r"a\Z", "ecmascript-v", "a$"),
        ("(?m)^a$", "icu", r"(?<![^\n])a(?![^\n])"),
        ("(?m)^a$", "rust", "(?m:^)a(?m:$)"),
        ("a.b", "ecmascript", "a.b"),
        ("a.b", "ruby", "a(?m:.)b"),
        ("(?-s).", "java", r"[^\n]"),
        ("a{,2}b", "dotnet", "a{0,2}b"),
        ("a{2}?", "ruby", "a{2}"),
        ("[[a]b]", "java", r"[\[a]b\]"),
        ("[&&a]", "rust", r"[\&a]"),
        ("[(|)]", "ecmascript-v", r"[\(\)\|]"),
        (r"\x00\x85\u2028\U0001F600", "ecmascript", r"\x00\u0085\u2028😀"),
        (r"\x00\x85\u2028\U0001F600", "pcre2", r"\x00\x{85}\x{2028}😀"),
        (r"\x85", "ruby", r"\u{85}"),
        ("😀+", "dotnet", r"(?:\ud83d\ude00)+"),
        ("(?i)k", "re2", "[Kk\u212a]"),
        ("a++b", "dotnet", "(?>a+)b"),
        ("a++b", "ecmascript", r"(?=(?<aux1>a+))\k<aux1>b"),
        ("a++b", "re2", "a+b"),
        ("(?<=a|bc)d", "pcre2", "(?:(?<=a)|(?<=bc))d"),
        ("(?<=a|bc)d", "java", "(?<=a|bc)d"),
        ("(?<=a+)b", "java", "(?<=a)b"),
        ("(|a)*b", "ecmascript", "a*?b"),
        ("(|a)*", "ecmascript", "(?=.|$)(?:a*?)"),
        ("[^a]", "ecmascript-v", "[[^a]]"),
        ("(?:a|)*b", "re2", "a*b"),
        ("(?:a*b*)*c", "rust", "(?:a+b*|b+)*c"),
        ("(a)(?(1)b|c)", "ecmascript", "ab"),
        ("(a)?(?(1)b|c)", "java", r"(?:a(?<aux1>))?(?:\k<aux1>b|(?!\k<aux1>)c)"),
        ("(a)?(?(1)b|c)", "ruby", "(?<g1>a)?(?(<g1>)b|c)"),
        ("x(?!ab)", "re2", r"x(?P<tail1>\z|[^a]|a\z|a[^b])"),
        (r"\ud800", "pcre2", "(?!)"),
        ("a(?!)|b", "re2", r"[^\x00-\x{10FFFF}]|b"),
        ("(?>a*?)b", "re2", "b"),
        ("(?:(?:a|^)b?)*y", "rust", r"(?:ab?|\Ab)*y"),
        ("(?P<x>a)?(?P<y>b){0}(?(x)c|d)", "java", r"(?:(?<x>a)(?<aux1>))?(?:\k<aux1>c|(?!\k<aux1>)d)"),
        ("(?<=(?>a))b", "ruby", "(?<=a)b"),
        ("(?P<x>c)(?<!(?P<x>a))d", "ruby", "(?<x>c)(?<!a)d"),
        ("(?<=(?:a|b){2})c", "java", "(?<=(?:a|b)(?:a|b))c"),
    ],
)
def test_a_construct_is_written_as_the_target_has_it(source: str, target: str, pattern: str) -> None:
    translation = translate(source, target)
    assert translation.verdict == "exact"
    assert translation.pattern == pattern


@pytest.mark.parametrize(
    ("source", "pattern"),
    [
        (r"(?=(a))\1b", r"(?=(?<g1>a))\k<g1>b"),
        (r"(?<=(a))(?:\1)[bc]", r"(?<=(?<g1>a))\k<g1>[bc]"),
        (r"(?>(?=(a))\1)b", r"(?>(?=(?<g1>a))\k<g1>)b"),
        (r"c|(?=(a))\1b", r"c|(?=(?<g1>a))\k<g1>b"),
        (r"c?(?=(a))\1b", r"c?(?=(?<g1>a))\k<g1>b"),
        (r"(?=(.))(?-s:.)?\1b", r"(?=(?<g1>[\s\S]))[^\n]?\k<g1>b"),
        (r"\Ac|(?=(a))\1b", r"\Ac|(?=(?<g1>a))\k<g1>b"),
        (r"(?:\Ac|(?=(a))\1)b", r"(?:\Ac|(?=(?<g1>a))\k<g1>)b"),
    ],
)
def test_icu_tries_every_character_where_only_a_reference_takes_the_first(source: str, pattern: str) -> None:
    translation = translate(source, "icu")
    assert translation.pattern == rf"(?:[\s\S](?!)|)(?:{pattern})"
    assert translation.verdict == "exact"
    assert "backreference" in constructs(translation, "rewritten")
    assert "backreference" not in constructs(translate(source, "java"), "rewritten")


@pytest.mark.parametrize(
    "source",
    [
        r"(?=(a))c\1b",  # text has been taken
        r"(a?)\1b",  # so it has wherever the group isn't empty
        r"(?=a(?P<x>))(?P=x)b",  # the group is empty
        r"(?=(a))\1[ab]",  # what follows may begin with the same
        r"(?=(a)).*\1b",  # or with anything
        r"(?=(a))\1?",  # a match may be empty
        r"\A(?=(a))\1b",  # or stand at the start only
        r"(?=(a)\1b)a",  # the reference stands in a lookahead itself
        r"(?=(?P<n>a))(c?)\2b",  # the reference is to another group
        r"(?:c(a)|\1b)+",  # the group takes part no earlier than text has been taken
        r"(?=(a)?)(?(1)ab|b)",
    ],
)
def test_icu_searches_as_it_does_where_it_is_right(source: str) -> None:
    pattern = translate(source, "icu").pattern
    assert pattern is not None
    assert not pattern.startswith("(?:[")


def test_icu_tries_every_character_in_the_forms_for_streams() -> None:
    """Where text may end before a match, the match may be empty there: ICU tries every character by itself."""
    hit_end, must = (translate(r"(?=(a))\1b", "icu", form) for form in ("hit-end", "must"))
    assert hit_end.pattern is not None
    assert must.pattern is not None
    assert hit_end.pattern.startswith("(?=(?<g1>a")
    assert must.pattern.startswith(r"(?:[\s\S](?!)|)(?:(?=")


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no target 'go': there are ecmascript, .*regex"):
        translate("a", "go")


@pytest.mark.parametrize(
    ("source", "targets", "construct"),
    [
        ("a(?=b)c", WITHOUT_LOOKAROUND, "lookahead"),
        ("(?<=a)b", WITHOUT_LOOKAROUND, "lookbehind"),
        ("a(?!b+)", WITHOUT_LOOKAROUND, "negative-lookahead"),
        (r"(a)\1", WITHOUT_LOOKAROUND, "backreference"),
        ("(?>a|ab)c", WITHOUT_LOOKAROUND, "atomic"),
        ("a++a", WITHOUT_LOOKAROUND, "atomic"),
        ("a++(?=a)", WITHOUT_LOOKAROUND, "atomic"),
        ("$a", WITHOUT_LOOKAROUND, "end-anchor"),
        (r"\ma", WITHOUT_LOOKAROUND, "word-edge"),
        ("a{1001}", ("re2",), "bounded"),
        (r"\X", ("ecmascript", "dotnet", "re2", "rust", "re"), "grapheme"),
        (r"(a)?b\1", JAVASCRIPT, "backreference"),
        ("(a)?(?(1)b|c)", JAVASCRIPT, "conditional"),
        ("(?:(?P<x>a)|b)*", JAVASCRIPT, "group-kept-in-loop"),
        ("(?:a||b)*c", (*JAVASCRIPT, *WITHOUT_LOOKAROUND), "greedy"),
        ("(?P<x>a*)*", JAVASCRIPT, "greedy"),
        ("(?:(?P<n>a)|(?P<n>b))*", ("java", "pcre2", "icu", "re2", "re", "ruby"), "duplicate-names"),
        ("(?<=ba+)b", ("java", "pcre2", "icu", "re", "ruby"), "lookbehind"),
        (r"(?<=(?P<x>[ab]){2})c", ("re", "pcre2", "icu", "ruby"), "lookbehind"),
        ("(?<=(?P<x>a)(?P<x>b))c", (*JAVASCRIPT, "re", "pcre2"), "duplicate-names"),
        ("(?<=a(?>a|ba))c", ("java", "icu", "pcre2"), "lookbehind"),
        (r"(?!(a)?\1)", ("java",), "named-group"),
        (r"(a)(?i:\1)", ("java", "pcre2", "ruby", "ecmascript"), "backreference"),
    ],
)
def test_what_a_target_lacks_is_refused_with_a_remedy(source: str, targets: tuple[str, ...], construct: str) -> None:
    for target in targets:
        translation = translate(source, target)
        assert translation.verdict == "unsupported", target
        assert translation.pattern is None
        assert constructs(translation, "unsupported") == [construct]
        assert translation.notes[0].remedy


def test_a_loop_that_forgets_groups_has_no_marker_amidst() -> None:
    """JavaScript's next iteration forgets that a lookahead wavered: a match that depends on it would be committed."""
    for target in JAVASCRIPT:
        assert translate("(?:(?!</x>).)*</x>", target).verdict == "exact"
        assert constructs(translate("(?:(?!</x>).)*</x>", target, "hit-end"), "unsupported") == ["hit-end"]


@pytest.mark.parametrize("target", ["java", "pcre2", "icu"])
def test_native_partial_matching_is_told_of(target: str) -> None:
    assert constructs(translate("ab", target, "hit-end"), "native") == ["hit-end"]
    assert constructs(translate("ab", target), "native") == []


def test_conditions_are_named() -> None:
    assert constructs(translate(r"a\b", "rust"), "condition") == ["word-boundary"]
    assert constructs(translate(r"\X", "java"), "condition") == ["grapheme"]


def test_json() -> None:
    assert json.loads(json.dumps(translate("(?P<a_b>x)$", "java", "hit-end").as_json())) == {
        "target": "java",
        "pattern": r"(?<ab>x)(?=\n?\z)(?<hit2>)",
        "flags": "",
        "groups": {"ab": "a_b"},
        "markers": ["hit2"],
        "tails": [],
        "verdict": "exact",
        "notes": [
            {
                "kind": "rewritten",
                "construct": "named-group",
                "text": "the engine doesn't take a group's name: see `groups`",
            },
            {
                "kind": "native",
                "construct": "hit-end",
                "text": "Matcher.hitEnd() after the plain pattern's lookingAt() from each start, "
                "transparent bounds, no anchoring",
            },
        ],
    }


def test_every_pattern_of_the_dialect_has_a_verdict_for_every_target() -> None:
    random = Random(5)
    for _ in range(examples(300)):
        source = PatternMaker(random, (*BASE, *random.sample(SPECIAL, 3))).pattern()
        for target in TARGETS:
            for form in ("plain", "hit-end", "must"):
                try:
                    translation = translate(source, target, form)
                except PatternError:
                    continue
                assert (translation.pattern is None) == (translation.verdict == "unsupported")
                assert (
                    translation.verdict != "approximate"
                    or constructs(translation, "difference")
                    or constructs(translation, "later")
                )
                assert set(translation.groups).isdisjoint(translation.markers)
