"""Regions that get in each other's way: opens that are alike, blank text that overwrites, regions without an end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any

from antiphon.delimiter import Match, Undecided
from antiphon.template import Field

from antiphon_portability.lint.checks.ordinary import escape
from antiphon_portability.lint.context import ORDINARY, SOME_TEXT, STRANGER, Context, Side
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show, show_message
from antiphon_portability.lint.upstream import AVAILABLE, Endless, Simulation
from antiphon_portability.names import REASONING_KEYS

_BLANKS = ("\n", "\n\n", " ")
_MOST_TEXTS = 6  # of one delimiter, held against another
_LESSER = "; that it then waits for what follows (AP032) is the lesser evil"
_PAIR = 100  # what it costs to compare two delimiters, in code points


def opens_alike(context: Context) -> Iterator[Finding]:
    """AP040: a text that two opens match at the same place with the same length."""
    for one, other in combinations(_opens(context), 2):
        context.work.spend(_PAIR)
        winner, loser = sorted((one, other), key=lambda side: side.field.name)
        text = next(
            (text for text in (*loser.texts, *winner.texts) if text and one.taken(text) and other.taken(text)), None
        )
        if text is None or not context.is_safe(text) or _first_opened(context, text) != winner.field.name:
            continue
        reason = f"{show(text)} opens {winner.field.name!r} too, whose name comes first"
        yield Finding(RULES["AP040"], loser.pointer, reason, witness=Witness(text, (("opens", winner.field.name),)))


def open_begins_another(context: Context) -> Iterator[Finding]:
    """AP041: where one open is complete, another may still become longer."""
    opens = [side for side in _opens(context) if not _is_vague(side)]
    for short in opens:
        texts = [
            text
            for text in short.texts[:_MOST_TEXTS]
            if text and context.is_safe(text) and context.is_safe(text + STRANGER)
        ]
        for long in opens:
            context.work.spend(_PAIR)
            text = next((text for text in texts if long is not short and _waits_for(short, long, text)), None)
            if text is None or context.events([text])[0]:
                continue
            reason = f"{show(text)} opens {short.field.name!r}, unless it goes on as the open of {long.field.name!r}"
            shows = (("emitted, while the text goes on", "nothing yet"),)
            yield Finding(RULES["AP041"], short.pointer, reason, witness=Witness(text, shows))
            break


def _waits_for(short: Side, long: Side, text: str) -> bool:
    """Whether `short` is decided to stand here while `long` isn't decided."""
    mine = short.delimiter.search(text + STRANGER, 0, complete=False)
    if not isinstance(mine, Match) or mine.end != len(text) or long.taken(text):
        return False
    other = long.delimiter.search(text, 0, complete=False)
    return isinstance(other, Undecided) and other.start == 0


def never_opens(context: Context) -> Iterator[Finding]:
    """AP042: an open made of literals, each of which opens another field."""
    for side in _opens(context):
        if not isinstance(side.source, tuple):
            continue
        opened = {text: _first_opened(context, text) for text in side.source if context.is_safe(text)}
        if not opened or side.field.name in opened.values() or None in opened.values():
            continue
        rivals = [other for other in _opens(context) if other.field.name in opened.values()]
        if any(other.delimiter.context != 0 for other in rivals):
            continue  # what stands before may keep the other from matching
        text, name = next(iter(opened.items()))
        reason = f"where {show(text)} stands, {name!r} opens"
        yield Finding(RULES["AP042"], side.pointer, reason, witness=Witness(text, (("opens", str(name)),)))


def swallows(context: Context) -> Iterator[Finding]:
    """AP043: an explicit field without a close, beside others."""
    for found in context.explicit:
        others = [other for other in context.template.fields.values() if other is not found]
        opened = context.side(found.name, "open")
        if found.close is not None or not others or opened is None:
            continue
        text = opened.text + SOME_TEXT + ("\n\n" if others[0].open is None else "") + context.region(others[0])
        if not context.is_safe(text):
            continue
        events, _ = context.events([text])
        names = [event["field"] for event in events if event["type"] == "region_open"]
        if names[-1:] == [found.name]:
            shows = (("opens", ", ".join(names)), ("never opens", others[0].name))
            reason = f"what follows its open, {others[0].name!r} too, is its text"
            yield Finding(RULES["AP043"], opened.pointer, reason, witness=Witness(text, shows))


