"""The completion tool: it fills in events, finds disagreements, and writes the same bytes every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracles.case_format import compact, dump, load
from oracles.complete_suite import case_text, complete_file, main
from oracles.values import JSON

TEMPLATE = {"start_anchor": "@@", "fields": {"n": {"open": "#", "close": ";", "content": "int"}, "c": {}}}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "templates").mkdir()
    (tmp_path / "topic").mkdir()
    (tmp_path / "templates" / "numbers.json").write_text(dump(TEMPLATE), encoding="utf-8")
    return tmp_path


def case(text: JSON, expect: JSON, **more: JSON) -> dict[str, JSON]:
    return {"id": "x", "description": "", "clauses": [], "text": text, "expect": expect, **more}


def completed(suite: Path, *cases: JSON) -> tuple[list[JSON], list[str]]:
    """The cases after completion, and the disagreements as text."""
    path = suite / "topic" / "file.json"
    path.write_text(dump({"template": "numbers", "cases": list(cases)}), encoding="utf-8")
    _, after, disagreements = complete_file(path, suite)
    return load(after)["cases"], [str(disagreement) for disagreement in disagreements]


def test_events_are_filled_in(suite: Path) -> None:
    cases, disagreements = completed(suite, case("#1;a", {"message": {"n": 1, "c": "a"}}))
    assert disagreements == []
    assert cases[0]["expect"]["events"] == [
        {"type": "region_open", "field": "n", "at": 1},
        {"type": "region_chunk", "field": "n", "text": "1", "dirty": False, "at": 2},
        {"type": "region_close", "field": "n", "value": 1, "at": 3},
        {"type": "region_open", "field": "c", "at": 4},
        {"type": "region_chunk", "field": "c", "text": "a", "dirty": False, "at": 4},
        {"type": "region_close", "field": "c", "value": "a", "at": "end"},
    ]


def test_error_gets_its_moment(suite: Path) -> None:
    cases, disagreements = completed(suite, case("#x;a", {"error": {"stage": "parse", "kind": "int-syntax"}}))
    assert disagreements == []
    assert cases[0]["expect"]["error"]["at"] == 3


def test_without_timing(suite: Path) -> None:
    cases, _ = completed(suite, case("a", {"message": {"c": "a"}}, timing=False))
    assert all("at" not in event for event in cases[0]["expect"]["events"])


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("#1;", {"message": {"n": 2}}),
        ("#1;", {"message": {"n": True}}),
        ("#x;", {"message": {}}),
        ("#1;", {"error": {"stage": "parse", "kind": "int-syntax"}}),
        ("#x;", {"error": {"stage": "parse", "kind": "json-syntax"}}),
        ("#x;", {"error": {"stage": "parse", "kind": "int-syntax", "position": 2}}),
        ("#x;", {"error": {"stage": "parse", "kind": "int-syntax", "at": "end"}}),
    ],
)
def test_disagreements_name_the_case(suite: Path, text: str, expect: JSON) -> None:
    cases, disagreements = completed(suite, case(text, expect))
    assert len(disagreements) == 1
    assert disagreements[0].startswith("topic/file/x\n")
    assert {key: cases[0]["expect"][key] for key in expect if key != "error"} == {
        key: value for key, value in expect.items() if key != "error"
    }


@pytest.mark.parametrize(
    "unparsed",
    [
        case("", {"error": {"stage": "load", "kind": "unknown-key", "pointer": "/x"}}),
        case("", {"loads": True}),
        case("#1_0;", {"message": {"n": 10}}, reason="laxer"),
    ],
)
def test_cases_that_are_left_alone(suite: Path, unparsed: JSON) -> None:
    assert completed(suite, unparsed) == ([unparsed], [])


def test_case_that_cannot_be_run_hides_no_other(suite: Path) -> None:
    cases, disagreements = completed(suite, case("a", {"message": {}}, template="none"), case("a", {"message": {}}))
    assert (len(cases), len(disagreements)) == (2, 2)


def test_long_texts(suite: Path) -> None:
    text = ["#1;", {"repeat": "ab", "times": 3000}]
    assert case_text({"text": text}) == "#1;" + "ab" * 3000
    cases, disagreements = completed(suite, case(text, {"message": {"n": 1, "c": "ab" * 3000}}, timing=False))
    assert disagreements == []
    assert "events" not in cases[0]["expect"]


def test_check_changes_nothing_and_a_second_run_neither(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = suite / "topic" / "file.json"
    path.write_text(dump({"template": "numbers", "cases": [case("a", {"message": {"c": "a"}})]}), encoding="utf-8")
    before = path.read_bytes()
    arguments = ["--suite", str(suite)]
    assert main(["--check", *arguments]) == 1
    assert path.read_bytes() == before
    assert main(arguments) == 0
    after = path.read_bytes()
    assert (after != before, main(["--check", *arguments]), path.read_bytes() == after) == (True, 0, True)


def test_format_keeps_values_and_shows_what_cannot_be_seen() -> None:
    text = '{"events": [{"a": "\\u0000\\ufeff\\ud800é😀\\u00a0"}, {}], "n": [1.0, 1e3, 12345678901234567890]}'
    assert dump(load(text)) == (
        '{\n  "events": [\n    {"a": "\\u0000\\ufeff\\ud800é😀\\u00a0"},\n    {}\n  ],\n'
        '  "n": [1.0, 1e3, 12345678901234567890]\n}\n'
    )
    assert load(dump(load(text))) == load(text)


def test_long_values_are_broken_up() -> None:
    document = {"a": {"b": ["x" * 60, "y" * 60]}, "c": {}}
    lines = dump(document).splitlines()
    assert max(map(len, lines)) <= 120
    assert load(dump(document)) == document
    assert load(compact(document)) == document
