"""A template's patterns: what each engine gets of them, and where the reference's own engine finds them."""

from __future__ import annotations

import time
from typing import Final

from antiphon.content import find_all
from antiphon.delimiter import Delimiter, Match
from antiphon.engine import compile_plain
from antiphon_portability.regex import ENGINES, TARGETS, EngineError, PatternError, translate
from antiphon_portability.regex.translate import LONGEST_SOURCE
from antiphon_portability.templates import Place, places, table_as_json

from antiphon_web.asking import Json, Refused, Request, amount, choice, limited, member, read_editor

LONGEST: Final = 100_000
"""Code points of a text in which a pattern is searched."""
MOMENTS: Final = 1_000
"""Up to so many code points the search is made at each moment."""


def translations(request: Request) -> Json:
    """The patterns and literals of a template for every engine: as many as there is time for, from that of a number on.

    Raises Refused.
    """
    stop = time.perf_counter() + amount(request, "milliseconds", 60_000) / 1000
    found = list(places(read_editor(member(request, "template", str), "template")))
    translated = []
    for place in found[int(amount(request, "from", len(found))) :]:
        translated.append(_translated(place))
        if time.perf_counter() > stop:
            break
    return {
        "patterns": translated,
        "total": len(found),
        "targets": [{"id": target, "title": ENGINES[target].title} for target in TARGETS],
    }


def table(request: Request) -> Json:
    """The patterns for one engine, by their JSON Pointers, as `antiphon translate` writes them. Raises Refused."""
    dialect = choice(request, "dialect", tuple(TARGETS))
    return table_as_json(read_editor(member(request, "template", str), "template"), dialect)


def search(request: Request) -> Json:
    """Where a pattern matches in a complete text, and at each moment what is known of its first match.

    Raises Refused.
    """
    pattern, text = limited(request, "pattern", LONGEST_SOURCE), limited(request, "text", LONGEST)
    try:
        matcher, delimiter = compile_plain(pattern), Delimiter.of_pattern(pattern)
    except PatternError as error:
        raise Refused("load", f"pattern-{error.kind}", error.told, position=error.position) from None
    except EngineError as error:
        raise Refused("load", "pattern-unavailable", str(error)) from None
    matches = [
        {"start": found.start, "end": found.end, "captures": dict(found.captures)} for found in find_all(matcher, text)
    ]
    moments = range(len(text) + 1) if len(text) <= MOMENTS else range(0)
    return {"matches": matches, "held": [_at_moment(delimiter, text, moment) for moment in moments]}


def _at_moment(delimiter: Delimiter, text: str, moment: int) -> Json:
    found = delimiter.search(text[:moment], 0, complete=False)
    if isinstance(found, Match):
        return {"moment": moment, "result": "match", "start": found.start, "end": found.end}
    if found is None or found.start >= moment:  # a match may begin with what comes next, as it always may
        return {"moment": moment, "result": "no", "start": moment, "end": moment}
    return {"moment": moment, "result": "undecided", "start": found.start, "end": moment}


def _translated(place: Place) -> Json:
    head = {"pointer": place.pointer, "pattern": place.source, "literals": list(place.literals)}
    try:
        found = {
            target: {
                "plain": translate(place.source, target).as_json(),
                "hit_end": translate(place.source, target, "hit-end").as_json(),
            }
            for target in TARGETS
        }
    except PatternError as error:
        return {**head, "translations": {}, "error": error.told}
    return {**head, "translations": found, "error": None}
