"""The parser takes what `regex` takes in version 0, gives it the same meaning, and refuses the rest with a remedy."""

from __future__ import annotations

import warnings
from random import Random

import pytest
import regex
from antiphon_portability.regex import Pattern, PatternError, parse
from antiphon_portability.regex.nodes import (
    EMPTY,
    Alternation,
    AnyChar,
    Assertion,
    Atomic,
    Backreference,
    Capture,
    Char,
    CharSet,
    Conditional,
    Look,
    Node,
    Property,
    Range,
    Repeat,
    Sequence,
    Shorthand,
)
from brute_force import compile_for
from random_patterns import BASE, SPECIAL, PatternMaker, random_text
from support import examples

warnings.simplefilter("ignore", FutureWarning)

# Patterns that are easy to get wrong, divided by white space; and some with white space in them.
AWKWARD = r"""
    a$ a\z (?m)^$ (?m)a$ \s \w \d a\b \B \h \X \v [[a]b] [a&&b] [a--c] []a] [^]a] [^] [[:alpha:]] a{,2}$ a{ x{a} ]
    \u00e9 \x{e9} \p{L} \pL \p{Greek} \p{Script=Greek} \U0001F600 (?i)a (?i)k (?i)ß (?i)\u017f (?i)i a(?i)b (?s:.)
    (?P<n>a)(?P=n) (?P<n>a) (?<n>a) (?P<n>a)|(?P<n>b) (?P<né>a) (?P>n)(?P<n>a) (?<n>a)(b) (|a)+ (|a)* a*+ a++ (?<=a+)b
    (?<=a|bc)d (?=a)a (?#x)a (?|(a)|(b)) \Ga \<a \/ \_ \<|x \q \# \0 \101 (?u)a (?V1)[[ab]--[b]] (?:ab){e<=1} (?a)\w
    \p{Alphabetic} (?R)?a a{1001} a** a{2}{3} (?:^)*a \L<x> (?=a)*b \K (?-s:.)
    a{} a{,} a{1} a{1}? a{1}+ a{2,1} a{2,} a{2,}? a{01} a{1,2}{3} {1} *a a|*b (*) (?) (?:) (?-) (?i-) (?i-i) (?i-s:.)
    (?z) (?i)* a(?i)* a(?#)* a*(?#)+ (?#\)) (?#a (a (a)) a) ( ) (?P (?Pn) (?P<) (?P<>a) (?P<1>a) (?P=n) (?P=1)(a) (?<n
    \ \8 [\8] [\b] [\R] [\B] [\h] [\g] \g \g<1> (a)\g<1> (a\g<1>) (a\1) (a)\2 (a)\1 (a)\11 (a)\111 \400 \08 [\101-\102]
    \x4 \xg \u12 \U00110000 \ud800 \N \N{ \N{DIGIT\ ONE} \p \p{ \p{} \p{L \p{^L} \P{^L} \px \p{foo} \p{gc=Lu} \p{gc:Lu}
    \p{gc=foo} \p{foo=L} \p{L=} \p{IsGreek} \p{InGreek} \p{nv=1/2} \p{nv=0.5} \p{Lu\ } \p{script} \p{posix_alnum}
    [[:foo:]] [[:alpha] [[:^alpha:]] [[:gc=lu:]] [[:alnum:]] [[: [a [a- [a-] [-a] [a-b-c] [b-a] [a-\d] [\d-a] [\]]
    (?(1)a|b)(c) (c)?(?(1)a|b) (c)?(?(1)a|b|d) (?(n)a) (?P<n>c)?(?(n)a) (?(5)) (?(5)a) (?(0)a) (?(DEFINE)a) (?(DEFINE))
    (?(?=a)ab|c) (?(?!a)b|ac) (?(?<=a)b|c) (?(?a)b) (?( [\d\D] (?a:\m) (?a)\m
    (?|(a)(b)|(c))(d)\3 (?|(?<a>x)|(?<b>y))\2 (?|(?<a>x)|(y))(?P=a) (?|(?i)a)b (?|(?i)a)[b] (?P<n>a(?P<n>b))
    (?a)(?u)a (?a:(?u)a) (?L)a (?b)a (?e)a (?p)a (?r)a (?f)a (?w)a (?V0)a (?V a(?x)b (?-V0) (?-f:a) (?-r:a)
    {e} a{e} a{e a{ex} a{ex,y} a{i,i} a{e<1} a{1e} a{1<=e<=2} a{2i+d<=3} a{i+d} a{2i} a{2i+3d<5} a{s<=1,x} a{e<,x}
    a{e<=0} (*FAIL) (*F)a (*foo) (*1) (?&n) (?1) (?+1)(a) (?-1) (?P&n) \m\M
"""
AWKWARD_WITH_SPACE = (
    "",
    "(?x) a b # c\n[ #] \\ d",
    "(?x)a #",
    "(?x)( ?:a)",
    "(?x)(? :a)",
    "(?x)(?: a {2} +)",
    "(?x)\\x 4 1",
    "(?x)(?P<n a>b)(?P = na)",
    "(?x:a b)c d",
    "(?x) (?-x: a) b",
    "(?x)a{ 1 , 2 }",
    "(?x)(* F)",
    "a#b c",
    "\\ ",
)
TOKENS = r"""
    a b c 1 0 8 7 # ( ( ( ( ) ) ) ) [ ] { } , ? * + | ^ $ . - = < > ! P i e d \ \1 \2 \d \W \b \m \Z \x41 \x \u00e9
    \N{DIGIT} \p{L} \p{^Lu} \pN \P \012 \101 \g<1> \g<n> \R \X \h \q (?: (?P<n> (?<m> (?= (?! (?<= (?<! (?> (?# (?|
    (?P=n) (?(1) (?(n) (?(?=a) (?i) (?i: (?-s: (?x) (?x: (?a) (?a: (?u: (?m-i: (?) {2} {1,2} {,2} {2,} {,} {e<=1} {e
    {1d {i,x} {d+i<=2} {2i+3d<5} [[:alpha:]] [[:foo:]] [^] [a-c] [\d-x] [a-\d] [: (?- V0 (?V0) (* (*F) (?R) (?1) (?&n)
    \L<a> \G \K
"""


