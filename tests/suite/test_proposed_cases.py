"""The cases of proposals: passed by the reference at every level, and enough of them for each clause."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import antiphon
import pytest
from antiphon_conformance import resources
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.coverage import coverage
from antiphon_conformance.cases.specification import clauses_of
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import run_adapter
from random_texts import pieces
from streams import cut, run
from support import examples

CASES = [case for case in load_suite() if case.proposals]
KEYS = {"close-outside-strings": "close_outside_strings", "skip-blank": "skip_blank"}


def test_the_reference_passes_at_every_level() -> None:
    result = run_adapter(make_adapter("reference"), CASES)
    failing = [(case.case.full_id, case.failure(Level.PROMPT)) for case in result.cases]
    assert [case for case in failing if case[1] is not None] == []
    assert not any(case.lacks for case in result.cases)


def test_there_are_cases_for_every_clause() -> None:
    found = coverage(CASES)
    assert not found.unknown
    pages = [resources.find_proposals() / f"{name}.md" for name in antiphon.PROPOSALS]
    clauses = [clause for page in pages for clause in clauses_of(page.read_text("utf-8"))]
    assert [clause for clause in found.thin(5) if clause in clauses] == []


def test_each_case_is_about_its_own_proposal() -> None:
    """It names a clause of the proposal, and its template has the key."""
    for case in CASES:
        page = (resources.find_proposals() / f"{case.proposals[0]}.md").read_text("utf-8")
        assert set(case.clauses) & set(clauses_of(page)), case.full_id
        assert KEYS[case.proposals[0]] in repr(case.template), case.full_id


def test_no_two_cases_are_the_same() -> None:
    seen = Counter(repr((case.template, case.prefix, case.text, case.tools, case.options)) for case in CASES)
    assert [key for key, count in seen.items() if count > 1] == []


@pytest.mark.parametrize("name", antiphon.PROPOSALS)
def test_most_cases_come_to_something_else_without_the_proposal(name: str) -> None:
    """In the message, or in the events. The others are about what the key must not change."""
    parsed = [case for case in CASES if case.proposals == (name,) and case.expect.events is not None]
    same = [
        case for case in parsed if outcome(case, without(case.template, KEYS[name])) == outcome(case, case.template)
    ]
    assert len(same) < 0.5 * len(parsed)


def without(template: Any, key: str) -> Any:
    fields = {name: {k: v for k, v in spec.items() if k != key} for name, spec in template["fields"].items()}
    return {**template, "fields": fields}


def outcome(case: Case, template: Any) -> Any:
    loaded = antiphon.load_template(template, proposals=antiphon.PROPOSALS)
    return run(loaded, case.text, prefix=case.prefix or "", tools=case.tools, on_malformed="event")


def test_chunks_do_not_matter_on_random_texts() -> None:
    """EVENT-4, for texts made of each template's delimiters, of what begins and ends strings, and of white space."""
    templates = {json.dumps(case.template): case for case in CASES if case.expect.parses}
    for key, case in templates.items():
        loaded = antiphon.load_template(case.template, proposals=case.proposals)
        parts, rng = [*pieces(case.template), "'", "\\", "\r", "  \n"], random.Random(key)
        for _ in range(examples(60)):
            text = "".join(rng.choices(parts, k=rng.randint(1, 8)))
            whole = run(loaded, [text], on_malformed="event")
            cuts = rng.sample(range(len(text) + 1), k=min(len(text), rng.randint(1, 4)))
            for chunks in (text, cut(text, cuts)):
                assert run(loaded, chunks, on_malformed="event") == whole, (case.template, text, cuts)
