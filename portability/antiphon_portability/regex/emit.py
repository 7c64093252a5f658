"""From syntax tree to the pattern text of one engine, with the same meaning.

Plain patterns and those of the hit-end rewrite take the same way. What an engine writes differently is data
(`EngineSyntax`); what it can't say raises `EngineError`. Only groups that are named or referred to stay groups, and all
of them get names, since the rewrite's markers would shift numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, count, groupby, product
from typing import Final

from .analysis import (
    bulk,
    captures,
    children,
    ids_at_end,
    is_one_char,
    iterations,
    matches_in_pair,
    references,
    walk,
    width,
    with_children,
)
from .build import times
from .codepoints import LAST, Ranges, case_variants, complement, set_ranges, union
from .engines import ENGINES, Engine
from .errors import EngineError
from .lower import lower, refusal
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
    Tail,
)

_MODES: Final[dict[RepeatMode, str]] = {"greedy": "", "lazy": "?", "possessive": "+"}
_LETTERS: Final = {"digit": "d", "space": "s", "word": "w"}
_CONTROLS: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_SPECIAL: Final = frozenset(r".^$*+?{}[]\|()")
_MOST_LOOKBEHINDS: Final = 64  # of fixed width, to stand for one of variable width
_WORD_EDGES: Final = frozenset(("word-start", "word-end"))
_MOST_READ: Final = 16  # ranges of a set that someone may want to read
_LONGEST_UNIT: Final = 15  # characters of a range, in full
_SURROGATES: Final = (0xD800, 0xDFFF)


@dataclass(frozen=True, slots=True)
class Emitted:
    """A pattern for one engine.

    `source` and `flags` are what its compile function takes. `groups` gives for each emitted group name the name, or
    else the number, that it has in the original pattern; where several stand for one, the last that took part counts;
    groups that no match can set may be missing. `markers` are the names of the hit-end rewrite's marker
    groups: the search has been undecided if one of them took part in the match. `tails` are groups that hold what was
    looked at only: if one took part, the match ends where it begins. `said`: keys of `notes.NOTES`.
    """

    source: str
    flags: str
    groups: Mapping[str, str | int]
    markers: tuple[str, ...]
    tails: tuple[str, ...]
    said: frozenset[str]


def emit(pattern: Pattern, engine: str, said: frozenset[str] = frozenset()) -> Emitted:
    """`pattern` for `engine` (a key of `ENGINES`). Raises `EngineError`."""
    syntax = ENGINES[engine]
    already = set(said)
    kept = references(pattern.root) | frozenset(pattern.names.values())
    root = lower(pattern.root, syntax, kept, already)
    _check_size(root, syntax)
    emitter = _Emitter(syntax, root, pattern, already)
    source = emitter.text(root)
    if syntax.not_in_pair is not None and matches_in_pair(root):
        emitter.said.add("start")
        source = f"{syntax.not_in_pair}(?:{source})"
    if syntax.by_code_points is not None and max(source, default="") <= "\uffff" and _looks_at_units(root):
        emitter.said.add("pairs")
        source = f"(?:{source}){syntax.by_code_points}"
    if syntax.most_units is not None and len(source) > _LONGEST_UNIT * syntax.most_units:
        raise refusal(syntax, "size")
    return Emitted(
        *(source, syntax.flags, emitter.groups, tuple(emitter.markers), tuple(emitter.tails)), frozenset(emitter.said)
    )


def _check_size(root: Node, engine: Engine) -> None:
    if engine.most_repeats is not None and iterations(root) > engine.most_repeats:
        raise refusal(engine, "count")
    if engine.most_units is not None and bulk(root, engine.unrolls_chars) > engine.most_units:
        raise refusal(engine, "size")


def _looks_at_units(root: Node) -> bool:
    """Whether halves of pairs may be seen: in lookbehinds, or where a match may begin."""
    behinds = (node for node in walk(root) if isinstance(node, Look) and not node.ahead)
    seen = chain.from_iterable(map(walk, behinds))
    behind = any(isinstance(node, CharSet | AnyChar | Grapheme) or getattr(node, "code", 0) > 0xFFFF for node in seen)
    at_words = any(isinstance(node, Assertion) and "word" in node.at for node in walk(root))
    return behind or at_words or matches_in_pair(root)


class _Emitter:
    def __init__(self, engine: Engine, root: Node, pattern: Pattern, said: set[str]) -> None:
        self.engine = engine
        self.said = said
        self.groups: dict[str, str | int] = {}
        self.ended: set[str] = set()  # names of groups
        self.markers: dict[str, int] = {}
        self.tails: list[str] = []
        self.marker_counts = Counter(node.number for node in walk(root) if isinstance(node, Marker))
        self.asked = {number for node in walk(root) if isinstance(node, Marked) for number in node.numbers}
        self.capture_counts = Counter(capture.number for capture in captures(root))
        self.original: dict[int, str | int] = {number: number for number in references(root)}
        self.original |= {number: name for name, number in pattern.names.items()}
        self.own = pattern.group_count  # groups with higher numbers are not the author's
        self.taken: set[str] = set()
        fitting = {number for number, original in self.original.items() if self.fits(original)}
        self.names = {number: self.new_name(str(self.original[number])) for number in fitting}
        self.names |= {number: self.group_name(self.original[number]) for number in self.original.keys() - fitting}
        self.split_sets = False  # see `alternation`
        self.denied = False  # inside an odd number of negative lookarounds
        self.backward = False  # inside a lookbehind
        self.loop: Node | None = None  # the outermost one around
        self.loops = 0  # around
        self.loop_of: dict[str, Node | None] = {}  # of each group that has begun
        self.last = ids_at_end(root)
        self.attempting = False  # inside an atomic group or lookahead that may be given up, where groups leak from it
        self.forgetting = False  # inside a loop of an engine whose loops forget groups

    def refuse(self, key: str) -> EngineError:
        return refusal(self.engine, key)

    # -- structure

    def text(self, node: Node) -> str:
        match node:
            case Char():
                return self.char(node)
            case CharSet():
                return self.char_set(node)
            case AnyChar(newline):
                return self.any_char() if newline else self.not_newline()
            case Grapheme():
                return self.grapheme()
            case Assertion(at, is_ascii):
                return self.assertion(at, is_ascii)
            case Sequence(items):
                return self.sequence(items)
            case Alternation():
                return self.alternation(node)
            case Capture():
                return self.capture(node)
            case Atomic(body):
                return self.attempt(node, lambda: self.atomic(body))
            case Repeat(mode="possessive"):
                return self.attempt(node, lambda: self.repeat(node))
            case Repeat():
                return self.repeat(node)
            case Look():
                return self.attempt(node, lambda: self.look(node))
            case Backreference():
                return self.backreference(node)
            case Conditional():
                return self.conditional(node)
            case Marker(number):
                return self.marker(number)
            case Marked(numbers):
                return self.marked(numbers)
            case Tail(body):
                self.tails.append(self.new_name(f"tail{len(self.tails) + 1}"))
                return self.group(self.tails[-1], self.text(body))
            case Never():
                return self.engine.never

    def in_sequence(self, node: Node) -> str:
        """`node` where other items may stand beside it."""
        return f"(?:{self.text(node)})" if isinstance(self.visible(node), Alternation) else self.text(node)

    def unit(self, node: Node) -> str:
        """`node` where a quantifier follows."""
        node = self.visible(node)
        text = self.text(node)
        is_unit = isinstance(node, Capture | Char | CharSet | AnyChar) and text != self.engine.never
        return text if is_unit else f"(?:{text})"

    def visible(self, node: Node) -> Node:
        """`node` without the groups around it that are not emitted."""
        while isinstance(node, Capture) and node.number not in self.names:
            node = node.body
        return node

    def sequence(self, items: tuple[Node, ...]) -> str:
        if self.forgetting:
            self.check_markers(items)
        if not self.engine.native_classes:
            return "".join(self.item(item, before) for before, item in zip((None, *items), items, strict=False))
        out = ""
        for ignore_case, run in groupby(items, lambda item: isinstance(item, Char) and item.ignore_case):
            text = "".join(self.char_text(item) for item in run)
            out += f"(?i:{text})" if ignore_case else text
        return out

    def item(self, item: Node, before: Node | None) -> str:
        if isinstance(item, Marked):
            return self.marked(item.numbers, at_end=before == Assertion("text-end"))
        return self.in_sequence(item)

    def char_text(self, item: Node) -> str:
        return self.literal(item.code) if isinstance(item, Char) else self.in_sequence(item)

    def check_markers(self, items: tuple[Node, ...]) -> None:
        """A loop that forgets groups must not go on behind a marker: only the end of the text is a place for one."""
        at_end = False
        for item in items:
            at_end = at_end or item == Assertion("text-end")
            if isinstance(item, Marker) and not at_end:
                raise self.refuse("loop-marker")

    def alternation(self, node: Alternation) -> str:
        """The options. `regex` merges options that are sets, wrongly so when two of them are like `[^a]` (2026.11)."""
        outer = self.split_sets
        self.split_sets = outer or sum(isinstance(part, CharSet) and _excludes_one(part) for part in walk(node)) > 1
        options = [self.text(option) for option in node.options]
        self.split_sets = outer
        return "|".join(options)

    def attempt(self, node: Node, text: Callable[[], str]) -> str:
        """The text of an atomic group or lookaround, from which groups may leak."""
        outer = self.attempting
        self.attempting = outer or (not self.engine.forgets_attempts and id(node) not in self.last)
        found = text()
        self.attempting = outer
        return found

    def atomic(self, body: Node) -> str:
        if self.engine.atomic == "native":
            return f"(?>{self.text(body)})"
        if self.engine.atomic is None:
            raise self.refuse("atomic")
        self.said.add("atomic")
        name = self.new_name("atomic1")
        group, took = self.group(name, self.text(body)), self.engine.backreference_to(name)
        return f"{took}(?<={group})" if self.backward else f"(?={group}){took}"

    def repeat(self, node: Repeat) -> str:
        least, most, mode = node.least, node.most, node.mode
        if mode == "possessive" and not self.engine.possessive:
            self.said.add("possessive")
            return self.atomic(Repeat(node.body, least, most))
        outer = self.loop, self.forgetting
        self.loop = self.loop or (node if most != 1 else None)
        self.forgetting = self.forgetting or (most != 1 and not self.engine.keeps_groups)
        self.loops += most != 1
        body = self.unit(node.body)
        self.loops -= most != 1
        self.loop, self.forgetting = outer
        return body + _quantifier(least, most) + ("" if least == most and mode == "lazy" else _MODES[mode])

    def look(self, node: Look) -> str:
        if self.forgetting and any(isinstance(part, Marker) for part in walk(node)) and not node.negated:
            raise self.refuse("loop-marker")
        outer = self.denied, self.backward, self.forgetting
        self.denied ^= node.negated
        self.backward = not node.ahead
        self.forgetting = self.forgetting and not node.negated
        text = self.look_text(node)
        self.denied, self.backward, self.forgetting = outer
        return text

    def look_text(self, node: Look) -> str:
        sign = "!" if node.negated else "="
        if node.ahead:
            if not self.engine.lookahead:
                raise self.refuse("negative-lookahead" if node.negated else "lookahead")
            return f"(?{sign}{self.text(node.body)})"
        if self.engine.lookbehind is None:
            raise self.refuse("lookbehind")
        if (not self.engine.looks_in_lookbehind and _looks(node.body)) or (
            self.engine.lookbehind != "any" and _refers(node.body)
        ):
            raise self.refuse("look-in-lookbehind")
        if self.engine.lookbehind == "any":
            return f"(?<{sign}{self.text(node.body)})"
        body = _greedy(_nearest(node.body))
        if self.takes_whole(body):
            return f"(?<{sign}{self.text(body)})"
        self.said.add("lookbehind")
        looks = [f"(?<{sign}{self.text(option)})" for option in self.fixed_options(body)]
        return "".join(looks) if node.negated else f"(?:{'|'.join(looks)})"

    def takes_whole(self, node: Node) -> bool:
        """Whether the engine, which looks behind from left to right, takes `node` as it stands and captures alike."""
        if any(group.number in self.names for group in captures(node)) and not all(map(_is_fixed, walk(node))):
            raise self.refuse("group-lookbehind")
        if self.engine.lookbehind == "bounded":
            if any(width(part)[1] is None for part in walk(node)):
                raise self.refuse("unbounded-lookbehind")
            return True
        return _is_fixed(node)

    def fixed_options(self, node: Node) -> list[Node]:
        """Options of fixed width that together match what `node` matches."""
        options = _fixed_options(node)
        if options is None:
            raise self.refuse("variable-lookbehind")
        return options

    # -- groups

    def group(self, name: str, text: str) -> str:
        return self.engine.group.format(name=name) + text + ")"

    def fits(self, original: str | int) -> bool:
        return isinstance(original, str) and re.fullmatch(self.engine.group_names, original) is not None

    def group_name(self, original: str | int) -> str:
        """A new name for the group that has the number `original`, or a name that the engine doesn't take."""
        if isinstance(original, int):
            return self.new_name(f"g{original}")
        self.said.add("renamed")
        letters = re.sub("[^A-Za-z0-9]", "", original)[:20]
        return self.new_name(letters if letters[:1].isalpha() else f"g{letters}")

    def new_name(self, wanted: str) -> str:
        """`wanted`, or something like it that is no group's name yet."""
        between = "_" if self.fits("a_1") else "x"
        candidates = (f"{wanted}{between}{number}" if number > 1 else wanted for number in count(1))
        name = next(name for name in candidates if name not in self.taken)
        self.taken.add(name)
        return name

    def capture(self, node: Capture) -> str:
        if node.number not in self.names:
            return self.text(node.body)
        name = self.names[node.number]
        if name in self.loop_of and not self.engine.repeated_names:
            if self.loop is not None and self.loop is self.loop_of[name] and self.engine.keeps_groups:
                raise self.refuse("same-name-loop")
            name = self.new_name(name)
            self.said.add("same-name")
        self.loop_of[name] = self.loop
        if self.attempting or (self.loops > 1 and not self.engine.restores_groups):
            raise self.refuse("leaky-group")
        text = self.group(name, self.text(node.body))
        self.ended.add(name)
        if node.number <= self.own:
            self.groups[name] = self.original[node.number]  # in the order of their ends, hence in which they are set
        return text

    def reference(self, number: int) -> str:
        name = self.names[number]
        if self.capture_counts[number] > 1 and not self.engine.repeated_names:
            raise self.refuse("several-places")
        if name not in self.ended and not self.engine.forward_references:
            raise self.refuse("forward-reference")
        return name

    def conditional(self, node: Conditional) -> str:
        if self.engine.conditional is None:
            raise self.refuse("conditional")
        name = self.reference(node.number)
        return self.engine.conditional.format(name=name, yes=self.in_sequence(node.yes), no=self.in_sequence(node.no))

    def backreference(self, node: Backreference) -> str:
        if self.engine.backreference is None:
            raise self.refuse("backreference")
        name = self.reference(node.number)
        if not node.ignore_case:
            return self.engine.backreference_to(name)
        if not self.engine.native_classes:
            raise self.refuse("backreference-case")
        return f"(?i:{self.engine.backreference_to(name)})"

    def marker(self, number: int) -> str:
        """The text of a marker group."""
        if number in self.asked and not self.engine.unset_group_fails and self.engine.lookbehind:
            # Whether a group took part can't be asked, but whether it took text: it takes the character before.
            behind = f"(?<={self.group(self.marker_name(number), self.engine.any_char)})"
            return f"(?:{behind}|(?<!{self.engine.any_char}){self.group(self.marker_name(number), '')})"
        return self.group(self.marker_name(number), "")

    def marker_name(self, number: int) -> str:
        if self.attempting:
            self.said.add("holds-longer")
        known = [name for name, whose in self.markers.items() if whose == number]
        if known and self.engine.repeated_names:
            return known[0]
        name = self.new_name(f"hit{number}")
        self.markers[name] = number
        return name

    def marked(self, numbers: tuple[int, ...], at_end: bool = False) -> str:
        """Whether a marker was passed; "always" where that can't be asked.

        "Always" makes the search wait where it need not. What is denied would make it not wait where it must.
        """
        standing = sum(self.marker_counts[number] for number in numbers)
        if standing == 0:
            return self.engine.never
        names = [name for name, number in self.markers.items() if number in numbers]
        if self.engine.repeated_names and self.engine.forward_references:
            names = [self.marker_name(number) for number in numbers if self.marker_counts[number]]
        elif self.loop is not None and len(names) < standing:
            return self.always()
        if self.engine.backreference is None:
            return self.always()
        if self.engine.unset_group_fails:
            tests = [self.engine.backreference_to(name) for name in names]
        elif at_end and not self.denied:  # what took text doesn't match at the end; in an empty text nothing did
            tests = [f"(?!{self.engine.backreference_to(name)})" for name in names] + [f"(?<!{self.engine.any_char})"]
        else:
            return self.always()
        return f"(?:{'|'.join(tests)})" if names else self.engine.never

    def always(self) -> str:
        if self.denied:
            raise self.refuse("decision")
        self.said.add("holds-longer")
        return "(?:)"

    # -- leaves

    def assertion(self, at: Position, is_ascii: bool) -> str:
        template = (self.engine.ascii_positions if is_ascii else self.engine.positions).get(at)
        if is_ascii and template is None:
            template = self.engine.positions.get(at) if "word" not in at else None
        if template is None:
            raise self.refuse(
                "final-end" if at == "final-end" else "word-edge" if at in _WORD_EDGES else "word-boundary"
            )
        if "{word}" in template:
            self.said.add("words")
            word = CharSet((Shorthand("word", ascii=is_ascii),))
            return template.replace("{word}", self.char_set(word))
        if at.endswith("-boundary") and not is_ascii and self.engine.word_boundary:
            self.said.add(f"words-{self.engine.word_boundary}")
        if not self.engine.native_classes and at in ("final-end", "line-start", "line-end"):
            self.said.add("anchor")
        return template

    def any_char(self) -> str:
        if self.engine.encoding == "utf-16":
            self.said.add("dot")
        return self.engine.any_char

    def not_newline(self) -> str:
        if self.engine.native_classes:
            return "(?-s:.)"
        self.said.add("dot")
        return self.set_text(((0x0A, 0x0A),), negated=True)

    def grapheme(self) -> str:
        if self.engine.grapheme is None:
            raise self.refuse("grapheme")
        if not self.engine.native_classes:
            self.said.add("grapheme")
        return self.engine.grapheme

    def char(self, node: Char) -> str:
        if self.engine.native_classes:
            return f"(?i:{self.literal(node.code)})" if node.ignore_case else self.literal(node.code)
        if not node.ignore_case and not self.is_special_code(node.code):
            return self.literal(node.code)
        self.said |= {"case"} if node.ignore_case else set()
        codes = (node.code, *(case_variants(node.code) if node.ignore_case else ()))
        return self.set_text(union((code, code) for code in codes))

    def is_special_code(self, code: int) -> bool:
        """Whether a code point can't be written by itself: a surrogate, or one that is several units."""
        return (self.engine.encoding == "utf-8" and _SURROGATES[0] <= code <= _SURROGATES[1]) or (
            self.engine.encoding == "utf-16" and code > 0xFFFF
        )

    def literal(self, code: int, special: frozenset[str] = _SPECIAL) -> str:
        return _literal(code, special, self.engine.escapes)

    def char_set(self, node: CharSet) -> str:
        if any(_complementary(one, other) for one in node.items for other in node.items):
            return self.engine.never if node.negated else self.any_char()  # `regex` takes [^\s\S] for any (2026.11)
        if self.engine.native_classes:
            return self.native_set(node)
        if not node.ignore_case and all(isinstance(item, Range) for item in node.items):
            ranges = union((item.first, item.last) for item in node.items if isinstance(item, Range))
            return self.set_text(ranges, node.negated)
        known = set_ranges(node)
        if known is None:
            raise self.refuse("property")
        self.said.add("case" if node.ignore_case else "classes")
        rest = complement(known)
        return self.set_text(rest, negated=True) if len(rest) < len(known) else self.set_text(known)

    def set_text(self, ranges: Ranges, negated: bool = False) -> str:
        """A set of exactly `ranges`, or of all others."""
        everything = ((0, LAST),)
        if ranges == ((), everything)[negated]:
            return self.engine.never
        if ranges == (everything, ())[negated]:
            return self.any_char()
        if self.engine.encoding == "utf-16":
            taken = complement(ranges) if negated else ranges
            if taken[-1][1] > 0xFFFF:
                self.said.add("astral")
            return _utf16_set(taken, self.engine)
        if self.engine.encoding == "utf-8":
            ranges = _without_surrogate_ends(ranges)
            if not ranges:
                return self.any_char() if negated else self.engine.never
        return _set_text(ranges, negated, self.engine)

    def native_set(self, node: CharSet) -> str:
        is_ascii = any(not isinstance(item, Range) and item.ascii for item in node.items)
        items = "".join(self.native_item(item, within_ascii=is_ascii) for item in node.items)
        if self.split_sets and _excludes_one(node):
            items *= 2
        flags = "i" * node.ignore_case + "a" * is_ascii
        text = f"[{'^' * node.negated}{items}]"
        return f"(?{flags}:{text})" if flags else text

    def native_item(self, item: SetItem, within_ascii: bool) -> str:
        match item:
            case Range(first, last):
                return _range_text(first, last, self.engine)
            case Shorthand(kind, negated):
                return "\\" + (_LETTERS[kind].upper() if negated else _LETTERS[kind])
            case Property(name, negated, is_ascii):
                if within_ascii and not is_ascii:  # only a POSIX class escapes flag a
                    return f"[:{'^' * negated}{name}:]"
                return f"\\{'P' if negated else 'p'}{{{name}}}"


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


