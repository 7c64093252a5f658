"""What the bridge makes of a chat template: what derives and tries it, with places, comparisons, and what went in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from antiphon_portability.autoparser.derive import derive
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, round_trip
from antiphon_portability.chat import Dialect, Renderer
from antiphon_web.writing import pretty

from web.calls import asked

EXAMPLES = {
    path.stem: path.read_text("utf-8")
    for path in (Path(__file__).parents[2] / "web" / "src" / "chat" / "examples").iterdir()
}
TAGS = EXAMPLES["json-in-tags"]


def derived(chat_template: str = TAGS, **more: Any) -> Any:
    return asked("derive", chat_template=chat_template, **{"dialect": "lenient", **more})


def tried(template: str, chat_template: str = TAGS, **more: Any) -> Any:
    return asked("round_trip", template=template, chat_template=chat_template, **{"dialect": "lenient", **more})


def at(document: Any, pointer: str) -> Any:
    for key in pointer.split("/")[1:]:
        document = document[key]
    return document


def test_it_is_what_the_auto_parser_derives() -> None:
    found = derived()
    with Renderer(TAGS, dialect=Dialect.LENIENT) as renderer:
        expected = derive(renderer)
    assert found["template"] == pretty(expected.template)
    assert {part["pointer"]: part["comment"] for part in found["parts"]} == expected.parts
    assert found["analysis"] == json.loads(json.dumps(expected.analysis.document()))
    assert found["generation_prompt"] == expected.generation_prompt == "<|turn|>assistant\n"
    assert found["round_trip"]["counts"] == {verdict.value: n for verdict, n in expected.round_trip.counts.items()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_part_is_marked_where_it_is_in_the_order_of_places(name: str) -> None:
    found = derived(EXAMPLES[name])
    source, document = found["template"], json.loads(found["template"])
    for part in found["parts"]:
        value, key = at(document, part["pointer"]), part["pointer"].rpartition("/")[2]
        marked = json.loads(source[part["start"] : part["end"]])
        assert marked == (key if isinstance(value, dict | list) else value)
    places = [part["start"] for part in found["parts"]]
    assert places == sorted(places)


def test_each_part_has_the_comparisons_that_it_cites_or_those_of_what_it_belongs_to() -> None:
    found = derived()
    steps = {part["pointer"]: part["comparisons"] for part in found["parts"]}
    assert steps["/start_anchor"] == ["assistant start"]
    assert steps["/fields/reasoning_content"] == steps["/fields/reasoning_content/open"] == ["R1"]
    assert steps["/fields/tool_calls/open"] == ["T1", "T2"]
    assert steps["/fields/content"] == ["C1a", "C1b"]
    assert found["comparisons"].keys() == {step for part in steps.values() for step in part}
    second_call = found["comparisons"]["T2"]
    assert second_call["change"] == "a second call follows"
    assert "SSS_SECOND_FUN_S" in second_call["second"]
    assert second_call["first"] == ""


def test_arguments_in_tags_are_shown_by_their_own_comparisons() -> None:
    steps = {part["pointer"]: part["comparisons"] for part in derived(EXAMPLES["tagged-arguments"])["parts"]}
    assert steps["/fields/tool_calls/content_args"] == ["A1", "A2"]


def test_long_renders_are_cut_around_the_difference() -> None:
    found = derived("y" * 5000 + TAGS)["comparisons"]["R1"]
    assert len(found["before"]) == 120
    assert "REASON_PART" in found["second"]


def test_what_the_format_cannot_say_is_told_in_words() -> None:
    found = derived(EXAMPLES["names-as-keys"])
    assert [one["slug"] for one in found["missing"]] == ["names-as-keys"]
    assert "the function's name is a member's name" in found["missing"][0]["text"]
    assert derived()["missing"] == []


def test_special_tokens_and_the_way_of_rendering_count() -> None:
    source = EXAMPLES["prompt-opens-reasoning"]
    assert any("eos_token" in one for one in derived(source)["unsettled"])
    assert derived(source, special_tokens={"eos_token": "<end>"})["unsettled"] == []
    strict = "{% if tools is none %}[none]{% endif %}" + TAGS
    prompts = [
        next(one for one in derived(strict, dialect=dialect)["round_trip"]["results"])["prompt"] for dialect in Dialect
    ]
    assert [prompt.startswith("[none]") for prompt in prompts] == [True, False]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_pages_examples_show_something(name: str) -> None:
    found = derived(EXAMPLES[name], special_tokens={"bos_token": "<s>", "eos_token": "</s>"})
    assert ("wrong" in found["round_trip"]["counts"]) == (name == "names-as-keys")
    assert found["round_trip"]["counts"]["exact"] >= 8


def test_the_round_trip_of_what_was_derived_is_that_which_came_with_it() -> None:
    found = derived()
    assert tried(found["template"]) == found["round_trip"]


def test_the_round_trip_tells_what_went_in_was_written_and_came_out() -> None:
    edited = derived()["template"].replace('"<call>"', '"<cal>"')
    found = {one["feature"]: one for one in tried(edited)["results"]}
    assert found.keys() == {conversation.feature for conversation in CONVERSATIONS}
    assert found["content"]["verdict"] == "exact"
    call = found["one call"]
    assert call["verdict"] == "wrong"
    assert call["given"]["message"]["tool_calls"][0]["function"]["arguments"] == {"city": "Rome", "days": 3}
    assert [tool["function"]["name"] for tool in call["given"]["tools"]] == ["weather", "search_notes"]
    assert call["given"]["before"] == [{"role": "user", "content": "What will it be like in Rome?"}]
    assert call["text"].startswith('<call>{"name": "weather"')
    assert call["message"]["content"] == call["text"].removesuffix(call["end"])
    assert [one["what"] for one in call["lost"]] == ["content where there was none", "no call instead of 1"]
    with Renderer(TAGS, dialect=Dialect.LENIENT) as renderer:
        expected = round_trip(renderer, json.loads(edited)).as_json()
    assert [{**one, "given": None} for one in found.values()] == [{**one, "given": None} for one in expected["results"]]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{% if", "TemplateSyntaxError: line 1: unexpected 'end of template'"),
        ("{{ raise_exception('not for me') }}", "not for me"),
        ("{{ " + "(" * 5000, "RecursionError"),
        ("hello", "no prompt shows the question"),
    ],
)
def test_a_chat_template_that_cannot_be_used_says_why_and_what_to_do(source: str, reason: str) -> None:
    failure = derived(source)["error"]
    assert (failure["stage"], failure["kind"]) == ("load", "chat-template")
    assert reason in failure["message"]
    assert failure["message"].endswith("Correct it, or choose another way of rendering.")


def test_a_round_trip_of_such_a_chat_template_is_not_rendered() -> None:
    assert tried(derived()["template"], "{% if")["counts"] == {"not rendered": len(CONVERSATIONS)}


def test_a_response_template_that_cannot_be_loaded_is_refused_with_its_place() -> None:
    assert tried('{"start_anchor": "x", "fields": {"a": {"opne": "b"}}}')["error"]["pointer"] == "/fields/a/opne"
    assert tried("{")["error"]["kind"] == "json"


@pytest.mark.parametrize(
    "more", [{"dialect": "other"}, {"special_tokens": {"bos_token": 1}}, {"chat_template": "x" * 1_000_001}]
)
def test_requests_that_are_wrong(more: dict[str, Any]) -> None:
    assert asked("derive", **{"chat_template": TAGS, "dialect": "lenient", **more})["error"]["stage"] == "state"
