"""Which cases of a suite are run: by globs, by what they need, and which part of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from hashlib import sha256

from antiphon_conformance.cases.case import Case
from antiphon_conformance.inputs import BadInput

NOT = "!"
"""In front of a wish: all but those."""
_SHARD = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")
"""A number of more digits isn't one that somebody means, and Python doesn't read thousands of digits."""


@dataclass(frozen=True)
class Selection:
    """Wishes about cases: `filter` by globs (`matches`), `requires` by capabilities (`Case.needs`).

    Of each kind, any one that fits chooses a case, and any one with NOT that fits leaves it out.
    """

    filter: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()

    def chooses(self, case: Case) -> bool:
        """Whether a case is to be run."""
        return filtered(self.filter, case.full_id, case.clauses) and _admits(
            self.requires, lambda need: need in case.needs
        )


ALL = Selection()


@dataclass(frozen=True)
class Shard:
    """A part of the cases, by its number (from 1) among `count`.

    To which a case belongs depends on its id alone, so it stays where it is when a suite grows.
    """

    index: int
    count: int

    def has(self, full_id: str) -> bool:
        """Whether the case of an id belongs to this part."""
        return int.from_bytes(sha256(full_id.encode()).digest()[:8]) % self.count == self.index - 1


def shard(text: str) -> Shard:
    """The part that a text like `2/8` names. Raises BadInput."""
    found = _SHARD.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        raise BadInput(f"--shard {text}", "isn't a part; write its number and how many there are, from 1/8 to 8/8")
    return Shard(int(found[1]), int(found[2]))


def select(cases: Sequence[Case], selection: Selection) -> list[Case]:
    """The chosen cases, in their order. Raises BadInput if there are none."""
    _check_needs(cases, selection.requires)
    found = [case for case in cases if selection.chooses(case)]
    if not found:
        raise BadInput(*_nothing(cases, selection))
    return found


def filtered(globs: Sequence[str], full_id: str, clauses: Sequence[str]) -> bool:
    """Whether globs choose a case, as those of `Selection.filter` do."""
    return _admits(globs, lambda glob: matches(glob, full_id, clauses))


def matches(glob: str, full_id: str, clauses: Iterable[str]) -> bool:
    """Whether a case's full id, or one of its clauses, matches a shell pattern (`*` also crosses slashes)."""
    return any(fnmatchcase(name, glob) for name in (full_id, *clauses))


def _admits(wishes: Sequence[str], fits: Callable[[str], bool]) -> bool:
    wished = [wish for wish in wishes if not wish.startswith(NOT)]
    unwished = [wish.removeprefix(NOT) for wish in wishes if wish.startswith(NOT)]
    return (not wished or any(map(fits, wished))) and not any(map(fits, unwished))


def _check_needs(cases: Iterable[Case], requires: Iterable[str]) -> None:
    known = {need for case in cases for need in case.needs}
    for name in (wish.removeprefix(NOT) for wish in requires):
        if name not in known:
            near = get_close_matches(name, known, n=1) or sorted(known)
            remedy = f"write {' or '.join(near)}" if near else "take it out"
            raise BadInput(f"--requires {name}", f"no case needs that; {remedy}")


def _nothing(cases: Sequence[Case], selection: Selection) -> tuple[str, str]:
    """Where and why nothing was chosen."""
    if selection.filter and not any(Selection(selection.filter).chooses(case) for case in cases):
        topics = ", ".join(sorted({case.topic for case in cases}))
        globs = " or ".join(selection.filter)
        return "--filter", f"no case matches {globs}, by its whole id or a clause; the topics are {topics}"
    if not selection.filter:
        return "--requires", f"no case is left by {', '.join(selection.requires)}; take one out"
    return "--requires", f"no case that --filter chooses is left by {', '.join(selection.requires)}; take one out"