def _literal(code: int, special: frozenset[str], escapes: tuple[str, str, str], only_ascii: bool = False) -> str:
    char = chr(code)
    if char in special:
        return "\\" + char
    if char in _CONTROLS:
        return _CONTROLS[char]
    if char.isprintable() and (code < 0x80 or not only_ascii):
        return char
    return escapes[0 if code < 0x80 else 1 if code < 0x10000 else 2].format(code) or char


def _range_text(first: int, last: int, engine: Engine, only_ascii: bool = False) -> str:
    start, end = (_literal(code, engine.special_in_set, engine.escapes, only_ascii) for code in (first, last))
    return start if first == last else start + ("-" if last > first + 1 else "") + end


@cache
def _set_text(ranges: Ranges, negated: bool, engine: Engine) -> str:
    only_ascii = len(ranges) > _MOST_READ  # marks and letters from right to left would garble what stands beside them
    items = "".join(_range_text(first, last, engine, only_ascii) for first, last in ranges)
    return engine.negated_set.format(items=items) if negated else f"[{items}]"


def _without_surrogate_ends(ranges: Ranges) -> Ranges:
    """`ranges` so that none begins or ends at a surrogate, which no text in UTF-8 has."""
    low, high = _SURROGATES
    trimmed = (
        (high + 1 if low <= first <= high else first, low - 1 if low <= last <= high else last)
        for first, last in ranges
    )
    return tuple((first, last) for first, last in trimmed if first <= last)


