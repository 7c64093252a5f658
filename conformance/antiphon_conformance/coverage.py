"""Which cases touch which clause of SPEC.md."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from antiphon_conformance import resources
from antiphon_conformance.case import Case

_CLAUSE = re.compile(r"^\*\*([A-Z]+(?:-[A-Z]+)*-[0-9]+)\*\*", re.MULTILINE)


@dataclass(frozen=True)
class Coverage:
    """For each clause, in the order of the text, the ids of the required cases that name it; and the names of clauses
    that don't exist, with the cases that use them."""

    clauses: dict[str, tuple[str, ...]]
    unknown: dict[str, tuple[str, ...]]

    def thin(self, minimum: int) -> list[str]:
        """The clauses with fewer cases than that."""
        return [clause for clause, cases in self.clauses.items() if len(cases) < minimum]


def clauses_of(specification: str) -> list[str]:
    """The ids of all clauses in a specification's text, in their order."""
    return list(dict.fromkeys(_CLAUSE.findall(specification)))


def coverage(cases: Iterable[Case], specification: str | None = None) -> Coverage:
    """The coverage of a specification's text (default: the kit's SPEC.md). Cases under optional/ don't cover."""
    text = resources.find_specification().read_text("utf-8") if specification is None else specification
    known: dict[str, list[str]] = {clause: [] for clause in clauses_of(text)}
    unknown: dict[str, list[str]] = {}
    for case in cases:
        for clause in case.clauses:
            if clause not in known:
                unknown.setdefault(clause, []).append(case.full_id)
            elif case.required:
                known[clause].append(case.full_id)
    return Coverage(
        {clause: tuple(ids) for clause, ids in known.items()}, {clause: tuple(ids) for clause, ids in unknown.items()}
    )
