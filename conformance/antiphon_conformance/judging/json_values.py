"""Equality of JSON values as LEVEL-4 has it: members in any order, numbers by value, booleans apart from numbers."""

from __future__ import annotations

from dataclasses import dataclass

from antiphon.pointer import pointer

from antiphon_conformance.cases.case import Json


@dataclass(frozen=True)
class Difference:
    """A place (JSON Pointer) at which two values differ, with what each has there; ABSENT where it has nothing."""

    pointer: str
    expected: Json
    got: Json


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


def first_difference(expected: Json, got: Json) -> Difference | None:
    """The first difference in the order of the expected value, or None if the two are equal. Takes any depth."""
    waiting: list[tuple[tuple[str | int, ...], Json, Json]] = [((), expected, got)]
    while waiting:
        path, left, right = waiting.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            keys = [*left, *(key for key in right if key not in left)]
            waiting.extend(((*path, key), left.get(key, ABSENT), right.get(key, ABSENT)) for key in reversed(keys))
        elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            waiting.extend(((*path, index), left[index], right[index]) for index in reversed(range(len(left))))
        elif not _same_scalar(left, right):
            return Difference(pointer(*path), left, right)
    return None


def equal(expected: Json, got: Json) -> bool:
    """Whether two JSON values are the same. Takes any depth."""
    if isinstance(expected, str):  # as most values are
        return bool(expected == got)
    waiting = [(expected, got)]
    while waiting:
        left, right = waiting.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            waiting.extend((value, right[key]) for key, value in left.items())
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            waiting.extend(zip(left, right, strict=True))
        elif not _same_scalar(left, right):
            return False
    return True


def _same_scalar(left: Json, right: Json) -> bool:
    if isinstance(left, str):
        return bool(left == right)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    return type(left) is type(right) and not isinstance(left, (dict, list)) and bool(left == right)
