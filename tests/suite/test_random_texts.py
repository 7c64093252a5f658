"""For every template of the suite: random texts made of its delimiters give the same result in whatever chunks."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from antiphon import TemplateError, load_template
from antiphon_conformance.suite import load_suite
from oracles.completions import automaton
from oracles.determined import delimiter_sources
from oracles.whole_text import Grammar
from streams import cut, run
from support import examples

TEXTS = 1000  # for each template
PLAIN = [" ", "\n", "a", "<", "é", "1", '"', "{}", '{"name": "f", "arguments": {"a": "b"}}', "x = 1", "|", ">", "None"]


def loadable() -> Iterator[dict[str, Any]]:
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


TEMPLATES = list(loadable())


def pieces(template: dict[str, Any]) -> list[str]:
    """Texts that match the delimiters, beginnings and ends of such texts, and plain text."""
    samples = []
    for source in delimiter_sources(Grammar(template, None, "event")):
        machine = automaton(source)
        samples += [text for text in machine.samples(machine.start)[:4] if text]
    halves = [half for text in samples for half in (text[: len(text) // 2], text[len(text) // 2 :])]
    return samples * 3 + halves + PLAIN


@pytest.mark.parametrize("group", range(20))
def test_chunks_do_not_matter(group: int) -> None:
    """EVENT-4, LEVEL-1."""
    for index, template in enumerate(TEMPLATES[group::20]):
        loaded, parts = load_template(template), pieces(template)
        rng = random.Random(f"{group} {index}")
        for _ in range(examples(TEXTS)):
            text = "".join(rng.choices(parts, k=rng.randint(1, 8)))
            whole = run(loaded, [text], on_malformed="event")
            cuts = rng.sample(range(len(text) + 1), k=min(len(text), rng.randint(1, 4)))
            for chunks in (text, cut(text, cuts)):
                assert run(loaded, chunks, on_malformed="event") == whole, (template, text, cuts)
