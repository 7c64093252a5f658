"""The clauses of SPEC.md and of proposals to it, to be shown beside the cases that name them."""

from __future__ import annotations

import re
from functools import cache

from antiphon_conformance import resources

_NAME = r"^\*\*([A-Z]+(?:-[A-Z]+)*-[0-9]+)\*\*"
_NAMES = re.compile(_NAME, re.MULTILINE)
_CLAUSES = re.compile(
    _NAME
    + r"""
    \s+
    (.+? (?: \n\n (?: 1\. | \*\ ) .+? )?) (?= \n\n | \n> | \n\*\*[A-Z] | \Z )
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
BY_FINDING = {"early": "DUE-2", "late": "DUE-3"}
"""The clause that is broken by what a finding begins with, whatever the case is about."""
CHUNKS = "EVENT-4"
"""The clause that is broken where the result depends on the chunks."""


def proposal_pages() -> str:
    """The pages of the proposals to the specification (annex B), one after the other."""
    return "\n".join(page.read_text("utf-8") for page in sorted(resources.find_proposals().glob("*.md")))


def clauses_of(specification: str) -> list[str]:
    """The ids of all clauses in a specification's text, in their order."""
    return list(dict.fromkeys(_NAMES.findall(specification)))


@cache
def clauses() -> dict[str, str]:
    """For each clause its first paragraph, with a list that ends it, on one line, as Markdown; the rest is left out."""
    text = resources.find_specification().read_text("utf-8") + proposal_pages()
    return {name: " ".join(paragraph.split()) for name, paragraph in _CLAUSES.findall(text)}


def concerned(clauses: list[str], reason: str, chunking: str) -> list[str]:
    """The clauses of a case, and those that are broken by the way in which it fails: by time, or by the chunks."""
    begin = reason.partition(":")[0]
    broken = [BY_FINDING[begin]] if begin in BY_FINDING else []
    depends = [CHUNKS] if depends_on_chunks(reason, chunking) else []
    return list(dict.fromkeys([*clauses, *broken, *depends]))


def depends_on_chunks(reason: str, chunking: str) -> bool:
    """Whether a failure shows that a result depends on the chunks: in one piece, which is run first, it was right."""
    return chunking not in ("whole", "none") and not reason.startswith(tuple(BY_FINDING))
