"""Ordinary text against the delimiters: where they fire in it, and whether any field takes it; and literals that were
meant as patterns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from antiphon.delimiter import Match

from antiphon_portability.lint.context import Context, Side
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show, show_message
from antiphon_portability.names import usual

TEXTS: Final = (
    "The answer is 42; here is more.\n",
    "Sort it, print(x) and then stop.",
    "If a < b and c > d, then f(x) is 1.",
    "Use a list [1, 2], or items[0].",
    'As JSON: {"id": 7, "tags": ["x", "y"]}',
    "| Name | Age |\n|---|---|\n| Ada | 36 |\n",
    "# Steps\n\n- **first**, then `second`\n1. done\n",
    "def add(x, y):\n    return x | y  # or\n",
    "Yes/no: it's 50% of $5 & more!",
    "Write 1 <br> 2 in HTML.",
)
"""What any model may answer; none of it is made from a delimiter."""

_TOKEN: Final = re.compile(r"<\|[^<>|\\]+\|>|\[[A-Z_/]{2,}\]")  # in a pattern: unescaped, so alternatives, or a set
_PATTERN_LIKE: Final = re.compile(r"\\[sSdDwWnt](?![A-Za-z])|\\[|<>.]|\(\?[:=!<P]|\.[*+]|\[\^|^/.+/[a-z]*$")
_ENDED: Final = re.compile(r"[^$\\|(]\$$")


def fires_in_ordinary_text(context: Context) -> Iterator[Finding]:
    """AP045: opens, and the implicit field's close, that take a part of a text that has nothing to do with them."""
    for side in context.sides:
        if side.end == "close" and not side.is_implicit_close:
            continue
        for text in filter(context.is_safe, TEXTS):
            context.spend_on(text)
            found = side.delimiter.search(text, 0, complete=True)
            if isinstance(found, Match) and text[found.start : found.end].strip() and _matters(context, side, text):
                reason = f"it takes {show(text[found.start : found.end])} there"
                shows = (("the message", show_message(context.parse(text))),)
                yield Finding(RULES["AP045"], side.pointer, reason, _escaped_token(side), Witness(text, shows))
                break


def _matters(context: Context, side: Side, text: str) -> bool:
    """Whether the parser, too, comes to this delimiter there."""
    kind = "region_open" if side.end == "open" else "region_close"
    events = context.events([text, "\n"])[0]
    return any(event["type"] == kind and event["field"] == side.field.name for event in events)


def _escaped_token(side: Side) -> str:
    """The remedy for a token of which the pattern makes alternatives or a set."""
    token = _TOKEN.search(side.source) if isinstance(side.source, str) else None
    if token is None:
        return ""
    pattern = json.dumps(escape(token[0]), ensure_ascii=False)
    return f'write the token as {pattern} (in JSON), or as a literal: "{side.end}": {show(token[0])}'


def escape(text: str) -> str:
    """A pattern that matches the text."""
    return re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", text)


def takes_no_text(context: Context) -> Iterator[Finding]:
    """AP047: neither an implicit field, nor one for the answer."""
    if context.template.implicit is not None:
        return
    if any(name == "content" or usual(name) == "content" for name in context.template.fields):
        return
    text = next(filter(context.is_safe, TEXTS), "")
    shows = (("the message", show_message(context.parse(text))),)
    yield Finding(RULES["AP047"], "/fields", "every field has an open", witness=Witness(text, shows))


def meant_as_pattern(context: Context) -> Iterator[Finding]:
    """AP048: literals that look like patterns, and opens that end in `$`."""
    for side in context.sides:
        for literal in side.source if isinstance(side.source, tuple) else ():
            found = _PATTERN_LIKE.search(literal)
            if found or (side.end == "open" and _ENDED.search(literal)):
                part = found[0] if found else "$"
                reason = f"{show(literal)} is looked for as it stands, {part if part != literal else '/'} and all"
                remedy = f"write it as {side.end}_pattern, without / around it; or take out what only a pattern reads"
                yield Finding(RULES["AP048"], side.pointer, reason, remedy)
                break
        if isinstance(side.source, str) and side.end == "open" and _ENDED.search(side.source):
            reason = "$ stands at the end of the text, so nothing can follow this open"
            yield Finding(RULES["AP048"], side.pointer, reason, "leave $ out")
