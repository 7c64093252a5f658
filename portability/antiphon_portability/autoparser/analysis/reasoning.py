"""How reasoning is delimited."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from antiphon_portability.autoparser.analysis.comparisons import Compare, Comparison
from antiphon_portability.autoparser.analysis.conversations import REASONING, Step
from antiphon_portability.autoparser.analysis.markers import MARKER, SPACE, segments, trimmed, visible
from antiphon_portability.autoparser.analysis.results import Reasoning, ReasoningMode

_BETWEEN: Final = re.compile(rf"({MARKER}{SPACE}){REASONING}({SPACE}{MARKER}{SPACE})")
_BEFORE_ONE: Final = re.compile(rf"{REASONING}{SPACE}({MARKER}{SPACE})?")
_ANCHOR: Final = 64
"""Code points of a render's end by which it is found in the other."""


def reasoning(compare: Compare, *, has_calls: bool) -> Reasoning:
    """`has_calls`: whether the chat template writes tool calls."""
    found = Reasoning()
    if shown := compare(Step.REASONING):
        found = _shown(shown)
    if thinking := compare(Step.THINKING):
        found = _switched(found, thinking)
    if has_calls and (beside_call := compare(Step.REASONING_WITH_CALL)):
        found = _beside_call(found, beside_call)
    return found


def _shown(shown: Comparison) -> Reasoning:
    """Reasoning before an answer."""
    if REASONING not in shown.diff.right:
        return Reasoning()
    if between := _BETWEEN.search(shown.second):
        return Reasoning(ReasoningMode.TAG_BASED, between[1], between[2])
    before_one = _BEFORE_ONE.search(shown.second)
    if before_one and before_one[1]:
        return Reasoning(ReasoningMode.TAG_BASED, end=before_one[1])
    return Reasoning()


def _switched(found: Reasoning, thinking: Comparison) -> Reasoning:
    """What enable_thinking adds to the generation prompt: the start, or the end of an empty reasoning."""
    off, on = trimmed(thinking.diff.left), trimmed(thinking.diff.right)
    if on and not off:
        if trimmed(thinking.second).endswith(on) and not found.start:
            found = replace(found, mode=ReasoningMode.TAG_BASED, start=thinking.diff.right)
    elif off and not on:
        if trimmed(thinking.first).endswith(off) and not found.end:
            found = _closed(found, thinking, off)
    elif on and off:
        found = _appended(found, thinking)
    if found.mode is ReasoningMode.NONE and found.end and not found.start:
        found = replace(found, mode=ReasoningMode.TAG_BASED)
    return found


def _closed(found: Reasoning, thinking: Comparison, end: str) -> Reasoning:
    """With thinking off, an end is added; the marker before it is the start."""
    last = visible(segments(thinking.first))[-2:]
    has_start = len(last) == 2 and last[1].text == end and last[0].is_marker
    start = last[0].text if has_start else found.start
    return Reasoning(ReasoningMode.TAG_BASED, start, thinking.diff.left)


def _appended(found: Reasoning, thinking: Comparison) -> Reasoning:
    """Where other things change, too: one render goes on behind the other's end, with a start and an end."""
    for base, longer in ((thinking.second, thinking.first), (thinking.first, thinking.second)):
        anchor = base[-_ANCHOR:]
        place = longer.rfind(anchor) if anchor else -1
        extra = visible(segments(trimmed(longer[place + len(anchor) :]))) if place >= 0 else []
        if len(extra) == 2 and all(segment.is_marker for segment in extra):
            start, end = (trimmed(segment.text) for segment in extra)
            return Reasoning(ReasoningMode.TAG_BASED, found.start or start, found.end or end)
    return found


def _beside_call(found: Reasoning, beside_call: Comparison) -> Reasoning:
    """Reasoning that only stands in turns with tool calls."""
    if REASONING in beside_call.first or REASONING not in beside_call.second:
        return found
    if between := re.search(rf"({MARKER}{SPACE}){REASONING}{SPACE}({MARKER}{SPACE})", beside_call.second):
        return Reasoning(ReasoningMode.TOOLS_ONLY, between[1], between[2])
    before_one = _BEFORE_ONE.search(beside_call.second)
    if before_one and before_one[1]:
        return replace(found, mode=ReasoningMode.TOOLS_ONLY, end=before_one[1])
    return replace(found, mode=ReasoningMode.NONE)
