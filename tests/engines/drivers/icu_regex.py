"""ICU's regular expressions, by the package icukit-pyicu. ICU counts in units of UTF-16, and knows groups by number."""

from __future__ import annotations

import re
from typing import Any

import icu
from serving import Search, in_code_points, serve

FLAGS = {"i": 2, "x": 4, "m": 8, "s": 32, "w": 256}  # uregex.h
OPENING = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?<(?P<name>\w+)>|(?P<plain>\((?!\?))", re.DOTALL)
# In steps of about a millisecond.
TIME_LIMIT = 500


def numbers(pattern: str) -> dict[str, int]:
    openings = (part for part in OPENING.finditer(pattern) if part["name"] or part["plain"])
    return {part["name"]: number for number, part in enumerate(openings, 1) if part["name"]}


def compiler(pattern: str, flags: str, groups: list[str]) -> Search:
    compiled = icu.RegexPattern.compile(pattern, sum(FLAGS[letter] for letter in flags))
    number = numbers(pattern)

    def search(text: str) -> Any:
        subject = icu.UnicodeString(text)
        matcher = compiled.matcher(subject)
        matcher.setTimeLimit(TIME_LIMIT)
        if not matcher.find(0):  # find() would swallow an error
            return None
        taken = {name: (matcher.start(number[name]), matcher.end(number[name])) for name in groups}
        named = {name: in_code_points(text, span) if span[0] >= 0 else None for name, span in taken.items()}
        return in_code_points(text, (matcher.start(), matcher.end())), named

    return search


serve(f"ICU {icu.ICU_VERSION}", compiler)
