"""What llama.cpp's own parser made of turns that its chat templates wrote, as recorded beside the repository."""

from __future__ import annotations

from typing import Any, Final

from antiphon_portability.autoparser.roundtrip import Call, Said
from antiphon_portability.autoparser.roundtrip.comparing import differences
from recorded import Record, analyses

_PARIS: Final = Call("get_weather", {"city": "Paris", "days": 3})
_DETAILED: Final = Call("get_weather", {"city": "Paris", "days": 3, "opts": {"units": "C"}, "detailed": True})
_SUM: Final = Call("add", {"a": 1, "b": 2.5})
SAID: Final = {
    "content": Said("Hello world, this is an answer."),
    "reasoning_content": Said("Hello world.", "I think so."),
    "tool": Said(calls=(_PARIS,)),
    "parallel": Said(calls=(_DETAILED, _SUM)),
    "reasoning_tool": Said(reasoning="I think so.", calls=(Call("get_weather", {"city": "Paris"}),)),
}
"""What was said in the recorded turns."""
COMPARED: Final = {
    "content": "content",
    "reasoning and content": "reasoning_content",
    "one call": "tool",
    "parallel calls": "parallel",
    "reasoning and a call": "reasoning_tool",
}
"""Features of the round trip, and the recorded turn that is like it."""
RECORDED: Final = tuple(name for name, record in analyses().items() if not record["specialized"])
"""The chat templates for which llama.cpp has no parser written by hand; none where the records aren't."""


def exact_turns(turn: str) -> list[str]:
    """The chat templates whose turn came back: spaces around texts, ids and the form of arguments don't matter."""
    return [name for name in RECORDED if _is_exact(SAID[turn], analyses()[name]["roundtrip"].get(turn) or {})]


def _is_exact(said: Said, record: Record) -> bool:
    parsed = record.get("parsed")
    if parsed is None:
        return False
    calls = [{"function": {"name": call["name"], "arguments": call["arguments"]}} for call in parsed["tool_calls"]]
    message: dict[str, Any] = {"role": "assistant", **parsed, "tool_calls": calls}
    return all(found.is_mild for found in differences(said, message))
