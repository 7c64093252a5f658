"""Chat templates of a few words, each with one way to write a part of a message, and what is found of it."""

from __future__ import annotations

from typing import Any, Final

import pytest
from antiphon_portability.autoparser import Analysis, Comparisons, NotAnalysed, Step, analyse
from antiphon_portability.chat import Dialect, NotRendered, Renderer
from recorded import fields
from small_templates import JSON, THINK, calls, chat, pairs

REASONING: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "none": (chat(), {"mode": "NONE", "start": "", "end": ""}),
    "between markers": (
        chat(THINK + "{{ m.content }}"),
        {"mode": "TAG_BASED", "start": "<think>\n", "end": "\n</think>\n"},
    ),
    "before a marker": (
        chat("says: {{ m.reasoning_content ~ '</think>' if m.reasoning_content }}{{ m.content }}"),
        {"mode": "TAG_BASED", "start": "", "end": "</think>"},
    ),
    "begun by the prompt": (
        chat(prompt="<bot>{{ '<think>\n' if enable_thinking }}"),
        {"mode": "TAG_BASED", "start": "<think>\n", "end": ""},
    ),
    "ended by the prompt": (
        chat(prompt="<bot><think>{{ '</think>\n' if not enable_thinking }}"),
        {"mode": "TAG_BASED", "start": "<think>", "end": "</think>\n"},
    ),
    "skipped by the prompt, and by an instruction": (
        chat(
            prompt="<bot>{{ '<think>\n\n</think>\n' if not enable_thinking }}",
            start="{{ 'Think first.' if enable_thinking else 'Answer at once.' }} Whatever you do, be kind and short.",
        ),
        {"mode": "TAG_BASED", "start": "<think>", "end": "</think>"},
    ),
    "with calls only": (
        chat("{{ '<think>' ~ m.reasoning_content ~ '</think>\n' if m.tool_calls and m.reasoning_content }}"
             "{{ m.content }}{{ m.tool_calls | tojson if m.tool_calls }}"),
        {"mode": "TOOLS_ONLY", "start": "<think>", "end": "</think>\n"},
    ),
}  # fmt: skip

CONTENT: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "plain": (chat(), {"mode": "PLAIN", "start": "", "end": ""}),
    "plain behind reasoning": (chat(THINK + "{{ m.content }}"), {"mode": "PLAIN", "start": "", "end": ""}),
    "wrapped": (
        chat(THINK + "{% if m.content %}<say>{{ m.content }}</say>{% endif %}"),
        {"mode": "ALWAYS_WRAPPED", "start": "<say>", "end": "</say>"},
    ),
}

