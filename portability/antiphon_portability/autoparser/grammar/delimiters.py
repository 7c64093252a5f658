"""The delimiters of a response template's region, as expressions: how it opens, and how it closes.

What can't be turned into a grammar is a GrammarError with the pattern's JSON Pointer. A lookaround is settled where
what stands beside it surely fits it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import Any, Final

from antiphon.pointer import pointer

from antiphon_portability.autoparser.grammar import automata, patterns
from antiphon_portability.autoparser.grammar.errors import GrammarError
from antiphon_portability.autoparser.grammar.expressions import (
    Chars,
    Choice,
    Expression,
    Repeat,
    Rules,
    Sequence,
    Text,
    certain_end,
    certain_start,
    choice,
    sequence,
)
from antiphon_portability.regex import nodes
from antiphon_portability.regex.codepoints import Ranges

_LEAST_MARK: Final = 2
"""Code points of the shortest text that says that calls begin; a single one would stand in any answer."""

_MOST_CHARS: Final = 4
"""How many characters of a set begin a mark each for itself."""
_MOST_WAYS: Final = 64
_TAG: Final = re.compile(r"<([^\s<>/=\"|\0]+)")


@dataclass(frozen=True)
class Delimiter:
    """An end of a field: its options, as trees; `place` is its JSON Pointer."""

    options: tuple[nodes.Node, ...]
    place: str

    def fail(self, problem: str) -> GrammarError:
        return GrammarError(self.place, problem)


def read(field: Mapping[str, Any], name: str, end: str) -> Delimiter | None:
    """The `end` (open or close) of a field of a template that loads; None where it has none."""
    if f"{end}_pattern" in field:
        place = pointer("fields", name, f"{end}_pattern")
        return Delimiter(patterns.options(patterns.parsed(field[f"{end}_pattern"]).root), place)
    if end not in field:
        return None
    texts = [field[end]] if isinstance(field[end], str) else field[end]
    characters = [nodes.Sequence(tuple(nodes.Char(ord(char)) for char in text)) for text in dict.fromkeys(texts)]
    return Delimiter(tuple(characters), pointer("fields", name, end))


def settled(parts: Iterable[Expression | nodes.Look], rules: Rules, place: str) -> Expression:
    """Parts one after the other, whose lookarounds surely hold. Raises GrammarError."""
    listed = list(parts)
    for index, part in enumerate(listed):
        if isinstance(part, nodes.Look):
            beside = listed[index + 1 :] if part.ahead else listed[:index]
            around = sequence(*(one for one in beside if not isinstance(one, nodes.Look)))
            if not _holds(part, around, rules):
                problem = "has a lookaround that a grammar can't follow; write what stands there as part of the pattern"
                raise GrammarError(place, problem)
    return sequence(*(part for part in listed if not isinstance(part, nodes.Look)))


def _holds(look: nodes.Look, around: Expression, rules: Rules) -> bool:
    """Whether a lookaround surely holds beside an expression."""
    try:
        machine = automata.of(patterns.of(look.body, None, {}))
    except (patterns.NotRegular, automata.TooLarge):
        return False
    if look.ahead:
        found = machine.begins(certain_start(around, rules.bodies))
        return found is (not look.negated)
    text = certain_end(around, rules.bodies)
    taken = any(machine.takes(text[start:]) for start in range(len(text) + 1))
    return taken and not look.negated


# -- texts that have to stand in an option


def texts(node: nodes.Node) -> list[str]:
    """The texts that stand in each match of an option, the longest runs of characters that it has."""
    runs = [""]
    for part in patterns.items(node):
        if isinstance(part, nodes.Char) and not part.ignore_case:
            runs[-1] += chr(part.code)
        elif isinstance(part, nodes.Capture | nodes.Sequence):
            inner = texts(part.body if isinstance(part, nodes.Capture) else part)
            runs += [*inner, ""]
        elif not isinstance(part, nodes.Look):
            runs.append("")
    return [run for run in runs if run]


def text_behind(parts: Iterable[nodes.Node], part: nodes.Node) -> str:
    """The text directly behind a part of a sequence; empty where it isn't one of these."""
    _, *behind = dropwhile(lambda one: one is not part, [*parts, part])
    return "".join(chr(one.code) for one in takewhile(_is_char, behind) if isinstance(one, nodes.Char))


