"""The strings in a region's text, for closes that count only outside of them (proposal close-outside-strings).

A string is found by its two ends, whether or not the text around it has a value. It is one only if both are there, so
until its end has come, or can't come any more, nothing is known of what stands behind its beginning (OUTSIDE-2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from antiphon.delimiter import Delimiter, Match, SearchResult

LINE_ENDS: Final = ("\n", "\r")


@dataclass(frozen=True, slots=True)
class Look:
    """Up to where a string's end was looked for; `ends`: whether it ends there, or can't end; None: not known yet."""

    position: int
    ends: bool | None


class Ending(Protocol):
    """How the strings that begin alike end."""

    def look(self, text: str, pos: int) -> Look:
        """Goes on from `pos`, which lies behind the string's beginning, or is where an earlier look got to."""


@dataclass(frozen=True, slots=True)
class Quoted:
    r"""At the same quote again. `\` and what follows it belong together; no string goes on over a line's end."""

    quote: str
    body: re.Pattern[str]

    def look(self, text: str, pos: int) -> Look:
        body = self.body.match(text, pos)
        assert body is not None  # it may be empty
        end = body.end()
        if text.startswith(self.quote, end):
            return Look(end + 1, True)
        stop = end + text.startswith("\\", end)
        return Look(stop, False) if text[stop : stop + 1] in LINE_ENDS else Look(end, None)


@dataclass(frozen=True, slots=True)
class Delimited:
    """At the first occurrence of its close (KIND-JSON-5)."""

    close: str

    def look(self, text: str, pos: int) -> Look:
        found = text.find(self.close, pos)
        if found >= 0:
            return Look(found + len(self.close), True)
        return Look(max(pos, len(text) - len(self.close) + 1), None)


class StringSyntax:
    """How strings begin and end in the texts of a content kind.

    Attributes:
        openings: any of their beginnings, the longest that stands at a place.
        endings: by each beginning, how such a string ends.
        context: how many code points of what was given out must be kept to go on looking.
    """

    def __init__(self, quotes: str, delims: Iterable[tuple[str, str]] = ()) -> None:
        endings: dict[str, Ending] = {}
        for open_, close in delims:
            if not open_.startswith(("\t", "\n", "\r", " ")):  # such never begin a string (KIND-JSON-5)
                endings.setdefault(open_, Delimited(close))
        for quote in quotes:
            plain = rf"[^{quote}\\\n\r]*+"
            endings.setdefault(quote, Quoted(quote, re.compile(rf"{plain}(?:\\[^\n\r]{plain})*+")))
        ends = [ending.close for ending in endings.values() if isinstance(ending, Delimited)]
        self.endings: Mapping[str, Ending] = endings
        self.openings = Delimiter.of_literals(endings)
        self.context = max(map(len, [*endings, *ends]))


class Strings:
    """The strings of a field's regions, one region after the other. Positions are the stream's.

    Each code point is looked at once: what was found out about openings and missing ends stays true in later regions.
    """

    def __init__(self, syntax: StringSyntax) -> None:
        self._syntax = syntax
        self._reached = 0  # what strings begin before it is known
        self._end = 0  # of the last of them
        self._ending: Ending | None = None  # of the string under way, which no region leaves open,
        self._body = 0  # whose text begins here,
        self._looked = 0  # and whose end was looked for up to here
        self._opening: SearchResult = None  # the first from _reached on
        self._seen: tuple[int, bool] | None = None  # up to where the stream was known when `_opening` was
        self._missing: dict[Ending, tuple[int, int]] = {}  # from where to where an end was looked for in vain

    def begin(self, position: int) -> None:
        """A region's text begins here."""
        self._reached = self._end = position

    def outside(self, position: int, text: str, offset: int, *, complete: bool) -> int | None:
        """The first position from `position` on that isn't inside a string; None if that isn't known yet.

        `text` is the stream from `offset` on, as far as it is known. Positions never go back within a region.
        """
        while self._reached < position:
            if self._ending is None:
                opening = self._next_opening(text, offset, complete)
                if opening is None or opening.start >= position:
                    self._reached = position
                elif isinstance(opening, Match):
                    self._start_string(opening, text, offset)
                else:
                    return None
            elif not self._find_end(text, offset, complete):
                return None
        return max(position, self._end)

    def _next_opening(self, text: str, offset: int, complete: bool) -> SearchResult:
        found, now = self._opening, (offset + len(text), complete)
        passed = found is not None and found.start < self._reached
        if passed or (not isinstance(found, Match) and self._seen != now):
            begin = max(self._reached, 0 if found is None else found.start)
            found = self._syntax.openings.search(text, begin - offset, complete=complete)
            self._opening = None if found is None else found.moved(offset)
            self._seen = now
        return self._opening

    def _start_string(self, opening: Match, text: str, offset: int) -> None:
        ending = self._syntax.endings[text[opening.start - offset : opening.end - offset]]
        begin, end = self._missing.get(ending, (0, -1))
        if begin <= opening.end <= end:
            self._reached = end
        else:
            self._ending, self._body, self._looked = ending, opening.end, opening.end

    def _find_end(self, text: str, offset: int, complete: bool) -> bool:
        """Whether it's known now where the string under way ends, or that it doesn't and so isn't a string."""
        assert self._ending is not None
        look = self._ending.look(text, self._looked - offset)
        self._looked = offset + look.position
        if look.ends:
            self._reached = self._end = self._looked
        elif complete or look.ends is False:
            self._reached = self._looked if look.ends is False else offset + len(text)
            self._missing[self._ending] = (self._body, self._reached)
        else:
            return False
        self._ending = None
        return True
