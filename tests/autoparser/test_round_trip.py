"""Round trips with small templates: what is right is exact, and every fault made on purpose is noticed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any, Final

import antiphon
import pytest
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, PARSED, Result, RoundTrip, Verdict, round_trip
from antiphon_portability.chat import Renderer
from chats import PLAIN, TEMPLATE, TURN, chat

EXACT, LOSSY, WRONG = PARSED


def trip(chat_template: str = PLAIN, template: Any = TEMPLATE, **options: Any) -> RoundTrip:
    with Renderer(chat_template, **options) as renderer:
        return round_trip(renderer, template)


def of(found: RoundTrip, feature: str) -> Result:
    return next(result for result in found.results if result.feature == feature)


def changed(place: str, value: Any) -> dict[str, Any]:
    """The template with a member changed; None takes it out."""
    template = copy.deepcopy(TEMPLATE)
    *keys, last = place.split("/")
    members: Any = template
    for key in keys:
        members = members[key]
    members.pop(last, None)
    if value is not None:
        members[last] = value
    return template


def test_what_is_right_is_exact() -> None:
    found = trip()
    assert {result.feature: (result.verdict, result.lost) for result in found.results} == {
        conversation.feature: (EXACT, ()) for conversation in CONVERSATIONS
    }
    assert found.is_right
    assert not any(result.unwritten or result.notes for result in found.results)


def test_what_was_parsed_is_told() -> None:
    result = of(trip(), "reasoning and content")
    assert result.prompt == "<user>What will it be like in Rome?<end>\n<assistant>"
    assert result.text.startswith("<think>The user asks")
    assert result.text.endswith("days.<end>")
    assert result.end == "<end>"
    assert result.message == antiphon.parse_response(result.text, TEMPLATE, prefix=result.prompt)


VALUES: Final = {"name": "json", "args": {"allow_non_json": True}}
TAGGED: Final = chat(
    "{{ message.content }}{% for call in message.tool_calls or [] %}<call>{{ call.function.name }}"
    "{% for name, value in call.function.arguments.items() %}"
    "<a>{{ name }}:{{ value if value is string else value | tojson }}</a>"
    "{% endfor %}</call>{% endfor %}<end>\n"
)


def tagged(parser: Any, value: str = "(?P<value>.*?)") -> dict[str, Any]:
    template = changed("fields/tool_calls/open_pattern", r"<call>(?P<name>[\w.-]+)")
    template["fields"]["tool_calls"] |= {
        "content": "xml-inline",
        "content_args": {"tag_pattern": rf"(?s)<a>(?P<key>[^:]+):{value}</a>", "value_parser": parser},
        "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
    }
    return template


RAW: Final = {"name": "text", "args": {"strip": False}}


FAULTS: Final[dict[str, tuple[str, Any, str, Verdict, str]]] = {
    # what is wrong: the chat template, the response template, a feature that shows it, the verdict, what is lost
    "strips": (
        PLAIN, changed("fields/content/content_args", None), "spaces around content", LOSSY, "spaces around content",
    ),
    "strips reasoning": (
        PLAIN, changed("fields/reasoning_content/content_args", None), "spaces around reasoning", LOSSY,
        "spaces around reasoning",
    ),
    "leaves ids out": (
        PLAIN, changed("fields/tool_calls/transform", {"type": "function", "function": "{content}"}), "ids", LOSSY,
        "ids",
    ),
    "makes ids up": (
        PLAIN, changed("fields/tool_calls/transform", {"type": "function", "id": "x", "function": "{content}"}),
        "one call", LOSSY, "other ids",
    ),
    "no type": (
        PLAIN, changed("fields/tool_calls/transform", {"id": "{id}", "function": "{content}"}), "one call", LOSSY,
        'the "type" of calls',
    ),
    "flat calls": (
        PLAIN,
        changed("fields/tool_calls/transform",
                {"id": "{id}", "name": "{content.name}", "arguments": "{content.arguments}"}),
        "one call", LOSSY, 'calls without "function"',
    ),
    "no role": (PLAIN, changed("defaults", {}), "content", LOSSY, "the role"),
    "names without points": (
        PLAIN, changed("fields/tool_calls/open_pattern", r"""<call>(?P<id>\w*)\|(?=\{"name": "\w+")"""),
        "other names of functions", WRONG, "content where there was none",
    ),
    "numbers for texts": (TAGGED, tagged(VALUES), "texts like other types", LOSSY, "texts become integers"),
    "strips arguments": (
        TAGGED, tagged(RAW, r"\s*(?P<value>.*?)\s*"), "spaces around arguments", LOSSY, "spaces around arguments",
    ),
    "only the last call": (
        PLAIN, changed("fields/tool_calls/repeats", None), "parallel calls", WRONG, "calls that are no list",
    ),
    "does not know reasoning": (
        PLAIN, changed("fields/reasoning_content", None), "reasoning and content", WRONG, "other content",
    ),
    "does not know calls": (
        PLAIN, changed("fields/tool_calls", None), "content and a call", WRONG, "no call instead of 1",
    ),
    "another opener": (
        PLAIN, changed("fields/tool_calls/open_pattern", r"<calls>(?P<id>\w*)\|"), "one call", WRONG,
        "no call instead of 1",
    ),
    "reads ids as content": (
        PLAIN, changed("fields/tool_calls/open_pattern", r"<call>(?P<id>)"), "one call", WRONG,
        "an error: json-syntax in tool_calls",
    ),
    "closes too early": (PLAIN, changed("fields/content/close", "\n"), "multi-line content", WRONG, "other content"),
    "never closes": (PLAIN, changed("fields/content/close", None), "content", WRONG, "other content"),
    "closes where a value begins to look like it": (
        PLAIN, changed("fields/content/close", "<"), "content like markers", WRONG, "other content",
    ),
    "takes the prompt": (PLAIN, changed("start_anchor", "<user>"), "content", WRONG, "other content"),
    "swaps": (
        PLAIN,
        {**TEMPLATE, "fields": {**TEMPLATE["fields"], "reasoning_content": {"close": "<end>"},
                                "content": {"open": "<think>", "close": "</think>"}}},
        "content", WRONG, "content comes back as reasoning",
    ),
    "a field besides": (
        PLAIN, changed("defaults", {"role": "assistant", "note": "x"}), "content", WRONG, "'note' besides",
    ),
    "another function": (
        PLAIN, changed("fields/tool_calls/transform",
                       {"type": "function", "id": "{id}",
                        "function": {"name": "f", "arguments": "{content.arguments}"}}),
        "one call", WRONG, "another function",
    ),
    "all arguments are one": (
        PLAIN, changed("fields/tool_calls/transform",
                       {"type": "function", "id": "{id}",
                        "function": {"name": "{content.name}", "arguments": {"all": "{content.arguments}"}}}),
        "one call", WRONG, "more arguments",
    ),
    "cuts arguments": (
        TAGGED, tagged(RAW, "(?P<value>[^<]*)[^a]*?"), "angle brackets", WRONG, "another text in an argument",
    ),
    "drops arguments": (
        TAGGED, tagged(RAW, r"(?P<value>[^\n]*)"), "multi-line arguments", WRONG, "missing arguments",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str) -> None:
    chat_template, template, feature, verdict, lost = FAULTS[fault]
    result = of(trip(chat_template, template), feature)
    assert (result.verdict, lost in result.lost) == (verdict, True), (result.lost, result.text, result.message)


def test_tagged_arguments_are_exact_where_they_are_read_right() -> None:
    found = trip(TAGGED, tagged(RAW))
    assert {result.feature for result in found.results if result.verdict in (LOSSY, WRONG)} == set()
    assert of(found, "numbers").verdict is EXACT  # the tools' schemas say what is one


def test_what_ends_the_turn_may_be_missing() -> None:
    """A server that strips special tokens: the region has to end with the text."""
    template = changed("fields/tool_calls/close", "</call><end>")
    result = of(trip(template=template), "one call")
    assert (result.verdict, result.only_bare, result.error) == (WRONG, True, "an error: json-syntax in tool_calls")
    assert not of(trip(template=changed("fields/content/close", None)), "content").only_bare


@pytest.mark.parametrize(
    ("written", "features", "reason"),
    [
        ("{{ message.content | trim }}", {"spaces around content"}, "spaces around content"),
        ("{{ message.content | upper }}", {one.feature for one in CONVERSATIONS if one.said.content}, "other content"),
    ],
)
def test_what_the_chat_template_leaves_out_is_not_lost(written: str, features: set[str], reason: str) -> None:
    found = trip(chat(TURN.replace("{{ message.content }}", written)))
    assert {result.verdict for result in found.results} == {EXACT, Verdict.NOT_WRITTEN}
    missing = found.having(Verdict.NOT_WRITTEN)
    assert {result.feature for result in missing} == features
    assert {result.reason.partition(": ")[2] for result in missing} == {reason}


def test_ids_that_are_not_written_are_told_by_their_feature() -> None:
    found = trip(chat(TURN.replace("{{ call.id }}", "")))
    assert [result.feature for result in found.having(Verdict.NOT_WRITTEN)] == ["ids"]
    assert {what for result in found.results for what in result.unwritten} == {"ids"}


@pytest.mark.parametrize("written", [" {{ message.content | trim }}", "{{ message.content | trim }} "])
def test_white_space_that_did_not_go_in_is_no_success(written: str) -> None:
    """The same text comes of the content that came back, since it's trimmed; a template that strips would be exact."""
    found = trip(chat(TURN.replace("{{ message.content }}", written)))
    lossy = {result.feature for result in found.having(Verdict.LOSSY)}
    assert {"content", "multi-line content"} <= lossy


def test_a_feature_without_its_point_is_not_written() -> None:
    found = trip(chat("{{ message.content }}<end>\n"))
    assert of(found, "content").verdict is EXACT
    for feature, part in [
        ("reasoning and content", "reasoning"),
        ("one call", "calls"),
        ("content and a call", "calls"),
    ]:
        assert of(found, feature).verdict is Verdict.NOT_WRITTEN
        assert of(found, feature).reason == f"the chat template doesn't write {part}"
    assert of(trip(chat(TURN.replace("{{ call.id }}", ""))), "ids").reason.endswith("the ids of calls")


def test_markers_in_the_content_are_not_forgiven() -> None:
    """This chat template would also take the reasoning out of the content, and write the same."""
    turn = "{% set content = message.content.split('</think>') | last %}<think></think>{{ content }}<end>\n"
    result = of(trip(chat(turn), changed("fields/reasoning_content", None)), "content")
    assert (result.verdict, result.lost) == (WRONG, ("other content",))


def test_tools_are_given_where_there_must_be_some() -> None:
    found = trip("{% for tool in tools %}{% endfor %}" + PLAIN)
    assert {result.verdict for result in found.results} == {EXACT}
    assert of(found, "content").notes == ("with tools, without which it can't be rendered",)
    assert of(found, "one call").notes == ()


# -- hostile


def test_chat_templates_that_raise_on_some_conversations() -> None:
    guard = "{% if message.tool_calls and message.tool_calls | length > 1 %}{{ raise_exception('one') }}{% endif %}"
    found = trip(chat(guard + TURN))
    assert of(found, "parallel calls").verdict is Verdict.NOT_RENDERED
    assert of(found, "parallel calls").reason == "TemplateError: one"
    assert of(found, "one call").verdict is EXACT


@pytest.mark.parametrize(
    ("chat_template", "verdicts"),
    [
        ("", {Verdict.NOT_WRITTEN, EXACT}),  # nothing is said in "empty content", and comes back
        ("always the same", {Verdict.NOT_WRITTEN, WRONG}),
        ("{{", {Verdict.NOT_RENDERED}),
        ("{{ raise_exception('no') }}", {Verdict.NOT_RENDERED}),
        ("{{ 1 / 0 }}", {Verdict.NOT_RENDERED}),
        ("{{ messages | tojson }}", {Verdict.NOT_SPLIT}),
        (PLAIN.replace("in messages", "in messages | reverse"), {Verdict.NOT_SPLIT}),
        ("{% for message in messages %}{{ message.content }}{% endfor %}", {Verdict.NOT_WRITTEN, WRONG}),
        ("\ud800{{ messages[-1].content }}", {Verdict.NOT_SPLIT, Verdict.NOT_WRITTEN}),
    ],
)
def test_hostile_chat_templates(chat_template: str, verdicts: set[Verdict]) -> None:
    found = trip(chat_template)
    assert {result.verdict for result in found.results} == verdicts
    assert json.dumps(found.as_json())


@pytest.mark.parametrize(
    ("loop", "why"),
    [
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "more than 0.5 seconds"),
        ("{{ 'a' * 999999999999 }}", "memory"),
    ],
)
def test_endless_chat_templates(loop: str, why: str) -> None:
    guard = f"{{% if message.tool_calls %}}{loop}{{% endif %}}"
    found = trip(chat(guard + TURN), seconds=0.5 if "seconds" in why else 60)
    assert {result.verdict for result in found.results} == {Verdict.NOT_TRIED}
    assert all(why in result.reason for result in found.results)


