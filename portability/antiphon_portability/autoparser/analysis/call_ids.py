"""Where a call's id stands, if it isn't a member of a JSON object."""

from __future__ import annotations

import re
from dataclasses import replace

from antiphon_portability.autoparser.analysis.comparisons import Comparison
from antiphon_portability.autoparser.analysis.conversations import COMMON_ID, FUNCTION
from antiphon_portability.autoparser.analysis.differences import DiffSplit
from antiphon_portability.autoparser.analysis.markers import MARKER, last_marker
from antiphon_portability.autoparser.analysis.results import CallId, CallIdPosition, Tools

_FIRST = re.compile(MARKER)
_BEFORE_ID = re.compile(rf"({MARKER})(?:(?!{MARKER}|{COMMON_ID}).)*+{COMMON_ID}", re.DOTALL)


def call_id(found: Tools, other_id: Comparison | None) -> Tools:
    if other_id is None or not (other_id.diff.left or other_id.diff.right):
        return found
    placed = _placed(other_id.diff)
    if placed.pos is CallIdPosition.NONE:
        return found
    if placed.prefix == found.arguments.end:
        placed = replace(placed, prefix="")
    if placed.suffix == found.arguments.start:
        placed = replace(placed, suffix="")
    found = replace(found, call_id=placed)
    if placed.suffix and found.format.per_call_end.startswith(placed.suffix):
        found = replace(found, format=replace(found.format, per_call_end=""))
    return found


def _placed(diff: DiffSplit) -> CallId:
    before, behind = FUNCTION in diff.prefix, FUNCTION in diff.suffix
    if before and not behind:
        after = diff.prefix.rpartition(FUNCTION)[2]
        if "{" in after:
            prefix = _last(after.rpartition("}")[2])
            return CallId(CallIdPosition.POST_ARGS, prefix, _first(diff.suffix))
        if "{" in diff.suffix:
            marker = _BEFORE_ID.search(after)
            prefix = marker[1] if marker else _last(after)
            return CallId(CallIdPosition.BETWEEN_FUNC_AND_ARGS, prefix, _first(diff.suffix.partition("{")[0]))
    elif behind and not before:
        return CallId(CallIdPosition.PRE_FUNC_NAME, _last(diff.prefix), _first(diff.suffix.partition(FUNCTION)[0]))
    return CallId()


def _first(text: str) -> str:
    marker = _FIRST.search(text)
    return marker[0] if marker else ""


def _last(text: str) -> str:
    marker = last_marker(text)
    return marker[0] if marker else ""
