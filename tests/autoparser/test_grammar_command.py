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
    assert (done.returncode, done.stdout) == (2, "")
    assert "its analysis doesn't show which member of a call has the function's name" in done.stderr
    assert "make a response template with antiphon derive" in done.stderr


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
    ("chat", "told"),
    [
        ("{{ raise_exception('no') }}", "the chat template: can't be analysed: "),
        ("{% for m in messages %}{{ m.content }}{% endfor %}", "the chat template: writes no tool calls"),
        ("{% if %}", "the chat template: can't be analysed: "),
    ],
)
def test_bad_chat_templates(tmp_path: Path, tools: str, chat: str, told: str) -> None:
    done = ran(written(tmp_path / "chat.jinja", chat), "--tools", tools)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and "Traceback" not in done.stderr
