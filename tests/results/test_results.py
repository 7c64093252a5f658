"""The stored report of real implementations: every failing case is explained by a fault, and every fault shows."""

from __future__ import annotations

import copy
import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance.cases import specification

from results import page
from results.__main__ import SIDE_BY_SIDE, only, store
from results.explanations import RESULTS, Fault, Where, explain, failing, faults, newest, stored

LARGEST = 2_000_000
"""Bytes of what is stored."""


def test_every_failing_case_is_explained_by_a_clause_and_no_explanation_is_unused() -> None:
    found = explain(faults(), stored())
    assert not found.problems
    assert sum(map(len, found.by.values())) == sum(map(len, failing(stored()).values()))


def test_the_faults_are_told_by_clauses_that_exist() -> None:
    known = faults()
    for fault in known:
        assert fault.clauses, fault.slug
        broken = {where.breaks for where in fault.where if where.breaks}
        assert broken <= set(fault.clauses) <= specification.clauses().keys(), fault.slug
        assert fault.text.endswith("."), fault.slug
    assert len({fault.slug for fault in known}) == len(known)


def test_the_report_has_the_implementations_side_by_side_over_the_whole_suite() -> None:
    assert [one["adapter"] for one in stored()["implementations"]] == SIDE_BY_SIDE
    assert [one["missing"] for one in stored()["implementations"]] == [0, 0, 0]
    for one in stored()["implementations"]:
        assert sum(case["required"] for case in one["cases"]) == stored()["suite"]["required"]


def test_the_page_has_the_figures_of_the_report() -> None:
    assert page.PART.read() == page.made(stored(), faults())


def test_what_is_stored_is_of_one_day_and_stays_small() -> None:
    day = newest().name.partition(".")[0]
    assert sorted(path.name for path in RESULTS.glob("20*")) == [f"{day}.json.gz", f"{day}.svg"]
    assert sum(path.stat().st_size for path in RESULTS.iterdir()) < LARGEST


def test_a_report_of_some_is_stored_the_same_each_time(tmp_path: Path) -> None:
    whole = {
        "level": "prompt",
        "implementations": [{"adapter": "a"}, {"adapter": "b", "name": "\ud800"}, {"adapter": "c"}],
    }
    some = only(["c", "b"], whole)
    assert [one["adapter"] for one in some["implementations"]] == ["c", "b"]
    store(some, tmp_path / "one.json.gz")
    store(some, tmp_path / "two.json.gz")
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()
    assert json.loads(gzip.decompress((tmp_path / "one.json.gz").read_bytes())) == some


# The check itself can fail


def case(name: str, reason: str, *, level: str = "message", chunking: str = "whole", lag: int | None = None) -> Any:
    """A failing case about DELIM-4."""
    return {
        "id": name,
        "clauses": ["DELIM-4"],
        "required": True,
        "outcome": "failed",
        "lag": None if lag is None else {"max": lag, "total": lag},
        "failures": [{"level": level, "reason": reason, "chunking": chunking}],
    }


def of(*cases: Any, name: str = "x", version: str = "1") -> Any:
    return {"implementations": [{"name": name, "version": version, "cases": list(cases)}]}


FAULT = Fault("f", "A fault", "Wrong.", ("DELIM-4",), ("x 1",), (Where(filter=("a/*",), reason="^message"),))


def test_a_case_that_no_fault_fits_is_unexplained() -> None:
    found = explain([FAULT], of(case("a/b/c", "message at /x"), case("a/b/d", "timed out"), case("b/c/d", "message")))
    assert found.by == {("f", "x 1"): ["a/b/c"]}
    assert found.problems == [
        "x 1: a/b/d: no fault explains `timed out`",
        "x 1: b/c/d: no fault explains `message`",
    ]


def test_a_fault_of_another_implementation_explains_nothing() -> None:
    found = explain([FAULT], of(case("a/b/c", "message"), version="2"))
    assert found.unexplained == ["x 2: a/b/c: no fault explains `message`"]


def test_a_fault_about_other_clauses_than_the_case_s_is_unsupported_unless_the_failure_shows_it() -> None:
    other = replace(FAULT, clauses=("ERROR-4",))
    assert explain([other], of(case("a/b/c", "message"))).problems == ["x 1: a/b/c: isn't about the clauses of f"]
    shown = replace(other, where=(Where(reason="^message", breaks="ERROR-4"),))
    assert not explain([shown], of(case("a/b/c", "message"))).problems
    with pytest.raises(ValueError, match="breaks ERROR-4: nothing is said of the failure that shows it"):
        Where(filter=("a/*",), level="message", breaks="ERROR-4")


def test_what_explains_nothing_is_stale() -> None:
    parts = (*FAULT.where, Where(filter=("a/*", "z/*", "!y/*"), level="events"), Where(reason="never"))
    more = replace(FAULT, implementations=("x 1", "y 1"), where=parts)
    found = explain([more], of(case("a/b/c", "message"), case("a/b/d", "event 1", level="events")))
    assert found.problems == [
        "f: explains nothing of y 1",
        "f: where 1: z/*: fits nothing",
        "f: where 2: fits nothing",
    ]


def test_the_first_fault_that_fits_counts() -> None:
    general = replace(FAULT, slug="g", where=(Where(),))
    cases = of(case("a/b/c", "message"), case("b/c/d", "message"))
    assert explain([FAULT, general], cases).by == {("f", "x 1"): ["a/b/c"], ("g", "x 1"): ["b/c/d"]}
    assert explain([general, FAULT], cases).stale[0] == "f: explains nothing of x 1"


@pytest.mark.parametrize(
    ("where", "fits"),
    [
        (Where(chunked=True), case("a/b/c", "message", chunking="each")),
        (Where(chunked=False), case("a/b/c", "timed out", chunking="none")),
        (Where(late="more"), case("a/b/c", "late", level="prompt", lag=7)),
        (Where(late="one"), case("a/b/c", "late", level="prompt", lag=1)),
        (Where(level="prompt"), case("a/b/c", "late", level="prompt", lag=1)),
        (Where(filter=("DELIM-*",)), case("a/b/c", "message")),
        (Where(filter=("!ERROR-*",)), case("a/b/c", "message")),
    ],
)
def test_conditions(where: Where, fits: Any) -> None:
    other = copy.deepcopy(fits)
    other["failures"][0].update(level="events", chunking="each" if where.chunked is False else "whole")
    other["lag"] = {"max": 1 if where.late == "more" else 9, "total": 9}
    other["clauses"] = ["ERROR-1"]
    assert where.fits(fits)
    assert not where.fits(other)


def test_an_unknown_condition_is_refused() -> None:
    with pytest.raises(TypeError):
        Where(reasons="x")  # type: ignore[call-arg]
