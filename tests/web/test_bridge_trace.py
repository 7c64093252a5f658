"""The trace of a stream says what the suite says is due, and an edited one what a new one would say."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import antiphon
import pytest
from antiphon_conformance.cases.case import Case, ExpectedEvent
from antiphon_conformance.judging.json_values import equal
from antiphon_conformance.judging.trace import expected_trace
from antiphon_web import observing, tracing
from support import examples

from web.calls import asked, stream, stream_of, traceable


def trace_of(request: dict[str, Any]) -> Any:
    return asked("trace", **request, milliseconds=60_000)


def merged(events: list[Any]) -> list[tuple[Any, list[int]]]:
    """Events of an answer, chunks merged, each with the moments of its code points."""
    found = expected_trace(ExpectedEvent(one["event"], one["first"], one["last"]) for one in events)
    return [(one.event, one.each) for one in found]


def is_as_due(case: Case, found: Any) -> bool:
    """Whether a trace is what a case expects, moment by moment."""
    expect = case.expect
    due = [(one.event, one.each) for one in expected_trace(expect.events or ())]
    got = merged(found["events"])
    if len(due) != len(got) or not all(
        equal(one[0], other[0]) and one[1] == other[1] for one, other in zip(due, got, strict=True)
    ):
        return False
    error = found["error"]
    if expect.error is None:
        return error is None and bool(found["messages"]) and equal(expect.message, found["messages"][-1]["message"])
    return error is not None and (error["kind"], error["at"]) == (expect.error.kind, expect.error.at)


def test_events_and_moments_are_those_of_the_suite() -> None:
    """Where patterns excuse lateness (DUE-4), the moments of a case may be earlier than the reference's."""
    cases = [case for case in traceable() if case.required and case.expect.timed and case.prompt_required]
    assert len(cases) > 3000
    wrong = [case.full_id for case in cases if not is_as_due(case, trace_of(stream_of(case)))]
    assert not wrong


def sample() -> list[Case]:
    """Some cases of every kind."""
    return [case for case in traceable() if len(case.text) < 1000][::12]


def test_spans_cover_the_text_without_gaps() -> None:
    for case in sample():
        found = trace_of(stream_of(case))
        if found["error"] is None:
            spans = [(span["start"], span["end"]) for span in found["spans"]]
            ends = [(0, 0), *spans, (len(case.text), len(case.text))]
            assert all(end == start for (_, end), (start, _) in pairwise(ends)), case.full_id


def test_what_is_held_is_not_emitted() -> None:
    """While text is held, no more region text has come than there is before it."""
    for case in [case for case in sample() if not case.prefix]:
        found = trace_of(stream_of(case))
        regions = [span for span in found["spans"] if span["kind"] == "region"]
        chunks = [moments for event, moments in merged(found["events"]) if event["type"] == "region_chunk"]
        for hold in found["holds"]:
            assert hold["by"], case.full_id
            assert hold["from"] < hold["first"] <= hold["last"] <= len(case.text)
            before = sum(max(0, min(span["end"], hold["from"]) - span["start"]) for span in regions)
            come = sum(moment <= hold["last"] for moments in chunks for moment in moments)
            assert come <= before, case.full_id


def test_messages_are_those_of_a_parser_that_is_fed_one_by_one() -> None:
    for case in sample():
        request = stream_of(case)
        found = trace_of(request)
        told = {one["at"]: one["message"] for one in found["messages"]}
        message: Any = None
        try:
            template = antiphon.load_template(case.template, proposals=case.proposals)
            parser = antiphon.ResponseParser(template, prefix=case.prefix, tools=case.tools, **case.options)
            for moment in range(len(case.text) + 1):
                if moment:
                    parser.feed(case.text[moment - 1])
                message = told.get(moment, message)
                assert equal(parser.message_so_far, message), (case.full_id, moment)
            assert equal(parser.finalize()[0], told.get(len(case.text) + 1, message)), case.full_id
        except antiphon.ParseError as error:
            assert found["error"]["message"] == str(error)


def test_holds_name_the_delimiters_that_the_text_may_become() -> None:
    found = trace_of(stream("a<ca<call>{}</call>"))
    by_moment = {hold["first"]: hold for hold in found["holds"]}
    think = {"field": "reasoning", "role": "open", "delimiter": ["<think>"], "pattern": False}
    calls = {"field": "calls", "role": "open", "delimiter": ["<call>", "<calls>"], "pattern": False}
    end = {"field": "content", "role": "close", "delimiter": ["<end>"], "pattern": False}
    assert sorted(one["field"] for one in by_moment[2]["by"]) == ["calls", "content", "reasoning"]
    assert all(one in by_moment[2]["by"] for one in (think, calls, end))
    assert by_moment[3] == {"first": 3, "last": 4, "from": 1, "by": [calls]}
    closing = {"field": "calls", "role": "close", "delimiter": [r"</calls?>\s*"], "pattern": True}
    assert found["holds"][-1] == {"first": 13, "last": 19, "from": 12, "by": [closing]}


