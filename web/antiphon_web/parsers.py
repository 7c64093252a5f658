"""Parsers that last from call to call: JavaScript knows each by its number, and feeds it as it likes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final, TypeVar

import antiphon

from antiphon_web.asking import Json, Refused, Request, member
from antiphon_web.streams import failure, given, refused

T = TypeVar("T")

_PARSERS: Final[dict[int, antiphon.ResponseParser]] = {}
_NUMBERS: Final = count(1)


def parser_new(request: Request) -> Json:
    """A parser for one stream, until it is freed. A `prefix` of null is none: PREFIX-1 says whether that will do."""
    stream = given({**request, "prefix": request.get("prefix") or ""})
    template, options = stream.loaded(), stream.options()
    options["prefix"] = request.get("prefix")
    parser = _told("prefix", lambda: antiphon.ResponseParser(template, **options))
    number = next(_NUMBERS)
    _PARSERS[number] = parser
    return {"parser": number, "initial": parser.initial_events}


def parser_feed(request: Request) -> Json:
    """The events that more text determines."""
    parser, text = _parser(request), member(request, "text", str)
    return _told("feed", lambda: parser.feed(text))


def parser_finalize(request: Request) -> Json:
    """The end of the stream: message and last events."""
    message, events = _told("finalize", _parser(request).finalize)
    return {"message": message, "events": events}


def parser_message(request: Request) -> Json:
    """The message as the regions closed so far make it."""
    return _parser(request).message_so_far


def parser_free(request: Request) -> Json:
    """A parser is needed no more; one that doesn't exist isn't, either."""
    _PARSERS.pop(member(request, "parser", int), None)


def _parser(request: Request) -> antiphon.ResponseParser:
    found = _PARSERS.get(member(request, "parser", int))
    if found is None:
        raise Refused("state", "freed", "the parser has been freed; make a new one")
    return found


def _told(stage: str, work: Callable[[], T]) -> T:
    """What comes of a call to a parser. Raises Refused, with what ERROR-4 wants told of an error of parsing."""
    try:
        return work()
    except (antiphon.TemplateError, antiphon.ParserStateError) as error:
        raise refused(error) from None
    except antiphon.ParseError as error:
        refusal = Refused(stage, error.kind, str(error))
        refusal.failure |= failure(stage, error)
        refusal.failure |= {"events": list(error.events), "message_so_far": error.message_so_far}
        raise refusal from None
