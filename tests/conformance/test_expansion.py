"""Which cases and which chunkings of them an export has. What its lines say is checked in suite/test_export.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance.cases import expansion
from antiphon_conformance.cases.chunkings import chunkings
from antiphon_conformance.cases.expansion import Wish
from antiphon_conformance.cases.selection import Selection
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.inputs import BadInput
from made_up import case_source, write_suite


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Two cases, the first with cuts of its own."""
    listed = case_source(id="listed", text="abcdef", expect={"message": {}}, chunkings=[[2, 4], [0, 3, 3, 6]])
    return write_suite(tmp_path, listed, case_source(id="needing", requires=["lookahead"], clauses=["DELIM-1"]))


def ids(*wishes: Any) -> list[str]:
    return [line["id"].rpartition("/")[2] for line in list(expansion.lines(Wish(*wishes)))[1:]]


def test_cases_are_chosen_as_for_a_run(suite: Path) -> None:
    assert ids(suite) == ["listed", "needing"]
    assert ids(suite, Selection(("DELIM-*",))) == ["needing"]
    assert ids(suite, Selection(("!DELIM-*",))) == ["listed"]
    assert ids(suite, Selection((), ("lookahead",))) == ["needing"]
    with pytest.raises(BadInput, match=r"^--filter: no case matches x, by its whole id or a clause; the topics are"):
        ids(suite, Selection(("x",)))


def test_the_chunkings_that_say_most_are_whole_each_and_those_of_the_case(suite: Path) -> None:
    (_, case, _) = expansion.lines(Wish(suite))
    assert [run["chunking"] for run in case["runs"]] == ["whole", "each", "cut at 2,4", "cut at 0,3,3,6"]


def test_or_all_that_the_runner_makes_of_the_seed(suite: Path) -> None:
    (_, case, _) = expansion.lines(Wish(suite, every=True, seed=5))
    made = chunkings(load_suite(suite)[0], seed=5)
    assert [(run["chunking"], tuple(run["chunks"])) for run in case["runs"]] == [(one.name, one.chunks) for one in made]
