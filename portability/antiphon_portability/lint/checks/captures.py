"""Groups and the transform that uses them."""

from __future__ import annotations

from collections.abc import Iterator

import antiphon
from antiphon.delimiter import Match
from antiphon.transform import placeholders

from antiphon_portability.lint.context import Context, Side
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show, show_message


def missing_captures(context: Context) -> Iterator[Finding]:
    """AP080: texts for which a placeholder of the transform finds no capture."""
    for side in context.sides:
        used = side.delimiter.groups & _used(side)
        if not used:
            continue
        for text, why in _texts(context, side):
            error = context.parse(text) if context.is_safe(text) else None
            if isinstance(error, antiphon.ParseError) and _is_missing(error, side, used):
                shows = (("the message", f"{show_message(error)}: {error.reason}"),)
                yield Finding(RULES["AP080"], side.pointer, why, witness=Witness(text, shows))
                break


def unused_captures(context: Context) -> Iterator[Finding]:
    """AP081: named groups that no placeholder names."""
    for side in context.sides:
        unused = sorted(side.delimiter.groups - _used(side))
        if unused:
            reason = f"no placeholder is {{{unused[0]}}}" if len(unused) == 1 else f"nothing uses {', '.join(unused)}"
            yield Finding(RULES["AP081"], side.pointer, reason)


def _used(side: Side) -> frozenset[str]:
    transform = side.field.transform
    return frozenset(path[0] for path, _ in placeholders(transform.shape)) if transform else frozenset()


def _is_missing(error: antiphon.ParseError, side: Side, used: frozenset[str]) -> bool:
    if error.kind != "placeholder-unresolved":
        return False
    return error.field == side.field.name and any(f"finds no '{name}'" in error.reason for name in used)


def _texts(context: Context, side: Side) -> Iterator[tuple[str, str]]:
    """Texts in which the delimiter matches without a group, and why."""
    found = side.field
    body = context.body(found)
    for sample in filter(context.is_safe, side.candidates):
        match = side.delimiter.search(sample, 0, complete=True)
        if isinstance(match, Match) and side.delimiter.groups - match.captures.keys():
            reason = f"{show(sample)} matches without the group"
            if side.end == "close":
                yield context.lead(side) + sample, reason
            else:
                close = context.side(found.name, "close")
                yield sample + body + (close.text if close else ""), reason
    if side.end == "close":
        yield context.lead(side), "a generation that is cut off has no close, and so no capture of it"