def matches_nothing_anywhere(context: Context) -> Iterator[Finding]:
    """AP044: a delimiter that matches the empty text between ordinary letters."""
    for side in context.sides:
        if side.is_literal or not context.matches_nothing(side) or not context.is_safe(ORDINARY):
            continue
        found = [side.delimiter.search(SOME_TEXT, pos, complete=True) for pos in (1, 2, 3)]
        if all(isinstance(match, Match) and match.start == match.end == pos for pos, match in enumerate(found, 1)):
            lead = (context.side(side.field.name, "open") or side).text if side.end == "close" else ""
            opened = [event for event in context.all_events([lead + SOME_TEXT]) if event["type"] == "region_open"]
            shows = (("regions opened", str(len(opened))),)
            reason = "every option of it may be empty"
            yield Finding(RULES["AP044"], side.pointer, reason, witness=Witness(lead + SOME_TEXT, shows))


def eats_the_next_open(context: Context) -> Iterator[Finding]:
    """AP046: a close whose end is a field's open, or begins one."""
    for close in (side for side in context.sides if side.end == "close" and not side.is_implicit_close):
        for opened in _opens(context):
            if opened.field is close.field and not close.field.repeats:
                continue
            context.work.spend(_PAIR)
            found = next(_eaten(context, close, opened), None)
            if found is None:
                continue
            text, taken = found
            reason = f"it takes {show(taken)}, by which {opened.field.name!r} opens"
            shows = (("the message", show_message(context.parse(text))),)
            remedy = f'"close_pattern": {show(f"(?={escape(taken)})")}' if close.source == opened.source else ""
            yield Finding(RULES["AP046"], close.pointer, reason, remedy, Witness(text, shows))
            break


def _eaten(context: Context, close: Side, opened: Side) -> Iterator[tuple[str, str]]:
    """Texts in which the end of one and the beginning of the other are one, and only the close is seen; and that."""
    lead, ended = context.lead(close), context.side(opened.field.name, "close")
    after = context.body(opened.field) + (ended.text if ended else "")
    for taken in close.texts[:_MOST_TEXTS]:
        for other in opened.texts[:_MOST_TEXTS]:
            for size in range(min(len(taken), len(other)), 0, -1):
                text, apart = lead + taken + other[size:] + after, lead + taken + other + after
                if taken.endswith(other[:size]) and context.is_safe(text) and context.is_safe(apart):
                    if _opened(context, text, opened.field) < _opened(context, apart, opened.field):
                        yield text, other[:size]
                    break


def _opened(context: Context, text: str, found: Field) -> int:
    events = context.all_events([text])
    return sum(event["type"] == "region_open" and event["field"] == found.name for event in events)


def blank_overwrites(context: Context) -> Iterator[Finding]:
    """AP050, AP052: an answer of the implicit field that white space behind a delimiter replaces."""
    implicit = context.template.implicit
    if implicit is None or implicit.repeats:
        return
    answer = context.body(implicit)
    own = context.side(implicit.name, "close")
    for found in context.explicit:
        close = context.side(found.name, "close")
        if close is not None and found.name not in REASONING_KEYS:  # which comes before the answer
            region = context.region(found)
            after = ("", region) if found.repeats else ("",)
            texts = [(answer + region + blank + rest, answer + region + rest) for rest in after for blank in _BLANKS]
            yield from _overwritten(context, implicit, close, "AP050", texts)
    if own is not None:
        yield from _overwritten(context, implicit, own, "AP050", [(answer + blank, answer) for blank in _BLANKS])
        texts = [(answer + end + blank, answer + end) for end in own.texts[:6] if end for blank in _BLANKS]
        yield from _overwritten(context, implicit, own, "AP052", texts)