TOOLS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "none": (chat(), {"format.mode": "NONE"}),
    "JSON, each": (
        calls(f"<call>\n{JSON}\n</call>\n"),
        {
            "format.mode": "JSON_NATIVE",
            "format.per_call_start": "<call>\n",
            "format.per_call_end": "</call>",
            "format.name_field": "name",
            "format.args_field": "arguments",
            "format.parameter_order": ["name", "arguments"],
        },
    ),
    "JSON, a list": (
        calls(JSON, "<calls>[", "]</calls>", ", "),
        {
            "format.mode": "JSON_NATIVE",
            "format.section_start": "<calls>",
            "format.section_end": "</calls>",
            "format.tools_array_wrapped": True,
            "format.parameter_order": ["name", "arguments"],
        },
    ),
    "JSON, the name as a key": (
        calls("<call>{ {{ f.name | tojson }}: {{ f.arguments | tojson }} }</call>"),
        {
            "format.mode": "JSON_NATIVE",
            "format.fun_name_is_key": True,
            "format.name_field": "",
            "format.args_field": "",
            "format.per_call_start": "<call>",
            "format.per_call_end": "</call>",
        },
    ),
    "JSON, ids, arguments first": (
        calls('<call>{"parameters": {{ f.arguments | tojson }}, "tool": "{{ f.name }}", "key": "{{ c.id }}"}</call>'),
        {
            "format.mode": "JSON_NATIVE",
            "format.per_call_start": "<call>",
            "format.per_call_end": "</call>",
            "format.name_field": "tool",
            "format.args_field": "parameters",
            "format.id_field": "key",
            "format.parameter_order": ["parameters", "tool", "key"],
        },
    ),
    "JSON, an id of its own": (
        calls('<call>{"tool_call_id": {{ loop.index0 }}, "name": "{{ f.name }}", '
              '"arguments": {{ f.arguments | tojson }}}</call>'),
        {
            "format.mode": "JSON_NATIVE",
            "format.per_call_start": "<call>",
            "format.per_call_end": "</call>",
            "format.gen_id_field": "tool_call_id",
            "format.parameter_order": ["tool_call_id", "name", "arguments"],
        },
    ),
    "JSON, the name inside": (
        calls('<call>{"of": {"name": "{{ f.name }}"}, "arguments": {{ f.arguments | tojson }}}</call>'),
        {
            "format.mode": "JSON_NATIVE",
            "format.per_call_start": "<call>",
            "format.per_call_end": "</call>",
            "format.function_field": "of",
            "format.name_field": "of.name",
            "format.parameter_order": ["arguments", "of.name"],
        },
    ),
    "a name in a marker, and JSON": (
        calls("<call={{ f.name }}>{{ f.arguments | tojson }}</call>\n"),
        {
            "format.mode": "TAG_WITH_JSON",  # no marker stands before it, so none is looked for behind
            "function.name_prefix": "<call=",
            "function.name_suffix": ">",
        },
    ),
    "a name between markers, and JSON": (
        calls("<call>{{ f.name }}<args>{{ f.arguments | tojson }}</call>", "<calls>", "</calls>"),
        {
            "format.mode": "TAG_WITH_JSON",
            "format.section_start": "<calls>",
            "format.section_end": "</calls>",
            "format.per_call_start": "<call>",
            "format.per_call_end": "</call>",
            "function.name_suffix": "<args>",
        },
    ),
    "an id before JSON": (
        calls("<call>{{ f.name }}<id>{{ c.id }}<args>{{ f.arguments | tojson }}</call>"),
        {
            "format.mode": "TAG_WITH_JSON",
            "format.per_call_start": "<call>",
            "format.per_call_end": "</call>",
            "function.name_suffix": "<args>",  # which stands behind the id
            "call_id.pos": "BETWEEN_FUNC_AND_ARGS",
            "call_id.prefix": "<id>",
            "call_id.suffix": "<args>",
        },
    ),
    "an id behind JSON": (
        calls("<call>{{ f.name }}<args>{{ f.arguments | tojson }}<id>{{ c.id }}</id></call>"),
        {"call_id.pos": "POST_ARGS", "call_id.prefix": "<id>", "call_id.suffix": "</id>"},
    ),
    "an id before the name": (
        calls("<call><id>{{ c.id }}</id>{{ f.name }}<args>{{ f.arguments | tojson }}</call>"),
        {"call_id.pos": "PRE_FUNC_NAME", "call_id.prefix": "<id>", "call_id.suffix": "</id>"},
    ),
    "arguments in markers": (
        calls("<call>\n<function={{ f.name }}>\n" + pairs("<parameter={{ k }}>\n{{ v }}\n</parameter>\n")
              + "</function>\n</call>\n"),
        {
            "format.mode": "TAG_WITH_TAGGED",
            "format.per_call_start": "<call>\n",
            "format.per_call_end": "</call>",
            "function.name_prefix": "<function=",
            "function.name_suffix": ">\n",
            "function.close": "</function>\n",
            "arguments.name_prefix": "<parameter=",
            "arguments.name_suffix": ">\n",
            "arguments.value_suffix": "\n</parameter>\n",
        },
    ),
    "arguments between markers": (
        calls("<call>{{ f.name }}\n" + pairs("<key>{{ k }}</key>\n<value>{{ v }}</value>\n") + "</call>\n"),
        {
            "format.mode": "TAG_WITH_TAGGED",
            "format.per_call_start": "<call>",
            "format.per_call_end": "</call>",
            "function.name_suffix": "\n",
            "arguments.name_prefix": "<key>",
            "arguments.name_suffix": "</key>\n",
            "arguments.value_prefix": "<value>",
            "arguments.value_suffix": "</value>\n",
        },
    ),
}  # fmt: skip


