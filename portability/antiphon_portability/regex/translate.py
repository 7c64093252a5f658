"""A pattern of the dialect, translated to another engine: pattern text, what became of its groups, and a verdict.

Where `emit` gives text or refuses, this says how far the text can be trusted, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from .differing import texts_that_differ_by_boundaries
from .emit import Emitted, write
from .engines import ENGINES, Engine
from .errors import EngineError
from .hit_end import may_match, must_match
from .lower import prepare
from .nodes import Node, Pattern
from .notes import NOTES, Note
from .parser import parse

Form: TypeAlias = Literal["plain", "hit-end", "must"]
Verdict: TypeAlias = Literal["exact", "exact under conditions", "approximate", "unsupported"]

TARGETS: Final = tuple(ENGINES)
LONGEST_SOURCE: Final = 10_000  # code points of a pattern that is translated
LONGEST_RESULT: Final = 1_000_000  # code points of a translation
_REWRITES: Final[dict[Form, Callable[[Pattern], Pattern]]] = {
    "plain": lambda pattern: pattern,
    "hit-end": may_match,
    "must": must_match,
}


@dataclass(frozen=True, slots=True)
class Translation:
    """A pattern for `target`; `pattern` is None if the verdict is "unsupported".

    `flags` is what the target's compile function wants beside the pattern. `groups` gives for each group of the target
    the name, or else the number, that it has in the original; where several stand for one, the last of them in this
    order that took part counts. `markers`: the search is undecided if one of these groups took part. `tails`: what such
    groups took was looked at only; if some took part, the match ends where the first of them begins.
    """

    target: str
    pattern: str | None
    flags: str
    groups: Mapping[str, str | int]
    markers: tuple[str, ...]
    tails: tuple[str, ...]
    verdict: Verdict
    notes: tuple[Note, ...]

    def as_json(self) -> dict[str, Any]:
        """The translation as a JSON object, with the names of its fields as keys."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "groups": dict(self.groups),
            "notes": [{key: value for key, value in asdict(note).items() if value} for note in self.notes],
        }


def translate(source: str | Pattern, target: str, form: Form = "plain") -> Translation:
    """`source`, a pattern of the dialect or what `parse` made of one, for `target`, one of `TARGETS`.

    `form`: "plain", the pattern itself; "hit-end", the same search on a text whose end is still to come; "must", a
    pattern that matches only where the original does whatever follows. What is too large to be of use is
    "unsupported". Raises `PatternError` for what is not of the dialect, `ValueError` for an unknown target.
    """
    if target not in ENGINES:
        raise ValueError(f"no target {target!r}: there are {', '.join(TARGETS)}")
    engine = ENGINES[target]
    said: set[str] = set()
    try:
        if isinstance(source, str):
            if len(source) > LONGEST_SOURCE:
                raise _too_large(engine, f"a pattern of more than {LONGEST_SOURCE:,} code points")
            source = _parsed(source)
        pattern = _rewritten(prepare(source, engine, said), form)
        emitted = write(pattern, engine, frozenset(said))
        if len(emitted.source) > LONGEST_RESULT:
            raise _too_large(engine, f"a pattern that comes to more than {LONGEST_RESULT:,} code points")
    except EngineError as error:
        note = Note("unsupported", error.slug, error.construct, remedy=error.remedy)
        return Translation(target, None, engine.flags, {}, (), (), "unsupported", (note,))
    notes = tuple(_notes(emitted, engine, form, pattern))
    kinds = {note.kind for note in notes}
    verdict: Verdict = "exact"
    if kinds & {"difference", "later"}:
        verdict = "approximate"
    elif "condition" in kinds:
        verdict = "exact under conditions"
    return Translation(
        target=target,
        pattern=emitted.source,
        flags=emitted.flags,
        groups=emitted.groups,
        markers=emitted.markers,
        tails=emitted.tails,
        verdict=verdict,
        notes=notes,
    )


def _with_examples(note: Note, pattern: Pattern) -> Note:
    """`note` on ASCII boundaries with texts that make the difference; a condition, if none is found."""
    examples = texts_that_differ_by_boundaries(pattern)
    return replace(note, kind="difference" if examples else "condition", examples=examples)


def _too_large(engine: Engine, what: str) -> EngineError:
    return EngineError(engine.name, "size", what, "make it shorter or simpler")


def _notes(emitted: Emitted, engine: Engine, form: Form, pattern: Pattern) -> Iterator[Note]:
    for key, note in NOTES.items():
        if key in emitted.said:
            yield _with_examples(note, pattern) if note.kind == "difference" else note
    if form == "hit-end" and engine.native_partial:
        yield Note("native", "hit-end", engine.native_partial)


@lru_cache(maxsize=4096)
def _parsed(source: str) -> Pattern:
    return parse(source)


@lru_cache(maxsize=4096)
def _rewritten_root(root: Node, group_count: int, names: tuple[tuple[str, int], ...], form: Form) -> Pattern:
    return _REWRITES[form](Pattern(root, group_count, dict(names)))


def _rewritten(pattern: Pattern, form: Form) -> Pattern:
    return _rewritten_root(pattern.root, pattern.group_count, tuple(pattern.names.items()), form)
