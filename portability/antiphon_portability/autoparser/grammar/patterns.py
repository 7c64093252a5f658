"""Patterns as expressions, as far as they are regular: what asks about the text around it isn't.

Lookarounds at the ends of an option are kept, for those who know what stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from antiphon_portability.autoparser.grammar import automata
from antiphon_portability.autoparser.grammar.expressions import (
    ANY,
    Chars,
    Choice,
    Expression,
    Repeat,
    Rule,
    Rules,
    Text,
    chars,
    choice,
    optional,
    sequence,
)
from antiphon_portability.autoparser.grammar.expressions import Sequence as Items
from antiphon_portability.regex import PatternError, nodes, parse
from antiphon_portability.regex.codepoints import Ranges, case_variants, complement, set_ranges, union

MOST_REPEATS: Final = 2_000
"""What a count may be at most: llama.cpp takes no more."""
ID_CHARS: Final = chars("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
ID: Final = Repeat(ID_CHARS, 1, 64)
"""A call's id, as a model makes one up."""
_INDENT: Final = 64
"""Blanks before a line, for eight levels of eight or sixteen of four; without an end a model could go on for ever."""
_SPACE: Final = nodes.Shorthand("space")


class NotRegular(Exception):
    """A construct that no grammar has, and what to write instead."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")


Groups: TypeAlias = Mapping[str, Expression]


def parsed(source: str) -> nodes.Pattern:
    """The tree of a pattern. Raises NotRegular for one that isn't of the dialect."""
    try:
        return parse(source)
    except PatternError as error:
        raise NotRegular(error.reason, error.remedy) from None


def options(node: nodes.Node) -> tuple[nodes.Node, ...]:
    """The alternatives of a whole pattern."""
    return node.options if isinstance(node, nodes.Alternation) else (node,)


def items(node: nodes.Node) -> tuple[nodes.Node, ...]:
    """The parts of a sequence, one after the other."""
    return node.items if isinstance(node, nodes.Sequence) else (node,)


def spaces(rules: Rules) -> Expression:
    """White space as models write it, or none. As much as is worth a loop, in which a model could go on for ever."""
    return Repeat(_some_space(rules), 0, 1)


def _some_space(rules: Rules) -> Rule:
    """A blank, a tab, or one or two line ends and an indent. Not the empty text, on which engines differ."""
    line_end = sequence(optional("\r"), "\n")
    return rules.add("space", choice(chars(" \t"), sequence(Repeat(line_end, 1, 2), Repeat(chars(" \t"), 0, _INDENT))))


def parts(option: nodes.Node, rules: Rules, groups: Groups) -> list[Expression | nodes.Look]:
    """An option of a pattern, with what `groups` have in the place of named groups; lookarounds stay between.

    A lazy loop over anything ends where the text behind it stands for the first time. Raises NotRegular.
    """
    found: list[Expression | nodes.Look] = []
    loop: _Loop | None = None
    taken: Ranges = ()  # what the group before would have taken, too
    for node in items(option):
        part = node if isinstance(node, nodes.Look) else of(node, rules, groups)
        if loop is not None and isinstance(part, Text):
            loop = _Loop(loop.not_first, loop.end + part.text)
            continue
        if loop is not None:
            found.append(loop.expression(rules))
            loop = None
        if is_anything(node):
            loop = _Loop(taken)
        else:
            found.append(part)
        taken = greedily_taken(node, groups)
    return [*found, loop.expression(rules)] if loop is not None else found


@dataclass(frozen=True, slots=True)
class _Loop:
    """A lazy loop over anything, and the text behind it. It can't begin with what the group before it takes."""

    not_first: Ranges
    end: str = ""

    def expression(self, rules: Rules) -> Expression:
        if not self.end:
            raise NotRegular("a loop over anything with no text behind it", "write the text that ends it")
        found = automata.up_to(self.end)
        if self.not_first:
            begun = sequence(Chars(complement(self.not_first)), Repeat(ANY, 0, None))
            found = automata.both(found, automata.of(begun))
        return automata.expression(found, rules, "until")


def greedily_taken(node: nodes.Node, groups: Groups) -> Ranges:
    """What a named group that `groups` has would take more of, if it came next."""
    loop = node.body if isinstance(node, nodes.Capture) and node.name in groups else None
    if not isinstance(loop, nodes.Repeat) or loop.mode == "lazy":
        return ()
    ranges = set_ranges(loop.body) if isinstance(loop.body, nodes.CharSet) else node_ranges(loop.body)
    return ranges or ()


_FIXED: Final = (nodes.Char, nodes.CharSet, nodes.AnyChar, nodes.Assertion, nodes.Backreference)
"""Parts that take what they take, whatever comes next."""


def taken_beside(parts: Iterable[nodes.Node]) -> Ranges | None:
    """The code points that the parts beside a text, the nearest first, would take of it; None if that can't be told."""
    found: Ranges = ()
    for part in parts:
        if isinstance(part, nodes.Look):
            continue
        if not isinstance(part, nodes.Repeat):
            return found if isinstance(part, _FIXED) else None
        ranges = set_ranges(part.body) if isinstance(part.body, nodes.CharSet) else node_ranges(part.body)
        if ranges is None:
            return None
        if part.least != part.most:
            found = union([*found, *ranges])
        if part.least:
            return found
    return found


def is_anything(node: nodes.Node) -> bool:
    """Whether a node is a lazy loop over anything: `.*?`."""
    lazy = isinstance(node, nodes.Repeat) and node.mode == "lazy" and not node.least and node.most is None
    return lazy and isinstance(node, nodes.Repeat) and node_ranges(node.body) == ANY.ranges


