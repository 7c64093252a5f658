"""Which cases are chosen, and which part of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.chunkings import chunkings
from antiphon_conformance.cases.selection import Selection, Shard, matches, select, shard
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.inputs import BadInput
from made_up import case_source, write_suite


@pytest.fixture
def cases(tmp_path: Path) -> list[Case]:
    write_suite(
        tmp_path,
        case_source(id="plain"),
        case_source(id="ahead", requires=["lookahead"], clauses=["DELIM-1"]),
        case_source(id="both", requires=["lookahead", "atomic"]),
    )
    return load_suite(write_suite(tmp_path, case_source(id="number", clauses=["KIND-1"]), name="other/file"))


@pytest.mark.parametrize(
    ("globs", "needs", "chosen"),
    [
        ([], [], "number plain ahead both"),
        (["topic/*"], [], "plain ahead both"),
        (["DELIM-*", "other/*"], [], "number ahead"),
        (["!topic/*"], [], "number"),
        (["topic/*", "!DELIM-1"], [], "plain both"),
        ([], ["lookahead"], "ahead both"),
        ([], ["!lookahead"], "number plain"),
        ([], ["lookahead", "!atomic"], "ahead"),
        (["topic/*"], ["!lookahead"], "plain"),
    ],
)
def test_any_wish_chooses_and_any_with_a_mark_leaves_out(
    cases: list[Case], globs: list[str], needs: list[str], chosen: str
) -> None:
    found = select(cases, Selection(tuple(globs), tuple(needs)))
    assert [case.full_id.rpartition("/")[2] for case in found] == chosen.split()


@pytest.mark.parametrize(
    ("glob", "fits"),
    [
        ("*/other", True),
        ("topic/*", True),
        ("other", False),
        ("DELIM-1", True),
        ("DELIM-2", False),
        ("KIND-*", True),
    ],
)
def test_a_glob_is_about_the_whole_id_or_a_whole_clause(glob: str, fits: bool) -> None:
    assert matches(glob, "topic/file/other", ["DELIM-1", "DELIM-22", "KIND-INT-1"]) is fits


@pytest.mark.parametrize(
    ("globs", "needs", "problem"),
    [
        (["a", "b"], [], r"^--filter: no case matches a or b, by .* the topics are other, topic$"),
        (["!*"], [], r"^--filter: no case matches !\*, "),
        ([], ["lokahead"], r"^--requires lokahead: no case needs that; write lookahead$"),
        ([], ["!xyz"], r"^--requires xyz: no case needs that; write atomic or lookahead$"),
        ([], ["lookahead", "!lookahead"], r"^--requires: no case is left by lookahead, !lookahead; take one out$"),
        (["other/*"], ["atomic"], r"^--requires: no case that --filter chooses is left by atomic; take one out$"),
    ],
)
def test_nothing_chosen(cases: list[Case], globs: list[str], needs: list[str], problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        select(cases, Selection(tuple(globs), tuple(needs)))


def test_shards_are_balanced_parts_of_the_suite() -> None:
    """By runs, not only by cases."""
    cases = load_suite()
    for count in (2, 8):
        owners = [[index for index in range(1, count + 1) if Shard(index, count).has(case.full_id)] for case in cases]
        assert all(len(found) == 1 for found in owners)
        runs = Counter[int]()
        for case, (owner,) in zip(cases, owners, strict=True):
            runs[owner] += len(chunkings(case))
        mean = sum(runs.values()) / count
        assert all(0.75 * mean < share < 1.25 * mean for share in runs.values())


def test_a_case_stays_in_its_shard_when_others_come() -> None:
    """It depends on nothing but the id, on any machine and in any version of Python."""
    owners = {"delimiters/a/b": 7, "regions/a/b": 8, "regions/a/c": 8, "models/x/y": 2}
    for name, owner in owners.items():
        assert [index for index in range(1, 9) if Shard(index, 8).has(name)] == [owner]


@pytest.mark.parametrize("text", ["", "1", "0/8", "9/8", "1/0", "a/b", "1/8/2", "-1/8", "1 / 8"])
def test_what_names_no_shard(text: str) -> None:
    with pytest.raises(BadInput, match="isn't a part; write its number and how many there are, from 1/8 to 8/8"):
        shard(text)


def test_what_names_a_shard() -> None:
    assert shard("2/8") == Shard(2, 8)