def _is_char(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Char)


def core(option: nodes.Node, delimiter: Delimiter) -> tuple[str, ...]:
    """Texts of which one stands in each match of an option: what has to be kept out of the text before it.

    Options within an option are looked into. Raises GrammarError where there is none.
    """
    longest = max(texts(option), key=len, default="")
    if len(longest.strip()) >= _LEAST_MARK:
        return (longest.strip(),)
    for part in patterns.items(option):
        body = part.body if isinstance(part, nodes.Look | nodes.Capture) else part
        if isinstance(part, nodes.Look) and (part.negated or not part.ahead):
            continue
        if isinstance(body, nodes.Alternation):
            return tuple(text for inner in body.options for text in core(inner, delimiter))
        if isinstance(part, nodes.Look):
            return core(body, delimiter)
    if longest.strip():
        return (longest.strip(),)
    raise delimiter.fail(
        "has an option without a text of its own, so nothing can be kept clear of it; write one into it"
    )


# -- where calls begin


def lead(
    expression: Expression, wanted: Callable[[str], bool] = lambda text: True
) -> tuple[tuple[str, ...], Expression]:
    """The texts by which an expression begins, and what is left of it from there on.

    What may come before them, such as white space or a text that isn't wanted, is cut off. No texts: it can begin by
    any.
    """
    first, *rest = expression.items if isinstance(expression, Sequence) else (expression,)
    behind = sequence(*rest)
    match first:
        case Text(text) if len(text.strip()) >= _LEAST_MARK:
            return (text,), expression
        case Chars(ranges) if rest and _size(ranges) <= _MOST_CHARS:
            written = [chr(code) for low, high in ranges for code in range(low, high + 1)]
            return lead(Choice(tuple(sequence(char, behind) for char in written)), wanted)
        case Choice(options):
            found = [lead(sequence(option, behind), wanted) for option in options]
            if not all(triggers for triggers, _ in found):
                return (), expression
            return _distinct(triggers for triggers, _ in found), choice(*(left for _, left in found))
        case Repeat(body, 0, 1) if rest:
            begins, begun = lead(sequence(body, behind), wanted)
            more, left = lead(behind, wanted)
            if not more:
                return (), expression
            if not begins or not all(map(wanted, begins)):
                return more, left  # what may come before is cut off
            return _distinct((begins, more)), choice(begun, left)
        case Repeat(_, 0, _) if rest:
            return lead(behind, wanted)
    return (), expression


def _size(ranges: Ranges) -> int:
    return sum(last - first + 1 for first, last in ranges)


def _distinct(texts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for some in texts for text in some))


def opened_tags(delimiter: Delimiter) -> list[str]:
    """The names of the tags that an open has in it, in their order: `<tool_call>` and `<function=`."""
    pieces = "\0".join(way for option in delimiter.options for way in written(option))
    return list(dict.fromkeys(_TAG.findall(pieces)))


def written(node: nodes.Node) -> list[str]:
    """The ways in which a pattern's texts are written, with NUL for what isn't a text; some of them, if they are many.

    What may be missing is there.
    """
    match node:
        case nodes.Char(code):
            return [chr(code)]
        case nodes.Capture(body) | nodes.Atomic(body):
            return written(body)
        case nodes.Repeat(body):
            return [f"\0{way}\0" for way in written(body)]
        case nodes.Alternation(options):
            return [way for option in options for way in written(option)]
        case nodes.Sequence(items):
            ways = [""]
            for item in items:
                ways = [way + more for way in ways for more in written(item)][:_MOST_WAYS]
            return ways
    return ["\0"]
