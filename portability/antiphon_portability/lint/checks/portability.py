"""Which engines a template's patterns can be taken to, by the verdicts on all the forms in which a port runs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from antiphon_portability.lint.context import Context, OutOfWork
from antiphon_portability.lint.findings import RULES, Finding
from antiphon_portability.regex import Note
from antiphon_portability.templates import TranslatedPattern, pattern_table, places

Told: TypeAlias = tuple[str, str, str]  # the rule's id, a reason, a remedy

_TRANSLATION: Final = 200  # what a pattern costs in all of its forms, in code points parsed
_BY_KIND: Final = {"unsupported": "AP013", "difference": "AP011", "condition": "AP012", "later": "AP014"}
"""What a note of this kind is told as, if the plain form can be had."""


def engines(context: Context) -> Iterator[Finding]:
    """AP010 to AP014: the targets on which a pattern isn't just what it is; what is said of several is said once."""
    groups: dict[Told, dict[str, list[str]]] = {}
    try:
        for target in context.targets:
            context.work.spend(sum(len(place.source) + _TRANSLATION for place in places(context.document)))
            for where, found in pattern_table(context.document, target).items():
                for told in _verdicts(found) if isinstance(found, TranslatedPattern) else ():
                    groups.setdefault(told, {}).setdefault(where, []).append(target)
    except OutOfWork:
        yield from _findings(groups)
        raise
    yield from _findings(groups)


def _verdicts(found: TranslatedPattern) -> Iterator[Told]:
    """What is to be said of a pattern on one target; nothing if all of its forms are exact."""
    if found.plain.pattern is None:
        yield _told("AP010", found.plain.notes)
        return
    notes = [note for form in found.forms for note in form.notes]
    for kind, rule in _BY_KIND.items():
        of_kind = [note for note in notes if note.kind == kind]
        if of_kind:
            yield _told(rule, of_kind)


def _told(rule: str, notes: Sequence[Note]) -> Told:
    reasons = dict.fromkeys(note.text + _examples(note.examples) for note in notes)
    remedies = dict.fromkeys(note.remedy for note in notes if note.remedy)
    return rule, "; ".join(reasons), "; ".join(remedies)


def _examples(texts: Sequence[str]) -> str:
    return f" (such as {', '.join(map(repr, texts[:2]))})" if texts else ""


def _findings(groups: Mapping[Told, Mapping[str, Sequence[str]]]) -> Iterator[Finding]:
    """A finding for all patterns of which the same is to be said on the same targets."""
    for (rule, reason, remedy), by_pattern in groups.items():
        alike: dict[tuple[str, ...], list[str]] = {}
        for where, targets in by_pattern.items():
            alike.setdefault(tuple(targets), []).append(where)
        for targets, (where, *others) in alike.items():
            also = f"; so also at {', '.join(others)}" if others else ""
            yield Finding(RULES[rule], where, f"{', '.join(targets)}: {reason}{also}", remedy)
