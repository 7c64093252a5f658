"""Names of a message's fields: those that chat templates read, and those that are often written for them."""

from __future__ import annotations

from typing import Final

REASONING_KEYS: Final = ("reasoning_content", "thinking", "reasoning")
"""Names for the same thing, the usual one first.

transformers 5.24 fills each from the others before it renders a chat template.
"""

ALIASES: Final = {
    "reasoning_content": (
        "thinking", "reasoning", "thoughts", "thought", "think", "analysis", "cot", "chain_of_thought",
        "thinking_content", "reasoning_text", "reasoningContent",
    ),
    "content": ("text", "answer", "response", "message", "final", "output", "contents"),
    "tool_calls": ("tool_call", "tools", "tool", "function_call", "function_calls", "functions", "calls", "toolCalls"),
}  # fmt: skip


def usual(name: str) -> str | None:
    """The name that chat templates read for what `name` seems to be; None if it's no near miss."""
    folded = name.replace("-", "_")
    for known, others in ALIASES.items():
        if folded != known and (folded in others or folded.lower() in (known, *others)):
            return known
    return None
