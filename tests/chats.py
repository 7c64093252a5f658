"""Small chat templates for round trips, and a response template that understands them."""

from __future__ import annotations

from typing import Any, Final

TURN: Final = (
    "{% if message.reasoning_content %}<think>{{ message.reasoning_content }}</think>{% endif %}{{ message.content }}"
    "{% for call in message.tool_calls or [] %}<call>{{ call.id }}|{{ call.function | tojson }}</call>{% endfor %}"
    "<end>\n"
)


def chat(turn: str = TURN, prompt: str = "<assistant>", before: str = "") -> str:
    """A chat template that writes the assistant's turns by `turn`, and behind the last message `prompt`."""
    return (
        f"{before}{{% for message in messages %}}<{{{{ message.role }}}}>{{% if message.role == 'assistant' %}}{turn}"
        "{% else %}{{ message.content }}<end>\n{% endif %}{% endfor %}"
        f"{{% if add_generation_prompt %}}{prompt}{{% endif %}}"
    )


PLAIN: Final = chat()
TEMPLATE: Final[dict[str, Any]] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<assistant>",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close": "</think>",
            "content": "text",
            "content_args": {"strip": False},
        },
        "tool_calls": {
            "open_pattern": r"<call>(?P<id>\w*)\|",
            "close": "</call>",
            "content": "json",
            "repeats": True,
            "transform": {"type": "function", "id": "{id}", "function": "{content}"},
        },
        "content": {"close": "<end>", "content": "text", "content_args": {"strip": False}},
    },
}
"""What comes back of `PLAIN` is exact in every feature."""