def _overwritten(
    context: Context, implicit: Field, side: Side, rule: str, texts: list[tuple[str, str]]
) -> Iterator[Finding]:
    for text, without in texts:
        if not context.is_safe(text):
            continue
        right, wrong = context.parse(without), context.parse(text)
        if not isinstance(right, Mapping) or not right.get(implicit.name):
            continue
        is_lost = not isinstance(wrong, Mapping) or not wrong.get(implicit.name)
        if is_lost:
            reason = f"with {show(_difference(text, without))} behind it the message loses {implicit.name!r}"
            shows = (
                ("the reference", show_message(wrong)),
                ("the reference, without the white space", show(right)),
                *_by_transformers(context, side, text),
            )
            yield Finding(RULES[rule], side.pointer, reason, _remedy(side), Witness(text, shows))
            return


def _by_transformers(context: Context, side: Side, text: str) -> Iterator[tuple[str, str]]:
    """What transformers makes of it, where the close may be the end: it keeps what the reference overwrites."""
    if not AVAILABLE or isinstance(side.source, tuple) or "$" not in side.source:
        return
    simulation = Simulation(context.sides, context.template.fields)
    with suppress(Endless, TimeoutError):
        message = simulation.message(simulation.run([text]), context.template.defaults)
        yield "transformers, in one piece", show(message)


def _difference(text: str, without: str) -> str:
    """What `text` has more than `without`, as one piece."""
    at = next((index for index, char in enumerate(without) if text[index] != char), len(without))
    return text[at : at + len(text) - len(without)]


def _remedy(side: Side) -> str:
    if isinstance(side.source, tuple):
        return f"write it as close_pattern, with \\s* at its end{_LESSER}" if side.end == "close" else ""
    if "$" in side.source:
        return "leave $ out, since the end closes every region anyway (REGION-6)"
    return ""


def last_call_only(context: Context) -> Iterator[Finding]:
    """AP051: `tool_calls` that is one object, not a list."""
    found = context.template.fields.get("tool_calls")
    if found is None or found.repeats or found.open is None or found.transform is None or found.transform.each:
        return
    if not isinstance(found.transform.shape, dict):
        return
    text = context.region(found) * 2
    message = context.parse(text) if context.is_safe(text) else None
    if isinstance(message, Mapping) and isinstance(message.get("tool_calls"), dict):
        shows = (("the message", show(message)),)
        reason = "the field has neither repeats nor transform_each, and its transform is an object"
        yield Finding(RULES["AP051"], "/fields/tool_calls", reason, witness=Witness(text, shows))


def calls_without_shape(context: Context) -> Iterator[Finding]:
    """AP053: `tool_calls` that is text, or an object, or a list of other things."""
    found = context.template.fields.get("tool_calls")
    text = context.region(found) if found is not None and found.open is not None else ""
    message = context.parse(text) if text and context.is_safe(text) else None
    value = message.get("tool_calls") if isinstance(message, Mapping) else None
    if found is None or value is None:
        return
    is_single = isinstance(value, dict) and found.transform is not None  # which is AP051's matter
    if is_single or (isinstance(value, list) and all(isinstance(item, dict) for item in value)):
        return
    shows = (("the message", show_message(context.parse(text))),)
    reason = "it's no list" if not isinstance(value, list) else "its items are no objects"
    yield Finding(RULES["AP053"], "/fields/tool_calls", reason, witness=Witness(text, shows))


def _opens(context: Context) -> list[Side]:
    return [side for side in context.sides if side.end == "open"]


def _is_vague(side: Side) -> bool:
    """Whether any text may be its beginning, so that it says nothing that others begin it too (AP030)."""
    found = side.delimiter.search(STRANGER, 0, complete=False)
    return isinstance(found, Undecided) and found.start == 0


def _first_opened(context: Context, text: str) -> str | None:
    """The first explicit field that a complete text opens."""
    implicit = context.template.implicit
    names: list[Any] = [event["field"] for event in context.all_events([text]) if event["type"] == "region_open"]
    return next((name for name in names if implicit is None or name != implicit.name), None)
