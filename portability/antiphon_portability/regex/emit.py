"""From syntax tree to the pattern text of one engine, with the same meaning.

Plain patterns and those of the hit-end rewrite take the same way. What an engine writes differently is data
(`Engine`); what it can't say raises `EngineError`. Only groups that are named or referred to stay groups, and all
of them get names, since the rewrite's markers would shift numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, count, groupby
from typing import Any, Final

from .analysis import (
    bulk,
    captures,
    first_ranges,
    ids_at_end,
    iterations,
    leaves_at_start,
    matches_in_pair,
    nullable,
    references,
    walk,
)
from .codepoints import LAST, SURROGATES, Ranges, case_variants, complement, set_ranges, union
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
from .set_text import SPECIAL, literal, range_text, set_text
from .utf16 import utf16_set

_TRAILS: Final = 0xDC00  # the first of the second halves of surrogate pairs
_LONGEST_NAME: Final = 32  # characters of a group's name, in PCRE2
_MODES: Final[dict[RepeatMode, str]] = {"greedy": "", "lazy": "?", "possessive": "+"}
_LETTERS: Final = {"digit": "d", "space": "s", "word": "w"}
_ANCHOR_NOTES: Final[dict[Position, str]] = {"final-end": "anchor", "line-start": "lines", "line-end": "lines"}
_WORD_NOTES: Final = {"ascii": "words-ascii", "unicode": "words-unicode"}
_WORD_EDGES: Final = frozenset(("word-start", "word-end"))


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


def emit(pattern: Pattern, engine: str) -> Emitted:
    """`pattern` for `engine`, "regex" or "re", on which the reference runs; for others there is `translate`.

    Raises `EngineError`, and `ValueError` for other engines.
    """
    if engine not in ("regex", "re"):
        raise ValueError(f"{engine!r} is neither 'regex' nor 're': other engines need translate()")
    return write(pattern, ENGINES[engine], frozenset())


def write(pattern: Pattern, engine: Engine, said: frozenset[str]) -> Emitted:
    """A pattern that `lower.prepare` has seen, for any engine; `said` is what that told. Raises `EngineError`."""
    known = set(said)
    root = lower(pattern, engine, known)
    if engine.most_repeats is not None and iterations(root) > engine.most_repeats:
        raise refusal(engine, "count")
    if engine.most_units is not None and bulk(root, engine.unrolls_chars) > engine.most_units:
        raise refusal(engine, "size")
    if engine.encoding == "utf-8" and not engine.lookahead and _matches_in_character(root):
        raise refusal(engine, "word-boundary")
    writer = _Writer(engine, root, pattern, known)
    source = writer.text(root)
    if engine.not_in_pair is not None and matches_in_pair(root):
        known.add("start")
        source = f"{engine.not_in_pair}(?:{source})"
    if engine.by_code_points is not None and max(source, default="") <= "\uffff" and _looks_at_units(root):
        known.add("pairs")
        source = f"(?:{source}){engine.by_code_points}"
    if engine.after_lazy is not None and any(isinstance(part, Repeat) and part.mode == "lazy" for part in walk(root)):
        known.add("lazy")
        source = f"(?:{source}){engine.after_lazy}"
    if engine.any_start is not None and _begins_with_reference(root):
        known.add("any-start")
        source = f"{engine.any_start}(?:{source})"
    if engine.most_characters is not None and len(source) > engine.most_characters:
        raise refusal(engine, "size")
    return Emitted(
        source=source,
        flags=engine.flags,
        groups=writer.groups,
        markers=tuple(writer.markers),
        tails=tuple(writer.tails),
        said=frozenset(known),
    )


def _matches_in_character(root: Node) -> bool:
    r"""Whether \B may match between the bytes of a character, as RE2 has it."""
    return matches_in_pair(root) and any(
        isinstance(node, Assertion) and node.at == "not-word-boundary" for node in walk(root)
    )


def _looks_at_units(root: Node) -> bool:
    """Whether halves of pairs may be seen: in lookbehinds, or where a match may begin."""
    behinds = (node for node in walk(root) if isinstance(node, Look) and not node.ahead)
    seen = chain.from_iterable(map(walk, behinds))
    behind = any(isinstance(node, CharSet | AnyChar | Grapheme) or getattr(node, "code", 0) > 0xFFFF for node in seen)
    at_words = any(isinstance(node, Assertion) and "word" in node.at for node in walk(root))
    return behind or at_words or matches_in_pair(root) or any(map(_takes_trails, walk(root)))


def _begins_with_reference(root: Node) -> bool:
    """Whether a match may begin with a character that only a reference takes: to what a lookaround has captured.

    Not where the search isn't narrowed to what may begin a match: if that may be empty, or begins the text.
    """
    match root:
        case Sequence((Assertion("text-start"), *_)):
            return False
    leaves = tuple(leaves_at_start(root))
    asked = {leaf.number for leaf in leaves if isinstance(leaf, Backreference)}
    if not asked or nullable(root) or AnyChar() in leaves:
        return False
    seen = union(pair for leaf in leaves if isinstance(leaf, Char | CharSet) for pair in first_ranges(leaf)[0] or ())
    looks = (node.body for node in walk(root) if isinstance(node, Look) and not node.negated)
    groups = (group for look in looks for group in captures(look) if group.number in asked)
    taken = (first_ranges(group.body)[0] for group in groups)
    return any(ranges is None or union((*seen, *ranges)) != seen for ranges in taken)


def _takes_trails(node: Node) -> bool:
    """Whether the second half of a pair may be taken though the pair isn't."""
    match node:
        case Char(code):
            return _TRAILS <= code <= SURROGATES[1]
        case CharSet():
            ranges = set_ranges(node) or ()
            all_pairs = any(first <= 0x10000 and last == LAST for first, last in ranges)
            return not all_pairs and any(first <= SURROGATES[1] and last >= _TRAILS for first, last in ranges)
    return False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a part of the tree stands."""

    denied: bool = False  # in an odd number of negative lookarounds
    behind: Look | None = None  # in this lookbehind, and not in a lookahead in it
    loop: Repeat | None = None  # in this loop, the outermost
    loops: int = 0  # in so many loops; one that must go round twice counts twice
    forgetting: bool = False  # in a loop that forgets its groups as it goes on
    attempted: bool = False  # in an atomic group or lookaround that may be given up
    split_sets: bool = False  # see `alternation`


class _Writer:
    def __init__(self, engine: Engine, root: Node, pattern: Pattern, said: set[str]) -> None:
        self.engine = engine
        self.said = said
        self.place = _Place()
        self.groups: dict[str, str | int] = {}
        self.markers: dict[str, int] = {}
        self.tails: list[str] = []
        self.begun: dict[str, tuple[int, _Place]] = {}  # by the names of groups: their numbers and places
        self.ended: set[str] = set()  # names of groups
        self.marker_counts = Counter(node.number for node in walk(root) if isinstance(node, Marker))
        self.asked = {number for node in walk(root) if isinstance(node, Marked) for number in node.numbers}
        self.capture_counts = Counter(capture.number for capture in captures(root))
        self.final = frozenset() if engine.forgets_attempts else ids_at_end(root)
        self.own = pattern.group_count  # groups with higher numbers are not the author's
        self.original: dict[int, str | int] = {number: number for number in references(root)}
        self.original |= {number: name for name, number in pattern.names.items()}
        self.taken: set[str] = set()
        fitting = {number for number, original in self.original.items() if self.fits(original)}
        self.names = {number: self.new_name(str(self.original[number])) for number in fitting}
        self.names |= {number: self.group_name(self.original[number]) for number in self.original.keys() - fitting}

    def refuse(self, key: str) -> EngineError:
        return refusal(self.engine, key)

    @contextmanager
    def within(self, **changes: Any) -> Iterator[None]:
        """Within this, the place is another one."""
        outer = self.place
        self.place = replace(outer, **changes)
        yield
        self.place = outer

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
            case Atomic():
                return self.atomic(node)
            case Repeat():
                return self.repeat(node)
            case Look():
                return self.look(node)
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
        if self.place.forgetting:
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
        if self.engine.native_classes and not self.place.split_sets:
            merged = sum(isinstance(part, CharSet) and _excludes_one(part) for part in walk(node)) > 1
            with self.within(split_sets=merged):
                return "|".join(map(self.text, node.options))
        return "|".join(map(self.text, node.options))

    def atomic(self, node: Atomic) -> str:
        if self.engine.atomic is None:
            raise self.refuse("atomic")
        with self.within(attempted=self.is_attempted(node)):
            return f"(?>{self.text(node.body)})"

    def repeat(self, node: Repeat) -> str:
        least, most, mode = node.least, node.most, node.mode
        attempted = self.is_attempted(node) if mode == "possessive" else self.place.attempted
        loops = most != 1
        loop = self.place.loop or (node if loops else None)
        forgetting = self.place.forgetting or (loops and not self.engine.keeps_groups)
        depth = self.place.loops + loops + (least > 1)
        with self.within(loop=loop, loops=depth, forgetting=forgetting, attempted=attempted):
            body = self.unit(node.body)
        return body + _quantifier(least, most) + ("" if least == most and mode == "lazy" else _MODES[mode])

    def look(self, node: Look) -> str:
        if not node.negated and self.place.forgetting and any(isinstance(part, Marker) for part in walk(node)):
            raise self.refuse("loop-marker")
        if node.ahead and not self.engine.lookahead:
            raise self.refuse("negative-lookahead" if node.negated else "lookahead")
        with self.within(
            denied=self.place.denied != node.negated,
            behind=None if node.ahead else node,
            forgetting=self.place.forgetting and not node.negated,
            attempted=self.is_attempted(node),
        ):
            return f"(?{'' if node.ahead else '<'}{'!' if node.negated else '='}{self.text(node.body)})"

    def is_attempted(self, node: Node) -> bool:
        """Whether groups may leak from `node`, an atomic group or lookaround, when it is given up."""
        if self.engine.forgets_attempts:
            return False
        final = id(node) in self.final and not (isinstance(node, Look) and node.negated)
        return self.place.attempted or not final

    # -- groups

    def group(self, name: str, text: str) -> str:
        return self.engine.group.format(name=name) + text + ")"

    def fits(self, original: str | int) -> bool:
        return isinstance(original, str) and re.fullmatch(self.engine.group_names, original) is not None

    def group_name(self, original: str | int) -> str:
        """A new name for the group that has the number `original`, or a name that the engine doesn't take."""
        if isinstance(original, int):
            return self.new_name(f"g{original}" if original <= self.own else f"aux{original - self.own}")
        self.said.add("renamed")
        letters = re.sub("[^A-Za-z0-9]", "", original)[:20]
        return self.new_name(letters if letters[:1].isalpha() else f"g{letters}")

    def new_name(self, wanted: str) -> str:
        """`wanted`, or something like it that is no group's name yet."""
        between = "_" if self.fits("a_1") else "x"
        endings = (f"{between}{number}" if number > 1 else "" for number in count(1))
        candidates = (wanted[: _LONGEST_NAME - len(ending)] + ending for ending in endings)
        name = next(name for name in candidates if name not in self.taken)
        self.taken.add(name)
        return name

    def capture(self, node: Capture) -> str:
        if node.number not in self.names:
            return self.text(node.body)
        name = self.names[node.number]
        if name in self.begun and not self.engine.repeated_names:
            self.check_same_name(node.number)
            name = self.new_name(name)
            self.said.add("same-name")
        self.begun[name] = node.number, self.place
        if self.place.attempted or (self.place.loops > 1 and not self.engine.restores_groups):
            raise self.refuse("leaky-group")
        text = self.group(name, self.text(node.body))
        self.ended.add(name)
        if node.number <= self.own:
            self.groups[name] = self.original[node.number]  # in the order of their ends, hence in which they are set
        return text

    def check_same_name(self, number: int) -> None:
        """Of several groups, the last that took part counts, unless a loop or lookbehind changes their order."""
        loop, behind = self.place.loop, self.place.behind
        for other, place in self.begun.values():
            if other == number and (
                (loop is not None and loop is place.loop and self.engine.keeps_groups)
                or (behind is not None and behind is place.behind)
            ):
                raise self.refuse("same-name-loop")

    def reference(self, number: int) -> str:
        name = self.names[number]
        if self.capture_counts[number] > 1 and not self.engine.repeated_names:
            raise self.refuse("several-places")
        if name not in self.ended and self.place.behind is None and not self.engine.forward_references:
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
        if self.place.attempted:
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
        elif self.place.loop is not None and len(names) < standing:
            return self.always()
        if self.engine.backreference is None:
            return self.always()
        if self.engine.unset_group_fails:
            tests = [self.engine.backreference_to(name) for name in names]
        elif at_end and not self.place.denied:  # what took text doesn't match at the end; in an empty text nothing did
            tests = [f"(?!{self.engine.backreference_to(name)})" for name in names] + [f"(?<!{self.engine.any_char})"]
        else:
            return self.always()
        return f"(?:{'|'.join(tests)})" if names else self.engine.never

    def always(self) -> str:
        if self.place.denied:
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
            self.said.add(_WORD_NOTES[self.engine.word_boundary])
        if not self.engine.native_classes and at in _ANCHOR_NOTES:
            self.said.add(_ANCHOR_NOTES[at])
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
        surrogate = SURROGATES[0] <= code <= SURROGATES[1]
        return (self.engine.encoding == "utf-8" and surrogate) or (
            self.engine.encoding == "utf-16" and (surrogate or code > 0xFFFF)
        )

    def literal(self, code: int, special: frozenset[str] = SPECIAL) -> str:
        return literal(code, special, self.engine.escapes)

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
            return utf16_set(taken, self.engine)
        if self.engine.encoding == "utf-8":
            ranges = _without_surrogate_ends(ranges)
            if not ranges:
                return self.any_char() if negated else self.engine.never
        return set_text(ranges, negated, self.engine)

    def native_set(self, node: CharSet) -> str:
        is_ascii = any(not isinstance(item, Range) and item.ascii for item in node.items)
        items = "".join(self.native_item(item, within_ascii=is_ascii) for item in node.items)
        if self.place.split_sets and _excludes_one(node):
            items *= 2
        flags = "i" * node.ignore_case + "a" * is_ascii
        text = f"[{'^' * node.negated}{items}]"
        return f"(?{flags}:{text})" if flags else text

    def native_item(self, item: SetItem, within_ascii: bool) -> str:
        match item:
            case Range(first, last):
                return range_text(first, last, self.engine)
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


def _without_surrogate_ends(ranges: Ranges) -> Ranges:
    """`ranges` so that none begins or ends at a surrogate, which no text in UTF-8 has."""
    low, high = SURROGATES
    trimmed = (
        (high + 1 if low <= first <= high else first, low - 1 if low <= last <= high else last)
        for first, last in ranges
    )
    return tuple((first, last) for first, last in trimmed if first <= last)


def _excludes_one(node: CharSet) -> bool:
    return node.negated and all(isinstance(item, Range) and item.first == item.last for item in node.items)


def _complementary(one: SetItem, other: SetItem) -> bool:
    match one, other:
        case Shorthand(kind, False, is_ascii), Shorthand(other_kind, True, other_ascii):
            return (kind, is_ascii) == (other_kind, other_ascii)
        case Property(name, False, is_ascii), Property(other_name, True, other_ascii):
            return (name, is_ascii) == (other_name, other_ascii)
    return False
