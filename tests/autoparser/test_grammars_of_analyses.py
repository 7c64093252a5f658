"""Grammars from analyses, held against llama.cpp's: the same triggers and tokens, and no text that it doesn't take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest
from antiphon_portability.autoparser import Analysis
from antiphon_portability.autoparser.grammar import Grammar, GrammarError, ToolChoice, grammar
from grammar_cases import RECORDED_TOOLS, TOOLS, problem, response_template
from matchers import xgrammar
from recorded import FOLDER, analyses, needs_records
from sentences import Sentences
from support import examples

pytestmark = needs_records

NO_MARKS: Final = {
    "LFM2.5-8B-A1B.jinja": "calls in Python: an analysis sees no marks around arguments",
    "muse-glimmer.jinja": "what it takes for a mark is an example in the prompt",
}
"""Chat templates for which llama.cpp has a parser by hand, and whose analysis has no use; its grammar isn't one."""
OTHERWISE: Final = {
    "upstage-Solar-Open-100B.jinja": "any id, where llama.cpp takes only that of the conversations which it compared",
    "deepseek-ai-DeepSeek-V3.2.jinja": "white space between calls in a section, where llama.cpp takes a comma",
    "deepseek-ai-DeepSeek-V4.jinja": "the same",
    "deepseek-ai-DeepSeek-V4-Flash-0731.jinja": "the same",
}
"""Where ours has texts that llama.cpp's has not, and why."""
FAMILIES: Final = {
    "Apriel-1.6-15b-Thinker-fixed": "apriel1.6", "ByteDance-Seed-OSS": "seed-oss",
    "CohereForAI-c4ai-command-r7b-12-2024-tool_use": "cohere", "Cohere2MoE": "cohere", "GLM-4.6": "glm4",
    "GLM-4.7-Flash": "glm4.7", "Kimi-K2-Thinking": "kimi-k2", "MiMo-VL": "hermes",
    "Mistral-Small-3.2-24B-Instruct-2506": "mistral-small3.2", "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "nemotron3",
    "NousResearch-Hermes-3-Llama-3.1-8B-tool_use": "hermes", "Qwen-QwQ-32B": "qwen3",
    "Qwen-Qwen2.5-7B-Instruct": "hermes",
    "Qwen-Qwen3-0.6B": "qwen3", "Qwen3-Coder": "qwen3-coder", "Qwen3.5-4B": "qwen3.5", "Reka-Edge": "reka-edge",
    "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B": "deepseek-r1", "deepseek-ai-DeepSeek-V3.1": "deepseek-v3.1",
    "deepseek-ai-DeepSeek-V3.2": "deepseek-v3.2", "deepseek-ai-DeepSeek-V4": "deepseek-v4",
    "fireworks-ai-llama-3-firefunction-v2": "firefunction2", "ibm-granite-granite-4.0": "granite4",
    "ibm-granite-granite-4.1": "granite4", "inclusionai-ling-3.0-flash": "ling3",
    "llama-cpp-deepseek-r1": "deepseek-r1",
    "meetkai-functionary-medium-v3.1": "functionary3.1", "mistralai-Mistral-Nemo-Instruct-2407": "mistral-nemo",
    "moonshotai-Kimi-K2": "kimi-k2", "tencent-Hy3": "hunyuan3", "upstage-Solar-Open-100B": "solar-open",
}  # fmt: skip
"""The suite's templates that are about the same format."""


def analysis(name: str) -> Analysis:
    return Analysis.of(analyses()[name])


@cache
def made(name: str) -> Grammar:
    return grammar(analysis(name), RECORDED_TOOLS)


def with_grammar() -> list[str]:
    return [name for name, record in analyses().items() if record["grammar"] and name not in NO_MARKS]


# -- as llama.cpp's


@pytest.mark.parametrize("name", with_grammar())
def test_triggers_and_tokens_are_llama_cpps(name: str) -> None:
    record, found = analyses()[name], made(name)
    assert list(found.triggers) == record["grammar_triggers"]
    assert found.lazy == record["grammar_lazy"]
    assert list(found.preserved_tokens) == record["preserved_tokens"]


@pytest.mark.parametrize("name", [name for name, record in analyses().items() if not record["grammar"]])
def test_where_llama_cpp_has_no_grammar_ours_says_why(name: str) -> None:
    with pytest.raises(GrammarError, match=r"no mark says|writes no tool calls|don't show their marks"):
        made(name)


