"""The verdicts: what is wrong, what is early, what is late, and that cutting alone changes nothing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance.cases.chunkings import chunkings
from antiphon_conformance.implementations.protocol import AdapterError
from antiphon_conformance.judging.compare import Comparison, Level, compare
from antiphon_conformance.judging.timing import Lag
from made_up import chunk, closed, cut, make_case, opened, result

HI = ([opened("content"), chunk("content", "h")], [chunk("content", "i")])
END = [closed("content", "hi")]


def judge(folder: Path, chunks: tuple[str, ...], came: Any, **members: Any) -> Comparison:
    return compare(make_case(folder, **members), cut(*chunks), came)


def reasons(comparison: Comparison) -> dict[str, str]:
    return {finding.level.value: finding.reason for finding in comparison.findings}


def test_prompt_events_have_no_lag(tmp_path: Path) -> None:
    verdict = judge(tmp_path, ("h", "i"), result(feeds=HI, final=END))
    assert verdict == Comparison(True, True, True, Lag(0, 0))


def test_division_into_chunks_is_free(tmp_path: Path) -> None:
    feed = [opened("content"), chunk("content", "h"), chunk("content", "i")]
    assert judge(tmp_path, ("hi",), result(feeds=[feed], final=END)).prompt is True


def test_what_comes_later_has_a_lag_in_code_points(tmp_path: Path) -> None:
    """`h` and its open come one code point late; the close comes when it is due."""
    feeds: Any = ([], [opened("content"), chunk("content", "hi")])
    verdict = judge(tmp_path, ("h", "i"), result(feeds=feeds, final=END))
    assert (verdict.message, verdict.events, verdict.prompt) == (True, True, False)
    assert verdict.lag == Lag(max=1, total=2)
    assert reasons(verdict) == {"prompt": 'late: region_open of "content" came at 2, is due at 1'}


def test_lag_counts_from_the_feed_that_could_have_brought_it(tmp_path: Path) -> None:
    """In one piece nothing can come before the text is there."""
    verdict = judge(tmp_path, ("hi",), result(feeds=[[opened("content"), chunk("content", "hi")]], final=END))
    assert verdict.lag == Lag(0, 0)


def test_finalizing_is_a_step_beyond_the_text(tmp_path: Path) -> None:
    """The open and two code points, due at 1, 1 and 2, come at 3."""
    final = [opened("content"), chunk("content", "hi"), *END]
    verdict = judge(tmp_path, ("h", "i"), result(feeds=([], []), final=final))
    assert verdict.lag == Lag(max=2, total=2 + 2 + 1)


def test_later_by_an_empty_feed_is_late_without_lag(tmp_path: Path) -> None:
    feeds: Any = ([opened("content"), chunk("content", "h")], [], [chunk("content", "i")], [])
    late: Any = ([opened("content")], [chunk("content", "h")], [chunk("content", "i")], [])
    assert judge(tmp_path, ("h", "", "i", ""), result(feeds=feeds, final=END)).prompt is True
    verdict = judge(tmp_path, ("h", "", "i", ""), result(feeds=late, final=END))
    assert (verdict.prompt, verdict.lag) == (False, Lag(0, 0))


def test_early_events_are_wrong(tmp_path: Path) -> None:
    feeds = ([opened("content"), chunk("content", "h")], [chunk("content", "i"), *END])
    verdict = judge(tmp_path, ("h", "i"), result(feeds=feeds))
    assert (verdict.message, verdict.events, verdict.prompt, verdict.lag) == (True, False, None, None)
    assert reasons(verdict)["events"].startswith('early: region_close of "content" came at 2, is due at end')


def test_early_code_points_are_wrong(tmp_path: Path) -> None:
    """A text due one by one, all of it with the first code point: the second is the first that is early."""
    feeds: Any = ([opened("content"), chunk("content", "hi")], [])
    verdict = judge(tmp_path, ("h", "i"), result(feeds=feeds, final=END))
    assert reasons(verdict)["events"].startswith('early: code point 1 of the region_chunk of "content" came at 1')


def test_held_text_is_due_at_once(tmp_path: Path) -> None:
    """`<x` is held as a possible `<t>` until `x` comes: one moment for both code points."""
    expect = {
        "message": {"content": "<x"},
        "events": [opened("content", 2), chunk("content", "<x", 2), closed("content", "<x", "end")],
    }
    final = [closed("content", "<x")]
    held: Any = ([], [opened("content"), chunk("content", "<x")])
    unheld = ([opened("content"), chunk("content", "<")], [chunk("content", "x")])
    message: Any = {"content": "<x"}
    good = judge(tmp_path, ("<", "x"), result(feeds=held, final=final, message=message), text="<x", expect=expect)
    bad = judge(tmp_path, ("<", "x"), result(feeds=unheld, final=final, message=message), text="<x", expect=expect)
    assert (good.prompt, bad.events) == (True, False)


@pytest.mark.parametrize(
    ("feed", "reason"),
    [
        ([opened("think"), chunk("think", "hi")], "expected region_open content, got region_open think"),
        ([opened("content"), chunk("content", "ho")], 'region_chunk of "content" at /text: expected "hi", got "ho"'),
        ([opened("content"), {**chunk("content", "hi"), "dirty": True}], "at /dirty: expected false, got true"),
        ([opened("content")], 'expected region_chunk content "hi", got region_close content "hi"'),
        ([opened("content"), chunk("content", ""), chunk("content", "hi")], 'expected "hi", got ""'),
    ],
)
def test_wrong_events(tmp_path: Path, feed: list[Any], reason: str) -> None:
    verdict = judge(tmp_path, ("hi",), result(feeds=[feed], final=END))
    assert (verdict.message, verdict.events) == (True, False)
    assert reason in reasons(verdict)["events"]


def test_missing_and_surplus_events(tmp_path: Path) -> None:
    missing = judge(tmp_path, ("hi",), result(feeds=[[opened("content"), chunk("content", "hi")]]))
    surplus = judge(tmp_path, ("hi",), result(feeds=[[opened("content"), chunk("content", "hi")]], final=END + END))
    assert reasons(missing)["events"].endswith("got no further event")
    assert "expected no further event" in reasons(surplus)["events"]


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ({"a": 1, "b": [1.5]}, {"b": [1.5], "a": 1.0}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 0}, {"a": False}, False),
        ({"a": None}, {}, False),
        ({"a": "1"}, {"a": 1}, False),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ({"a": 2**53 + 1}, {"a": float(2**53)}, False),
        ({"a": []}, {"a": {}}, False),
    ],
)
def test_messages_are_compared_as_json(tmp_path: Path, expected: Any, got: Any, same: bool) -> None:
    """LEVEL-4."""
    verdict = judge(tmp_path, ("hi",), result(feeds=[[]], message=got), expect={"message": expected})
    assert verdict.message is same


def test_deep_values_are_compared(tmp_path: Path) -> None:
    deep: Any = 1
    for _ in range(20_000):
        deep = [deep]
    assert judge(tmp_path, (), result(message={"a": deep}), text="", expect={"message": {"a": 1}}).message is False


def test_a_case_without_moments_judges_the_sequence_only(tmp_path: Path) -> None:
    events = [opened("content"), chunk("content", "hi"), closed("content", "hi")]
    expect = {"message": {"content": "hi"}, "events": events}
    came = result(feeds=[[]], final=events)
    verdict = judge(tmp_path, ("hi",), came, expect=expect)
    assert verdict == Comparison(True, True)


def test_promptness_is_only_recommended_for_conservative_constructs(tmp_path: Path) -> None:
    """DUE-4: the lag is told, but isn't judged."""
    late = result(feeds=([], []), final=[opened("content"), chunk("content", "hi"), *END])
    held = {"start_anchor": "<bot>", "fields": {"content": {"close_pattern": "(?>x|xy)z"}}}
    verdict = judge(tmp_path, ("h", "i"), late, template=held)
    assert (verdict.events, verdict.prompt, verdict.lag) == (True, None, Lag(2, 5))