def at_end(option: nodes.Node) -> bool:
    """Whether an option matches at the end of the whole text only (`$` and the like)."""
    return _is_end(items(option)[-1]) if items(option) else False


def _is_end(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Assertion) and node.at in ("text-end", "final-end")


def of(node: nodes.Node, rules: Rules | None, groups: Groups) -> Expression:
    """A node as an expression. With rules, a loop over white space is `spaces`. Raises NotRegular."""
    match node:
        case nodes.Char() | nodes.CharSet() | nodes.AnyChar():
            return _one(node)
        case nodes.Sequence(parts):
            return sequence(*_sequence(parts, rules, groups))
        case nodes.Alternation(alternatives):
            return choice(*(of(alternative, rules, groups) for alternative in alternatives))
        case nodes.Capture(body, _, name):
            return groups[name] if name is not None and name in groups else of(body, rules, groups)
        case nodes.Repeat():
            return _repeat(node, rules, groups)
        case nodes.Backreference() | nodes.Conditional():
            raise NotRegular("it asks what a group took", "write the text out")
        case nodes.Look():
            raise NotRegular("a lookaround in the middle", "write what stands there as part of the pattern")
        case nodes.Assertion():
            raise NotRegular("it asks for a place in the text (^, $, \\b)", "write what stands there, or leave it out")
        case nodes.Atomic():
            raise NotRegular("an atomic group", "write (?:…), with options that exclude each other")
    raise NotRegular("a construct that isn't regular", "write it with characters, options and loops")


def _sequence(parts: tuple[nodes.Node, ...], rules: Rules | None, groups: Groups) -> list[Expression]:
    return [of(part, rules, groups) for part in parts]


def _one(node: nodes.Char | nodes.CharSet | nodes.AnyChar) -> Expression:
    if isinstance(node, nodes.Char):
        codes = (node.code, *(case_variants(node.code) if node.ignore_case else ()))
        return Chars(union((code, code) for code in codes)) if len(codes) > 1 else Text(chr(node.code))
    ranges = node_ranges(node)
    if ranges is None:
        raise NotRegular("a property that the tables of Unicode here don't have", "write the characters out")
    return Chars(ranges)


def node_ranges(node: nodes.Node) -> Ranges | None:
    """The code points that a leaf takes; None where that isn't known, or where it isn't a leaf."""
    match node:
        case nodes.Char(code):
            return ((code, code),)
        case nodes.CharSet():
            return set_ranges(_in_ascii(node))
        case nodes.AnyChar(newline):
            return ANY.ranges if newline else ((0, 9), (11, ANY.ranges[0][1]))
    return None


def _repeat(node: nodes.Repeat, rules: Rules | None, groups: Groups) -> Expression:
    if node.mode == "possessive":
        raise NotRegular("a possessive loop", "take the + behind the quantifier out")
    if rules is not None and _is_space(node):
        return spaces(rules) if node.least == 0 else _some_space(rules)
    body = of(node.body, rules, groups)
    if max(node.least, node.most or 0) > MOST_REPEATS:
        raise NotRegular(f"a loop of more than {MOST_REPEATS} rounds", "count lower, or not at all")
    if may_be_empty(body):
        if node.most != 1:
            raise NotRegular("a loop over what may be empty", "let its body take at least one character")
        return optional(body) if node.least == 0 else body
    return Repeat(body, node.least, node.most)


def _is_space(node: nodes.Node) -> bool:
    r"""Whether a node is a loop over white space, such as `\s*`."""
    if not isinstance(node, nodes.Repeat) or node.most is not None:
        return False
    ranges = node_ranges(node.body)
    return ranges is not None and ranges == node_ranges(nodes.CharSet((_SPACE,)))


def may_be_empty(expression: Expression) -> bool:
    """Whether an expression has the empty text; a rule counts as one that may."""
    match expression:
        case Text(text):
            return not text
        case Chars():
            return False
        case Items(parts):
            return all(map(may_be_empty, parts))
        case Choice(alternatives):
            return any(map(may_be_empty, alternatives))
        case Repeat(body, least):
            return least == 0 or may_be_empty(body)
    return True


def of_schema(source: str) -> Expression:
    """The texts in which a JSON Schema's `pattern` is found. Raises NotRegular."""
    tree = parsed(f"(?-s:{source})")
    return choice(*(_found(option) for option in options(tree.root)))


def _found(option: nodes.Node) -> Expression:
    parts = list(items(_in_ascii(option)))
    begins = bool(parts) and isinstance(parts[0], nodes.Assertion) and parts[0].at == "text-start"
    ends = len(parts) > int(begins) and _is_end(parts[-1])
    inner = of(nodes.Sequence(tuple(parts[int(begins) : len(parts) - int(ends)])), None, {})
    around = Repeat(ANY, 0, None)
    return sequence("" if begins else around, inner, "" if ends else around)


def _in_ascii(node: nodes.Node) -> Any:
    r"""The tree with `\d`, `\s` and `\w` in ASCII: what models write, and what every validator takes."""
    match node:
        case nodes.CharSet(members, False):
            return replace(node, items=tuple(map(_shorthand_in_ascii, members)))
        case nodes.Sequence(parts):
            return nodes.Sequence(tuple(map(_in_ascii, parts)))
        case nodes.Alternation(alternatives):
            return nodes.Alternation(tuple(map(_in_ascii, alternatives)))
        case nodes.Capture() | nodes.Repeat():
            return replace(node, body=_in_ascii(node.body))
    return node


def _shorthand_in_ascii(item: nodes.SetItem) -> nodes.SetItem:
    return replace(item, ascii=True) if isinstance(item, nodes.Shorthand) and not item.negated else item
