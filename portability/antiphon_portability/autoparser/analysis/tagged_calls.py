"""Calls whose names stand in the text: the markers around them, around the name, and around each argument."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from antiphon_portability.autoparser.analysis.comparisons import Comparison
from antiphon_portability.autoparser.analysis.conversations import (
    ARGUMENT,
    FUNCTION,
    SECOND_ARGUMENT,
    SECOND_FUNCTION,
    SECOND_VALUE,
    VALUE,
)
from antiphon_portability.autoparser.analysis.differences import diff_split
from antiphon_portability.autoparser.analysis.markers import MARKER, SPACE, SPACES, UP_TO_MARKER, last_marker, trimmed
from antiphon_portability.autoparser.analysis.results import Arguments, Function, ToolFormat, ToolMode, Tools


def _up_to_name(closer: str) -> str:
    """A pattern: all up to the function's name, or to the closer."""
    initial, rest = FUNCTION[0], FUNCTION[1:]
    return rf"[^\{closer}{initial}]*+(?:{initial}(?!{rest})[^\{closer}{initial}]*+)*+"


_NAME: Final = re.compile(
    rf"(?P<angle><{_up_to_name('>')}){FUNCTION}(?!{SPACE}<)[^>]*+>{SPACE}"
    rf"|(?P<square>\[{_up_to_name(']')}){FUNCTION}(?!{SPACE}\[[^\]]*+\]){SPACE}"
)
_TWO: Final = re.compile(rf"({MARKER}{SPACE})({MARKER}{SPACE})")
_TWO_AT_THE_END: Final = re.compile(rf"({MARKER}{SPACE})({MARKER}{SPACE})\Z")
_ONE_AT_THE_END: Final = re.compile(rf"({MARKER}{SPACE})\Z")
_UP_TO_MARKER: Final = re.compile(UP_TO_MARKER)
_UP_TO_AND_MARKER: Final = re.compile(rf"{UP_TO_MARKER}{MARKER}{SPACE}")
_UP_TO_BRACKET: Final = re.compile(rf"(?:{MARKER}|[^{{\[])*+")
_ARGUMENT: Final = re.compile(rf"{MARKER}{SPACE}(?:{ARGUMENT}|{SECOND_ARGUMENT})")
_MARKER: Final = re.compile(rf"{SPACE}{MARKER}{SPACE}")


def surroundings(written: str, mode: ToolMode, two_calls: Comparison | None) -> Tools:
    """The markers around all calls, and around each. `written`: what stands in place of the answer."""
    name = _NAME.search(written)
    named = name[0] if name else FUNCTION
    last = max(written.rfind(named), 0)
    found = Tools(ToolFormat(mode))
    if two := _TWO.search(written, 0, last):
        prefix = (name["angle"] or name["square"]) if name else ""
        found = replace(found, function=Function(name_prefix=prefix))
        ends = _TWO_AT_THE_END.search(written[two.end() :].partition(named)[2])
        section, each = (two[1], ends[2] if ends else ""), (two[2], ends[1] if ends else "")
    else:
        one = re.search(rf"({MARKER}{SPACE}){re.escape(named)}(.*)", written, re.DOTALL)
        ends = _ONE_AT_THE_END.search(one[2]) if one else None
        section, each = (one[1] if one else "", ends[1] if ends else ""), ("", "")
    form = ToolFormat(mode, section[0], trimmed(section[1]), each[0], trimmed(each[1]))
    return replace(found, format=_repeated(form, two_calls) if two_calls else form)


def _repeated(form: ToolFormat, two_calls: Comparison) -> ToolFormat:
    """A start that stands before the second call, too, is that of a call; an end that stands once, the section's."""
    second = diff_split(two_calls.diff.suffix, two_calls.diff.right).right.lstrip(SPACES)
    if form.section_start and second.startswith(form.section_start):
        form = replace(
            form, section_start="", section_end="", per_call_start=form.section_start, per_call_end=form.section_end
        )
    once, twice = (text.count(form.per_call_end) for text in (two_calls.first, two_calls.second))
    if form.per_call_end and once == twice > 0:
        form = replace(form, section_end=form.per_call_end, per_call_end="")
    return form