LOAD = {"error": {"stage": "load", "kind": "unknown-key", "pointer": "/opne"}}
PARSE: Any = {
    "events": [opened("content", 1), chunk("content", "h", 1)],
    "error": {"stage": "parse", "kind": "json-syntax", "at": 2},
}


@pytest.mark.parametrize(
    ("expect", "error", "right"),
    [
        (LOAD, AdapterError("load", "unknown-key", "/opne"), True),
        (LOAD, AdapterError("load"), True),
        (LOAD, AdapterError("load", "wrong-type", "/opne"), False),
        (LOAD, AdapterError("load", "unknown-key", "/fields"), False),
        (LOAD, AdapterError("feed", "unknown-key"), False),
        (PARSE, AdapterError("feed", "json-syntax"), True),
        (PARSE, AdapterError("finalize"), True),
        (PARSE, AdapterError("load", "json-syntax"), False),
        (PARSE, AdapterError("feed", "int-syntax"), False),
        ({"loads": True}, AdapterError("finalize", "field-missing"), True),
        ({"loads": True}, AdapterError("load"), False),
        ({"message": {}}, AdapterError("feed"), False),
    ],
)
def test_errors_by_stage_kind_and_pointer(tmp_path: Path, expect: Any, error: AdapterError, right: bool) -> None:
    """Where an implementation has no kinds or pointers, only the stage is judged."""
    feeds = [PARSE["events"][0:1]] if error.stage != "load" else []
    assert judge(tmp_path, ("hi",), result(feeds=feeds, error=error), expect=expect).message is right


