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

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "shared"))
import chat_parsing

try:
    from vllm.parser.chat_parsing import ResponseParser
    from vllm.parser.chat_parsing.content_parsers import CONTENT_PARSERS
    from vllm.parser.chat_parsing.response_templates import load_response_template
except ImportError as error:
    sys.exit(f"vllm has no response templates here ({error}); name a release, such as vllm==0.33.0")

EVENT_MEMBERS = ("type", "field", "text", "dirty", "value")
load = chat_parsing.loading(load_response_template)


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
    """What came of a run: everything of the result but `type` and `id`."""

    def parser(template: Any) -> Any:
        return ResponseParser(template, prefix=request["prefix"], tools=request["tools"])

    stream = Stream(raising=request["options"].get("on_malformed", "raise") == "raise")
    return chat_parsing.answer(request, load, parser, stream.translated)


if __name__ == "__main__":
    chat_parsing.serve(chat_parsing.hello("vllm", CONTENT_PARSERS), answer)
