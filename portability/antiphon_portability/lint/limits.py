"""What may be parsed behind a prompt without taking too long: a pattern is slow on some texts only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import antiphon

from antiphon_portability.lint.context import Context, Work, is_quick

_LONGEST_PROMPT: Final = 50_000  # code points
_LONGEST_TURN: Final = 4_000  # code points
_MOST_STEPS: Final = 500_000  # of a search for the anchor
_NO_LIMIT: Final = 1 << 62


class Limits:
    """Of one template; what is counted is taken from its context's work, so it may raise OutOfWork.

    `unanchored`: why a prompt without the anchor isn't parsed; "" if it is, all of it (SPEC.md, ANCHOR-2).
    """

    def __init__(self, context: Context, *, longest_turn: int = _LONGEST_TURN, unanchored: str = "") -> None:
        self._context = context
        self._longest_turn = longest_turn
        self._unanchored = unanchored

    @classmethod
    def of(cls, document: Mapping[str, Any], template: antiphon.Template) -> Limits:
        """For a template that is to be run, not linted: of any number of texts, none may be slow."""
        return cls(Context(document, template, (), work=Work(_NO_LIMIT)), longest_turn=_LONGEST_PROMPT)

    def why_not(self, prompt: str, text: str) -> str:
        """Why a text isn't to be parsed behind a prompt; "" if it is."""
        context = self._context
        context.work.spend(len(prompt))
        anchor = context.patterns.get("/start_anchor_pattern")
        if anchor is not None and not is_quick(anchor, prompt, longest=_LONGEST_PROMPT, most=_MOST_STEPS):
            return "/start_anchor_pattern: its search in a prompt takes too many steps"
        if self._unanchored and not context.template.has_anchor(prompt):
            return self._unanchored
        head = context.template.head(prompt)
        if not context.is_safe(head + text, self._longest_turn):
            return "a turn is too long, or a delimiter's search in it takes too many steps"
        context.spend_on(head + text, runs=3)
        return ""
