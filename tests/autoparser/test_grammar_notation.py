"""Expressions, automata and GBNF by themselves: against Python's own search, and against engines."""

from __future__ import annotations

import random
import re
from itertools import product
from typing import Final

import pytest
from antiphon_portability.autoparser.grammar import automata, gbnf, remainders
from antiphon_portability.autoparser.grammar.errors import ToolsError
from antiphon_portability.autoparser.grammar.expressions import (
    ANY,
    MOST_RULES,
    NEVER,
    NOTHING,
    Chars,
    Expression,
    Repeat,
    Rules,
    Sequence,
    Text,
    certain_end,
    certain_start,
    choice,
    optional,
    separated,
    sequence,
)
from antiphon_portability.autoparser.grammar.numbers import integers
from antiphon_portability.autoparser.grammar.patterns import NotRegular, of_schema
from antiphon_portability.regex.codepoints import LAST, complement, union
from matchers import llguidance_accepts, xgrammar
from support import examples

TEXTS: Final = ["".join(chars) for length in range(8) for chars in product("abc", repeat=length)]
CODES: Final = [
    *map(ord, '^-[]\\"0aAfFzZ /\n\t\r\x01\x1f\x7f'), 0xE9, 0x2028, 0xFFFF, 0x1F600, LAST,
]  # fmt: skip


# -- automata


@pytest.mark.parametrize("end", ["a", "ab", "aa", "aab", "abab", "abcab"])
def test_up_to_the_first(end: str) -> None:
    automaton = automata.up_to(end)
    assert [automaton.takes(text) for text in TEXTS] == [text.find(end) == len(text) - len(end) != -1 for text in TEXTS]


@pytest.mark.parametrize("marks", [["ab"], ["aa", "b"], ["aba", "bab"], ["a", "aab"]])
def test_texts_without_marks(marks: list[str]) -> None:
    taken = [automata.without(marks).takes(text) for text in TEXTS]
    assert taken == [not any(mark in text for mark in marks) for text in TEXTS]


def test_up_to_the_first_without_another() -> None:
    taken = [automata.up_to("ab", ["bb"]).takes(text) for text in TEXTS]
    assert taken == [bool(re.fullmatch("(?:(?!ab|bb)[abc])*ab", text)) and "bb" not in text for text in TEXTS]


def test_texts_that_are_none_of_some() -> None:
    assert {text for text in TEXTS if not automata.without_any_of(["", "a", "abc"]).takes(text)} == {"", "a", "abc"}


@pytest.mark.parametrize(
    "pattern", ["^(?:a|b[a-c]){1,3}$", "^(?:ab)*c?$", "^a+b{2}(?:c|a)*$", "b.b", "^a|c$", "^(?:a{0,2}b){2,}$", "^$"]
)
def test_patterns(pattern: str) -> None:
    automaton = automata.of(of_schema(pattern))
    assert [automaton.takes(text) for text in TEXTS] == [bool(re.search(pattern, text)) for text in TEXTS]


@pytest.mark.parametrize(("one", "other"), [("a.*", ".*b"), ("(?:ab|c)*", "[^b]*(?:b[^b]*){2}")])
def test_both(one: str, other: str) -> None:
    found = automata.all_of([of_schema(f"^{one}$"), of_schema(f"^{other}$")])
    assert [found.takes(text) for text in TEXTS] == [
        bool(re.fullmatch(one, text) and re.fullmatch(other, text)) for text in TEXTS
    ]


def test_behind_a_text() -> None:
    """The text before, by itself, fits; not some other beginning of the whole."""
    found = automata.of(of_schema("^c*$"), before=automata.of(of_schema("^[ab]+$")))
    assert [found.takes(text) for text in TEXTS] == [bool(re.fullmatch("[ab]+c*", text)) for text in TEXTS]


@pytest.mark.parametrize("pattern", ["^(?:a|b[a-c]){1,3}$", "^a*bc?$"])
def test_automata_become_rules(pattern: str) -> None:
    rules = Rules()
    written = gbnf.write(rules.finished(automata.expression(automata.of(of_schema(pattern)), rules, "part")))
    want = [bool(re.fullmatch(pattern, text)) for text in TEXTS[:400]]
    assert xgrammar().accepts(written, TEXTS[:400]) == want
    assert llguidance_accepts(written, TEXTS[:400]) == want


def test_too_many_states() -> None:
    with pytest.raises(automata.TooLarge):
        automata.of(of_schema("^(?:a|b)*a(?:a|b){14}$"))
    with pytest.raises(automata.TooLarge):
        automata.up_to("x" * 10_000)


@pytest.mark.parametrize("pattern", ["(?=a)b", "(a)\\1", "a\\b", "(?:a?)*", "([", "a*+"])
def test_what_isn_t_regular(pattern: str) -> None:
    with pytest.raises(NotRegular, match="; "):
        of_schema(pattern)


def test_whole_numbers() -> None:
    source = random.Random(1)
    bounds = [(0, 0), (5, 17), (-3, 3), (None, 5), (7, None), (98, 1003), (100, 199)]
    bounds += [tuple(sorted(source.sample(range(-3000, 3000), 2))) for _ in range(examples(30))]  # type: ignore[misc]
    for low, high in bounds:
        automaton = automata.of(integers(low, high))
        for number in range(-3100, 3100):
            inside = (low is None or number >= low) and (high is None or number <= high)
            assert automaton.takes(str(number)) == inside, (low, high, number)
        assert not any(map(automaton.takes, ("", "-0", "007", "+1")))


