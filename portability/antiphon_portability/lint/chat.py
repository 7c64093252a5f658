"""What prompts look like: conversations, as a chat template writes them.

They are rendered in a process of their own, where there are processes: a chat template is a program, and may run for
ever or fill the memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

SECONDS: Final = 10  # for all conversations
HAS_PROCESSES: Final = sys.platform != "emscripten"  # there, whoever started the lint limits it


class NotRendered(Exception):
    """A chat template that Jinja2 can't read, or that fails on a small conversation."""


class TooMuch(Exception):
    """A chat template that takes more time or memory than it may. Its text says which."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered prompt, and of which conversation."""

    conversation: str
    text: str
    has_tools: bool = False


Rendered: TypeAlias = tuple[str, str, str]
"""A conversation, what came of it ("prompt", "error" or "too much"), and the prompt, or why there is none."""

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


def prompts(chat_template: str, special_tokens: Mapping[str, str] | None = None) -> Iterator[Prompt]:
    """The prompts of `CONVERSATIONS`, without those that the template refuses.

    Raises NotRendered for the first; TooMuch, behind the prompts that were rendered in time.
    """
    tokens = dict(special_tokens or {})
    rendered, trouble = _of_child(chat_template, tokens) if HAS_PROCESSES else _in_place(chat_template, tokens)
    for conversation, kind, text in rendered:
        if kind == "prompt":
            yield Prompt(conversation, text, "tools" in CONVERSATIONS[conversation])
        elif kind == "too much":
            raise TooMuch(f"on {conversation}, {text}")
        elif conversation == FIRST:
            raise NotRendered(text)
    if trouble:
        raise TooMuch(trouble)


def _of_child(chat_template: str, special_tokens: Mapping[str, str]) -> tuple[Iterable[Rendered], str]:
    """What the rendering process wrote, and why there isn't more, if there should be."""
    given = json.dumps([chat_template, special_tokens]).encode()
    program = "from antiphon_portability.lint.rendering import render_all; render_all()"
    command = [sys.executable, "-P", "-c", program]
    try:
        ended = subprocess.run(
            command, input=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False
        )
        written, trouble = ended.stdout, f"its process ended with status {ended.returncode}" * (ended.returncode != 0)
    except subprocess.TimeoutExpired as expired:
        written, trouble = expired.stdout or b"", f"the chat template takes more than {SECONDS} seconds"
    return map(json.loads, written.split(b"\n")[:-1]), trouble


def _in_place(chat_template: str, special_tokens: Mapping[str, str]) -> tuple[Iterable[Rendered], str]:
    from antiphon_portability.lint.rendering import rendered  # imported when there is something to render

    return rendered(chat_template, special_tokens), ""


def has_turn(text: str) -> bool:
    """Whether a part of a prompt holds one of the conversation's turns."""
    return _QUESTION in text or _WEATHER in text
