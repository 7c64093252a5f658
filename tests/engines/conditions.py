"""What a translation announces: its conditions as predicates on texts, and which differences its notes allow."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from antiphon_portability.regex import Note, Translation
from antiphon_portability.regex.translate import Form

from engines.outcomes import Found, Outcome, Undecided

# By the construct that a note of kind "condition" names: whether the condition holds for a target and a text.
# That no character is newer than Rust's Unicode holds for all texts of this package.
CONDITIONS: Final[dict[str, Callable[[str, str], bool]]] = {
    "word-boundary": lambda target, text: target != "re2" or text.isascii(),
    "grapheme": lambda target, text: not any(min(pair) > "\uffff" for pair in pairwise(text)),  # emoji side by side
}
HOLDS_LONGER: Final = "hit-end"
"""The construct of notes that concern one direction only: undecided where the truth is known."""


def announced(translation: Translation, form: Form, text: str, expected: Outcome, got: Outcome) -> bool:
    """Whether the translation's verdict and notes allow that a text has another outcome than expected."""
    if not _holds(translation, text):
        return True
    if any(map(_holds_longer, translation.notes)) and is_cautious(form, expected, got):
        return True
    return any(note.kind == "difference" for note in translation.notes)


def _holds_longer(note: Note) -> bool:
    """Not a note of kind "native", which tells of no difference."""
    return note.construct == HOLDS_LONGER and note.kind in ("condition", "later")


def _holds(translation: Translation, text: str) -> bool:
    """Whether the text keeps to all conditions that are known here."""
    noted = (note.construct for note in translation.notes if note.kind == "condition")
    return all(CONDITIONS[construct](translation.target, text) for construct in noted if construct in CONDITIONS)


def is_cautious(form: Form, expected: Outcome, got: Outcome) -> bool:
    """Whether an outcome says nothing that is wrong, though it says less than it might."""
    start = expected.start if isinstance(expected, Found | Undecided) else None
    if form == "hit-end":
        return isinstance(got, Undecided) and (start is None or got.start <= start)
    return got is None or (isinstance(got, Found) and start is not None and got.start >= start)