def regex_takes(pattern: str) -> bool:
    try:
        regex.compile(pattern, regex.V0 | regex.DOTALL, cache_pattern=False)
    except Exception:  # a pattern can also raise ValueError, OverflowError or TypeError there
        return False
    return True


def parsed(pattern: str) -> Pattern | PatternError:
    try:
        return parse(pattern)
    except PatternError as error:
        return error


def check_taken_alike(pattern: str) -> Pattern | None:
    result = parsed(pattern)
    if isinstance(result, Pattern):
        assert regex_takes(pattern), f"{pattern!r} is taken, but not by regex"
        return result
    assert result.kind == "unsupported" or not regex_takes(pattern), f"{pattern!r} is refused: {result}"
    assert result.reason and result.remedy and 0 <= result.position <= len(pattern)
    return None


def check_means_the_same(pattern: str, tree: Pattern, texts: list[str]) -> None:
    original = regex.compile(pattern, regex.V0 | regex.DOTALL)
    again, emitted = compile_for("regex", tree)
    for text in texts:
        expected, found = original.search(text), again.search(text)
        assert (expected and expected.span()) == (found and found.span()), (pattern, emitted.source, text)
        if expected and found:
            for name in tree.names:
                span = found.span(name) if name in emitted.groups else (-1, -1)  # a group that no match sets
                assert expected.span(name) == span, (pattern, emitted.source, text, name)


TEXTS = "aAbBcC1_ \n<-{}[]kK\u212asS\u017fiIİ\u0131é½\u0301\u200d٣ßẞ\x85\u3000€µμΜ"


