"""From a chat template to a response template that is right in a stream.

    with Renderer(chat_template) as renderer:
        derived = derive(renderer)
    derived.template  # the response template
    derived.round_trip  # and what of the chat template's own turns it understands

`probes` are rendered beside the analysis' comparisons; `gaps` are the texts around their needles. From these `turns`
and `beginnings` read how a turn is written, `reading` and `framing` how `calls` are; `families` has what can't be seen.
`fields`, `edges` and `delimiters` make the response template of it. `explaining` says what showed each part, `missing`
what the format can't say.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

import antiphon

from antiphon_portability.autoparser.analysis.comparisons import Comparisons
from antiphon_portability.autoparser.analysis.conversations import Step
from antiphon_portability.autoparser.analysis.families import family
from antiphon_portability.autoparser.analysis.results import Analysis, Content
from antiphon_portability.autoparser.analysis.run import analyse
from antiphon_portability.autoparser.errors import NotAnalysed
from antiphon_portability.autoparser.roundtrip import RoundTrip, round_trip
from antiphon_portability.chat import NotRendered, Renderer
from antiphon_portability.templates import places

from .explaining import cited, parts
from .fields import document
from .missing import MISSING, missing
from .probes import Probes
from .turns import Turn, read_turn

LONGEST_DELIMITER: Final = 1_000
"""Code points of a literal or a pattern; what is longer is no delimiter, and would take its time."""

__all__ = ["MISSING", "Derived", "derive"]


@dataclass(frozen=True, slots=True)
class Derived:
    """A response template, and what is to be said of it.

    `parts`: its parts by JSON Pointer, each with the comparison that showed it. `unsettled`: what renders couldn't
    tell. `missing`: what the format can't say (slugs of `MISSING`). `round_trip`: what comes back of the chat
    template's own turns.
    """

    template: dict[str, Any]
    analysis: Analysis
    round_trip: RoundTrip
    parts: Mapping[str, str] = field(default_factory=dict)
    unsettled: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    generation_prompt: str = ""

    def shown_by(self, pointer: str) -> tuple[Step, ...]:
        """The comparisons of the analysis that a part's explanation cites, or that of what the part belongs to."""
        return cited(self.parts, pointer)


def derive(renderer: Renderer, comparisons: Comparisons | None = None, *, prove: bool = True) -> Derived:
    """`comparisons`: of the same renderer, for who wants to see afterwards which the analysis made.

    `prove`: whether to make the round trip, which takes as long as the rest; it has no results without.
    Raises NotRendered if not even a question can be rendered; TooMuch.
    """
    analysis = _analysed(renderer, comparisons)
    turn, template = _loadable(read_turn(Probes(renderer), analysis), analysis)
    return Derived(
        template,
        analysis,
        round_trip(renderer, template) if prove else RoundTrip(()),
        parts(turn, template),
        turn.unsettled,
        tuple(dict.fromkeys(missing(turn))),
        turn.generation_prompt,
    )


def _loadable(turn: Turn, analysis: Analysis) -> tuple[Turn, dict[str, Any]]:
    """The turn with as many of its parts as the format takes; always with an answer."""
    without_calls = replace(turn, calls=None, unsettled=(*turn.unsettled, "calls: their delimiters can't be used"))
    bare = Turn(turn.anchors, turn.generation_prompt, unsettled=("reasoning, calls and the turn's end: unusable",))
    for kept in (turn, without_calls, bare):
        template = document(kept, analysis.content if kept is turn else Content())
        with suppress(antiphon.TemplateError):
            antiphon.load_template(template)
            if all(len(place.source) <= LONGEST_DELIMITER for place in places(template)):
                return kept, template
    raise NotRendered("what stands before an answer can't be told from the prompts")


def _analysed(renderer: Renderer, comparisons: Comparisons | None) -> Analysis:
    """The analysis, or what goes without renders where they can't be read. Raises TooMuch."""
    try:
        return analyse(renderer, comparisons)
    except (NotAnalysed, NotRendered):
        return Analysis(specialized=family(renderer.chat_template))
