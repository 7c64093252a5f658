"""Texts that show how a translation differs: found by running two trees, the one wanted and the one that can be had.

They run on `regex` or, where that isn't installed, on `re`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from .analysis import children, with_children
from .emit import emit
from .errors import EngineError
from .nodes import Assertion, Node, Pattern
from .samples import samples

_MOST_TRIED: Final = 300  # texts
_MOST_SHOWN: Final = 2
_BESIDE: Final = ("", "é", "a", " ")  # what may stand beside a word boundary


def texts_that_differ_by_boundaries(pattern: Pattern) -> tuple[str, ...]:
    """Some short texts in which `pattern` finds something else if its word boundaries know ASCII only."""
    try:
        wanted, had = _search(pattern), _search(replace(pattern, root=_with_ascii_boundaries(pattern.root)))
    except EngineError:
        return ()
    found = [text for text in _candidates(pattern.root) if wanted(text) != had(text)]
    return tuple(sorted(found, key=len)[:_MOST_SHOWN])


def _with_ascii_boundaries(node: Node) -> Node:
    if isinstance(node, Assertion) and node.at.endswith("word-boundary"):
        return Assertion(node.at, ascii=True)
    return with_children(node, tuple(map(_with_ascii_boundaries, children(node))))


def _candidates(root: Node) -> Iterator[str]:
    texts: dict[str, None] = {}
    for text in samples(root):
        beside = [before + text + after for before in _BESIDE for after in _BESIDE]
        within = [text[:place] + other + text[place:] for place in range(1, len(text)) for other in _BESIDE]
        texts |= dict.fromkeys([*beside, *within])
    yield from list(texts)[:_MOST_TRIED]


def _search(pattern: Pattern) -> Callable[[str], Any]:
    try:
        engine: Any = importlib.import_module("regex")
    except ImportError:
        engine = importlib.import_module("re")
    emitted = emit(pattern, engine.__name__)
    compiled = engine.compile(emitted.source)
    limit = {"timeout": 0.1} if engine.__name__ == "regex" else {}

    def outcome(text: str) -> Any:
        try:
            match = compiled.search(text, **limit)
        except TimeoutError:
            return None
        if match is None:
            return None
        if any(match.start(marker) >= 0 for marker in emitted.markers):
            return match.start()
        return match.span(), {name: match.span(name) for name in emitted.groups}

    return outcome
