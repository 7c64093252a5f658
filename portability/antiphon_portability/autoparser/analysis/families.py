"""Chat templates for whose models llama.cpp has a parser written by hand, known by texts in their source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Family:
    """The source has all of `has` and none of `lacks`."""

    name: str
    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    has_one_of: tuple[str, ...] = ("",)

    def is_of(self, source: str) -> bool:
        return (
            all(text in source for text in self.has)
            and any(text in source for text in self.has_one_of)
            and not any(text in source for text in self.lacks)
        )


FAMILIES: Final = (
    Family("Ministral/Magistral Large 3", ("[SYSTEM_PROMPT]", "[TOOL_CALLS]", "[ARGS]"), ("[CALL_ID]",)),
    Family("GPT-OSS", ("<|channel|>",)),
    Family("Muse Glimmer", ("<atem:function_calls>", "<|eom|>")),
    Family("Functionary v3.2", (">>>all", ">>>${recipient}")),
    Family("Kimi K2 Thinking", ("<|tool_calls_section_begin|>", "<|tool_call_begin|>")),
    Family("Kimi K3", ("<|open|>", "<|close|>", "<|end_of_msg|>")),
    Family("Ling 3.0 (Bailing V3)", ("<role>ASSISTANT</role>", "<arg_key>")),
    Family("Cohere2 MoE", ("<|START_TEXT|>", "<|START_ACTION|>")),
    Family("LFM2", ("<|tool_list_start|>", "<|tool_list_end|>")),
    Family("LFM2.5", ("List of tools: [",), ("<|tool_list_start|>",)),
    Family("GigaChat V3", ("<|role_sep|>", "<|message_sep|>"), ("<|function_call|>",)),
    Family("MiniMax-M3", ("]<]minimax[>[", "<tool_call>", "<invoke name=")),
    Family("DeepSeek V3.2/V4", ("dsml_token", "DSML"), has_one_of=("function_calls", "tool_calls")),
    Family("Gemma 4", ("'<|tool_call>call:'",)),
    Family("MiniCPM5", ("Tool usage guidelines:", '<function name="', '<param name="')),
    Family(
        "Qwen3-Coder",
        ("<tool_call>", "<function=", "<parameter="),
        ("'<tool_call><function=' ~ tool_call.name ~ '>'",),
    ),
)
"""In the order in which they are tried."""


def family(source: str) -> str | None:
    """The first that the source is of."""
    return next((one.name for one in FAMILIES if one.is_of(source)), None)
