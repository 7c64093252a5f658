"""Chat templates: what a prompt looks like, and which keys of a message are read back.

Rendered as Hugging Face renders them, in Jinja2's sandbox, and in a process of their own: a chat template is a program,
and may run for ever or fill the memory.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import subprocess
import sys
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

SECONDS: Final = 10  # for all conversations
_MEMORY: Final = 1 << 30  # bytes of the process, where the platform can limit them
_LONGEST: Final = 1_000_000  # code points of a prompt


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
    given = json.dumps([chat_template, dict(special_tokens or {})])
    lines, trouble = _of_child(given.encode())
    for line in lines:
        conversation, kind, text = json.loads(line)
        if kind == "prompt":
            yield Prompt(conversation, text, "tools" in CONVERSATIONS[conversation])
        elif kind == "too much":
            raise TooMuch(f"on {conversation}, {text}")
        elif conversation == FIRST:
            raise NotRendered(text)
    if trouble:
        raise TooMuch(trouble)


def _of_child(given: bytes) -> tuple[list[bytes], str]:
    """The whole lines that the rendering process wrote, and why there aren't more, if there should be."""
    command = [sys.executable, "-P", "-c", f"from {__name__} import render_all; render_all()"]
    try:
        ended = subprocess.run(
            command, input=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False
        )
        written, trouble = ended.stdout, f"its process ended with status {ended.returncode}" * (ended.returncode != 0)
    except subprocess.TimeoutExpired as expired:
        written, trouble = expired.stdout or b"", f"the chat template takes more than {SECONDS} seconds"
    return written.split(b"\n")[:-1], trouble


def render_all() -> None:
    """The rendering process: a chat template and its tokens on standard input; a line for each conversation."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on every platform
        resource: Any = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    chat_template, special_tokens = json.load(sys.stdin)
    for conversation in CONVERSATIONS:
        kind, text = _rendered(chat_template, special_tokens, conversation)
        print(json.dumps([conversation, kind, text]), flush=True)
        if kind == "too much":
            break


def _rendered(chat_template: str, special_tokens: Mapping[str, str], conversation: str) -> tuple[str, str]:
    given = {"tools": None, "documents": None, "bos_token": "", "eos_token": "", **special_tokens}
    try:
        template = compiled(chat_template)
        text = template.render(add_generation_prompt=True, **{**given, **CONVERSATIONS[conversation]})
    except MemoryError:
        return "too much", "the chat template takes too much memory"
    except Exception as error:  # a sandboxed program: it can fail in any way
        return "error", f"{type(error).__name__}: {error}"
    if len(text) > _LONGEST:
        return "too much", f"the chat template writes a prompt of more than {_LONGEST:,} code points"
    return "prompt", text


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
    targets = [loop.target for loop in tree.find_all(nodes.For) if _is_over_content(loop)]
    parts = {target.name for target in targets if isinstance(target, nodes.Name)}

    def is_part(node: nodes.Node) -> bool:
        return isinstance(node, nodes.Name) and node.name in parts

    for attribute in tree.find_all(nodes.Getattr):
        if not is_part(attribute.node):
            yield attribute.attr
    for item in tree.find_all(nodes.Getitem):
        if not is_part(item.node):
            yield from _constants(item.arg)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and call.node.attr == "get" and not is_part(call.node.node):
            for argument in call.args[:1]:
                yield from _constants(argument)
    for compare in tree.find_all(nodes.Compare):
        if not any(is_part(operand.expr) for operand in compare.ops):
            yield from _constants(compare.expr)


def _is_over_content(loop: nodes.For) -> bool:
    """Whether it goes through a message's content, the parts of which have keys of their own."""
    over = loop.iter
    name = over.attr if isinstance(over, nodes.Getattr) else over.name if isinstance(over, nodes.Name) else ""
    if isinstance(over, nodes.Getitem):
        name = next(_constants(over.arg), "")
    return name == "content"


def _constants(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value


@lru_cache(maxsize=8)
def compiled(chat_template: str) -> jinja2.Template:
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
