"""What conformance/README.md shows is true."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
from antiphon_conformance import schemas
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.commands import conformance
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.implementations.protocol import parse_result
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import run_adapter
from made_up import case_source, write_suite

pytest_plugins = ["pytester"]

README = (Path(__file__).parents[2] / "conformance" / "README.md").read_text("utf-8")

PORT = """
export class TemplateError extends Error {}
export function loadTemplate(template) {
  for (const key of Object.keys(template.fields.content))
    throw Object.assign(new TemplateError("no"), { kind: "unknown-key", pointer: `/fields/content/${key}` });
  return template;
}
export class ResponseParser {
  initialEvents = [];
  text = "";
  feed(chunk) {
    const events = chunk && !this.text ? [{ type: "region_open", field: "content" }] : [];
    this.text += chunk;
    if (chunk) events.push({ type: "region_chunk", field: "content", text: chunk, dirty: false });
    return events;
  }
  finalize() {
    const events = this.text ? [{ type: "region_close", field: "content", value: this.text }] : [];
    return { message: { content: this.text }, events };
  }
}
"""


def block(language: str, number: int = 0) -> str:
    return str(re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[number])


def test_the_case_is_a_case_that_the_reference_passes(tmp_path: Path) -> None:
    cases = load_suite(write_suite(tmp_path, json.loads(block("json"))))
    assert run_adapter(make_adapter("reference"), cases).conforms() is Level.PROMPT


def test_the_exchange_is_by_the_protocol_and_true() -> None:
    """Apart from the texts of errors and what this port lacks, the reference answers the same."""
    lines = [line for line in block("").splitlines() if line[:1] in "→←" and line]
    messages = [json.loads(line[2:]) for line in lines]
    for message in messages:
        assert schemas.first_fault(message, "protocol") is None
    reference: Any = make_adapter("reference")
    for request, answer in zip(messages[2::2], messages[3::2], strict=True):
        if "unsupported" not in answer:
            shown, given = parse_result(answer, request), reference.run(request)
            assert (shown.initial, shown.feeds, shown.final) == (given.initial, given.feeds, given.final)
            assert shown.message == given.message
            errors = [error and (error.stage, error.kind, error.pointer) for error in (shown.error, given.error)]
            assert errors[0] == errors[1]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node isn't installed")
def test_the_adapter_in_30_lines_works(tmp_path: Path) -> None:
    adapter = block("js")
    (tmp_path / "my-port.mjs").write_text(PORT)
    (tmp_path / "adapter.mjs").write_text(adapter)
    error = {"error": {"stage": "load", "kind": "unknown-key", "pointer": "/fields/content/opne"}}
    faulty = {"start_anchor": "x", "fields": {"content": {"opne": "x"}}}
    write_suite(tmp_path / "suite", case_source(), case_source(id="load", template=faulty, expect=error))
    result = run_adapter(make_adapter(f"node {tmp_path}/adapter.mjs"), load_suite(tmp_path / "suite"))
    assert result.conforms() is Level.PROMPT, result
    assert len(adapter.splitlines()) <= 40


def test_the_cases_that_are_named_exist() -> None:
    named = set(re.findall(r"antiphon suite show ([a-z0-9/-]+)", README))
    named |= set(re.findall(r"^    (?:message|events|prompt) +(\S+) +#", README, re.MULTILINE))
    assert named
    assert named <= {case.full_id for case in load_suite()}


def option_table(after: str) -> set[str]:
    """The options that the first table behind a line of the README names."""
    table = README[README.index(after) :].split("| option | meaning |", 1)[1].split("\n\n", 1)[0]
    return set(re.findall(r"^\| `(--[a-z-]+)` \|", table, re.MULTILINE))


def test_options_are_those_of_the_command_line() -> None:
    commands: Any = typer.main.get_command(conformance.app)
    options = {name for option in commands.commands["run"].params for name in option.opts}
    assert option_table("## Run it") == options - {"--help"}


def test_options_of_the_pytest_plugin_are_those_that_it_adds(pytester: pytest.Pytester) -> None:
    shown = pytester.runpytest("--help", "-p", "antiphon_conformance.pytest").stdout.str()
    assert option_table("## A port in Python, in pytest") == set(re.findall(r"--conformance-[a-z-]+", shown))
