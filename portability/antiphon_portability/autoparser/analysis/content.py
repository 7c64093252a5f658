"""How the answer is delimited."""

from __future__ import annotations

import re
from typing import Final

from antiphon_portability.autoparser.analysis.comparisons import Compare
from antiphon_portability.autoparser.analysis.conversations import ANSWER, Step
from antiphon_portability.autoparser.analysis.markers import MARKER, SPACE, SPACES, trimmed
from antiphon_portability.autoparser.analysis.results import Content, ContentMode, Reasoning, ReasoningMode

_WRAPPED: Final = re.compile(rf"({MARKER}{SPACE}){ANSWER}{SPACE}({MARKER}{SPACE})")


def content(compare: Compare, reasoning: Reasoning) -> Content:
    or_call, or_reasoning = compare(Step.CONTENT_OR_CALL), compare(Step.CONTENT_OR_REASONING)
    if or_call is None or or_reasoning is None:
        return Content()
    beside_call, beside_reasoning = or_call.diff.left, or_reasoning.diff.left
    if trimmed(beside_call) == ANSWER and _is_plain(beside_reasoning, reasoning):
        return Content()
    if reasoning.end and reasoning.end in beside_reasoning:
        beside_reasoning = beside_reasoning.partition(reasoning.end)[2]
    longer = beside_reasoning if len(beside_reasoning) > len(beside_call) else beside_call
    wrapped = _WRAPPED.search(longer)
    return Content(ContentMode.ALWAYS_WRAPPED, wrapped[1], wrapped[2]) if wrapped else Content()


def _is_plain(text: str, reasoning: Reasoning) -> bool:
    if not text.startswith(tuple(SPACES)):
        return True
    is_known = reasoning.mode is not ReasoningMode.NONE and bool(reasoning.end)
    return is_known and re.search(rf"{re.escape(reasoning.end)}{SPACE}{ANSWER}", text) is not None
