"""`antiphon derive`: what it prints, and one line for what it can't do."""

from __future__ import annotations

import io
import json
from functools import partial
from pathlib import Path

import antiphon
import pytest
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.templates import deriving
from antiphon_portability.autoparser import Analysis
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


def test_the_analysis_is_printed(tmp_path: Path) -> None:
    ended = run("derive", write(tmp_path, chat(before=THINK)), "--analysis")
    found = Analysis.of(json.loads(ended.out))
    assert (found.tools.format.mode, found.reasoning.end.strip()) == ("JSON_NATIVE", "</think>")


def test_the_explanation(tmp_path: Path) -> None:
    out = run("derive", write(tmp_path, chat()), "--explain", environment={"COLUMNS": "300"}).out.decode()
    assert 'prompt  ends with "<assistant>"' in out
    assert "/fields/tool_calls/close_pattern\n" in out
    assert "  shown by  calls: turns with one call, and with two (T1, T2): a JSON object for each call" in out
    assert "round trip:" in out.splitlines()[-1]


def test_the_explanation_tells_what_isnt_settled_and_what_is_missing(tmp_path: Path) -> None:
    source = chat("<call>{{ {c.function.name: c.function.arguments} | tojson }}</call>", end="{{ eos_token }}")
    out = run("derive", write(tmp_path, source), "--explain").out.decode()
    assert "not settled: what ends a turn" in out
    assert "the format can't say (names-as-keys): the function's name is a member's name" in out
    assert "wrong: one call: " in out


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{{", "can't be rendered: TemplateSyntaxError"),
        ("", "can't be rendered: no prompt shows the question that it was given"),
        ("{{ raise_exception('no') }}", "can't be rendered: TemplateError: no; correct the chat template, or try"),
    ],
)
def test_one_line_for_what_cant_be_rendered(tmp_path: Path, source: str, problem: str) -> None:
    assert_bad_input(run("derive", write(tmp_path, source)), problem)


def test_one_line_for_an_analysis_that_cant_be_made(tmp_path: Path) -> None:
    assert_bad_input(run("derive", write(tmp_path, "{{"), "--analysis"), "TemplateSyntaxError")


def test_a_chat_template_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deriving, "Renderer", partial(Renderer, seconds=1))
    with pytest.raises(BadInput, match=r"can't be rendered: the chat template takes more than 1 seconds; correct"):
        deriving.run(deriving.Wish(write(tmp_path, ENDLESS)), Console(file=io.StringIO()))


def test_an_analysis_isnt_explained(tmp_path: Path) -> None:
    ended = run("derive", write(tmp_path, chat(before=THINK)), "--analysis", "--explain")
    assert_bad_input(ended, "--analysis: is printed alone; leave out --explain, or --analysis")