@pytest.mark.parametrize("name", NO_MARKS)
def test_analyses_that_have_no_use(name: str) -> None:
    with pytest.raises(GrammarError, match="don't show their marks"):
        made(name)


def renders(name: str) -> Iterator[str]:
    """What the chat template itself writes for calls of the recorded tools, from the trigger on."""
    for render in analyses()[name]["roundtrip"].values():
        _, trigger, rest = (render.get("output") or "").partition(made(name).triggers[0])
        if trigger:
            yield trigger + rest


def faults(text: str) -> Iterator[str]:
    """The text, broken in ways in which a model breaks it."""
    yield text.replace("get_weather", "get_whether")
    yield text.replace("city", "town")
    yield text.rstrip()[:-1]
    yield text.replace("}", "", 1)
    yield text.replace('"', "", 1)
    yield text + "x"
    yield from (text[:stop] for stop in range(7, len(text), 7))


@pytest.mark.parametrize("name", [name for name in with_grammar() if name not in OTHERWISE])
def test_renders_and_what_is_left_of_them(name: str) -> None:
    """Recorded grammar and ours agree."""
    texts = [*(whole := list(renders(name))), *(bad for text in whole for bad in faults(text))]
    assert xgrammar().accepts(made(name).gbnf, texts) == xgrammar().accepts(analyses()[name]["grammar"], texts)


@pytest.mark.parametrize("name", [name for name in with_grammar() if name not in OTHERWISE])
def test_what_ours_generates_llama_cpps_takes(name: str) -> None:
    source = Sentences(made(name).rules, 1)
    texts = [source.sentence() for _ in range(examples(40))]
    taken = xgrammar().accepts(analyses()[name]["grammar"], texts)
    assert [text for text, accepted in zip(texts, taken, strict=True) if not accepted] == []
    assert all(xgrammar().accepts(made(name).gbnf, texts))


STRICTER: Final = {
    "several calls between the marks of one": (
        "Qwen-Qwen3-0.6B.jinja",
        '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}, {"name": "add", "arguments": {"a": 1, "b": 2}}\n'
        "</tool_call>",
    ),
    "an id left out, but not its comma": (
        "mistralai-Mistral-Nemo-Instruct-2407.jinja",
        '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1, "b": 2}, }]',
    ),
    "the end of the call in a string": (
        "Qwen-Qwen3-0.6B.jinja",
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "</tool_call>"}}\n</tool_call>',
    ),
    "white space before a name": (
        "GLM-4.6.jinja",
        "<tool_call> get_weather\n<arg_key>city</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
    ),
    "a value with its end in it": (
        "ByteDance-Seed-OSS.jinja",
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>a</parameter>b</parameter>\n</function>\n"
        "</seed:tool_call>",
    ),
}


@pytest.mark.parametrize("difference", STRICTER)
def test_where_ours_is_stricter(difference: str) -> None:
    """What llama.cpp's grammars allow, and no response template reads as it's meant."""
    name, text = STRICTER[difference]
    assert xgrammar().accepts(analyses()[name]["grammar"], [text]) == [True]
    assert xgrammar().accepts(made(name).gbnf, [text]) == [False]


# -- what is generated is read back


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("parallel", [True, False], ids=["parallel", "one"])
def test_what_is_generated_is_read_back(name: str, parallel: bool) -> None:
    """By the suite's template of the same family, with arguments by their schemas."""
    found = grammar(analysis(f"{name}.jinja"), TOOLS, parallel=parallel)
    source, document = Sentences(found.rules, 2), response_template(FAMILIES[name])
    for _ in range(examples(30)):
        text = source.sentence()
        assert problem(text, document, TOOLS) is None, text


def test_a_required_call_is_about_the_whole_message() -> None:
    found = grammar(analysis("Qwen-Qwen3-0.6B.jinja"), RECORDED_TOOLS, tool_choice=ToolChoice.REQUIRED)
    call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
    assert (found.lazy, found.triggers, found.prompt) == (False, (), "<|im_start|>assistant\n")
    texts = [call, f"<think>\nWell.\n</think>\n\n{call}", f"Let me see. {call}", "No call.", f"{call} And so on."]
    taken = xgrammar().accepts(found.gbnf, [found.prompt + text for text in texts])
    assert taken == [True, True, True, False, False]


def test_calls_without_marks_can_be_required() -> None:
    found = grammar(analysis("meta-llama-Llama-3.1-8B-Instruct.jinja"), RECORDED_TOOLS, tool_choice=ToolChoice.REQUIRED)
    call = '{"name": "add", "parameters": {"a": 1, "b": 2}}'
    taken = xgrammar().accepts(found.gbnf, [found.prompt + text for text in (call, call.replace("1", "x"))])
    assert taken == [True, False]


