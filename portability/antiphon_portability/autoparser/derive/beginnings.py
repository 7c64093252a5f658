"""Where a turn begins: what prompts end with, and turns begin with.

A prompt may write the beginning of the turn itself, such as `<think>`; that is the turn's, and parsed with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from . import gaps
from .probes import Prompt

_LONGEST_OPENER: Final = 50
"""Words and markers of an opener of which a beginning is looked for."""


def header_of(prompts: Sequence[Prompt], before: str, openers: Sequence[str]) -> str:
    """What stands before all that the model writes: what prompts and turns have in common."""
    first = _before_openers(prompts[0].generation or prompts[0].tail, openers)
    if not first.strip():
        first = _before_openers(prompts[0].tail, openers)
    return first if first in before else gaps.longest_start_in(first, before) or first


def behind_header(before: str, header: str) -> str:
    """The part of a turn's beginning that stands behind its header, or behind as much of that as is there."""
    begun = gaps.longest_start_in(header, before)
    return before.rpartition(begun)[2] if begun else before


def anchors_of(
    prompts: Sequence[Prompt], header: str, assistant_start: str, openers: Sequence[str], end: str
) -> tuple[str, ...]:
    """Texts, one of which stands at the end of each prompt, before what the prompt writes of the turn itself."""
    found = [_anchor(prompt, header, assistant_start, openers, end) for prompt in prompts]
    unique = list(dict.fromkeys(one.lstrip() or one for one in found if one))
    return tuple(one for one in unique if not any(one != other and one.endswith(other) for other in unique))


def _anchor(prompt: Prompt, header: str, assistant_start: str, openers: Sequence[str], end: str) -> str:
    kept = _before_openers(prompt.generation, openers)
    begun = header.lstrip()
    if kept.lstrip().startswith(begun):
        rest = kept.lstrip()[len(begun) :]
        if rest.strip() and not (end and rest.lstrip().startswith(end)):
            kept = begun
    if not kept.strip():
        tail = _before_openers(prompt.tail, openers)
        place = tail.rfind(assistant_start) if assistant_start else -1
        return tail[place:] if place >= 0 else _last_mark(tail)
    return _extended(kept, prompt) if gaps.tokens(kept.lstrip())[0].isalnum() else kept


def _before_openers(text: str, openers: Iterable[str]) -> str:
    """A text up to where one of the openers begins, or is begun at its end."""
    for opener in openers:
        place = text.find(opener.strip())
        if place >= 0:
            text = text[:place]
        pieces = gaps.tokens(opener)[:_LONGEST_OPENER]
        begun = ("".join(pieces[:count]) for count in range(len(pieces) - 1, 0, -1))
        text = next((text.removesuffix(part) for part in begun if part.strip() and text.endswith(part)), text)
    return text


def _last_mark(tail: str) -> str:
    """The last marker of a prompt, with what stands behind it."""
    pieces = gaps.tokens(tail)
    places = [index for index, piece in enumerate(pieces) if gaps.is_marker(piece)]
    return "".join(pieces[places[-1] :]) if places else tail


def _extended(kept: str, prompt: Prompt) -> str:
    """An anchor that begins with a word, with the marker before it."""
    before = prompt.tail.removesuffix(prompt.generation)
    pieces = gaps.tokens(before.rstrip())
    return before[before.rindex(pieces[-1]) :] + kept if pieces and gaps.is_marker(pieces[-1]) else kept
