"""The moments that `determined` finds, against all short continuations over a small alphabet."""

from __future__ import annotations

import random

from random_patterns import BASE, PatternMaker, every_text
from support import examples

from oracles.determined import Quick, Unwritten, size, trace
from oracles.values import JSON
from oracles.whole_text import common_beginning

LETTERS = "ab<"
CONTINUATIONS = list(every_text(4, LETTERS + "x"))
CONSTRUCTS = (*BASE, "caret", "dollar", "text-end", "word-boundary", "lookahead", "negative-lookahead")


def literal(rng: random.Random) -> str:
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(1, 4)))


def delimiter(rng: random.Random, key: str) -> dict[str, JSON]:
    """A literal, a list, or a pattern with a transform that asks for its first group or for none."""
    kind = rng.choice(("literal", "literal", "list", "pattern", "pattern"))
    if kind == "literal":
        return {key: literal(rng)}
    if kind == "list":
        return {key: [literal(rng) for _ in range(rng.randint(1, 3))]}
    source = PatternMaker(rng, CONSTRUCTS).pattern()
    shape = ["{content}", "{n1}"] if "(?P<n1>" in source and rng.random() < 0.5 else "{content}"
    return {f"{key}_pattern": source or "a", "transform": shape}


def some_template(rng: random.Random) -> dict[str, JSON]:
    fields: dict[str, JSON] = {}
    for name in rng.sample("pqr", rng.randint(1, 2)):
        close = delimiter(rng, "close") if rng.random() < 0.8 else {}
        fields[name] = close | delimiter(rng, "open")
    if rng.random() < 0.8:
        fields["c"] = delimiter(rng, "close") if rng.random() < 0.5 else {}
    return {"start_anchor": "@@", "fields": fields}


def test_no_short_continuation_was_forgotten() -> None:
    for seed in range(examples(100)):
        rng = random.Random(f"exhaustive {seed}")
        template = some_template(rng)
        text = "".join(rng.choice(LETTERS) for _ in range(rng.randint(0, 5)))
        found = trace(template, text)
        grammar, nothing = Quick(template, None, "raise"), Unwritten(template)
        whole = list(grammar.events(text, nothing))
        bound = size(whole)
        for fed in range(len(text), -1, -1):
            for continuation in CONTINUATIONS:
                bound = common_beginning(whole, grammar.events(text[:fed] + continuation, nothing), bound)
            claimed = sum(1 for due in found.due if due is not None and due <= fed)
            assert claimed <= bound, (seed, template, text, fed)