# -- GBNF


def test_sets() -> None:
    """Whatever is in a set, XGrammar and llguidance read the same."""
    source = random.Random(5)
    for round_ in range(examples(150)):
        pairs = [tuple(sorted(source.choices(CODES, k=2))) for _ in range(source.randint(1, 4))]
        ranges = union([*pairs, *((code, code) for code in source.sample(CODES, 2))])  # type: ignore[list-item]
        ranges = complement(ranges) if round_ % 3 == 0 else ranges
        written, texts = gbnf.write({"root": Chars(ranges)}), list(map(chr, CODES))
        want = [any(first <= code <= last for first, last in ranges) for code in CODES]
        assert xgrammar().accepts(written, texts) == want, written
        assert llguidance_accepts(written, texts) == want, written


def test_texts() -> None:
    source = random.Random(6)
    for _ in range(examples(100)):
        text = "".join(map(chr, source.choices(CODES, k=source.randint(0, 8))))
        written = gbnf.write({"root": Text(text)})
        assert xgrammar().accepts(written, [text, text + "x"]) == [True, False], written
        assert llguidance_accepts(written, [text]) == [True], written


EXPRESSIONS: Final[list[tuple[Expression, str]]] = [
    (sequence("a", choice("b", "c"), "d"), '"a" ("b" | "c") "d"'),
    (Repeat(Text("ab"), 0, None), '("ab")*'),
    (Repeat(Text("a"), 1, None), '"a"+'),
    (Repeat(Repeat(Text("a"), 0, 1), 2, 2), '("a"?){2}'),
    (Repeat(choice("a", "b"), 2, None), '("a" | "b"){2,}'),
    (Repeat(sequence(Chars(((97, 99),)), "d"), 1, 3), '([a-c] "d"){1,3}'),
    (Repeat(sequence("a", optional("b")), 0, 1), '("a" "b"?)?'),
    (optional("x", choice("y", "z")), '("x" ("y" | "z"))?'),
    (separated(Text("a"), Text(","), 1, 3), '"a" (",a"){0,2}'),
    (NOTHING, '""'),
    (ANY, "([^\\x00] | [\\x00])"),
    (Text("\x1f0"), '"\\x1F" "0"'),
    (Chars(((45, 45), (94, 94))), "[\\x5E-]"),
]


@pytest.mark.parametrize(("expression", "written"), EXPRESSIONS)
def test_notation(expression: Expression, written: str) -> None:
    assert gbnf.write({"root": expression}) == f"root ::= {written}\n"


# -- rules


def test_names_are_plain_and_differ_for_every_engine() -> None:
    rules = Rules()
    names = [rules.reserve(hint).name for hint in ("A b", "a-B", "a_b", "", "1", "é", "root", "x" * 99)]
    assert len({name.replace("-", "_").lower() for name in names}) == len(names)
    assert all(re.fullmatch("[a-z][a-z0-9-]*", name) for name in names)


def test_what_can_t_end_is_left_out() -> None:
    rules = Rules()
    endless = rules.reserve("endless")
    rules.define(endless, sequence("a", endless))
    assert rules.finished(choice(sequence("x", endless), sequence("y", optional(endless)))) == {"root": Text("y")}
    assert rules.finished(endless) == {}
    assert rules.finished(NEVER) == {}


def test_too_many_rules() -> None:
    rules = Rules()
    with pytest.raises(ToolsError, match="take tools out"):
        for _ in range(MOST_RULES + 1):
            rules.reserve("rule")


def test_what_is_certain() -> None:
    rules = Rules()
    rule = rules.add("part", sequence("ab", choice("c", "d")))
    assert certain_start(sequence("x", rule), rules.bodies) == "xab"
    assert certain_start(sequence(optional("ax"), "ay"), rules.bodies) == "a"
    assert certain_end(sequence(rule, "}", Repeat(Text(" }"), 0, 1)), rules.bodies) == "}"
    assert certain_end(Sequence((rule, Text("x"))), rules.bodies) == "x"
    assert certain_start(Chars(((97, 98),)), rules.bodies) == ""


# -- remainders


def of_letters() -> dict[str, Expression]:
    """Rules for as many b as a, with a c between, or a few d."""
    rules = Rules()
    nested = rules.reserve("nested")
    rules.define(nested, choice("c", sequence("a", nested, "b")))
    return rules.finished(choice(nested, Repeat(Text("d"), 2, 3), sequence("e", Chars(((97, 99),)), optional("f"))))


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("c", True),
        ("aacbb", True),
        ("aacb", False),
        ("dd", True),
        ("d", False),
        ("dddd", False),
        ("eaf", True),
        ("", False),
    ],
)
def test_what_rules_take(text: str, taken: bool) -> None:
    bodies = of_letters()
    assert remainders.takes(bodies, text) == taken
    assert xgrammar().accepts(gbnf.write(bodies), [text]) == [taken]


@pytest.mark.parametrize("text", ["", "a", "aac", "d", "dd", "e", "eb"])
def test_what_is_left_behind_a_text(text: str) -> None:
    bodies = of_letters()
    left = {**bodies, "root": remainders.behind(bodies, text)}
    texts = ["".join(chars) for length in range(5) for chars in product("abcdef", repeat=length)]
    assert [remainders.takes(left, one) for one in texts] == [remainders.takes(bodies, text + one) for one in texts]


def test_nothing_is_left_behind_what_rules_dont_begin_with() -> None:
    assert remainders.behind(of_letters(), "b") == NEVER
