"""The round trip: what the chat template writes, parsed again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from antiphon.pointer import pointer

from antiphon_portability.autoparser.roundtrip import Difference, Result, Verdict, round_trip
from antiphon_portability.lint.context import Context
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.limits import Limits
from antiphon_portability.lint.show import show
from antiphon_portability.names import REASONING_KEYS

_UNANCHORED: Final = "AP071"  # says all that there is to say
_USUAL: Final = frozenset({"spaces around content", "spaces around reasoning"})  # what "strip" is for
_REMEDIES: Final = {
    "ids": 'capture the id in a delimiter, or keep it in the content, and put it into the transform as "id"',
    "spaces around arguments": 'take the value without \\s* around it, and set "strip": false',
    "become texts": 'let the value parser read JSON, {"name": "json", "args": {"allow_non_json": true}}, or give tools',
    "texts become": 'keep values as they are, {"name": "text"}: the tools\' schemas say which are something else',
}
"""What to do, by a part of what is lost."""
_REMEDY_BARE: Final = "let the text's end stand for the token, as in </call>(?:<end>)?, or <end>|$"


def returned(context: Context) -> Iterator[Finding]:
    """AP074, AP075: each kind of loss once, by the first conversation that shows it."""
    if context.renderer is None:
        return
    kinds: dict[tuple[Verdict, bool, tuple[str, ...]], list[Result]] = {}
    limits = Limits(context, unanchored=_UNANCHORED)
    for result in round_trip(context.renderer, context.template, may_parse=limits.why_not).results:
        lost = tuple(what for what in result.lost if what not in _USUAL)
        if result.verdict in (Verdict.LOSSY, Verdict.WRONG) and lost:
            kinds.setdefault((result.verdict, result.only_bare, lost), []).append(result)
        elif result.verdict is Verdict.NOT_TRIED and result.reason != _UNANCHORED:
            context.unfinished.append(f"AP074, AP075: {result.reason}")
    for (verdict, _, lost), results in kinds.items():
        yield _finding(context, "AP074" if verdict is Verdict.WRONG else "AP075", lost, results)


def _finding(context: Context, rule: str, lost: tuple[str, ...], results: list[Result]) -> Finding:
    first = results[0]
    names = [f"{result.feature!r}" for result in results]
    where = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    without = f", without {show(first.end)}" if first.only_bare else ""
    shown = [(found.what, _compared(found)) for found in first.differences]
    if first.error:
        shown.insert(0, ("the message", first.error))
    text = first.text.removesuffix(first.end) if first.only_bare else first.text
    remedy = next((remedy for part, remedy in _REMEDIES.items() if any(part in what for what in lost)), "")
    return Finding(
        RULES[rule],
        _pointer(context, first),
        f"on {where}{without}: {', '.join(lost)}",
        _REMEDY_BARE if first.only_bare else remedy,
        Witness(text, tuple(shown), prefix=first.prompt),
    )


def _compared(found: Difference) -> str:
    told = {name: show(value) for name, value in found.values().items()}
    return f"{told.get('expected', 'nothing')}, not {told.get('got', 'nothing')}"


def _pointer(context: Context, result: Result) -> str:
    """The field that a result is about, or all of them."""
    if result.error_field:
        return pointer("fields", result.error_field)
    what = result.lost[0]
    names = REASONING_KEYS if "reasoning" in what else ("content",) if "content" in what else ("tool_calls",)
    return next((pointer("fields", name) for name in names if name in context.template.fields), "/fields")
