"""From syntax tree to the pattern text of one engine, with the same meaning.

Plain patterns and those of the hit-end rewrite take the same way. What an engine writes differently is data
(`EngineSyntax`); what it can't say raises `EngineError`. Only groups that are named or referred to stay groups, and all
of them get names, since the rewrite's markers would shift numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count, groupby, product
from typing import Final

from .analysis import captures, children, references, walk, width, with_children
from .codepoints import Ranges, case_variants, complement, set_ranges, union
from .errors import EngineError
from .nodes import (
    Alternation,
    AnyChar,
    Assertion,
    Atomic,
    Backreference,
    Capture,
    Char,
    CharSet,
    Conditional,
    Grapheme,
    Look,
    Marked,
    Marker,
    Never,
    Node,
    Pattern,
    Position,
    Property,
    Range,
    Repeat,
    RepeatMode,
    Sequence,
    SetItem,
    Shorthand,
)


@dataclass(frozen=True, slots=True)
class EngineSyntax:
    """How one engine writes what engines write differently. In positions, `{word}` stands for a class of that name."""

    name: str
    flags: int  # to compile with
    positions: Mapping[Position, str]
    ascii_positions: Mapping[Position, str]  # those that flag a changes
    native_classes: bool  # \w, \p{…}, flags i and a mean exactly what they mean in the dialect
    grapheme: str | None
    variable_lookbehind: bool
    repeated_names: bool  # several groups may have the same name, and are one group
    forward_references: bool


_SPELLED_OUT_WORDS: Final[dict[Position, str]] = {
    "word-boundary": "(?:(?<={word})(?!{word})|(?<!{word})(?={word}))",
    "not-word-boundary": "(?:(?<={word})(?={word})|(?<!{word})(?!{word}))",
    "word-start": "(?:(?<!{word})(?={word}))",
    "word-end": "(?:(?<={word})(?!{word}))",
}
_EDGES: Final[dict[Position, str]] = {
    "text-start": r"\A",
    "line-start": "(?m:^)",
    "text-end": r"\Z",
    "final-end": "$",
    "line-end": "(?m:$)",
}
ENGINES: Final = {
    syntax.name: syntax
    for syntax in (
        EngineSyntax(
            name="regex",
            flags=0x2000,  # regex.V0
            positions=_EDGES
            | {"word-boundary": r"\b", "not-word-boundary": r"\B", "word-start": r"\m", "word-end": r"\M"},
            # `regex` doesn't heed (?a:…) at \m and \M (2026.11)
            ascii_positions=_SPELLED_OUT_WORDS | {"word-boundary": r"(?a:\b)", "not-word-boundary": r"(?a:\B)"},
            native_classes=True,
            grapheme=r"\X",
            variable_lookbehind=True,
            repeated_names=True,
            forward_references=True,
        ),
        EngineSyntax(
            name="re",
            flags=0,
            positions=_EDGES | _SPELLED_OUT_WORDS,
            ascii_positions=_SPELLED_OUT_WORDS,
            native_classes=False,
            grapheme=None,
            variable_lookbehind=False,
            repeated_names=False,
            forward_references=False,
        ),
    )
}

_MODES: Final[dict[RepeatMode, str]] = {"greedy": "", "lazy": "?", "possessive": "+"}
_LETTERS: Final = {"digit": "d", "space": "s", "word": "w"}
_CONTROLS: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_SPECIAL: Final = frozenset(r".^$*+?{}[]\|()")
_SPECIAL_IN_SET: Final = frozenset(r"[]\^-&~|")
_MOST_LOOKBEHINDS: Final = 64  # of fixed width, to stand for one of variable width


@dataclass(frozen=True, slots=True)
class Emitted:
    """A pattern for one engine.

    `source` and `flags` are what its compile function takes. `groups` gives for each emitted group name the name, or
    else the number, that it has in the original pattern; of the rewrite, groups that no match can set may be missing.
    `markers` are the names of the hit-end rewrite's marker groups: the search has been undecided if one of them took
    part in the match.
    """

    source: str
    flags: int
    groups: Mapping[str, str | int]
    markers: tuple[str, ...]


def emit(pattern: Pattern, engine: str) -> Emitted:
    """`pattern` for `engine` (a key of `ENGINES`). Raises `EngineError`."""
    root = _without_absent_groups(pattern.root)
    emitter = _Emitter(ENGINES[engine], root, pattern.names)
    source = emitter.text(root)
    return Emitted(source, emitter.syntax.flags, emitter.groups, tuple(emitter.markers))


class _Emitter:
    def __init__(self, syntax: EngineSyntax, root: Node, names: Mapping[str, int]) -> None:
        self.syntax = syntax
        self.groups: dict[str, str | int] = {}
        self.markers: dict[str, int] = {}
        self.marker_counts = Counter(node.number for node in walk(root) if isinstance(node, Marker))
        self.capture_counts = Counter(capture.number for capture in captures(root))
        self.original: dict[int, str | int] = {number: number for number in references(root)}
        self.original |= {number: name for name, number in names.items()}
        self.taken = set(names)
        self.names = {  # of the groups that stay groups
            number: original if isinstance(original, str) else self.new_name(f"g{number}")
            for number, original in self.original.items()
        }
        self.split_sets = False  # see `alternation`
        self.denied = False  # inside an odd number of negative lookarounds

    def refuse(self, construct: str, remedy: str) -> EngineError:
        return EngineError(self.syntax.name, construct, remedy)

    # -- structure

    def text(self, node: Node) -> str:
        match node:
            case Char():
                return self.char(node)
            case CharSet():
                return self.char_set(node)
            case AnyChar(newline):
                return "(?s:.)" if newline else "(?-s:.)"
            case Grapheme():
                if self.syntax.grapheme is None:
                    raise self.refuse(r"a grapheme cluster (\X)", "match single characters instead")
                return self.syntax.grapheme
            case Assertion(at, is_ascii):
                return self.assertion(at, is_ascii)
            case Sequence(items):
                return self.sequence(items)
            case Alternation():
                return self.alternation(node)
            case Capture():
                return self.capture(node)
            case Atomic(body):
                return f"(?>{self.text(body)})"
            case Repeat(body, least, most, mode):
                return self.unit(body) + _quantifier(least, most) + _MODES[mode]
            case Look():
                return self.look(node)
            case Backreference():
                return self.backreference(node)
            case Conditional(number, yes, no):
                return f"(?({self.reference(number)}){self.in_sequence(yes)}|{self.in_sequence(no)})"
            case Marker(number):
                return f"(?P<{self.marker(number)}>)"
            case Marked(numbers):
                return self.marked(numbers)
            case Never():
                return "(?!)"

    def in_sequence(self, node: Node) -> str:
        """`node` where other items may stand beside it."""
        return f"(?:{self.text(node)})" if isinstance(self.visible(node), Alternation) else self.text(node)

    def unit(self, node: Node) -> str:
        """`node` where a quantifier follows."""
        node = self.visible(node)
        is_unit = isinstance(node, Capture | Char | CharSet | AnyChar | Atomic)
        return self.text(node) if is_unit else f"(?:{self.text(node)})"

    def visible(self, node: Node) -> Node:
        """`node` without the groups around it that are not emitted."""
        while isinstance(node, Capture) and node.number not in self.names:
            node = node.body
        return node

    def sequence(self, items: tuple[Node, ...]) -> str:
        if not self.syntax.native_classes:
            return "".join(map(self.in_sequence, items))
        out = ""
        for ignore_case, run in groupby(items, lambda item: isinstance(item, Char) and item.ignore_case):
            text = "".join(_literal(item.code) if isinstance(item, Char) else self.in_sequence(item) for item in run)
            out += f"(?i:{text})" if ignore_case else text
        return out

    def alternation(self, node: Alternation) -> str:
        """The options. `regex` merges options that are sets, wrongly so when two of them are like `[^a]` (2026.11)."""
        outer = self.split_sets
        self.split_sets = outer or sum(isinstance(part, CharSet) and _excludes_one(part) for part in walk(node)) > 1
        options = [self.text(option) for option in node.options]
        self.split_sets = outer
        return "|".join(options)

    def look(self, node: Look) -> str:
        self.denied ^= node.negated
        text = self.look_text(node)
        self.denied ^= node.negated
        return text

    def look_text(self, node: Look) -> str:
        sign = "!" if node.negated else "="
        if node.ahead:
            return f"(?{sign}{self.text(node.body)})"
        if self.syntax.variable_lookbehind or _is_fixed(node.body):
            return f"(?<{sign}{self.text(node.body)})"
        looks = [f"(?<{sign}{self.text(option)})" for option in self.fixed_options(node.body)]
        return "".join(looks) if node.negated else f"(?:{'|'.join(looks)})"

    def fixed_options(self, node: Node) -> list[Node]:
        """Options of fixed width that together match what `node` matches."""
        options = _fixed_options(node)
        if options is None or any(group.number in self.names for group in captures(node)):
            raise self.refuse("a lookbehind of variable width", "give each of its options a fixed width")
        return options

    # -- groups

    def new_name(self, wanted: str) -> str:
        """`wanted`, or something like it that is no group's name yet."""
        candidates = (f"{wanted}_{number}" if number > 1 else wanted for number in count(1))
        name = next(name for name in candidates if name not in self.taken)
        self.taken.add(name)
        return name

    def capture(self, node: Capture) -> str:
        if node.number not in self.names:
            return self.text(node.body)
        name = self.names[node.number]
        if name in self.groups and not self.syntax.repeated_names:
            name = self.new_name(name)
        self.groups[name] = self.original[node.number]
        return f"(?P<{name}>{self.text(node.body)})"

    def reference(self, number: int) -> str:
        name = self.names[number]
        if self.capture_counts[number] > 1 and not self.syntax.repeated_names:
            raise self.refuse("a reference to a group that stands in several places", "use one group")
        if name not in self.groups and not self.syntax.forward_references:
            raise self.refuse("a reference to a later group", "refer to a group after its end")
        return name

    def backreference(self, node: Backreference) -> str:
        name = self.reference(node.number)
        if not node.ignore_case:
            return f"(?P={name})"
        if not self.syntax.native_classes:
            raise self.refuse("a backreference that ignores case", "turn flag i off for it: (?-i:…)")
        return f"(?i:(?P={name}))"

    def marker(self, number: int) -> str:
        known = [name for name, whose in self.markers.items() if whose == number]
        if known and self.syntax.repeated_names:
            return known[0]
        name = self.new_name(f"hit{number}")
        self.markers[name] = number
        return name

    def marked(self, numbers: tuple[int, ...]) -> str:
        """Whether a marker was passed; "always" where some come later and the engine can't refer to them.

        "Always" makes the search wait where it need not. What is denied would make it not wait where it must.
        """
        if self.syntax.repeated_names:
            names = [self.marker(number) for number in numbers if self.marker_counts[number]]
        else:
            names = [name for name, number in self.markers.items() if number in numbers]
            if len(names) < sum(self.marker_counts[number] for number in numbers):
                if self.denied:
                    raise self.refuse("a decision that is made later", "use a simpler lookaround or loop")
                return "(?:)"
        return "(?:" + "|".join(f"(?P={name})" for name in names) + ")" if names else "(?!)"

    # -- leaves

    def assertion(self, at: Position, is_ascii: bool) -> str:
        template = (self.syntax.ascii_positions if is_ascii else self.syntax.positions)[at]
        word = CharSet((Shorthand("word", ascii=is_ascii),))
        return template.replace("{word}", self.char_set(word)) if "{word}" in template else template

    def char(self, node: Char) -> str:
        if not node.ignore_case:
            return _literal(node.code)
        if self.syntax.native_classes:
            return f"(?i:{_literal(node.code)})"
        codes = (node.code, *case_variants(node.code))
        return _ranges(union((code, code) for code in codes))

    def char_set(self, node: CharSet) -> str:
        if any(_complementary(one, other) for one in node.items for other in node.items):
            return "(?!)" if node.negated else "(?s:.)"  # `regex` takes [^\s\S] for any character (2026.11)
        if self.syntax.native_classes:
            return self.native_set(node)
        if not node.ignore_case and all(isinstance(item, Range) for item in node.items):
            return "[" + "^" * node.negated + "".join(map(_set_item, node.items)) + "]"
        ranges = set_ranges(node)
        if ranges is None:
            raise self.refuse("this Unicode property", "list the characters, or use one of the common properties")
        return _ranges(ranges)

    def native_set(self, node: CharSet) -> str:
        is_ascii = any(not isinstance(item, Range) and item.ascii for item in node.items)
        items = "".join(_set_item(item, within_ascii=is_ascii) for item in node.items)
        if self.split_sets and _excludes_one(node):
            items *= 2
        flags = "i" * node.ignore_case + "a" * is_ascii
        text = f"[{'^' * node.negated}{items}]"
        return f"(?{flags}:{text})" if flags else text


