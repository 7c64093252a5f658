"""The parser's interface: state, errors, batches, copies. What texts mean is the suite's business."""

from __future__ import annotations

import functools
import pickle
from typing import Annotated, Any

import pytest
from antiphon import (
    AntiphonError,
    ParseError,
    ParserStateError,
    ResponseParser,
    TemplateError,
    load_template,
    parse_response,
    template_faults,
)
from streams import merged

CHAT: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {"open": "<think>", "close": "</think>"},
        "tool_calls": {
            "open": "<tool_call>",
            "close_pattern": r"</tool_call>\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close": "<|im_end|>"},
    },
}
PROMPT = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"


def test_a_stream_from_prefix_to_message() -> None:
    parser = ResponseParser(CHAT, prefix=PROMPT + "<think>\n")
    assert parser.initial_events == [
        {"type": "region_open", "field": "reasoning_content"},
        {"type": "region_chunk", "field": "reasoning_content", "text": "\n", "dirty": False},
    ]
    assert parser.feed("Greet.</thi") == [
        {"type": "region_chunk", "field": "reasoning_content", "text": "Greet.", "dirty": False}
    ]
    assert parser.feed("nk>") == [{"type": "region_close", "field": "reasoning_content", "value": "Greet."}]
    assert parser.message_so_far == {"role": "assistant", "reasoning_content": "Greet."}
    assert parser.feed("Hello") == [
        {"type": "region_open", "field": "content"},
        {"type": "region_chunk", "field": "content", "text": "Hello", "dirty": False},
    ]
    message, events = parser.finalize()
    assert message == {"role": "assistant", "reasoning_content": "Greet.", "content": "Hello"}
    assert events == [{"type": "region_close", "field": "content", "value": "Hello"}]


def test_a_close_is_told_before_its_extent_is_known() -> None:
    parser = ResponseParser(CHAT, prefix="")
    parser.feed('<tool_call>{"name": "ping"}')
    call = {"type": "function", "function": {"name": "ping"}}
    assert parser.feed("</tool_call>") == [{"type": "region_close", "field": "tool_calls", "value": call}]
    assert parser.feed(" \n") == []
    assert [event["type"] for event in parser.feed("x")] == ["region_open", "region_chunk"]


@pytest.mark.parametrize("call", [lambda parser: parser.feed("x"), lambda parser: parser.finalize()])
def test_nothing_goes_after_the_end(call: Any) -> None:
    parser = ResponseParser(CHAT, prefix="")
    parser.finalize()
    with pytest.raises(ParserStateError) as caught:
        call(parser)
    assert caught.value.kind == "finalized"


def test_the_prefix_must_be_given() -> None:
    with pytest.raises(ParseError) as caught:
        parse_response("Hi", CHAT)
    assert caught.value.kind == "prefix-missing"
    with pytest.raises(ParseError):
        ResponseParser(CHAT)


def test_an_error_keeps_what_came_before_and_stays() -> None:
    parser = ResponseParser(CHAT, prefix="")
    with pytest.raises(ParseError) as caught:
        parser.feed("<think>Why?</think><tool_call>{oops</tool_call>rest")
    error = caught.value
    assert (error.kind, error.field, error.position) == ("json-syntax", "tool_calls", 30)
    assert [event["type"] for event in error.events] == [
        "region_open", "region_chunk", "region_close", "region_open", "region_chunk",
    ]  # fmt: skip
    assert error.message_so_far == parser.message_so_far == {"role": "assistant", "reasoning_content": "Why?"}
    for call in (lambda: parser.feed("x"), parser.finalize):
        with pytest.raises(ParseError) as again:
            call()
        assert again.value is error


def test_an_error_in_the_prefix_is_told_at_once_with_a_negative_position() -> None:
    with pytest.raises(ParseError) as caught:
        ResponseParser(CHAT, prefix=PROMPT + "<tool_call>{</tool_call>")
    assert caught.value.position == -len("{</tool_call>")
    assert [event["type"] for event in caught.value.events] == ["region_open", "region_chunk"]


def test_malformed_regions_may_be_events() -> None:
    parser = ResponseParser(CHAT, prefix="", on_malformed="event")
    events = parser.feed("<tool_call>{oops</tool_call>rest<|im_end|>")
    message, final = parser.finalize()
    malformed = {"type": "region_malformed", "field": "tool_calls", "text": "{oops", "kind": "json-syntax"}
    assert merged(events + final)[2] == malformed
    assert message == {"role": "assistant", "content": "rest"}


def test_batches() -> None:
    assert parse_response(["a", "b"], CHAT, prefix="") == [parse_response(text, CHAT, prefix="") for text in "ab"]
    thinking = parse_response(["a", "b"], CHAT, prefix=["<think>", ""])
    assert [sorted(message) for message in thinking] == [["reasoning_content", "role"], ["content", "role"]]
    assert parse_response([], CHAT, prefix="") == []
    with pytest.raises(ParserStateError) as caught:
        parse_response(["a", "b"], CHAT, prefix=[""])
    assert caught.value.kind == "batch-size"


def test_what_is_no_text_is_refused() -> None:
    for text in (None, b"x", 7, (character for character in "x")):
        with pytest.raises(ParserStateError) as caught:
            parse_response(text, CHAT, prefix="")  # type: ignore[call-overload]
        assert caught.value.kind == "not-text"


