"""The command roundtrip: what it prints, its exit status, and what it says of files that it can't use."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS
from chats import PLAIN, TEMPLATE, TURN, chat
from test_cli import Ended, antiphon, assert_bad_input

HINT = "correct the chat template, or try --dialect"
NARROW = {"COLUMNS": "80"}


def write(folder: Path, document: Any, name: str) -> str:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
    return str(path)


def made(folder: Path, *options: str, chat_template: str = PLAIN, template: Any = TEMPLATE) -> Ended:
    files = [write(folder, chat_template, "chat.jinja"), write(folder, template, "template.json")]
    return antiphon("roundtrip", *files, *options, environment=NARROW)


def lossy(**changes: Any) -> dict[str, Any]:
    """Content is stripped, and calls are what the changes say."""
    fields = TEMPLATE["fields"]
    return {
        **TEMPLATE,
        "fields": {**fields, "content": {"close": "<end>"}, "tool_calls": fields["tool_calls"] | changes},
    }


def test_all_exact(tmp_path: Path) -> None:
    ended = made(tmp_path)
    assert (ended.status, ended.err) == (0, "")
    lines = ended.out.decode().splitlines()
    rows = lines[3 : 3 + len(CONVERSATIONS)]
    assert [line.split("  ")[0].strip() for line in rows] == [one.feature for one in CONVERSATIONS]
    assert all(line.rstrip().endswith(" exact") for line in rows)
    assert lines[-1].endswith(f"template.json: {len(CONVERSATIONS)} exact")


def test_what_is_lost(tmp_path: Path) -> None:
    ended = made(tmp_path, template=lossy(close="</call><end>"))
    out = ended.out.decode()
    assert (ended.status, ended.err) == (1, "")
    assert all(len(line) <= 80 for line in out.splitlines()[:-1])
    assert 'wrong     without "<end>": an error' in out
    example = out[out.index('one call  without "<end>": an error: json-syntax in tool_calls\n') :].split("\n\n")[0]
    assert '  text    "<call>call00001|' in example
    assert "  gives   an error: json-syntax in tool_calls" in example
    assert '  expected  "  Rain.\\n\\nMore rain. \\n"\n  got       "Rain.\\n\\nMore rain."\n' in out
    assert "no arguments  without" not in out  # one example of a kind
    assert f"{len(CONVERSATIONS) - 1} exact" not in out


def test_arguments_that_are_not_there(tmp_path: Path) -> None:
    call = {"type": "function", "id": "{id}", "function": {"name": "{content.name}", "arguments": {"made": 1}}}
    out = made(tmp_path, template=lossy(transform=call)).out.decode()
    assert '  expected  "Rome"\n  got       nothing\n' in out
    assert "  expected  nothing\n  got       1\n" in out


def test_losses_pass(tmp_path: Path) -> None:
    ended = made(tmp_path, template=lossy())
    told = f"{len(CONVERSATIONS) - 1} exact, 1 lossy"
    assert (ended.status, ended.out.decode().splitlines()[-1].rpartition(": ")[2]) == (0, told)


def test_what_could_not_be_parsed_is_told(tmp_path: Path) -> None:
    thinking = chat(TURN.replace("message.reasoning_content", "none"), "<assistant><bot>")
    out = made(tmp_path, chat_template=thinking).out.decode()
    assert "not split" in out
    assert "not written" in out


@pytest.mark.parametrize(
    ("chat_template", "reason"),
    [
        ("{{", "TemplateSyntaxError"),
        ("{{ '' }}", "the chat template doesn't write content"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "takes more than"),
    ],
)
def test_nothing_compared_is_a_failure(tmp_path: Path, chat_template: str, reason: str) -> None:
    ended = made(tmp_path, chat_template=chat_template)
    assert ended.status == 1
    assert re.search(f"chat.jinja: nothing was compared: .*{reason}.*; correct the chat template", ended.err)
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(("dialect", "other"), [("hugging-face", "lenient"), ("lenient", "hugging-face")])
def test_another_dialect_is_named_where_it_may_help(tmp_path: Path, dialect: str, other: str) -> None:
    ended = made(tmp_path, "--dialect", dialect, chat_template="{{ 1 // 0 }}")
    assert f"ZeroDivisionError: line 1: integer division or modulo by zero; {HINT} {other}" in ended.err


def test_a_slow_pattern_is_not_tried(tmp_path: Path) -> None:
    template = copy.deepcopy(TEMPLATE)
    template["fields"]["content"] = {"close_pattern": "(?:a|a)*b"}
    messages = [{"role": "user", "content": "Say a."}, {"role": "assistant", "content": 60 * "a"}]
    ended = made(tmp_path, "--messages", write(tmp_path, messages, "messages.json"), template=template)
    assert (ended.status, ended.out.decode().splitlines()[-1].rpartition(": ")[2]) == (1, "1 not tried")
    assert "a delimiter's search in it takes too many steps" in ended.err


def test_nothing_compared_as_json(tmp_path: Path) -> None:
    ended = made(tmp_path, "--json", chat_template="{{")
    assert (ended.status, json.loads(ended.out)["counts"]) == (1, {"not rendered": len(CONVERSATIONS)})
    assert "nothing was compared" in ended.err


def test_json(tmp_path: Path) -> None:
    ended = made(tmp_path, "--json", template=lossy(close="</call><end>"))
    told = json.loads(ended.out)
    assert ended.status == 1
    assert (told["chat_template"][-10:], told["response_template"][-13:]) == ("chat.jinja", "template.json")
    assert sum(told["counts"].values()) == len(told["results"]) == len(CONVERSATIONS)
    call = next(result for result in told["results"] if result["feature"] == "one call")
    assert (call["verdict"], call["only_without"]) == ("wrong", "<end>")


def test_messages(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "Is it late?"}, {"role": "assistant", "content": "It is."}]
    ended = made(tmp_path, "--json", "--messages", write(tmp_path, [messages, messages], "messages.json"))
    found = json.loads(ended.out)
    assert [(result["feature"], result["verdict"], result["text"]) for result in found["results"]] == [
        ("conversation 1", "exact", "It is.<end>"),
        ("conversation 2", "exact", "It is.<end>"),
    ]


def test_both_templates_of_a_tokenizer_config(tmp_path: Path) -> None:
    config = {"chat_template": PLAIN.replace("<end>", "{{ eos_token }}"), "eos_token": "<end>"}
    file = write(tmp_path, config | {"response_template": TEMPLATE}, "tokenizer_config.json")
    assert antiphon("roundtrip", file, file).status == 0


def test_the_lenient_dialect(tmp_path: Path) -> None:
    """Text and None can't be added in Python."""
    turn = TURN.replace("{{ message.content }}", "{{ message.content + message.note | default(none) }}")
    assert b" exact" not in made(tmp_path, chat_template=chat(turn)).out
    assert made(tmp_path, "--dialect", "lenient", chat_template=chat(turn)).status == 0


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ([[]], "messages.json: /0: isn't a message, with a role, nor a list of messages; correct it, or take it out"),
        ("x", "messages.json: line 1 column 1: isn't JSON"),
    ],
)
def test_faulty_messages(tmp_path: Path, document: Any, problem: str) -> None:
    ended = made(tmp_path, "--messages", write(tmp_path, document, "messages.json"))
    assert_bad_input(ended)
    assert problem in ended.err


def test_faulty_templates(tmp_path: Path) -> None:
    ended = made(tmp_path, template={"start_anchor": "x", "fields": {"a": {"opne": "x"}}})
    assert_bad_input(ended)
    assert "template.json: /fields/a/opne: " in ended.err
    assert_bad_input(antiphon("roundtrip", "missing.jinja", "missing.json"))
