"""Corrections for single chat templates, known by texts in their source: what no comparison shows, or shows wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Final, TypeVar

from antiphon_portability.autoparser.analysis.markers import trimmed
from antiphon_portability.autoparser.analysis.preserved import distinct
from antiphon_portability.autoparser.analysis.results import Analysis, ContentMode, ReasoningMode, ToolMode

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True)
class Workaround:
    """Fields of the analysis are named by their paths.

    Applies if the source has all of `has` and none of `lacks`, and the fields of `only_if` have these values. Then
    the fields of `gives` get theirs, those of `trims` lose their outer white space, and `preserves` are preserved, too,
    or alone.
    """

    about: str
    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    only_if: Mapping[str, Any] = field(default_factory=dict)
    gives: Mapping[str, Any] = field(default_factory=dict)
    trims: tuple[str, ...] = ()
    preserves: tuple[str, ...] = ()
    preserves_only_these: bool = False
    stops: tuple[str, ...] = ()

    def applies(self, source: str, found: Analysis) -> bool:
        return (
            all(text in source for text in self.has)
            and not any(text in source for text in self.lacks)
            and all(_field(found, path) == value for path, value in self.only_if.items())
        )

    def applied(self, found: Analysis) -> Analysis:
        given = {**self.gives, **{path: trimmed(_field(found, path)) for path in self.trims}}
        for path, value in given.items():
            found = _with_field(found, path.split("."), value)
        kept = () if self.preserves_only_these else found.preserved_tokens
        return replace(
            found,
            preserved_tokens=distinct((*kept, *self.preserves)),
            additional_stops=(*found.additional_stops, *self.stops),
        )


def _field(found: Analysis, path: str) -> Any:
    return reduce(getattr, path.split("."), found)


def _with_field(part: _Part, path: list[str], value: Any) -> _Part:
    name, *rest = path
    changed = _with_field(getattr(part, name), rest, value) if rest else value
    return replace(part, **{name: changed})  # type: ignore[type-var]


_THINK: Final = {
    "reasoning.mode": ReasoningMode.TAG_BASED,
    "reasoning.start": "<think>",
    "reasoning.end": "</think>",
}
_LLAMA_HEADERS: Final = {
    "assistant_start": "<|start_header_id|>assistant<|end_header_id|>",
    "user_start": "<|start_header_id|>user<|end_header_id|>",
}

WORKAROUNDS: Final = (
    Workaround(
        "Qwen and DeepSeek as they were: their reasoning is cut out of the content",
        has=("content.split('</think>')",),
        lacks=("reasoning_content", "<SPECIAL_12>"),
        only_if={"reasoning.mode": ReasoningMode.NONE},
        gives=_THINK,
        preserves=("<think>", "</think>"),
    ),
    Workaround(
        "Granite 3.3: the tags stand in an instruction only",
        has=("Write your thoughts between <think></think> and write your response between <response></response>",),
        gives={
            **_THINK,
            "content.mode": ContentMode.WRAPPED_WITH_REASONING,
            "content.start": "<response>",
            "content.end": "</response>",
        },
        preserves=("<think>", "</think>", "<response>", "</response>"),
    ),
    Workaround(
        "Command R+: what ends a turn is the end of the answer",
        has=("<|CHATBOT_TOKEN|>", "<|END_OF_TURN_TOKEN|>"),
        only_if={"content.start": ""},
        gives={
            "content.mode": ContentMode.ALWAYS_WRAPPED,
            "content.start": "<|CHATBOT_TOKEN|>",
            "content.end": "<|END_OF_TURN_TOKEN|>",
            "user_start": "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>",
        },
    ),
    Workaround(
        "Functionary 3.1: the name stands in the marker itself",
        has=(
            'set has_code_interpreter = tools | selectattr("type", "equalto", "code_interpreter") | list | length > 0',
        ),
        gives={
            "content.mode": ContentMode.PLAIN,
            "content.end": "",
            "tools.function.name_prefix": "",
            "tools.format.section_start": "",
            "tools.format.section_end": "",
            "tools.format.per_call_start": "<function=",
            "tools.format.per_call_end": "</function>",
            "tools.function.close": "",
        },
        preserves=("<|eot_id|>", "<|eom_id|>", "<function=", ">", "</function>"),
        preserves_only_these=True,
    ),
    Workaround(
        "DeepSeek-R1-Distill-Qwen: the call's type stands between the markers",
        has=("{{'<｜Assistant｜><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + tool['type'] + '<｜tool▁sep｜>'",),
        gives={
            "tools.format.section_start": "<｜tool▁calls▁begin｜>",
            "tools.format.section_end": "<｜tool▁calls▁end｜>",
            "tools.format.per_call_start": "<｜tool▁call▁begin｜>function",
            "tools.format.per_call_end": "<｜tool▁call▁end｜>",
            "tools.function.name_prefix": "<｜tool▁sep｜>",
            "tools.function.close": "```",
        },
    ),
    Workaround(
        "Nemotron Nano v2: its calls are a JSON array",
        has=("<SPECIAL_10>", "<SPECIAL_11>", "<SPECIAL_12>", "<TOOL_RESPONSE>"),
        gives={
            **_THINK,
            "reasoning.start": "<think>\n",
            "content.mode": ContentMode.PLAIN,
            "content.start": "",
            "content.end": "",
            "tools.format.mode": ToolMode.JSON_NATIVE,
            "tools.format.section_start": "",
            "tools.format.section_end": "",
            "tools.format.per_call_start": "<TOOLCALL>",
            "tools.format.per_call_end": "</TOOLCALL>",
            "tools.format.tools_array_wrapped": True,
            "assistant_start": "<SPECIAL_11>Assistant",
            "user_start": "<SPECIAL_11>User",
        },
        preserves=("<SPECIAL_11>", "</think>", "<TOOLCALL>", "</TOOLCALL>"),
        preserves_only_these=True,
    ),
    Workaround(
        "Firefunction v2: its turns have the headers of Llama 3",
        has=("set system_prompt = '<|start_header_id|>' + ", "| trim + '\\n' + system_prompt_suffix + '<|eot_id|>'"),
        gives=_LLAMA_HEADERS,
    ),
    Workaround(
        "Solar Open: the assistant's turn begins before its parts",
        has=("<|begin|>assistant<|think|><|end|>",),
        gives={"assistant_start": "<|begin|>assistant"},
    ),
    Workaround(
        "Apriel 1.6: the assistant's turn begins with its reasoning",
        has=("if not loop.last and '[BEGIN FINAL RESPONSE]' in asst_text",),
        gives={"user_start": "<|begin_user|>", "assistant_start": "<|begin_assistant|>"},
    ),
    Workaround(
        "Llama 3: its models may put the call's type first",
        has=('Respond in the format {"name": function name', "Do not use variables."),
        gives={"tools.format.openai_wrapper_trigger": True},
    ),
    Workaround(
        "Laguna: its models leave out white space",
        has=("laguna_glm_thinking",),
        gives={"tools.arguments.tolerate_intertag_whitespace": True},
        trims=(
            "reasoning.start",
            "reasoning.end",
            "tools.arguments.value_prefix",
            "tools.arguments.value_suffix",
            "tools.arguments.separator",
        ),
        stops=("</assistant>",),
    ),
    Workaround(
        "Bailing V3: its models leave out white space",
        has=("Bailing V3 chat template",),
        gives={"tools.arguments.tolerate_intertag_whitespace": True},
        trims=("tools.arguments.value_suffix",),
    ),
)
"""In the order in which they are applied."""


def worked_around(source: str, found: Analysis) -> Analysis:
    """The analysis with the corrections that apply to its source."""
    for workaround in WORKAROUNDS:
        if workaround.applies(source, found):
            found = workaround.applied(found)
    return found
