"""The hit-end rewrite's verdicts in the matcher's terms, and what may differ between the two.

Nothing here knows how the rewrite works: the rewritten pattern is emitted for the `regex` module and run as any user
of it would.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import regex
from antiphon_portability.regex import emit, may_match
from antiphon_portability.regex.nodes import Pattern

from oracles.matcher import Match, NoMatch, Undecided, Verdict

Compiled: TypeAlias = "regex.Pattern[str]"


class Rewritten:
    """A pattern after the rewrite, ready to be searched for."""

    def __init__(self, pattern: Pattern) -> None:
        self.names = dict(pattern.names)
        self.emitted = emit(may_match(pattern), "regex")
        self.compiled = regex.compile(self.emitted.source, regex.V0)

    def search(self, buffer: str, start: int = 0) -> Verdict:
        """The verdict on a buffer that may go on."""
        match = self.compiled.search(buffer, start, timeout=5)
        if not match:
            return NoMatch()
        groups = match.groupdict()
        if any(groups[marker] is not None for marker in self.emitted.markers):
            return Undecided(match.start())
        captures = {}
        for group, original in self.emitted.groups.items():
            if isinstance(original, str) and match[group] is not None:
                captures[original] = match[group]
        return Match(match.start(), match.end(), captures)


def first_held(verdict: Verdict, buffer: str) -> int:
    """From where on text may belong to a match."""
    return len(buffer) if isinstance(verdict, NoMatch) else min(verdict.start, len(buffer))


def claims_more(claimed: Verdict, judge: Verdict, buffer: str) -> bool:
    """Whether a verdict says something about the text to come that the judge doesn't say."""
    if isinstance(claimed, Match):
        return claimed != judge
    return first_held(claimed, buffer) > first_held(judge, buffer)


def claims_less(claimed: Verdict, judge: Verdict, buffer: str) -> bool:
    """Whether a verdict leaves open what the judge knows."""
    if isinstance(judge, Match) and not isinstance(claimed, Match):
        return True
    return first_held(claimed, buffer) < first_held(judge, buffer)


def refuted(claimed: Verdict, pattern: Compiled, buffer: str, continuations: Iterable[str]) -> str | None:
    """A continuation that shows a verdict to be wrong, by the `regex` module's own search."""
    for continuation in continuations:
        match = pattern.search(buffer + continuation, timeout=5)
        if isinstance(claimed, Match):
            if match is None or found(match) != claimed:
                return continuation
        elif match and match.start() < first_held(claimed, buffer):
            return continuation
    return None


def found(match: regex.Match[str]) -> Match:
    """A match of the `regex` module in the matcher's terms."""
    captures = {name: text for name, text in match.groupdict().items() if text is not None}
    return Match(match.start(), match.end(), captures)
