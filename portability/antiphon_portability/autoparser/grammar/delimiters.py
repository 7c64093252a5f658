"""The delimiters of a response template's region, as expressions: how it opens, and how it closes.

What can't be turned into a grammar is a GrammarError with the pattern's JSON Pointer. A lookaround is settled where
what stands beside it surely fits it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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

_LEAST_MARK: Final = 2
"""Code points of the shortest text that says that calls begin; a single one would stand in any answer."""

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
    items = list(expression.items) if isinstance(expression, Sequence) else [expression]
    for index, item in enumerate(items):
        behind = sequence(*items[index + 1 :])
        match item:
            case Text(text) if len(text.strip()) >= _LEAST_MARK:
                return (text.lstrip(),), sequence(text.lstrip(), behind)
            case Text(text) if text.strip():
                return (), expression
            case Repeat(body, 0, 1) if begins := lead(body, wanted)[0]:
                if not all(map(wanted, begins)):
                    continue
                more, rest = lead(behind, wanted)
                begun = sequence(lead(body, wanted)[1], behind)
                return ((*begins, *more), choice(begun, rest)) if more else ((), expression)
            case Choice(options):
                found = [lead(option, wanted) for option in options]
                if not all(triggers for triggers, _ in found):
                    return (), expression
                listed = tuple(dict.fromkeys(trigger for triggers, _ in found for trigger in triggers))
                return listed, sequence(choice(*(rest for _, rest in found)), behind)
            case Chars() | Text() | Repeat():
                continue
            case _:
                break
    return (), expression


def opened_tags(delimiter: Delimiter) -> list[str]:
    """The names of the tags that an open has in it, in their order: `<tool_call>` and `<function=`."""
    written = "\0".join(text for option in delimiter.options for text in all_texts(option))
    return list(dict.fromkeys(_TAG.findall(written)))


def all_texts(node: nodes.Node) -> list[str]:
    """All runs of characters of a pattern, from left to right."""
    found: list[str] = [""]
    for part in patterns.items(node):
        match part:
            case nodes.Char(code):
                found[-1] += chr(code)
            case nodes.Capture(body) | nodes.Repeat(body) | nodes.Atomic(body):
                found += [*all_texts(body), ""]
            case nodes.Alternation(options):
                found += [*(text for option in options for text in all_texts(option)), ""]
            case nodes.Sequence():
                found += [*all_texts(part), ""]
            case _:
                found.append("")
    return [run for run in found if run]
