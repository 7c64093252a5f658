"""Numbers as JSON has them: of any size that is read back, or whole ones between two bounds, digit by digit."""

from __future__ import annotations

import json
from typing import Final

from antiphon_portability.autoparser.grammar.expressions import (
    NEVER,
    Chars,
    Expression,
    Repeat,
    Text,
    chars,
    choice,
    optional,
    sequence,
)

DIGITS: Final = 21
"""Of the longest whole number: JavaScript writes all below 1e21 in full. A model could go on writing longer ones."""
LARGEST: Final = 10**DIGITS - 1
_FRACTION: Final = 25
"""Digits behind the point: a double has up to 17, and before those up to six zeros are written in full."""
_EXACT: Final = 2**53
"""Up to here a whole number with a fraction of zero is read back as it is (CONTENT-2)."""


def _digits(first: int, last: int) -> Expression:
    return Text(str(first)) if first == last else Chars(((ord("0") + first, ord("0") + last),))


_DIGIT: Final = _digits(0, 9)
_MINUS: Final = optional("-")
_WHOLE: Final = choice("0", sequence(_digits(1, 9), Repeat(_DIGIT, 0, DIGITS - 1)))
_POINT: Final = sequence(".", Repeat(_DIGIT, 1, _FRACTION))
_E: Final = chars("eE")
_ANY_POWER: Final = sequence(
    _E, choice(sequence("-", Repeat(_DIGIT, 1, 3)), sequence(optional("+"), Repeat(_DIGIT, 1, 2)))
)
_LARGE_POWER: Final = sequence(
    _E, optional("+"), choice(sequence(_digits(0, 2), _DIGIT, _DIGIT), sequence("30", _digits(0, 7)))
)
"""What may stand behind a single digit: with a power of 308, not every number is a double any more."""


def number(largest: int = LARGEST) -> Expression:
    """Any number that is read back as one; a whole one up to `largest`."""
    decimal = choice(sequence(_POINT, optional(_ANY_POWER)), _ANY_POWER)
    return sequence(
        _MINUS,
        choice(_natural(0, largest), sequence(_WHOLE, decimal), sequence(_DIGIT, optional(_POINT), _LARGE_POWER)),
    )


def integer(largest: int = LARGEST) -> Expression:
    """Any whole number; what is written as `1.0` is one, too."""
    return sequence(_MINUS, _natural(0, largest), optional(".0"))


def integers(least: int | None, most: int | None, largest: int = LARGEST) -> Expression:
    """The whole numbers from `least` to `most`; None: without a bound but that of `largest`."""
    low, high = max(-largest, -largest if least is None else least), min(largest, largest if most is None else most)
    parts: list[Expression] = []
    if low < 0:
        parts.append(sequence("-", _natural(max(1, -high), -low)))
    if high >= 0:
        parts.append(_natural(max(0, low), high))
    found = choice(*parts)
    exact = all(bound is None or abs(bound) <= _EXACT for bound in (least, most))
    return sequence(found, optional(".0")) if exact and found != NEVER else found


def spellings(value: float) -> tuple[str, ...]:
    """How Python and JavaScript write a number."""
    found = [json.dumps(value)]
    if abs(value) <= _EXACT and value == int(value):
        found += [json.dumps(int(value)), json.dumps(float(value))]
    return tuple(dict.fromkeys([*found, *(text.replace("e-0", "e-") for text in found)]))


def _natural(low: int, high: int) -> Expression:
    """The whole numbers from `low` to `high`, neither below 0."""
    parts: list[Expression] = []
    longest = len(str(high))
    if high == LARGEST and len(str(low)) < DIGITS:  # all that are longer than the lowest, in one
        longest = len(str(low))
        parts.append(sequence(_digits(1, 9), Repeat(_DIGIT, longest, DIGITS - 1)))
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
        parts.append(sequence(_digits(low, high), Repeat(_DIGIT, rest, rest) if rest else ""))
    if high < int(last[0]):
        parts.append(sequence(last[0], _between("0" * rest, last[1:])))
    return choice(*parts)
