"""A case of the suite as people read it beside its results: what it holds, and the texts that it names."""

from __future__ import annotations

from functools import cache

from antiphon_conformance.cases import specification
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.notes import load_notes

from antiphon_web.asking import Json, Request, member, texts
from antiphon_web.judging import cases

notes = cache(load_notes)


def describe(request: Request) -> Json:
    """A case, what its failure means, and the texts of clauses. Raises Refused.

    Of a report from elsewhere the suite may not have the case, and the specification not the clauses.
    """
    case = cases().get(member(request, "case", str))
    known = specification.clauses()
    noted = [notes()[name] for name in case.notes] if case else []
    return {
        "case": case and _told(case),
        "notes": [{"title": note.title, "effect": note.effect} for note in noted],
        "clauses": {name: known[name] for name in texts(request, "clauses") if name in known},
    }


def _told(case: Case) -> Json:
    return {
        "template": case.template,
        "prefix": case.prefix,
        "text": case.text,
        "tools": case.tools,
        "options": dict(case.options),
        "proposals": list(case.proposals),
        "chunkings": [list(cuts) for cuts in case.listed_chunkings if not isinstance(cuts, str)],
        "requires": sorted(case.requires),
        "reason": case.reason,
        "source": case.source,
    }
