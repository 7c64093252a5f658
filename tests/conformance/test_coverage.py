"""Clauses and their cases."""

from __future__ import annotations

from pathlib import Path

from antiphon_conformance.cases.coverage import coverage
from antiphon_conformance.cases.specification import clauses_of
from antiphon_conformance.cases.suite import load_suite
from made_up import case_source, write_suite

TEXT = """
**DELIM-1** The first. **DELIM-9** isn't at the beginning of a line, so it's a mention.
> **NOTE-1** is a note.

**KIND-JSON-1** Another.
"""


def test_clauses_begin_their_lines() -> None:
    assert clauses_of(TEXT) == ["DELIM-1", "KIND-JSON-1"]


def test_coverage_counts_required_cases_and_finds_unknown_clauses(tmp_path: Path) -> None:
    write_suite(tmp_path, case_source(clauses=["DELIM-1", "DELIM-9"]))
    write_suite(tmp_path, case_source(clauses=["KIND-JSON-1"], reason="r"), name="optional/file")
    found = coverage(load_suite(tmp_path), TEXT)
    assert found.clauses == {"DELIM-1": ("topic/file/a-case",), "KIND-JSON-1": ()}
    assert found.unknown == {"DELIM-9": ("topic/file/a-case",)}
    assert found.thin(1) == ["KIND-JSON-1"]
    assert found.thin(2) == ["DELIM-1", "KIND-JSON-1"]
