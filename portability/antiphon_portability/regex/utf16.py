"""Sets of code points for an engine that sees the units of UTF-16."""

from __future__ import annotations

from functools import cache

from .codepoints import LAST, SURROGATES, Ranges, complement, union
from .engines import Engine
from .set_text import set_text


@cache
def utf16_set(ranges: Ranges, engine: Engine) -> str:
    """Options of one unit and of two that together are `ranges`; a surrogate is a character where it stands alone."""
    low, high = SURROGATES
    single = _within(ranges, 0, low - 1) + _within(ranges, high + 1, 0xFFFF)
    options = []
    if single:
        others = complement(union((*single, (0x10000, LAST))))
        shorter = len(others) < len(single)
        options.append(set_text(others if shorter else single, shorter, engine))
    options += [_unit_set(leads) + _unit_set(trails) for leads, trails in _surrogate_pairs(ranges)]
    leads, trails = _within(ranges, low, 0xDBFF), _within(ranges, 0xDC00, high)
    options += [rf"{_unit_set(leads)}(?![\udc00-\udfff])"] if leads else []
    options += [rf"(?<![\ud800-\udbff]){_unit_set(trails)}"] if trails else []
    return options[0] if len(options) == 1 and single else f"(?:{'|'.join(options)})"


def _within(ranges: Ranges, start: int, end: int) -> Ranges:
    """The part of `ranges` from `start` to `end`."""
    return tuple((max(first, start), min(last, end)) for first, last in ranges if first <= end and last >= start)


def _surrogate_pairs(ranges: Ranges) -> list[tuple[Ranges, Ranges]]:
    """The pairs (leading units, trailing units) for what is beyond U+FFFF in `ranges`."""
    by_lead: dict[int, list[tuple[int, int]]] = {}
    for first, last in ranges:
        start, end = max(first, 0x10000) - 0x10000, last - 0x10000
        for lead in range(start >> 10, (end >> 10) + 1):
            trails = max(start, lead << 10) & 0x3FF, min(end, (lead << 10) + 0x3FF) & 0x3FF
            by_lead.setdefault(lead, []).append((0xDC00 + trails[0], 0xDC00 + trails[1]))
    by_trails: dict[Ranges, list[tuple[int, int]]] = {}
    for lead, found in by_lead.items():
        by_trails.setdefault(union(found), []).append((0xD800 + lead, 0xD800 + lead))
    return [(union(leads), trails) for trails, leads in by_trails.items()]


def _unit_set(units: Ranges) -> str:
    texts = [f"\\u{first:04x}" + (f"-\\u{last:04x}" if last > first else "") for first, last in units]
    return texts[0] if len(texts) == 1 and units[0][0] == units[0][1] else f"[{''.join(texts)}]"
