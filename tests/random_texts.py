"""Random texts for the templates of the suite, made of what their delimiters match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from antiphon import TemplateError, load_template
from antiphon_conformance.cases.suite import load_suite
from oracles.completions import automaton
from oracles.determined import delimiter_sources
from oracles.whole_text import Grammar

PLAIN = [" ", "\n", "a", "<", "é", "1", '"', "{}", '{"name": "f", "arguments": {"a": "b"}}', "x = 1", "|", ">", "None"]
"""Pieces of text that go with any template."""


def loadable() -> Iterator[dict[str, Any]]:
    """The templates of all cases that can be loaded, each once."""
    seen = set()
    for case in load_suite():
        key = json.dumps(case.template, sort_keys=True)
        if key in seen or not isinstance(case.template, dict):
            continue
        seen.add(key)
        try:
            load_template(case.template)
        except TemplateError:
            continue
        yield case.template


def pieces(template: dict[str, Any]) -> list[str]:
    """Texts that match the delimiters, beginnings and ends of such texts, and plain text."""
    samples = []
    for source in delimiter_sources(Grammar(template, None, "event")):
        machine = automaton(source)
        samples += [text for text in machine.samples(machine.start)[:4] if text]
    halves = [half for text in samples for half in (text[: len(text) // 2], text[len(text) // 2 :])]
    return samples * 3 + halves + PLAIN
