"""The user's own conversations, from a JSON document: a list of messages, or a list of such lists, with or without
tools."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import antiphon
from antiphon.pointer import pointer
from antiphon.tools import Tools

from antiphon_portability.autoparser.roundtrip.conversations import Conversation
from antiphon_portability.autoparser.roundtrip.said import Message, Said

_KEYS: Final = frozenset({"name", "messages", "tools"})


class NoConversation(Exception):
    """A document that holds no conversations: where (JSON Pointer), why, and what to do."""

    def __init__(self, keys: Sequence[str | int], reason: str) -> None:
        super().__init__(reason)
        self.pointer = pointer(*map(str, keys))
        self.reason = reason


def conversations_of(document: Any) -> tuple[Conversation, ...]:
    """The conversations of a document; of each, the assistant's last message is the turn.

    A conversation is a list of messages, or an object with `messages` and perhaps `tools` and a `name`; the document is
    one, or a list of them. What comes after the last turn is left out. A turn is about its calls, or else its content
    or reasoning: without the other parts it is compared all the same. Raises NoConversation.
    """
    try:
        json.dumps(document, allow_nan=False)
    except ValueError:
        raise NoConversation((), "has NaN or an infinite number in it, which JSON hasn't; take it out") from None
    if _is_conversation(document):
        return (_conversation(document, (), "conversation 1"),)
    if not isinstance(document, list) or not document:
        raise NoConversation((), "isn't a list of messages; give one, or a list of such lists")
    return tuple(_numbered(document))


def _numbered(documents: Sequence[Any]) -> Iterator[Conversation]:
    for index, document in enumerate(documents):
        if not _is_conversation(document):
            reason = "isn't a message, with a role, nor a list of messages; correct it, or take it out"
            raise NoConversation((index,), reason)
        yield _conversation(document, (index,), f"conversation {index + 1}")


def _is_conversation(document: Any) -> bool:
    """A list whose first element has a role, or an object with messages."""
    if isinstance(document, Mapping):
        return "messages" in document
    return isinstance(document, list) and bool(document) and isinstance(document[0], Mapping) and "role" in document[0]


def _conversation(document: Any, place: tuple[str | int, ...], name: str) -> Conversation:
    tools: Any = ()
    if isinstance(document, Mapping):
        unknown = next((key for key in document if key not in _KEYS), None)
        if unknown is not None:
            raise NoConversation((*place, str(unknown)), f"isn't known; the keys are {', '.join(sorted(_KEYS))}")
        tools = _tools(document.get("tools"), (*place, "tools"))
        name = str(document.get("name", name))
        document, place = document["messages"], (*place, "messages")
    messages = _messages(document, place)
    turns = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    if not turns:
        raise NoConversation(place, 'has no message with the role "assistant"; its last one is what is compared')
    said = Said.of(messages[turns[-1]])
    return Conversation(name, said, tuple(messages[: turns[-1]]), tools, frozenset([*said.parts()][-1:]))


def _messages(document: Any, place: tuple[str | int, ...]) -> list[Message]:
    if not isinstance(document, list) or not document:
        raise NoConversation(place, "isn't a list of messages; give at least a question and an answer")
    for index, message in enumerate(document):
        if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
            raise NoConversation((*place, index), "isn't a message; a message is an object with a role")
        if message["role"] == "assistant":
            try:
                Said.of(message)
            except ValueError as error:
                raise NoConversation((*place, index), f"isn't a turn of chat APIs: {error}; write it so") from None
    return document


def _tools(tools: Any, place: tuple[str | int, ...]) -> tuple[Mapping[str, Any], ...]:
    if tools is None:
        return ()
    try:
        Tools(tools)
    except antiphon.TemplateError as error:
        keys = [key for key in error.pointer.split("/") if key]
        raise NoConversation((*place, *keys), f"aren't tools: {error.reason}") from None
    return tuple(tools)
