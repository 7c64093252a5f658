"""Whole numbers between two bounds, digit by digit."""

from __future__ import annotations

from typing import Final

from antiphon_portability.autoparser.grammar.expressions import Chars, Expression, Repeat, Text, choice, sequence

DIGITS: Final = 16
"""Of the longest whole number. Longer ones are no doubles, and a model could go on writing them."""
_MOST: Final = 10**DIGITS - 1


def integers(least: int | None, most: int | None) -> Expression:
    """The whole numbers from `least` to `most`, as JSON writes them; None: without a bound but that of DIGITS."""
    low, high = max(-_MOST, -_MOST if least is None else least), min(_MOST, _MOST if most is None else most)
    parts: list[Expression] = []
    if low < 0:
        parts.append(sequence("-", _natural(max(1, -high), -low)))
    if high >= 0:
        parts.append(_natural(max(0, low), high))
    return choice(*parts)


def _natural(low: int, high: int) -> Expression:
    """The whole numbers from `low` to `high`, neither below 0."""
    parts: list[Expression] = []
    longest = len(str(high))
    if high == _MOST and len(str(low)) < DIGITS:  # all that are longer than the lowest, in one
        longest = len(str(low))
        parts.append(sequence(_digits(1, 9), Repeat(_digits(0, 9), longest, DIGITS - 1)))
    for length in range(len(str(low)), longest + 1):
        first = max(low, 10 ** (length - 1) if length > 1 else 0)
        last = min(high, 10**length - 1)
        if first <= last:
            parts.append(_between(str(first), str(last)))
    return choice(*parts)


def _between(first: str, last: str) -> Expression:
    """The numbers between two of the same length, which may begin with zeros."""
    if not first:
        return Text("")
    if first[0] == last[0]:
        return sequence(first[0], _between(first[1:], last[1:]))
    rest = len(first) - 1
    low, high = int(first[0]), int(last[0])
    parts: list[Expression] = []
    if set(first[1:]) - {"0"}:
        parts.append(sequence(first[0], _between(first[1:], "9" * rest)))
        low += 1
    if set(last[1:]) - {"9"}:
        high -= 1
    if low <= high:
        parts.append(sequence(_digits(low, high), Repeat(_digits(0, 9), rest, rest) if rest else ""))
    if high < int(last[0]):
        parts.append(sequence(last[0], _between("0" * rest, last[1:])))
    return choice(*parts)


def _digits(first: int, last: int) -> Expression:
    return Text(str(first)) if first == last else Chars(((ord("0") + first, ord("0") + last),))
