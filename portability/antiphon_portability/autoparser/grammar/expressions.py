"""Expressions of a grammar without a notation, and the rules that they refer to.

No notation is known here: `gbnf` and `xgrammar` write them. Rules never begin with themselves, and no loop goes round
over nothing; the engines that run grammars can do neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from antiphon_portability.autoparser.grammar.errors import Note, ToolsError
from antiphon_portability.regex.codepoints import LAST, Ranges, complement, union

MOST_RULES: Final = 20_000
MOST_PARTS: Final = 400_000
"""Expressions in all rules. What is larger is refused: no engine would take it, and none should have to."""
_DEEPEST: Final = 24  # levels that are looked into for what is certain


@dataclass(frozen=True, slots=True)
class Text:
    """This text."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """One code point of these ranges."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Sequence:
    """Its items, one after the other. Made by `sequence`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of its options. Made by `choice`."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body `least` to `most` times (`most` is None: without limit)."""

    body: Expression
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Rule:
    """What the rule of this name stands for."""

    name: str


Expression: TypeAlias = Text | Chars | Sequence | Choice | Repeat | Rule

NOTHING: Final = Text("")
ANY: Final = Chars(((0, LAST),))
NEVER: Final = Choice(())


def chars(members: str) -> Chars:
    """One of the code points of a text."""
    return Chars(union((ord(char), ord(char)) for char in members))


def chars_but(members: str) -> Chars:
    """Any code point that the text doesn't have."""
    return Chars(complement(chars(members).ranges))


def sequence(*parts: Expression | str) -> Expression:
    """These parts one after the other; texts side by side become one."""
    items: list[Expression] = []
    for part in parts:
        for item in _items(Text(part) if isinstance(part, str) else part):
            if isinstance(item, Text) and items and isinstance(items[-1], Text):
                items[-1] = Text(items[-1].text + item.text)
            elif item != NOTHING:
                items.append(item)
    return items[0] if len(items) == 1 else Sequence(tuple(items)) if items else NOTHING


def _items(part: Expression) -> tuple[Expression, ...]:
    return part.items if isinstance(part, Sequence) else (part,)


def choice(*options: Expression | str) -> Expression:
    """One of these options, each of which stands there once."""
    flat: dict[Expression, None] = {}
    for option in options:
        expression = Text(option) if isinstance(option, str) else option
        flat.update(dict.fromkeys(expression.options if isinstance(expression, Choice) else (expression,)))
    return next(iter(flat)) if len(flat) == 1 else Choice(tuple(flat))


def optional(*parts: Expression | str) -> Expression:
    """These parts, or nothing."""
    return Repeat(sequence(*parts), 0, 1)


def separated(item: Expression, separator: Expression, least: int = 1, most: int | None = None) -> Expression:
    """The item `least` to `most` times, with the separator between."""
    if most == 0:
        return NOTHING
    more = Repeat(sequence(separator, item), max(least - 1, 0), None if most is None else most - 1)
    listed = item if most == 1 else sequence(item, more)
    return listed if least else optional(listed)


