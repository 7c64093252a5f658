"""What an assistant's turn says: the same thing for the message that goes into a chat template and for the one that a
response template makes, whatever their keys are called.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self, TypeAlias

from antiphon_portability.names import REASONING_KEYS

Message: TypeAlias = Mapping[str, Any]
NoContent: TypeAlias = Literal["empty", "null", "absent"]
Part: TypeAlias = Literal["content", "reasoning", "calls", "ids"]


KEYS: Final = frozenset({"role", "content", "tool_calls", *REASONING_KEYS})
"""Of a message, those that say its parts."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; its arguments are a JSON value, an object unless something went wrong."""

    name: str
    arguments: Any
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """An absent part is empty: chat templates and SPEC.md (MESSAGE-6) make no difference there.

    `others`: what else the message has, as its keys and values.
    """

    content: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    others: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, message: Message) -> Self:
        """What a message in the form of chat APIs says. Raises ValueError for one that isn't in it."""
        reasonings = {text for key in REASONING_KEYS if (text := _text(message, key))}
        if len(reasonings) > 1:
            raise ValueError(f"{' and '.join(key for key in REASONING_KEYS if key in message)} aren't the same")
        calls = message.get("tool_calls")
        if calls is not None and not isinstance(calls, list | tuple):
            raise ValueError("tool_calls is a list")
        others = tuple((key, value) for key, value in message.items() if key not in KEYS)
        reasoning = next(iter(reasonings), "")
        return cls(_content(message), reasoning, tuple(_call(call) for call in calls or ()), others)

    def without(self, part: Part) -> Self:
        """The same, but for a part."""
        if part == "content":
            return replace(self, content="")
        if part == "reasoning":
            return replace(self, reasoning="")
        if part == "calls":
            return replace(self, calls=())
        return replace(self, calls=tuple(replace(call, id=None) for call in self.calls))

    def changed(self, other: Self) -> frozenset[Part]:
        """The parts that the other one has otherwise."""
        mine, theirs = self.without("ids"), other.without("ids")
        parts: dict[Part, bool] = {
            "content": mine.content != theirs.content,
            "reasoning": mine.reasoning != theirs.reasoning,
            "calls": mine.calls != theirs.calls,
            "ids": mine.calls == theirs.calls and self.calls != other.calls,
        }
        return frozenset(part for part, is_changed in parts.items() if is_changed)

    def parts(self) -> Iterator[Part]:
        """Those that aren't empty, the most telling last."""
        if self.reasoning:
            yield "reasoning"
        if self.content:
            yield "content"
        if self.calls:
            yield "calls"


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a chat template wants its messages; found out by `spelling.spelling_of`.

    `arguments_as_text`: as a text in JSON, not as an object. `no_content`: what stands where a turn has no content;
    "absent" is no key at all. `ids_with_names`: ids say the function and the call's number, as in `functions.f:0`.
    `in_parts`: contents are lists of parts with a type.
    """

    reasoning: str = REASONING_KEYS[0]
    arguments_as_text: bool = False
    no_content: NoContent = "empty"
    ids_with_names: bool = False
    in_parts: bool = False

    def message(self, said: Said) -> dict[str, Any]:
        """The message that says it."""
        message: dict[str, Any] = {"role": "assistant"}
        if said.content or self.no_content != "absent" or not said.calls:
            is_null = self.no_content == "null" and said.calls and not said.content
            message["content"] = None if is_null else self._content(said.content)
        if said.reasoning:
            message[self.reasoning] = said.reasoning
        if said.calls:
            message["tool_calls"] = [self._call(call) for call in said.calls]
        return message | dict(said.others)

    def with_ids(self, said: Said) -> Said:
        """The same with ids as the chat template wants them."""
        if not self.ids_with_names:
            return said
        calls = [
            replace(call, id=None if call.id is None else f"functions.{call.name}:{number}")
            for number, call in enumerate(said.calls)
        ]
        return replace(said, calls=tuple(calls))

    def history(self, message: Message) -> Message:
        """An earlier message; those of the assistant are spelled anew, what else they have is kept."""
        if message.get("role") != "assistant":
            content = message.get("content")
            return {**message, "content": self._content(content)} if isinstance(content, str) else message
        return self.message(Said.of(message))

    def _content(self, text: str) -> Any:
        return [{"type": "text", "text": text}] if self.in_parts else text

    def _call(self, call: Call) -> dict[str, Any]:
        arguments = call.arguments
        if self.arguments_as_text and not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        made = {"type": "function", "function": {"name": call.name, "arguments": arguments}}
        return made if call.id is None else {"id": call.id, **made}


def _text(message: Message, key: str) -> str:
    value = message.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is a text")
    return value or ""


def _content(message: Message) -> str:
    """The content, also where it is a list of parts that are texts."""
    value = message.get("content")
    if isinstance(value, list):
        texts = [part.get("text") for part in value if isinstance(part, Mapping) and part.get("type") == "text"]
        if len(texts) == len(value) and all(isinstance(text, str) for text in texts):
            return "".join(map(str, texts))
        raise ValueError("content is a text, or a list of parts of the type text")
    return _text(message, "content")


def _call(call: Any) -> Call:
    if not isinstance(call, Mapping):
        raise ValueError("a tool call is an object")
    function = call.get("function", call)
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise ValueError("a tool call has a function with a name")
    call_id = call.get("id")
    if call_id is not None and not isinstance(call_id, str):
        raise ValueError("the id of a tool call is a text")
    return Call(function["name"], as_object(function.get("arguments", {})), call_id)


def as_object(arguments: Any) -> Any:
    """Arguments that are a text in JSON, as the object that it stands for."""
    if isinstance(arguments, str):
        try:
            value = json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
        return value if isinstance(value, dict) else arguments
    return arguments