@cache
def _utf16_set(ranges: Ranges, engine: Engine) -> str:
    """Options of one unit and of two that together are `ranges`; a surrogate is a character where it stands alone."""
    low, high = _SURROGATES
    single = _within(ranges, 0, low - 1) + _within(ranges, high + 1, 0xFFFF)
    options = []
    if single:
        others = complement(union((*single, (0x10000, LAST))))
        shorter = len(others) < len(single)
        options.append(_set_text(others if shorter else single, shorter, engine))
    options += [_unit_set(leads) + _unit_set(trails) for leads, trails in _surrogate_pairs(ranges)]
    leads, trails = _within(ranges, low, 0xDBFF), _within(ranges, 0xDC00, high)
    options += [rf"{_unit_set(leads)}(?![\udc00-\udfff])"] if leads else []
    options += [rf"(?<![\ud800-\udbff]){_unit_set(trails)}"] if trails else []
    return options[0] if len(options) == 1 and single else f"(?:{'|'.join(options)})"


def _within(ranges: Ranges, start: int, end: int) -> Ranges:
    """The part of `ranges` from `start` to `end`."""
    return tuple((max(first, start), min(last, end)) for first, last in ranges if first <= end and last >= start)


def _surrogate_pairs(ranges: Ranges) -> list[tuple[Ranges, Ranges]]:
    """The pairs (leading units, trailing units) for what is beyond U+FFFF in `ranges`."""
    by_lead: dict[int, list[tuple[int, int]]] = {}
    for first, last in ranges:
        start, end = max(first, 0x10000) - 0x10000, last - 0x10000
        for lead in range(start >> 10, (end >> 10) + 1):
            trails = max(start, lead << 10) & 0x3FF, min(end, (lead << 10) + 0x3FF) & 0x3FF
            by_lead.setdefault(lead, []).append((0xDC00 + trails[0], 0xDC00 + trails[1]))
    by_trails: dict[Ranges, list[tuple[int, int]]] = {}
    for lead, found in by_lead.items():
        by_trails.setdefault(union(found), []).append((0xD800 + lead, 0xD800 + lead))
    return [(union(leads), trails) for trails, leads in by_trails.items()]


