"""Whether the suite notices deliberate violations of each clause: by a required case that names it.

`python -m mutation.violations [PATTERN]` shows for each violation of `violations.toml` the case that notices it; the
exit status is 1 if none does. So a clause's cases are known to be about the clause.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from mutation.judge import STAGES, SuiteJudge
from mutation.mutants import Mutant
from mutation.workers import Mark, OutOfTime, cpu_limit, forked

FILE: Final = Path(__file__).with_name("violations.toml")
_BROKEN: Final = tuple(f"crashed: {name}" for name in ("AttributeError", "ImportError", "NameError", "TypeError"))
"""How a violation fails that is itself wrong, perhaps since the reference was changed: that isn't noticed."""
CASE_SECONDS: Final = 5.0
"""CPU time for a stage of a case; on the reference none that names a clause takes a tenth of it."""

UNJUDGED: Final[dict[str, str]] = {
    "ERROR-5": "the protocol makes no call after an error, or after the end",
    "LEVEL-3": "it allows an implementation to lack something, and asks nothing of it",
}
"""Clauses that no case can show to be violated, each with the reason."""


@dataclass(frozen=True)
class Violation:
    """A change to the reference by which it violates a clause; the members are told in `violations.toml`."""

    clause: str
    wrong: str
    module: str
    after: str
    before: str = ""

    def __str__(self) -> str:
        return f"{self.clause}: {self.wrong}"

    def made_to(self, source: str) -> Mutant:
        """The module with the change. Raises ValueError if its text doesn't have `before` exactly once."""
        if self.before and source.count(self.before) != 1:
            raise ValueError(f"{self}: `before` isn't in {self.module}.py exactly once; see to it in {FILE.name}")
        changed = source.replace(self.before, self.after) if self.before else source + self.after
        return Mutant(self.module, "", "violation", self.before, self.after, 1, changed, in_function=False)


def read() -> list[Violation]:
    """All violations."""
    return [Violation(**entry) for entry in tomllib.loads(FILE.read_text("utf-8"))["violation"]]


@dataclass(frozen=True)
class Noticed:
    """A violation, and the case that notices it, with how that fails; None if none does."""

    violation: Violation
    case: str | None
    reason: str = "noticed by no case that names the clause"

    def __str__(self) -> str:
        return f"{self.violation}: {f'{self.case} ({self.reason})' if self.case else self.reason}"


def noticed(judge: SuiteJudge, violations: Sequence[Violation], jobs: int = 1) -> Iterator[Noticed]:
    """What the cases that name the clause of each violation make of it."""
    mutants = {violation: violation.made_to(judge.package.sources[violation.module]) for violation in violations}

    def first(violation: Violation, mark: Mark) -> tuple[str, str] | None:
        cases = [name for name, case in judge.cases.items() if violation.clause in case.clauses]
        judge.install(mutants[violation])
        return _first_failure(judge, sorted(cases, key=lambda name: len(judge.cases[name].text)))

    for done in forked(violations, first, jobs):
        case, reason = done.answer or (None, Noticed.reason)
        if reason.endswith(_BROKEN):
            case, reason = None, f"it doesn't do what it says, but {reason} in {case}"
        yield Noticed(done.task, case, reason)


def _first_failure(judge: SuiteJudge, cases: Sequence[str]) -> tuple[str, str] | None:
    for stage in range(STAGES):
        for case in cases:
            try:
                with cpu_limit(CASE_SECONDS):
                    failure = judge.failure(case, stage)
            except OutOfTime:
                failure = "it doesn't end"
            if failure is not None:
                return case, failure
    return None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mutation.violations", description=__doc__)
    parser.add_argument("pattern", nargs="?", default="*", help="only clauses that match this shell pattern")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (default: 1)")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 160)
    chosen = [violation for violation in read() if fnmatchcase(violation.clause, arguments.pattern)]
    results = []
    for found in noticed(SuiteJudge(), chosen, arguments.jobs):
        results.append(found)
        console.print(Text(str(found), "" if found.case else "red"), soft_wrap=True)
    console.print(tally(results), soft_wrap=True)
    return int(any(found.case is None for found in results))


def tally(found: Sequence[Noticed]) -> str:
    """How many violations there are, of how many clauses, and how many of them aren't noticed."""
    clauses = {one.violation.clause for one in found}
    unnoticed = sum(one.case is None for one in found)
    return f"{len(found)} violations of {len(clauses)} clauses, {unnoticed} unnoticed"


if __name__ == "__main__":
    sys.exit(main())
