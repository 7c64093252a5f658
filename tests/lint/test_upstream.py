"""The simulation against transformers itself, and what the lint shows of it (skipped where that isn't installed)."""

from __future__ import annotations

import json
from typing import Any

import antiphon
import pytest
from antiphon_portability.lint import Finding, lint
from antiphon_portability.lint.context import Context
from antiphon_portability.lint.upstream import Endless, Simulation
from examples import EXAMPLES
from hypothesis import given, settings
from published import PUBLISHED
from support import examples
from templates import templates, texts

upstream = pytest.importorskip("transformers.utils.chat_parsing", reason="transformers is not installed")


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def message_of(template: dict[str, Any], text: str, size: int) -> Any:
    """The message that transformers makes of a text, cut into chunks; None where it fails."""
    parser = upstream.ResponseParser(template, prefix="")
    try:
        for chunk in cut(text, size):
            parser.feed(chunk)
        return parser.finalize()[0]
    except (ValueError, KeyError):
        return None


def regions_of(template: dict[str, Any], text: str, size: int) -> list[tuple[str, str]]:
    """The regions of transformers' events, with their texts."""
    parser = upstream.ResponseParser(template, prefix="")
    events = [event for chunk in cut(text, size) for event in parser.feed(chunk)] + parser.finalize()[1]
    found: list[tuple[str, str]] = []
    for event in events:
        if event["type"] == "region_open":
            found.append((event["field"], ""))
        elif event["type"] == "region_chunk":
            found[-1] = (event["field"], found[-1][1] + event["text"])
    return found


def plain(template: dict[str, Any]) -> dict[str, Any]:
    """The same delimiters, with values that can't fail."""
    kept = ("open", "open_pattern", "close", "close_pattern")
    shaped = {
        name: {**{key: members[key] for key in kept if key in members}, "transform": {"it": "{content}"}}
        for name, members in template["fields"].items()
    }
    return {**template, "fields": shaped}


@settings(max_examples=examples(600))
@given(templates(), texts)
def test_the_simulation_is_what_transformers_does(template: dict[str, Any], text: str) -> None:
    template = plain(template)
    loaded = antiphon.load_template(template)
    simulation = Simulation(Context(template, loaded, ()).sides, loaded.fields)
    for size in (1, 3, max(len(text), 1)):
        try:
            outcome = simulation.run(cut(text, size))
        except Endless:
            continue  # transformers wouldn't return
        assert [(region.name, region.text) for region in outcome.regions] == regions_of(template, text, size)


LINTED: dict[str, dict[str, Any]] = PUBLISHED | {rule: pair[0].template for rule, pair in EXAMPLES.items()}
CHUNK_SIZE = {"one": 1, "4": 4, "7": 7}


@pytest.mark.parametrize("name", LINTED)
def test_what_is_shown_is_what_transformers_does(name: str) -> None:
    for finding in lint(LINTED[name], targets=()).findings:
        if finding.rule.id == "AP020":
            check_cut(LINTED[name], finding)
        elif finding.rule.id == "AP022":
            assert finding.witness is not None
            told = dict(finding.witness.shows)
            whole = message_of(LINTED[name], finding.witness.text, len(finding.witness.text))
            assert shown(whole) == told["transformers"] != told["the reference"]


def check_cut(template: dict[str, Any], finding: Finding) -> None:
    assert finding.witness is not None
    text, how = finding.witness.text, finding.witness.chunks
    whole, streamed = message_of(template, text, len(text)), message_of(template, text, CHUNK_SIZE[how.split()[0]])
    told = dict(finding.witness.shows)
    assert whole != streamed
    for message, name in ((whole, "in one piece"), (streamed, how)):
        assert (
            "an error" in told[f"transformers, {name}"]
            if message is None
            else shown(message) == told[f"transformers, {name}"]
        )


def shown(message: Any) -> str:
    return json.dumps(message, ensure_ascii=False)
