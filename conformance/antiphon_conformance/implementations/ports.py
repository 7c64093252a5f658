"""Adapters in this process for ports in Python: functions that answer the messages of the protocol.

A port that has the interface of the reference needs nothing but `of_port`. Any other writes such a function itself;
`antiphon conformance new-adapter --language python` has one, `respond`, ready to be filled in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from antiphon_conformance import schemas
from antiphon_conformance.cases.case import CONTENT_KINDS, Json

Respond = Callable[[Mapping[str, Json]], Json]
"""A function that answers a message of the protocol (schema/protocol.schema.json) with one."""


class Port(Protocol):
    """A module, class or object with the reference's interface. Its errors have `kind`, and what else is told of them.

    `TemplateError`: `pointer`; `ParseError`: `events`, `field` and `position`.
    """

    @property
    def load_template(self) -> Callable[[Any], Any]: ...
    @property
    def ResponseParser(self) -> Callable[..., Any]: ...
    @property
    def TemplateError(self) -> type[Exception]: ...
    @property
    def ParseError(self) -> type[Exception]: ...


def of_port(
    port: Port,
    *,
    name: str,
    version: str = "",
    contents: Iterable[str] = CONTENT_KINDS,
    features: Iterable[str] | None = None,
) -> Respond:
    """The adapter of a port with the reference's interface.

    `contents` and `features`: the content kinds, and the pattern constructs by their slugs in DIALECT-3, that it has;
    all of them, unless told otherwise. `on_malformed` is passed on only where a case sets it (ERROR-6).
    """
    hello = {
        "type": "hello",
        "protocol": 1,
        "name": name,
        "version": version,
        "language": "Python",
        "contents": sorted(contents),
        "features": sorted(_constructs() if features is None else features),
        "dialect": None,
    }

    def respond(request: Mapping[str, Json]) -> Json:
        if request["type"] == "hello":
            return hello
        return {"type": "result", "id": request["id"], **_answer(port, request)}

    return respond


def by_json(respond: Respond) -> Respond:
    """The same, with messages that have gone through JSON, as between processes: nothing is shared, all is plain."""
    return lambda request: json.loads(json.dumps(respond(json.loads(json.dumps(request)))))


def _answer(port: Port, request: Mapping[str, Json]) -> dict[str, Any]:
    came: dict[str, Any] = {"initial": [], "feeds": []}
    stage = "prefix"
    try:
        template = port.load_template(request["template"])
        parser = port.ResponseParser(template, prefix=request["prefix"], tools=request["tools"], **request["options"])
        came["initial"] = parser.initial_events
        stage = "feed"
        for chunk in request["chunks"]:
            came["feeds"].append(parser.feed(chunk))
        stage = "finalize"
        message, final = parser.finalize()
    except port.TemplateError as error:
        if getattr(error, "kind", None) in ("pattern-unavailable", "content-unavailable"):  # LEVEL-3
            return {"unsupported": str(error) or type(error).__name__}
        return {"error": _described("load", error, ("kind", "pointer"))}
    except port.ParseError as error:
        events = list(getattr(error, "events", ()))
        if stage == "feed":
            came["feeds"].append(events)
        else:
            came["initial" if stage == "prefix" else "final"] = events
        return {**came, "error": _described(stage, error, ("kind", "field", "position"))}
    return {**came, "message": message, "final": final}


def _described(stage: str, error: Exception, details: Iterable[str]) -> dict[str, Any]:
    """An error as the protocol has it; what the port doesn't tell isn't judged."""
    told = {name: getattr(error, name, None) for name in details}
    return {"stage": stage, "message": str(error)} | {name: value for name, value in told.items() if value is not None}


def _constructs() -> list[str]:
    return list(schemas.documents()["protocol.schema.json"]["$defs"]["construct"]["enum"])
