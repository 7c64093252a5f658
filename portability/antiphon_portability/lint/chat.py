"""What prompts look like: conversations, as a chat template writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from antiphon_portability.chat import NotRendered, Renderer, TooMuch

SECONDS: Final = 10.0  # for all that a lint renders


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered prompt, and of which conversation."""

    conversation: str
    text: str
    has_tools: bool = False


_QUESTION: Final = "What is the weather?"
_WEATHER: Final = "sunny"
_USER: Final = {"role": "user", "content": _QUESTION}
_ANSWER: Final = {"role": "assistant", "content": f"It is {_WEATHER}."}
_CALL: Final = {"type": "function", "id": "call00001", "function": {"name": "weather", "arguments": {"city": "Rome"}}}
_CALLED: Final = {"role": "assistant", "content": "", "tool_calls": [_CALL]}
_RESULT: Final = {"role": "tool", "name": "weather", "tool_call_id": "call00001", "content": _WEATHER}
_TOOL: Final = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "The city."}},
            "required": ["city"],
        },
    },
}

FIRST: Final = "a first question"
CONVERSATIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    FIRST: {"messages": [_USER]},
    "a second question": {"messages": [_USER, _ANSWER, _USER]},
    "enable_thinking=false": {"messages": [_USER], "enable_thinking": False},
    "a question with tools": {"messages": [_USER], "tools": [_TOOL]},
    "a tool's result": {"messages": [_USER, _CALLED, _RESULT], "tools": [_TOOL]},
}
"""Conversations whose prompts a start anchor has to be found in; the first is one that every template can render."""


def prompts(renderer: Renderer) -> Iterator[Prompt]:
    """The prompts of `CONVERSATIONS`, without those that the template refuses.

    Raises NotRendered for the first; TooMuch, behind the prompts that were rendered in time.
    """
    for conversation, given in CONVERSATIONS.items():
        try:
            text = renderer.render(**given, add_generation_prompt=True)
        except NotRendered:
            if conversation == FIRST:
                raise
        except TooMuch as error:
            raise TooMuch(f"on {conversation}, {error}") from None
        else:
            yield Prompt(conversation, text, "tools" in given)


def has_turn(text: str) -> bool:
    """Whether a part of a prompt holds one of the conversation's turns."""
    return _QUESTION in text or _WEATHER in text
