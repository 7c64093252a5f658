"""Constructors that leave out what means nothing: nested sequences, options that never match, repeats of one."""

from __future__ import annotations

from .nodes import EMPTY, Alternation, Never, Node, Repeat, RepeatMode, Sequence


def times(node: Node, least: int, most: int | None = None, mode: RepeatMode = "greedy") -> Node:
    """`node` `least` to `most` times (by default `least` times)."""
    most = least if most is None else most
    if (least, most) == (1, 1):
        return node
    return Repeat(node, least, most, mode) if most else EMPTY


def ordered(mode: RepeatMode, more: Node, fewer: Node) -> Node:
    return Alternation((fewer, more) if mode == "lazy" else (more, fewer))


def either(*options: Node) -> Node:
    possible = tuple(option for option in options if option != Never())
    if not possible:
        return Never()
    return possible[0] if len(possible) == 1 else Alternation(possible)


def sequence(*items: Node) -> Node:
    """The items as one sequence, flattened."""
    flat: list[Node] = []
    for item in items:
        flat += item.items if isinstance(item, Sequence) else (item,)
    if Never() in flat:
        return Never()
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))
