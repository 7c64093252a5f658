"""How a model writes values: JSON, and what is like JSON but for its strings, names or constants."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from antiphon_portability.autoparser.grammar import automata
from antiphon_portability.autoparser.grammar.errors import GrammarError
from antiphon_portability.autoparser.grammar.expressions import (
    NEVER,
    Chars,
    Choice,
    Expression,
    Repeat,
    Rules,
    Text,
    chars,
    chars_but,
    choice,
    sequence,
)
from antiphon_portability.autoparser.grammar.expressions import Sequence as Items
from antiphon_portability.autoparser.grammar.patterns import spaces
from antiphon_portability.regex.codepoints import Ranges, complement, union

_HEX: Final = chars("0123456789abcdefABCDEF")
_CONTROLS: Final[Ranges] = ((0, 0x1F), (0x7F, 0x7F))
_SHORT: Final = {"\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t"}
_UNIT: Final = sequence(
    "u",
    choice(
        sequence(chars("0123456789abceABCEfF"), Repeat(_HEX, 3, 3)),
        sequence(chars("dD"), chars("01234567"), Repeat(_HEX, 2, 2)),
        sequence(chars("dD"), chars("89abAB"), Repeat(_HEX, 2, 2), "\\u", chars("dD"), chars("cdefCDEF"),
                 Repeat(_HEX, 2, 2)),
    ),
)  # fmt: skip
"""The rest of an escape by number; halves of a pair only side by side."""
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True)
class Syntax:
    """`quotes`: those of a string. With `raw_strings`, what stands around a text without escapes, in their place."""

    quotes: tuple[str, ...] = ('"',)
    raw_strings: tuple[str, str] | None = None
    bare_names: bool = False
    constants: Mapping[Any, tuple[str, ...]] = field(
        default_factory=lambda: {True: ("true",), False: ("false",), None: ("null",)}, hash=False
    )

    @property
    def is_json(self) -> bool:
        return self == JSON

    def constant(self, value: bool | None) -> Expression:
        return choice(*self.constants[value])


JSON: Final = Syntax()
PYTHON: Final = Syntax(
    quotes=('"', "'"), constants={True: ("True", "true"), False: ("False", "false"), None: ("None", "null")}
)
"""As SPEC.md's python-call-list has it, which also takes JSON's constants."""


class Writer:
    """Values in a syntax, whose strings and names are kept free of some texts: the marks that would end them early.

    Raises GrammarError where a mark can't be kept out, since it stands outside of strings, too.
    """

    def __init__(
        self, rules: Rules, syntax: Syntax = JSON, kept_out: tuple[str, ...] = (), place: str = "the format"
    ) -> None:
        self.rules = rules
        self.syntax = syntax
        self.space = spaces(rules)
        self.kept_out = kept_out
        quotes = syntax.raw_strings or syntax.quotes
        for mark in kept_out:
            if not mark.strip("{}[],:()= \t\n0123456789") or any(quote in mark for quote in quotes):
                problem = f"the mark {mark!r} can stand inside a value; use one that can't, such as a special token"
                raise GrammarError(place, problem)

    # -- strings

    def string(self) -> Expression:
        """Any string."""
        return self._once(("string",), self._string)

    def _once(self, key: tuple[Any, ...], make: Callable[[], Expression]) -> Expression:
        """What was made for this key in this syntax, or is made now."""
        whole = (self.syntax, self.kept_out, *key)
        if whole not in self.rules.kept:
            self.rules.kept[whole] = make()
        return self.rules.kept[whole]

    def _string(self) -> Expression:
        if self.syntax.raw_strings is not None:
            opening, closing = self.syntax.raw_strings
            ended = automata.up_to(closing, self.kept_out)
            return self.rules.add("string", sequence(opening, self._rule("string-rest", ended)))
        return self.rules.add("string", choice(*map(self._any_in, self.syntax.quotes)))

    def _any_in(self, quote: str) -> Expression:
        body: Expression = Repeat(self.rules.add("char", _char(quote)), 0, None)
        if self.kept_out:
            inside = automata.both(automata.of(Repeat(_char(quote), 0, None)), automata.without(self.kept_out))
            body = self._rule("string-rest", inside)
        return sequence(quote, body, quote)

    def string_of(self, texts: tuple[Expression, ...], hint: str) -> Expression:
        """The strings whose value fits each of these expressions without rules. Raises automata.TooLarge."""
        return self._once(("string of", texts), lambda: self._string_of(texts, hint))

    def _string_of(self, texts: tuple[Expression, ...], hint: str) -> Expression:
        if self.syntax.raw_strings is not None:
            opening, closing = self.syntax.raw_strings
            fitting = automata.all_of(sequence(text, closing) for text in texts)
            ended = automata.both(fitting, automata.up_to(closing, self.kept_out))
            return sequence(opening, automata.affordable(ended, self.rules, hint))
        return choice(*(self._quoted(texts, quote, hint) for quote in self.syntax.quotes))

    def _quoted(self, texts: tuple[Expression, ...], quote: str, hint: str) -> Expression:
        bodies = [_escaped(text, quote) for text in texts]
        if len(bodies) == 1 and not self.kept_out and _is_plain(bodies[0]):
            return sequence(quote, bodies[0], quote)
        inside = automata.both(automata.all_of(bodies), automata.without(self.kept_out))
        return sequence(quote, automata.affordable(inside, self.rules, hint), quote)

    def text(self, text: str) -> Expression:
        """This string, with escapes where it has a mark. Never, where the syntax has none."""
        if self.syntax.raw_strings is not None:
            opening, closing = self.syntax.raw_strings
            written = text + closing
            alone = written.find(closing) == len(text) and not any(mark in text for mark in self.kept_out)
            return Text(opening + written) if alone else NEVER
        return choice(*(Text(quote + self._written(text, quote) + quote) for quote in self.syntax.quotes))

    def _written(self, text: str, quote: str) -> str:
        written = json.dumps(text, ensure_ascii=False)[1:-1]
        if quote != '"':
            written = written.replace('\\"', '"').replace(quote, f"\\{quote}")
        for mark in self.kept_out:
            written = written.replace(mark, f"\\u{ord(mark[0]):04x}{mark[1:]}")
        return written

    def name(self, name: str) -> Expression:
        """A member's name."""
        bare = self.syntax.bare_names and _WORD.fullmatch(name) and not any(mark in name for mark in self.kept_out)
        return Text(name) if bare else self.text(name)

    def other_name(self, names: list[str]) -> Expression:
        """Any name but these. Raises automata.TooLarge."""
        quote = self.syntax.quotes[0]
        plain = Chars(complement(union([*_CONTROLS, *((ord(char), ord(char)) for char in f"{quote}\\")])))
        known = automata.without_any_of(names)
        kept = automata.both(automata.of(Repeat(plain, 0, None)), automata.without(self.kept_out))
        return sequence(quote, automata.affordable(automata.both(kept, known), self.rules, "other-name"), quote)

    def _rule(self, hint: str, automaton: automata.Automaton) -> Expression:
        return automata.expression(automaton, self.rules, hint)

    # -- the rest

    def item(self, *parts: Expression | str) -> Expression:
        """Tokens, with white space between."""
        spaced: list[Expression | str] = []
        for part in parts:
            spaced += [self.space, part] if spaced else [part]
        return sequence(*spaced)

    def comma(self) -> Expression:
        """What stands between two members or elements."""
        return sequence(",", self.space)

    def whole(self, value: Any) -> Expression:
        """Exactly this value."""
        if value is None or isinstance(value, bool):
            return self.syntax.constant(value)
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple):
            return self.item("[", _joined(map(self.whole, value), self.comma()), "]")
        if isinstance(value, Mapping):
            members = [self.item(self.name(name), ":", self.whole(member)) for name, member in value.items()]
            return self.item("{", _joined(members, self.comma()), "}")
        return Text(json.dumps(value))


