"""Timelines: what was due beside what came, step by step, and the mark at what is wrong first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from antiphon_conformance import schemas
from antiphon_conformance.implementations.protocol import AdapterError, Result
from antiphon_conformance.judging.compare import Run
from antiphon_conformance.judging.difference import abridged, moments_of
from antiphon_conformance.reports.timeline import Gap, Row, Timeline, as_json, diff_lines, folded, timeline
from made_up import chunk, closed, cut, make_case, opened, result

END = [closed("content", "hi")]
OPEN, CLOSE, MESSAGE = "region_open content", 'region_close content "hi"', 'message {"content": "hi"}'
FAILS: dict[str, Any] = {
    "events": [opened("content", 1), chunk("content", "h", 1)],
    "error": {"stage": "parse", "kind": "json-syntax"},
}
FAILS["error"]["at"] = 2


def rows(folder: Path, chunks: tuple[str, ...], came: Result | None, **members: Any) -> Timeline:
    return timeline(Run(make_case(folder, **members), cut(*chunks), came))


def sides(found: Timeline) -> list[tuple[str, str | None, str | None]]:
    """Step, expected and got of each row; the marked one with a ! in front of its step."""
    return [
        ("!" * row.first + row.step, row.expected, row.got) if isinstance(row, Row) else ("gap", None, None)
        for row in found
    ]


def test_what_is_right_has_no_mark(tmp_path: Path) -> None:
    feeds = ([opened("content"), chunk("content", "h")], [chunk("content", "i")])
    found = rows(tmp_path, ("h", "i"), result(feeds=feeds, final=END))
    assert found == (
        Row(OPEN, OPEN, "feed 1", "1", '"h"', "1"),
        Row('region_chunk content "h"', 'region_chunk content "h"', "feed 1", "1", due="1"),
        Row('region_chunk content "i"', 'region_chunk content "i"', "feed 2", "2", '"i"', "2"),
        Row(CLOSE, CLOSE, "end", "end", due="end"),
        Row(MESSAGE, MESSAGE, "end", "end", due="end"),
    )


def test_division_into_chunks_within_a_feed_is_not_shown(tmp_path: Path) -> None:
    feed = [opened("content"), chunk("content", "h"), chunk("content", "i")]
    found = rows(tmp_path, ("hi",), result(feeds=[feed], final=END))
    assert all(isinstance(row, Row) and row.alike for row in found)
    assert isinstance(found[1], Row) and found[1].due == "1..2"


def test_what_is_late_stands_in_the_step_in_which_it_was_due_and_in_that_in_which_it_came(tmp_path: Path) -> None:
    feeds: Any = ([], [opened("content"), chunk("content", "hi")])
    assert sides(rows(tmp_path, ("h", "i"), result(feeds=feeds, final=END))) == [
        ("!feed 1", OPEN, None),
        ("feed 1", 'region_chunk content "h"', None),
        ("feed 2", None, OPEN),
        ("feed 2", 'region_chunk content "i"', 'region_chunk content "hi"'),
        ("end", CLOSE, CLOSE),
        ("end", MESSAGE, MESSAGE),
    ]


def test_what_is_early_is_marked_where_it_came(tmp_path: Path) -> None:
    feed = [opened("content"), chunk("content", "hi"), *END]
    assert sides(rows(tmp_path, ("hi",), result(feeds=[feed])))[2:] == [
        ("!feed 1", None, CLOSE),
        ("end", CLOSE, None),
        ("end", MESSAGE, MESSAGE),
    ]


def test_a_wrong_event_goes_before_what_is_only_late(tmp_path: Path) -> None:
    """The open is late, but the text is wrong: that is what to look at."""
    feeds: Any = ([], [opened("content"), chunk("content", "ho")])
    found = sides(rows(tmp_path, ("h", "i"), result(feeds=feeds, final=END)))
    assert [row for row in found if row[0].startswith("!")] == [
        ("!feed 2", 'region_chunk content "i"', 'region_chunk content "ho"')
    ]


def test_the_mark_is_at_the_code_point_that_differs(tmp_path: Path) -> None:
    feeds: Any = ([opened("content"), chunk("content", "h")], [chunk("content", "o")])
    found = sides(rows(tmp_path, ("h", "i"), result(feeds=feeds, final=END)))
    assert [row[0] for row in found] == ["feed 1", "feed 1", "!feed 2", "end", "end"]


def test_a_wrong_message_is_marked_at_the_end(tmp_path: Path) -> None:
    feed = [opened("content"), chunk("content", "hi")]
    found = rows(tmp_path, ("hi",), result(feeds=[feed], final=END, message={"content": "ho"}))
    assert sides(found)[-1] == ("!end", MESSAGE, 'message {"content": "ho"}')


def test_values_that_are_equal_as_json_are_shown_alike(tmp_path: Path) -> None:
    """`1.0` is 1 (LEVEL-4)."""
    expect = {"message": {"content": 1}, "events": [opened("content", 1), closed("content", 1, "end")]}
    came = result(feeds=[[opened("content")]], final=[closed("content", 1.0)], message={"content": 1.0})
    found = rows(tmp_path, ("1",), came, text="1", expect=expect)
    assert all(isinstance(row, Row) and row.alike for row in found)


def test_errors_stand_where_they_were_due_and_where_they_came(tmp_path: Path) -> None:
    """One that is right is shown as the case has it."""
    late: Any = [[opened("content"), chunk("content", "h")], []]
    error = AdapterError("finalize", "json-syntax", message="no")
    shown = "error json-syntax (parse)"
    found = rows(tmp_path, ("h", "i"), result(feeds=late, error=error), expect=FAILS)
    assert sides(found)[2:] == [("!feed 2", shown, None), ("end", None, shown)]
    wrong = rows(tmp_path, ("h", "i"), result(feeds=late[:1], error=AdapterError("feed", "x")), expect=FAILS)
    assert sides(wrong)[2:] == [("!feed 1", None, "error x (feed)"), ("feed 2", shown, None)]


def test_loading_is_one_row(tmp_path: Path) -> None:
    expect = {"error": {"stage": "load", "kind": "unknown-key", "pointer": "/x"}}
    refused = result(error=AdapterError("load", "unknown-key", "/x"))
    due = 'error unknown-key (load) pointer "/x"'
    assert sides(rows(tmp_path, ("hi",), refused, expect=expect)) == [("start", due, due)]
    accepted = rows(tmp_path, ("hi",), result(feeds=[[]], message={}), expect=expect)
    assert sides(accepted) == [("!start", due, "the template loads")]


def test_without_moments_the_sequences_are_beside_each_other(tmp_path: Path) -> None:
    expect = {"message": {"content": "hi"}, "events": [opened("content"), chunk("content", "hi"), *END]}
    feeds: Any = ([], [opened("content"), chunk("content", "hi")])
    found = rows(tmp_path, ("h", "i"), result(feeds=feeds), expect=expect, timing=False)
    assert found == (
        Row(OPEN, OPEN, came="2"),
        Row('region_chunk content "hi"', 'region_chunk content "hi"', came="2"),
        Row(CLOSE, None, first=True),
        Row(MESSAGE, MESSAGE, came="end"),
    )


def test_without_an_answer_only_what_is_due_is_shown(tmp_path: Path) -> None:
    found = sides(rows(tmp_path, ("h", "i"), None))
    assert found[0] == ("feed 1", OPEN, None)
    assert not any(step.startswith("!") or got for step, _, got in found)


def test_stretches_without_a_difference_are_folded(tmp_path: Path) -> None:
    text = "a" * 50
    events = [opened("content", 1), chunk("content", text, [1, 50]), closed("content", text, "end")]
    expect = {"message": {"content": text}, "events": events}
    feeds: list[list[Any]] = [[chunk("content", "a")] for _ in text]
    feeds[0].insert(0, opened("content"))
    feeds[30], feeds[31] = [], [chunk("content", "aa")]
    came = result(feeds=feeds, final=[closed("content", text)], message={"content": text})
    found = rows(tmp_path, tuple(text), came, text=text, expect=expect)
    short = folded(found)
    assert len(found) == 53
    assert [row for row in short if isinstance(row, Gap)] == [Gap(27, alike=True), Gap(16, alike=True)]
    assert [row.step for row in short if isinstance(row, Row) and row.first] == ["feed 31"]
    assert sum(1 if isinstance(row, Row) else row.left_out for row in short) == len(found)
    assert schemas.first_fault(as_json(short), "report", "timeline") is None


def test_too_many_differences_are_cut_around_the_first(tmp_path: Path) -> None:
    text = "a" * 300
    events = [opened("content", 1), chunk("content", text, [1, 300]), closed("content", text, "end")]
    final = [opened("content"), chunk("content", text), closed("content", text)]
    came = result(feeds=[[]] * 300, final=final, message={"content": text})
    expect = {"message": {"content": text}, "events": events}
    short = folded(rows(tmp_path, tuple(text), came, text=text, expect=expect), 20)
    assert len([row for row in short if isinstance(row, Row)]) <= 20
    assert isinstance(short[0], Row) and short[0].first
    assert any(isinstance(row, Gap) and not row.alike for row in short)


def test_the_rows_as_a_diff(tmp_path: Path) -> None:
    feeds: Any = ([], [opened("content"), chunk("content", "hi")])
    found = folded(rows(tmp_path, ("h", "i"), result(feeds=feeds, final=END)))
    assert diff_lines(as_json(found))[:3] == [
        "- feed 1  region_open content",
        '- feed 1  region_chunk content "h"',
        "+ feed 2  region_open content",
    ]
    assert diff_lines(as_json(found))[-1] == '  end     message {"content": "hi"}'
    assert diff_lines([{"left_out": 3, "alike": True}]) == ["  … 3 more …"]


def test_long_lines_keep_what_differs() -> None:
    left, right = "x" * 500 + "one" + "y" * 500, "x" * 500 + "two" + "y" * 500
    shown = abridged(left, right, 160)
    assert all(
        line is not None and len(line) < 220 and word in line for line, word in zip(shown, ("one", "two"), strict=True)
    )
    assert abridged(left, left, 160)[0] == abridged(left, left, 160)[1]
    assert abridged("short", None, 160) == ("short", None)


def test_moments_in_few_words() -> None:
    assert moments_of([4], 20) == "4"
    assert moments_of([4, 5, 6, 7], 20) == "4..7"
    assert moments_of([4, 4, 9], 20) == "4×2,9"
    assert moments_of([20], 20) == "end"
    assert moments_of([], 20) == ""
    assert moments_of([1, 3, 5, 7, 9, 11, 13], 20) == "1,3,5,…,11,13"
