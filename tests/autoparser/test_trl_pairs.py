"""The response templates that TRL publishes, on the turns that its chat templates write: what isn't exact, and how.

What changes here is a change of the round trip, or of TRL: it has to be looked at.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import antiphon
import pytest
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, Result, RoundTrip, Verdict, round_trip
from antiphon_portability.chat import Renderer
from downloads import Unavailable
from trl import Pair, pairs, response_templates

Expected = dict[str, str]

FEATURES: Final = [conversation.feature for conversation in CONVERSATIONS]
REASONING: Final = [feature for feature in FEATURES if "reasoning" in feature]
CALLS: Final = [
    conversation.feature for conversation in CONVERSATIONS if conversation.said.calls and not conversation.said.content
]


def each(features: Iterable[str], what: str) -> Expected:
    return dict.fromkeys(features, what)


NO_IDS: Final = {"ids": "not written"}
NO_REASONING: Final = each(REASONING, "not written")
STRIPS: Final = {"spaces around content": "lossy: spaces around content"}
TRIMS: Final = {"spaces around content": "not written"}
TRIMS_REASONING: Final = {"spaces around reasoning": "not written"}
STRIPS_REASONING: Final = {"spaces around reasoning": "lossy: spaces around reasoning"}
STRIPS_ARGUMENTS: Final = {"spaces around arguments": "lossy: spaces around arguments"}
NAMES: Final = "other names of functions"
SEVERAL: Final = ("parallel calls", "the same function twice", "reasoning, content and calls", "ids", NAMES)

NOT_JSON: Final = "wrong: an error: json-syntax in tool_calls"
NO_CALL: Final = "wrong: content where there was none, no call instead of {}"
NO_CALLS_OF_NAMES: Final = "wrong: content where there was none, 1 call instead of 3"
KEYS: Final = "other names of arguments"  # they aren't words, which some take without quotes
OTHER_KEYS: Final = "wrong: missing arguments, more arguments"
OTHER_TEXT: Final = "wrong: another text in an argument"

QWEN3_5: Final = NO_IDS | TRIMS | TRIMS_REASONING | STRIPS_ARGUMENTS
QWEN3: Final = NO_IDS | STRIPS
NEMOTRON: Final = NO_IDS | STRIPS | STRIPS_REASONING | STRIPS_ARGUMENTS
# A name is `\w+` here, which takes neither a full stop nor a hyphen.
GEMMA4_NAMES: Final = {NAMES: NOT_JSON, KEYS: NOT_JSON}
# `null` is written as Python's None, which the template takes for a fault in the JSON.
GEMMA4: Final = NO_IDS | TRIMS | GEMMA4_NAMES | each(["lists and objects", "booleans and null"], NOT_JSON)
GEMMA4_CALLS: Final = (
    each(["reasoning and content", "reasoning alone", "spaces around reasoning"], "not written") | GEMMA4
)  # reasoning is only written with calls
# Quotes aren't escaped where this chat template writes a call in Python, where a name is `\w+`.
LFM2_5: Final = (
    NO_IDS
    | STRIPS
    | STRIPS_REASONING
    | {"quotes and backslashes": OTHER_TEXT, NAMES: NO_CALLS_OF_NAMES, KEYS: OTHER_KEYS}
)
ESCAPED: Final = each(["multi-line arguments", "spaces around arguments"], OTHER_TEXT)  # `\n`, which stays as it is

EXPECTED: Final[Mapping[str, Expected]] = {
    "glm4moe": QWEN3_5,
    # It writes one call of several, and content before a call as reasoning.
    "gptoss": NO_IDS
    | STRIPS
    | STRIPS_REASONING
    | each(["parallel calls", "the same function twice", "content and a call", NAMES], "not written")
    | {"reasoning, content and calls": "not rendered"},
    # The close is `\}<\|eot_id\|>`: without the token, the last brace is taken for a part of the arguments.
    **dict.fromkeys(
        ["llama3_1", "llama3_2"],
        NO_REASONING
        | TRIMS
        | each(CALLS, f"{NOT_JSON}, without what ends the turn")
        | {"reasoning and a call": "not written", "content and a call": "not written"}
        | each(SEVERAL, "not rendered"),
    ),
    **dict.fromkeys(["qwen2_5", "qwen3_instruct_2507", "qwen3_vl"], QWEN3 | NO_REASONING),
    "qwen3": QWEN3 | STRIPS_REASONING,
    **dict.fromkeys(["qwen3_5_nothink", "qwen3_5_think", "qwen3_6", "qwen3_8"], QWEN3_5),
    **dict.fromkeys(["nemotron_3_nano", "nemotron_3_super", "nemotron_3_ultra", "nemotron_3_5_lightning"], NEMOTRON),
    "lfm2_v2": LFM2_5 | NO_REASONING | ESCAPED,
    **dict.fromkeys(["lfm2_2_5", "lfm2_2_5_v2"], LFM2_5 | {"lists and objects": "lossy: lists become texts"}),
    "lfm2_2_5_vl": LFM2_5 | ESCAPED,
    **dict.fromkeys(["gemma4", "gemma4_v3", "gemma4_v4"], GEMMA4_CALLS),
    "gemma4_v2": GEMMA4 | NO_REASONING,
    "gemma4_v5": NO_IDS | TRIMS | GEMMA4_NAMES | STRIPS_REASONING,
    # It isn't meant for calls. Its close ends in `|$`, which stands before a last newline, too (SPEC.md, annex A.16).
    "deepseek_r1_distill": NO_IDS
    | STRIPS_REASONING
    | each(CALLS, NO_CALL.format(1))
    | each(["parallel calls", "the same function twice"], NO_CALL.format(2))
    | {NAMES: NO_CALL.format(3)}
    | each(["content and a call", "reasoning, content and calls", "ids"], "not written")
    | {
        "spaces around content": "wrong: no content, without what ends the turn",
        "content after a tool's result": "wrong: other content",
        "a call after a tool's result": "not split",
    },
}


@cache
def all_pairs() -> Mapping[str, Pair]:
    try:
        return {pair.chat_name.removesuffix(".jinja"): pair for pair in pairs()}
    except Unavailable as reason:
        pytest.skip(str(reason))


@cache
def trip(name: str) -> RoundTrip:
    pair = all_pairs()[name]
    with Renderer(pair.chat_template) as renderer:
        return round_trip(renderer, pair.template)


def told(result: Result) -> str:
    lost = f": {', '.join(result.lost)}" if result.lost else ""
    return result.verdict + lost + (", without what ends the turn" if result.only_bare else "")


def test_all_pairs_are_here() -> None:
    assert all_pairs().keys() == EXPECTED.keys()
    assert len(response_templates()) == len({pair.name for pair in all_pairs().values()}) == 9


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_not_exact(name: str) -> None:
    found = {result.feature: told(result) for result in trip(name).results if result.verdict is not Verdict.EXACT}
    assert found == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_said_of_a_text_is_so(name: str) -> None:
    """The message that is told is the reference's, however the text is cut."""
    template = antiphon.load_template(all_pairs()[name].template)
    tools = {conversation.feature: conversation.tools for conversation in CONVERSATIONS}
    for result in trip(name).results:
        if result.message is None:
            continue
        text = result.text.removesuffix(result.end) if result.only_bare else result.text
        for chunks in ([text], text):
            parser = antiphon.ResponseParser(template, prefix=result.prompt, tools=[*tools[result.feature]])
            for chunk in chunks:
                parser.feed(chunk)
            assert parser.finalize()[0] == result.message


