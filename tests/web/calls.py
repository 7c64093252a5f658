"""What tests of the bridge have in common: calls, and streams of the suite's cases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.suite import load_suite
from antiphon_web import bridge
from antiphon_web.tracing import LONGEST

TEMPLATE = {
    "start_anchor": "<|bot|>",
    "fields": {
        "reasoning": {"open": "<think>", "close": "</think>"},
        "calls": {"open": ["<call>", "<calls>"], "close_pattern": r"</calls?>\s*", "content": "json", "repeats": True},
        "content": {"close": "<end>"},
    },
}

TEXT = "<think>why</think><call>{}</call>ok<end>"
"""A stream by this template, with each of its fields."""


def asked(name: str, /, **request: Any) -> Any:
    """The answer to a call, or `{"error": …}`."""
    found = json.loads(bridge.call(name, json.dumps(request)))
    return found.get("ok", found)


def stream(text: str, template: Any = TEMPLATE, prefix: str = "", tools: Any = None, **more: Any) -> dict[str, Any]:
    """A request's stream."""
    written = template if isinstance(template, str) else json.dumps(template)
    return {"template": written, "prefix": prefix, "text": text, "tools": json.dumps(tools) if tools else "", **more}


def stream_of(case: Case) -> dict[str, Any]:
    return stream(
        case.text, case.template, case.prefix or "", case.tools, proposals=list(case.proposals), **case.options
    )


@cache
def suite() -> tuple[Case, ...]:
    return tuple(load_suite(validate=False))


def traceable() -> Iterator[Case]:
    """The cases whose streams the playground can show."""
    for case in suite():
        if case.expect.parses and case.prefix is not None and len(case.text) <= LONGEST:
            yield case
