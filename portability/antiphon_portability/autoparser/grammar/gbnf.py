"""GBNF, the notation for grammars of llama.cpp, in the part of it that other engines read, too.

XGrammar takes any number of digits for an escape by number, so none of these is followed by a digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from antiphon_portability.autoparser.grammar.expressions import (
    Chars,
    Choice,
    Expression,
    Repeat,
    Rule,
    Sequence,
    Text,
)
from antiphon_portability.regex.codepoints import LAST, SURROGATES, Ranges, complement, union

_ESCAPES: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\"}
_QUOTE: Final = '\\"'
_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
_HYPHEN: Final = ord("-")
_COUNTS: Final = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def write(bodies: Mapping[str, Expression]) -> str:
    """The rules as text, one a line; `root` is where a text begins."""
    return "".join(f"{name} ::= {_options(body)}\n" for name, body in bodies.items())


def _options(expression: Expression) -> str:
    match expression:
        case Choice(options):
            return " | ".join(map(_items, options))
    return _items(expression)


def _items(expression: Expression) -> str:
    match expression:
        case Sequence(items):
            return " ".join(map(_item, items))
    return _item(expression)


def _item(expression: Expression) -> str:
    match expression:
        case Text(text):
            return _text(text)
        case Chars(ranges):
            return _set(ranges)
        case Rule(name):
            return name
        case Repeat(body, least, most):
            return _repeated(body) + _count(least, most)
    return f"({_options(expression)})"


def _repeated(body: Expression) -> str:
    """A body behind which a count may stand: one item, and for a text of several code points, brackets."""
    written = _item(body)
    bare = isinstance(body, Chars | Rule) or (isinstance(body, Text) and len(body.text) == 1)
    return written if bare or (written.startswith("(") and not isinstance(body, Repeat)) else f"({written})"


def _count(least: int, most: int | None) -> str:
    if (least, most) == (1, 1):
        return ""
    if (sign := _COUNTS.get((least, most))) is not None:
        return sign
    return f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"


def _text(text: str) -> str:
    written = [_QUOTE if char == '"' else _char(char) for char in text]
    for index, (char, behind) in enumerate(zip(written, text[1:], strict=False)):
        if _is_number(char) and behind in _DIGITS:
            written[index] += '" "'
    return f'"{"".join(written)}"'


def _set(ranges: Ranges) -> str:
    """A set that reaches to the end of Unicode names what it leaves out."""
    if not ranges or ranges[-1][1] < LAST:
        return f"[{_members(_writable(ranges))}]"
    rest = _writable(complement(ranges))
    return f"[^{_members(rest)}]" if rest else r"([^\x00] | [\x00])"


def _writable(ranges: Ranges) -> Ranges:
    """The same without surrogates at the ends, which no text has and UTF-8 can't write."""
    low, high = SURROGATES
    moved = ((high + 1 if low <= first <= high else first, low - 1 if low <= last <= high else last)
             for first, last in ranges)  # fmt: skip
    return union((first, last) for first, last in moved if first <= last)


def _members(ranges: Ranges) -> str:
    """The members of a set: those that end in an escape by number behind the others, a hyphen last."""
    others = complement(union([*complement(ranges), (_HYPHEN, _HYPHEN)]))
    written = sorted(map(_range, others), key=lambda one: (_ends_in_number(one), _is_number(one), one.startswith("^")))
    if written and written[0].startswith("^"):  # which would leave the others out
        written[0] = written[0].replace("^", r"\x5E", 1)
    return "".join([*written, "-" if others != ranges else ""])


def _range(pair: tuple[int, int]) -> str:
    first, last = (f"\\{char}" if char in "[]" else _char(char) for char in map(chr, pair))
    if pair[0] == pair[1]:
        return first
    return f"{first}-{last}"


def _char(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    return char if char.isprintable() or not char.isascii() else f"\\x{ord(char):02X}"


def _ends_in_number(member: str) -> bool:
    return _is_number(member[-4:])


def _is_number(written: str) -> bool:
    """Whether a written code point is an escape by number."""
    return written.startswith("\\x")
