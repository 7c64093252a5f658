"""How tool calls are laid out."""

from __future__ import annotations

import re

from antiphon_portability.autoparser.analysis.call_ids import call_id
from antiphon_portability.autoparser.analysis.comparisons import Compare
from antiphon_portability.autoparser.analysis.conversations import ARGUMENT, FUNCTION, Step
from antiphon_portability.autoparser.analysis.json_calls import json_format
from antiphon_portability.autoparser.analysis.markers import SPACE
from antiphon_portability.autoparser.analysis.results import Reasoning, ToolMode, Tools
from antiphon_portability.autoparser.analysis.tagged_calls import arguments, function, surroundings


def tools(compare: Compare, reasoning: Reasoning, *, in_parallel: bool) -> Tools:
    """`in_parallel`: whether the chat template writes several calls in one turn. Raises NotAnalysed."""
    called = compare(Step.CALL)
    if called is None or not called.diff.right:
        return Tools()
    written = called.diff.right
    for marker in (reasoning.start, reasoning.end):
        written = written.replace(marker, "", 1)
    two_calls = compare(Step.TWO_CALLS) if in_parallel else None
    mode = tool_mode(called.diff.right)
    if mode is ToolMode.JSON_NATIVE:
        return Tools(json_format(written, two_calls))
    return _tagged(compare, surroundings(written, mode, two_calls))


def _tagged(compare: Compare, found: Tools) -> Tools:
    found = function(found, compare(Step.FUNCTION_NAME))
    if found.format.mode is ToolMode.TAG_WITH_TAGGED:
        found = arguments(found, compare(Step.ARGUMENT_NAME), compare(Step.ARGUMENT_VALUE))
    return call_id(found, compare(Step.CALL_ID))


def tool_mode(written: str) -> ToolMode:
    """Of a call, written out; what is no JSON is taken for tags."""
    if _is_in_json(FUNCTION, written):
        return ToolMode.JSON_NATIVE
    return ToolMode.TAG_WITH_JSON if _is_in_json(ARGUMENT, written) else ToolMode.TAG_WITH_TAGGED


def _is_in_json(name: str, written: str) -> bool:
    return re.search(rf'[{{:]{SPACE}"{name}"', written) is not None