CAPABILITIES: Final[dict[str, tuple[str, dict[str, bool]]]] = {
    "content and system": (chat(), {}),
    "no system role": (
        "{% if messages and messages[0].role == 'system' %}{{ raise_exception('no') }}{% endif %}" + chat(),
        {"system_role": False},
    ),
    "the first message alone": ("{{ messages[-1].content }}", {"system_role": False}),
    "content in parts": (
        chat().replace("{{ m.content }}</user>", "{% for part in m.content %}{{ part.text }}{% endfor %}</user>"),
        {"string_content": False, "typed_content": True, "system_role": False},
    ),
    "calls": (
        calls("{{ f.name }}{{ f.arguments | tojson }}"),
        {"tool_calls": True, "parallel_tool_calls": True, "object_arguments": True},
    ),
    "calls with arguments as text": (
        calls("{{ f.name }}{{ f.arguments.strip() }}"),
        {"tool_calls": True, "parallel_tool_calls": True},
    ),
    "one call": (
        chat("{{ m.content }}{{ m.tool_calls[0].function | tojson if m.tool_calls }}"),
        {"tool_calls": True, "object_arguments": True},
    ),
    "tools": (chat(start="{{ tools | tojson if tools }}"), {"tools": True}),
    "reasoning of all turns": (chat(THINK), {"preserve_reasoning": True}),
    "reasoning of all turns, if asked for": (
        chat("{{ m.reasoning_content if preserve_thinking }}"),
        {"preserve_reasoning": True},
    ),
    "reasoning of the last turn": (
        chat("{{ m.reasoning_content if loop.last }}"),
        {},
    ),
    "effort": (chat(start="{{ 'Think hard.' if reasoning_effort == 'high' }}"), {"reasoning_effort": True}),
}
"""Where what most have is missing, or the other way round; none of them has calls or tools, if that isn't said."""


def analysed(source: str) -> Analysis:
    with Renderer(source, dialect=Dialect.LENIENT) as renderer:
        return analyse(renderer)


@pytest.mark.parametrize("name", REASONING)
def test_reasoning(name: str) -> None:
    source, expected = REASONING[name]
    assert analysed(source).document()["reasoning"] == expected


@pytest.mark.parametrize("name", CONTENT)
def test_content(name: str) -> None:
    source, expected = CONTENT[name]
    assert analysed(source).document()["content"] == expected


@pytest.mark.parametrize("name", TOOLS)
def test_tools(name: str) -> None:
    source, expected = TOOLS[name]
    found = dict(fields(analysed(source).document()["tools"]))
    absent = dict(fields(Analysis().document()["tools"]))
    if {path.partition(".")[0] for path in expected} == {"call_id"}:
        found = {path: value for path, value in found.items() if path.startswith("call_id")}
        absent = {path: value for path, value in absent.items() if path.startswith("call_id")}
    assert found == {**absent, **expected}


@pytest.mark.parametrize("name", CAPABILITIES)
def test_capabilities(name: str) -> None:
    source, expected = CAPABILITIES[name]
    usual = dict.fromkeys(Analysis().document()["caps"], False) | {
        "supports_string_content": True,
        "supports_system_role": True,
    }
    found = analysed(source).document()["caps"]
    assert found == usual | {f"supports_{name}": value for name, value in expected.items()}


def test_turns() -> None:
    """The generation prompt is what is added for the model to go on; a start has nothing of the turn before."""
    found = analysed("{% if not messages %}{{ raise_exception('none') }}{% endif %}" + chat(prompt="<bot>\n"))
    assert (found.user_start, found.assistant_start) == ("<user>", "<bot>")
    assert found.generation_prompt == "<bot>\n"


def test_what_ends_a_turn_is_no_start() -> None:
    turns = "{% for m in messages %}{{ '<|end|>\n' if not loop.first }}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
    source = "{% if not messages %}{{ raise_exception('none') }}{% endif %}" + turns
    assert analysed(source).user_start == "<|user|>"


def test_comparisons_are_told() -> None:
    """Those that were made, and why others couldn't be."""
    source = chat("{{ m.content | length and m.content }}{{ m.tool_calls | tojson if m.tool_calls }}")
    with Renderer(source, dialect=Dialect.LENIENT) as renderer:
        comparisons = Comparisons(renderer)
        analyse(renderer, comparisons)
    made = {one.step: one for one in comparisons.made}
    assert made[Step.CALL].diff.left.endswith("END_A")
    assert made[Step.CALL].second.count("FFF_FIRST_FUN_F") == 1
    assert "NoneType" in comparisons.absent[Step.REASONING_WITH_CALL]
    assert made.keys().isdisjoint(comparisons.absent)


def test_calls_that_are_no_json() -> None:
    with pytest.raises(NotAnalysed, match="tool call"):
        analysed(calls(f"{JSON}}}"))


def test_what_renders_nothing() -> None:
    with pytest.raises(NotRendered, match="no more"):
        analysed("{{ raise_exception('no more') }}")