def _without_absent_groups(root: Node) -> Node:
    """`root` without references to groups that stand nowhere in it: the rewrite drops groups that can't be set."""
    present = {group.number for group in captures(root)}

    def resolved(node: Node) -> Node:
        match node:
            case Backreference(number) if number not in present:
                return Never()
            case Conditional(number, _, no) if number not in present:
                return resolved(no)
        return with_children(node, tuple(map(resolved, children(node))))

    found = resolved(root)
    return found if found == root else _without_absent_groups(found)


def _quantifier(least: int, most: int | None) -> str:
    match least, most:
        case 0, 1:
            return "?"
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case _, None:
            return f"{{{least},}}"
        case _ if least == most:
            return f"{{{least}}}"
    return f"{{{least},{most}}}"


def _literal(code: int, special: frozenset[str] = _SPECIAL) -> str:
    char = chr(code)
    if char in special:
        return "\\" + char
    if char in _CONTROLS:
        return _CONTROLS[char]
    if char.isprintable():
        return char
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _set_item(item: SetItem, within_ascii: bool = False) -> str:
    match item:
        case Range(first, last):
            start, end = _literal(first, _SPECIAL_IN_SET), _literal(last, _SPECIAL_IN_SET)
            return start if first == last else start + ("-" if last > first + 1 else "") + end
        case Shorthand(kind, negated):
            return "\\" + (_LETTERS[kind].upper() if negated else _LETTERS[kind])
        case Property(name, negated, is_ascii):
            if within_ascii and not is_ascii:  # only a POSIX class escapes flag a
                return f"[:{'^' * negated}{name}:]"
            return f"\\{'P' if negated else 'p'}{{{name}}}"


