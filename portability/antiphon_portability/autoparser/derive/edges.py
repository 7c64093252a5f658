"""Where calls begin and end: their delimiters, and what other fields need to know of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .calls import Calls, Shape
from .delimiters import GROUPS, SPACE, Delimiter, ahead, alternatives, closing, escaped, opening, pattern
from .families import Family
from .gaps import ID, NAME, has_word, is_marker, is_markup, tokens

_BRACKETS: Final[Mapping[Shape, str]] = {Shape.OBJECT: r"\{", Shape.NAMED_JSON: r"\{", Shape.LIST: r"\["}
"""What JSON begins with: where a word is a mark, only that makes it one."""
_BARE_PYTHON: Final = r"\[\s*[A-Za-z_][\w.-]*\(\s*(?:\)|[A-Za-z_][\w.-]*\s*=)"


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of one chat template's calls.

    `turns_ends`: what may end a turn. `in_reasoning`: whether calls may begin in reasoning, which has no marker then.
    """

    calls: Calls
    row: Family
    turns_ends: tuple[str, ...]
    in_reasoning: bool = False

    # -- what calls begin with

    def marks(self) -> Sequence[str]:
        """Patterns for what calls begin with; of a start that is no markup, all up to its JSON."""
        calls = self.calls
        if self.row.call_mark:
            return (self.row.call_mark,)
        begins = [escaped(calls.section)] if is_markup(calls.section) else []
        first = calls.start.partition(NAME)[0].rstrip()
        if first:
            start = pattern(first, groups=()) if is_markup(first) else self._start(calls.start, groups=())
            begins += [start] if begins or not calls.section else [escaped(calls.section) + SPACE + start, start]
        return begins or [self.unmarked()]

    def _start(self, start: str, groups: Collection[str] = GROUPS) -> str:
        """A pattern for a start, and for the bracket behind it where a word could be one."""
        made = pattern(start, groups=groups, behind=self._behind_start())
        behind_it = SPACE + self._json_behind(start)
        if behind_it == SPACE:
            return made
        return made + (ahead(behind_it) if groups else behind_it)

    def _behind_start(self) -> str:
        """The characters that may come behind a start; without arguments, that is the end."""
        calls = self.calls
        if not calls.tag:
            return "{"
        ends = (calls.end,) if calls.end else (*calls.section_end, *self.turns_ends)
        return "".join(text.lstrip()[:1] for text in (calls.tag, *ends))

    def _json_behind(self, start: str) -> str:
        """What has to stand behind a start to make it one: a bracket, or behind mere signs a call's first members."""
        if is_markup(start) or self.calls.shape not in _BRACKETS:
            return ""
        is_told = has_word(start) or self.calls.shape is Shape.NAMED_JSON or self.calls.name_is_key
        return _BRACKETS[self.calls.shape] if is_told else self.unmarked()

    def unmarked(self) -> str:
        """The beginning of a call that nothing stands before."""
        if self.calls.shape is Shape.PYTHON:
            return _BARE_PYTHON
        before = r"\[\s*" if self.calls.shape is Shape.LIST else ""
        return before + _beginning(self.calls.shown, self.calls)

    def open(self) -> Delimiter:
        """The open of a call, and before it what surrounds calls: only a call behind it makes that a marker."""
        calls = self.calls
        if not calls.start:
            return {"open_pattern": ahead(self.unmarked())}
        optional = [pattern(calls.section) + SPACE] if calls.section else []
        outer, inner = outer_and_inner(calls)
        if outer:
            optional.append(pattern(outer, groups=()))
        made = _with_id(inner) if self.row.id_is_header else self._start(inner)
        if not optional and made == escaped(inner):
            return {"open": inner}
        return {"open_pattern": "".join(f"(?:{part})?" for part in optional) + made}

    def lists_open(self) -> Delimiter:
        """The open of a list of calls; what may stand in any text, too, begins one before a bracket only."""
        start = self.calls.start.strip()
        if not start:
            return {"open_pattern": ahead(self.unmarked())}
        if self.in_reasoning or not is_marker(tokens(start)[-1]):
            brackets = ahead(self._json_behind(start) or r"\[") if self.calls.shape is Shape.LIST else ""
            return {"open_pattern": pattern(self.calls.start) + brackets}
        return opening(start)

    # -- what they end with

    def close(self) -> Delimiter:
        """A call's close; where a call has no end of its own, the turn's end, or the next call."""
        if not self.calls.end:
            return closing((*self.calls.section_end, *self.turns_ends), self._next())
        places = map(ahead, self.marks()) if self.row.end_may_be_missing else self._ends_before_calls()
        return closing((), places, [self._end()])

    def lists_close(self) -> Delimiter:
        """The close of a list of calls; where it has no end of its own, the turn's end."""
        return closing((), (), [self._end()]) if self.calls.end else closing(self.turns_ends)

    def _next(self) -> Iterator[str]:
        """Patterns for the next call, and what parts it from the one before."""
        calls = self.calls
        for mark in self.marks():
            if calls.separator:
                yield escaped(calls.separator) + SPACE + ahead(mark)
            elif is_markup(calls.start) or (calls.start and not calls.ends_line):
                yield ahead(mark)
            elif calls.ends_line:  # a line's end stands in no JSON string
                yield r"\n\s*" + ahead(mark)

    def _end(self) -> str:
        """A pattern for a call's end, and what may part calls."""
        calls = self.calls
        made = self._own_end()
        parts = (part for part in (calls.separator, *calls.section_end) if part and not is_markup(part))
        return made + "".join(f"(?:{SPACE}{pattern(part, groups=())})?" for part in parts)

    def _own_end(self) -> str:
        """Marks that aren't markup stand in JSON strings, too, but not behind a line's end; nor signs before one."""
        calls = self.calls
        end = _inner_end(calls)
        made = pattern(end, groups=() if ID in calls.start else ("id",))
        if not is_markup(end) and calls.ends_line and calls.shape in _BRACKETS:
            return r"\n\s*" + made
        if not self._ends_in_signs():
            return made
        behind = [part for part in (calls.separator, *calls.section_end, *self.turns_ends) if part]
        return made + SPACE + alternatives([r"\n", *map(escaped, behind), r"\Z"])

    def _ends_in_signs(self) -> bool:
        """Whether only what comes behind a call's end tells it from signs in its arguments."""
        return not has_word(_inner_end(self.calls)) and not (self.calls.ends_line and self.calls.shape in _BRACKETS)

    def _ends_before_calls(self) -> Iterator[str]:
        """Patterns for an end of signs, where the next call comes behind it."""
        if self._ends_in_signs():
            yield from (pattern(_inner_end(self.calls), groups=()) + SPACE + ahead(mark) for mark in self.marks())

    def sections_ends(self) -> Iterator[str]:
        """Patterns for what stands behind all calls, or around none."""
        calls = self.calls
        if calls.lines and calls.section:
            return
        for end in calls.section_end:
            section = f"(?:{escaped(calls.section)}{SPACE})?" if calls.section and end == calls.section_end[0] else ""
            if is_markup(end) or not calls.end:
                yield section + pattern(end, groups=())

    def lines(self) -> Delimiter:
        """Delimiters for calls in a section that only their first characters part: a region for each."""
        calls = self.calls
        first = rf'\{{\s*"{escaped(calls.name[0])}"\s*:'
        ends = alternatives(map(escaped, calls.section_end or self.turns_ends))
        return {
            "open_pattern": rf"{escaped(calls.section)}\s*(?=\{{)|(?<=\}}\n)(?={first})",
            "close_pattern": rf"{ends}\s*|\n(?=\{{)",
        }


