"""Values in the reasons of findings: JSON on one line, the middle left out where it is long."""

from __future__ import annotations

import json
from typing import Any, Final

LONGEST: Final = 160


def show(value: Any, longest: int = LONGEST) -> str:
    """A value as JSON; controls are escaped, other characters stand as they are."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest // 2]}…{text[-(longest // 2) :]}"
