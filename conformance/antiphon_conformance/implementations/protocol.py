"""The messages between runner and adapter as frozen values, and their checks. schema/protocol.schema.json defines them.

Results come by the ten thousand, so they are checked here by hand; a test holds these checks against the schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from antiphon_portability.templates import table_as_json

from antiphon_conformance import schemas
from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.display import show_value

VERSION = 1
HELLO_REQUEST: Mapping[str, Json] = {"type": "hello", "protocol": VERSION}

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
_EVENT_MEMBERS: Mapping[str, Mapping[str, type]] = {
    "region_open": {"type": str, "field": str},
    "region_chunk": {"type": str, "field": str, "text": str, "dirty": bool},
    "region_close": {"type": str, "field": str, "value": object},
    "region_malformed": {"type": str, "field": str, "text": str, "kind": str},
}
_OPTIONAL_MEMBERS: Mapping[str, frozenset[str]] = {"region_malformed": frozenset(["kind"])}
_TYPE_NAMES: Mapping[type, str] = {str: "a string", int: "a number", dict: "an object", bool: "true or false"}
_RESULT_MEMBERS = frozenset(["type", "id", "initial", "feeds", "final", "message", "error", "unsupported"])
_ERROR_MEMBERS: Mapping[str, type] = {
    "stage": str,
    "kind": str,
    "pointer": str,
    "field": str,
    "position": int,
    "message": str,
}
_STAGES = ("load", "prefix", "feed", "finalize")


class ProtocolFault(Exception):
    """A message that the protocol doesn't have. The text says where (JSON Pointer) and what is wrong."""


@dataclass(frozen=True)
class Hello:
    """Who an implementation is, and the content kinds, extended constructs and proposals that it has.

    `dialect`: the target to which it wants a template's patterns translated; None: not at all.
    """

    name: str
    version: str
    language: str
    capabilities: frozenset[str]
    dialect: str | None = None

    def lacks(self, needs: Iterable[str]) -> tuple[str, ...]:
        """Those of the needed capabilities that the implementation doesn't have, sorted."""
        return tuple(sorted(set(needs) - self.capabilities))


@dataclass(frozen=True)
class AdapterError:
    """Where an implementation refused or failed; what it doesn't tell is None (`position`: code points)."""

    stage: str
    kind: str | None = None
    pointer: str | None = None
    field: str | None = None
    position: int | None = None
    message: str = ""


@dataclass(frozen=True)
class Result:
    """What came of a run. One of `message`, `error` and `unsupported` is set."""

    initial: tuple[Json, ...] = ()
    feeds: tuple[tuple[Json, ...], ...] = ()
    final: tuple[Json, ...] = ()
    message: Mapping[str, Json] | None = None
    error: AdapterError | None = None
    unsupported: str | None = None


def run_request(
    number: int, case: Case, chunking: Chunking, patterns: Mapping[str, Json] | None = None
) -> dict[str, Json]:
    """The request to run a case with a chunking.

    `patterns` are those of the template in the adapter's dialect, for the first run of a case.
    """
    request = {
        "type": "run",
        "id": number,
        "template": case.template,
        "prefix": case.prefix,
        "tools": case.tools,
        "options": dict(case.options),
        **({"proposals": list(case.proposals)} if case.proposals else {}),
        "chunks": list(chunking.chunks),
    }
    return request if patterns is None else {**request, "patterns": patterns}


def run_requests(
    case: Case, cut: Iterable[Chunking], dialect: str | None, numbers: Iterator[int]
) -> Iterator[dict[str, Json]]:
    """The requests that run a case with chunkings, as an adapter with a dialect, or without, gets them."""
    patterns = None if dialect is None else table_as_json(case.template, dialect)
    for chunking in cut:
        yield run_request(next(numbers), case, chunking, patterns)
        patterns = None


def parse_hello(document: Json) -> Hello:
    """Raises ProtocolFault."""
    fault = schemas.first_fault(document, "protocol", "hello")
    if fault is not None:
        raise ProtocolFault(f"{fault.pointer or 'hello'}: {fault.problem}")
    capabilities = frozenset([*document["contents"], *document["features"], *document.get("proposals", ())])
    return Hello(document["name"], document["version"], document["language"], capabilities, document.get("dialect"))


