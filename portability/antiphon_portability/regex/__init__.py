"""Patterns of response templates, taken to any engine: the one way in.

    pattern = parse(r"</think>\\s*")               # a tree; refuses what has no meaning in a stream (`PatternError`)
    streaming = may_match(pattern)                # the same search, on a text whose end is still to come
    emitted = emit(streaming, "re")               # source and flags for one engine (`EngineError` if it can't)

Stages, one module each: `parser` → `nodes` → `analysis`, `hit_end` → `emit`. Nothing here runs a pattern.
"""

from .analysis import captures, context_length, features, first_chars, nullable, width
from .emit import ENGINES, Emitted, emit
from .errors import EngineError, PatternError
from .exactness import Exactness, exactness
from .hit_end import may_match, must_match
from .nodes import Node, Pattern
from .parser import parse

__all__ = [
    "ENGINES",
    "Emitted",
    "EngineError",
    "Exactness",
    "Node",
    "Pattern",
    "PatternError",
    "captures",
    "context_length",
    "emit",
    "exactness",
    "features",
    "first_chars",
    "may_match",
    "must_match",
    "nullable",
    "parse",
    "width",
]