def _unit_set(units: Ranges) -> str:
    texts = [f"\\u{first:04x}" + (f"-\\u{last:04x}" if last > first else "") for first, last in units]
    return texts[0] if len(texts) == 1 and units[0][0] == units[0][1] else f"[{''.join(texts)}]"


def _excludes_one(node: CharSet) -> bool:
    return node.negated and all(isinstance(item, Range) and item.first == item.last for item in node.items)


def _complementary(one: SetItem, other: SetItem) -> bool:
    match one, other:
        case Shorthand(kind, False, is_ascii), Shorthand(other_kind, True, other_ascii):
            return (kind, is_ascii) == (other_kind, other_ascii)
        case Property(name, False, is_ascii), Property(other_name, True, other_ascii):
            return (name, is_ascii) == (other_name, other_ascii)
    return False


def _looks(node: Node) -> bool:
    return any(isinstance(part, Look | Assertion) for part in walk(node))


def _refers(node: Node) -> bool:
    return any(isinstance(part, Backreference | Conditional | Marked) for part in walk(node))


def _greedy(node: Node) -> Node:
    """`node` with greedy loops: whether a lookbehind holds doesn't depend on what its loops prefer."""
    if isinstance(node, Look | Atomic):
        return node
    node = with_children(node, tuple(map(_greedy, children(node))))
    return Repeat(node.body, node.least, node.most) if isinstance(node, Repeat) and node.mode == "lazy" else node


def _nearest(node: Node) -> Node:
    """What decides a lookbehind for `node`: of a loop that it begins with, no more iterations than there must be."""
    match node:
        case Sequence((head, *rest)):
            return Sequence((_nearest(head), *rest))
        case Alternation(options):
            return Alternation(tuple(map(_nearest, options)))
        case Repeat(body, least, _, "greedy" | "lazy") if is_one_char(body):
            return times(body, least)
    return node


def _is_fixed(node: Node) -> bool:
    least, most = width(node)
    if least != most:
        return False
    if isinstance(node, Repeat):
        return node.least == node.most and _is_fixed(node.body)
    return isinstance(node, Look) or all(map(_is_fixed, children(node)))


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
