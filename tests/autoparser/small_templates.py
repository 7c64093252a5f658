"""Chat templates of a few words, made of the ways in which parts of a message are written."""

from __future__ import annotations

from typing import Final


def chat(answer: str = "{{ m.content }}", prompt: str = "<bot>", start: str = "") -> str:
    """What stands in the assistant's turn, behind a question, and before all."""
    turns = (
        f"{{% if m.role == 'assistant' %}}<bot>{answer}</bot>{{% else %}}<user>{{{{ m.content }}}}</user>{{% endif %}}"
    )
    return f"{start}{{% for m in messages %}}{turns}{{% endfor %}}{{% if add_generation_prompt %}}{prompt}{{% endif %}}"


def calls(each: str, before: str = "", behind: str = "", between: str = "") -> str:
    """How calls are written, behind the content; `c` is the call, `f` its function."""
    parted = f"{{% if not loop.last %}}{between}{{% endif %}}"
    loop = f"{{% for c in m.tool_calls %}}{{% set f = c.function %}}{each}{parted}{{% endfor %}}"
    return chat(f"{{{{ m.content }}}}{{% if m.tool_calls %}}{before}{loop}{behind}{{% endif %}}")


def pairs(each: str) -> str:
    """How arguments are written; `k` and `v`."""
    return f"{{% for k, v in f.arguments | items %}}{each}{{% endfor %}}"


THINK: Final = "{% if m.reasoning_content %}<think>\n{{ m.reasoning_content }}\n</think>\n{% endif %}"
JSON: Final = '{"name": {{ f.name | tojson }}, "arguments": {{ f.arguments | tojson }}}'
