"""TRL's response templates, and the chat templates that they are for: its module, read as data and never run."""

from __future__ import annotations

import ast
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from downloads import trl_chat_templates, trl_wheel


@dataclass(frozen=True)
class Pair:
    """A chat template, by its file's name, and the response template that TRL gives to its tokenizer."""

    chat_name: str
    chat_template: str
    name: str
    template: Mapping[str, Any]


@cache
def response_templates() -> dict[str, dict[str, Any]]:
    """By the names that they have there. Raises Unavailable."""
    return dict(_templates(_module()))


@cache
def pairs() -> tuple[Pair, ...]:
    """In the order of `add_response_schema`. Raises Unavailable."""
    files = dict(_files(_module()))
    chats, templates = trl_chat_templates(), response_templates()
    return tuple(Pair(files[chat], chats[files[chat]], name, templates[name]) for chat, name in _assignments(_module()))


@cache
def _module() -> ast.Module:
    with zipfile.ZipFile(trl_wheel()) as wheel:
        return ast.parse(wheel.read("trl/chat_template_utils.py"))


def _templates(module: ast.Module) -> Iterator[tuple[str, dict[str, Any]]]:
    """The names that end in `_template` and whose values are dictionaries, with what these refer to."""
    scope: dict[str, Any] = {}
    for statement in module.body:
        match statement:
            case ast.Assign(targets=[ast.Name(name)], value=value):
                scope[name] = literal(value, scope)
                if name.endswith("_template") and isinstance(scope[name], dict):
                    yield name, scope[name]
            case ast.For(
                target=ast.Name(), iter=ast.Call(func=ast.Name("range"), args=[ast.Constant(times)]), body=body
            ):
                for step in [step for _ in range(int(str(times))) for step in body]:
                    if isinstance(step, ast.Assign) and isinstance(step.targets[0], ast.Name):
                        scope[step.targets[0].id] = literal(step.value, scope)


def literal(node: ast.expr, scope: Mapping[str, Any]) -> Any:
    """A literal's value; names and the parts of f-strings are looked up, and what is neither is None.

    Of a choice it is the first: there TRL has what the newest transformers can do.
    """
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return scope.get(name)
        case ast.IfExp(body=chosen):
            return literal(chosen, scope)
        case ast.JoinedStr(parts):
            return "".join(str(literal(part, scope)) for part in parts)
        case ast.FormattedValue(value):
            return literal(value, scope)
        case ast.List(items) | ast.Tuple(items):
            return [literal(item, scope) for item in items]
        case ast.Dict(keys, values):
            named = [(literal(key, scope), value) for key, value in zip(keys, values, strict=True) if key is not None]
            return {key: literal(value, scope) for key, value in named if isinstance(key, str)}
    return None


def _files(module: ast.Module) -> Iterator[tuple[str, str]]:
    """Names of chat templates, and of the files that they are read from."""
    for statement in module.body:
        match statement:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Call() as read):
                texts = [node.value for node in ast.walk(read) if isinstance(node, ast.Constant)]
                yield from ((name, text) for text in texts if isinstance(text, str) and text.endswith(".jinja"))


def _assignments(module: ast.Module) -> Iterator[tuple[str, str]]:
    """`if chat_template == …: schema, template = …`: the chat template's name, and the response template's."""
    (function,) = (
        node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == "add_response_schema"
    )
    for node in ast.walk(function):
        match node:
            case ast.If(test=ast.Compare(left=ast.Name("chat_template"), comparators=[compared]), body=body):
                chosen = [step.value for step in body if isinstance(step, ast.Assign)]
                for value in chosen:
                    match value:
                        case ast.Tuple([_, ast.Name(template)]):
                            names = [name.id for name in ast.walk(compared) if isinstance(name, ast.Name)]
                            yield from ((name, template) for name in names)
