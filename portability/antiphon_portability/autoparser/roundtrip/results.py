"""What a round trip found out: a verdict for each feature, with what is lost and what came instead."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from antiphon_portability.autoparser.roundtrip.comparing import Difference


class Verdict(StrEnum):
    EXACT = "exact"
    """What the chat template writes comes back."""
    LOSSY = "lossy"
    """Something of it is lost, as the differences say."""
    WRONG = "wrong"
    """Something else comes back, or an error."""
    NOT_WRITTEN = "not written"
    """The chat template leaves out what the feature is about."""
    NOT_RENDERED = "not rendered"
    """The chat template refuses the conversation."""
    NOT_SPLIT = "not split"
    """It isn't clear where the turn begins in what the chat template writes."""
    NOT_TRIED = "not tried"
    """The chat template took too much time or memory before, or the response template would take too long."""


PARSED = (Verdict.EXACT, Verdict.LOSSY, Verdict.WRONG)
"""The verdicts on the response template; the others are about the chat template."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one conversation.

    `reason`: why it wasn't parsed. `unwritten`: what of it the chat template doesn't write; that is nobody's loss.
    `prompt`, `text`: what was parsed. `message`: what came out, None for an error, which `error` tells, with its field
    if there is one. `end`: what ends the turn, if that is known; with `only_bare` the verdict is on the text without
    it, and with it is better.
    """

    feature: str
    verdict: Verdict
    reason: str = ""
    differences: tuple[Difference, ...] = ()
    unwritten: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    prompt: str = ""
    text: str = ""
    end: str = ""
    message: dict[str, Any] | None = None
    error: str = ""
    error_field: str | None = None
    only_bare: bool = False

    @property
    def lost(self) -> tuple[str, ...]:
        """The differences in words, each once."""
        words = [found.what for found in self.differences]
        return tuple(dict.fromkeys([*([self.error] if self.error else []), *words]))

    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "reason": self.reason,
            "lost": [_difference(found) for found in self.differences],
            "error": self.error,
            "unwritten": [*self.unwritten],
            "only_without": self.end if self.only_bare else "",
            "notes": [*self.notes],
        }
        found: dict[str, Any] = {"feature": self.feature, "verdict": self.verdict.value}
        found |= {key: value for key, value in told.items() if value}
        if self.verdict in PARSED:
            found |= {"prompt": self.prompt, "text": self.text, "end": self.end, "message": self.message}
        return found


def _difference(found: Difference) -> dict[str, Any]:
    return {"what": found.what, **found.values()}


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """The results, in the order of the conversations."""

    results: tuple[Result, ...]

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.having(Verdict.WRONG)

    @property
    def has_compared(self) -> bool:
        """Whether a text was parsed that is more than what ends a turn."""
        return any(result.verdict in PARSED and result.text.removesuffix(result.end) for result in self.results)

    @property
    def passes(self) -> bool:
        """Whether something was compared, and nothing is wrong."""
        return self.is_right and self.has_compared

    @property
    def summary(self) -> str:
        """How many results have each verdict, in words."""
        return ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())

    def having(self, verdict: Verdict) -> tuple[Result, ...]:
        return tuple(result for result in self.results if result.verdict is verdict)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many results have each verdict; those that none has are left out."""
        found = Counter(result.verdict for result in self.results)
        return {verdict: found[verdict] for verdict in Verdict if found[verdict]}

    def as_json(self) -> dict[str, Any]:
        return {
            "counts": {verdict.value: count for verdict, count in self.counts.items()},
            "results": [result.as_json() for result in self.results],
        }
