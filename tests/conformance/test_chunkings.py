"""The ways to cut a text: complete, deterministic, and never more than a text can bear."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from antiphon_conformance.cases.chunkings import EACH_LIMIT, EVERY_CUT_LIMIT, SAMPLED_CUTS, chunkings
from hypothesis import given
from hypothesis import strategies as st
from made_up import chunk, closed, make_case, opened

ANY_MESSAGE: dict[str, Any] = {"message": {}}


@given(text=st.text(max_size=40), seed=st.integers())
def test_chunks_are_the_text(tmp_path_factory: object, text: str, seed: int) -> None:
    case = make_case(tmp_path_factory.mktemp("suite"), text=text, expect=ANY_MESSAGE)  # type: ignore[attr-defined]
    found = chunkings(case, seed)
    assert all("".join(chunking.chunks) == text for chunking in found)
    assert len({chunking.chunks for chunking in found}) == len(found)
    assert any("" in chunking.chunks for chunking in found)
    assert found == chunkings(case, seed)


def test_all_ways_to_cut_a_short_text_in_two(tmp_path: Path) -> None:
    found = {chunking.chunks for chunking in chunkings(make_case(tmp_path, text="abcd", expect=ANY_MESSAGE))}
    assert {("abcd",), ("a", "b", "c", "d"), ("a", "bcd"), ("ab", "cd"), ("abc", "d")} <= found


def test_listed_cuts_are_run(tmp_path: Path) -> None:
    case = make_case(tmp_path, text="abcdef", chunkings=[[1, 2, 2, 5]], expect=ANY_MESSAGE)
    assert ("a", "b", "", "cde", "f") in {chunking.chunks for chunking in chunkings(case)}


def test_the_seed_matters(tmp_path: Path) -> None:
    case = make_case(tmp_path, text="abcdefghij" * 3, expect=ANY_MESSAGE)
    assert chunkings(case, 1) != chunkings(case, 2)


def test_moments_count_code_points(tmp_path: Path) -> None:
    found = {chunking.name: chunking for chunking in chunkings(make_case(tmp_path, text="a😀é", expect=ANY_MESSAGE))}
    assert found["whole"].moments == (3,)
    assert found["each"].moments == (1, 2, 3)
    assert found["cut at 2"].moments == (2, 3)


def test_the_empty_text(tmp_path: Path) -> None:
    case = make_case(tmp_path, text="", expect=ANY_MESSAGE)
    assert [chunking.chunks for chunking in chunkings(case)] == [(), ("", "", "")]


def test_nothing_is_cut_where_nothing_is_parsed(tmp_path: Path) -> None:
    error = {"error": {"stage": "load", "kind": "unknown-key"}}
    assert [chunking.name for chunking in chunkings(make_case(tmp_path, expect=error))] == ["whole"]


def test_long_texts_are_sampled_around_their_moments(tmp_path: Path) -> None:
    text = "x" * (EVERY_CUT_LIMIT * 3)
    events = [opened("content", 1), chunk("content", text, [1, len(text)]), closed("content", text, "end")]
    case = make_case(tmp_path, text=text, expect={"message": {"content": text}, "events": events})
    cuts = [len(chunking.chunks[0]) for chunking in chunkings(case) if len(chunking.chunks) == 2]
    assert len(cuts) == SAMPLED_CUTS
    assert {1, len(text) - 1} <= set(cuts)


def test_very_long_texts_are_cut_in_few_ways(tmp_path: Path) -> None:
    text = ["x", {"repeat": "y", "times": EACH_LIMIT}]
    few = chunkings(make_case(tmp_path, text=text, expect=ANY_MESSAGE))
    more = chunkings(make_case(tmp_path, text=text, chunkings=["each"], expect=ANY_MESSAGE))
    assert len(few) < 12
    assert "each" not in {chunking.name for chunking in few}
    assert "each" in {chunking.name for chunking in more}