@pytest.mark.parametrize("pattern", [*AWKWARD.split(), *AWKWARD_WITH_SPACE])
def test_awkward_patterns_are_taken_and_mean_what_regex_says(pattern: str) -> None:
    random = Random(pattern)
    if (tree := check_taken_alike(pattern)) is not None:
        check_means_the_same(pattern, tree, [*TEXTS, *(random_text(random, 8, TEXTS) for _ in range(100))])


def test_random_token_strings() -> None:
    random = Random(1)
    tokens = [*TOKENS.split(), " ", "\n"]
    for _ in range(examples(20_000)):
        pattern = "".join(random.choice(tokens) for _ in range(random.randint(1, 7)))
        if (tree := check_taken_alike(pattern)) is not None:
            check_means_the_same(pattern, tree, [random_text(random, 8, TEXTS) for _ in range(3)])


def test_random_well_formed_patterns() -> None:
    random = Random(2)
    for _ in range(examples(2_000)):
        pattern = PatternMaker(random, (*BASE, *random.sample(SPECIAL, 4))).pattern()
        tree = check_taken_alike(pattern)
        merged_wrongly = regex.search(r"\[\^.\].*\[\^.\]", pattern)  # by `regex` itself: see test_emit.py
        if tree is not None and not merged_wrongly:
            check_means_the_same(pattern, tree, [random_text(random, 8) for _ in range(5)])


def char_range(first: str, last: str | None = None) -> Range:
    return Range(ord(first), ord(last or first))


A, B = Char(ord("a")), Char(ord("b"))


@pytest.mark.parametrize(
    ("pattern", "tree"),
    [
        ("", EMPTY),
        ("a", A),
        ("ab", Sequence((A, B))),
        ("a|b", Alternation((A, B))),
        ("(?:a)", A),
        ("(a)(?P<n>b)", Sequence((Capture(A, 1), Capture(B, 2, "n")))),
        ("(?P<n>a)|(?P<n>b)", Alternation((Capture(A, 1, "n"), Capture(B, 1, "n")))),
        ("a*?", Repeat(A, 0, None, "lazy")),
        ("a{2,3}+", Repeat(A, 2, 3, "possessive")),
        ("a{1}+", A),
        (".", AnyChar()),
        ("(?-s:.)", AnyChar(newline=False)),
        ("(?>a)", Atomic(A)),
        ("(?<!a)", Look(A, ahead=False, negated=True)),
        ("^", Assertion("text-start")),
        ("(?m)^$", Sequence((Assertion("line-start"), Assertion("line-end")))),
        ("$", Assertion("final-end")),
        (r"\b(?a:\b)", Sequence((Assertion("word-boundary"), Assertion("word-boundary", ascii=True)))),
        (r"(a)\1", Sequence((Capture(A, 1), Backreference(1)))),
        (r"(a)(?i:\1)", Sequence((Capture(A, 1), Backreference(1, ignore_case=True)))),
        ("(a)?(?(1)b)", Sequence((Repeat(Capture(A, 1), 0, 1), Conditional(1, B, EMPTY)))),
        ("a(?i)b<", Sequence((A, Char(ord("b"), ignore_case=True), Char(ord("<"))))),
        ("[^a-c]", CharSet((char_range("a", "c"),), negated=True)),
        ("[[a-]", CharSet((char_range("["), char_range("a"), char_range("-")))),
        (r"\W", CharSet((Shorthand("word", negated=True),))),
        (r"(?a:[\d-])", CharSet((Shorthand("digit", ascii=True), char_range("-")))),
        ("[[:^alpha:]]", CharSet((Property("alpha", negated=True),))),
        ("[[:alnum:]]", CharSet((Property("posixalnum"),))),
        (r"\p{^Greek}", CharSet((Property("Greek", negated=True),))),
        ("(?ai)b", CharSet((char_range("b"), char_range("B")))),
    ],
)
def test_trees(pattern: str, tree: Node) -> None:
    assert parse(pattern).root == tree


