"""Chat templates: what a prompt looks like, and which keys of a message are read back.

Rendered as Hugging Face renders them, in Jinja2's sandbox. How long that may take is the caller's business.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment


class NotRendered(Exception):
    """A chat template that Jinja2 can't read, or that fails on a small conversation."""


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


def prompts(chat_template: str, special_tokens: Mapping[str, str] | None = None) -> Iterator[Prompt]:
    """The prompts of `CONVERSATIONS`, without those that the template refuses. Raises NotRendered for the first."""
    tokens = {"bos_token": "", "eos_token": "", **(special_tokens or {})}
    for conversation, given in CONVERSATIONS.items():
        try:
            text = _compiled(chat_template).render(
                add_generation_prompt=True, **{"tools": None, "documents": None, **tokens, **given}
            )
        except Exception as error:  # a sandboxed program: it can fail in any way
            if conversation == FIRST:
                raise NotRendered(f"{type(error).__name__}: {error}") from None
            continue
        yield Prompt(conversation, text, "tools" in given)


def has_turn(text: str) -> bool:
    """Whether a part of a prompt holds one of the conversation's turns."""
    return _QUESTION in text or _WEATHER in text


def keys_read(chat_template: str) -> frozenset[str]:
    """The names that a chat template looks up: `message.key`, `message['key']`, `.get('key')`, `'key' in message`."""
    try:
        tree = _environment().parse(chat_template)
    except (jinja2.TemplateError, RecursionError):
        return frozenset()
    return frozenset(_keys(tree))


def _keys(tree: nodes.Template) -> Iterator[str]:
    for attribute in tree.find_all(nodes.Getattr):
        yield attribute.attr
    for item in tree.find_all(nodes.Getitem):
        yield from _constants(item.arg)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and call.node.attr == "get":
            for argument in call.args[:1]:
                yield from _constants(argument)
    for compare in tree.find_all(nodes.Compare):
        yield from _constants(compare.expr)


def _constants(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value


@lru_cache(maxsize=8)
def _compiled(chat_template: str) -> jinja2.Template:
    return _environment().from_string(chat_template)


class _Generation(Extension):
    """`{% generation %}…{% endgeneration %}` marks what is trained on; here it's its content."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols]
    )
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = lambda format: datetime.now().strftime(format)
    return environment


def _to_json(
    value: Any, ensure_ascii: bool = False, indent: int | None = None, separators: Any = None, sort_keys: bool = False
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)
