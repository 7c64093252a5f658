"""Adapter for `transformers` as it is installed. It has no error kinds, so only the stage and the moment are judged.

transformers loads the template and parses the prefix in one constructor; to tell the two apart the template is loaded
first. The events of a feed that raises are lost there, so the answer can't have them.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
from collections.abc import Mapping
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


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """What came of a run: everything of the result but `type` and `id`. Whatever exception it meets is an error."""
    if request["options"].get("on_malformed", "raise") != "raise":
        return {"unsupported": "transformers has no option for malformed regions (ERROR-6)"}
    try:
        load_response_template(request["template"])
    except Exception as error:
        return {"error": described("load", error)}
    try:
        parser = ResponseParser(request["template"], prefix=request["prefix"], tools=request["tools"])
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


def described(stage: str, error: Exception) -> dict[str, str]:
    """An error as the protocol has it."""
    return {"stage": stage, "message": f"{type(error).__name__}: {error}"[:1000]}


def main() -> None:
    """One answer a line until the input ends."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        hello = request["type"] == "hello"
        response = HELLO if hello else {"type": "result", "id": request["id"], **answer(request)}
        sys.stdout.write(json.dumps(response) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
