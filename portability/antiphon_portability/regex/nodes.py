"""The syntax tree of a pattern in the dialect of response templates (SPEC.md, section DIALECT).

Every node is a frozen dataclass and means the same wherever it stands: flags are resolved by the parser and kept on
the leaves that they change, so that no later stage has to know about scopes. No syntax is known here; `Marker`,
`Marked`, `Never` and `Tail` are what rewriting adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

RepeatMode: TypeAlias = Literal["greedy", "lazy", "possessive"]
Position: TypeAlias = Literal[
    "text-start",  # \A, and ^ without the multiline flag
    "line-start",  # ^ with the multiline flag: at the start, or after "\n"
    "text-end",  # \Z, \z
    "final-end",  # $ without the multiline flag: at the end, or before a "\n" that is the last character
    "line-end",  # $ with the multiline flag: at the end, or before "\n"
    "word-boundary",  # \b
    "not-word-boundary",  # \B
    "word-start",  # \m
    "word-end",  # \M
]


@dataclass(frozen=True, slots=True)
class Char:
    """One given code point."""

    code: int
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """Code points from `first` to `last`, both included; a member of a `CharSet`."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Shorthand:
    r"""A member of a `CharSet`: `\d` (digit), `\s` (space), `\w` (word), or its complement."""

    kind: Literal["digit", "space", "word"]
    negated: bool = False
    ascii: bool = False


@dataclass(frozen=True, slots=True)
class Property:
    r"""A member of a `CharSet`: `\p{…}`, a POSIX class or `\h`; `name` as the `regex` module takes it in `\p{…}`."""

    name: str
    negated: bool = False
    ascii: bool = False  # under flag a the properties of a code point beyond U+007F are those of an unassigned one


SetItem: TypeAlias = Range | Shorthand | Property


@dataclass(frozen=True, slots=True)
class CharSet:
    r"""One code point out of a set: `[…]`, `[^…]`, `\d`, `\p{L}`, …"""

    items: tuple[SetItem, ...]
    negated: bool = False
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class AnyChar:
    r"""Any code point; without `newline`, any but "\n" (a dot under `(?-s)`)."""

    newline: bool = True


@dataclass(frozen=True, slots=True)
class Grapheme:
    r"""`\X`: one extended grapheme cluster."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A place in the text; takes no text."""

    at: Position
    ascii: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """Its items one after the other; with no items, the empty pattern."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """The first option that leads to a match, tried in order."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """A capturing group. Numbers count opening brackets from 1; all groups of one name share the first one's number."""

    body: Node
    number: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Atomic:
    """`(?>…)`: the first way in which the body matches, and no other."""

    body: Node


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body `least` to `most` times (`most` is None: without limit)."""

    body: Node
    least: int
    most: int | None
    mode: RepeatMode = "greedy"


@dataclass(frozen=True, slots=True)
class Look:
    """A lookahead (`ahead`) or lookbehind, positive or `negated`."""

    body: Node
    ahead: bool
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Backreference:
    """The text that group `number` captured last; fails where the group took no part."""

    number: int
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class Conditional:
    """`(?(1)yes|no)`: one branch or the other, as group `number` took part or not."""

    number: int
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Marker:
    """An empty capturing group that records that the search passed here; made by the hit-end rewrite only.

    The same number may stand in several places.
    """

    number: int


@dataclass(frozen=True, slots=True)
class Marked:
    """Matches empty if the search passed one of these markers; made by the hit-end rewrite only.

    For an engine that can't say this, "always" is a sound stand-in: it makes the search hold longer, never shorter.
    """

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Never:
    """Matches nowhere; made by rewriting only."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The body, which is of the match no more: a lookahead at the very end, for engines that have none."""

    body: Node


Node: TypeAlias = (
    Char
    | CharSet
    | AnyChar
    | Grapheme
    | Assertion
    | Sequence
    | Alternation
    | Capture
    | Atomic
    | Repeat
    | Look
    | Backreference
    | Conditional
    | Marker
    | Marked
    | Never
    | Tail
)

EMPTY = Sequence(())


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern: its tree, how many groups it has, and the number of each named one."""

    root: Node
    group_count: int
    names: dict[str, int]
