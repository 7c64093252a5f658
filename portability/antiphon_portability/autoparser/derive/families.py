"""What can't be read from renders, by family: what models write beside what their chat templates do.

A row says it in the terms of `turns` and `calls`; there is no other place that knows a family. The names are those of
the analysis' `specialized`; where that has none, a family is known by texts in the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .calls import Calls, Shape
from .gaps import DIGITS, KEY, NAME, VALUE, WORD

THINK: Final = ("<think>", "</think>")


@dataclass(frozen=True, slots=True)
class Family:
    """`reasoning`, `content`: the markers around them; `calls`: how they are written, or for where no render shows any.

    `named_in`: texts that its chat templates have. `calls_end_reasoning`: a call in reasoning ends it.
    `end_may_be_missing`: the next call ends one that has no end. `id_is_header`: the id is the text around the name.
    `ends`: any of them may end reasoning and answer. `parts_repeat`: there may be several pieces of reasoning.
    `patterns`: opens, by field, and the start anchor; `call_mark`: a pattern for what a call begins with.
    """

    named_in: tuple[str, ...] = ()
    reasoning: tuple[str, str] | None = None
    reasoning_if_unseen: tuple[str, str] | None = None
    content: tuple[str, str] | None = None
    calls: Calls | None = None
    calls_if_unseen: Calls | None = None
    calls_end_reasoning: bool = False
    end_may_be_missing: bool = False
    id_is_header: bool = False
    ends: tuple[str, ...] = ()
    parts_repeat: bool = False
    patterns: Mapping[str, str] = field(default_factory=dict)
    call_mark: str = ""


FAMILIES: Final[Mapping[str, Family]] = {
    "GPT-OSS": Family(
        ends=("<|end|>", "<|return|>", "<|call|>"),
        parts_repeat=True,
        patterns={
            "start_anchor": r"<\|start\|>(?!assistant).*?<\|start\|>assistant",
            "content": r"(?:\A|<\|start\|>assistant)<\|channel\|>(?:final|commentary)<\|message\|>",
            "tool_calls": r"to=functions\.(?P<name>[^\s<]+)[^<]*(?:<\|(?:channel|constrain)\|>[^<]*)*<\|message\|>",
        },
    ),
    "Muse Glimmer": Family(ends=("<|eom|>", "<|eot|>"), parts_repeat=True),
    "Kimi K2 Thinking": Family(
        reasoning_if_unseen=THINK, calls_end_reasoning=True, end_may_be_missing=True, id_is_header=True
    ),
    "Kimi K3": Family(
        reasoning=("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
        content=("<|open|>response<|sep|>", "<|close|>response<|sep|>"),
        calls=Calls(
            Shape.TAGGED,
            start=f'<|open|>call tool="{NAME}" index="{DIGITS}"<|sep|>',
            end="<|close|>call<|sep|>",
            tag=f'<|open|>argument key="{KEY}" type="{WORD}"<|sep|>{VALUE}<|close|>argument<|sep|>',
            typed_beside=True,
        ),
    ),
    "LFM2": Family(calls_if_unseen=Calls(Shape.PYTHON, "<|tool_call_start|>", "<|tool_call_end|>")),
    "LFM2.5": Family(calls_if_unseen=Calls(Shape.PYTHON, "<|tool_call_start|>", "<|tool_call_end|>")),
    "Functionary v3.2": Family(
        content=(">>>all\n", ""),
        patterns={"tool_calls": r">>>(?!all\n)(?P<name>[\w.-]+)\n"},
        call_mark=r">>>[\w.-]+\n",
    ),
    "Gemma 4": Family(reasoning_if_unseen=("<|channel>thought", "<channel|>")),
    "Ling 3.0 (Bailing V3)": Family(calls_end_reasoning=True),
    "Qwen3-Coder": Family(calls_end_reasoning=True),
    "Apertus": Family(
        named_in=("<|inner_prefix|>", "<|inner_suffix|>"),
        reasoning_if_unseen=("<|inner_prefix|>", "<|inner_suffix|>"),
        calls_end_reasoning=True,
    ),
    "Granite 3.3": Family(
        named_in=("respond only with <|tool_call|> followed by a JSON list",),
        calls_if_unseen=Calls(Shape.LIST, "<|tool_call|>", name=("name",), arguments=("arguments",)),
    ),
    "SmolLM3": Family(
        named_in=("xml_tools", "python_tools"),
        calls_if_unseen=Calls(Shape.OBJECT, "<tool_call>", "</tool_call>", name=("name",), arguments=("arguments",)),
    ),
}


def family(name: str | None, source: str) -> Family:
    """The row of a family; an empty one for those that have none."""
    named = (row for row in FAMILIES.values() if row.named_in and all(text in source for text in row.named_in))
    return FAMILIES.get(name or "") or next(named, Family())
