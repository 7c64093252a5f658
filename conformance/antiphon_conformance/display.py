"""How texts and values are shown: to people short, on one line, and safe for terminals; to programs as JSON.

How they are laid out on a terminal is in layout.py.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any, Final

VALUE_LIMIT = 90
"""Code points of a value that are shown before its middle is left out."""
ROW_LIMIT = 160
"""The same of a value that has a row of its own."""
_PARTS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[^ "]+|"| +')
"""A value in quotes, what stands between spaces and quotes, or spaces."""


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


def title_lines(title: str) -> str:
    """A name and its version below each other, escaped, as the heading of a table's column."""
    name, _, version = title.rpartition(" ")
    return f"{escape(name)}\n{escape(version)}"


def broken(text: str, width: int) -> list[str]:
    """A text as lines of `width` code points: between words, where the space is left out; a longer word stays whole.

    A space in double quotes is a part of a value: there the text is broken at any character, and nothing left out.
    """
    lines, line, space = [], "", ""
    for part in _PARTS.findall(text):
        if part.isspace():
            space = part
        elif len(line + space + part) <= width or not line:
            line, space = line + space + part, ""
        elif space:
            lines.append(line)
            line, space = part, ""
        else:
            line += part
        while part[:1] == '"' and len(line) > width:
            backslashes = width - len(line[:width].rstrip("\\"))
            end = width - backslashes % 2 or width  # an escape isn't broken
            lines.append(line[:end])
            line = line[end:]
    return [*lines, line]


def json_text(value: Any, indent: int | None = None) -> str:
    """A JSON value as a text that UTF-8 can carry: where there are surrogates that stand alone, all in ASCII."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return json.dumps(value, indent=indent) if any("\ud800" <= char <= "\udfff" for char in text) else text


def print_json(value: Any, indent: int | None = None) -> None:
    """A JSON value on standard output in UTF-8, at once."""
    sys.stdout.buffer.write(json_text(value, indent).encode("utf-8") + os.linesep.encode())
    sys.stdout.buffer.flush()


def _escaped(char: str) -> str:
    code = ord(char)
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char)
    if named is not None:
        return named
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
