"""`antiphon lint`: its three formats, its exit status, and where findings are in the file."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance.templates import linting
from antiphon_portability.lint import RULES
from antiphon_portability.lint.checks import streaming
from antiphon_portability.lint.positions import positions
from jsonschema import Draft7Validator
from rich.console import Console

SOURCE = """{
  "start_anchor": "<bot>",
  "fields": {
    "tool_calls": {"open": "<c>", "close": "</c>", "repeats": true},
    "content": {}
  }
}
"""
# The parts of the SARIF 2.1.0 schema that a log of this kind has, with what they require.
MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": {"$ref": "#/definitions/run"}},
    },
    "definitions": {
        "run": {
            "type": "object",
            "required": ["tool"],
            "additionalProperties": False,
            "properties": {
                "tool": {"required": ["driver"], "properties": {"driver": {"$ref": "#/definitions/driver"}}},
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "invocations": {"type": "array", "items": {"required": ["executionSuccessful"]}},
                "results": {"type": "array", "items": {"$ref": "#/definitions/result"}},
            },
        },
        "driver": {
            "required": ["name"],
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string"},
                "version": {"type": "string"},
                "rules": {
                    "uniqueItems": True,
                    "items": {
                        "required": ["id"],
                        "additionalProperties": False,
                        "properties": {
                            "id": {"type": "string"},
                            "name": {"type": "string", "pattern": "^[A-Z][A-Za-z]+$"},
                            "shortDescription": MESSAGE,
                            "fullDescription": MESSAGE,
                            "help": MESSAGE,
                            "defaultConfiguration": {"properties": {"level": LEVEL}},
                        },
                    },
                },
            },
        },
        "result": {
            "required": ["message"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"enum": list(RULES)},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": LEVEL,
                "message": MESSAGE,
                "locations": {"items": {"$ref": "#/definitions/location"}},
                "properties": {"type": "object"},
            },
        },
        "location": {
            "required": ["physicalLocation"],
            "properties": {
                "physicalLocation": {
                    "required": ["artifactLocation"],
                    "properties": {
                        "artifactLocation": {"required": ["uri"]},
                        "region": {
                            "required": ["startLine", "startColumn", "endLine", "endColumn"],
                            "additionalProperties": {"type": "integer", "minimum": 1},
                        },
                    },
                },
                "logicalLocations": {"items": {"properties": {"kind": {"enum": ["value"]}}}},
            },
        },
    },
}


def run(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "antiphon_conformance.cli", "lint", "--target", "regex", *arguments]
    ended = subprocess.run(command, capture_output=True, timeout=120, check=False, encoding="utf-8")
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture
def template(tmp_path: Path) -> Path:
    path = tmp_path / "a template.json"
    path.write_text(SOURCE, "utf-8")
    return path


def test_text(template: Path) -> None:
    status, out, err = run(str(template))
    assert (status, err) == (1, "")
    assert "warning AP050  white space replaces the answer" in out
    assert "  at      /fields/tool_calls/close\n" in out
    assert r'  text    "some text<c>some text</c>\n"' in out
    assert out.splitlines()[-1].endswith("1 warning, 2 notes")
    assert "\x1b" not in out
    assert all(line == line.rstrip() and len(line) <= 80 for line in out.splitlines()[:-1])


def test_notes_pass(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('{"start_anchor": "x", "fields": {"content": {}}}', "utf-8")
    assert run(str(path))[0] == 0


def test_targets_are_those_of_translate(template: Path) -> None:
    assert run(str(template), "--target", "all") == run(str(template))


def test_what_cannot_be_looked_at_here_is_told(template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "AVAILABLE", False)
    stream = io.StringIO()
    linting.run(str(template), None, ["regex"], linting.Format.TEXT, Console(width=200, file=stream))
    (told,) = (line for line in stream.getvalue().splitlines() if line.startswith("not "))
    assert told == "not looked at: what transformers makes of it: the regex module isn't installed"


def test_json(template: Path) -> None:
    status, out, _ = run(str(template), "--format", "json")
    report = json.loads(out)
    assert status == 1
    assert [finding["id"] for finding in report["findings"]] == ["AP050", "AP053", "AP092"]
    assert report["unfinished"] == report["skipped"] == []
    assert report["findings"][0]["witness"]["text"] == "some text<c>some text</c>\n"


def test_sarif(template: Path) -> None:
    _, out, _ = run(str(template), "--format", "sarif")
    log = json.loads(out)
    Draft7Validator(SARIF).validate(log)
    (found,) = (result for result in log["runs"][0]["results"] if result["ruleId"] == "AP050")
    assert log["runs"][0]["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == "AP050"
    (location,) = found["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"].endswith("a%20template.json")
    assert location["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 44, "endLine": 4, "endColumn": 50}


def test_sarif_of_a_template_in_a_tokenizer_config(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_text('{"eos_token": "x",\n"response_template": {"start_anchor": "x", "fields": {}}}', "utf-8")
    status, out, _ = run(str(path), "--format", "sarif")
    (found,) = json.loads(out)["runs"][0]["results"]
    assert (status, found["ruleId"]) == (1, "AP001")
    assert found["locations"][0]["physicalLocation"]["region"]["startLine"] == 2


def test_chat_template(template: Path, tmp_path: Path) -> None:
    chat = "{% for message in messages %}{{ message.content }}{% endfor %}{{ eos_token }}"
    config = tmp_path / "tokenizer_config.json"
    config.write_text(json.dumps({"chat_template": chat, "eos_token": {"content": "<bot>"}}), "utf-8")
    assert "AP071" not in run(str(template), "--chat-template", str(config))[1]
    file = tmp_path / "chat.jinja"
    file.write_text(chat, "utf-8")
    assert "AP071" in run(str(template), "--chat-template", str(file))[1]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--target", "cobol"], "--target cobol: there is no such target; there are "),
        (["--target", "pcre"], "--target pcre: there is no such target; write pcre2"),
        (["--chat-template", "missing.jinja"], "missing.jinja: can't be read"),
        (["--format", "xml"], "--format"),
    ],
)
def test_misuse(template: Path, arguments: list[str], problem: str) -> None:
    status, _, err = run(str(template), *arguments)
    assert status == 2
    assert problem in err
    assert len(err.splitlines()) == 1


def test_positions() -> None:
    text = '{"a": [1, {"b/c": "x\\"}"}],\n "é": {"~": null, "~": 2}}'
    found = positions(text)
    assert found.twice == ["/é/~0"]
    assert (found.values["/a/1/b~1c"].start, found.values["/a/1/b~1c"].end) == ((1, 19), (1, 25))
    assert found.values["/é"].start == (2, 7)
    assert found.values[""].start == (1, 1)
