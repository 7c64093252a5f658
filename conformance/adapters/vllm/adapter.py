"""Adapter for vLLM's parser of response templates, `vllm.parser.chat_parsing`, with vLLM or without the rest of it.

It is a copy of an older one of transformers, with changes, and differs from SPEC.md in form as follows:

* It never raises for a region that can't be parsed: it emits `region_malformed` and goes on (ERROR-6). Where a run is
  to raise errors, the adapter stops at that event and raises what it carries, as vLLM's `parse_response` does.
* `region_malformed` carries an exception and neither text nor kind. The adapter puts the region's chunks together to
  get its text, as a consumer would have to; a kind isn't to be had, so none is judged.
* Its events have more members (`start`, `end`, `captures`), which are left out. There are no kinds of errors at all, so
  only the stage and the moment are judged.
* There is no content kind `python-call-list`.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

try:
    from vllm.parser.chat_parsing import ResponseParser
    from vllm.parser.chat_parsing.content_parsers import CONTENT_PARSERS
    from vllm.parser.chat_parsing.response_templates import load_response_template
except ImportError as error:
    sys.exit(f"vllm has no response templates here ({error}); name a release, such as vllm==0.33.0")

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
    "name": "vllm",
    "version": importlib.metadata.version("vllm"),
    "language": "Python",
    "contents": sorted(CONTENT_PARSERS),
    "features": FEATURES,
    "dialect": None,
}

EVENT_MEMBERS = ("type", "field", "text", "dirty", "value")


class Malformed(Exception):
    """Stands for a `region_malformed` where errors are to be raised. `events`: those of the call before it."""

    def __init__(self, cause: Exception, events: list[dict[str, Any]]) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")
        self.events = events


class Stream:
    """The events of one run, in the protocol's form."""

    def __init__(self, *, raising: bool) -> None:
        self._raising = raising
        self._text = ""

    def translated(self, events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Raises Malformed."""
        out: list[dict[str, Any]] = []
        for event in events:
            if event["type"] == "region_malformed" and self._raising:
                raise Malformed(event["error"], out)
            out.append({name: event[name] for name in EVENT_MEMBERS if name in event})
            if event["type"] == "region_malformed":
                out[-1]["text"] = self._text
            self._text = self._text + event["text"] if event["type"] == "region_chunk" else ""
        return out


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """What came of a run: everything of the result but `type` and `id`. Whatever exception it meets is an error."""
    stream = Stream(raising=request["options"].get("on_malformed", "raise") == "raise")
    came: dict[str, Any] = {"initial": [], "feeds": []}
    try:
        template = load(json.dumps(request["template"]))
    except Exception as error:
        return {"error": described("load", error)}
    try:
        parser = ResponseParser(template, prefix=request["prefix"], tools=request["tools"])
        came["initial"] = stream.translated(parser.initial_events)
    except Exception as error:
        return {"error": described("prefix", error), "initial": getattr(error, "events", [])}
    for chunk in request["chunks"]:
        try:
            came["feeds"].append(stream.translated(parser.feed(chunk)))
        except Exception as error:
            came["feeds"].append(getattr(error, "events", []))
            return {"error": described("feed", error), **came}
    try:
        message, final = parser.finalize()
        return {"message": message, **came, "final": stream.translated(final)}
    except Exception as error:
        return {"error": described("finalize", error), **came, "final": getattr(error, "events", [])}


@lru_cache(maxsize=16)
def load(document: str) -> Any:
    """The template of a JSON text. It serves all runs with the same document, as it serves all messages of a model."""
    return load_response_template(json.loads(document))


def described(stage: str, error: Exception) -> dict[str, str]:
    """An error as the protocol has it."""
    shown = str(error) if isinstance(error, Malformed) else f"{type(error).__name__}: {error}"
    return {"stage": stage, "message": shown[:1000]}


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