def children(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly under one."""
    match expression:
        case Sequence(items):
            return items
        case Choice(options):
            return options
        case Repeat(body):
            return (body,)
    return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and all that is under it, rules not followed."""
    left = [expression]
    while left:
        part = left.pop()
        yield part
        left.extend(children(part))


class Rules:
    """The rules of one grammar, and notes on what they leave out. Names differ not only in case or in `-` and `_`."""

    def __init__(self) -> None:
        self.bodies: dict[str, Expression] = {}
        self.notes: dict[Note, None] = {}
        self.kept: dict[tuple[Any, ...], Expression] = {}
        """What was made once, by whoever made it."""
        self.empty: tuple[str, ...] = ()
        """The places of schemas that no text is left for, once the rules are finished."""
        self._expected: dict[str, list[Expression]] = {}
        self._taken = {"root"}
        self._numbers: dict[str, int] = {}
        self._known: dict[Expression, Rule] = {}
        self._parts = 0

    @property
    def count(self) -> int:
        """How many rules there are."""
        return len(self._taken)

    def note(self, place: str, text: str) -> None:
        """Remember what the grammar doesn't hold a model to."""
        self.notes[Note(place, text)] = None

    def expect(self, place: str, expression: Expression) -> None:
        """Remember that the schema at a place is about this; if no text is left for it, that is noted in the end."""
        self._expected.setdefault(place, []).append(expression)

    def reserve(self, hint: str) -> Rule:
        """A name like `hint` for a rule that is defined later. Raises ToolsError for too many."""
        if len(self._taken) >= MOST_RULES:
            raise ToolsError("", f"the grammar would need more than {MOST_RULES} rules; take tools out")
        stem = re.sub(r"[^a-z0-9]+", "-", hint.lower()).strip("-")[:48] or "rule"
        stem = stem if stem[0].isalpha() else f"r-{stem}"
        name, number = stem, self._numbers.get(stem, 1)
        while name in self._taken:
            number += 1
            name = f"{stem}-{number}"
        self._numbers[stem] = number
        self._taken.add(name)
        return Rule(name)

    def define(self, rule: Rule, body: Expression) -> Rule:
        """Give a reserved rule its body. Raises ToolsError for a grammar that is too large."""
        self._parts += sum(1 + len(part.text) // 16 if isinstance(part, Text) else 1 for part in walk(body))
        if self._parts > MOST_PARTS:
            raise ToolsError("", f"the grammar would have more than {MOST_PARTS} parts; take tools or enums out")
        self.bodies[rule.name] = body
        return rule

    def add(self, hint: str, body: Expression) -> Rule:
        """A rule with this body: the one there is, or a new one with a name like `hint`."""
        if body not in self._known:
            self._known[body] = self.define(self.reserve(hint), body)
        return self._known[body]

    def finished(self, root: Expression) -> dict[str, Expression]:
        """The rules that a text of `root` can need, first of all `root` itself, without what can't come to an end.

        Empty where `root` itself can't: it has no text.
        """
        bodies = {**self.bodies, "root": root}
        ending = _ending(bodies)
        self._note_empty(ending)
        if "root" not in ending:
            return {}
        pruned = {name: _without_endless(bodies[name], ending) for name in ending}
        return {name: pruned[name] for name in reachable(pruned, "root")}

    def _note_empty(self, ending: set[str]) -> None:
        self.empty = tuple(
            place for place, found in self._expected.items() if not any(ends(one, ending.__contains__) for one in found)
        )
        for place in self.empty:
            self.note(place, "no finite text fits it, so it is never written; correct it, or take it out")


def _ending(bodies: dict[str, Expression]) -> set[str]:
    """The rules that have a text of finite length."""
    users: dict[str, set[str]] = {}
    for name, body in bodies.items():
        for part in walk(body):
            if isinstance(part, Rule):
                users.setdefault(part.name, set()).add(name)
    ending: set[str] = set()
    left = list(bodies)
    while left:
        name = left.pop()
        if name not in ending and ends(bodies[name], ending.__contains__):
            ending.add(name)
            left.extend(users.get(name, ()))
    return ending


def ends(expression: Expression, rule_ends: Callable[[str], bool]) -> bool:
    """Whether there is a finite text for an expression, given the rules for which there is."""
    match expression:
        case Chars(ranges):
            return bool(ranges)
        case Sequence(items):
            return all(ends(item, rule_ends) for item in items)
        case Choice(options):
            return any(ends(option, rule_ends) for option in options)
        case Repeat(body, least):
            return least == 0 or ends(body, rule_ends)
        case Rule(name):
            return rule_ends(name)
    return True


def _without_endless(expression: Expression, ending: set[str]) -> Expression:
    """An expression that has a text, without the options that have none."""
    match expression:
        case Sequence(items):
            return sequence(*(_without_endless(item, ending) for item in items))
        case Choice(options):
            kept = [option for option in options if ends(option, ending.__contains__)]
            return choice(*(_without_endless(option, ending) for option in kept))
        case Repeat(body, least, most):
            if not ends(body, ending.__contains__):
                return NOTHING
            return Repeat(_without_endless(body, ending), least, most)
    return expression


def reachable(bodies: dict[str, Expression], start: str) -> Iterable[str]:
    """The names of the rules that `start` needs, itself first, in the order in which they are met."""
    found: dict[str, None] = {start: None}
    left = [start]
    while left:
        for part in walk(bodies[left.pop()]):
            if isinstance(part, Rule) and part.name not in found:
                found[part.name] = None
                left.append(part.name)
    return found


def certain_start(expression: Expression, bodies: Mapping[str, Expression], most: int = 64) -> str:
    """What every text of an expression begins with, as far as that is known."""
    return _certain(expression, bodies, most, 1)


def certain_end(expression: Expression, bodies: Mapping[str, Expression], most: int = 64) -> str:
    """What every text of an expression ends with, as far as that is known."""
    return _certain(expression, bodies, most, -1)


def _certain(expression: Expression, bodies: Mapping[str, Expression], most: int, step: int, depth: int = 0) -> str:
    """`step`: 1 from the start, -1 from the end."""
    parts = _items(expression)[::step]
    found = ""
    for index, part in enumerate(parts):
        if isinstance(part, Repeat) and not part.least:
            rest = sequence(*parts[index + 1 :][::step])
            ways = [_certain(way, bodies, most - len(found), step, depth + 1) for way in (part.body, rest)]
            text, whole = _shared(ways, step) if depth < _DEEPEST else "", False
        else:
            text, whole = _certain_part(part, bodies, most - len(found), step, depth)
        found = found + text if step > 0 else text + found
        if not whole or len(found) >= most:
            break
    return found


def _certain_part(
    part: Expression, bodies: Mapping[str, Expression], most: int, step: int, depth: int
) -> tuple[str, bool]:
    """What a part begins (or ends) with, and whether that is all of it."""
    match part:
        case Text(text):
            return (text[:most] if step > 0 else text[-most:]), len(text) <= most
        case Chars(((first, last),)) if first == last:
            return chr(first), True
        case Choice(options):
            texts = [_certain(option, bodies, most, step, depth + 1) for option in options]
            return _shared(texts, step), False
        case Repeat(body):
            return _certain(body, bodies, most, step, depth + 1), False
        case Rule(name) if depth < _DEEPEST and name in bodies:
            return _certain(bodies[name], bodies, most, step, depth + 1), False
    return "", False


def _shared(texts: list[str], step: int) -> str:
    """What all texts begin (or end) with."""
    first, *others = (text[::step] for text in texts) if texts else [""]
    shared = len(first)
    for other in others:
        shared = min(shared, len(other))
        shared = next((index for index in range(shared) if first[index] != other[index]), shared)
    return first[:shared][::step]
