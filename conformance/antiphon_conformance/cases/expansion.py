"""Cases with their chunks and the events of each feed written out, for those who have nothing but a JSON parser."""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.cases.chunkings import Chunking, chunkings
from antiphon_conformance.cases.identity import Identity, identity
from antiphon_conformance.cases.selection import ALL, Selection, select
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.inputs import writing
from antiphon_conformance.judging.trace import due_steps, expected_trace, schedule

VERSION = 1
"""Of the form of the lines."""


@dataclass(frozen=True)
class Wish:
    """What to export: of the suite in a folder (None: the kit's own) the cases that are selected.

    `every`: with all chunkings that the runner makes from the seed, else with `whole`, `each` and those that a case
    lists.
    """

    suite: Path | None = None
    selection: Selection = ALL
    every: bool = False
    seed: int = 0


def export(wish: Wish, to: Path | None) -> None:
    """Write the lines to a file, or to standard output without one. Raises BadInput."""
    text = "".join(json.dumps(line) + "\n" for line in lines(wish))
    if to is None:
        sys.stdout.write(text)
        return
    with writing("--to", to):
        to.write_text(text, "ascii")


def lines(wish: Wish) -> Iterator[Json]:
    """A line about the suite, then one for each case, by schema/export.schema.json. Raises BadInput."""
    cases = load_suite(wish.suite)
    chosen = select(cases, wish.selection)
    yield _heading(identity(cases, wish.suite))
    for case in chosen:
        found = chunkings(case, wish.seed)
        yield expanded(case, [one for one in found if wish.every or _is_listed(case, one)])


def _heading(suite: Identity) -> Json:
    return {
        "type": "suite",
        "export": VERSION,
        "version": suite.version,
        "digest": suite.digest,
        "required": suite.required,
        "optional": suite.optional,
        "proposals": suite.proposals,
    }


def expanded(case: Case, chosen: Sequence[Chunking]) -> Json:
    """One case. Which members stand for its outcome, and whether runs have `steps`, is told by the schema."""
    expect = case.expect
    told = {"reason": case.reason, "source": case.source}
    return {
        "type": "case",
        "id": case.full_id,
        "description": case.description,
        "clauses": list(case.clauses),
        "notes": list(case.notes),
        **{name: value for name, value in told.items() if value is not None},
        "required": case.required,
        "needs": sorted(case.needs),
        "template": case.template,
        "prefix": case.prefix,
        "tools": case.tools,
        "options": dict(case.options),
        **({"proposals": list(case.proposals)} if case.proposals else {}),
        **_outcome(case),
        **({} if expect.events is None else {"events": [dict(one.event) for one in expected_trace(expect.events)]}),
        "prompt": expect.timed and case.prompt_required,
        "runs": [_run(case, chunking) for chunking in chosen] if expect.parses else [],
    }


def _outcome(case: Case) -> Json:
    expect, error = case.expect, case.expect.error
    if error is not None:
        return {"error": {"stage": error.stage, "kind": error.kind, **error.details}}
    return {"loads": True} if expect.loads else {"message": expect.message}


def _run(case: Case, chunking: Chunking) -> Json:
    """With the events due in each step, if the case has moments: construction, each feed, the end (DUE-1, DUE-3)."""
    run: dict[str, Json] = {"chunking": chunking.name, "chunks": list(chunking.chunks)}
    if not case.expect.timed:
        return run
    moments = schedule(case, chunking)
    steps = [[dict(event) for event in step] for step in due_steps(expected_trace(case.expect.events or ()), moments)]
    error = case.expect.error
    if error is not None and error.at is not None:
        run["error_step"] = bisect_left(moments, error.at)
        steps = steps[: run["error_step"] + 1]
    return {**run, "steps": steps}


def _is_listed(case: Case, chunking: Chunking) -> bool:
    """Whether a chunking is one of the few that say most."""
    cuts = chunking.moments[:-1]
    listed = [one for one in case.listed_chunkings if not isinstance(one, str)]
    return chunking.name in ("whole", "each") or cuts in listed