def parse_result(document: Json, request: Mapping[str, Json]) -> Result:
    """The result for a request; also checked are the id and the number of feeds. Raises ProtocolFault."""
    _demand(isinstance(document, dict) and document.get("type") == "result", "", "isn't a result")
    _demand(document.keys() <= _RESULT_MEMBERS, "", f"has unknown keys: {sorted(document.keys() - _RESULT_MEMBERS)}")
    number = document.get("id")
    _demand(
        type(number) is int and number == request["id"], "/id", "isn't the request's; answer each once, in their order"
    )
    outcomes = document.keys() & {"message", "error", "unsupported"}
    _demand(len(outcomes) == 1, "", "needs exactly one of message, error, unsupported")
    initial = _events(document.get("initial", []), "/initial")
    feeds = document.get("feeds", [])
    _demand(isinstance(feeds, list), "/feeds", "isn't a list")
    result = Result(
        initial=initial,
        feeds=tuple(_events(events, f"/feeds/{index}") for index, events in enumerate(feeds)),
        final=_events(document.get("final", []), "/final"),
        message=_typed(document["message"], dict, "/message") if "message" in document else None,
        error=_error(document["error"]) if "error" in document else None,
        unsupported=_typed(document["unsupported"], str, "/unsupported") if "unsupported" in document else None,
    )
    _demand(result.unsupported != "", "/unsupported", "is empty")
    _check_feeds(document, result, len(request["chunks"]))
    return result


def _check_feeds(document: Json, result: Result, chunks: int) -> None:
    """As many lists as chunks were fed; the members that the outcome makes compulsory are there."""
    stage = result.error.stage if result.error else "finalize"
    if result.unsupported is None and stage in ("feed", "finalize"):
        compulsory = {"initial", "feeds"} if result.error else {"initial", "feeds", "final"}
        _demand(document.keys() >= compulsory, "", f"lacks {', '.join(sorted(compulsory - document.keys()))}")
        fed = len(result.feeds)
        right = 1 <= fed <= chunks if stage == "feed" else fed == chunks
        _demand(right, "/feeds", f"has {fed} lists for {chunks} chunks")


def _events(events: Json, pointer: str) -> tuple[Json, ...]:
    _demand(isinstance(events, list), pointer, "isn't a list")
    for index, event in enumerate(events):
        if not _is_sound(event):
            fault = _event_fault(event)
            if fault is not None:
                raise ProtocolFault(f"{pointer}/{index}{fault}")
    return tuple(events)


def _is_sound(event: Json) -> bool:
    """Whether `_event_fault` surely finds nothing: for nearly all events, in a third of its time."""
    if type(event) is not dict or type(event.get("field")) is not str:
        return False
    match event.get("type"):
        case "region_chunk":
            return len(event) == 4 and type(event.get("text")) is str and type(event.get("dirty")) is bool
        case "region_open":
            return len(event) == 2
        case "region_close":
            return len(event) == 3 and "value" in event
    return False


def _event_fault(event: Json) -> str | None:
    """The place in an event and what is wrong there; None if nothing is."""
    kind = event.get("type") if isinstance(event, dict) else None
    members = _EVENT_MEMBERS.get(kind) if isinstance(kind, str) else None
    if members is None:
        return f"/type: {show_value(kind)} is none of {', '.join(_EVENT_MEMBERS)}"
    if not members.keys() - _OPTIONAL_MEMBERS.get(event["type"], frozenset()) <= event.keys() <= members.keys():
        return f": has the keys {sorted(event)}, not {sorted(members)}"
    for name, expected in members.items():
        if name in event and not isinstance(event[name], expected):
            return f"/{name}: isn't {_TYPE_NAMES[expected]}"
    return "/kind: isn't a slug" if "kind" in event and not _SLUG.match(event["kind"]) else None


def _error(error: Json) -> AdapterError:
    _demand(isinstance(error, dict), "/error", "isn't an object")
    _demand(error.keys() <= _ERROR_MEMBERS.keys(), "/error", f"has the keys {sorted(error)}")
    for name, value in error.items():
        _typed(value, _ERROR_MEMBERS[name], f"/error/{name}")
    _demand(error.get("stage") in _STAGES, "/error/stage", f"is none of {', '.join(_STAGES)}")
    _demand("kind" not in error or _SLUG.match(error["kind"]) is not None, "/error/kind", "isn't a slug")
    return AdapterError(**error)


def _typed(value: Json, expected: type, pointer: str) -> Any:
    _demand(type(value) is expected, pointer, f"isn't {_TYPE_NAMES[expected]}")
    return value


def _demand(condition: bool, pointer: str, problem: str) -> None:
    if not condition:
        raise ProtocolFault(f"{pointer or 'the result'}: {problem}")
