"""The suite in a page: its cases, their requests, and the harness's own verdicts on the answers to them.

Who answers, and how long that may take, is the page's affair; the reference alone is run in place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Final

from antiphon_conformance import resources
from antiphon_conformance.cases import identity
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.chunkings import chunkings
from antiphon_conformance.cases.identity import Identity
from antiphon_conformance.cases.selection import Selection
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import AdapterFailure, InProcessAdapter, script
from antiphon_conformance.implementations.protocol import Hello, ProtocolFault, parse_hello, run_requests
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document, figures
from antiphon_conformance.runs.runner import run_case

from antiphon_web.asking import (
    Json,
    Refused,
    Request,
    amount,
    choice,
    member,
    optional,
    texts,
    unsound,
)

LEVELS: Final = tuple(level.value for level in Level)


@cache
def reference() -> InProcessAdapter:
    return InProcessAdapter("reference", script("reference").respond)


def recorded(hello: Hello, answers: Sequence[Json], failure: str | None) -> InProcessAdapter:
    """An implementation that has answered a case's requests already; `failure`: why there are no more answers."""
    left = iter(answers)

    def respond(request: Mapping[str, Json]) -> Json:
        for answer in left:
            return answer
        raise AdapterFailure(failure or "ended without an answer")

    return InProcessAdapter("recorded", respond, hello)


@cache
def cases() -> Mapping[str, Case]:
    """The kit's own suite, by full ids; that it is by its schema, the project's tests know."""
    return {case.full_id: case for case in load_suite(validate=False)}


@cache
def _identity() -> Identity:
    """What the kit's suite.json says: counting it all takes long."""
    return identity.told(resources.find("suite"))


@cache
def _heads() -> list[Json]:
    return [
        {
            "id": case.full_id,
            "topic": case.topic,
            "description": case.description,
            "required": case.required,
            "clauses": list(case.clauses),
            "runs": len(chunkings(case)),
        }
        for case in cases().values()
    ]


def suite(request: Request) -> Json:
    """The suite's cases, as a list to choose from."""
    return {"version": _identity().version, "digest": _identity().digest, "cases": _heads()}


def requests(request: Request) -> Json:
    """The requests that run a case with its chunkings; or what the implementation lacks. Raises Refused."""
    case, hello = _case(request), _hello(request)
    seed, number = member(request, "seed", int), member(request, "number", int)
    lacks = hello.lacks(case.needs)
    made = [] if lacks else list(run_requests(case, chunkings(case, seed), hello.dialect, count(number)))
    return {"lacks": list(lacks), "requests": made}


def judge(request: Request) -> Json:
    """The verdicts on a case, by the answers. Raises Refused."""
    case, answers = _case(request), member(request, "answers", list)
    adapter = recorded(_hello(request), answers, optional(request, "failure", str))
    found = run_case(adapter, case, seed=member(request, "seed", int), first=member(request, "number", int))
    return document.case_result(found, Level.EVENTS)


def run(request: Request) -> Json:
    """The reference's verdicts on a case. Raises Refused."""
    found = run_case(reference(), _case(request), seed=member(request, "seed", int))
    return document.case_result(found, Level.EVENTS)


def report(request: Request) -> Json:
    """The report of one implementation. Raises Refused."""
    level = Level(choice(request, "level", LEVELS))
    asked, results = frozenset(texts(request, "asked")), member(request, "results", list)
    hello = reference().hello() if request.get("hello") is None else _hello(request)
    chosen = [case for case in cases().values() if case.full_id in asked]
    head = document.head(member(request, "adapter", str), hello, max(0, len(chosen) - len(results)))
    try:
        told = [{**one, "outcome": figures.outcome(one, level)} for one in results]
        implementation = document.with_cases(head, told, level)
    except (KeyError, TypeError, AttributeError):
        raise unsound("the request's member results isn't a list of what judge answered") from None
    globs, seconds = tuple(texts(request, "filter")), amount(request, "seconds")
    settings = document.Settings(level, member(request, "seed", int), Selection(globs), timeout=seconds)
    interrupted = member(request, "interrupted", bool)
    return document.of_implementations(chosen, [implementation], settings, _identity(), interrupted=interrupted)


def _case(request: Request) -> Case:
    full_id = member(request, "case", str)
    case = cases().get(full_id)
    if case is None:
        raise unsound(f"the suite has no case {full_id}; the call suite lists those that it has")
    return case


def _hello(request: Request) -> Hello:
    """What the implementation said of itself. Raises Refused for what isn't a hello of the protocol."""
    return _read_hello(json.dumps(request.get("hello")))


@lru_cache(maxsize=16)
def _read_hello(source: str) -> Hello:
    try:
        return parse_hello(json.loads(source))
    except ProtocolFault as fault:
        raise Refused("state", "hello", f"didn't start: invalid hello: {fault}") from None