def test_no_error_where_one_is_due(tmp_path: Path) -> None:
    assert judge(tmp_path, ("hi",), result(feeds=[[]]), expect=LOAD).message is False
    assert judge(tmp_path, ("hi",), result(feeds=[[]]), expect=PARSE).message is False


@pytest.mark.parametrize(
    ("stage", "feeds", "events", "prompt", "lag"),
    [
        ("feed", [[opened("content"), chunk("content", "h")], []], True, True, Lag(0, 0)),
        ("finalize", [[opened("content"), chunk("content", "h")], []], True, False, Lag(1, 1)),
        ("feed", [[opened("content"), chunk("content", "h")]], False, None, None),
        ("feed", [[], []], False, None, None),
    ],
)
def test_the_events_before_an_error_and_its_moment(
    tmp_path: Path, stage: str, feeds: Any, events: bool, prompt: bool | None, lag: Lag | None
) -> None:
    """The error is due at 2: in time, at the end, too early; and with its events lost."""
    verdict = judge(tmp_path, ("h", "i"), result(feeds=feeds, error=AdapterError(stage)), expect=PARSE)
    assert (verdict.message, verdict.events, verdict.prompt, verdict.lag) == (True, events, prompt, lag)


def test_errors_are_shown_in_reasons(tmp_path: Path) -> None:
    """One that came and one that was due."""
    surprise = result(feeds=[[opened("content")]], error=AdapterError("feed", "int-syntax", message="'h' is no number"))
    assert reasons(judge(tmp_path, ("hi",), surprise)) == {
        "message": "expected a message, got the error int-syntax (feed): 'h' is no number",
        "events": "event 2: expected region_chunk content \"hi\", got the error int-syntax (feed): 'h' is no number",
    }
    missing = judge(
        tmp_path, ("hi",), result(feeds=[[opened("content"), chunk("content", "h")]], final=END), expect=PARSE
    )
    assert reasons(missing)["events"].endswith('expected the error json-syntax (parse), got region_close content "hi"')


def test_a_case_fixes_the_events_of_every_chunking(tmp_path: Path) -> None:
    """An implementation that emits everything when due is prompt in all of them."""
    text = "<t>no</t>yes"
    expect = {
        "message": {"think": "no", "content": "yes"},
        "events": [
            opened("think", 3), chunk("think", "no", [4, 5]), closed("think", "no", 9),
            opened("content", 10), chunk("content", "yes", [10, 12]), closed("content", "yes", "end"),
        ],
    }  # fmt: skip
    case = make_case(tmp_path, text=text, expect=expect)
    atoms: list[tuple[int, Any]] = [
        (3, opened("think")), (4, chunk("think", "n")), (5, chunk("think", "o")), (9, closed("think", "no")),
        (10, opened("content")), (10, chunk("content", "y")), (11, chunk("content", "e")), (12, chunk("content", "s")),
        (13, closed("content", "yes")),
    ]  # fmt: skip
    for chunking in chunkings(case):
        steps = (0, *chunking.moments, 13)
        feeds = [[event for due, event in atoms if before < due <= now] for before, now in pairwise(steps)]
        came = result(feeds=feeds[:-1], final=feeds[-1], message=expect["message"])
        assert compare(case, chunking, came) == Comparison(True, True, True, Lag(0, 0)), chunking.name


def test_levels_are_ordered() -> None:
    assert [level.value for level in Level] == ["message", "events", "prompt"]


def test_initial_events_are_due_at_zero(tmp_path: Path) -> None:
    expect = {
        "message": {"think": "x"},
        "events": [opened("think", 0), chunk("think", "x", 1), closed("think", "x", "end")],
    }
    good = result([opened("think")], [[chunk("think", "x")]], [closed("think", "x")], message={"think": "x"})
    late = result([], [[opened("think"), chunk("think", "x")]], [closed("think", "x")], message={"think": "x"})
    members = {"prefix": "<bot><t>", "text": "x", "expect": expect}
    assert judge(tmp_path, ("x",), good, **members).prompt is True
    assert judge(tmp_path, ("x",), late, **members).lag == Lag(1, 1)
