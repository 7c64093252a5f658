"""What the comparisons of a chat template's renders found out: how its model writes reasoning, content and tool calls.

The names of fields and modes are those of llama.cpp's auto-parser, so that both analyses can be held side by side.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self, TypeVar, get_args, get_type_hints

Document = Mapping[str, Any]


class ReasoningMode(StrEnum):
    NONE = "NONE"
    TAG_BASED = "TAG_BASED"
    TOOLS_ONLY = "TOOLS_ONLY"
    """The chat template shows reasoning only in turns that have tool calls."""


class ContentMode(StrEnum):
    PLAIN = "PLAIN"
    ALWAYS_WRAPPED = "ALWAYS_WRAPPED"
    WRAPPED_WITH_REASONING = "WRAPPED_WITH_REASONING"


class ToolMode(StrEnum):
    NONE = "NONE"
    JSON_NATIVE = "JSON_NATIVE"
    """A call is a JSON object, which markers may surround."""
    TAG_WITH_JSON = "TAG_WITH_JSON"
    """The name stands in the text, the arguments are a JSON object."""
    TAG_WITH_TAGGED = "TAG_WITH_TAGGED"
    """The name and each argument stand in the text, between markers."""


class CallIdPosition(StrEnum):
    NONE = "NONE"
    PRE_FUNC_NAME = "PRE_FUNC_NAME"
    BETWEEN_FUNC_AND_ARGS = "BETWEEN_FUNC_AND_ARGS"
    POST_ARGS = "POST_ARGS"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Which parts of a conversation the chat template uses."""

    supports_object_arguments: bool = False
    supports_parallel_tool_calls: bool = True
    supports_preserve_reasoning: bool = False
    supports_reasoning_effort: bool = False
    supports_string_content: bool = True
    supports_system_role: bool = True
    supports_tool_calls: bool = True
    supports_tools: bool = True
    supports_typed_content: bool = False


@dataclass(frozen=True, slots=True)
class Reasoning:
    """An empty `start`: everything before `end` is reasoning. The markers keep the white space beside them."""

    mode: ReasoningMode = ReasoningMode.NONE
    start: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    mode: ContentMode = ContentMode.PLAIN
    start: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """The markers around all calls and around each; of a call in JSON, its keys.

    `unseen`: the fields whose key no render showed, so that the default stands; not in the analysis' document.
    """

    mode: ToolMode = ToolMode.NONE
    section_start: str = ""
    section_end: str = ""
    per_call_start: str = ""
    per_call_end: str = ""
    fun_name_is_key: bool = False
    tools_array_wrapped: bool = False
    openai_wrapper_trigger: bool = False
    function_field: str = "function"
    name_field: str = "name"
    args_field: str = "arguments"
    id_field: str = ""
    gen_id_field: str = ""
    parameter_order: tuple[str, ...] = ()
    unseen: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Function:
    name_prefix: str = ""
    name_suffix: str = ""
    args_separator: str = ""
    close: str = ""


@dataclass(frozen=True, slots=True)
class Arguments:
    start: str = ""
    end: str = ""
    name_prefix: str = ""
    name_suffix: str = ""
    value_prefix: str = ""
    value_suffix: str = ""
    separator: str = ""
    tolerate_intertag_whitespace: bool = False


@dataclass(frozen=True, slots=True)
class CallId:
    pos: CallIdPosition = CallIdPosition.NONE
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Tools:
    format: ToolFormat = field(default_factory=ToolFormat)
    function: Function = field(default_factory=Function)
    arguments: Arguments = field(default_factory=Arguments)
    call_id: CallId = field(default_factory=CallId)


@dataclass(frozen=True, slots=True)
class Analysis:
    """`specialized`: the family for which llama.cpp has a parser written by hand; None for what it analyses, too."""

    caps: Capabilities = field(default_factory=Capabilities)
    user_start: str = ""
    assistant_start: str = ""
    reasoning: Reasoning = field(default_factory=Reasoning)
    content: Content = field(default_factory=Content)
    tools: Tools = field(default_factory=Tools)
    preserved_tokens: tuple[str, ...] = ()
    additional_stops: tuple[str, ...] = ()
    generation_prompt: str = ""
    specialized: str | None = None

    def document(self) -> dict[str, Any]:
        """As a JSON value."""
        found = dataclasses.asdict(self)
        del found["tools"]["format"]["unseen"]
        return found

    @classmethod
    def of(cls, document: Document) -> Self:
        """From its JSON value; other keys are left aside. Raises ValueError for a mode that isn't known."""
        return _read(cls, document)


_Part = TypeVar("_Part")


def _read(part: type[_Part], document: Document) -> _Part:
    known = get_type_hints(part)
    return part(**{name: _value(known[name], value) for name, value in document.items() if name in known})


def _value(kind: Any, value: Any) -> Any:
    if dataclasses.is_dataclass(kind):
        return _read(kind, value)  # type: ignore[arg-type]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(value)
    return tuple(value) if get_args(kind)[1:] == (Ellipsis,) else value
