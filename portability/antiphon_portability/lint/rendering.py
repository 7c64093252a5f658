"""Chat templates, rendered as Hugging Face renders them, in Jinja2's sandbox; and which keys of a message they read.

`render_all` is the process that chat.py starts.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from antiphon_portability.lint.chat import CONVERSATIONS, Rendered

_MEMORY: Final = 1 << 30  # bytes of the process, where the platform can limit them
_LONGEST: Final = 1_000_000  # code points of a prompt


def render_all() -> None:
    """The rendering process: a chat template and its tokens on standard input; a line for each conversation."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on every platform
        resource: Any = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    chat_template, special_tokens = json.load(sys.stdin)
    for one in rendered(chat_template, special_tokens):
        print(json.dumps(one), flush=True)


def rendered(chat_template: str, special_tokens: Mapping[str, str]) -> Iterator[Rendered]:
    """What comes of the conversations, one after the other, up to one that is too much."""
    for conversation in CONVERSATIONS:
        kind, text = _rendered(chat_template, special_tokens, conversation)
        yield conversation, kind, text
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