@pytest.mark.parametrize(
    "pattern", ["(?:a{5000})?", "(?:a{5000}b)*", "(?:a*b?){5000}", "(?:a{5000}){1}", "(?:ab){64,}"]
)
def test_loops_of_which_only_one_counts_above_one_may_count_far(pattern: str) -> None:
    """DIALECT-6."""
    assert parse(pattern)


def test_the_pattern_knows_its_groups() -> None:
    pattern = parse("(?|(a)(?P<x>b)|(c))(?P<y>d)")
    assert pattern.group_count == 3
    assert pattern.names == {"x": 2, "y": 3}


@pytest.mark.parametrize(
    ("pattern", "kind", "position", "remedy"),
    [
        (r"a\G", "unsupported", 1, "lookbehind"),
        (r"a(?<=b\X)", "unsupported", 1, "characters"),
        (r"(?<!(?(?=c)b|a))c", "unsupported", 4, "options"),
        ("(?:(?:ab){70}){70}", "unsupported", 14, "4,096"),
        ("(?:(?:(?:ab){70})*c){2,70}", "unsupported", 20, "4,096"),
        ("ba{70000}", "unsupported", 2, "65,536"),
        ("(?:){70000}", "unsupported", 4, "65,536"),
        ("a(*ACCEPT)", "unsupported", 1, "(?!)"),
        ("a{" + "9" * 5000 + "}", "syntax", 1, "below"),
        ("(a)(?P=" + "9" * 5000 + ")", "syntax", 3, "group"),
        (r"\p{nv=1e99999999}", "syntax", 0, "Unicode"),
        (r"ab\Kc", "unsupported", 2, "lookbehind"),
        ("(?r)a", "unsupported", 0, "reading order"),
        ("a(?V1)", "unsupported", 1, "version 0"),
        ("(?w)a", "unsupported", 0, r"\b"),
        ("(?f)a", "unsupported", 0, "(?:ß|ss)"),
        ("(?L)a", "unsupported", 0, "flag u or a"),
        ("(?b)a", "unsupported", 0, "remove"),
        ("(?e)a", "unsupported", 0, "remove"),
        ("(?p)a", "unsupported", 0, "longest first"),
        ("a{e<=1}", "unsupported", 1, r"\{"),
        ("x(?R)", "unsupported", 1, "nesting"),
        ("(a)(?1)", "unsupported", 3, "nesting"),
        ("(?P<n>a)(?&n)", "unsupported", 8, "nesting"),
        ("(?P<n>a)(?P>n)", "unsupported", 8, "nesting"),
        ("a(*FAIL)", "unsupported", 1, "(?!)"),
        (r"a\L<names>", "unsupported", 1, "(?:one|two)"),
        ("(?(DEFINE)(?<n>a))", "unsupported", 0, "where it is used"),
        (r"(?ai)\p{L}", "unsupported", 5, "drop flag"),
        ("(" * 65 + ")" * 65, "unsupported", 64, "at most 64"),
        ("a**", "syntax", 2, "(?:…)"),
        ("*", "syntax", 0, "before it"),
        ("a{2,1}", "syntax", 1, "smaller count first"),
        ("(a", "syntax", 0, "close"),
        ("a)", "syntax", 1, r"\)"),
        ("[a", "syntax", 0, r"\["),
        ("[b-a]", "syntax", 1, "lower character first"),
        (r"a\q", "syntax", 1, "without the backslash"),
        (r"(a\1)", "syntax", 2, "after its end"),
        (r"a\1", "syntax", 1, "a group of this pattern"),
        (r"\p{Klingon}", "syntax", 0, "property names"),
        ("a\\", "syntax", 1, r"\\"),
    ],
)
def test_refusals_say_where_and_what_to_write_instead(pattern: str, kind: str, position: int, remedy: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse(pattern)
    assert (caught.value.kind, caught.value.position) == (kind, position)
    assert remedy in caught.value.remedy
    assert str(caught.value) == f"{caught.value.reason} at position {position}: {caught.value.remedy}"
