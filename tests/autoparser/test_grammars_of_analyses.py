"""Grammars from analyses, held against llama.cpp's: the same triggers and tokens, and no text that it doesn't take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest
from antiphon_portability.autoparser import Analysis
from antiphon_portability.autoparser.grammar import Grammar, GrammarError, ToolChoice, constrain, grammar
from antiphon_portability.autoparser.grammar.expressions import (
    Choice,
    Expression,
    Repeat,
    Text,
    chars,
    choice,
    sequence,
)
from antiphon_portability.autoparser.grammar.expressions import Sequence as Items
from grammar_cases import RECORDED_TOOLS, TOOLS, problem, response_template
from matchers import xgrammar
from recorded import analyses, needs_records
from sentences import Sentences
from support import examples

pytestmark = needs_records

NO_MARKS: Final = {
    "LFM2.5-8B-A1B.jinja": "calls in Python: an analysis sees no marks around arguments",
    "muse-glimmer.jinja": "what it takes for a mark is an example in the prompt",
}
"""Chat templates for which llama.cpp has a parser by hand, and whose analysis has no use; its grammar isn't one."""
CONSTANTS: Final = ("True", "False", "None")
"""As Python writes them; llama.cpp reads them in tags, but its grammars don't have them."""
OTHERWISE: Final = {
    "upstage-Solar-Open-100B.jinja": "any id, where llama.cpp takes only that of the conversations which it compared",
    "deepseek-ai-DeepSeek-V3.2.jinja": "white space between calls in a section, where llama.cpp takes a comma",
    "deepseek-ai-DeepSeek-V4.jinja": "the same",
    "deepseek-ai-DeepSeek-V4-Flash-0731.jinja": "the same",
}
"""Where ours has texts that llama.cpp's has not, and why. Everywhere, arguments that may be missing stand among the
others, where llama.cpp takes them behind."""
WIDER: Final = {
    "space": r"[ \t\r\n]*",
    "char": r"""[^"\\\x00-\x1F] | [\\] (["\\bfnrt] | "u" [0-9a-fA-F]{4})""",
    "integral-part": "[0] | [1-9] [0-9]*",
    "decimal-part": "[0-9]+",
    "integer": '"-"? integral-part ".0"?',
    "number": '"-"? integral-part ("." decimal-part)? ([eE] [-+]? [0-9]+)?',
    "boolean": '"true" | "false" | "True" | "False"',
}
"""Rules by which llama.cpp's grammars refuse what chat templates write (1e-07, a deep indent, True), and what ours have
in their place."""
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


def theirs(name: str) -> str:
    """The recorded grammar, with white space and numbers as wide as in ours."""
    rules = (line.partition(" ::= ") for line in analyses()[name]["grammar"].splitlines())
    return "".join(f"{rule} ::= {WIDER.get(rule, body)}\n" for rule, _, body in rules)


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
    texts = [text for text in texts if not any(constant in text for constant in CONSTANTS)]
    assert xgrammar().accepts(made(name).gbnf, texts) == xgrammar().accepts(theirs(name), texts)


@pytest.mark.parametrize("name", [name for name in with_grammar() if name not in OTHERWISE])
def test_what_ours_generates_llama_cpps_takes(name: str) -> None:
    texts = list(filter(_as_in_the_schema, sentences(made(name), examples(60))))
    assert len(texts) > 20
    taken = xgrammar().accepts(theirs(name), texts)
    assert [text for text, accepted in zip(texts, taken, strict=True) if not accepted] == []
    assert all(xgrammar().accepts(made(name).gbnf, texts))


def sentences(found: Grammar, count: int) -> list[str]:
    """With values as llama.cpp's grammars have them: ours take more white space, 5.0 for 5, and Python's constants."""
    plain = {"space": choice(" ", "\n"), "integer": Repeat(chars("123456789"), 1, 3)}
    rules = {name: plain.get(name, without_constants(body)) for name, body in found.rules.items()}
    source = Sentences(rules, 1)
    return [source.sentence() for _ in range(count)]


def without_constants(body: Expression) -> Expression:
    match body:
        case Choice(options):
            return choice(
                *(without_constants(one) for one in options if not (isinstance(one, Text) and one.text in CONSTANTS))
            )
        case Items(items):
            return sequence(*map(without_constants, items))
        case Repeat(inner, least, most):
            return Repeat(without_constants(inner), least, most)
    return body


def _as_in_the_schema(text: str) -> bool:
    """Whether no argument that may be missing stands before the one that may not."""
    calls = (call.partition("city")[0] for call in text.split("get_weather")[1:])
    return not any(re.search(r"\b(days|opts|detailed)\b", call) for call in calls)


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


def test_an_analysis_that_is_wrong_is_told() -> None:
    notes = [str(note) for note in grammar(analysis("Qwen3-Coder.jinja"), RECORDED_TOOLS).notes]
    assert notes == [
        "the analysis: llama.cpp reads Qwen3-Coder by hand, since an analysis gets it wrong; take what source_of gives "
        "for the chat template"
    ]
    assert not grammar(analysis("Qwen-Qwen3-0.6B.jinja"), RECORDED_TOOLS).notes


def test_calls_go_on_from_a_prompt() -> None:
    """What asks for an answer is found in the prompt, whatever it has opened or closed behind that."""
    call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>'
    asked = "<|im_start|>assistant\n"
    for prompt, want in (("", [True, True]), ("<think>\n", [False, True]), ("<think>\n</think>\n", [True, True])):
        made = constrain(
            analysis("Qwen-Qwen3-0.6B.jinja"),
            RECORDED_TOOLS,
            tool_choice=ToolChoice.REQUIRED,
            prompt=f"<|im_start|>user\nHi<|im_end|>\n{asked}{prompt}",
        )
        found = made.grammar()
        assert found.prompt == asked + prompt
        texts = [call, f"Well.\n</think>\n{call}"]
        assert xgrammar().accepts(found.gbnf, [found.prompt + text for text in texts]) == want
        assert xgrammar().accepts_tagged(made.structural_tag(), texts) == want
