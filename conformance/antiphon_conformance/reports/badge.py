"""A badge, for the endpoint of shields.io: https://shields.io/badges/endpoint-badge says which members it has.

It tells of the first implementation: that which `run` got by --adapter.
"""

from __future__ import annotations

import json

from antiphon_conformance.display import escape
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import Column, tally

LABEL = "response templates"
COLORS = {Level.PROMPT: "brightgreen", Level.EVENTS: "green", Level.MESSAGE: "yellowgreen"}
"""By the level at which an implementation conforms."""
PARTS = ((0.9, "yellow"), (0.5, "orange"), (0.0, "red"))
"""For one that conforms at none: colors from a share of passing cases on."""


def write(content: Content) -> str:
    """The text of the badge."""
    message, color = _verdict(content.columns[0], content.level) if content.columns else ("no run", "lightgrey")
    badge = {"schemaVersion": 1, "label": LABEL, "message": message, "color": color}
    return json.dumps({**badge, "isError": True} if color == "lightgrey" else badge) + "\n"


def _verdict(column: Column, level: Level) -> tuple[str, str]:
    if not column.started:
        return "didn't start", "lightgrey"
    counts, reached = tally(column.required, level), column.conforms
    if not counts.judged or column.missing:
        return "not judged" if not counts.judged else "not all cases were run", "lightgrey"
    lacking = f", {counts.unsupported} lacking" if counts.unsupported else ""
    if reached is not None:
        return escape(f"level {reached}, {tally(column.required, reached).passed} cases{lacking}"), COLORS[reached]
    share = counts.passed / counts.judged
    color = next(color for least, color in PARTS if share >= least)
    return f"{counts.passed} of {counts.judged} at level {level}{lacking}", color
