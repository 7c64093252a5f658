"""Sizes of randomised tests."""

from __future__ import annotations

import os


def examples(count: int) -> int:
    """A number of examples, multiplied by the environment's ANTIPHON_FUZZ (`make fuzz`)."""
    return max(1, int(count * float(os.environ.get("ANTIPHON_FUZZ", "1"))))
