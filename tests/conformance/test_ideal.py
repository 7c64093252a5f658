"""The shortcut agrees with the judges: what it takes for right and prompt is, and nothing else passes by it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.chunkings import Chunking, chunkings
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.implementations.protocol import ProtocolFault, parse_result, run_requests
from antiphon_conformance.judging.compare import Comparison, compare
from antiphon_conformance.judging.ideal import Exactly, Ideal
from antiphon_conformance.judging.timing import Lag
from hypothesis import given
from hypothesis import strategies as st
from made_up import chunk, closed, make_case, opened

SOME = 5
"""Every so many cases are run; all would take long."""


def answers(case: Case) -> Iterator[tuple[Chunking, Any, Any]]:
    """The reference's answers to the runs of a case: chunking, request, document."""
    ways = chunkings(case)
    requests = list(run_requests(case, ways, None, count(1)))
    documents = make_adapter("reference").runs(requests, lambda document, request: document)
    yield from zip(ways, requests, documents, strict=True)


def judged(case: Case, chunking: Chunking, request: Any, document: Any) -> Comparison | None:
    """The long way; None for what isn't an answer."""
    try:
        return compare(case, chunking, parse_result(document, request))
    except ProtocolFault:
        return None


def test_nearly_all_answers_of_a_prompt_implementation_are_ideal() -> None:
    """Those that aren't belong to cases without moments, with an error, or with a delay that is allowed."""
    found: list[bool] = []
    for case in load_suite()[::SOME]:
        ideal = Ideal(case)
        for chunking, request, document in answers(case):
            verdict = ideal.verdict(chunking, document, request["id"])
            if verdict is not None:
                assert verdict == judged(case, chunking, request, document), case.full_id
            if case.expect.timed and case.expect.message is not None and case.required and case.prompt_required:
                found.append(verdict is not None)
    assert len(found) > 1000
    assert sum(found) > 0.95 * len(found)


EVENTS = [
    opened("think", 3), chunk("think", "a", 4), chunk("think", "bc", [5, 6]), closed("think", "abc", 10),
    opened("content", 11), chunk("content", "1 0", [11, 13]), closed("content", "1 0", "end"),
]  # fmt: skip


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    expect = {"message": {"think": "abc", "content": "1 0"}, "events": EVENTS}
    return make_case(tmp_path_factory.mktemp("suite"), text="<t>abc</t>1 0", expect=expect)


def test_the_made_up_case_is_right(case: Case) -> None:
    ideal = Ideal(case)
    for chunking, request, document in answers(case):
        assert ideal.verdict(chunking, document, request["id"]) == Comparison(True, True, True, Lag())


@given(data=st.data())
def test_whatever_is_changed_the_judges_agree_or_are_asked(case: Case, data: st.DataObject) -> None:
    """Any one member of an ideal answer is taken away, added, replaced or moved."""
    chunking, request, document = data.draw(st.sampled_from(list(answers(case))))
    document = copy.deepcopy(json.loads(json.dumps(document)))
    place = data.draw(st.sampled_from(list(_containers(document))))
    key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    values = st.sampled_from([None, True, False, 0, 1, 1.0, "", "abc", [], {}, opened("think"), chunk("think", "a")])
    change = data.draw(st.sampled_from(["take", "add", "replace", "swap"]))
    if change == "replace":
        place[key] = data.draw(values)
    elif change == "take":
        del place[key]
    elif change == "swap" and isinstance(place, list):
        place[key], place[0] = place[0], place[key]
    elif isinstance(place, dict):
        place[data.draw(st.sampled_from(["x", "kind", "message"]))] = data.draw(values)
    verdict = Ideal(case).verdict(chunking, document, request["id"])
    assert verdict is None or verdict == judged(case, chunking, request, document)


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)) and value:
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from _containers(part)


@pytest.mark.parametrize(
    ("value", "same", "others"),
    [
        (True, [True], [1, 1.0, False, "true", None]),
        (False, [False], [0, None, ""]),
        (1, [1, 1.0], [True, "1"]),
        ("1", ["1"], [1]),
        (None, [None], [False, 0]),
        ({"a": [0, {"b": True}]}, [{"a": [0.0, {"b": True}]}], [{"a": [False, {"b": True}]}, {"a": [0, {"b": 1}]}, {}]),
    ],
)
def test_exactly(value: Any, same: list[Any], others: list[Any]) -> None:
    assert all(one == Exactly(value) for one in same)
    assert all(one != Exactly(value) for one in others)


def test_what_has_no_ideal_answer(tmp_path: Path) -> None:
    untimed = [opened("content"), chunk("content", "hi"), closed("content", "hi")]
    for expect in ({"message": {"content": "hi"}}, {"message": {"content": "hi"}, "events": untimed}, {"loads": True}):
        case = make_case(tmp_path, expect=expect)
        chunking, request, document = next(answers(case))
        assert Ideal(case).verdict(chunking, document, request["id"]) is None
