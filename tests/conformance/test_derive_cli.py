"""`antiphon derive`: what it prints, and one line for what it can't do."""

from __future__ import annotations

import io
import json
import re
from functools import partial
from pathlib import Path

import antiphon
import pytest
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.templates import deriving
from antiphon_portability.autoparser import Analysis
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS
from antiphon_portability.chat import Renderer
from rich.console import Console
from test_cli import antiphon as run
from test_cli import assert_bad_input

ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
THINK = "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}"
JSON = '{"name": {{ c.function.name | tojson }}, "arguments": {{ c.function.arguments | tojson }}}'


def chat(call: str = f"<call>{JSON}</call>", before: str = "", end: str = "<end>") -> str:
    """Turns with what stands before the content, the calls, and what ends them."""
    turn = f"{before}{{{{ m.content }}}}{{% for c in m.tool_calls %}}{call}{{% endfor %}}"
    turns = f"{{% for m in messages %}}<{{{{ m.role }}}}>{turn}{end}{{% endfor %}}"
    return turns + "{% if add_generation_prompt %}<assistant>{% endif %}"


def write(folder: Path, source: str, name: str = "chat.jinja") -> str:
    path = folder / name
    path.write_text(source, "utf-8")
    return str(path)


def test_a_response_template_is_printed(tmp_path: Path) -> None:
    ended = run("derive", write(tmp_path, chat(before=THINK)))
    assert (ended.status, ended.err) == (0, "")
    document = json.loads(ended.out)
    assert list(antiphon.load_template(document).fields) == ["reasoning_content", "tool_calls", "content"]


def test_from_a_tokenizers_configuration(tmp_path: Path) -> None:
    """Its tokens are known then."""
    config = {"chat_template": chat(end="{{ eos_token }}"), "eos_token": "<eos>"}
    ended = run("derive", write(tmp_path, json.dumps(config), "tokenizer_config.json"))
    assert json.loads(ended.out)["fields"]["content"]["close_pattern"] == r"<eos>\s*"


def test_a_chat_template_for_tools_is_used_where_there_are_tools(tmp_path: Path) -> None:
    named = [{"name": "default", "template": chat("")}, {"name": "tool_use", "template": chat()}]
    ended = run("derive", write(tmp_path, json.dumps({"chat_template": named}), "tokenizer_config.json"))
    assert (ended.status, ended.err) == (0, "")
    assert json.loads(ended.out) == json.loads(run("derive", write(tmp_path, chat())).out)


def test_the_analysis_is_printed(tmp_path: Path) -> None:
    ended = run("derive", write(tmp_path, chat(before=THINK)), "--analysis")
    found = Analysis.of(json.loads(ended.out))
    assert (found.tools.format.mode, found.reasoning.end.strip()) == ("JSON_NATIVE", "</think>")


def test_the_explanation(tmp_path: Path) -> None:
    out = run("derive", write(tmp_path, chat()), "--explain", environment={"COLUMNS": "300"}).out.decode()
    assert 'prompt  ends with "<assistant>"' in out
    assert "/fields/tool_calls/close_pattern\n" in out
    assert "  shown by  calls: turns with one call, and with two (T1, T2): a JSON object for each call" in out
    assert "  T2               a second call follows\n" in out
    assert "round trip:" in out.splitlines()[-1]


def test_the_explanation_tells_what_isnt_settled_and_what_is_missing(tmp_path: Path) -> None:
    source = chat("<call>{{ {c.function.name: c.function.arguments} | tojson }}</call>", end="{{ eos_token }}")
    ended = run("derive", write(tmp_path, source), "--explain")
    out = ended.out.decode()
    assert (ended.status, ended.err) == (1, "")
    assert "\nnot settled  what ends a turn" in out
    assert "\nthe format can't say (names-as-keys)  the function's name" in out
    assert "wrong: one call: " in out


def test_what_is_wrong_with_a_printed_template_is_told_beside_it(tmp_path: Path) -> None:
    source = chat("<call>{{ {c.function.name: c.function.arguments} | tojson }}</call>", end="{{ eos_token }}")
    ended = run("derive", write(tmp_path, source))
    assert ended.status == 1
    antiphon.load_template(json.loads(ended.out))
    told = [line.partition("chat.jinja: ")[2] for line in ended.err.splitlines()]
    assert re.fullmatch(rf"\d+ of {len(CONVERSATIONS)} conversations come back wrong; see --explain", told[0])
    assert any(line.startswith("not settled: what ends a turn") for line in told)
    assert any(line.startswith("the format can't say (names-as-keys): ") for line in told)


def test_what_isnt_settled_is_no_failure(tmp_path: Path) -> None:
    ended = run("derive", write(tmp_path, chat(end="{{ eos_token }}")))
    assert (ended.status, ended.err.count("\n")) == (0, 1)
    assert "chat.jinja: not settled: what ends a turn" in ended.err


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (5, "/chat_template: is no text, and no list with"),
        ([{"nam": "default", "template": "x"}], "/chat_template: is no text, and no list with"),
        ([{"name": "default"}], "has no chat_template; give"),
        ([{"name": "rag", "template": "x"}], "has chat templates named rag, and none named default"),
    ],
)
def test_one_line_for_a_configuration_without_a_chat_template(tmp_path: Path, found: object, problem: str) -> None:
    assert_bad_input(run("derive", write(tmp_path, json.dumps({"chat_template": found}), "config.json")), problem)


def test_a_chat_template_isnt_read_from_standard_input() -> None:
    told = "CHAT_TEMPLATE: can't be standard input; write it to a .jinja file, and give that"
    assert_bad_input(run("derive", "-"), told)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{{", "can't be rendered: TemplateSyntaxError"),
        (
            "",
            "no prompt shows the question that it was given; correct the chat template, or try --dialect hugging-face",
        ),
        ("{{ raise_exception('no') }}", "can't be rendered: TemplateError: no; correct the chat template\n"),
    ],
)
def test_one_line_for_what_cant_be_rendered(tmp_path: Path, source: str, problem: str) -> None:
    assert_bad_input(run("derive", write(tmp_path, source)), problem)


def test_one_line_for_an_analysis_that_cant_be_made(tmp_path: Path) -> None:
    assert_bad_input(run("derive", write(tmp_path, "{{"), "--analysis"), "TemplateSyntaxError")


def test_a_chat_template_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deriving, "Renderer", partial(Renderer, seconds=1))
    with pytest.raises(BadInput, match=r"takes more than 1 seconds; correct the chat template$"):
        deriving.run(deriving.Wish(write(tmp_path, ENDLESS)), *[Console(file=io.StringIO())] * 2)


def test_an_analysis_isnt_explained(tmp_path: Path) -> None:
    ended = run("derive", write(tmp_path, chat(before=THINK)), "--analysis", "--explain")
    assert_bad_input(ended, "--analysis: is printed alone; leave out --explain, or --analysis")
