"""What the commands `suite show` and `suite coverage` do: find cases, and print them."""

from __future__ import annotations

import json
from difflib import get_close_matches
from itertools import count
from pathlib import Path

from rich.console import Console

from antiphon_conformance import inputs, terminal
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.chunkings import Chunking, chunkings, named
from antiphon_conformance.cases.coverage import coverage
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.protocol import run_requests
from antiphon_conformance.inputs import BadInput


def show_case(suite: Path | None, full_id: str, chunking: str | None, console: Console) -> None:
    """Print a case to be read, its text cut by a named chunking. Raises BadInput."""
    case, found = find_case(suite, full_id, chunking)
    terminal.print_case(console, case, found[0])


def show_requests(suite: Path | None, full_id: str, chunking: str | None, dialect: str | None) -> None:
    """Print the requests that run a case, by all chunkings or a named one, as an adapter of a dialect gets them.

    Raises BadInput.
    """
    target = None if dialect is None else inputs.target("--dialect", dialect)
    case, found = find_case(suite, full_id, chunking)
    for request in run_requests(case, found, target, count(1)):
        print(json.dumps(request))


def find_case(suite: Path | None, full_id: str, chunking: str | None) -> tuple[Case, list[Chunking]]:
    """The case of an id, with all of its chunkings or the named one. Raises BadInput."""
    cases = {case.full_id: case for case in load_suite(suite)}
    case = cases.get(full_id)
    if case is None:
        near = ", ".join(get_close_matches(full_id, cases)) or "one of `antiphon suite coverage --cases`"
        raise BadInput("ID", f"there is no case {full_id}; try {near}")
    found = chunkings(case)
    if chunking is not None:
        found = [one for one in [named(case, chunking)] if one]
    if not found:
        raise BadInput(
            "--chunking", f"{chunking} doesn't cut this text; give whole, each, or ascending cuts: cut at 1,2"
        )
    return case, found


def show_coverage(suite: Path | None, minimum: int, console: Console, *, all_cases: bool) -> bool:
    """Print the coverage; whether each clause has enough cases and no case names a clause that doesn't exist."""
    found = coverage(load_suite(suite))
    terminal.print_coverage(console, found, minimum, all_cases=all_cases)
    return not found.unknown and not found.thin(minimum)
