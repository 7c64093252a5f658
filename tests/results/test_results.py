"""The stored report of real implementations: every failing case is explained by a fault, and every fault shows."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from antiphon_conformance import inputs
from antiphon_conformance.cases import specification

from results import page
from results.explanations import RESULTS, Fault, Where, explain, failing, faults, newest

LARGEST = 8_000_000
"""Bytes of the stored report and its page, each."""


@cache
def report() -> Any:
    return json.loads(newest().read_text("utf-8"))


def test_every_failing_case_is_explained_and_nothing_is_stale() -> None:
    found = explain(faults(), report())
    assert not found.unexplained
    assert not found.stale
    assert sum(map(len, found.by.values())) == sum(map(len, failing(report()).values())) > 5_000


def test_the_faults_are_told_by_clauses_that_exist() -> None:
    known = faults()
    for fault in known:
        assert fault.clauses, fault.slug
        assert set(fault.clauses) <= specification.clauses().keys(), fault.slug
        assert fault.text.endswith("."), fault.slug
    assert len({fault.slug for fault in known}) == len(known)


def test_the_implementations_are_those_that_were_asked_for() -> None:
    from results.__main__ import ADAPTERS

    assert [name.replace("==", " ") for name in ADAPTERS] == list(failing(report()))


def test_the_report_is_one_and_the_page_has_its_figures() -> None:
    assert inputs.read_report(newest()) == report()
    assert page.written() == page.made(report(), faults())


def test_what_is_stored_stays_small() -> None:
    stored = newest()
    assert sorted(path.name for path in RESULTS.glob("20*")) == [stored.with_suffix(".html").name, stored.name]
    assert all(path.stat().st_size < LARGEST for path in RESULTS.glob("20*"))


# The check itself can fail


def case(name: str, reason: str, *, level: str = "message", chunking: str = "whole", lag: int | None = None) -> Any:
    failure = {"level": level, "reason": reason, "chunking": chunking}
    lags = None if lag is None else {"max": lag, "total": lag}
    return {"id": name, "required": True, "outcome": "failed", "lag": lags, "failures": [failure]}


def of(*cases: Any, name: str = "x", version: str = "1") -> Any:
    return {"implementations": [{"name": name, "version": version, "cases": list(cases)}]}


FAULT = Fault("f", "A fault", "Wrong.", ("DELIM-4",), ("x 1",), (Where(cases=("a/*",), reason="^message"),))


def test_a_case_that_no_fault_fits_is_unexplained() -> None:
    found = explain([FAULT], of(case("a/b/c", "message at /x"), case("a/b/d", "timed out"), case("b/c/d", "message")))
    assert found.by == {("f", "x 1"): ["a/b/c"]}
    assert found.unexplained == [("x 1", "a/b/d"), ("x 1", "b/c/d")]
    assert not found.stale


def test_a_fault_of_another_implementation_explains_nothing() -> None:
    found = explain([FAULT], of(case("a/b/c", "message"), version="2"))
    assert found.unexplained == [("x 2", "a/b/c")]


def test_what_explains_nothing_is_stale() -> None:
    more = replace(
        FAULT, implementations=("x 1", "y 1"), where=(*FAULT.where, Where(cases=("a/*", "z/*"), level="events"))
    )
    found = explain([more], of(case("a/b/c", "message"), case("a/b/d", "event 1", level="events")))
    assert found.stale == ["f: explains nothing of y 1", "f: where 1: z/*"]


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
    ],
)
def test_conditions(where: Where, fits: Any) -> None:
    other = copy.deepcopy(fits)
    other["failures"][0].update(level="events", chunking="each" if where.chunked is False else "whole")
    other["lag"] = {"max": 1 if where.late == "more" else 9, "total": 9}
    assert where.fits(fits)
    assert not where.fits(other)


def test_an_unknown_condition_is_refused() -> None:
    with pytest.raises(TypeError):
        Where(reasons="x")  # type: ignore[call-arg]
