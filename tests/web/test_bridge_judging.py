"""The suite in a page: the verdicts on an implementation's answers are those of the command line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from antiphon_conformance import schemas
from antiphon_conformance.cases import identity
from antiphon_conformance.cases.case import Case
from antiphon_conformance.implementations.adapters import Crashed, InProcessAdapter, script
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs.runner import run_adapter

from web.calls import asked, suite

REFERENCE = script("reference")
CASES = [case for case in suite() if case.required and case.expect.parses and 20 < len(case.text) < 100][::250]
CASES += [next(case for case in suite() if case.expect.error is not None and case.expect.error.stage == "load")]
CASES += [next(case for case in suite() if case.expect.error is not None and case.expect.error.stage == "parse")]

Answer = dict[str, Any]


def all_events(answer: Answer) -> list[Any]:
    return [event for step in (answer["initial"], *answer["feeds"], answer["final"]) for event in step]


def late(answer: Answer) -> Answer:
    """All events come at the end."""
    if "message" not in answer:
        return answer
    return {**answer, "initial": [], "feeds": [[] for _ in answer["feeds"]], "final": all_events(answer)}


def early(answer: Answer) -> Answer:
    if "message" not in answer:
        return answer
    return {**answer, "initial": all_events(answer), "feeds": [[] for _ in answer["feeds"]], "final": []}


FAULTS: dict[str, Callable[[Answer], Any]] = {
    "none": lambda answer: answer,
    "late": late,
    "early": early,
    "another message": lambda answer: {**answer, "message": {"content": "?"}} if "message" in answer else answer,
    "another error": lambda answer: {"type": "result", "id": answer["id"], "error": {"stage": "load", "kind": "x"}},
    "no result": lambda answer: {"type": "hello"},
    "no object": lambda answer: [1],
    "another id": lambda answer: {**answer, "id": 0},
    "an unknown member": lambda answer: {**answer, "extra": 1},
    "too few feeds": lambda answer: {**answer, "feeds": []},
    "an event that is none": lambda answer: {**answer, "initial": [{"type": "region_open"}]},
    "unsupported": lambda answer: {"type": "result", "id": answer["id"], "unsupported": "I don't like it"},
    "true for 1": lambda answer: {**answer, "id": True} if answer["id"] == 1 else answer,
}


def by_command_line(respond: Callable[[Mapping[str, Any]], Any], case: Case) -> Any:
    result = run_adapter(InProcessAdapter("faulty", respond), [case])
    return document.case_result(result.cases[0], Level.EVENTS)


def in_page(respond: Callable[[Mapping[str, Any]], Any], case: Case, number: int) -> Any:
    """As a page does it: all answers first, then the verdicts."""
    common = {"case": case.full_id, "hello": REFERENCE.HELLO, "seed": 0, "number": number}
    made = asked("requests", **common)
    answers: list[Any] = []
    failure = None
    for request in made["requests"]:
        try:
            answers.append(respond(request))
        except Crashed as crash:
            failure = crash.reason
            break
    return asked("judge", **common, answers=answers, failure=failure)


@pytest.mark.parametrize("fault", FAULTS)
def test_verdicts_are_those_of_the_command_line(fault: str) -> None:
    def respond(request: Mapping[str, Any]) -> Any:
        answer = REFERENCE.respond(request)
        return answer if request["type"] == "hello" else FAULTS[fault](answer)

    found = {case.full_id: in_page(respond, case, number=1) for case in CASES}
    assert found == {case.full_id: by_command_line(respond, case) for case in CASES}
    failing = sum(one["outcome"] == "failed" for one in found.values())
    assert (failing > 0) is (fault not in ("none", "late"))


def test_numbers_go_on_from_case_to_case() -> None:
    case = CASES[0]
    made = asked("requests", case=case.full_id, hello=REFERENCE.HELLO, seed=0, number=77)["requests"]
    assert [request["id"] for request in made] == list(range(77, 77 + len(made)))
    assert in_page(REFERENCE.respond, case, number=77) == by_command_line(REFERENCE.respond, case)


@pytest.mark.parametrize("answered", [0, 3])
def test_why_there_are_no_more_answers(answered: int) -> None:
    def respond(request: Mapping[str, Any]) -> Any:
        if request["type"] == "run" and request["id"] > answered:
            raise Crashed("timed out after 5 s")
        return REFERENCE.respond(request)

    case = CASES[0]
    found = in_page(respond, case, number=1)
    assert found["outcome"] == "failed"
    assert found["runs"] == answered + 1
    assert [failure["reason"] for failure in found["failures"]] == ["timed out after 5 s"]


def test_what_an_implementation_lacks() -> None:
    case = next(case for case in suite() if "json" in case.needs and case.required)
    hello = {**REFERENCE.HELLO, "contents": ["text"]}
    made = asked("requests", case=case.full_id, hello=hello, seed=0, number=1)
    assert made["requests"] == []
    assert "json" in made["lacks"]
    found = asked("judge", case=case.full_id, hello=hello, seed=0, number=1, answers=[], failure=None)
    assert (found["outcome"], found["lacks"], found["runs"]) == ("unsupported", made["lacks"], 0)


def test_a_dialect_gets_its_patterns_once() -> None:
    case = next(case for case in suite() if case.required and case.expect.parses and len(case.text) > 20)
    made = asked("requests", case=case.full_id, hello={**REFERENCE.HELLO, "dialect": "java"}, seed=0, number=1)
    assert ["patterns" in request for request in made["requests"]] == [True, *[False] * (len(made["requests"]) - 1)]


@pytest.mark.parametrize("hello", [None, {}, {**REFERENCE.HELLO, "protocol": 2}, {**REFERENCE.HELLO, "extra": 1}])
def test_a_hello_that_is_none_is_refused(hello: Any) -> None:
    found = asked("requests", case=CASES[0].full_id, hello=hello, seed=0, number=1)
    assert found["error"]["kind"] == "hello"


def test_the_list_of_cases() -> None:
    found = asked("suite")
    sealed = identity.identity(suite())
    assert (found["version"], found["digest"]) == (sealed.version, sealed.digest)
    assert [head["id"] for head in found["cases"]] == [case.full_id for case in suite()]
    assert sum(head["required"] for head in found["cases"]) == sealed.required


def test_the_reference_passes_in_place() -> None:
    for case in [case for case in suite() if case.required][::40]:
        found = asked("run", case=case.full_id, seed=0)
        assert found["outcome"] == "passed", case.full_id
        assert found == by_command_line(REFERENCE.respond, case)


def test_the_report_is_that_of_the_command_line() -> None:
    cases = sorted({*CASES}, key=suite().index)

    def respond(request: Mapping[str, Any]) -> Any:
        answer = REFERENCE.respond(request)
        return answer if request["type"] == "hello" else late(answer)

    settings = Settings(Level.PROMPT)
    expected = document.document(
        cases, [run_adapter(InProcessAdapter("faulty", respond), cases)], settings, identity.identity(suite())
    )
    results = [in_page(respond, case, number=1) for case in cases]
    given = {"adapter": "faulty", "hello": REFERENCE.HELLO, "seed": 0, "level": "prompt", "filter": [], "seconds": 5.0}
    found = asked("report", **given, results=results, asked=[case.full_id for case in cases], interrupted=False)
    assert {**found, "created": ""} == {**json.loads(json.dumps(expected)), "created": ""}
    assert schemas.first_fault(found, "report") is None
    stopped = asked("report", **given, results=results[:1], asked=[case.full_id for case in cases], interrupted=True)
    assert stopped["interrupted"]
    assert stopped["implementations"][0]["missing"] == len(cases) - 1
