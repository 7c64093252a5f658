"""Structural tags, the notation of XGrammar (0.2.9) for text with constrained parts, as JSON.

What they hold to is written in GBNF, which XGrammar reads, too: its own reading of schemas is another than ours, and
passes over in silence what it doesn't know. The library isn't needed to write them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from antiphon_portability.autoparser.grammar import gbnf, remainders
from antiphon_portability.autoparser.grammar.expressions import NEVER, Expression, reachable

Format: TypeAlias = dict[str, Any]


def triggered(bodies: Mapping[str, Expression], triggers: Sequence[str], only_one: bool) -> Format:
    """Any text, in which a call by these rules follows each trigger."""
    found = {trigger: remainders.behind(bodies, trigger) for trigger in triggers}
    return {
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": [*found],
            "tags": [_tag(trigger, rest, bodies) for trigger, rest in found.items() if rest != NEVER],
            "at_least_one": False,
            "stop_after_first": only_one,
        },
    }


def whole(bodies: Mapping[str, Expression], prompt: str) -> Format:
    """A message behind its prompt, all of which is held to the rules."""
    return {"type": "structural_tag", "format": _grammar(remainders.behind(bodies, prompt), bodies)}


def _tag(trigger: str, rest: Expression, bodies: Mapping[str, Expression]) -> Format:
    return {"type": "tag", "begin": trigger, "content": _grammar(rest, bodies), "end": ""}


def _grammar(root: Expression, bodies: Mapping[str, Expression]) -> Format:
    known = {**bodies, "root": root}
    return {"type": "grammar", "grammar": gbnf.write({name: known[name] for name in reachable(known, "root")})}
