"""Adapter for the `transformers` that is installed where it runs: beside the kit, or in an environment of its own.

It differs from SPEC.md in form as follows:

* Template and prefix are dealt with in one constructor; to tell the two apart the template is loaded first. What was
  loaded serves all runs with the same document, as it serves all messages of a model.
* There are no kinds of errors, so only the stage and the moment are judged.
* The events of a feed that raises are lost there, so the answer can't have them.
* There is no option for malformed regions (ERROR-6).
* Before 5.15 the parser takes no tools: it is made without them, and arguments stay as they are.
* Before 5.24 there is no content kind `python-call-list`.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import json
import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # it remarks that torch isn't installed, which isn't needed

try:
    from transformers.utils.chat_parsing import ResponseParser
    from transformers.utils.chat_parsing.content_parsers import CONTENT_PARSERS
    from transformers.utils.chat_parsing.response_templates import load_response_template
except ImportError as error:
    sys.exit(f"transformers has no response templates here ({error}); install transformers 5.13 or later")

# Its patterns are those of the `regex` module, so it has every construct of DIALECT-3.
# fmt: off
FEATURES = [
    "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge", "atomic",
    "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline", "verbose", "ascii",
    "unicode-property", "posix-class", "named-character", "line-break", "grapheme", "branch-reset", "duplicate-names",
]
# fmt: on

HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "transformers",
    "version": importlib.metadata.version("transformers"),
    "language": "Python",
    "contents": sorted(CONTENT_PARSERS),
    "features": FEATURES,
    "dialect": None,
}

TAKES_TOOLS = "tools" in inspect.signature(ResponseParser).parameters


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """What came of a run: everything of the result but `type` and `id`. Whatever exception it meets is an error."""
    if request["options"].get("on_malformed", "raise") != "raise":
        return {"unsupported": "transformers has no option for malformed regions (ERROR-6)"}
    try:
        template = load(json.dumps(request["template"]))
    except Exception as error:
        return {"error": described("load", error)}
    try:
        tools = {"tools": request["tools"]} if TAKES_TOOLS else {}
        parser = ResponseParser(template, prefix=request["prefix"], **tools)
    except Exception as error:
        return {"error": described("prefix", error)}
    came: dict[str, Any] = {"initial": parser.initial_events, "feeds": []}
    for chunk in request["chunks"]:
        try:
            came["feeds"].append(parser.feed(chunk))
        except Exception as error:
            came["feeds"].append([])
            return {"error": described("feed", error), **came}
    try:
        message, final = parser.finalize()
    except Exception as error:
        return {"error": described("finalize", error), **came}
    return {"message": message, **came, "final": final}


@lru_cache(maxsize=16)
def load(document: str) -> Any:
    """The template of a JSON text."""
    return load_response_template(json.loads(document))


def described(stage: str, error: Exception) -> dict[str, str]:
    """An error as the protocol has it."""
    return {"stage": stage, "message": f"{type(error).__name__}: {error}"[:1000]}


def respond(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a message."""
    return HELLO if request["type"] == "hello" else {"type": "result", "id": request["id"], **answer(request)}


def main() -> None:
    """One answer a line until the input ends."""
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(respond(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