# -- llama.cpp's expected outputs


@cache
def outputs() -> list[dict[str, Any]]:
    """The complete ones that have calls, and for which llama.cpp has a grammar."""
    if not FOLDER.exists():
        return []
    lines = (FOLDER / "output-cases.jsonl").read_text("utf-8").splitlines()
    cases: list[dict[str, Any]] = list(map(json.loads, lines))
    return [
        case
        for case in cases
        if case["params"]["tools"] and case["has_grammar"] and case["expect"]["tool_calls"] and not case["is_partial"]
    ]


BY_HAND: Final = {
    "Cohere2MoE": "cohere", "Kimi-K2-Thinking": "kimi-k2", "moonshotai-Kimi-K2": "kimi-k2",
    "LFM2.5-8B-A1B": "lfm2.5-calls", "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "nemotron3", "Qwen3-Coder": "qwen3-coder",
    "Qwen3.5-4B": "qwen3.5", "deepseek-ai-DeepSeek-V3.2": "deepseek-v3.2", "deepseek-ai-DeepSeek-V4": "deepseek-v4",
    "deepseek-ai-DeepSeek-V4-Flash-0731": "deepseek-v4", "inclusionai-ling-3.0-flash": "ling3",
    "meetkai-functionary-medium-v3.2": "functionary3.2", "mistralai-Ministral-3-14B-Reasoning-2512": "ministral3",
    "unsloth-mistral-Devstral-Small-2507": "ministral3", "muse-glimmer": "muse-glimmer",
    "openai-gpt-oss-120b": "gpt-oss-harmony", "openbmb-MiniCPM5-1B": "minicpm5",
}  # fmt: skip
"""Families that llama.cpp parses by hand: a response template says more about them than an analysis."""
ENDS: Final = {"openai-gpt-oss-120b": ("<|call|>",)}
NOT_TAKEN: Final = {
    ("Cohere2MoE", '"tool_call_id"'): "a member that the suite's template doesn't ask for",
    ("inclusionai-ling-3.0-flash", "</tool_call>\nThe time has been checked."): "an answer behind the call",
    ("Kimi-K2-Thinking", '{"arg1": 1}<|tool_call_begin|>'): "calls that aren't closed",
    ("Kimi-K2-Thinking", '"timeout": 10}'): "a call that isn't closed",
    ("meetkai-functionary-medium-v3.2", 'special_function\n{"arg1": 1}'): "the prompt ends in the trigger",
    (
        "openai-gpt-oss-120b",
        " to=functions.special_function<|channel|>analysis",
    ): "a form that the template doesn't read",
    ("openai-gpt-oss-120b", "<|channel|>analysis to=functions."): "the same",
}
"""Outputs that aren't taken, by the chat template and a text that is in them, and why."""
_REASONING_ENDS: Final = ("</think>", "[/THINK]", "<|END_THINKING|>")


def test_how_many_outputs_there_are() -> None:
    by_hand = [case for case in outputs() if _name(case) in BY_HAND]
    assert (len(outputs()), len(by_hand)) == (134, 101)


@pytest.mark.parametrize("case", outputs(), ids=lambda case: case["template"].rpartition("/")[2])
def test_expected_outputs(case: dict[str, Any]) -> None:
    """From the trigger on, behind the reasoning; by analyses, or where llama.cpp has a parser by hand, a template."""
    name = _name(case)
    source = response_template(BY_HAND[name]) if name in BY_HAND else analysis(f"{name}.jinja")
    tools = [{"name": tool["name"], "parameters": json.loads(tool["parameters"])} for tool in case["params"]["tools"]]
    found = grammar(source, tools, parallel=case["params"]["parallel_tool_calls"], ends=ENDS.get(name, ()))
    text = case["input"]
    begin = min((text.index(end) + len(end) for end in _REASONING_ENDS if end in text), default=0)
    starts = [text.index(trigger, begin) for trigger in found.triggers if trigger in text[begin:]]
    taken = bool(starts) and xgrammar().accepts(found.gbnf, [text[min(starts) :]]) == [True]
    assert taken != any(one == name and part in text for one, part in NOT_TAKEN), text


def _name(case: dict[str, Any]) -> str:
    return str(case["template"].rpartition("/")[2].removesuffix(".jinja"))
