"""What the turns of the assistant and of the user begin with."""

from __future__ import annotations

from itertools import dropwhile

from antiphon_portability.autoparser.analysis.comparisons import Compare
from antiphon_portability.autoparser.analysis.conversations import ANSWER, USER, Step
from antiphon_portability.autoparser.analysis.differences import common_length
from antiphon_portability.autoparser.analysis.markers import Segment, segments, trimmed
from antiphon_portability.autoparser.analysis.results import Reasoning


def assistant_start(compare: Compare, reasoning: Reasoning) -> str:
    """Before an answer, without what begins or ends reasoning."""
    answered = compare(Step.ASSISTANT_START)
    if answered is None:
        return ""
    start = answered.diff.right.partition(ANSWER)[0]
    for marker in (trimmed(reasoning.start), trimmed(reasoning.end)):
        if marker:
            start = start.partition(marker)[0]
    return trimmed(start)


def user_start(compare: Compare) -> str:
    """Before a question, without what ends the turn before."""
    asked = compare(Step.USER_START) or compare(Step.LATER_USER_START)
    if asked is None:
        return ""
    text = asked.diff.right
    if ANSWER in text:
        text = text.partition(ANSWER)[2]
    kept = dropwhile(_is_before, segments(text.partition(USER)[0]))
    return trimmed("".join(segment.text for segment in kept))


def _is_before(segment: Segment) -> bool:
    if segment.is_marker:
        return any(word in segment.text.lower() for word in ("end", "close"))
    return not trimmed(segment.text)


def generation_prompt(compare: Compare) -> str:
    """What is added behind a question for the model to go on; with thinking on."""
    thinking, answered = compare(Step.THINKING), compare(Step.ASSISTANT_START)
    if thinking is None or answered is None:
        return ""
    return thinking.second[common_length(answered.first, thinking.second) :]
