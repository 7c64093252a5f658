"""The port against the reference: random texts for every template of the suite, cut anywhere, also in characters."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from antiphon_conformance.implementations.adapters import Adapter
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.implementations.protocol import Result, parse_result
from antiphon_conformance.judging.json_values import equal
from antiphon_conformance.judging.trace import actual_trace
from antiphon_portability.templates import FaultyPattern, pattern_table, table_as_json
from random_texts import loadable, pieces
from streams import cut
from support import examples

from javascript.port import node_adapter

TEXTS = 6  # for each template
GROUPS = 4
UNUSUAL = ["😀", "\U00010000", "\ufeff", "\x1c", "\x85", "\0", "\u2028", "\r\n", "İ", "e\u0301", "\U0001f468\u200d"]
LONE = ["\ud800", "\udbff"]
FIRST_HALF = re.compile("[\ud800-\udbff]")  # the port holds one until it knows that it has no second (TEXT-1)
PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
TEMPLATES = list(loadable())


@pytest.fixture(scope="module")
def port() -> Iterator[Adapter]:
    adapter = node_adapter()
    yield adapter
    adapter.close()


def drawn(rng: random.Random, parts: list[str]) -> list[str]:
    """Texts of these parts. What two halves side by side are isn't specified (TEXT-1)."""
    texts = ["".join(rng.choices(parts, k=rng.randint(1, 8))) for _ in range(examples(TEXTS))]
    return [text for text in texts if not PAIR.search(text)]


def requests(template: Mapping[str, Any], chunkings: Sequence[Sequence[str]]) -> Iterator[dict[str, Any]]:
    """The runs of a template, the first of which brings its patterns."""
    patterns = {"patterns": table_as_json(template, "ecmascript")}
    for number, chunks in enumerate(chunkings):
        options = {"on_malformed": ("event", "raise")[number % 2]}
        run = {"type": "run", "id": number, "template": template, "prefix": "", "tools": None, "options": options}
        yield {**run, "chunks": chunks, **({} if number else patterns)}


def units(text: str, rng: random.Random) -> list[str]:
    """The text in chunks as a program with strings of UTF-16 units might cut it."""
    coded = text.encode("utf-16-le", "surrogatepass")
    size = len(coded) // 2
    edges = [0, *sorted(rng.sample(range(size + 1), k=min(size, 4))), size]
    return [coded[2 * begin : 2 * end].decode("utf-16-le", "surrogatepass") for begin, end in pairwise(edges)]


def outcome(result: Result) -> Any:
    """What came in the end. The texts of errors are free, and so is which of several missing fields is named."""
    error = result.error
    field = None if error is None or error.kind == "field-missing" else error.field
    told = error and [error.kind, field, error.position]
    return [[merged.event for merged in actual_trace(result)], result.message, told]


def steps(result: Result) -> list[list[int]]:
    """In which call each event, and each code point of a chunk, came."""
    return [merged.each for merged in actual_trace(result)]


def compare(port: Adapter, template: Mapping[str, Any], ours: Any, theirs: Any, *, prompt: bool) -> int:
    """The port on some chunks, the reference on others of the same texts: the same, if `prompt` in the same calls."""
    reference = make_adapter("reference")
    results = list(port.runs(requests(template, ours), parse_result))
    wanted = reference.runs(requests(template, theirs), parse_result)
    for result, expected, chunks in zip(results, wanted, ours, strict=True):
        assert equal(outcome(result), outcome(expected)), (template, chunks)
        assert not prompt or steps(result) == steps(expected), (template, chunks)
    return len(ours)


@pytest.mark.parametrize("group", range(GROUPS))
def test_the_port_does_what_the_reference_does(port: Adapter, group: int) -> None:
    """EVENT-4, LEVEL-1, TEXT-1."""
    compared = 0
    for index, template in enumerate(TEMPLATES[group::GROUPS]):
        table = pattern_table(template, "ecmascript").values()
        forms = [entry for entry in table if not isinstance(entry, FaultyPattern)]
        if any(entry.plain.pattern is None for entry in forms):
            continue  # the port says that it lacks the construct
        rng, parts = random.Random(f"{group} {index}"), pieces(template)
        texts = [text for text in drawn(rng, parts + UNUSUAL) if not FIRST_HALF.search(text)]
        chunked = [cut(text, rng.sample(range(len(text) + 1), k=min(len(text), rng.randint(1, 4)))) for text in texts]
        each = [list(text) for text in texts]
        prompt = not any(entry.unsupported for entry in forms)
        compared += compare(port, template, each + chunked, each + chunked, prompt=prompt)
        broken = drawn(rng, parts + UNUSUAL + LONE)
        whole, halves = [[text] for text in broken], [units(text, rng) for text in broken]
        compared += compare(port, template, halves, whole, prompt=False)
    assert compared > 1000
