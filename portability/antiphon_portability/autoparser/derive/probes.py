"""Renders that a response template needs and the analysis doesn't hold: prompts and turns, with needles in them.

A probe that the chat template refuses is absent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from antiphon_portability.autoparser.analysis.conversations import (
    ANSWER,
    ARGUMENT,
    FUNCTION,
    ID,
    SECOND_ARGUMENT,
    SECOND_FUNCTION,
    SECOND_ID,
    SECOND_VALUE,
    TOOLS,
    USER,
    VALUE,
    user,
)
from antiphon_portability.autoparser.roundtrip.variants import OFF, ON
from antiphon_portability.chat import Message, NotRendered, Renderer

RESULT: Final = "T_TOOL_MSG Done END_T"
STOP: Final = "\ue00fEOS\ue00f"
"""Stands for the end-of-sequence token where nobody said what it is."""

NAMES: Final = (FUNCTION, SECOND_FUNCTION)
KEYS: Final = (ARGUMENT, SECOND_ARGUMENT)
VALUES: Final = (VALUE, SECOND_VALUE)
IDS: Final = (ID, SECOND_ID)

LONGEST: Final = 60_000
"""Code points of a render that is looked at; most have a few thousand."""
REASONING_KEYS: Final = ("reasoning_content", "reasoning", "thinking")
TYPED: Final = "content"
"""Stands for reasoning that is a part of the content."""

NUMBER: Final = 7
OBJECT: Final = {VALUES[1]: NUMBER}
MARKED: Final = f"<b>{VALUES[0]}&"

_USER: Final = user()
_RESULT: Final[Message] = {"role": "tool", "name": NAMES[0], "tool_call_id": IDS[0], "content": RESULT}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What stands in a prompt behind its last turn, and the part of it that asks the model to write."""

    name: str
    tail: str
    generation: str


@dataclass(frozen=True, slots=True)
class Manner:
    """How a chat template wants its messages: arguments as JSON text, content as a list, null for what isn't said."""

    text_arguments: bool = False
    typed_content: bool = False
    null_content: bool = False


class Probes:
    """The probes of one chat template; each conversation is rendered once."""

    def __init__(self, renderer: Renderer, manner: Manner = Manner()) -> None:
        self.renderer = renderer
        self.manner = manner
        self.why_not = ""  # the last refusal
        tokens = renderer.special_tokens
        self._variables = {} if tokens.get("eos_token") else {"eos_token": STOP}

    def call(self, number: int, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """A call of a tool, as the chat template reads it."""
        given = json.dumps(arguments) if self.manner.text_arguments else dict(arguments)
        return {"id": IDS[number], "type": "function", "function": {"name": NAMES[number], "arguments": given}}

    def render(self, messages: Sequence[Message], **variables: Any) -> str | None:
        """A conversation's text; None if the chat template refuses it, also with tools. Raises TooMuch."""
        if self.manner.typed_content:
            messages = [{**message, "content": _typed(message["content"])} for message in messages]
        try:
            text = self.renderer.render(messages, **{**self._variables, **variables})
            if len(text) <= LONGEST:
                return text
            self.why_not = f"a conversation of two sentences has more than {LONGEST:,} code points"
        except NotRendered as error:
            self.why_not = str(error)
        return None if variables.get("tools") else self.render(messages, **{**variables, "tools": TOOLS})

    # -- prompts

    def prompts(self) -> list[Prompt]:
        """What is asked behind a question and behind a tool's result, with and without tools and thinking."""
        called = self._turn(calls=[self.call(0, {KEYS[0]: VALUES[0]})])
        conversations: dict[str, tuple[Sequence[Message], dict[str, Any]]] = {
            "a question": ([_USER], {}),
            "a question, thinking on": ([_USER], ON),
            "a question, thinking off": ([_USER], OFF),
            "a question with tools": ([_USER], {"tools": TOOLS}),
            "a question with tools, thinking on": ([_USER], {"tools": TOOLS, **ON}),
            "a question with tools, thinking off": ([_USER], {"tools": TOOLS, **OFF}),
            "a second question": ([_USER, self._turn(ANSWER), _USER], {}),
            "a tool's result": ([_USER, called, _RESULT], {"tools": TOOLS}),
            "a tool's result, thinking on": ([_USER, called, _RESULT], {"tools": TOOLS, **ON}),
        }
        found = (self._prompt(name, messages, given) for name, (messages, given) in conversations.items())
        return [prompt for prompt in found if prompt is not None]

    def _prompt(self, name: str, messages: Sequence[Message], given: Mapping[str, Any]) -> Prompt | None:
        asked = self.render(messages, add_generation_prompt=True, **given)
        last = RESULT if messages[-1]["role"] == "tool" else USER
        if asked is None or last not in asked:
            return None
        tail = asked.rpartition(last)[2]
        unasked = self.render(messages, **given) or ""
        return Prompt(name, tail, asked[len(unasked) :] if unasked and asked.startswith(unasked) else "")

    # -- turns

    def turn(
        self,
        content: str = "",
        calls: Sequence[Mapping[str, Any]] = (),
        reasoning: str = "",
        *,
        key: str = REASONING_KEYS[0],
        then: str = "",
    ) -> str | None:
        """An assistant's turn, from behind the question to the end, or to the next question with `then`."""
        messages = [_USER, self._turn(content, calls, reasoning, key)]
        if then:
            messages.append(user(then))
        text = self.render(messages, **({"tools": TOOLS} if calls else {}), **(ON if reasoning else {}))
        if text is None or USER not in text:
            return None
        behind = text.partition(USER)[2]
        return behind.partition(then)[0] if then else behind

    def _turn(
        self,
        content: str = "",
        calls: Sequence[Mapping[str, Any]] = (),
        reasoning: str = "",
        key: str = REASONING_KEYS[0],
    ) -> Message:
        turn: dict[str, Any] = {"role": "assistant", "content": content or (None if self.manner.null_content else "")}
        if calls:
            turn["tool_calls"] = list(calls)
        if reasoning and key == TYPED:
            turn["content"] = [{"type": "thinking", "thinking": reasoning}, {"type": "text", "text": content}]
        elif reasoning:
            turn[key] = reasoning
        return turn

    def both_arguments(self, number: int) -> dict[str, Any]:
        """A call with two arguments."""
        return self.call(number, dict(zip(KEYS, VALUES, strict=True)))

    def answered_call(self) -> str | None:
        """A turn with a call, up to the tool's result."""
        called = self._turn(calls=[self.both_arguments(0)])
        text = self.render([_USER, called, _RESULT], tools=TOOLS)
        return text.partition(USER)[2].partition(RESULT)[0] if text is not None and RESULT in text else None

    def that_show_calls(self) -> Probes | None:
        """Probes in the first manner in which a call's name is to be seen; None if there is none."""
        for text_arguments in (False, True):
            for null_content in (False, True):
                manner = replace(self.manner, text_arguments=text_arguments, null_content=null_content)
                asked = Probes(self.renderer, manner)
                turn = asked.turn("", [asked.both_arguments(0)])
                if turn is not None and NAMES[0] in turn and not _is_python(turn):
                    return asked
        return None


def _is_python(turn: str) -> bool:
    """Whether arguments were only printed: then they are meant to be given as text."""
    return f"{{'{KEYS[0]}': '{VALUES[0]}'" in turn


def _typed(content: Any) -> Any:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
