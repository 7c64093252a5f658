"""Proposals: extensions of the format that are under discussion (SPEC.md, annex B; `reference/proposals/`).

A template has the keys of a proposal only if whoever loads it asks for the proposal by its name.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from antiphon.errors import ParserStateError

FIELD_KEYS: Final = {"close_outside_strings": "close-outside-strings", "skip_blank": "skip-blank"}
"""The keys that a field may have besides those of TEMPLATE-3, each with the proposal that it belongs to."""

PROPOSALS: Final = tuple(sorted(set(FIELD_KEYS.values())))
"""The names of all proposals that this implementation has."""


def checked(names: Collection[str]) -> frozenset[str]:
    """The proposals of these names; raises `ParserStateError` if there is no such proposal."""
    if isinstance(names, str):
        raise ParserStateError("option", f"proposals are a set or list of names; write {{{names!r}}}")
    for name in names:
        if name not in PROPOSALS:
            raise ParserStateError("option", f"there is no proposal {name!r}; there are {', '.join(PROPOSALS)}")
    return frozenset(names)


def how_to_ask(key: str) -> str:
    """What to tell somebody whose field has a key of a proposal that wasn't asked for."""
    name = FIELD_KEYS[key]
    return (
        f"this key belongs to the proposal {name!r}, which has to be asked for: load_template(…, proposals="
        f"{{{name!r}}}), or --proposal {name} on the command line; else leave the key out"
    )
