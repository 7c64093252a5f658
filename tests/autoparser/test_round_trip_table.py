"""The tables of round trips in portability/README.md are those that are made."""

from __future__ import annotations

import pytest
import round_trip_table
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS
from downloads import Unavailable
from peer import COMPARED, RECORDED, SAID, exact_turns
from recorded import needs_records
from round_trip_table import PART, Trips, by_feature, derived, losses, published, tables


@pytest.fixture(scope="module")
def of_pairs() -> Trips:
    try:
        return published()
    except Unavailable as reason:
        pytest.skip(str(reason))


def test_the_readme_has_the_published_pairs(of_pairs: Trips) -> None:
    part = PART.read()
    for row in by_feature(of_pairs, {}):
        assert "|".join(row.split("|")[:6]) in part
    assert "\n".join(losses(of_pairs)) + "\n" in part
    assert part.count("\n| ") > len(CONVERSATIONS)


@pytest.mark.long
@needs_records
def test_the_readme_has_all(of_pairs: Trips) -> None:
    assert PART.read() == tables(of_pairs, derived())


def test_every_loss_has_its_reason(of_pairs: Trips) -> None:
    """Of the published pairs."""
    assert [row for row in losses(of_pairs) if row.endswith("|  |")] == []
    assert len({why for _, _, why in round_trip_table.REASONS}) >= 15


@needs_records
def test_what_llama_cpp_made_of_its_turns() -> None:
    """As counted in its records: of the 33 chat templates at hand that it analyses, 17 single calls come back."""
    assert len(RECORDED) == 33
    assert set(COMPARED.values()) == SAID.keys()
    assert {turn: len(exact_turns(turn)) for turn in SAID} == {
        "content": 22,
        "reasoning_content": 10,
        "tool": 17,
        "parallel": 14,
        "reasoning_tool": 10,
    }
