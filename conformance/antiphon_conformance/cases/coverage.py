"""Which cases touch which clause of SPEC.md, or of a proposal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from antiphon_conformance import resources
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.specification import clauses_of, proposal_pages


@dataclass(frozen=True)
class Coverage:
    """For each clause, in the order of the text, the ids of the required cases that name it, or for one of a proposal
    the proposal's; and the names of clauses that don't exist, with the cases that use them."""

    clauses: dict[str, tuple[str, ...]]
    unknown: dict[str, tuple[str, ...]]

    def thin(self, minimum: int) -> list[str]:
        """The clauses with fewer cases than that."""
        return [clause for clause, cases in self.clauses.items() if len(cases) < minimum]


def coverage(cases: Iterable[Case], specification: str | None = None, proposals: str = "") -> Coverage:
    """The coverage of a specification's text and of the proposals to it (default: the kit's own).

    Cases under optional/ don't cover; those of proposals cover nothing but the clauses of proposals.
    """
    if specification is None:
        specification = resources.find_specification().read_text("utf-8")
        proposals = proposal_pages()
    proposed = clauses_of(proposals)
    known: dict[str, list[str]] = {clause: [] for clause in [*clauses_of(specification), *proposed]}
    unknown: dict[str, list[str]] = {}
    for case in cases:
        for clause in case.clauses:
            if clause not in known:
                unknown.setdefault(clause, []).append(case.full_id)
            elif case.required or (case.proposals and clause in proposed):
                known[clause].append(case.full_id)
    return Coverage(
        {clause: tuple(ids) for clause, ids in known.items()}, {clause: tuple(ids) for clause, ids in unknown.items()}
    )