def losses(name: str, template: Mapping[str, Any]) -> set[str]:
    with Renderer(all_pairs()[name].chat_template) as renderer:
        found = round_trip(renderer, template)
    return {what for result in found.results for what in result.lost}


def changed(name: str, field: str, **members: Any) -> dict[str, Any]:
    template = copy.deepcopy(dict(all_pairs()[name].template))
    template["fields"][field] |= members
    return template


def test_the_remedies_of_the_lint_can_be_taken() -> None:
    """AP074 without what ends the turn, AP075 for spaces, as they say."""
    assert losses("llama3_1", changed("llama3_1", "tool_calls", close_pattern=r"\}(?:<\|eot_id\|>\s*|$)")) == set()
    tags = {
        "tag_pattern": r"<parameter=(?P<key>[^>\n]+)>\n(?P<value>.*?)\n</parameter>",
        "value_parser": {"name": "text", "args": {"strip": False}},
    }
    assert losses("qwen3_5_think", changed("qwen3_5_think", "tool_calls", content_args=tags)) == set()


def test_what_is_stripped_cant_always_be_kept() -> None:
    """The newline between content and a call is the chat template's; so AP075 doesn't ask for that."""
    keeping = changed("qwen2_5", "content", content_args={"strip": False})
    assert losses("qwen2_5", keeping) == {"spaces around content"}
