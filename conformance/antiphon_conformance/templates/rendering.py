"""What to do about a chat template that gives no text."""

from __future__ import annotations

from typing import Final

from antiphon_portability.chat import Dialect

_IN_EITHER: Final = ("TemplateSyntaxError", "TemplateError")
"""How the reasons begin that hold in both dialects: faults of syntax, and what raise_exception says."""


def remedy(reason: str, tried: Dialect) -> str:
    """What to do where a chat template can't be rendered, for a reason, in the dialect that was tried."""
    if reason.startswith(_IN_EITHER):
        return "correct the chat template"
    other = Dialect.HUGGING_FACE if tried is Dialect.LENIENT else Dialect.LENIENT
    return f"correct the chat template, or try --dialect {other}"
