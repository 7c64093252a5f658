"""Settings with which chat templates are rendered: whether the model is to think, and what is kept of its thoughts.

Chat templates call them by many names; one that doesn't know a name doesn't look at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from antiphon_portability.autoparser.analysis.capabilities import KEPT

_KEPT: Final = {**KEPT, "preserve_reasoning": True, "keep_past_thinking": True}
ON: Final = {"enable_thinking": True, "thinking": True}
OFF: Final = {"enable_thinking": False, "thinking": False}
"""Whether the model is to think."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Variables of the chat template; `followed`: a user's turn comes behind, so that the last turn isn't the last."""

    variables: Mapping[str, Any] = field(default_factory=dict)
    followed: bool = False


PLAIN: Final = Setting()
_FOLLOWED: Final = Setting(followed=True)
THINKING: Final[tuple[Setting, ...]] = (
    PLAIN,
    Setting(ON),
    Setting(_KEPT),
    Setting({**ON, **_KEPT}),
    Setting({**ON, "reasoning_effort": "high"}),
    _FOLLOWED,
)
"""For turns with reasoning: the chat template's own, then those by which more of it may be written."""
NOT_THINKING: Final[tuple[Setting, ...]] = (PLAIN, Setting(OFF), Setting(ON), _FOLLOWED)
"""For turns without."""
