"""From a chat template to a response template, with what showed each of its parts, and the round trip of both.

A chat template is a program: whoever calls limits the time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

import antiphon
from antiphon_portability.autoparser import PAIRS, Comparison, Comparisons
from antiphon_portability.autoparser.derive import MISSING, Derived
from antiphon_portability.autoparser.derive import derive as derived_of
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, RoundTrip
from antiphon_portability.autoparser.roundtrip import round_trip as round_trip_of
from antiphon_portability.autoparser.roundtrip.said import Spelling
from antiphon_portability.chat import Dialect, NotRendered, Renderer, TooMuch

from antiphon_web.asking import Json, Refused, Request, choice, limited, member, special_tokens
from antiphon_web.checking import Places
from antiphon_web.streams import loaded
from antiphon_web.writing import pretty

LONGEST: Final = 1_000_000
"""Code points of a chat template."""
_AROUND: Final = 120
"""Code points that are shown before and behind a difference."""
_SHOWN: Final = 2_000
"""Code points of each side of a difference that are shown."""


def derive(request: Request) -> Json:
    """The response template of a chat template, how it came about, and what it understands. Raises Refused."""
    begun = time.perf_counter()
    with _renderer(request) as renderer:
        comparisons = Comparisons(renderer)
        try:
            derived = derived_of(renderer, comparisons)
        except (NotRendered, TooMuch) as error:
            raise _refused(error) from None
    compared = {one.step: one for one in comparisons.made}
    source = pretty(derived.template)
    parts = [*_parts(derived, source)]
    cited = {step: compared[step] for part in parts for step in part["comparisons"] if step in compared}
    return {
        "template": source,
        "parts": [{**part, "comparisons": [one for one in part["comparisons"] if one in cited]} for part in parts],
        "comparisons": {step.value: _shown(found) for step, found in cited.items()},
        "unsettled": list(derived.unsettled),
        "missing": [{"slug": slug, "text": MISSING[slug]} for slug in derived.missing],
        "generation_prompt": derived.generation_prompt,
        "analysis": derived.analysis.document(),
        "round_trip": _told(derived.round_trip),
        "milliseconds": round(1000 * (time.perf_counter() - begun)),
    }


def round_trip(request: Request) -> Json:
    """What a response template understands of what a chat template writes. Raises Refused."""
    template = loaded(member(request, "template", str), ())
    with _renderer(request) as renderer:
        try:
            return _told(round_trip_of(renderer, template))
        except antiphon.TemplateError as error:
            raise Refused("load", error.kind, str(error), pointer=error.pointer) from None


def _renderer(request: Request) -> Renderer:
    """Raises Refused."""
    source, dialect = limited(request, "chat_template", LONGEST), choice(request, "dialect", tuple(Dialect))
    return Renderer(source, special_tokens(request), dialect=Dialect(dialect))


def _parts(derived: Derived, source: str) -> Iterator[dict[str, Any]]:
    """The parts in the template's order, each with its place in the source and the comparisons that it rests on."""
    places = Places(source)
    for pointer, comment in derived.parts.items():
        start, end = places.place(pointer)
        steps = list(derived.shown_by(pointer))
        yield {"pointer": pointer, "start": start, "end": end, "comment": comment, "comparisons": steps}


def _shown(found: Comparison) -> Json:
    before, after = found.diff.prefix, found.diff.suffix
    return {
        "change": PAIRS[found.step].change,
        "before": before[-_AROUND:],
        "first": found.diff.left[:_SHOWN],
        "second": found.diff.right[:_SHOWN],
        "after": after[:_AROUND],
    }


def _told(trip: RoundTrip) -> Json:
    """A round trip with what went in."""
    conversations = {one.feature: one for one in CONVERSATIONS}
    document = trip.as_json()
    for result in document["results"]:
        given = conversations[result["feature"]]
        result["given"] = {
            "before": list(given.before),
            "message": Spelling().message(given.said),
            "tools": list(given.tools),
        }
    return document


def _refused(error: NotRendered | TooMuch) -> Refused:
    message = f"The chat template can't be used: {error}. Correct it, or choose another way of rendering."
    return Refused("load", "chat-template", message)
