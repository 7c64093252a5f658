"""The command grammar: what it prints, and what it says of bad input."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from grammar_cases import TEMPLATES, response_template
from matchers import xgrammar
from recorded import chat_template

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
TOOLS = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer", "multipleOf": 2}},
            "required": ["city"],
        },
    }
]


def flat(told: str) -> str:
    """What was told, as one line."""
    return " ".join(told.split())


@pytest.fixture
def tools(tmp_path: Path) -> str:
    return written(tmp_path / "tools.json", TOOLS)


def written(path: Path, value: Any) -> str:
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return str(path)


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["antiphon", "grammar", *arguments], capture_output=True, encoding="utf-8", check=False)


def test_gbnf_of_a_response_template(tools: str) -> None:
    done = ran(str(TEMPLATES / "qwen3.json"), "--tools", tools)
    assert done.returncode == 0
    assert done.stdout.startswith("# lazy: from a trigger on\n# trigger: <tool_call>\n# preserved token: <think>\n")
    assert xgrammar().accepts(done.stdout, [CALL, f"{CALL}\n{CALL}", CALL.replace("city", "town")]) == [
        True,
        True,
        False,
    ]
    assert " ".join(done.stderr.split()) == (
        f"note {tools}: /0/parameters/properties/days: multipleOf isn't held to: no grammar has it; "
        "check the arguments by the schema"
    )


def test_one_call(tools: str) -> None:
    done = ran(str(TEMPLATES / "qwen3.json"), "--tools", tools, "--one-call")
    assert xgrammar().accepts(done.stdout, [CALL, f"{CALL}\n{CALL}"]) == [True, False]


def test_a_chat_template_through_its_analysis(tmp_path: Path, tools: str) -> None:
    file = written(tmp_path / "chat.jinja", chat_template("Qwen-Qwen3-0.6B.jinja"))
    done = ran(file, "--tools", tools, "--tool-choice", "required")
    assert done.returncode == 0
    assert done.stdout.startswith("# not lazy: the whole message\n# prompt: <|im_start|>assistant\\n\n")
    texts = [f"<|im_start|>assistant\n{text}" for text in (f"<think>\nWell.\n</think>\n\n{CALL}", "no call")]
    assert xgrammar().accepts(done.stdout, texts) == [True, False]


def test_json(tools: str) -> None:
    done = ran(str(TEMPLATES / "qwen3.json"), "--tools", tools, "--format", "json")
    found = json.loads(done.stdout)
    assert found.keys() == {"gbnf", "lazy", "triggers", "preserved_tokens", "prompt", "notes"}
    assert found["triggers"] == ["<tool_call>"] and found["lazy"] is True
    assert [note["place"] for note in found["notes"]] == ["/0/parameters/properties/days"]


def test_a_structural_tag(tools: str) -> None:
    done = ran(str(TEMPLATES / "qwen3.json"), "--tools", tools, "--format", "xgrammar")
    texts = [f"Let me see. {CALL}", "No call.", CALL.replace("get_weather", "get_time")]
    assert xgrammar().accepts_tagged(json.loads(done.stdout), texts) == [True, True, False]


def test_a_tokenizer_config_says_what_ends_a_message(tmp_path: Path, tools: str) -> None:
    document = response_template("gpt-oss-harmony")
    file = written(tmp_path / "tokenizer_config.json", {"response_template": document, "eos_token": "<|call|>"})
    call = '<|channel|>commentary to=functions.get_weather<|message|>{"city": "Paris"}'
    texts = [call, f"{call}<|call|>"]
    for template, want in ((file, [True, True]), (str(TEMPLATES / "gpt-oss-harmony.json"), [False, True])):
        assert xgrammar().accepts(ran(template, "--tools", tools).stdout, texts) == want


OTHER_MEMBERS = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls %}<call>"
    "{{ {'id': c.id, 'fn': {'nm': c.function.name, 'kw': c.function.arguments}} | tojson }}</call>{% endfor %}<end>"
    "{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)


def test_members_that_the_analysis_doesnt_see_arent_made_up(tmp_path: Path, tools: str) -> None:
    done = ran(written(tmp_path / "chat.jinja", OTHER_MEMBERS), "--tools", tools)
    calls = [
        '<call>{"id": "x", "fn": {"nm": "get_weather", "kw": {"city": "Rome"}}}</call>',
        '<call>{"id": "x", "name": "get_weather", "arguments": {"city": "Rome"}}</call>',
    ]
    assert xgrammar().accepts(done.stdout, calls) == [True, False]
    assert "its analysis doesn't show which member of a call has the function's name" in flat(done.stderr)
    assert "the grammar is of the response template made of it (antiphon derive)" in flat(done.stderr)


BY_HAND = {
    "mistralai-Ministral-3-14B-Reasoning-2512": (
        '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}',
        '[TOOL_CALLS]get_weather{"city": "Rome"}',
    ),
    "moonshotai-Kimi-K2": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
        '{"city": "Rome"}<|tool_call_end|><|tool_call_begin|>functions.get_weather:1<|tool_call_argument_begin|>'
        '{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>',
        "<|tool_calls_section_begin|><|tool_call_begin|>get_weather<|tool_call_argument_begin|>{}<|tool_call_end|>",
    ),
    "Qwen3-Coder": (
        "<tool_call>\n<function=get_weather>\n<parameter=days>\n2\n</parameter>\n<parameter=city>\nRome\n</parameter>\n"
        "</function>\n</tool_call>",
        "<tool_call>\n<function=get_weather>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_families_that_llama_cpp_reads_by_hand(tmp_path: Path, tools: str, name: str) -> None:
    done = ran(written(tmp_path / "chat.jinja", chat_template(f"{name}.jinja")), "--tools", tools)
    assert xgrammar().accepts(done.stdout, BY_HAND[name]) == [True, False]
    told = "chat.jinja: the chat template: llama.cpp reads"
    assert told in done.stderr and "by hand, since an analysis gets it wrong; the grammar is of" in flat(done.stderr)


def test_a_chat_template_that_writes_one_call(tmp_path: Path, tools: str) -> None:
    file = written(tmp_path / "chat.jinja", chat_template("GigaChat3.1-10B-A1.8B.jinja"))
    done = ran(file, "--tools", tools)
    call = '<|function_call|>{"name": "get_weather", "arguments": {"city": "Rome"}}'
    assert xgrammar().accepts(done.stdout, [call, call + call]) == [True, False]
    assert "writes no message with several calls, so the grammar has one call" in flat(done.stderr)


@pytest.mark.parametrize("prompt", [None, "<think>\n", "<think>\n\n</think>\n\n"])
def test_the_prompt(tmp_path: Path, tools: str, prompt: str | None) -> None:
    """Qwen3.5's opens reasoning, if it isn't told otherwise."""
    file = written(tmp_path / "chat.jinja", chat_template("Qwen3.5-4B.jinja"))
    given = ["--prompt", prompt] if prompt else []
    done = ran(file, "--tools", tools, "--tool-choice", "required", "--format", "xgrammar", *given)
    call = "<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>"
    closed = prompt is not None and "</think>" in prompt
    assert xgrammar().accepts_tagged(json.loads(done.stdout), [call, f"x\n</think>\n\n{call}"]) == [closed, True]


def test_of_two_tools_with_one_name_the_first_is_told(tmp_path: Path) -> None:
    twice = written(
        tmp_path / "tools.json", [TOOLS[0] | {"parameters": {}}, {"type": "function", "function": TOOLS[0]}]
    )
    done = ran(str(TEMPLATES / "qwen3.json"), "--tools", twice)
    assert done.returncode == 0
    assert "/0: isn't in the grammar: the tool at /1/function has the same name; rename one" in done.stderr


@pytest.mark.parametrize(
    ("template", "tools", "told"),
    [
        ("rwkv-world", TOOLS, "rwkv-world.json: /fields: have none whose transform says"),
        ("qwen3", {"name": "f"}, "tools are a JSON list"),
        ("qwen3", [], "tools.json: the tools: are an empty list"),
        (
            "qwen3",
            [{"name": "f", "parameters": {"properties": {"a": 1}}}],
            "tools.json: /0/parameters/properties/a: a schema is",
        ),
    ],
)
def test_bad_input(tmp_path: Path, template: str, tools: Any, told: str) -> None:
    done = ran(str(TEMPLATES / f"{template}.json"), "--tools", written(tmp_path / "tools.json", tools))
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"start_anchor": "<a>"}, "chat.json: the document: the key 'fields' is missing"),
        ({"fields": {"content": {}}, "start_anchor": 1}, "chat.json: /start_anchor: "),
        ({"eos_token": "<e>"}, "chat.json: has no response_template and no chat_template"),
    ],
)
def test_a_place_is_told_once(tmp_path: Path, tools: str, document: Any, told: str) -> None:
    done = ran(written(tmp_path / "chat.json", document), "--tools", tools)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("/start_anchor") + done.stderr.count("the document") <= 1


APERTUS = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% if m.tool_calls %}<calls>[{% for c in m.tool_calls %}"
    "{{ {c.function.name: c.function.arguments} | tojson }}{% if not loop.last %}, {% endif %}{% endfor %}]</calls>"
    "{% endif %}<end>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)


@pytest.mark.parametrize(
    ("chat", "told"),
    [
        ("{{ raise_exception('no') }}", "chat.jinja: can't be rendered: TemplateError: no; correct the chat template"),
        ("{% for m in messages %}{{ m.content }}{% endfor %}", "the chat template: writes no tool calls"),
        ("\n{% if %}", "chat.jinja: can't be rendered: TemplateSyntaxError: line 2: "),
        (APERTUS, "doesn't read a call that it writes (a call without a function's name); write a response template"),
    ],
)
def test_bad_chat_templates(tmp_path: Path, tools: str, chat: str, told: str) -> None:
    done = ran(written(tmp_path / "chat.jinja", chat), "--tools", tools)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in flat(done.stderr) and "Traceback" not in done.stderr


def test_calls_without_a_mark(tmp_path: Path, tools: str) -> None:
    file = written(tmp_path / "chat.jinja", chat_template("meta-llama-Llama-3.2-3B-Instruct.jinja"))
    done = ran(file, "--tools", tools)
    assert done.returncode == 2
    assert "no mark says that one begins" in flat(done.stderr) and "--tool-choice required" in flat(done.stderr)
    assert ran(file, "--tools", tools, "--tool-choice", "required").returncode == 0