def test_joined_values_begin_with_the_default() -> None:
    field = {"open": "<n>", "close": "</n>", "repeats": True, "join": "+"}
    template = {"start_anchor": "A", "defaults": {"n": "0"}, "fields": {"n": field, "m": {**field, "open": "<m>"}}}
    parser = ResponseParser(template, prefix="")
    parser.feed("<n>1</n><m>x</n>")
    assert parser.message_so_far == {"n": "0+1", "m": "x"}
    parser.feed("<n>2</n>")
    assert parser.finalize()[0] == {"n": "0+1+2", "m": "x"}


def test_all_faults_of_a_template() -> None:
    document = {"extra": 1, "fields": {"x": {"opne": "a"}, "y": {"open": ""}, "z": {"open": "z"}}}
    assert {fault.pointer: fault.kind for fault in template_faults(document)} == {
        "/extra": "unknown-key", "/fields/x/opne": "unknown-key", "/fields/y/open": "empty-value",
    }  # fmt: skip
    assert template_faults(CHAT) == ()


@pytest.mark.parametrize("tool", [max, functools.partial(print, 1), object(), {"name": 1}, 7, dict])
def test_what_is_no_tool_is_refused(tool: Any) -> None:
    with pytest.raises(TemplateError) as caught:
        ResponseParser(CHAT, prefix="", tools=[tool])
    assert (caught.value.kind, caught.value.pointer) == ("invalid-tools", "/0")


def test_functions_as_tools() -> None:
    def look_up(city: str, days: int | None, exact: Annotated[bool, "?"], **more: float) -> None: ...

    call = '<tool_call>{"name": "look_up", "arguments": {"city": "7", "days": "null", "exact": "1"}}</tool_call>'
    message = parse_response(call, CHAT, prefix="", tools=[look_up])
    assert message["tool_calls"][0]["function"]["arguments"] == {"city": "7", "days": None, "exact": True}


def test_a_template_is_a_value_of_its_own() -> None:
    document = {
        "start_anchor": "A",
        "defaults": {"notes": []},
        "fields": {"notes": {"open": "<n>", "close": "</n>", "repeats": True}},
    }
    template = load_template(document)
    document["fields"]["notes"]["close"] = "changed"  # type: ignore[index]
    first = parse_response("<n>1</n>", template, prefix="")
    first["notes"].append("changed")
    assert parse_response("<n>1</n>", template, prefix="") == {"notes": ["1"]}


def test_events_and_message_share_nothing() -> None:
    parser = ResponseParser(CHAT, prefix="")
    events = parser.feed('<tool_call>{"name": "f"}</tool_call>!')
    events[2]["value"]["function"]["name"] = "changed"
    parser.message_so_far["tool_calls"].clear()
    assert parser.finalize()[0]["tool_calls"] == [{"type": "function", "function": {"name": "f"}}]


def test_placeholders_share_nothing() -> None:
    template = {
        "start_anchor": "A",
        "fields": {"x": {"open": "<x>", "content": "json", "transform": {"one": "{content}", "two": "{content}"}}},
    }
    value = parse_response("<x>[]", template, prefix="")["x"]
    value["one"].append(1)
    assert value["two"] == []


@pytest.mark.parametrize(
    "document", [None, [], "x", 5, {}, {"fields": {}}, {"start_anchor": "a", "fields": {"x": object()}}]
)
def test_what_is_no_template_is_refused(document: Any) -> None:
    with pytest.raises(TemplateError):
        load_template(document)


@pytest.mark.parametrize("pattern", [r"[^\s\S]", r"[^\d\D]<b>", r"(?:[^\w\W])+x"])
def test_a_delimiter_that_stands_nowhere(pattern: str) -> None:
    template = {"start_anchor": "A", "fields": {"x": {"open_pattern": pattern}, "rest": {}}}
    assert parse_response("<b>x", template, prefix="") == {"rest": "<b>x"}


def test_a_document_that_repeats_its_parts_is_refused() -> None:
    shared: list[Any] = ["x"]
    for _ in range(40):
        shared = [shared, shared]
    with pytest.raises(TemplateError) as caught:
        load_template({"start_anchor": "A", "defaults": {"d": shared}, "fields": {"x": {}}})
    assert caught.value.kind == "too-deep"


def test_errors_travel_between_processes() -> None:
    with pytest.raises(ParseError) as caught:
        parse_response("<think>a</think><tool_call>{", CHAT, prefix="")
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (str(copied), copied.kind, copied.events) == (str(caught.value), "json-syntax", caught.value.events)


def test_a_template_that_contains_itself_is_refused() -> None:
    document: dict[str, Any] = {"start_anchor": "a", "fields": {"x": {"content": "kv-lines", "content_args": {}}}}
    parser: dict[str, Any] = {"name": "kv-lines"}
    parser["args"] = {"value_parser": parser}
    document["fields"]["x"]["content_args"]["value_parser"] = parser
    with pytest.raises(TemplateError) as caught:
        load_template(document)
    assert caught.value.kind == "too-deep"


@pytest.mark.parametrize("key", [1, None, (1, 2)])
def test_keys_must_be_strings(key: Any) -> None:
    with pytest.raises(TemplateError) as caught:
        load_template({"start_anchor": "a", "fields": {key: {}}})
    assert caught.value.kind == "not-json"


@pytest.mark.parametrize("text", [b"bytes", 7, None, ["x"]])
def test_only_text_is_fed(text: Any) -> None:
    with pytest.raises(AntiphonError):
        ResponseParser(CHAT, prefix="").feed(text)