def _ranges(ranges: Ranges) -> str:
    """A set of exactly `ranges`, the shorter way round."""
    rest = complement(ranges)
    if not ranges:
        return "(?!)"
    if not rest:
        return "(?s:.)"
    sign, shown = ("^", rest) if len(rest) < len(ranges) else ("", ranges)
    return f"[{sign}{''.join(_set_item(Range(first, last)) for first, last in shown)}]"


def _excludes_one(node: CharSet) -> bool:
    return node.negated and all(isinstance(item, Range) and item.first == item.last for item in node.items)


def _complementary(one: SetItem, other: SetItem) -> bool:
    match one, other:
        case Shorthand(kind, False, is_ascii), Shorthand(other_kind, True, other_ascii):
            return (kind, is_ascii) == (other_kind, other_ascii)
        case Property(name, False, is_ascii), Property(other_name, True, other_ascii):
            return (name, is_ascii) == (other_name, other_ascii)
    return False


def _is_fixed(node: Node) -> bool:
    least, most = width(node)
    return least == most


def _fixed_options(node: Node) -> list[Node] | None:
    """The options of fixed width into which `node` falls; None if there is no end of them."""
    if _is_fixed(node):
        return [node]
    match node:
        case Capture(body):
            return _fixed_options(body)
        case Alternation(options):
            parts = [_fixed_options(option) for option in options]
            return None if None in parts else [option for part in parts if part for option in part]
        case Sequence(items):
            parts = [_fixed_options(item) for item in items]
            if None in parts:
                return None
            known = [part for part in parts if part is not None]
            chosen = list(product(*known))
            return [Sequence(items) for items in chosen] if len(chosen) <= _MOST_LOOKBEHINDS else None
        case Repeat(body, least, int(most), "greedy" | "lazy") if most <= _MOST_LOOKBEHINDS and _is_fixed(body):
            return [Repeat(body, count, count) for count in range(least, most + 1)]
    return None
