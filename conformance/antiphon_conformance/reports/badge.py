"""A badge, for the endpoint of shields.io: https://shields.io/badges/endpoint-badge says which members it has.

It tells of the first implementation: that which `run` got by --adapter.
"""

from __future__ import annotations

import json

from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import Column

LABEL = "response templates"
COLORS = {Level.PROMPT: "brightgreen", Level.EVENTS: "green", Level.MESSAGE: "yellowgreen"}
"""By the level at which an implementation conforms."""
PARTS = ((0.9, "yellow"), (0.5, "orange"), (0.0, "red"))
"""For one that conforms at none: colors from a share of passing cases on."""
UNKNOWN = "lightgrey"
"""Where nothing can be said."""


def write(content: Content) -> str:
    """The text of the badge."""
    message, color = _verdict(content.columns[0], content.level) if content.columns else ("no run", UNKNOWN)
    badge = {"schemaVersion": 1, "label": LABEL, "message": message, "color": color}
    return json.dumps({**badge, "isError": True} if color == UNKNOWN else badge) + "\n"


def _verdict(column: Column, level: Level) -> tuple[str, str]:
    if column.startup_failure:
        return "didn't start", UNKNOWN
    counts, reached = column.figures.tallies[level], column.conforms
    if not counts.judged or column.missing:
        return "not judged" if not counts.judged else "not all cases were run", UNKNOWN
    lacking = f", {counts.unsupported} lacking" if counts.unsupported else ""
    if reached is not None:
        return f"level {reached}, {column.figures.tallies[reached].passed} cases{lacking}", COLORS[reached]
    color = next(color for least, color in PARTS if counts.passed / counts.judged >= least)
    return f"{counts.passed} of {counts.judged} at level {level}{lacking}", color
