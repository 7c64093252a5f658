"""What is said of an implementation, and of a case: the words that all forms of a report share. Nothing is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from antiphon_conformance.cases.case import Json
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.figures import Column, LagFigures, failure

FAULTS = {Level.MESSAGE: "message or error", Level.EVENTS: "events", Level.PROMPT: "lag"}
"""By what a case fails that fails at a level first."""
BROKEN = ("timed out", "crashed", "didn't start")
"""What a reason begins with where nothing came that could be judged."""
_ERROR = re.compile(r"^[\s\w.:]*(error|exception)\b.*:|panicked at", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """What is to be said of an implementation at a level; each text goes on behind its title.

    `tone`: whether it conforms; `open`: that can't be told. `faults`: how many cases fail by what, `lacks`: how many
    aren't judged. `warnings`: what makes the rest doubtful. `lag`: how late it is, `worst`: the id of the case that is
    latest. Empty: there is nothing to say.
    """

    tone: Literal["good", "bad", "open"]
    said: str
    faults: str = ""
    lacks: str = ""
    warnings: Sequence[str] = ()
    lag: str = ""
    worst: str = ""

    @property
    def details(self) -> list[str]:
        """All but what is said first."""
        late = f"{self.lag} ({self.worst})" if self.lag else ""
        return [text for text in (self.faults, *self.warnings, self.lacks, late) if text]


def of_implementation(column: Column, level: Level) -> Verdict:
    """The verdict on an implementation."""
    broken = column.startup_failure
    if broken:
        return Verdict("bad", startup(broken["reason"], broken.get("stderr", ())))
    tone, said = _said(column, level)
    lacking, lag = column.figures.lacking, column.figures.lag
    return Verdict(
        tone,
        said,
        faults=_faults(column, level),
        lacks=f"{lacking} not judged for what it lacks" if lacking else "",
        warnings=list(_warnings(column)),
        lag=_lag(lag) if lag and lag.worst else "",
        worst=(lag and lag.worst) or "",
    )


def of_case(case: Json, level: Level) -> str:
    """The verdict on a case, in a word or two."""
    if "lacks" in case:
        # Where a run was needed to find out, it is the implementation's own words.
        return f"{'unsupported:' if case['runs'] else 'lacks'} {', '.join(case['lacks'])}"
    found = failure(case, level)
    return "✓" if found is None else f"✗ {kind(found)}"


def kind(found: Json) -> str:
    """What kind of failure it is, in a word or two."""
    broken = next((word for word in BROKEN if found["reason"].startswith(word)), None)
    return broken or ("late" if found["level"] == Level.PROMPT else found["level"])


def startup(reason: str, stderr: Sequence[str]) -> str:
    """Why an implementation didn't start, with its last words on standard error."""
    said = " / ".join(line.strip() for line in last_words(stderr))
    return reason + (f"; it said: {said}" if said else "")


def last_words(stderr: Sequence[str]) -> list[str]:
    """The last line that looks like an error (behind it often stands how it was reached), or else the last three."""
    said = [line for line in stderr if line.strip()]
    return [line for line in said if _ERROR.search(line)][-1:] or said[-3:]


def _said(column: Column, level: Level) -> tuple[Literal["good", "bad", "open"], str]:
    counts = column.figures.tallies[level]
    if counts.failed:
        lower = f"; it conforms at level {column.conforms}" if column.conforms else ""
        fails = f"{counts.failed} of {counts.judged} required cases fail{'s' if counts.failed == 1 else ''}"
        return "bad", f"does not conform at level {level}: {fails}{lower}"
    if not counts.judged:
        return "open", "nothing to judge"
    if column.conforms:
        return "good", f"conforms at level {column.conforms}: {_all_pass(counts.judged)}"
    return "open", _all_pass(counts.judged, " run so far")


def _all_pass(count: int, which: str = "") -> str:
    return f"the one required case{which} passes" if count == 1 else f"all {count} required cases{which} pass"


def _faults(column: Column, level: Level) -> str:
    levels = [found["level"] for _, found in column.failing(level)]
    return ", ".join(f"{levels.count(name)} by {FAULTS[name]}" for name in Level if name.value in levels)


def _lag(lag: LagFigures) -> str:
    return f"lag of a case: median {lag.median}, 95th percentile {lag.p95}, worst {lag.max} code points"


def _warnings(column: Column) -> Iterator[str]:
    if column.missing:
        yield "1 case wasn't run" if column.missing == 1 else f"{column.missing} cases weren't run"
    if column.flaky:
        yield f"{column.flaky} flaky: they differ when they are run again"
