"""Values in the texts of findings: JSON on one line, the middle left out where it is long; and errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import antiphon

LONGEST: Final = 160  # code points of a value that is shown whole


def show(value: Any, longest: int = LONGEST) -> str:
    """A value as JSON; controls are escaped, other characters stand as they are."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest // 2]}…{text[-(longest // 2) :]}"


def show_message(message: Mapping[str, Any] | antiphon.ParseError) -> str:
    """What came of a text: its message, or the error instead of one."""
    return show(message) if isinstance(message, Mapping) else show_error(message.kind, message.field)


def show_error(kind: str, field: str | None) -> str:
    """An error in the place of a message."""
    return f"an error: {kind} in {field}"
