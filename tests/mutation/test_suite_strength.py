"""The suite against mutants of the reference, a few of them; and against deliberate violations of every clause."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from antiphon_conformance import resources
from antiphon_conformance.cases.specification import clauses_of

from mutation import equivalents, violations
from mutation.judge import SuiteJudge
from mutation.mutants import mutants
from mutation.scope import GROUPS, OUTSIDE, OUTSIDE_STATEMENTS
from mutation.violations import UNJUDGED

TESTS = Path(__file__).resolve().parents[1]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, since mutants take the reference's place there."""
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False)


def test_a_sample_of_mutants_is_killed() -> None:
    """All of them are tried by `make mutation`."""
    found = run("mutation", "--sample", "25", "--jobs", "2")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "100.0 %" in found.stdout


def test_every_violation_is_noticed_by_a_case_that_names_its_clause() -> None:
    found = run("mutation.violations", "--jobs", "2")
    assert found.returncode == 0, found.stdout + found.stderr
    assert f"{len(violations.read())} violations of " in found.stdout


def test_every_clause_is_violated() -> None:
    """But for those of which it is said why no case can show it; and as often as it says MUST, or more often."""
    clauses = texts_of_clauses(resources.find_specification().read_text("utf-8"))
    violated = Counter(violation.clause for violation in violations.read())
    assert violated.keys() | UNJUDGED.keys() == clauses.keys()
    assert not violated.keys() & UNJUDGED.keys()
    demands = {clause: len(re.findall(r"\bMUST\b", text)) for clause, text in clauses.items()}
    assert [clause for clause, count in demands.items() if count > violated[clause]] == []
    assert sum(demands.values()) > 20, "no MUST is found any more; has the text another form?"


def texts_of_clauses(specification: str) -> dict[str, str]:
    """By each clause's id, its text up to the next one or the next heading, without notes."""
    ids = clauses_of(specification)
    normative = "\n".join(line for line in specification.splitlines() if not line.startswith(">"))
    ends = "|".join([r"^\*\*(?=[A-Z-]+[0-9]+\*\*)", "^#", r"\Z"])
    texts = {}
    for clause in ids:
        found = re.search(rf"^\*\*{clause}\*\*(.*?)(?:{ends})", normative, re.MULTILINE | re.DOTALL)
        assert found is not None
        texts[clause] = found[1]
    return texts


def test_lists_name_what_exists() -> None:
    """Equivalent mutants, and what is left out: nothing in the lists has gone from the reference."""
    sources = SuiteJudge().package.sources
    modules = [module for modules in GROUPS.values() for module in modules]
    known = {mutant.id for module in modules for mutant in mutants(module, sources[module])}
    assert [mutant for mutant in equivalents.read() if mutant not in known] == []
    for name in OUTSIDE:
        module, _, function = name.partition(".")
        assert function.rpartition(".")[2] in sources[module], name
    for name in OUTSIDE_STATEMENTS:
        place, _, line = name.partition(": ")
        assert line in sources[place.partition(".")[0]], name
