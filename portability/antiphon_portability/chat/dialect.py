"""Whose rendering is meant."""

from __future__ import annotations

from enum import StrEnum


class Dialect(StrEnum):
    HUGGING_FACE = "hugging-face"
    """As transformers renders: what is absent is None, an unknown name prints nothing, a fault is a fault."""
    LENIENT = "lenient"
    """Nearly as llama.cpp does: what is absent is undefined, None prints nothing, undefined has any member."""
