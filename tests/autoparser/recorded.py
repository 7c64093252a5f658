"""What llama.cpp found out about its chat templates, as recorded beside the repository; tests skip where that isn't."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from antiphon_portability.autoparser.analysis.comparisons import Compare, Comparison
from antiphon_portability.autoparser.analysis.conversations import PAIRS, Step
from downloads import Unavailable, llama_chat_templates, trl_chat_templates

FOLDER: Final = Path(__file__).parents[3] / "shared" / "autoparser"
needs_records: Final = pytest.mark.skipif(not FOLDER.exists(), reason="the records of llama.cpp aren't at hand")

Record = Mapping[str, Any]


@cache
def analyses() -> dict[str, Record]:
    """By the names of chat templates; none where the records aren't."""
    return _read("analysis.json")


@cache
def traces() -> dict[str, Record]:
    """Analyses with all comparisons."""
    return _read("trace.json")


def _read(name: str) -> dict[str, Record]:
    found: dict[str, Record] = json.loads((FOLDER / name).read_text("utf-8")) if FOLDER.exists() else {}
    return found


def comparing(trace: list[Record]) -> Compare:
    """Compares what was recorded. Raises KeyError for a step that llama.cpp didn't take."""
    known = {_key(one): one for one in trace}

    def compare(step: Step) -> Comparison | None:
        one = known[_key_of(step)]
        return None if one.get("failed") else Comparison.of(step, one["output_A"], one["output_B"])

    return compare


def is_known(record: Record) -> bool:
    """Whether a recorded comparison is one of the steps."""
    return _key(record) in {_key_of(step) for step in Step}


def _key_of(step: Step) -> str:
    first, second = PAIRS[step].first, PAIRS[step].second
    assert (first.has_tools, first.add_generation_prompt) == (second.has_tools, second.add_generation_prompt)
    thinking = [first.enable_thinking, second.enable_thinking]
    return json.dumps([first.messages, second.messages, first.has_tools, first.add_generation_prompt, thinking])


def _key(record: Record) -> str:
    thinking = [record["enable_thinking_A"], record["enable_thinking_B"]]
    names = ("messages_A", "messages_B", "has_tools", "add_generation_prompt")
    return json.dumps([*(record[name] for name in names), thinking])


def chat_template(name: str) -> str:
    """Of llama.cpp, by its file's name. Skips where they can't be had."""
    try:
        return llama_chat_templates()[name]
    except Unavailable as unavailable:
        pytest.skip(str(unavailable))


def chat_templates() -> dict[str, str]:
    """All of both packages. Skips where they can't be had."""
    try:
        packages = {"llama.cpp": llama_chat_templates(), "trl": trl_chat_templates()}
    except Unavailable as unavailable:
        pytest.skip(str(unavailable))
    return {f"{package}/{name}": text for package, texts in packages.items() for name, text in texts.items()}


def fields(document: Record, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """A document's fields by their paths."""
    for name, value in document.items():
        if isinstance(value, Mapping):
            yield from fields(value, f"{prefix}{name}.")
        else:
            yield prefix + name, list(value) if isinstance(value, tuple) else value
