"""What a search says, in a form that can be compared: the truth by `regex`, and the reading of an engine's result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import regex
from antiphon_portability.regex import Emitted, Pattern, Translation, emit, may_match, must_match, parse
from antiphon_portability.regex.translate import Form

from engines.protocol import Failed, Result, Span
from engines.texts import texts_for

SECONDS = 0.5
"""For one search by `regex`; a text that takes longer isn't compared."""

_CONTINUATIONS = 500

Key: TypeAlias = "str | int"
Groups: TypeAlias = "tuple[tuple[Key, Span | None], ...]"


@dataclass(frozen=True)
class Found:
    """A match: its span and its groups by their original names. Of the form "must", only where it starts."""

    start: int
    end: int | None = None
    groups: Groups = ()


@dataclass(frozen=True)
class Undecided:
    """A match that depends on what follows; where it would start."""

    start: int


class Unknown:
    """`regex` gives no answer, or two: there is nothing to compare with."""


Outcome: TypeAlias = Found | Undecided | Failed | None


class Truth:
    """What `regex` finds with a pattern: in its plain form the original, in the others its own emission of them.

    Where `regex` doesn't find the same with the original and with its emission, the original is one of those that
    `regex` has a fault with, and the outcome is unknown.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.pattern: Pattern = parse(source)
        self.original = regex.compile(source, regex.V0 | regex.DOTALL)
        self._forms: dict[Form, tuple[Any, Emitted]] = {}
        self._outcomes: dict[tuple[Form, str, frozenset[Key]], Outcome | Unknown] = {}

    def names(self, translation: Translation, form: Form) -> frozenset[Key]:
        """The groups to compare: all that have a name, and those without one that the translation tells of."""
        told = frozenset(translation.groups.values()) - self.unknown_groups(translation)
        return frozenset() if form == "must" else told | frozenset(self.pattern.names)

    def unknown_groups(self, translation: Translation) -> frozenset[Key]:
        """Groups that the translation tells of, and the pattern doesn't have."""
        known = {*range(1, self.original.groups + 1), *self.pattern.names}
        return frozenset(translation.groups.values()) - known

    def outcome(self, form: Form, text: str, names: frozenset[Key]) -> Outcome | Unknown:
        key = (form, text, names)
        if key not in self._outcomes:
            try:
                self._outcomes[key] = self._search(form, text, names)
            except TimeoutError:
                self._outcomes[key] = Unknown()
        return self._outcomes[key]

    def bears_out(self, form: Form, text: str, outcome: Outcome) -> bool:
        """Whether the original agrees, whatever follows the text, with what says more than `regex`'s emission."""
        if outcome is not None and not isinstance(outcome, Failed) and outcome.start < 0:
            return False
        cut = len(text)
        continuations = (follows[start:] for follows in self._likely for start in (0, cut % (len(follows) + 1)))
        try:
            return all(self._bears_out(form, text, follows, outcome) for follows in continuations)
        except TimeoutError:
            return False

    def _bears_out(self, form: Form, text: str, follows: str, outcome: Outcome) -> bool:
        if form == "must":
            assert isinstance(outcome, Found)
            return self.original.match(text + follows, outcome.start, timeout=SECONDS) is not None
        match = self.original.search(text + follows, timeout=SECONDS)
        if isinstance(outcome, Found):
            names = [name for name, _ in outcome.groups]
            return match is not None and _found(match, {name: _taken(match, name) for name in names}) == outcome
        start = outcome.start if isinstance(outcome, Undecided) else len(text)
        return match is None or match.start() >= start

    @cached_property
    def _likely(self) -> list[str]:
        """Everything short over the pattern's own characters, texts that it may match, parts of these, and others."""
        return texts_for(self.pattern, _CONTINUATIONS, thorough=True)

    def _search(self, form: Form, text: str, names: frozenset[Key]) -> Outcome | Unknown:
        compiled, emitted = self._form(form)
        emission = _read(compiled.search(text, timeout=SECONDS), emitted, form, names)
        if form != "plain":
            return emission
        match = self.original.search(text, timeout=SECONDS)
        found = match and _found(match, {name: _taken(match, name) for name in names})
        # The emission keeps the groups only that have names or are referred to.
        told = {name for name in names if name in emitted.groups.values()}
        alike = found == emission if told == names else _only(found, told) == _only(emission, told)
        return found if alike else Unknown()

    def _form(self, form: Form) -> tuple[Any, Emitted]:
        if form not in self._forms:
            rewritten = {"plain": lambda tree: tree, "hit-end": may_match, "must": must_match}[form](self.pattern)
            emitted = emit(rewritten, "regex")
            self._forms[form] = regex.compile(emitted.source, regex.V0), emitted
        return self._forms[form]


@lru_cache(200)
def prepared(source: str, count: int, *, thorough: bool) -> tuple[Truth, list[str]]:
    """The truth about a pattern, and texts to compare on: kept for the next engine."""
    truth = Truth(source)
    return truth, texts_for(truth.pattern, count, thorough=thorough)


def read(result: Result, translation: Translation, form: Form, names: frozenset[Key]) -> Outcome:
    """What an engine's result means, by the translation's account of its groups."""
    if result is None or isinstance(result, Failed):
        return result
    start, end = result.span
    if form == "must":
        return Found(start)
    if any(result.groups[marker] for marker in translation.markers):
        return Undecided(start)
    taken: dict[Key, Span | None] = dict.fromkeys(names)
    for group, original in translation.groups.items():
        span = result.groups[group]
        if span is not None and original in taken:
            taken[original] = span
    tails = [span[0] for tail in translation.tails if (span := result.groups[tail]) is not None]
    return Found(start, min([end, *tails]), _groups(taken))


def _read(match: Any, emitted: Emitted, form: Form, names: Iterable[Key]) -> Outcome:
    if match is None:
        return None
    if form == "must":
        return Found(match.start())
    if any(match[marker] is not None for marker in emitted.markers):
        return Undecided(match.start())
    taken: dict[Key, Span | None] = dict.fromkeys(names)
    for group, original in emitted.groups.items():
        if original in taken:
            taken[original] = _taken(match, group)
    return _found(match, taken)


def _found(match: Any, taken: dict[Key, Span | None]) -> Found:
    start, end = match.span()
    return Found(start, end, _groups(taken))


def _taken(match: Any, group: Key) -> Span | None:
    return match.span(group) if match[group] is not None else None


def _groups(taken: dict[Key, Span | None]) -> Groups:
    return tuple(sorted(taken.items(), key=lambda item: (isinstance(item[0], str), item[0])))


def _only(outcome: Outcome, names: set[Key]) -> Outcome:
    if isinstance(outcome, Found):
        return Found(outcome.start, outcome.end, tuple(item for item in outcome.groups if item[0] in names))
    return outcome
