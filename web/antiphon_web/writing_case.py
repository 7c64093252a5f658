"""A stream as a case file of the suite, with what the reference makes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import Final

from antiphon_conformance import schemas
from antiphon_conformance.cases.case import demands_moments
from antiphon_conformance.cases.suite import LONGEST as MOST
from antiphon_portability.regex import features, parse
from antiphon_portability.templates import places

from antiphon_web import parsing
from antiphon_web.asking import Json, Refused, Request, limited, member, read_editor
from antiphon_web.observing import Record, Timed
from antiphon_web.streams import Given, given
from antiphon_web.tracing import LONGEST, Tracer, traced
from antiphon_web.writing import pretty

SECONDS: Final = 20.0
"""How long a stream may take to be traced."""
CLAUSES: Final = ("EVENT-4", "DUE-3")
"""What any stream is about: that its result doesn't depend on the chunks, and that nothing comes late."""
LOADING: Final = ("LOAD-1",)
_SLUG: Final = re.compile(r"[a-z0-9]+([-.][a-z0-9]+)*")


def case(request: Request) -> Json:
    """The text of the file. Raises Refused."""
    stream = given(request)
    name, description = member(request, "id", str), member(request, "description", str).strip()
    try:
        stream.loaded()
    except Refused as refusal:
        if "pointer" not in refusal.failure:  # it isn't JSON, or there is no such proposal
            raise
        expect = {"error": {"stage": "load", "kind": refusal.failure["kind"], "pointer": refusal.failure["pointer"]}}
        return {"source": _file(stream, name, description, LOADING, {}, expect)}
    timed = len(limited(request, "text", MOST)) <= LONGEST and _has_moments(stream)
    expect = _with_moments(traced(request, SECONDS)) if timed else _without(request)
    return {"source": _file(stream, name, description, CLAUSES, _told(stream, request["text"], timed), expect)}


def _file(
    stream: Given, name: str, description: str, clauses: tuple[str, ...], told: Mapping[str, Json], expect: Json
) -> str:
    """The whole file; others can be added to its one case."""
    template = read_editor(stream.template, "template")
    if not _SLUG.fullmatch(name):
        name = "-".join(re.findall("[a-z0-9]+", name.lower())) or "from-the-playground"
    description = description or "A stream as the reference parses it."
    requires = sorted(_constructs(template))
    one: dict[str, Json] = {"id": name, "description": description, "clauses": list(clauses)}
    one |= {**({"requires": requires} if requires else {}), **told, "expect": expect}
    return pretty({"description": description, "template": template, "cases": [one]}) + "\n"


def _told(stream: Given, text: str, timed: bool) -> dict[str, Json]:
    """What goes in."""
    tools = stream.tool_list()
    options = {} if stream.on_malformed == "raise" else {"options": {"on_malformed": stream.on_malformed}}
    return {
        **({"prefix": stream.prefix} if stream.prefix else {}),
        **({} if tools is None else {"tools": tools}),
        **options,
        **({} if timed else {"timing": False}),
        "text": text,
    }


def _with_moments(tracer: Tracer) -> Json:
    """Events, and the message or the error. Raises Refused for a stream that can't be traced in time."""
    if not tracer.complete:
        raise Refused("state", "too-long", f"the stream takes more than {SECONDS:.0f} s; give less text")
    end = len(tracer.text) + 1
    events = [one.event | _at(one, end) for one in tracer.record.events]
    if tracer.error is None:
        return {"events": events, "message": tracer.record.messages[-1].message}
    return {"events": events, "error": _error(tracer.error) | {"at": _moment(tracer.error["at"], end)}}


def _without(request: Request) -> Json:
    """The same without moments."""
    came, record = parsing.parse({**request, "chunks": [request["text"]]}), Record()
    for event in chain(came["initial"], *came["feeds"], came["final"]):
        record.saw_event(event, 0, 0)
    ending = {"message": came["message"]} if came["error"] is None else {"error": _error(came["error"])}
    return {"events": [one.event for one in record.events], **ending}


def _error(failure: Mapping[str, Json]) -> dict[str, Json]:
    return {"stage": "parse"} | {name: failure[name] for name in ("kind", "field", "position") if name in failure}


def _has_moments(stream: Given) -> bool:
    """Whether the reference emits at the first possible moment, so that what comes earlier is unsound.

    Where it may be late (DUE-4), its moments aren't those of a case.
    """
    return demands_moments(read_editor(stream.template, "template"))


def _at(one: Timed, end: int) -> dict[str, Json]:
    return {"at": _moment(one.first, end) if one.first == one.last else [one.first, one.last]}


def _moment(moment: int, end: int) -> Json:
    return "end" if moment == end else moment


def _constructs(template: Json) -> set[str]:
    """The extended constructs that its patterns have (DIALECT-3)."""
    extended = schemas.documents()["protocol.schema.json"]["$defs"]["construct"]["enum"]
    trees = [parse(place.source) for place in places(template) if not place.literals]
    return {slug for tree in trees for slug in features(tree)}.intersection(extended)
