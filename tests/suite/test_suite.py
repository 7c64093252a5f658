"""The suite as a whole: confirmed by the oracle, complete by clauses, passed by the reference on both engines."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from antiphon_conformance.cases.coverage import coverage
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import StartupFailed
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import AdapterResult, run_adapter
from faults_table import PART, table
from oracles import complete_suite

SUITE = load_suite()


def failures(result: AdapterResult, level: Level) -> list[str]:
    found = [(case, case.failure(level)) for case in result.required()]
    return [f"{case.case.full_id}: {failure.finding.reason}" for case, failure in found if failure is not None]


FILES = sorted(complete_suite.SUITE.glob("*/**/*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_oracle_confirms(path: Path) -> None:
    """Message, events and moments of every case are those of the oracle, which was written from SPEC.md alone."""
    before, after, disagreements = complete_suite.complete_file(path, complete_suite.SUITE)
    assert not disagreements
    assert before == after


def test_there_are_cases_for_every_clause() -> None:
    assert sum(case.required for case in SUITE) >= 3000
    found = coverage(SUITE)
    assert not found.unknown
    assert not found.thin(5)


def test_every_case_says_what_a_failure_means() -> None:
    """By notes that exist; and there is no note that no case has."""
    known = json.loads((complete_suite.SUITE / "notes.json").read_text("utf-8"))
    assert [case.full_id for case in SUITE if not case.notes] == []
    assert {note for case in SUITE for note in case.notes} == known.keys()


def test_no_two_cases_are_the_same() -> None:
    """A copy with another name would make the suite look stronger than it is."""
    seen = Counter(
        repr((case.template, case.prefix, case.text, case.tools, case.options)) for case in SUITE if case.required
    )
    assert [key for key, count in seen.items() if count > 1] == []


def test_when_half_a_character_is_due_is_not_judged() -> None:
    """A program with strings of UTF-16 units has to wait for what may be the other half (TEXT-1)."""
    first_half = re.compile("[\ud800-\udbff]")
    timed = [case for case in SUITE if case.expect.timed]
    texts = [(case.full_id, item.event.get("text", "")) for case in timed for item in case.expect.events or ()]
    assert [name for name, text in texts if first_half.search(text)] == []


def test_the_reference_passes_at_every_level() -> None:
    result = run_adapter(make_adapter("reference"), SUITE)
    assert failures(result, Level.PROMPT) == []
    assert result.conforms() is Level.PROMPT
    assert all(not case.lacks for case in result.cases)


WITHOUT_REGEX = """
import sys
sys.modules["regex"] = None
sys.argv = ["antiphon", "conformance", "run", "--level", "prompt"]
from antiphon_conformance.cli import main
main()
"""


def test_the_reference_passes_where_regex_is_not_installed() -> None:
    """On the standard library's `re` some extended constructs are unavailable; all else gives the same results."""
    run = subprocess.run([sys.executable, "-c", WITHOUT_REGEX], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "conforms at level prompt" in run.stdout


def test_the_table_of_upstream_faults_is_what_a_run_gives() -> None:
    try:
        made = table()
    except StartupFailed:
        pytest.skip("transformers is not installed")
    assert PART.read() == made
    rows = [row.strip("| ").split(" | ") for row in made.splitlines()[2:]]
    assert all(reference == "✓" for *_, reference in rows)
    passed = {case.strip("`").rpartition("/")[2] for _, case, upstream, _ in rows if upstream == "✓"}
    assert passed == {"published-deepseek", "lookaheads-apart", "capture-at-the-end-after-newline"}