@pytest.mark.parametrize("template", [{}, {"start_anchor": "x"}, {"start_anchor": "x", "fields": {"a": {"opne": "x"}}}])
def test_response_templates_that_do_not_load(template: Any) -> None:
    with pytest.raises(antiphon.TemplateError):
        trip(template=template)


def test_what_may_not_be_parsed_is_not_tried() -> None:
    def why_not(prompt: str, text: str) -> str:
        return "too long" if "Rain" in text else ""

    with Renderer(PLAIN) as renderer:
        found = round_trip(renderer, TEMPLATE, may_parse=why_not)
    assert of(found, "multi-line content") == Result("multi-line content", Verdict.NOT_TRIED, "too long")
    assert of(found, "content").verdict is EXACT


def test_json() -> None:
    document: Callable[[RoundTrip], Any] = lambda found: json.loads(json.dumps(found.as_json()))  # noqa: E731
    told = document(trip(template=changed("fields/content/content_args", None)))
    assert told["counts"] == {"exact": len(CONVERSATIONS) - 1, "lossy": 1}
    (lossy,) = (result for result in told["results"] if result["verdict"] == "lossy")
    assert lossy["lost"] == [
        {"what": "spaces around content", "expected": "  Rain.\n\nMore rain. \n", "got": "Rain.\n\nMore rain."}
    ]
    assert set(lossy) == {"feature", "verdict", "lost", "prompt", "text", "end", "message"}
