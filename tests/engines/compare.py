"""A translated pattern on one engine: the outcome of every text against the truth, judged by what was promised."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal, TypeAlias

from antiphon_portability.regex import Translation, translate
from antiphon_portability.regex.translate import Form

from engines.catalogue import Engine
from engines.conditions import announced, is_cautious
from engines.outcomes import Key, Outcome, Truth, Unknown, read
from engines.protocol import Failed, Refused, Request
from engines.session import Session

_LETTERS = {"PCRE2_UTF": "u"}  # as PHP has it
_LONG_SET = re.compile(r"\[[^\]]{60,}\]")
_SHOWN = 400  # characters of a translated pattern
Translate: TypeAlias = Callable[[str, str, Form], Translation]
Judged: TypeAlias = tuple[str, Outcome | Unknown, Outcome]  # text, expected outcome, the engine's


@dataclass(frozen=True)
class Disagreement:
    """An engine says something else than `regex`, or refuses a pattern that was translated for it."""

    engine: str
    target: str
    form: Form
    source: str
    translated: str
    text: str | None
    expected: Outcome
    got: Outcome | str

    def __str__(self) -> str:
        translated = _LONG_SET.sub("[…]", self.translated)[:_SHOWN]
        where = f"{self.engine} ({self.target}, {self.form}) {self.source!r}\n    as {translated!r}"
        if self.text is None:
            return f"{where}\n    refused: {self.got}"
        return f"{where}\n    on {self.text!r}\n    expected {self.expected}\n    got      {self.got}"


@dataclass
class Tally:
    """Totals of an engine."""

    patterns: int = 0
    comparisons: int = 0
    earlier: int = 0
    """Texts of which a translation, in one of the forms for streams, says more than `regex`'s emission, and rightly."""
    announced: int = 0
    """Differences of patterns that the translation calls approximate, or on texts that it makes an exception of."""
    unsupported: int = 0
    faults: int = 0
    """Texts on which the engine contradicts itself once an optimisation is turned off (`Engine.careful`)."""
    unanswered: int = 0
    """Searches that the engine gave up, or that `regex` has no answer to."""
    given_up: Counter[str] = field(default_factory=Counter)
    """Of these the ones that the engine gave up though the translation is exact, by target, form and pattern."""
    disagreements: list[Disagreement] = field(default_factory=list)
    constructs: Counter[str] = field(default_factory=Counter)
    """Those that patterns weren't translated for."""

    def __iadd__(self, other: Tally) -> Tally:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        return self