def outer_and_inner(calls: Calls) -> tuple[str, str]:
    """A call's beginning, in two: a line that models forget, or write once for several calls, and what has the name."""
    before = calls.start.rpartition(NAME)[0]
    outer, newline, inner = before.rpartition("\n")
    if not newline or not inner.startswith("<") or ID in outer:
        return "", calls.start
    return outer + newline, calls.start[len(outer + newline) :]


def _inner_end(calls: Calls) -> str:
    """What ends each call: the inner marker, where the outer one may be missing, or hold several calls."""
    if calls.shape is not Shape.TAGGED:
        return calls.end
    ends = calls.end.split()
    return ends[0] if outer_and_inner(calls)[0] else ends[-1]


def _with_id(start: str) -> str:
    """A call's open, with all that stands between its markers for the id."""
    pieces = tokens(start)
    first = next((index for index, piece in enumerate(pieces) if not is_marker(piece)), 0)
    last = next((index for index in range(first, len(pieces)) if is_marker(pieces[index])), len(pieces))
    before, header, behind = ("".join(part) for part in (pieces[:first], pieces[first:last], pieces[last:]))
    return f"{escaped(before)}(?P<id>{pattern(header, behind=behind)}){escaped(behind)}"


def _beginning(shown: Mapping[str, Any], calls: Calls) -> str:
    """A JSON call as it is written, up to its arguments. A type, which some models add, may stand before all."""
    kind = "" if "type" in shown else r'(?:"type"\s*:\s*"function"\s*,\s*)?'
    return rf"\{{\s*{kind}" + r"\s*,\s*".join(_members(shown, calls.arguments))


def _members(shown: Mapping[str, Any], arguments: Sequence[str]) -> Iterator[str]:
    """Patterns for members, up to the one at the end of a path."""
    for key, value in shown.items():
        name = rf"{escaped(json.dumps(key))}\s*:"
        is_on_path = key == arguments[0]
        if is_on_path and len(arguments) == 1:
            yield name
            return
        if is_on_path:
            yield rf"{name}\s*\{{\s*" + r"\s*,\s*".join(_members(value, arguments[1:]))
            return
        yield rf'{name}\s*"[^"]*"' if isinstance(value, str) else rf"{name}\s*[^,]+"
