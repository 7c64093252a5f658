"""The suite in a page: its cases, their requests, and the harness's own verdicts on the answers to them.

Who answers, and how long that may take, is the page's affair; the reference alone is run in place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

from antiphon_conformance import resources
from antiphon_conformance.cases import identity
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.chunkings import chunkings
from antiphon_conformance.cases.selection import Selection
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import AdapterFailure, InvalidResponse, Read, script
from antiphon_conformance.implementations.protocol import (
    HELLO_REQUEST,
    Hello,
    ProtocolFault,
    Result,
    parse_hello,
    parse_result,
    run_requests,
)
from antiphon_conformance.inputs import BadInput, read_json, read_report_text
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document, figures
from antiphon_conformance.runs.runner import run_case

from antiphon_web.asking import TOO_DEEP, Json, Refused, Request, choice, is_too_deep, member, positive, texts

T = TypeVar("T")

LEVELS: Final = tuple(level.value for level in Level)


class Recorded:
    """An implementation that has answered already: the answers to a case's requests, and why there are no more."""

    name = "recorded"
    busy = 0.0
    stderr = ()

    def __init__(self, hello: Hello, answers: Sequence[Json], failure: str | None) -> None:
        self._hello, self._answers, self._failure = hello, answers, failure

    def hello(self) -> Hello:
        return self._hello

    def run(self, request: Mapping[str, Json]) -> Result:
        """Raises AdapterFailure."""
        (result,) = self.runs([request], parse_result)
        return result

    def runs(self, requests: Iterable[Mapping[str, Json]], read: Read[T]) -> Iterator[T]:
        """Raises AdapterFailure."""
        answers = iter(self._answers)
        for request in requests:
            try:
                answer = next(answers)
            except StopIteration:
                raise AdapterFailure(self._failure or "ended without an answer") from None
            try:
                yield read(answer, request)
            except ProtocolFault as fault:
                raise InvalidResponse(f"invalid response: {fault}") from None

    def interrupt(self) -> None:
        """Nothing runs."""

    def close(self) -> None:
        """Nothing to free."""


class InPlace(Recorded):
    """The reference, which answers when it is asked."""

    name = "reference"

    def __init__(self) -> None:
        self._respond = script("reference").respond
        super().__init__(parse_hello(self._respond(HELLO_REQUEST)), (), None)

    def runs(self, requests: Iterable[Mapping[str, Json]], read: Read[T]) -> Iterator[T]:
        for request in requests:
            yield read(self._respond(request), request)


@cache
def cases() -> Mapping[str, Case]:
    """The kit's own suite, by full ids; that it is by its schema, the project's tests know."""
    return {case.full_id: case for case in load_suite(validate=False)}


@cache
def _seal() -> Mapping[str, Any]:
    """What the kit's suite.json says: the identity of the suite, without counting it all."""
    found: Mapping[str, Any] = read_json(resources.find("suite") / identity.FILE)
    return found


@cache
def reference() -> InPlace:
    return InPlace()


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
    return {"version": _seal()["version"], "digest": _seal()["digest"], "cases": _heads()}


def requests(request: Request) -> Json:
    """The requests that run a case with its chunkings; or what the implementation lacks. Raises Refused."""
    case, hello = _case(request), _hello(request)
    seed, number = member(request, "seed", int), member(request, "number", int)
    lacks = hello.lacks(case.needs)
    made = [] if lacks else list(run_requests(case, chunkings(case, seed), hello.dialect, count(number)))
    return {"lacks": list(lacks), "requests": made}


def judge(request: Request) -> Json:
    """The verdicts on a case, by the answers. Raises Refused."""
    case, failure = _case(request), request.get("failure")
    if failure is not None and not isinstance(failure, str):
        raise Refused("state", "request", "the request's member failure is neither a text nor null")
    recorded = Recorded(_hello(request), member(request, "answers", list), failure)
    found = run_case(recorded, case, seed=member(request, "seed", int), first=member(request, "number", int))
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
    head = {
        "adapter": member(request, "adapter", str),
        "peer": False,
        "name": hello.name,
        "version": hello.version,
        "language": hello.language,
        "missing": max(0, len(chosen) - len(results)),
    }
    try:
        told = [{**one, "outcome": figures.outcome(one, level)} for one in results]
        implementation = document.with_cases(head, told, level)
    except (KeyError, TypeError, AttributeError):
        raise Refused("state", "request", "the request's member results isn't a list of what judge answered") from None
    globs, seconds = tuple(texts(request, "filter")), positive(request, "seconds")
    settings = document.Settings(level, member(request, "seed", int), Selection(globs), timeout=seconds)
    suite = identity.Identity(**{key: value for key, value in _seal().items() if key != "$schema"})
    return document.of_implementations(
        chosen, [implementation], settings, suite, interrupted=member(request, "interrupted", bool)
    )


def read_report(request: Request) -> Json:
    """A report's file, checked. Raises Refused."""
    source, name = member(request, "source", str), member(request, "name", str) or "the file"
    if is_too_deep(source):
        raise Refused("load", "input", f"{name}: is {TOO_DEEP}")
    try:
        return read_report_text(source, Path(name))
    except BadInput as error:
        raise Refused("load", "input", str(error)) from None


def _case(request: Request) -> Case:
    full_id = member(request, "case", str)
    case = cases().get(full_id)
    if case is None:
        raise Refused("state", "request", f"the suite has no case {full_id}; the call suite lists those that it has")
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
