"""The first calls that a page makes: who is here, and a whole stream at once."""

from __future__ import annotations

import sys
from typing import Any

import antiphon
from antiphon import ResponseParser
from antiphon.engine import ENGINE

from antiphon_web.asking import Json, Request, texts
from antiphon_web.streams import failure, given, refused


def versions(request: Request) -> Json:
    """What runs here."""
    from importlib.metadata import PackageNotFoundError, version

    from antiphon_conformance import resources
    from antiphon_conformance.cases import identity

    def installed(name: str) -> str | None:
        try:
            return version(name)
        except PackageNotFoundError:
            return None

    return {
        "antiphon": installed("antiphon"),
        "suite": identity.version(resources.find("suite")),
        "python": ".".join(map(str, sys.version_info[:3])),
        "engine": ENGINE,
        "engine_version": installed(ENGINE) or "",
        "proposals": list(antiphon.PROPOSALS),
    }


def parse(request: Request) -> Json:
    """What comes of a stream that is fed in chunks: events step by step, message, and error, if it ends with one."""
    stream, chunks = given(request), texts(request, "chunks")
    came: dict[str, Any] = {"initial": [], "feeds": [], "final": [], "message": {}, "error": None}
    try:
        parser = ResponseParser(stream.loaded(), **stream.options())
    except (antiphon.TemplateError, antiphon.ParserStateError) as error:
        raise refused(error) from None
    except antiphon.ParseError as error:
        return {**came, "initial": error.events, "message": error.message_so_far, "error": failure("prefix", error)}
    came["initial"] = parser.initial_events
    for chunk in chunks:
        try:
            came["feeds"].append(parser.feed(chunk))
        except antiphon.ParseError as error:
            came["feeds"].append(error.events)
            return {**came, "message": error.message_so_far, "error": failure("feed", error)}
    try:
        came["message"], came["final"] = parser.finalize()
    except antiphon.ParseError as error:
        return {**came, "final": error.events, "message": error.message_so_far, "error": failure("finalize", error)}
    return came
