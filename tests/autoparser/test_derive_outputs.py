"""Outputs of models, with the messages that llama.cpp makes of them, parsed with derived response templates.

As there, white space at the ends of texts and the formatting of arguments don't matter. Each output is parsed in one
piece and by the character.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import antiphon
import pytest
from antiphon_portability.autoparser.derive import derive
from antiphon_portability.chat import Dialect, Renderer
from recorded import FOLDER, chat_template, needs_records

Case: TypeAlias = Mapping[str, Any]
Told: TypeAlias = tuple[str, str, list[tuple[str, Any, str]]]

MARKERS_KEPT: Final = (
    "reasoning stays in the content, with its markers: a template that is asked for reasoning takes it out"
)
CUT: Final = "the output stops inside the JSON of a call, from which no value can be made (ERROR-6 gives its text)"
FENCED: Final = "the answer is asked for by a schema, and only that tells that the fences around it aren't the answer"

UNREACHED: Final[dict[tuple[str, str], str]] = {
    ("Cohere2MoE", "I'm\nthinking<|END_THINKING|><|START_TEXT|>Hello"): MARKERS_KEPT,
    ("NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "I'm\nthinking\n</think>\nHello"): MARKERS_KEPT,
    ("Qwen3.5-4B", "I'm\nthinking\n</think>\n\nHello"): MARKERS_KEPT,
    ("inclusionai-ling-3.0-flash", "I need to check the time first.\n<tool_call>get_time"): MARKERS_KEPT,
    ("mistralai-Ministral-3-14B-Reasoning-2512", "[THINK]I'm\nthinking[/THINK]Hello"): MARKERS_KEPT,
    ("Cohere2MoE", "I'm\nthinking<|END_THINKING|><|START_ACTION|>[\n"): CUT,
    (
        "CohereForAI-c4ai-command-r7b-12-2024-tool_use",
        "<|START_THINKING|>I'm\nthinking<|END_THINKING|><|START_ACT",
    ): CUT,
    ("Kimi-K2-Thinking", "<|tool_calls_section_begin|><|tool_call_begin|>functions.special_function:0"): CUT,
    ("LFM2.5-8B-A1B", "<|tool_call_start|>[special_function(arg1="): CUT,
    ("Reka-Edge", '<tool_call>\n{"name": "special_function", "arguments": {"arg'): CUT,
    ("meta-llama-Llama-3.1-8B-Instruct", '```json\n"42"\n```'): FENCED,
}
"""By chat template and the output's beginning: the cases that no response template can be asked for, and why."""


@cache
def cases() -> list[Case]:
    file = FOLDER / "output-cases.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def name(case: Case) -> str:
    return Path(case["template"]).stem


def reason(case: Case) -> str:
    """Why it can't be reached; nothing if it can."""
    is_one_of = {MARKERS_KEPT: case["params"]["reasoning_format"] == "none", CUT: case["is_partial"], FENCED: True}
    return next(
        (
            why
            for (template, begins), why in UNREACHED.items()
            if template == name(case) and case["input"].startswith(begins) and is_one_of[why]
        ),
        "",
    )


@cache
def template(of: str) -> dict[str, Any]:
    with Renderer(chat_template(f"{of}.jinja"), dialect=Dialect.LENIENT) as renderer:
        return derive(renderer, prove=False).template


def tools(case: Case) -> list[dict[str, Any]]:
    return [{**tool, "parameters": json.loads(tool["parameters"] or "{}")} for tool in case["params"]["tools"]]


def told(case: Case, chunks: Iterable[str]) -> Told:
    """What the reference makes of an output. Raises antiphon.ParseError."""
    document = template(name(case))
    parser = antiphon.ResponseParser(document, prefix=case["prompt"], tools=tools(case))
    for chunk in chunks:
        parser.feed(chunk)
    message, _ = parser.finalize()
    key = next((key for key in document["fields"] if key not in ("content", "tool_calls")), "")
    calls = [(call["function"], call.get("id", "")) for call in message.get("tool_calls", [])]
    return (
        message.get("content", "").strip(),
        message.get(key, "").strip(),
        [(function["name"], function["arguments"], number) for function, number in calls],
    )


def expected(case: Case) -> Told:
    message = case["expect"]
    calls = [(call["name"], _parsed(call["arguments"]), call["id"]) for call in message["tool_calls"]]
    return message["content"].strip(), message["reasoning_content"].strip(), calls


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:  # of an output that is cut short
        return arguments


@needs_records
@pytest.mark.parametrize("of", sorted({name(case) for case in cases()}))
def test_outputs_give_llama_cpps_message(of: str) -> None:
    for case in cases():
        if name(case) == of and not reason(case):
            whole = told(case, [case["input"]])
            assert whole == expected(case), case["input"]
            assert told(case, case["input"]) == whole, case["input"]


@needs_records
@pytest.mark.parametrize("number", range(len(UNREACHED)))
def test_what_cant_be_reached_is_something_else(number: int) -> None:
    """And is at least told apart: another message, or an error."""
    of, begins = list(UNREACHED)[number]
    found = [case for case in cases() if name(case) == of and case["input"].startswith(begins) and reason(case)]
    assert found
    for case in found:
        try:
            assert told(case, [case["input"]]) != expected(case)
        except antiphon.ParseError as error:
            assert reason(case) == CUT, error


@needs_records
def test_how_many_are_reached() -> None:
    reached = [case for case in cases() if not reason(case)]
    assert len(cases()) == 248
    assert len(reached) == 236
