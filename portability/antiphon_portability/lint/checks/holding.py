"""What delimiters hold back: text that may still become one, and so isn't emitted (DUE-2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from antiphon.delimiter import Undecided

from antiphon_portability.lint.context import ORDINARY, Context, Side
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show, show_message
from antiphon_portability.names import REASONING_KEYS
from antiphon_portability.regex import width
from antiphon_portability.regex.samples import loops, pumps

_MIXED = ORDINARY + "<b>|[{(\"'x'\")}]|</b>\n" + ORDINARY
_MUCH = 100  # code points that a counted loop may hold without a word
_KEEP = "nothing: without \\s* at its end, white space behind it could replace the answer (AP050), which is worse"
_LONG = 48  # code points of white space, or of a word


def holds(context: Context) -> Iterator[Finding]:
    """AP030, AP031, AP033, AP034: what each delimiter holds beyond its own literals."""
    for side in context.sides:
        if context.is_safe(context.lead(side) + side.text + _MIXED * 4):
            yield from _of_side(context, side)


def _of_side(context: Context, side: Side) -> Iterator[Finding]:
    found = list(_everything(context, side)) + list(_to_the_end(context, side))
    yield from found or islice(_once_begun(context, side), 1)


def _everything(context: Context, side: Side) -> Iterator[Finding]:
    text = ORDINARY * 4
    if _is_held(context, side, text, 0):
        yield from _shown(context, side, "AP030", text, "any text may be its beginning, and it waits for its end")


def _to_the_end(context: Context, side: Side) -> Iterator[Finding]:
    text = side.text
    goes_on = (_MIXED, _MIXED + text + _MIXED)
    if text and side.taken(text) and all(_is_held(context, side, text + other, 0) for other in goes_on):
        reason = f"{show(text)} is complete, and yet all that follows may change it"
        yield from _shown(context, side, "AP034", text + _MIXED, reason)


def _once_begun(context: Context, side: Side) -> Iterator[Finding]:
    """Loops that hold what they have taken. One that stops at white space holds a name, which is nothing to tell."""
    longest = width(side.tree.root)[1]
    for loop in loops(side.tree.root, least_most=_MUCH):
        lead = loop.lead
        if longest is None and lead and all(_is_held(context, side, lead + ORDINARY * count, 0) for count in (1, 4)):
            yield from _shown(context, side, "AP031", lead + ORDINARY * 4, f"after {show(lead)} it waits for its end")
        for pump in pumps(loop) if longest is not None else ():
            held = lead + pump * _MUCH
            if not pump.isspace() and _is_held(context, side, held, 0):
                reason = f"it may take up to {longest} code points"
                yield from _shown(context, side, "AP033", held, reason)


def _is_held(context: Context, side: Side, text: str, start: int) -> bool:
    if not context.is_safe(text):
        return False
    found = side.delimiter.search(text, 0, complete=False)
    return isinstance(found, Undecided) and found.start == start


def _shown(context: Context, side: Side, rule: str, held: str, reason: str) -> Iterator[Finding]:
    """The finding, if the parser really gives none of the held text, and would give it without this delimiter."""
    lead = context.lead(side) if side.end == "close" else ""
    if side.end == "open" and context.template.implicit is None:  # text outside of regions is never given anyway
        others = [found for found in context.explicit if found is not side.field]
        held += context.region(others[0]) if others else ""
        if not others or not _is_held(context, side, held, 0):
            return
    if not context.is_safe(lead + held):
        return
    before, after = (_emitted(context, chunks) for chunks in ([lead], [lead, held]))
    if after > before:
        return
    shows: tuple[tuple[str, str], ...] = (("emitted while the text goes on", f"0 of the last {len(held)} code points"),)
    chunks = f"{show(lead)}, then the rest" if lead else ""
    if rule == "AP034":
        shows += (("the message", show_message(context.parse(lead + held))),)
    witness = Witness(lead + held, shows, chunks=chunks)
    yield Finding(RULES[rule], side.pointer, reason, _remedy(context, side, rule), witness)


def _remedy(context: Context, side: Side, rule: str) -> str:
    """For a loop at the end; and for an open that only looks ahead, as where the anchor has taken what opens."""
    if rule == "AP034" and isinstance(side.source, str) and side.source.endswith((".*", ".+")):
        return "leave the loop out: it takes all that follows, and what a delimiter takes is in no message"
    if rule == "AP030" and side.end == "open" and width(side.tree.root)[1] == 0:
        end = context.side(side.field.name, "close")
        close = side.field.name if end is None else show(end.text)
        return (
            "let the start anchor end before what opens the region in the prompt, such as <think>, and open by that; "
            f"a generation without {close} then becomes {side.field.name!r}, also where it's an answer"
        )
    return ""


def _emitted(context: Context, chunks: list[str]) -> int:
    return sum(len(event.get("text", "")) for event in context.events(chunks)[0])


def waits_behind_white_space(context: Context) -> Iterator[Finding]:
    """AP032: one finding for all closes that take any white space behind them."""
    waiting = [
        side
        for side in context.sides
        if side.end == "close" and not side.is_implicit_close and _takes_space(context, side)
    ]
    if not waiting:
        return
    side, *others = waiting
    text = context.lead(side) + side.text
    reason = "white space behind it belongs to it, however much"
    if others:
        reason += "; so also at " + ", ".join(other.pointer for other in others)
    shows = (("transformers and vLLM", "no region_close before the next character that isn't white space, or the end"),)
    implicit = context.template.implicit
    only_reasoning = all(other.field.name in REASONING_KEYS for other in waiting)
    overwrites = implicit is not None and not implicit.repeats and not only_reasoning
    remedy = _KEEP if overwrites else ""
    yield Finding(RULES["AP032"], side.pointer, reason, remedy, Witness(text, shows))


def _takes_space(context: Context, side: Side) -> bool:
    """Whether a complete match grows with white space, and is decided by anything else."""
    text = side.text
    return bool(
        side.taken(text)
        and _is_held(context, side, text + " " * _LONG, 0)
        and not _is_held(context, side, text + "x", 0)
        and not _is_held(context, side, text[:1] + "x" * _LONG, 0)
    )
