"""Cases against implementations: a table of verdicts, which the terminal and Markdown show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from antiphon_conformance.cases.case import Json
from antiphon_conformance.cases.selection import filtered
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.figures import columns
from antiphon_conformance.reports.verdicts import of_case


def matrix(reports: Iterable[Json], globs: Sequence[str] = ()) -> list[list[str]]:
    """A heading, and a row for each case of the reports that globs choose (`Selection.filter`).

    The columns are the case's description, its id, and the verdict on each implementation at its report's level.
    """
    listed = list(reports)
    levels = [Level(report["level"]) for report in listed for _ in report["implementations"]]
    found = columns(listed)
    rows: dict[str, list[str]] = {}
    for number, (column, level) in enumerate(zip(found, levels, strict=True)):
        for case in column.cases:
            if filtered(globs, case["id"], case["clauses"]):
                row = rows.setdefault(case["id"], [case["description"], case["id"], *("–" for _ in found)])
                row[2 + number] = of_case(case, level)
    return [["what is tried", "case", *(column.title for column in found)], *rows.values()]
