"""Trees in the terms of one engine: what it lacks is said by what it has. Tree in, tree out; the meaning stays.

`prepare` runs before the hit-end rewrite, on what the template's author wrote; `lower` runs on the tree to be written,
rewritten or not. One module for each kind of construct; README.md has the table. Both add what they did to `said`, as
keys of `notes.NOTES`, and raise `EngineError`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from ..analysis import captures, references, walk
from ..engines import Engine
from ..nodes import Atomic, Node, Pattern, Repeat
from .atomics import by_lookahead, without_atomics, without_possessive
from .groups import with_known_groups
from .lookbehinds import with_plain_lookbehinds
from .loops import without_empty_iterations, without_lazy_iterations_at_end
from .simplify import simplified, without_absent_groups, without_lost_groups
from .tails import with_positive_lookaheads, with_tails
from .work import Work, refusal

__all__ = ["lower", "prepare", "refusal"]


def prepare(pattern: Pattern, engine: Engine, said: set[str]) -> Pattern:
    """`pattern` without what must be gone before the rewrite copies and extends it."""
    work = _work(pattern, engine, said)
    root = simplified(pattern.root)
    if not engine.native_classes:
        root = without_empty_iterations(root, work)
    if engine.atomic is None:
        root = without_atomics(root, work)
    if not engine.lookahead:
        root = with_positive_lookaheads(root)
    return replace(pattern, root=root)


def lower(pattern: Pattern, engine: Engine, said: set[str]) -> Node:
    """The root of `pattern` as `engine` can have it. Groups that it adds have numbers above the pattern's own."""
    work = _work(pattern, engine, said)
    root = without_absent_groups(without_lost_groups(simplified(pattern.root), work))
    if not engine.possessive and any(isinstance(node, Repeat) and node.mode == "possessive" for node in walk(root)):
        root = without_possessive(root, work)
    if engine.lookbehind != "any":
        root = with_plain_lookbehinds(root, work)
    if engine.atomic == "by lookahead" and any(isinstance(node, Atomic) for node in walk(root)):
        root = by_lookahead(root, work)
    if not engine.empty_lazy_iterations:
        root = without_lazy_iterations_at_end(root)
    if not (engine.unset_group_fails and engine.conditional):
        root = with_known_groups(root, work)
    if not engine.lookahead:
        root = with_tails(root, work)
    return root


def _work(pattern: Pattern, engine: Engine, said: set[str]) -> Work:
    kept = references(pattern.root) | frozenset(pattern.names.values())
    highest = max((group.number for group in captures(pattern.root)), default=0)
    return Work(engine, kept, said, count(max(highest, pattern.group_count) + 1))
