"""Sets of code points as sorted, disjoint, non-adjacent ranges, and what Unicode says of single code points.

This is arithmetic on the tables of `unicode_tables.py`; it knows patterns only as far as their `CharSet` goes.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, TypeAlias

from .nodes import CharSet, Range, SetItem, Shorthand
from .unicode_tables import CASES, CLASSES, TRUE_OR_FALSE, VALUES

LAST = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)
Ranges: TypeAlias = tuple[tuple[int, int], ...]
ClassOf: TypeAlias = Callable[[str], Ranges | None]

_BOOLEAN = frozenset(TRUE_OR_FALSE.split())
_TRUTH_VALUES = frozenset(["YES", "Y", "NO", "N", "TRUE", "T", "FALSE", "F"])
_VALUES = {
    name: frozenset(values.split())
    for names, values in (entry.split(": ") for entry in VALUES)
    for name in names.split()
}
_LONG_NAMES = {"ALPHA": "ALPHABETIC", "LOWER": "LOWERCASE", "UPPER": "UPPERCASE", "WHITESPACE": "SPACE", "DIGIT": "ND"}
# When case is ignored, a property that tells the cases apart stands for all of them.
_CASED = dict.fromkeys(("LU", "LL", "LT"), ("LU", "LL", "LT")) | dict.fromkeys(
    ("LOWERCASE", "UPPERCASE"), ("LOWERCASE", "UPPERCASE", "LT")
)


def standard_name(name: str) -> str:
    """A property's name or value as the tables spell it; numbers become fractions in lowest terms."""
    if len(name) <= 20 and "e" not in name.lower():  # a number with a great exponent would take for ever
        with suppress(ValueError, ZeroDivisionError):
            return str(Fraction(name.strip()).limit_denominator(10_000))
    return "".join(char for char in name if char not in "_- ").upper()


def is_property(name: str) -> bool:
    """Whether `name` (`value`, or `property=value`) is one that `regex` takes in `\\p{…}`."""
    prefix, separator, value = map(standard_name, name.replace(":", "=").partition("="))
    if separator:
        known = _TRUTH_VALUES if prefix in _BOOLEAN else _VALUES.get(prefix, frozenset())
        return value in known or (prefix, value) == ("GENERALCATEGORY", "ASSIGNED")
    return (
        any(prefix in _VALUES[property_name] for property_name in ("GC", "SCRIPT", "BLOCK"))
        or prefix in _BOOLEAN
        or prefix in _VALUES
        or (prefix.startswith("IS") and (prefix[2:] in _BOOLEAN or prefix[2:] in _VALUES["SCRIPT"]))
        or (prefix.startswith("IS") and "YES" in _VALUES.get(prefix[2:], ()))
        or (prefix.startswith("IN") and prefix[2:] in _VALUES["BLOCK"])
    )


def union(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The code points of any of `ranges`, which may overlap and come in any order."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """The code points that are not in `ranges`."""
    gaps = []
    start = 0
    for first, last in ranges:
        if start < first:
            gaps.append((start, first - 1))
        start = last + 1
    return (*gaps, (start, LAST)) if start <= LAST else tuple(gaps)


def size(ranges: Ranges) -> int:
    """How many code points there are in `ranges`."""
    return sum(last - first + 1 for first, last in ranges)


@cache
def _case_table() -> dict[int, tuple[int, ...]]:
    entries = (entry.split(":") for entry in CASES.split())
    return {int(code, 16): tuple(int(other, 16) for other in others.split(",")) for code, others in entries}


def case_variants(code: int) -> tuple[int, ...]:
    """The other code points that `code` matches when case is ignored."""
    return _case_table().get(code, ())


def with_case_variants(ranges: Ranges) -> Ranges:
    """`ranges` and the case variants of all that is in them."""
    variants = (
        other
        for code, others in _case_table().items()
        if any(first <= code <= last for first, last in ranges)
        for other in others
    )
    return union([*ranges, *((other, other) for other in variants)])


@lru_cache(maxsize=1024)
def tabled_class(name: str) -> Ranges | None:
    """The code points that have property `name`; None where the tables don't say."""
    standard = standard_name(name)
    text = CLASSES.get(_LONG_NAMES.get(standard, standard))
    if text is None:
        return None
    pairs = (entry.partition("-") for entry in text.split())
    return tuple((int(first, 16), int(last or first, 16)) for first, _, last in pairs)


@lru_cache(maxsize=1024)
def class_ranges(name: str) -> Ranges | None:
    """The code points that have property `name`, by the tables or else by the installed `regex`; None without both."""
    tabled = tabled_class(name)
    return _ranges_by_regex(name) if tabled is None else tabled


def _ranges_by_regex(name: str) -> Ranges | None:
    try:
        regex: Any = importlib.import_module("regex")
    except ImportError:
        return None
    spans = (match.span() for match in regex.finditer(rf"\p{{{name}}}+", "".join(map(chr, range(LAST + 1)))))
    return tuple((first, stop - 1) for first, stop in spans)


@lru_cache(maxsize=1024)
def set_ranges(char_set: CharSet) -> Ranges | None:
    """The code points that `char_set` matches; None where neither the tables nor an installed `regex` say."""
    return _set_ranges(char_set, class_ranges)


@lru_cache(maxsize=1024)
def tabled_set(char_set: CharSet) -> Ranges | None:
    """The code points that `char_set` matches; None where the tables don't say. For what must not take long."""
    return _set_ranges(char_set, tabled_class)


def _set_ranges(char_set: CharSet, class_of: ClassOf) -> Ranges | None:
    lone = len(char_set.items) == 1
    parts = [_item_ranges(item, char_set.ignore_case, lone, class_of) for item in char_set.items]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    ranges = union(pair for part in known for pair in part)
    return complement(ranges) if char_set.negated else ranges


def _item_ranges(item: SetItem, ignore_case: bool, lone: bool, class_of: ClassOf) -> Ranges | None:
    """The code points of one item. Like `regex`, a class that stands alone takes no case variants, unless `_CASED`."""
    if isinstance(item, Range):
        ranges: Ranges = ((item.first, item.last),)
        return with_case_variants(ranges) if ignore_case else ranges
    name = standard_name(item.kind if isinstance(item, Shorthand) else item.name)
    name = _LONG_NAMES.get(name, name)
    parts = [class_of(name) for name in (_CASED.get(name, (name,)) if ignore_case and lone else (name,))]
    if None in parts:
        return None
    ranges = union(pair for part in parts if part for pair in part)
    if item.ascii:
        ranges = tuple((first, min(last, 0x7F)) for first, last in ranges if first <= 0x7F)
    if ignore_case and not lone:
        ranges = with_case_variants(ranges)
    return complement(ranges) if item.negated else ranges
