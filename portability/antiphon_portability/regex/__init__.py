"""Patterns of response templates, taken to any engine: the one way in.

    pattern = parse(r"</think>\\s*")               # a tree; refuses what has no meaning in a stream (`PatternError`)
    streaming = may_match(pattern)                # the same search, on a text whose end is still to come
    emitted = emit(streaming, "re")               # source and flags for one engine (`EngineError` if it can't)
    translate(r"</think>\\s*", "java", "hit-end")  # all of this, with a verdict on how far it can be trusted

Stages, one module each: `parser` → `nodes` → `analysis`, `hit_end` → `lower` → `emit`; `engines` and `notes` are data.
"""

from .analysis import captures, context_length, features, first_chars, nullable, passed_by, width
from .emit import Emitted, emit
from .engines import ENGINES
from .errors import EngineError, PatternError
from .exactness import Exactness, exactness
from .hit_end import may_match, must_match
from .nodes import Node, Pattern
from .notes import Note
from .parser import parse
from .translate import TARGETS, Translation, translate

__all__ = [
    "ENGINES",
    "TARGETS",
    "Emitted",
    "EngineError",
    "Exactness",
    "Node",
    "Note",
    "Pattern",
    "PatternError",
    "Translation",
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
    "passed_by",
    "translate",
    "width",
]
