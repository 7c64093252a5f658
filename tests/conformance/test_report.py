"""The report document and what the terminal shows."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from antiphon_conformance import schemas
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.selection import Selection
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports import summary
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.reports.figures import Tally, columns, lag_figures, tally
from antiphon_conformance.reports.markdown import table
from antiphon_conformance.reports.matrix import matrix
from antiphon_conformance.runs.runner import AdapterResult, run_adapter
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


def shown(results: list[AdapterResult], level: Level, width: int = 100, terminal: bool = False) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=terminal, no_color=True, highlight=False)
    found = report.document([case.case for case in results[0].cases], results, Settings(level))
    summary.print_results(console, columns([found]), level)
    return stream.getvalue()


@pytest.mark.parametrize("mode", ["good", "crash", "late", "unsupported", "exits_at_once"])
def test_reports_are_by_their_schema(cases: list[Case], mode: str) -> None:
    result = run_adapter(fake(mode), cases)
    document = report.document(cases, [result], Settings(Level.PROMPT, seed=3, selection=Selection(("*",))))
    assert schemas.first_fault(json.loads(json.dumps(document)), "report") is None
    assert (document["suite"]["required"], document["suite"]["optional"]) == (3, 1)


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
            "level": "message", "reason": "crashed (exit status 7)", "chunking": "whole", "runs": 1,
            "stderr": ["last words"],
        }
    ]  # fmt: skip


def test_levels_decide_what_fails(tmp_path: Path) -> None:
    """`late` gives the right events late; it conforms at level `events`."""
    source = case_source(id="bad", text="bad", expect=BAD)
    result = run_adapter(fake("late"), load_suite(write_suite(tmp_path, source)))
    found = report.document([case.case for case in result.cases], [result], Settings())["implementations"][0]
    tallies = {level.value: tally(found["cases"], level) for level in Level}
    assert tallies == {"message": Tally(1, 0, 0), "events": Tally(1, 0, 0), "prompt": Tally(0, 1, 0)}
    assert result.conforms() is Level.EVENTS
    assert found["lag"] == {"max": 3, "total": 9, "median": 3, "p95": 3, "worst": "topic/file/bad"}
    assert "conforms at level events: the one required case passes" in shown([result], Level.EVENTS)
    told = shown([result], Level.PROMPT)
    assert "does not conform at level prompt: 1 of 1 required cases fails" in told
    assert "required cases fails; it conforms at level events\n  1 by lag\n" in told
    assert "lag of a case: median 3, 95th percentile 3, worst 3 code points (topic/file/bad)" in told


def test_the_terminal_shows_table_failures_and_verdict(cases: list[Case]) -> None:
    text = shown([run_adapter(fake("good"), cases)], Level.EVENTS)
    assert "fake 1" in text
    assert "first/file/bad  REGION-1" in text
    assert "optional/file/lax" not in text
    assert "does not conform at level events: 1 of 2 required cases fails\n  1 by message or error\n" in text
    assert "  1 not judged for what it lacks\n" in text


def test_texts_of_cases_cannot_control_the_terminal(cases: list[Case]) -> None:
    """Neither markup nor control characters nor directional marks come through."""
    text = shown([run_adapter(fake("good"), cases)], Level.EVENTS)
    assert r'expected "[red]b\u001b[31mad\u202e"' in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_narrow_terminal_loses_no_numbers(cases: list[Case]) -> None:
    results = [run_adapter(fake("good"), cases)] * 4
    for width, tables in ((20, 4), (300, 1)):
        rows = [line.split() for line in shown(results, Level.EVENTS, width).splitlines() if line.startswith(" first ")]
        assert rows == [["first", "3", *["1"] * (16 // tables)]] * tables


def test_two_implementations_fit_a_terminal_of_80_columns(cases: list[Case]) -> None:
    """Side by side, and what is said below is broken at words."""
    text = shown([run_adapter(fake("good"), cases)] * 2, Level.EVENTS, width=80, terminal=True)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    assert [line.count("message") for line in lines if line.startswith(" topic")] == [2]
    below = lines[next(number for number, line in enumerate(lines) if line.startswith(" topic")) :]
    assert max(map(len, below)) <= 80


def test_lag_is_counted_by_the_worst_of_each_case() -> None:
    """Nineteen cases of twenty are within the 95th percentile; cases without a known lag don't count."""
    lags = [0] * 12 + [2] * 7 + [9]
    known = [{"id": f"c{number}", "lag": {"max": lag, "total": 2 * lag}} for number, lag in enumerate(lags)]
    found = lag_figures([{"id": "unknown", "lag": None}, *known])
    assert found is not None
    assert vars(found) == {"max": 9, "total": 46, "median": 0, "p95": 2, "worst": "c19"}
    assert lag_figures(known[:1]) == type(found)(0, 0, 0, 0, None)
    assert lag_figures([]) is None


