"""What is left of a grammar behind a text: whether it has the text, and what may follow one that it begins with.

For checks before a grammar is given away, and for what a prompt has already begun; not for decoding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from antiphon_portability.autoparser.grammar.errors import ToolsError
from antiphon_portability.autoparser.grammar.expressions import (
    NOTHING,
    Chars,
    Choice,
    Expression,
    Repeat,
    Rule,
    Sequence,
    Text,
    choice,
    sequence,
)

_MOST_STACKS: Final = 20_000
"""How many ways to go on are kept at once; what needs more is refused."""

Stack: TypeAlias = "tuple[Expression, Stack] | None"
"""What is still to come, the next first."""


def takes(bodies: Mapping[str, Expression], text: str) -> bool:
    """Whether `root` has this text."""
    return None in _behind(bodies, text)


def behind(bodies: Mapping[str, Expression], text: str) -> Expression:
    """What may follow a text in the texts of `root` that begin with it; nothing fits, if none does."""
    return choice(*(sequence(*_items(stack)) for stack in _behind(bodies, text)))


def _items(stack: Stack) -> Iterator[Expression]:
    while stack is not None:
        item, stack = stack
        yield item


def _behind(bodies: Mapping[str, Expression], text: str) -> dict[Stack, None]:
    stacks = _ready([(bodies["root"], None)], bodies)
    for char in text:
        stacks = _ready((_after(stack, char) for stack in stacks if stack and _begins(stack[0], char)), bodies)
    return stacks


def _begins(leaf: Expression, char: str) -> bool:
    if isinstance(leaf, Text):
        return leaf.text[0] == char
    return isinstance(leaf, Chars) and any(first <= ord(char) <= last for first, last in leaf.ranges)


def _after(stack: tuple[Expression, Stack], char: str) -> Stack:
    leaf, rest = stack
    return (Text(leaf.text[1:]), rest) if isinstance(leaf, Text) else rest


def _ready(stacks: Iterable[Stack], bodies: Mapping[str, Expression]) -> dict[Stack, None]:
    """The same, opened up until each has a text or a set of characters on top, or is empty."""
    found: dict[Stack, None] = {}
    seen: set[Stack] = set()
    left = list(stacks)
    while left:
        stack = left.pop()
        if stack in seen:
            continue
        seen.add(stack)
        if len(seen) > _MOST_STACKS:
            raise ToolsError("", "the grammar can go on in too many ways at once; take tools or enums out")
        if stack is None or isinstance(stack[0], Chars) or (isinstance(stack[0], Text) and stack[0] != NOTHING):
            found[stack] = None
        else:
            left += _opened(*stack, bodies)
    return found


def _opened(item: Expression, rest: Stack, bodies: Mapping[str, Expression]) -> Iterator[Stack]:
    """One level of what is on top of a stack."""
    match item:
        case Sequence(items):
            for one in reversed(items):
                rest = (one, rest)
            yield rest
        case Choice(options):
            yield from ((option, rest) for option in options)
        case Rule(name):
            yield (bodies[name], rest)
        case Repeat(body, least, most):
            if not least:
                yield rest
            if most != 0:
                again = Repeat(body, max(least - 1, 0), None if most is None else most - 1)
                yield (body, (again, rest))
        case Text():
            yield rest