def test_a_delimiter_may_begin_in_the_prefix() -> None:
    found = trace_of(stream("nk>a</think>", prefix="<|user|>hi<|bot|><thi"))
    assert found["spans"][0] == {"start": 0, "end": 3, "kind": "open", "field": "reasoning"}
    assert found["holds"][0]["from"] == -4
    assert found["events"][0] == {"event": {"type": "region_open", "field": "reasoning"}, "first": 3, "last": 3}


def test_discarded_text_is_told() -> None:
    template = {"start_anchor": "x", "fields": {"a": {"open": "<", "close": ">"}}}
    spans = trace_of(stream("ab<c>d", template))["spans"]
    assert [(one["kind"], one["field"]) for one in spans] == [
        ("discarded", None), ("open", "a"), ("region", "a"), ("close", "a"), ("discarded", None),
    ]  # fmt: skip


def test_an_error_has_its_moment() -> None:
    found = trace_of(stream("x<call>{]</call>y and more"))
    assert (found["error"]["kind"], found["error"]["at"], found["error"]["position"]) == ("json-syntax", 16, 7)
    assert found["messages"][-1]["message"] == {"content": "x"}
    assert found["reached"] > found["length"]


def test_it_goes_on_where_it_stopped() -> None:
    request = stream("<think>" + "a < b. " * 100 + "</think>" + "<call>{}</call>" * 20 + "ok<end>")
    whole = trace_of(request)
    trace_of(stream("something else"))
    reached: list[int] = []
    while not reached or reached[-1] <= whole["length"]:
        found = asked("trace", **request, milliseconds=0)
        reached.append(found["reached"])
        settled = found["events"][:-1]  # the last may be a chunk that grows
        assert settled == whole["events"][: len(settled)]
    assert found == whole
    assert reached == sorted(set(reached))


def edited(text: str, chance: random.Random) -> str:
    """A text with a piece exchanged, taken out, put in, or added at its end."""
    start = chance.randint(0, len(text))
    end = min(len(text), start + chance.choice((0, 0, 1, 5)))
    new = chance.choice(("", "x", "<", "<|", "</think>", "\n", "é𝄞", text[start : start + 7]))
    return text[:start] + new + text[end:] if chance.random() < 0.8 else text + new


@pytest.mark.parametrize("spacing", [3, 256])
def test_an_edited_text_has_the_trace_of_a_new_one(spacing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "SPACING", spacing)
    chance = random.Random(20261130)
    for case in chance.sample([case for case in traceable() if 0 < len(case.text) < 400], examples(150)):
        request = stream_of(case)
        trace_of(request)
        for _ in range(4):
            request = {**request, "text": edited(request["text"], chance)}
            found = asked("trace", **request, milliseconds=chance.choice((0, 60_000)))
            found = trace_of(request)
            monkeypatch.setattr(tracing, "_session", None)
            assert found == trace_of(request), (case.full_id, request["text"])


def test_stretches_without_delimiters_are_as_if_fed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = [(case, trace_of(stream_of(case))) for case in sample()]
    monkeypatch.setattr(observing.ObservedParser, "calm_until", lambda self, text, pos, known: pos)
    for case, found in quick:
        monkeypatch.setattr(tracing, "_session", None)
        assert trace_of(stream_of(case)) == found, case.full_id


def test_a_text_that_is_too_long_is_refused() -> None:
    found = asked("trace", **stream("a" * (tracing.LONGEST + 1)), milliseconds=1000)
    assert found["error"]["kind"] == "too-long"


def test_messages_that_are_too_much_are_left_out_but_for_the_last() -> None:
    text = "<call>" + json.dumps({"a": "b" * 50}) + "</call>"
    found = trace_of(stream(text * (tracing.LONGEST // len(text))))
    told = [one["message"] for one in found["messages"]]
    assert None in told
    assert len(told[-1]["calls"]) == tracing.LONGEST // len(text)
    assert len(json.dumps(told)) < 3 * tracing.MOST_OF_MESSAGES


def test_many_edits_are_not_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MOST_OF_MESSAGES", 1000)
    text = "<call>{}</call>" * 3
    for number in range(100):
        found = trace_of(stream(text + "x" * number))
        assert [len(one["message"].get("calls", [])) for one in found["messages"]] == [
            0,
            1,
            2,
            3,
            *([3] if number else []),
        ]


def test_true_and_one_are_different_messages() -> None:
    template = {"start_anchor": "x", "fields": {"a": {"open": "<", "close": ">", "content": "json"}}}
    messages = trace_of(stream("<1><true><1>", template))["messages"]
    assert [one["message"].get("a") for one in messages] == [None, 1, True, 1]
    assert messages[2]["message"]["a"] is True


def test_values_may_be_nested_as_deep_as_the_reference_takes_them() -> None:
    shape: Any = "{content}"
    for _ in range(60):
        shape = {"a": [shape]} if isinstance(shape, list) else [shape]
    template = {
        "start_anchor": "x",
        "fields": {"a": {"open": "<", "close": ">", "content": "json", "transform": shape}},
    }
    for _ in range(2):
        found = trace_of(stream("<" + "[" * 128 + "]" * 128 + ">text", template))
        assert found["error"] is None
        assert found["reached"] > found["length"]
