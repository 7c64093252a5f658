"""The shortcut agrees with the judges: what it takes for right and prompt is, and nothing else passes by it."""

from __future__ import annotations

import copy
import json
from collections import Counter
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
from antiphon_conformance.judging.ideal import DEEPEST, Ideal, exactly
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
    """Those that aren't belong to cases with a delay that is allowed, or cut up what would be whole."""
    found = Counter[tuple[str, bool]]()
    for case in load_suite()[::SOME]:
        ideal = Ideal(case)
        for chunking, request, document in answers(case):
            verdict = ideal.verdict(chunking, document, request["id"])
            if verdict is None:
                ideal.learn(parse_result(document, request))
            else:
                assert verdict == judged(case, chunking, request, document), case.full_id
            if case.expect.timed and case.required and case.prompt_required:
                found["error" if case.expect.error else "message", verdict is not None] += 1
    for outcome in ("error", "message"):
        assert found[outcome, True] > 1000
        assert found[outcome, True] > 0.95 * (found[outcome, True] + found[outcome, False])


EVENTS = [
    opened("think", 3), chunk("think", "a", 4), chunk("think", "bc", [5, 6]), closed("think", "abc", 10),
    opened("content", 11), chunk("content", "1 0", [11, 13]), closed("content", "1 0", "end"),
]  # fmt: skip
UNTIMED = [{name: value for name, value in event.items() if name != "at"} for event in EVENTS]
MESSAGE = {"think": "abc", "content": "1 0"}
NUMBER = {"start_anchor": "<bot>", "fields": {"n": {"open": "<n>", "close": "</n>", "content": "int"}}}
ERROR = {"stage": "parse", "kind": "int-syntax", "field": "n", "position": 3}
BEFORE = [opened("n", 3), chunk("n", "ten", [4, 6])]
KINDS: dict[str, dict[str, Any]] = {
    "timed": {"text": "<t>abc</t>1 0", "expect": {"message": MESSAGE, "events": EVENTS}},
    "untimed": {"text": "<t>abc</t>1 0", "timing": False, "expect": {"message": MESSAGE, "events": UNTIMED}},
    "message": {"text": "<t>abc</t>1 0", "expect": {"message": MESSAGE}},
    "error": {
        "template": NUMBER,
        "text": "<n>ten</n>",
        "expect": {"error": {**ERROR, "at": 10}, "events": BEFORE},
    },
    "error at the end": {
        "template": NUMBER,
        "text": "<n>ten",
        "expect": {"error": {**ERROR, "at": "end"}, "events": BEFORE},
    },
    "error in the prefix": {
        "template": NUMBER,
        "prefix": "<bot><n>ten</n>",
        "text": "x",
        "expect": {"error": {**ERROR, "position": -7, "at": 0}, "events": [opened("n", 0), chunk("n", "ten", 0)]},
    },
}


@pytest.fixture(scope="module", params=list(KINDS))
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    return make_case(tmp_path_factory.mktemp("suite"), **KINDS[request.param])


def learned(case: Case) -> Ideal:
    """It has seen the answer to the first run."""
    ideal = Ideal(case)
    _, request, document = next(answers(case))
    ideal.learn(parse_result(document, request))
    return ideal


def test_the_made_up_cases_are_right(case: Case) -> None:
    ideal, right = learned(case), Comparison(True, True, True, Lag()) if case.expect.timed else Comparison(True)
    for chunking, request, document in answers(case):
        verdict = ideal.verdict(chunking, document, request["id"])
        assert judged(case, chunking, request, document) in (right, Comparison(True, True))
        assert verdict == judged(case, chunking, request, document) or not case.expect.timed
        assert verdict is not None or chunking.name != "whole"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "error" in kind])
def test_an_error_needs_no_details(tmp_path: Path, kind: str) -> None:
    case = make_case(tmp_path, **KINDS[kind])
    chunking, request, document = next(answers(case))
    document["error"] = {"stage": document["error"]["stage"], "kind": "int-syntax"}
    assert Ideal(case).verdict(chunking, document, request["id"]) == Comparison(True, True, True, Lag())


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
        place[data.draw(st.sampled_from(["x", "kind", "message", "final", "pointer"]))] = data.draw(values)
    verdict = learned(case).verdict(chunking, document, request["id"])
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
        ({"a": ["1", {"b": None}]}, [{"a": ["1", {"b": None}]}], [{"a": [1, {"b": None}]}, {"a": ["1", {"b": 0}]}]),
        (None, [None], [False, 0]),
        ({"a": [0, {"b": True}]}, [{"a": [0.0, {"b": True}]}], [{"a": [False, {"b": True}]}, {"a": [0, {"b": 1}]}, {}]),
    ],
)
def test_exactly(value: Any, same: list[Any], others: list[Any]) -> None:
    assert all(one == exactly(value) for one in same)
    assert all(one != exactly(value) for one in others)


def test_values_of_any_depth() -> None:
    def nested(depth: int) -> Any:
        return ["x"] if depth == 1 else [nested(depth - 1)]

    for depth in (1, DEEPEST, DEEPEST + 1, 500):
        assert nested(depth) == exactly(nested(depth))
        assert nested(depth + 1) != exactly(nested(depth))


def test_what_has_no_ideal_answer(tmp_path: Path) -> None:
    """A template that is loaded or refused, and an error without a moment."""
    refused = {"error": {"stage": "load", "kind": "unknown-key", "pointer": "/fields/content/opne"}}
    untimed = {"error": {"stage": "parse", "kind": "int-syntax"}, "events": [opened("n"), chunk("n", "ten")]}
    for members in (
        {"expect": {"loads": True}},
        {"expect": refused, "template": {"start_anchor": "x", "fields": {"content": {"opne": "x"}}}},
        {"expect": untimed, "template": NUMBER, "text": "<n>ten", "timing": False},
    ):
        case = make_case(tmp_path, **members)
        chunking, request, document = next(answers(case))
        assert judged(case, chunking, request, document) is not None
        assert learned(case).verdict(chunking, document, request["id"]) is None
