"""How much the random tests of this folder try."""

import os

FUZZ = float(os.environ.get("ANTIPHON_FUZZ", "1"))
"""A multiplier: 1 in CI, more for a campaign."""


def rounds(number: int) -> int:
    return max(1, int(number * FUZZ))
