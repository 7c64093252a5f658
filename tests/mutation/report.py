"""What a run of the mutation tests prints: the score by module, and survivors with what was changed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.table import Table
from rich.text import Text

from mutation.campaign import Fate, Verdict
from mutation.mutants import Mutant
from mutation.scope import GROUPS

REQUIRED: Final = 97.0
"""Per cent of a group's mutants, without the equivalent ones, that must be killed; and each survivor is a fault."""


@dataclass(frozen=True)
class Score:
    """Counts of mutants."""

    mutants: int = 0
    killed: int = 0
    looped: int = 0
    equivalent: int = 0

    @property
    def survived(self) -> int:
        """Those that the suite should have killed."""
        return self.mutants - self.killed - self.equivalent

    @property
    def of_all(self) -> float:
        """Per cent killed, of all."""
        return _percent(self.killed, self.mutants)

    @property
    def percent(self) -> float:
        """Per cent killed, of those that aren't equivalent."""
        return _percent(self.killed, self.mutants - self.equivalent)

    @property
    def cells(self) -> tuple[str, ...]:
        counts = (self.mutants, self.killed, self.looped, self.equivalent, self.survived)
        return (*(f"{count:,}" for count in counts), f"{self.of_all:.1f} %", f"{self.percent:.1f} %")


def _percent(part: int, whole: int) -> float:
    """Of nothing, that is all."""
    return 100.0 * part / whole if whole else 100.0


def score(results: Iterable[tuple[Mutant, Verdict]], listed: Mapping[str, str]) -> Score:
    results = list(results)
    killed = [verdict for _, verdict in results if verdict.killed]
    return Score(
        mutants=len(results),
        killed=len(killed),
        looped=sum(verdict.fate is Fate.LOOPED for verdict in killed),
        equivalent=sum(not verdict.killed and mutant.id in listed for mutant, verdict in results),
    )


def table(results: Sequence[tuple[Mutant, Verdict]], listed: Mapping[str, str]) -> Table:
    """The score of each module and group."""
    columns = ("group", "module", "mutants", "killed", "looped", "equivalent", "survived", "killed of all", "score")
    found = Table(*columns)
    for name, modules in GROUPS.items():
        parts = {module: [one for one in results if one[0].module == module] for module in modules}
        run = {module: part for module, part in parts.items() if part}
        for module, part in run.items():
            found.add_row(name if module == next(iter(run)) else "", module, *score(part, listed).cells)
        if len(run) > 1:
            found.add_row("", "together", *score([one for part in run.values() for one in part], listed).cells)
    found.add_section()
    found.add_row("all", "", *score(results, listed).cells)
    return found


def short_groups(results: Sequence[tuple[Mutant, Verdict]], listed: Mapping[str, str]) -> list[str]:
    """The groups of which too few are killed."""
    return [
        name
        for name, modules in GROUPS.items()
        if score([one for one in results if one[0].module in modules], listed).percent < REQUIRED
    ]


def survivor(mutant: Mutant, verdict: Verdict, original: str) -> Text:
    """A survivor as a diff, under its id."""
    lines = difflib.unified_diff(original.splitlines(), mutant.source.splitlines(), n=1, lineterm="")
    note = f" ({verdict.reason}: {verdict.case})" if verdict.fate is Fate.UNCLEAR else ""
    head = f"{mutant.operator}, line {mutant.line}{note}: {mutant.id}"
    return Text("\n".join([head, *(f"    {line}" for line in list(lines)[3:])]))
