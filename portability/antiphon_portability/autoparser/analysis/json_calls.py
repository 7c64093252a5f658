"""Calls that are JSON objects: the markers around them, and their keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from antiphon_portability.autoparser.analysis.comparisons import Comparison
from antiphon_portability.autoparser.analysis.conversations import ARGUMENT, FUNCTION, SOME_ID
from antiphon_portability.autoparser.analysis.markers import SPACE, SPACES, trimmed
from antiphon_portability.autoparser.analysis.results import ToolFormat, ToolMode
from antiphon_portability.autoparser.errors import NotAnalysed

_NEEDED: Final = ("name_field", "args_field")
_KEYS: Final = (*_NEEDED, "id_field", "gen_id_field")


def json_format(written: str, two_calls: Comparison | None) -> ToolFormat:
    """`written`: what stands in place of the answer. Raises NotAnalysed for what isn't one JSON object."""
    begin, end = written.find("{"), written.rfind("}") + 1
    try:
        found = _with_keys(json.loads(written[begin:end] if begin >= 0 else ""), written)
    except (ValueError, RecursionError):
        raise NotAnalysed("what it writes for a tool call begins as a JSON object, and isn't one") from None
    if wrapped := re.search(rf"\[{SPACE}{re.escape(written[begin:end])}{SPACE}\]", written):
        begin, end = wrapped.span()
        found = replace(found, tools_array_wrapped=True)
    before, behind = written[:begin].lstrip(SPACES), trimmed(written[end:])
    if behind == "]" and found.tools_array_wrapped:
        behind = ""
    if two_calls and before and before in two_calls.diff.right:
        return replace(found, per_call_start=before, per_call_end=behind)
    return replace(found, section_start=before, section_end=behind)


def _with_keys(value: dict[str, Any], written: str) -> ToolFormat:
    found: dict[str, Any] = {}
    for one in _found_keys(value):
        found |= one
    form = ToolFormat(ToolMode.JSON_NATIVE, **found, unseen=tuple(key for key in _NEEDED if key not in found))
    places = {key: written.find(key) for name in _KEYS if (key := getattr(form, name))}
    order = sorted(places, key=lambda key: places[key] if places[key] >= 0 else len(written))
    return replace(form, parameter_order=tuple(order))


def _found_keys(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key, item in value.items():
        if key == FUNCTION:
            yield {"fun_name_is_key": True, "name_field": "", "args_field": ""}
            continue
        if isinstance(item, dict) and not _holds_argument(item):
            yield {"function_field": key}
            for inner, inner_item in item.items():
                yield _role(f"{key}.{inner}", inner, inner_item)
        yield _role(key, key, item)


def _role(path: str, key: str, item: Any) -> dict[str, Any]:
    """What a key is for, told from its value."""
    if isinstance(item, str) and SOME_ID in item:
        return {"id_field": path}
    if item == FUNCTION:
        return {"name_field": path}
    if _holds_argument(item):
        return {"args_field": path}
    return {"gen_id_field": path} if "id" in key else {}


def _holds_argument(item: Any) -> bool:
    return ARGUMENT in json.dumps(item)
