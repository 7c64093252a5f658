"""The report document and what the terminal shows."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from antiphon_conformance import report, schemas, terminal
from antiphon_conformance.case import Case
from antiphon_conformance.compare import Level
from antiphon_conformance.report import Settings, Tally, tally
from antiphon_conformance.runner import AdapterResult, run_adapter
from antiphon_conformance.suite import load_suite
from made_up import BAD, case_source, fake, write_suite
from rich.console import Console

WRONG = {"text": "bad", "expect": {"message": {"content": "[red]b\x1b[31mad\u202e"}}}


@pytest.fixture
def cases(tmp_path: Path) -> list[Case]:
    write_suite(
        tmp_path,
        case_source(id="good"),
        case_source(id="bad", **WRONG),
        case_source(id="lacks", requires=["lookbehind"]),
        name="first/file",
    )
    return load_suite(write_suite(tmp_path, case_source(id="lax", reason="r", **WRONG), name="optional/file"))


def shown(results: list[AdapterResult], level: Level, width: int = 100) -> str:
    stream = io.StringIO()
    terminal.print_results(Console(file=stream, width=width), results, level)
    return stream.getvalue()


@pytest.mark.parametrize("mode", ["good", "crash", "late", "unsupported", "exits_at_once"])
def test_reports_are_by_their_schema(cases: list[Case], mode: str, tmp_path: Path) -> None:
    result = run_adapter(fake(mode), cases)
    document = report.document(cases, [result], Settings(Level.PROMPT, seed=3, filter="*"))
    report.write(tmp_path / "report.json", document)
    written = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert schemas.first_fault(written, "report") is None
    assert written["suite"] == {"required": 3, "optional": 1}


def test_what_a_report_says(cases: list[Case]) -> None:
    document = report.document(cases, [run_adapter(fake("crash"), cases)], Settings())
    found = document["implementations"][0]
    assert (found["name"], found["conforms"]) == ("fake", None)
    assert found["tally"] == {"passed": 1, "failed": 1, "unsupported": 1}
    outcomes = {case["id"]: (case["required"], case["outcome"]) for case in found["cases"]}
    assert outcomes == {
        "first/file/good": (True, "passed"),
        "first/file/bad": (True, "failed"),
        "first/file/lacks": (True, "unsupported"),
        "optional/file/lax": (False, "failed"),
    }
    assert found["cases"][1]["failures"] == [
        {
            "level": "message", "reason": "crashed (exit status 7)", "chunking": "whole", "runs": 1, "diff": [],
            "stderr": ["last words"],
        }
    ]  # fmt: skip


def test_levels_decide_what_fails(tmp_path: Path) -> None:
    """`late` gives the right events late; it conforms at level `events`."""
    source = case_source(id="bad", text="bad", expect=BAD)
    result = run_adapter(fake("late"), load_suite(write_suite(tmp_path, source)))
    tallies = {level.value: tally(result.cases, level) for level in Level}
    assert tallies == {"message": Tally(1, 0, 0), "events": Tally(1, 0, 0), "prompt": Tally(0, 1, 0)}
    assert result.conforms() is Level.EVENTS
    assert "lag 3" in shown([result], Level.EVENTS)
    assert "conforms at level events: all 1 required cases pass" in shown([result], Level.EVENTS)
    assert (
        "does not conform at level prompt: 1 of 1 required cases fail (1 by lag); it conforms at level events"
        in shown([result], Level.PROMPT)
    )


def test_the_terminal_shows_table_failures_and_verdict(cases: list[Case]) -> None:
    text = shown([run_adapter(fake("good"), cases)], Level.EVENTS)
    assert "fake 1" in text
    assert "first/file/bad  REGION-1" in text
    assert "optional/file/lax" not in text
    assert "does not conform at level events: 1 of 2 required cases fail (1 by message or error); 1 not judged" in text


def test_texts_of_cases_cannot_control_the_terminal(cases: list[Case]) -> None:
    """Neither markup nor control characters nor directional marks come through."""
    text = shown([run_adapter(fake("good"), cases)], Level.EVENTS)
    assert r'expected "[red]b\u001b[31mad\u202e"' in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_narrow_terminal_loses_no_numbers(cases: list[Case]) -> None:
    results = [run_adapter(fake("good"), cases)] * 4
    assert shown(results, Level.EVENTS, width=20).count("1 ✓") == shown(results, Level.EVENTS, width=300).count("1 ✓")


def test_what_never_started_is_told_in_a_line(cases: list[Case]) -> None:
    text = shown([run_adapter(fake("exits_at_once"), cases)], Level.EVENTS)
    assert text == "exits_at_once didn't start: crashed (exit status 1); it said: no such model\n"


def test_the_last_words_are_the_line_that_looks_like_an_error(cases: list[Case]) -> None:
    """Node ends with its version."""
    text = shown([run_adapter(fake("node_start"), cases)], Level.EVENTS)
    assert text.endswith("; it said: Error: Cannot find module 'x'\n")


def test_optional_cases_are_counted(cases: list[Case]) -> None:
    text = shown([run_adapter(fake("good"), cases)], Level.EVENTS)
    assert re.search(r"^ optional \(not required\) +1 +0 of 1 chosen *$", text, re.MULTILINE)


def test_a_matrix(tmp_path: Path) -> None:
    """What an implementation lacks by hello, and what it said itself; two with one title are told apart."""
    lacking = case_source(id="b", text="bad", requires=["lookahead"], clauses=["DELIM-1"], expect=BAD)
    write_suite(tmp_path, case_source(id="a", requires=["lookbehind"]), lacking)
    cases = load_suite(tmp_path)
    document = report.document(cases, [run_adapter(fake(mode), cases) for mode in ("unsupported", "good")], Settings())
    assert report.markdown(report.matrix([document])) == (
        "| what is tried | case | fake 1 (unsupported) | fake 1 (good) |\n"
        "| --- | --- | --- | --- |\n"
        "| d | `topic/file/a` | lacks lookbehind | lacks lookbehind |\n"
        "| d | `topic/file/b` | unsupported: streams | ✓ |\n"
    )
    assert report.matrix([document], "DELIM-*") == report.matrix([document], "*/b")
    assert len(report.matrix([document], "none")) == 1
