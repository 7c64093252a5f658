"""The committed tables are those of the installed `regex` module."""

from __future__ import annotations

import sys

import pytest
import regex
from antiphon_portability.regex import codepoints, generate_tables, parse
from antiphon_portability.regex.nodes import CharSet, Property

ALL = "".join(map(chr, range(0x110000)))


def test_tables_are_up_to_date() -> None:
    assert generate_tables.tables() == generate_tables.TABLES.read_text(encoding="utf-8"), (
        "run python -m antiphon_portability.regex.generate_tables"
    )


SETS = (
    *(r"\w", r"[^\d]", r"(?a:[\sa-k])", r"[\W\d]", r"(?i:[a-k])", r"(?i:[^a-k])", r"\h", r"\pN", r"\p{^Z}"),
    *(r"(?i:\p{Lu})", r"(?i:[\P{Lu}a-k])", r"(?i:[\p{Greek}a-k])", r"(?i:\p{Greek})", r"(?i:\p{upper})", r"(?a:\P{L})"),
    *(r"\p{Armenian}", r"\P{Script=Vai}", r"\p{Lm}"),
    *("[[:alnum:]]", "[[:alpha:]]", "[[:digit:]]", "[[:punct:]]", "[[:xdigit:]]", "[[:^lower:]]", "[[:space:]]"),
)


@pytest.mark.parametrize("pattern", SETS)
def test_sets_hold_the_code_points_that_regex_matches(pattern: str) -> None:
    char_set = parse(pattern).root
    assert isinstance(char_set, CharSet)
    spans = (match.span() for match in regex.finditer(f"(?:{pattern})+", ALL, regex.V0))
    assert codepoints.set_ranges(char_set) == tuple((first, stop - 1) for first, stop in spans)


def test_a_property_beyond_the_tables_is_unknown_without_regex(monkeypatch: pytest.MonkeyPatch) -> None:
    syllables = CharSet((Property("Vai"),))
    codepoints.class_ranges.cache_clear()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "regex", None)
        assert codepoints.set_ranges.__wrapped__(syllables) is None
    codepoints.class_ranges.cache_clear()
    assert codepoints.set_ranges(syllables) == ((0xA500, 0xA62B),)


def test_complement() -> None:
    assert codepoints.complement(()) == ((0, 0x10FFFF),)
    assert codepoints.complement(((0, 0x10FFFF),)) == ()
    assert codepoints.complement(((5, 6), (9, 0x10FFFF))) == ((0, 4), (7, 8))


def test_case_variants() -> None:
    assert sorted(map(chr, codepoints.case_variants(ord("k")))) == ["K", "\N{KELVIN SIGN}"]
    assert codepoints.case_variants(ord("<")) == ()
