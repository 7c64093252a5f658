"""What JavaScript calls: JSON in, JSON out. `interop/src/api.ts` tells all requests and answers.

An answer is `{"ok": …}`; or `{"error": …}`, for what the caller can mend. Nothing is ever raised. What works is in a
module for each subject, imported when it is first called: a page that parses needs nothing of the harness.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from antiphon_web.asking import JsonFault, Refused, read_json, unsound

CALLS: Final[Mapping[str, str]] = {
    "versions": "parsing",
    "parse": "parsing",
    "trace": "tracing",
    "cuts": "cuts",
    "parser_new": "parsers",
    "parser_feed": "parsers",
    "parser_finalize": "parsers",
    "parser_message": "parsers",
    "parser_free": "parsers",
    "check": "checking",
    "case": "writing_case",
    "open": "opening",
    "write_config": "opening",
    "translations": "patterns",
    "table": "patterns",
    "search": "patterns",
    "derive": "deriving",
    "round_trip": "deriving",
    "suite": "judging",
    "describe": "describing",
    "requests": "judging",
    "judge": "judging",
    "run": "judging",
    "report": "judging",
}
"""The calls, each with the module that has a function of this name."""


def call(name: str, request: str) -> str:
    """The answer to a request, both as JSON."""
    try:
        return _written({"ok": _answer(name, request)})
    except Refused as refusal:
        return _written({"error": refusal.failure})
    except RecursionError:
        message = "something is nested too deeply here; take levels out"
        return _written({"error": {"stage": "state", "kind": "nesting-too-deep", "message": message}})
    except MemoryError:
        message = "the memory doesn't suffice for that; give less text"
        return _written({"error": {"stage": "state", "kind": "too-much", "message": message}})
    except Exception as error:  # a fault of the kit, which must not look like one of the page
        message = f"the kit failed ({type(error).__name__}: {error}); please report what led to it"
        return _written({"error": {"stage": "state", "kind": "internal", "message": message}})


def _answer(name: str, request: str) -> Any:
    if name not in CALLS:
        raise unsound(f"there is no call {name!r}; there are {', '.join(CALLS)}")
    try:
        document = read_json(request)
    except JsonFault as fault:
        raise unsound(f"the request {fault}") from None
    if not isinstance(document, dict):
        raise unsound("the request isn't an object")
    return getattr(import_module(f"antiphon_web.{CALLS[name]}"), name)(document)


def _written(answer: Any) -> str:
    return json.dumps(answer, allow_nan=False, check_circular=False)
