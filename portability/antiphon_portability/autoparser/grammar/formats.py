"""The formats of JSON Schema that a grammar can hold a string to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from antiphon_portability.autoparser.grammar.expressions import (
    Expression,
    Repeat,
    Text,
    chars,
    choice,
    optional,
    sequence,
)

_DIGIT: Final = chars("0123456789")


def _digits(count: int) -> Expression:
    return Repeat(_DIGIT, count, count)


def _two(first: int, last: int) -> Expression:
    return choice(*(f"{number:02d}" for number in range(first, last + 1)))


_HEX: Final = chars("0123456789abcdefABCDEF")
_FOURTH: Final = choice(sequence(chars("02468"), chars("048")), sequence(chars("13579"), chars("26")))
_FOURTH_BUT_00: Final = choice("04", "08", sequence(chars("2468"), chars("048")), sequence(chars("13579"), chars("26")))
_LEAP_YEAR: Final = choice(sequence(_digits(2), _FOURTH_BUT_00), sequence(_FOURTH, "00"))
_DATE: Final = choice(
    sequence(_digits(4), "-", choice(
        sequence(choice(*(f"{month:02d}" for month in (1, 3, 5, 7, 8, 10, 12))), "-", _two(1, 31)),
        sequence(choice("04", "06", "09", "11"), "-", _two(1, 30)),
        sequence("02-", _two(1, 28)),
    )),
    sequence(_LEAP_YEAR, "-02-29"),
)  # fmt: skip
_TIME: Final = sequence(
    _two(0, 23), ":", _two(0, 59), ":", _two(0, 59), optional(".", Repeat(_DIGIT, 1, 6)),
    choice("Z", sequence(chars("+-"), _two(0, 23), ":", _two(0, 59))),
)  # fmt: skip
FORMATS: Final[Mapping[str, Expression]] = {
    "date": _DATE,
    "time": _TIME,
    "date-time": sequence(_DATE, "T", _TIME),
    "uuid": sequence(
        *(part for count in (8, 4, 4, 4) for part in (Repeat(_HEX, count, count), Text("-"))), Repeat(_HEX, 12, 12)
    ),
}
