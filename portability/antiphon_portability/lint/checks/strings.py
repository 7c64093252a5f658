"""Closes that stand in a string of the value: what the proposal close-outside-strings is about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Final

from antiphon_portability.lint.context import Context, Side
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show, show_message
from antiphon_portability.regex import nodes

_MOST_TEXTS = 6  # of one close
_BODIES: Final[dict[str, tuple[str, ...]]] = {
    "json": ('{"x": %s}', '[{"x": %s}]'),
    "python-call-list": ("[f(x=%s)]",),
}
"""For the content kinds that have strings, texts of values that hold one."""
_BEHIND_A_BRACKET: Final = (
    "let it count behind a bracket only, as close_pattern: {}; the rest is left to the proposal close-outside-strings "
    "(reference/proposals)"
)


def close_in_a_string(context: Context) -> Iterator[Finding]:
    """AP049: a region that a string of its own value ends."""
    for close in context.sides:
        kind = context.document["fields"][close.field.name].get("content", "text")
        opened = context.side(close.field.name, "open")
        if close.end == "open" or opened is None or kind not in _BODIES:
            continue
        for quoted, body in product(close.texts[:_MOST_TEXTS], _BODIES[kind]):
            whole = body % json.dumps(f"a {quoted}", ensure_ascii=False)
            text = opened.text + whole + close.text
            region = _region(context, close, text) if quoted and context.is_safe(text) else None
            if region is None or region == whole or not whole.startswith(region):
                continue
            reason = f"a string that holds {show(quoted)} ends the region"
            shows = (("the region's text", show(region)), ("the message", show_message(context.parse(text))))
            yield Finding(RULES["AP049"], close.pointer, reason, _remedy(close), Witness(text, shows))
            break


def _remedy(close: Side) -> str:
    pattern = "|".join(map(re.escape, close.source)) if isinstance(close.source, tuple) else close.source
    guarded = f"(?:{pattern})" if isinstance(close.tree.root, nodes.Alternation) else pattern
    return _BEHIND_A_BRACKET.format(rf"(?<=[}}\]])\s*{guarded}")


def _region(context: Context, close: Side, text: str) -> str | None:
    """The text of the first region of the close's field."""
    region = None
    for event in context.all_events([text]):
        if event["field"] != close.field.name:
            continue
        if event["type"] == "region_open":
            region = ""
        elif event["type"] == "region_chunk" and region is not None:
            region += event["text"]
        else:
            break
    return region
