"""Where two texts differ, without cutting a marker in two."""

from __future__ import annotations

from dataclasses import dataclass

from antiphon_portability.autoparser.analysis.markers import Segment, segments


@dataclass(frozen=True, slots=True)
class DiffSplit:
    """One text is prefix + left + suffix, the other prefix + right + suffix."""

    prefix: str = ""
    left: str = ""
    right: str = ""
    suffix: str = ""


def diff_split(first: str, second: str) -> DiffSplit:
    """Whole segments are compared from both ends; only where text meets text, single characters are.

    Suffixes are taken before prefixes: of "left" and "right" the last "t" is common.
    """
    left, right = _Rest(segments(first)), _Rest(segments(second))
    if not left.segments or not right.segments:
        return DiffSplit(left=first, right=second)
    parts = _Parts()
    _take_equal(left, right, parts)
    _take_leftovers(left, right, parts)
    return _settled(_refined(left, right, parts), first, second)


class _Parts:
    def __init__(self) -> None:
        self.prefix: list[str] = []
        self.suffix: list[str] = []  # the last one first


class _Rest:
    """The segments of one text that aren't common yet: from `start` up to and with `end`, if that isn't `used`."""

    def __init__(self, found: list[Segment]) -> None:
        self.segments = found
        self.start, self.end = 0, len(found) - 1
        self.used = False

    @property
    def first(self) -> Segment:
        return self.segments[self.start]

    @property
    def last(self) -> Segment:
        return self.segments[self.end]

    @property
    def is_one(self) -> bool:
        return self.start == self.end

    def retreat(self) -> None:
        if self.is_one:
            self.used = True
        else:
            self.end -= 1

    def text(self) -> str:
        return "".join(segment.text for segment in self.segments[self.start : self.end + (not self.used)])


def _take_equal(left: _Rest, right: _Rest, parts: _Parts) -> None:
    moved = True
    while moved and not left.is_one and not right.is_one:
        moved = False
        if left.first == right.first:
            parts.prefix.append(left.first.text)
            left.start += 1
            right.start += 1
            moved = True
        if left.last == right.last:
            parts.suffix.append(left.last.text)
            left.retreat()
            right.retreat()
            moved = True


def _take_leftovers(left: _Rest, right: _Rest, parts: _Parts) -> None:
    """Where one text is down to its last segment, that may be the other's last, or its first.

    As in llama.cpp, a last segment that is a part of the suffix already may so become a part of the prefix, too.
    """
    if left.is_one and right.is_one:
        if left.first == right.first and left.first.is_marker and not left.used and not right.used:
            parts.prefix.append(left.first.text)
            left.used = right.used = True
    elif left.is_one or right.is_one:
        one, more = (left, right) if left.is_one else (right, left)
        if one.first == more.last:
            parts.suffix.append(one.first.text)
            more.retreat()
            one.used = True
        elif one.first == more.first:
            parts.prefix.append(one.first.text)
            more.start += 1
            one.used = True


def _refined(left: _Rest, right: _Rest, parts: _Parts) -> DiffSplit:
    first, second = left.text(), right.text()
    prefix, suffix = "".join(parts.prefix), "".join(reversed(parts.suffix))
    if not left.last.is_marker and not right.last.is_marker:
        size = common_length(first[::-1], second[::-1])
        suffix = first[len(first) - size :] + suffix
        first, second = first[: len(first) - size], second[: len(second) - size]
    if not left.first.is_marker and not right.first.is_marker:
        size = common_length(first, second)
        prefix += first[:size]
        first, second = first[size:], second[size:]
    return DiffSplit(prefix, first, second, suffix)


def common_length(first: str, second: str) -> int:
    """Of the prefix that both have, in code points."""
    for size, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return size
    return min(len(first), len(second))


def _settled(found: DiffSplit, first: str, second: str) -> DiffSplit:
    """What is only an addition stands behind all that is common: else a last newline could be taken from its place."""
    if not found.left and not found.right:
        return DiffSplit(prefix=first)
    if not found.left and second.startswith(first):
        return DiffSplit(prefix=first, right=second[len(first) :])
    return found