def _joined(parts: Any, separator: Expression) -> Expression:
    listed: list[Expression] = []
    for part in parts:
        listed += [separator, part] if listed else [part]
    return sequence(*listed)


def _char(quote: str) -> Expression:
    """One character of a string, or an escape."""
    plain = chars_but(f"{quote}\\").ranges
    unescaped = complement(union([*complement(plain), *_CONTROLS]))
    return choice(Chars(unescaped), sequence("\\", choice(chars(f"{quote}\\bfnrt"), _UNIT)))


def _escaped(texts: Expression, quote: str) -> Expression:
    """An expression of texts as it stands in a string: what has to be escaped is."""
    match texts:
        case Text(text):
            return sequence(*(_escaped_char(((ord(char), ord(char)),), quote) for char in text))
        case Chars(ranges):
            return _escaped_char(ranges, quote)
        case Items(items):
            return sequence(*(_escaped(item, quote) for item in items))
        case Choice(options):
            return choice(*(_escaped(option, quote) for option in options))
        case Repeat(body, least, most):
            return Repeat(_escaped(body, quote), least, most)
    return texts


def _escaped_char(ranges: Ranges, quote: str) -> Expression:
    """One of some code points, as it stands in a string; of control characters, those that have a name."""
    special = {ord(quote): f"\\{quote}", 0x5C: "\\\\", **{ord(char): f"\\{short}" for char, short in _SHORT.items()}}
    unsaid = [(code, code) for code in {*special, *range(0x20), 0x7F}]
    plain = complement(union([*complement(ranges), *unsaid]))
    escapes = [text for code, text in special.items() if any(first <= code <= last for first, last in ranges)]
    if not plain and not escapes:  # other control characters, and nothing else
        return choice(*(f"\\u{code:04x}" for first, last in ranges for code in range(first, last + 1)))
    lone = len(plain) == 1 and plain[0][0] == plain[0][1]
    return choice(*([Text(chr(plain[0][0])) if lone else Chars(plain)] if plain else []), *escapes)


def _is_plain(body: Expression) -> bool:
    """Whether an expression can stay as it is: no loop in it goes round over nothing, nor is it a deep one."""
    match body:
        case Repeat(inner, _, _):
            return isinstance(inner, Chars | Text) or (isinstance(inner, Choice) and _is_plain(inner))
        case Items(parts) | Choice(parts):
            return all(map(_is_plain, parts))
    return True