def test_what_was_not_run_leaves_it_open_whether_it_conforms(cases: list[Case]) -> None:
    result = run_adapter(fake("good"), cases[:1])
    found = report.document(cases, [result], Settings())
    stream = io.StringIO()
    summary.print_summary(Console(file=stream, width=100), columns([found]), Level.EVENTS)
    assert "fake 1: the one required case run so far passes\n  3 cases weren't run\n" in stream.getvalue()


def test_what_never_started_is_told_in_a_line(cases: list[Case]) -> None:
    text = shown([run_adapter(fake("exits_at_once"), cases)], Level.EVENTS)
    assert text == "exits_at_once didn't start: crashed (exit status 1); it said: no such model\n"


def test_what_did_not_start_again_is_told_once(cases: list[Case]) -> None:
    """However many cases were left when that happened."""
    document = report.document(cases, [run_adapter(fake("good"), cases)], Settings())
    good, bad, *_ = document["implementations"][0]["cases"]
    left = {"level": "message", "reason": "didn't start: no memory", "chunking": "none", "runs": 1, "stderr": ["ouch"]}
    never = [{**good, "id": f"first/file/{number}", "failures": [left]} for number in range(30)]
    document["implementations"][0]["cases"] = [good, bad, *never]
    stream = io.StringIO()
    summary.print_results(Console(file=stream, width=100), columns([document]), Level.EVENTS)
    text = stream.getvalue()
    assert text.count("  ✗ ") == 2
    assert "  ✗ 30 cases, since it didn't start again\n    didn't start: no memory\n    stderr: ouch\n" in text
    assert "31 of 32 required cases fail" in text


def test_the_last_words_are_the_line_that_looks_like_an_error(cases: list[Case]) -> None:
    """Node ends with its version."""
    text = shown([run_adapter(fake("node_start"), cases)], Level.EVENTS)
    assert text.endswith("; it said: Error: Cannot find module 'x'\n")


def test_optional_cases_are_counted(cases: list[Case]) -> None:
    text = shown([run_adapter(fake("good"), cases)], Level.EVENTS)
    assert re.search(r"^ optional +1 +0 of 1 chosen *$", text, re.MULTILINE)


@pytest.mark.parametrize(("width", "lines"), [(200, 1), (30, 2)])
def test_in_a_matrix_ids_give_way_where_it_is_narrow(width: int, lines: int) -> None:
    stream = io.StringIO()
    rows = [["what is tried", "case", "one 1.0", "two"], ["d", "topic/file/with-a-very-long-name", "✓", "✗ timed out"]]
    summary.print_matrix(Console(file=stream, width=width), rows)
    heading, *told = [line.rstrip() for line in stream.getvalue().splitlines() if line.strip() and "─" not in line][1:]
    assert heading.split() == ["case", "1.0", "two"]
    assert len(told) == lines
    assert told[0].endswith("✓     ✗ timed out")
    assert "".join(line.split()[0] for line in told) == "topic/file/with-a-very-long-name"


def test_a_matrix(tmp_path: Path) -> None:
    """What an implementation lacks by hello, and what it said itself; two with one title are told apart."""
    lacking = case_source(id="b", text="bad", requires=["lookahead"], clauses=["DELIM-1"], expect=BAD)
    write_suite(tmp_path, case_source(id="a", requires=["lookbehind"]), lacking)
    cases = load_suite(tmp_path)
    document = report.document(cases, [run_adapter(fake(mode), cases) for mode in ("unsupported", "good")], Settings())
    assert table(matrix([document])) == (
        "| what is tried | case | fake 1 (unsupported) | fake 1 (good) |\n"
        "| --- | --- | --- | --- |\n"
        "| d | `topic/file/a` | lacks lookbehind | lacks lookbehind |\n"
        "| d | `topic/file/b` | unsupported: streams | ✓ |\n"
    )
    assert matrix([document], ["DELIM-*"]) == matrix([document], ["!*/a"])
    assert len(matrix([document], ["none"])) == 1
