"""Characters and sets of them in the syntax of one engine."""

from __future__ import annotations

from functools import cache
from typing import Final

from .codepoints import Ranges
from .engines import Engine

SPECIAL: Final = frozenset(r".^$*+?{}[]\|()")  # what stands for itself only behind a backslash
_CONTROLS: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_MOST_READ: Final = 16  # ranges of a set that someone may want to read


def literal(code: int, special: frozenset[str], escapes: tuple[str, str, str], only_ascii: bool = False) -> str:
    char = chr(code)
    if char in special:
        return "\\" + char
    if char in _CONTROLS:
        return _CONTROLS[char]
    if char.isprintable() and (code < 0x80 or not only_ascii):
        return char
    return escapes[0 if code < 0x80 else 1 if code < 0x10000 else 2].format(code) or char


def range_text(first: int, last: int, engine: Engine, only_ascii: bool = False) -> str:
    start, end = (literal(code, engine.special_in_set, engine.escapes, only_ascii) for code in (first, last))
    if last <= first + 1:
        return start if first == last else start + end
    if last == ord("-"):  # behind the sign of a range .NET (3.1) doesn't take a backslash and this for one
        end = engine.escapes[0].format(last)
    return f"{start}-{end}"


@cache
def set_text(ranges: Ranges, negated: bool, engine: Engine) -> str:
    only_ascii = len(ranges) > _MOST_READ  # marks and letters from right to left would garble what stands beside them
    items = "".join(range_text(first, last, engine, only_ascii) for first, last in ranges)
    return engine.negated_set.format(items=items) if negated else f"[{items}]"
