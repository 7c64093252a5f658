"""The regex engine: mrab's `regex` where it is installed, else the standard library's `re` (SPEC.md, section 11).

Patterns are never handed to an engine as they stand: they are parsed, and emitted for the engine at hand, so that both
give the same results. The three-valued search is a rewrite of the same tree (SPEC.md, section 4).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from antiphon_portability.regex import EngineError, Pattern, emit, parse

try:
    _engine: Any = importlib.import_module("regex")
except ImportError:  # fewer constructs (DIALECT-3)
    _engine = importlib.import_module("re")

ENGINE: Final[str] = _engine.__name__
_FLAGS: Final[int] = getattr(_engine, "V0", 0)


@dataclass(frozen=True, slots=True)
class Found:
    """A match: where it begins and ends (code points), its named captures, whether it depends on text to come."""

    start: int
    end: int
    captures: Mapping[str, str]
    undecided: bool


class Matcher:
    """One tree, compiled for the engine at hand; raises `EngineError` for what that engine can't do."""

    def __init__(self, pattern: Pattern) -> None:
        emitted = emit(pattern, ENGINE)
        try:
            self._compiled: Any = _engine.compile(emitted.source, _FLAGS)
        except (_engine.error, OverflowError, MemoryError, RecursionError) as error:
            raise EngineError(ENGINE, "size", f"this pattern ({error})", "make it shorter or simpler") from None
        self._groups = {target: name for target, name in emitted.groups.items() if isinstance(name, str)}
        self._markers = emitted.markers

    def search(self, text: str, pos: int) -> Found | None:
        """The leftmost match that begins at `pos` or later; what lies before `pos` can be seen, but isn't matched."""
        return self._found(self._compiled.search(text, pos)) if pos <= len(text) else None

    def match(self, text: str, pos: int) -> Found | None:
        """The match that begins at `pos`."""
        return self._found(self._compiled.match(text, pos)) if pos <= len(text) else None

    def _found(self, match: Any) -> Found | None:
        if match is None:
            return None
        captures = {name: match[group] for group, name in self._groups.items() if match[group] is not None}
        undecided = any(match.start(marker) >= 0 for marker in self._markers)
        return Found(match.start(), match.end(), captures, undecided)


def compile_plain(source: str) -> Matcher:
    """A pattern of the dialect for complete texts; raises `PatternError` or `EngineError`."""
    return Matcher(parse(source))
