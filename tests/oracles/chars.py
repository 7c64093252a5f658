"""Which code points a one-character element of a pattern takes: asked of the `regex` module, one element at a time."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import regex
from antiphon_portability.regex.nodes import AnyChar, Char, CharSet, Property, Range, SetItem, Shorthand

OneChar: TypeAlias = Char | CharSet | AnyChar

SHORTHANDS = {"digit": "d", "space": "s", "word": "w"}


def takes(atom: OneChar, c: str) -> bool:
    """Whether `atom` matches the code point `c`."""
    if isinstance(atom, AnyChar):
        return atom.newline or c != "\n"
    if isinstance(atom, Char):
        return c == chr(atom.code) or (atom.ignore_case and same_ignoring_case(chr(atom.code), c))
    return any(in_item(item, atom.ignore_case, c) for item in atom.items) != atom.negated


@cache
def same_ignoring_case(a: str, b: str) -> bool:
    return in_item(Range(ord(a), ord(a)), True, b)


@cache
def in_item(item: SetItem, ignore_case: bool, c: str) -> bool:
    return bool(item_pattern(item, ignore_case).fullmatch(c))


@cache
def item_pattern(item: SetItem, ignore_case: bool) -> regex.Pattern[str]:
    flags = regex.V0 | (regex.IGNORECASE if ignore_case else 0)
    return regex.compile(f"[{item_source(item)}]", flags | (regex.ASCII if is_ascii(item) else 0))


def is_ascii(item: SetItem) -> bool:
    return isinstance(item, Shorthand) and item.ascii


def item_source(item: SetItem) -> str:
    """The item as it is written between brackets."""
    match item:
        case Range(first, last):
            return f"\\U{first:08x}-\\U{last:08x}"
        case Shorthand(kind, negated):
            return "\\" + (SHORTHANDS[kind].upper() if negated else SHORTHANDS[kind])
        case Property(name, negated):
            return f"\\{'P' if negated else 'p'}{{{name}}}"


def is_word(c: str, ascii_only: bool) -> bool:
    r"""DIALECT-4: whether `c` is one of `\w`."""
    return in_item(Shorthand("word", ascii=ascii_only), False, c)
