"""From a text with placeholders to a delimiter: a literal where one will do, else a pattern that streams.

White space beside a marker is what chat templates and models differ in, so a pattern takes any amount of it there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from .gaps import DIGITS, ID, KEY, NAME, OTHER_KEY, VALUE, WORD, space_before, tokens

_SPECIAL: Final = re.compile(r"([\\^$.|?*+()\[\]{}])")
_PLACEHOLDERS: Final = re.compile(f"([{NAME}-{OTHER_KEY}])")
_FIXED: Final = {DIGITS: r"\d+", WORD: r"\w+", VALUE: "(?P<value>.*?)"}
_GROUPS: Final = {NAME: "name", ID: "id", KEY: "key", OTHER_KEY: "key"}
GROUPS: Final = frozenset(_GROUPS.values())
_IN_NAMES: Final = re.compile(r"[\w.-]")
"""What a name may have in it: where it comes next, only white space tells where the name ends."""
SPACE: Final = r"\s*"

Delimiter = dict[str, Any]


def escaped(text: str) -> str:
    """A pattern for a text and nothing else."""
    return _SPECIAL.sub(r"\\\1", text).replace("\n", r"\n")


def pattern(text: str, *, groups: Collection[str] = GROUPS, behind: str = "<") -> str:
    """A pattern for a text with placeholders, with these groups for them. `behind`: characters that may come behind it.

    Of several places for a name the last is the group; of several for a key, the others refer to the first.
    """
    parts = [part for part in _PLACEHOLDERS.split(text) if part]
    pieces = [piece for part in parts for piece in ([part] if _PLACEHOLDERS.match(part) else tokens(part))]
    named = _named(pieces, groups)
    return "".join(_piece([*pieces, behind], index, named) for index in range(len(pieces)))


def _named(pieces: Sequence[str], groups: Collection[str]) -> dict[str, int]:
    """Where each group stands."""
    found: dict[str, int] = {}
    for index, piece in enumerate(pieces):
        group = _GROUPS.get(piece)
        if group is not None and group in groups and not (group == "key" and "key" in found):
            found[group] = index
    return found


def _piece(pieces: Sequence[str], index: int, named: dict[str, int]) -> str:
    piece = pieces[index]
    if piece in _GROUPS:
        group = _GROUPS[piece]
        run = _run(pieces, index, group)
        if named.get(group) == index:
            return f"(?P<{group}>{run})"
        return "(?P=key)" if group == "key" and "key" in named else run
    if piece.isspace():
        return _space(pieces, index)
    return _FIXED.get(piece) or escaped(piece)


def _run(pieces: Sequence[str], index: int, group: str) -> str:
    """The characters of a name or an id: all up to what stands behind it."""
    following = next(number for number in range(index + 1, len(pieces)) if not pieces[number].isspace())
    behind = pieces[following] if following == len(pieces) - 1 else pieces[following][0]
    ends = (one for one in dict.fromkeys(behind) if not (_PLACEHOLDERS.match(one) or _IN_NAMES.match(one)))
    end = "".join(map(escaped, ends))
    if behind == '"' or group == "key":
        return rf"[^{end}\n]+" + "?" * (not end or pieces[index + 1].isspace())
    if not end and not pieces[index + 1].isspace():
        end = r"\{"
    return rf"[^\s<{end.replace('<', '')}]+"


def _space(pieces: Sequence[str], index: int) -> str:
    around = [*pieces[max(index - 1, 0) : index], *pieces[index + 1 : index + 2]]
    if VALUE in around:
        return r"\n?" if "\n" in pieces[index] else escaped(pieces[index])
    if any(piece in _GROUPS for piece in around) and any(map(_IN_NAMES.match, around)):
        return r"\s+"
    between_words = "\n" not in pieces[index] and len(around) == 2 and not any(map(_is_mark, around))
    return escaped(pieces[index]) if between_words else SPACE


def _is_mark(piece: str) -> bool:
    return piece[0] in "<>[]`" or piece in _GROUPS


def alternatives(patterns: Iterable[str]) -> str:
    """A pattern that takes what one of several takes; in a group if there are several."""
    found = list(dict.fromkeys(patterns))
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"


def opening(text: str) -> Delimiter:
    """The open for a text: itself, if there is no white space between its markers."""
    return {"open_pattern": pattern(text)} if "\n" in text.strip() else {"open": text}


def _mark(text: str) -> str:
    """A pattern for a mark; white space that it begins with is a part of it."""
    space = space_before(text)
    return escaped(space) + pattern(text[len(space) :], groups=())


def ahead(pattern: str) -> str:
    """A pattern for the place before what another takes."""
    return f"(?={pattern})"


def closing(marks: Iterable[str], places: Iterable[str] = (), patterns: Iterable[str] = ()) -> Delimiter:
    """The close for any of several texts or patterns, with the white space behind it; or for one of several places.

    Nothing, if there are none.
    """
    found = [*patterns, *(_mark(mark) for mark in dict.fromkeys(marks) if mark)]
    options = [alternatives(found) + SPACE] if found else []
    options += dict.fromkeys(places)
    return {"close_pattern": "|".join(options)} if options else {}