def function(found: Tools, other_name: Comparison | None) -> Tools:
    """What stands around the function's name."""
    if other_name is None or FUNCTION not in other_name.diff.left or SECOND_FUNCTION not in other_name.diff.right:
        return found
    form, diff, names = found.format, other_name.diff, found.function
    before = form.per_call_start or form.section_start
    if before and before in diff.prefix:
        names = replace(names, name_prefix=diff.prefix.rpartition(before)[2])
    prefix, _, behind_name = diff.left.partition(FUNCTION)
    suffix = _matched(_UP_TO_MARKER, behind_name)
    names = replace(names, name_prefix=names.name_prefix + prefix, name_suffix=suffix)
    behind = _behind_name_in_json if form.mode is ToolMode.TAG_WITH_JSON else _behind_name
    names = behind(names, diff.suffix)
    close = _close(form, diff.suffix)
    return replace(found, function=replace(names, close=close) if close else names)


def _behind_name_in_json(names: Function, suffix: str) -> Function:
    """All up to the object of arguments, if a marker comes behind that."""
    more = _matched(_UP_TO_BRACKET, suffix)
    if _UP_TO_AND_MARKER.match(suffix, len(more)):
        return replace(names, name_suffix=names.name_suffix + more)
    return names


def _behind_name(names: Function, suffix: str) -> Function:
    more = _matched(_UP_TO_MARKER, suffix)
    names = replace(names, name_suffix=names.name_suffix + more)
    if first := _ARGUMENT.search(suffix, len(more)):
        return replace(names, args_separator=trimmed(suffix[len(more) : first.start()]))
    return names


def _matched(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return match[0] if match else ""


def _close(form: ToolFormat, suffix: str) -> str:
    """What stands between the arguments and the call's or section's end."""
    end = form.per_call_end or form.section_end
    if not end:
        return ""
    behind = suffix.partition(end)[0].partition(SECOND_VALUE)[2]
    if form.mode is ToolMode.TAG_WITH_TAGGED:
        marker = _MARKER.match(behind)
        return behind[marker.end() :].lstrip(SPACES) if marker else ""
    place = max(behind.rfind("}"), behind.rfind("]"))
    return behind[place + 1 :].lstrip(SPACES) if place >= 0 else ""


def arguments(found: Tools, other_name: Comparison | None, other_value: Comparison | None) -> Tools:
    """What stands around an argument's name and its value."""
    parts = _names(Arguments(), other_name) if other_name else Arguments()
    if other_value:
        parts = _values(parts, found, other_value)
    return replace(found, arguments=parts)


def _names(parts: Arguments, other_name: Comparison) -> Arguments:
    diff = other_name.diff
    first, second = _around(ARGUMENT, "X", diff.left), _around(SECOND_ARGUMENT, "Y", diff.right)
    if first and first == second and first[0]:
        return replace(parts, name_prefix=first[0], name_suffix=first[1])
    if diff.left.startswith(ARGUMENT) and diff.right.startswith(SECOND_ARGUMENT):
        suffix = _matched(_UP_TO_AND_MARKER, diff.left[len(ARGUMENT) :] + diff.suffix)
        return replace(parts, name_prefix=_from_last_marker(diff.prefix), name_suffix=suffix)
    return parts


def _around(name: str, value: str, text: str) -> tuple[str, str] | None:
    """What stands before an argument's name, and between it and its value or a quotation mark."""
    before, found, behind = text.partition(name)
    return (before, re.split(f'["{value}]', behind, maxsplit=1)[0]) if found else None


def _from_last_marker(text: str) -> str:
    marker = last_marker(text)
    return text[marker.start() :] if marker else text


def _values(parts: Arguments, found: Tools, other_value: Comparison) -> Arguments:
    diff, form = other_value.diff, found.format
    if (diff.left, diff.right) != (VALUE, SECOND_VALUE):
        return parts
    before = diff.prefix.rpartition(ARGUMENT + parts.name_suffix)[2]
    if before:
        parts = replace(parts, value_prefix=_from_last_marker(before))
    end = found.function.close or form.per_call_end or form.section_end
    behind = diff.suffix.partition(end)[0] if end else diff.suffix
    return replace(parts, value_suffix=behind) if trimmed(behind) else parts
