"""How texts and values are shown to people: short, on one line, and safe for terminals."""

from __future__ import annotations

import json
from typing import Any

VALUE_LIMIT = 90
"""Code points of a value that are shown before its middle is left out."""


def escape(text: str) -> str:
    """The text with everything escaped that a terminal would not print as itself: controls, line ends, surrogates,
    directional marks, unassigned code points."""
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def shorten(text: str, limit: int = VALUE_LIMIT) -> str:
    """The escaped text, with its middle left out where it is longer than `limit` code points."""
    if len(text) > limit:
        kept = limit // 2
        text = f"{text[:kept]}…({len(text) - 2 * kept} more)…{text[-kept:]}"
    return escape(text)


def show_value(value: Any, limit: int = VALUE_LIMIT) -> str:
    """A JSON value on one line; strings in quotes."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        text = f"a value of type {type(value).__name__}"
    return shorten(text, limit)


def _escaped(char: str) -> str:
    code = ord(char)
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if named is not None:
        return named
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
