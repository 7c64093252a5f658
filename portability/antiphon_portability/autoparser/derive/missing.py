"""What a response template can't say, of what chat templates were found to write.

The slugs are those of the specification's annex C, which tells what it would take.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .calls import Calls, Shape, Spelling
from .gaps import ID
from .turns import Turn

MISSING: Final = {
    "names-as-keys": "the function's name is a member's name, so the calls stay as the model wrote them",
    "json-in-strings": "the arguments are JSON inside a string, and stay a text",
    "nested-tags": "lists and objects are tags inside tags, and stay a text",
    "python-values": "lists and objects are in Python's spelling, and stay a text",
    "types-beside-values": "an argument's type stands beside it, and isn't looked at; with tools, schemas decide",
    "lines-of-json": "calls are parted by nothing but their first characters, which an answer could have, too",
    "members-that-may-be-missing": "a call without an id, which the chat template always writes, is an error",
    "python-outside-lists": "calls as Python writes them, but not in one list, stay a part of the answer",
    "names-without-quotes": "names of arguments have no quotes, so one that is no word, such as file-path, is an error",
    "text-in-tags": "a text that is quoted, as by CDATA, ends where its quoted text has the closing marker",
}


def missing(turn: Turn) -> Iterator[str]:
    """The slugs of what the format lacks for a turn, in the order of the table's reasons."""
    if turn.bare_python:
        yield "python-outside-lists"
    if turn.calls is not None:
        yield from _of_calls(turn.calls)


def _of_calls(calls: Calls) -> Iterator[str]:
    found = {
        "names-as-keys": calls.name_is_key,
        "json-in-strings": calls.text_arguments,
        "nested-tags": calls.values is Spelling.TAGS,
        "python-values": calls.values is Spelling.PYTHON,
        "types-beside-values": calls.typed_beside,
        "lines-of-json": calls.lines,
        "members-that-may-be-missing": bool(calls.id) or ID in calls.start,
        "names-without-quotes": calls.shape is Shape.PYTHON or "unquoted_keys" in calls.content_args,
        "text-in-tags": calls.quotes is not None,
    }
    yield from (slug for slug, is_so in found.items() if is_so)
