"""For every template of the suite: random texts made of its delimiters give the same result in whatever chunks."""

from __future__ import annotations

import random

import pytest
from antiphon import load_template
from random_texts import loadable, pieces
from streams import cut, run
from support import examples

TEXTS = 300  # for each template

TEMPLATES = list(loadable())


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
