"""What today's implementations make of a template: transformers and vLLM, by simulation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from antiphon_portability.lint.context import Context, Message, Side
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show, show_message
from antiphon_portability.lint.upstream import AVAILABLE, Endless, Fired, Outcome, Simulation
from antiphon_portability.regex import parse
from antiphon_portability.regex.samples import canonical

_SIZES = (1, 4, 7)  # of chunks, in code points; tokens are about so long
_MOST_TEXTS = 6_000
_LOOP = re.compile(r"(?<!\\)(\\S|\.)[+*]\)?([>\"';:,|}/<=])")  # greedy, over what stands behind it too
_AHEAD = re.compile(r"\(\?=((?:[^()\\]|\\.)+)\)")
_EXCLUDED = {"\\S": "\\s", ".": "\\n"}
_TAILS = ("x", "", "\nx", " x", "\n")


def depends_on_chunks(context: Context) -> Iterator[Finding]:
    """AP020, AP021, AP022: delimiters that transformers gets wrong, each with the shortest text that was found."""
    if not AVAILABLE:
        context.skipped.append("what transformers makes of it: the regex module isn't installed")
        return
    simulation = Simulation(context.sides, context.template.fields)
    seen: set[tuple[str, str]] = set()
    for text in sorted(set(islice(texts(context), _MOST_TEXTS)), key=lambda text: (len(text), text)):
        finding = _judge(context, simulation, text) if context.is_safe(text) else None
        if finding is not None and (finding.rule.id, finding.pointer) not in seen:
            seen.add((finding.rule.id, finding.pointer))
            yield finding


def texts(context: Context) -> Iterator[str]:
    """Texts in which each delimiter stands where it's watched for: alone, with what may follow it, cut short, twice."""
    regions = [context.region(found) for found in context.explicit]
    for side in context.sides:
        lead = context.lead(side)
        if side.end == "open":
            lead, own = "", context.body(side.field)
            closing = context.side(side.field.name, "close")
            after = own + (closing.text if closing else "")
            starts = ["", "hi"] if context.template.implicit else [""]
        else:
            after, starts = "", ["", *(["\n"] if side.is_implicit_close else [])]
        for sample in side.candidates:
            if side.end == "open":
                yield from (sample + tail for tail in ("\n", "x\n"))
            for start in starts:
                for tail in (*_TAILS, *regions[:2]):
                    yield f"{start}{lead}{sample}{after}{tail}"
                yield f"{start}{lead}{sample}{lead}{sample}{after}x"
                yield f"{start}{lead}{sample}x{after}{lead}{sample}{after}x"


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a way of cutting gave."""

    outcome: Outcome
    message: Message | str


def _judge(context: Context, simulation: Simulation, text: str) -> Finding | None:
    def seen(size: int) -> _Seen:
        context.spend_on(text, runs=2)
        outcome = simulation.run(text[at : at + size] for at in range(0, len(text), size))
        return _Seen(outcome, simulation.message(outcome, context.template.defaults))

    try:
        whole = seen(max(len(text), 1))
        for size in _SIZES:
            cut = seen(size)
            if cut.message != whole.message:
                return _differs(context, text, whole, cut, size)
    except Endless as endless:
        return _endless(endless, text)
    except TimeoutError:
        return None
    return _differs_whole(context, text, whole)


def _differs(context: Context, text: str, whole: _Seen, cut: _Seen, size: int) -> Finding:
    side, reason = _blame(whole.outcome.fired, cut.outcome.fired, text)
    how = "one code point at a time" if size == 1 else f"{size} code points at a time"
    shows = (
        ("transformers, in one piece", show(whole.message)),
        (f"transformers, {how}", show(cut.message)),
        ("the reference, however cut", show_message(context.parse(text))),
    )
    return Finding(RULES["AP020"], side.pointer, reason, _remedy(side), Witness(text, shows, chunks=how))


def _blame(whole: list[Fired], cut: list[Fired], text: str) -> tuple[Side, str]:
    """The delimiter at which two ways part, and how."""
    for one, other in zip(whole, cut, strict=False):
        if one != other:
            break
    else:
        longer, fewer = (whole, cut) if len(whole) > len(cut) else (cut, whole)
        lost = longer[len(fewer)] if len(longer) > len(fewer) else longer[-1]
        if longer is whole:
            return lost.side, f"streamed, it misses {_quoted(text, lost)}: it looked at the end of what had come"
        return lost.side, f"streamed, it takes {_quoted(text, lost)}, which it doesn't in one piece"
    if one.side is other.side and one.start == other.start:
        first, second = sorted((one, other), key=lambda fired: fired.end)
        taken, rest = _quoted(text, first), text[first.end : second.end]
        return one.side, f"streamed, it's done with {taken} though {show(rest)} belongs to it" if first is other else (
            f"streamed, it takes {_quoted(text, second)}, in one piece only {taken}"
        )
    if other.start > one.start:
        return one.side, f"streamed, it misses {_quoted(text, one)} and finds {_quoted(text, other)} instead"
    reason = f"streamed, {_quoted(text, other)} is taken at once, before more of the text can change that"
    return (one.side if one.start == other.start else other.side), reason


def _quoted(text: str, fired: Fired) -> str:
    taken = text[fired.start : fired.end]
    return show(taken) if taken else "the empty text"


def _remedy(side: Side) -> str:
    """The remedy for what the pattern looks like; the rule's own, where it looks like nothing known."""
    if isinstance(side.source, tuple):
        return "no literal may begin another or stand in it: keep the shortest, and let the next open take the rest"
    if any(side.source.rstrip(")").endswith(end) for end in ("|$", "|\\Z", "|\\z", "(?=\\Z", "(?=$")):
        return "leave the end out of the pattern: the end of the text closes every region anyway (REGION-6)"
    loop = _LOOP.search(side.source)
    if loop:
        return f"let the loop exclude what ends it: [^{_EXCLUDED[loop[1]]}{loop[2]}]+ instead of {loop[1]}+"
    if "(?!" in side.source:
        return "name what may follow instead of what may not"
    return ""


def _endless(endless: Endless, text: str) -> Finding:
    side = endless.sides[0]
    others = ", ".join(other.pointer for other in endless.sides[1:])
    reason = f"it and {others} match the empty text at one place" if others else "it matches the empty text"
    shows = (("transformers", "never returns"),)
    return Finding(RULES["AP021"], side.pointer, reason, witness=Witness(text, shows))


def _differs_whole(context: Context, text: str, whole: _Seen) -> Finding | None:
    """Zero width: only there the two read a text in one piece differently."""
    right = context.parse(text)
    if not isinstance(right, Mapping) or whole.message == right or _only_blank(whole.message, right):
        return None
    empty = [side for side in context.sides if not side.is_literal and context.matches_nothing(side)]
    if not empty:
        return None
    shows = (("transformers", show(whole.message)), ("the reference", show_message(right)))
    reason, remedy = "its match of the empty text ends the stream for transformers", ""
    ahead = _AHEAD.fullmatch(str(empty[0].source))
    if ahead and empty[0].is_implicit_close:
        reason = f"the close takes nothing, so {show(canonical(parse(ahead[1]).root))} becomes the answer; and {reason}"
        remedy = f"let the close take it: {ahead[1]}"
    return Finding(RULES["AP022"], empty[0].pointer, reason, remedy, Witness(text, shows))


def _only_blank(message: Message | str, right: Message) -> bool:
    """Whether the answer is only overwritten by white space, which is AP050's matter."""
    return isinstance(message, Mapping) and all(message.get(key) == value for key, value in right.items())
