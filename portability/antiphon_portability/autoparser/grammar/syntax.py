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
    choice,
    sequence,
)
from antiphon_portability.autoparser.grammar.expressions import Sequence as Items
from antiphon_portability.autoparser.grammar.numbers import LARGEST, spellings
from antiphon_portability.autoparser.grammar.patterns import ID_CHARS, spaces
from antiphon_portability.regex.codepoints import Ranges, complement, union

_HEX: Final = chars("0123456789abcdefABCDEF")
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
    """`quotes`: those of a string. With `raw_strings`, what stands around a text without escapes, in their place.

    `escaped`: what can't stand in a string as it is, besides the quote and the backslash. `largest`: whole number.
    """

    quotes: tuple[str, ...] = ('"',)
    raw_strings: tuple[str, str] | None = None
    bare_names: bool = False
    constants: Mapping[Any, tuple[str, ...]] = field(
        default_factory=lambda: {True: ("true",), False: ("false",), None: ("null",)}, hash=False
    )
    escaped: Ranges = ((0, 0x1F),)
    largest: int = LARGEST

    def constant(self, value: bool | None) -> Expression:
        return choice(*self.constants[value])


JSON: Final = Syntax()
PYTHON: Final = Syntax(
    quotes=('"', "'"),
    constants={True: ("True", "true"), False: ("False", "false"), None: ("None", "null")},
    escaped=((0x0A, 0x0A), (0x0D, 0x0D)),
    largest=2**53 - 1,
)
"""As SPEC.md's python-call-list has it (KIND-CALLS-1 to 4), which also takes JSON's constants."""


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
        char = _char(quote, self.syntax.escaped)
        body: Expression = Repeat(self.rules.add("char", char), 0, None)
        if self.kept_out:
            inside = automata.both(automata.of(Repeat(char, 0, None)), automata.without(self.kept_out))
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
        bodies = [_escaped(text, quote, self.syntax.escaped) for text in texts]
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
            written = written.replace(mark, _by_number(mark[0]) + mark[1:])
        return written

    def name(self, name: str) -> Expression:
        """A member's name."""
        bare = self.syntax.bare_names and _WORD.fullmatch(name) and not any(mark in name for mark in self.kept_out)
        return Text(name) if bare else self.text(name)

    def any_name(self) -> Expression:
        """Any member's name."""
        string = self.string()
        return choice(string, self._once(("word",), lambda: self._word([]))) if self.syntax.bare_names else string

    def other_name(self, names: list[str]) -> Expression:
        """Any name but these. Raises automata.TooLarge."""
        quote = self.syntax.quotes[0]
        plain = _unescaped(quote, self.syntax.escaped)
        quoted = sequence(quote, self._name_of(Chars(plain), 0, names), quote)
        return choice(quoted, self._word(names)) if self.syntax.bare_names else quoted

    def _word(self, names: list[str]) -> Expression:
        """A name without quotes that is none of these."""
        return self._name_of(ID_CHARS, 1, names)

    def _name_of(self, char: Expression, least: int, names: list[str]) -> Expression:
        kept = automata.both(automata.of(Repeat(char, least, None)), automata.without(self.kept_out))
        return automata.affordable(automata.both(kept, automata.without_any_of(names)), self.rules, "other-name")

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
        return choice(*spellings(value))


def _joined(parts: Any, separator: Expression) -> Expression:
    listed: list[Expression] = []
    for part in parts:
        listed += [separator, part] if listed else [part]
    return sequence(*listed)


def _by_number(char: str) -> str:
    """A character as an escape; one beyond U+FFFF as two, the halves of a pair."""
    units = char.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _unescaped(quote: str, escaped: Ranges) -> Ranges:
    """What can stand in a string as it is."""
    return complement(union([*escaped, *((ord(char), ord(char)) for char in f"{quote}\\")]))


def _char(quote: str, escaped: Ranges) -> Expression:
    """One character of a string, or an escape."""
    return choice(Chars(_unescaped(quote, escaped)), sequence("\\", choice(chars(f"{quote}\\bfnrt"), _UNIT)))


def _escaped(texts: Expression, quote: str, escaped: Ranges) -> Expression:
    """An expression of texts as it stands in a string: what has to be escaped is."""
    match texts:
        case Text(text):
            return sequence(*(_escaped_char(((ord(char), ord(char)),), quote, escaped) for char in text))
        case Chars(ranges):
            return _escaped_char(ranges, quote, escaped)
        case Items(items):
            return sequence(*(_escaped(item, quote, escaped) for item in items))
        case Choice(options):
            return choice(*(_escaped(option, quote, escaped) for option in options))
        case Repeat(body, least, most):
            return Repeat(_escaped(body, quote, escaped), least, most)
    return texts


def _escaped_char(ranges: Ranges, quote: str, escaped: Ranges) -> Expression:
    """One of some code points, as it stands in a string; of what has to be escaped, those that have a name."""
    special = {ord(quote): f"\\{quote}", 0x5C: "\\\\", **{ord(char): f"\\{short}" for char, short in _SHORT.items()}}
    plain = complement(union([*complement(ranges), *complement(_unescaped(quote, escaped))]))
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
