"""Which engines a pattern can be taken to, by the translator's verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from antiphon_portability.lint.context import Context
from antiphon_portability.lint.findings import RULES, Finding
from antiphon_portability.regex import Translation, translate

_RULES = {"unsupported": "AP010", "approximate": "AP011", "exact under conditions": "AP012"}
_TRANSLATION = 200  # what one costs, in code points parsed
_KINDS = {"AP010": "unsupported", "AP011": "difference", "AP012": "condition", "AP013": "unsupported"}


def engines(context: Context) -> Iterator[Finding]:
    """AP010 to AP013: the targets on which a pattern isn't just what it is; what is said of several is said once."""
    patterns = {side.pointer: side.source for side in context.sides if isinstance(side.source, str)}
    patterns |= {place.pointer: place.source for place in context.places}
    groups: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for where, source in patterns.items():
        for target in context.targets:
            context.work.spend(len(source) + _TRANSLATION)
            verdict = _verdict(source, target)
            if verdict is not None:
                groups.setdefault(verdict, {}).setdefault(where, []).append(target)
    for (rule, reason, remedy), by_pattern in groups.items():
        alike: dict[tuple[str, ...], list[str]] = {}
        for where, targets in by_pattern.items():
            alike.setdefault(tuple(targets), []).append(where)
        for alike_targets, (where, *others) in alike.items():
            also = f"; so also at {', '.join(others)}" if others else ""
            yield Finding(RULES[rule], where, f"{', '.join(alike_targets)}: {reason}{also}", remedy)


def _verdict(source: str, target: str) -> tuple[str, str, str] | None:
    """Rule, reason and remedy; None if the pattern is exact there, and can be streamed."""
    plain = translate(source, target)
    if plain.verdict != "exact":
        return _told(_RULES[plain.verdict], plain)
    streamed = translate(source, target, "hit-end")
    return _told("AP013", streamed) if streamed.verdict == "unsupported" else None


def _told(rule: str, found: Translation) -> tuple[str, str, str]:
    notes = [note for note in found.notes if note.kind == _KINDS[rule]]
    reasons = dict.fromkeys(note.text + _examples(note.examples) for note in notes)
    remedies = dict.fromkeys(note.remedy for note in notes if note.remedy)
    return rule, "; ".join(reasons) or found.verdict, "; ".join(remedies)


def _examples(texts: Sequence[str]) -> str:
    return f" (such as {', '.join(map(repr, texts[:2]))})" if texts else ""
