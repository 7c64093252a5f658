"""Every kind of finding fires where it should, and not on a template that is nearly the same."""

from __future__ import annotations

import findings_table
import pytest
from antiphon_portability.lint import RULES, Report, lint
from antiphon_portability.lint.run import CHECKS
from examples import EXAMPLES, Example

BY_VERDICT = {"AP011", "AP012", "AP013", "AP014"}  # what the translator says: test_portability.py


def report(example: Example) -> Report:
    return lint(example.template, targets=example.targets, chat_template=example.chat_template, source=example.source)


def ids(example: Example) -> set[str]:
    found = report(example)
    assert not found.unfinished
    return {finding.rule.id for finding in found.findings}


def test_the_readme_has_the_table() -> None:
    assert findings_table.written() == findings_table.table()


def test_every_finding_has_its_examples() -> None:
    assert EXAMPLES.keys() | BY_VERDICT == RULES.keys()


def test_every_finding_is_of_one_check() -> None:
    """Those of loading come before the checks."""
    checked = [rule for ids, _ in CHECKS for rule in ids]
    assert sorted([*checked, "AP001", "AP002"]) == sorted(RULES)


@pytest.mark.parametrize("rule", EXAMPLES)
def test_fires(rule: str) -> None:
    assert rule in ids(EXAMPLES[rule][0])


@pytest.mark.parametrize("rule", EXAMPLES)
def test_is_silent(rule: str) -> None:
    assert rule not in ids(EXAMPLES[rule][1])
