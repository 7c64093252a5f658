"""The two Jinja2 environments in which chat templates are read: both sandboxed, none with access to files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from types import GeneratorType
from typing import Any, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment

from antiphon_portability.chat.dialect import Dialect


@lru_cache(maxsize=8)
def compiled(chat_template: str, dialect: Dialect = Dialect.HUGGING_FACE) -> jinja2.Template:
    """Raises jinja2.TemplateError, and whatever Python's compiler raises for a text that is too deep or too long."""
    return environment(dialect).from_string(chat_template)


def environment(dialect: Dialect = Dialect.HUGGING_FACE) -> SandboxedEnvironment:
    """A new one, so that nothing of one chat template is left for the next."""
    made = _hugging_face() if dialect is Dialect.HUGGING_FACE else _lenient()
    made.globals["raise_exception"] = _raise
    made.globals["strftime_now"] = lambda format: datetime.now().strftime(format)
    return made


def _hugging_face() -> SandboxedEnvironment:
    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
    made.filters["tojson"] = _to_json
    return made


def _lenient() -> SandboxedEnvironment:
    made = _Lenient(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[_Generation, loopcontrols],
        undefined=_Undefined,
        finalize=_printed,
    )
    made.filters["tojson"] = _to_json_with_lists
    made.filters["safe"] = lambda value: value
    return made


class _Undefined(jinja2.ChainableUndefined):
    """An unknown name is an empty text."""

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__


class _Lenient(SandboxedEnvironment):
    """Lists can be appended to; whatever is added to a text becomes one."""

    intercepted_binops = frozenset("+")

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if isinstance(left, str) != isinstance(right, str):
            return _as_text(left) + _as_text(right)
        return super().call_binop(context, operator, left, right)


def _as_text(value: Any) -> str:
    return "" if value is None or isinstance(value, jinja2.Undefined) else str(value)


def _printed(value: Any) -> Any:
    return "" if value is None else value


class _Generation(Extension):
    """`{% generation %}…{% endgeneration %}` marks what is trained on; here it's its content."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _to_json(
    value: Any, ensure_ascii: bool = False, indent: int | None = None, separators: Any = None, sort_keys: bool = False
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _to_json_with_lists(
    value: Any, ensure_ascii: bool = False, indent: int | None = None, separators: Any = None, sort_keys: bool = False
) -> str:
    return _to_json(_listed(value), ensure_ascii, indent, separators, sort_keys)


def _listed(value: Any) -> Any:
    """What filters such as `map` make, as lists."""
    if isinstance(value, Mapping):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, GeneratorType | Iterator | list | tuple):
        return [_listed(item) for item in value]
    return None if isinstance(value, jinja2.Undefined) else value


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)