class Trial:
    """Compares patterns on one engine."""

    def __init__(self, engine: Engine, session: Session, translator: Translate = translate) -> None:
        self.engine = engine
        self.session = session
        self.translator = translator

    def run(self, truth: Truth, texts: Sequence[str], forms: Iterable[Form]) -> Tally:
        """The pattern in each form, for each of the engine's targets, on all texts."""
        total = Tally()
        for target in self.engine.targets:
            for form in forms:
                total += self.compare(truth, target, form, texts)
        return total

    def compare(self, truth: Truth, target: str, form: Form, texts: Sequence[str]) -> Tally:
        translation = self.translator(truth.source, target, form)
        tally = Tally(patterns=1)
        if translation.pattern is None:
            tally.unsupported = 1
            constructs = sorted({note.construct for note in translation.notes if note.kind == "unsupported"})
            tally.constructs[", ".join(constructs)] += 1
            return tally
        try:
            judged = list(self._judge(truth, translation, form, texts))
        except Refused as error:
            tally.disagreements.append(self._disagreement(truth, translation, form, None, None, str(error)))
            return tally
        if unknown := truth.unknown_groups(translation):
            message = f"it tells of groups that aren't there: {sorted(unknown, key=str)}"
            tally.disagreements.append(self._disagreement(truth, translation, form, None, None, message))
        wrong = list(self._count(judged, truth, translation, form, tally))
        if wrong and self.engine.careful:
            careful = replace(translation, pattern=self.engine.careful(translation.pattern))
            again = list(self._judge(truth, careful, form, [text for text, *_ in wrong]))
            wrong = [each for each in again if _judgement(truth, careful, form, *each) == "wrong"]
            tally.faults = len(again) - len(wrong)
        if self.engine.faulty:
            tally.faults += len(wrong)
            wrong = []
        if wrong:
            shortest = min(wrong, key=lambda each: len(each[0]))
            tally.disagreements.append(self._minimised(truth, translation, form, shortest))
        tally.disagreements += self._cries_of_wolf(truth, translation, form)
        return tally

    def _count(
        self, judged: Iterable[Judged], truth: Truth, translation: Translation, form: Form, tally: Tally
    ) -> Iterator[Judged]:
        """Counts what isn't wrong; yields what is."""
        for each in judged:
            judgement = _judgement(truth, translation, form, *each)
            tally.unanswered += judgement == "unanswered"
            if isinstance(each[2], Failed) and translation.verdict == "exact":
                tally.given_up[f"{translation.target}, {form}: {truth.source!r}"] += 1
            tally.announced += judgement == "announced"
            tally.earlier += judgement == "earlier"
            tally.comparisons += judgement != "unanswered"
            if judgement == "wrong":
                yield each

    def _judge(self, truth: Truth, translation: Translation, form: Form, texts: Sequence[str]) -> Iterator[Judged]:
        assert translation.pattern is not None
        groups = tuple(dict.fromkeys((*translation.groups, *translation.markers, *translation.tails)))
        names: frozenset[Key] = truth.names(translation, form)
        flags = _LETTERS.get(translation.flags, translation.flags)
        request = Request(translation.pattern, flags, groups, tuple(texts))
        for text, result in zip(texts, self.session.ask(request), strict=True):
            yield text, truth.outcome(form, text, names), read(result, translation, form, names)

    def _minimised(self, truth: Truth, translation: Translation, form: Form, found: Judged) -> Disagreement:
        """The disagreement on a shortest text: no code point can be left out."""
        while True:
            text, expected, got = found
            shorter = [text[:index] + text[index + 1 :] for index in range(len(text))]
            judged = self._judge(truth, translation, form, shorter) if shorter else ()
            wrong = [each for each in judged if _judgement(truth, translation, form, *each) == "wrong"]
            if not wrong:
                assert not isinstance(expected, Unknown)
                return self._disagreement(truth, translation, form, text, expected, got)
            found = wrong[0]

    def _cries_of_wolf(self, truth: Truth, translation: Translation, form: Form) -> Iterator[Disagreement]:
        """Notes of a difference none of whose examples makes one."""
        if translation.verdict != "approximate":
            return
        for note in translation.notes:
            if note.kind == "difference":
                judged = list(self._judge(truth, translation, form, note.examples))
                if all(expected == got for _, expected, got in judged):
                    yield self._disagreement(
                        truth,
                        translation,
                        form,
                        note.examples[0],
                        None,
                        f"no difference, though announced: {note.text}",
                    )

    def _disagreement(
        self,
        truth: Truth,
        translation: Translation,
        form: Form,
        text: str | None,
        expected: Outcome,
        got: Outcome | str,
    ) -> Disagreement:
        assert translation.pattern is not None
        return Disagreement(
            self.engine.name, translation.target, form, truth.source, translation.pattern, text, expected, got
        )


def _judgement(
    truth: Truth, translation: Translation, form: Form, text: str, expected: Outcome | Unknown, got: Outcome
) -> Literal["same", "announced", "earlier", "unanswered", "wrong"]:
    if isinstance(expected, Unknown) or isinstance(got, Failed):
        return "unanswered"
    if got == expected:
        return "same"
    if announced(translation, form, text, expected, got):
        return "announced"
    if form != "plain" and not is_cautious(form, expected, got) and truth.bears_out(form, text, got):
        return "earlier"
    return "wrong"
