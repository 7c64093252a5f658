"""The exported suite: lines by their schema, and the loop of suite/README.md gives the runner's verdicts with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from antiphon_conformance import resources, schemas
from antiphon_conformance.cases import expansion, identity
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.implementations.protocol import Result, run_request
from antiphon_conformance.judging.compare import compare
from antiphon_conformance.judging.json_values import equal

FOLDER = resources.find("suite")
SUITE = {case.full_id: case for case in load_suite()}
LINES = list(expansion.lines(expansion.Wish()))
README = (FOLDER / "README.md").read_text("utf-8")
Steps = list[list[Any]]


def loop() -> dict[str, Any]:
    """The functions of the README's loop."""
    code = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[0]
    names: dict[str, Any] = {"json": json, "same": equal}
    exec(code, names)
    return names


def test_every_line_is_by_the_schema() -> None:
    assert LINES[0]["type"] == "suite"
    faults = [(line.get("id"), schemas.first_fault(line, "export", line["type"])) for line in LINES]
    assert [fault for fault in faults if fault[1] is not None] == []


def test_it_has_every_case_and_the_chunks_are_the_text() -> None:
    assert [line["id"] for line in LINES[1:]] == list(SUITE)
    for line in LINES[1:]:
        case = SUITE[line["id"]]
        assert bool(line["runs"]) == case.expect.parses
        assert {"".join(run["chunks"]) for run in line["runs"]} <= {case.text}


def test_suite_json_is_up_to_date() -> None:
    """Else: `make suite`; and a new version with its entry in CHANGELOG.md."""
    text = (FOLDER / identity.FILE).read_text("utf-8")
    assert text == identity.sealed(SUITE.values(), FOLDER)
    assert schemas.first_fault(json.loads(text), "suite") is None


def test_the_newest_entry_of_the_changelog_is_the_version() -> None:
    entries = re.findall(r"^## ([0-9.]+)", (FOLDER / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert entries[0] == LINES[0]["version"]


def as_it_is(result: Result, steps: Steps) -> Steps:
    return steps


def all_at_the_end(result: Result, steps: Steps) -> Steps:
    return [*([] for _ in steps[1:]), [event for step in steps for event in step]]


def all_at_once(result: Result, steps: Steps) -> Steps:
    return [[event for step in steps for event in step], *([] for _ in steps[1:])]


def without_closes(result: Result, steps: Steps) -> Steps:
    return [[event for event in step if event["type"] != "region_close"] for step in steps]


def one_step_late(result: Result, steps: Steps) -> Steps:
    return [[], *steps[:-2], [event for step in steps[-2:] for event in step]] if len(steps) > 1 else steps


@pytest.mark.parametrize("spoilt", [as_it_is, all_at_the_end, all_at_once, without_closes, one_step_late])
def test_the_loop_gives_the_verdicts_of_the_runner(spoilt: Callable[[Result, Steps], Steps]) -> None:
    """For the reference, and for parsers made from it that are late, early or wrong, in every case without an error."""
    judge = loop()["judge"]
    adapter = make_adapter("reference")
    seen = set()
    for line in LINES[1:]:
        case = SUITE[line["id"]]
        if "error" in line or not line["required"]:
            continue
        for run in line["runs"]:
            chunking = Chunking(run["chunking"], tuple(run["chunks"]))
            result = adapter.run(run_request(1, case, chunking))
            steps = spoilt(result, [list(events) for events in (result.initial, *result.feeds, result.final)])
            changed = Result(tuple(steps[0]), tuple(map(tuple, steps[1:-1])), tuple(steps[-1]), result.message)
            by_runner = {finding.level.value for finding in compare(case, chunking, changed).findings}
            assert judge(line, run, steps, {"message": result.message}) == by_runner, (case.full_id, chunking.name)
            seen |= by_runner
    expected = {"as_it_is": set(), "all_at_the_end": {"prompt"}, "one_step_late": {"prompt"}}
    assert seen == expected.get(spoilt.__name__, {"events"})


def test_the_loop_tells_cases_that_fail(capsys: pytest.CaptureFixture[str]) -> None:
    names = loop()
    adapter = make_adapter("reference")

    def play(case: Any, chunks: list[str]) -> tuple[Steps, Any]:
        request = {"type": "run", "id": 1, "chunks": chunks}
        request |= {name: case[name] for name in ("template", "prefix", "tools", "options")}
        result = adapter.run(request)
        steps = [list(events) for events in (result.initial, *result.feeds, result.final)]
        if not case["runs"] and (result.error is None or result.error.stage != "load"):
            return steps, {"loads": True}
        if result.error is None:
            return steps, {"message": result.message}
        told = {name: getattr(result.error, name) for name in case.get("error", {}) if name != "stage"}
        stage = "load" if result.error.stage == "load" else "parse"
        return steps, {"error": {"stage": stage, **told}}

    names["play"] = play
    has = set(adapter.hello().capabilities)
    names["judge_all"](map(json.dumps, LINES), has)
    assert capsys.readouterr().out == ""
    names["play"] = lambda case, chunks: ([[] for _ in range(len(chunks) + 2)], {"message": {}})
    names["judge_all"](map(json.dumps, LINES), has)
    assert len(capsys.readouterr().out.splitlines()) > 1000
