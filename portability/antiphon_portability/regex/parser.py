"""From pattern text to syntax tree: the syntax of the `regex` module, version 0, as response templates use it.

`parse` takes what `regex.compile(pattern, regex.V0 | regex.DOTALL)` takes and gives it the same meaning, down to that
module's rules for inline flags. What can't mean anything in a stream (`errors.UNSUPPORTED`) is refused with a remedy.
It knows nothing of engines, and does not judge whether a pattern is a good delimiter.

Functions are named after what they read. Each starts with the source standing behind the characters that led to it.
"""

from __future__ import annotations

import re
from string import ascii_letters, digits, octdigits
from typing import Final

from .analysis import iterations, walk
from .characters import CharacterReader
from .errors import PatternError
from .nodes import (
    EMPTY,
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
    Node,
    Pattern,
    Position,
    Range,
    Repeat,
    RepeatMode,
    Sequence,
)

_POSITIONS: Final[dict[str, Position]] = {
    "A": "text-start",
    "Z": "text-end",
    "z": "text-end",
    "b": "word-boundary",
    "B": "not-word-boundary",
    "m": "word-start",
    "M": "word-end",
}
_LINE_BREAKS: Final = (Range(0x0A, 0x0D), Range(0x85, 0x85), Range(0x2028, 0x2029))
_QUANTIFIERS: Final[dict[str, tuple[int, int | None]]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_SUFFIXES: Final[dict[str, RepeatMode]] = {"?": "lazy", "+": "possessive"}
_FUZZY_LIMIT: Final = re.compile(r"([deis])(?:<=?\d*)?|\d+<=?([deis])<=?\d*")
_FUZZY_EQUATION: Final = re.compile(r"\d*[dis](?:\+\d*[dis])*<=?\d*")
_REPEAT_LIMIT: Final = 2**32 - 1
_DEEPEST: Final = 64  # levels of parentheses: what later stages do in Python's default recursion limit

_FLAGS: Final = frozenset("aimsux")
_ENCODINGS: Final = frozenset("au")
_GLOBAL_FLAGS: Final = frozenset({"V0", "V1", "b", "e", "p", "r"})
_FARTHEST: Final = 65_535  # a count; engines unroll loops, and run out of memory
_FARTHEST_NESTED: Final = 4_096  # the product of the counts of loops in loops
_ALL_FLAGS: Final = _FLAGS | _GLOBAL_FLAGS | frozenset("Lfw")


def parse(pattern: str) -> Pattern:
    """The syntax tree of `pattern`. Raises `PatternError`."""
    survey = _Parser(pattern)
    survey.whole()
    parser = _Parser(pattern, survey)
    return Pattern(parser.whole(), parser.group_count, parser.group_numbers)


def to_number(digits: str) -> int:
    """The value of decimal digits; of very many, some number that is too big for everything."""
    return int(digits) if len(digits) < 10 else 10**10


class _Parser(CharacterReader):
    """One pass over a pattern.

    A pattern is read twice: only its end tells which group a name means and whether flag a holds for all of it, so
    the first pass (the `survey` of the second) is read for those facts alone.
    """

    def __init__(self, text: str, survey: _Parser | None = None) -> None:
        super().__init__(text, ascii_by_default=survey is not None and "a" in survey.flags)
        self.survey = survey
        self.group_count = 0
        self.group_numbers: dict[str, int] = {}
        self.open_groups: list[int] = []
        self.depth = 0
        self.behind = 0  # how many lookbehinds are open

    # -- structure

    def whole(self) -> Node:
        root = self.alternatives()
        if self.source.peek():
            self.source.fail("a ) without its (", r"remove it, or write \)")
        if self.flags >= _ENCODINGS:
            self.source.fail("flags a and u exclude each other", "keep one of them", 0)
        return root

    def alternatives(self) -> Node:
        options = [self.sequence()]
        while self.source.accept("|"):
            options.append(self.sequence())
        return options[0] if len(options) == 1 else Alternation(tuple(options))

    def sequence(self) -> Node:
        source = self.source
        items: list[Node | None] = [None]  # None: here a quantifier has nothing to repeat
        literal_flags = self.flags  # `regex` looks at flags that leak out of (?|…) later than at its own inline flags
        while True:
            source.skip_space()
            start = source.pos
            char = source.take()
            if char in ("", "|", ")"):
                source.pos = start
                break
            if char == "(":
                group = self.parenthesis(start)
                if group is None:
                    literal_flags = self.flags
                else:
                    items.append(group)
            elif counts := self.quantifier(char, start):
                items[-1:] = [self.repeat(items, counts, start), None]
            elif atom := self.atom(char, start):
                items.append(atom)
            else:
                items.append(self.char(ord(char), literal_flags))
        found = [item for item in items if item is not None]
        return found[0] if len(found) == 1 else Sequence(tuple(found))

    def atom(self, char: str, start: int) -> Node | None:
        """What the special character `char` stands for; None if it is literal."""
        match char:
            case "\\":
                return self.escape(start)
            case "[":
                return self.char_set(start)
            case ".":
                return AnyChar(newline="s" in self.flags)
            case "^":
                return Assertion("line-start" if "m" in self.flags else "text-start")
            case "$":
                return Assertion("line-end" if "m" in self.flags else "final-end")
        return None

    # -- quantifiers

    def quantifier(self, char: str, start: int) -> tuple[int, int | None] | None:
        """How often the item before is to be repeated; None if `char` starts no quantifier."""
        if char != "{":
            return _QUANTIFIERS.get(char)
        counts = self.braces(start)
        if counts is None and self.is_fuzzy():
            self.source.refuse("fuzzy", start)
        return counts

    def braces(self, start: int) -> tuple[int, int | None] | None:
        source, before = self.source, self.source.pos
        least = source.take_while(digits.__contains__)
        most = least
        comma = source.accept(",")
        if comma:
            most = source.take_while(digits.__contains__)
        if not (least or comma) or not source.accept("}"):
            source.pos = before
            return None
        counts = to_number(least or "0"), to_number(most) if most else None
        if max(counts[0], counts[1] or 0) >= _REPEAT_LIMIT:
            self.source.fail("a repeat count that is too big", f"stay below {_REPEAT_LIMIT}", start)
        if counts[1] is not None and counts[0] > counts[1]:
            self.source.fail("a least count above the most", "write the smaller count first", start)
        return counts

    def is_fuzzy(self) -> bool:
        """Whether the brace before is read as a fuzzy constraint, well-formed or not, and not as a literal."""
        before = self.source.pos
        text = self.source.take_while(lambda char: char in ascii_letters + digits + "<=+,")
        self.source.pos = before
        end = -1
        seen: set[str] = set()
        while end < 0 or text.startswith(",", end):
            item = _FUZZY_LIMIT.match(text, end + 1)
            kind = item and (item[1] or item[2])
            if not kind or kind in seen:
                if "equation" in seen:
                    return True
                item, kind = _FUZZY_EQUATION.match(text, end + 1), "equation"
            if item is None:
                return False
            if item[0].endswith(("<", "=")):
                return True
            seen.add(kind)
            end = item.end()
        return True

    def repeat(self, items: list[Node | None], counts: tuple[int, int | None], start: int) -> Node:
        body = items[-1]
        if body is None:
            reason = "a quantifier on a quantifier" if len(items) > 1 else "a quantifier with nothing to repeat"
            self.source.fail(reason, "put what it repeats before it, in (?:…) if need be, or escape it with \\", start)
        before = self.source.pos
        mode = _SUFFIXES.get(self.source.take())
        if mode is None:
            self.source.pos = before
        if max(counts[0], counts[1] or 0) > _FARTHEST:
            self.source.refuse("count", start)
        if _is_empty(body) or counts == (1, 1):
            return body
        loop = Repeat(body, *counts, mode or "greedy")
        if iterations(loop) > iterations(body) > 1 and iterations(loop) > _FARTHEST_NESTED:
            self.source.refuse("count", start)
        return loop

    # -- groups

    def parenthesis(self, start: int) -> Node | None:
        """What the parenthesis at `start` holds; None for inline flags and comments."""
        source = self.source
        if self.depth == _DEEPEST:
            source.refuse("depth", start)
        self.depth += 1
        node = self.group(start)
        self.depth -= 1
        return node

    def group(self, start: int) -> Node | None:
        source = self.source
        before = source.pos
        match source.take_raw():
            case "?":
                return self.extension(start)
            case "*" if source.peek().isalpha():
                self.source.refuse("verb", start)
        source.pos = before
        return self.capture(None, start)

    def extension(self, start: int) -> Node | None:
        source = self.source
        before = source.pos
        match source.take_raw():
            case "<":
                return self.lookbehind_or_name(start)
            case "P":
                return self.python_extension(start)
            case "=" | "!" as sign:
                return Look(self.body(start), ahead=True, negated=sign == "!")
            case ">":
                return Atomic(self.body(start))
            case "|":
                return self.branch_reset(start)
            case "(":
                return self.conditional(start)
            case "#":
                self.comment(start)
                return None
            case char if char and char in "R&0123456789":
                self.source.refuse("call", start)
            case char if char and char in "+-" and source.peek() and source.peek() in digits:
                self.source.refuse("call", start)
        source.pos = before
        return self.flag_group(start)

    def body(self, start: int) -> Node:
        """Options up to the closing parenthesis; inline flags end there."""
        flags = self.flags
        node = self.alternatives()
        self.source.expect(")", start)
        self.set_flags(flags)
        return node

    def lookbehind_or_name(self, start: int) -> Node:
        before = self.source.pos
        sign = self.source.take()
        if sign in ("=", "!"):
            self.behind += 1
            body = self.body(start)
            self.behind -= 1
            if any(isinstance(node, Grapheme) for node in walk(body)):
                self.source.refuse("lookbehind-grapheme", start)
            return Look(body, ahead=False, negated=sign == "!")
        self.source.pos = before
        return self.named_capture(start)

    def python_extension(self, start: int) -> Node:
        kind = self.source.take()
        if kind == "<":
            return self.named_capture(start)
        if kind in (">", "&"):
            self.source.refuse("call", start)
        if kind != "=":
            self.source.fail("an unknown kind of group", "after (?P write <name> or =name", start)
        return self.backreference(self.closed_group_name(")", start), start)

    def named_capture(self, start: int) -> Node:
        name = self.name()
        self.source.expect(">", start)
        return self.capture(name, start)

    def capture(self, name: str | None, start: int) -> Node:
        number = self.group_numbers.get(name) if name else None
        if number is None:
            self.group_count += 1
            while name and self.group_count in self.group_numbers.values():  # after (?| a number may have a name
                self.group_count += 1
            number = self.group_count
            if name:
                self.group_numbers[name] = number
        self.open_groups.append(number)
        body = self.body(start)
        self.open_groups.pop()
        return Capture(body, number, name)

    def branch_reset(self, start: int) -> Node:
        """`(?|…)`: each option numbers its groups from the same start. Inline flags reach beyond it, as in `regex`."""
        first = last = self.group_count
        options = [self.sequence()]
        while self.source.accept("|"):
            last = max(last, self.group_count)
            self.group_count = first
            options.append(self.sequence())
        self.group_count = max(last, self.group_count)
        self.source.expect(")", start)
        return options[0] if len(options) == 1 else Alternation(tuple(options))

    def conditional(self, start: int) -> Node:
        flags = self.flags
        before = self.source.pos
        if self.source.take() == "?":
            return self.look_conditional(start)
        self.source.pos = before
        name = self.name(numeric=True)
        self.source.expect(")", start)
        yes, no = self.branches(start)
        self.set_flags(flags)
        if _is_empty(yes) and _is_empty(no):
            return EMPTY
        if name == "DEFINE" and self.survey and name not in self.survey.group_numbers:
            self.source.refuse("DEFINE", start)
        return Conditional(self.group_number(name, start), yes, no)

    def look_conditional(self, start: int) -> Node:
        """`(?(?=a)yes|no)`, which is `(?:(?=a)yes|(?!a)no)`."""
        if self.behind:
            self.source.refuse("lookbehind-condition", start)
        ahead = not self.source.accept("<")
        sign = self.source.take()
        if sign not in ("=", "!"):
            self.source.fail("an unknown kind of condition", "write a group's name or number, or a lookaround", start)
        condition = self.body(start)
        yes, no = self.branches(start)
        negated = sign == "!"
        holds = Look(condition, ahead, negated)
        fails = Look(condition, ahead, not negated)
        return Alternation((Sequence((holds, yes)), Sequence((fails, no))))

    def branches(self, start: int) -> tuple[Node, Node]:
        yes = self.sequence()
        no = self.sequence() if self.source.accept("|") else EMPTY
        self.source.expect(")", start)
        return yes, no

    def comment(self, start: int) -> None:
        while char := self.source.take_raw():
            if char == ")":
                return
            if char == "\\":
                self.source.take_raw()
        self.source.fail("a comment without end", "close it with )", start)

    def flag_group(self, start: int) -> Node | None:
        """`(?i)` (None), `(?i:…)`, and `(?:…)`, which is the case without a flag."""
        turned_on = self.flag_letters()
        turned_off: frozenset[str] = frozenset()
        if self.source.accept("-"):
            turned_off = self.flag_letters()
            if not turned_off:
                self.source.fail("no flag after the -", "name the flags to turn off, or drop the -", start)
        if turned_off & _GLOBAL_FLAGS:
            self.source.fail("a flag that can't be turned off", "remove it after the -", start)
        if turned_on & turned_off:
            self.source.fail("a flag both turned on and off", "keep one of them", start)
        for flag in turned_on - _FLAGS - {"V0"}:
            self.source.refuse("L-flag" if flag == "L" else flag, start)
        outer = self.flags
        inner = (outer | turned_on & _FLAGS) - turned_off
        if self.source.accept(")"):
            self.set_flags(inner)
            return None
        if not self.source.accept(":"):
            self.source.fail("an unknown kind of group", "write (?:…) for a plain group", start)
        if inner & _ENCODINGS:  # even a plain (?:…) ends flags a and u, which then hold only by default
            inner = (inner - _ENCODINGS) | turned_on & _FLAGS
        self.set_flags(inner)
        node = self.alternatives()
        self.source.expect(")", start)
        self.set_flags(outer)
        return node

    def flag_letters(self) -> frozenset[str]:
        letters: set[str] = set()
        while True:
            before = self.source.pos
            letter = self.source.take()
            if letter == "V":
                letter += self.source.take()
            if letter not in _ALL_FLAGS:
                self.source.pos = before
                return frozenset(letters)
            letters.add(letter)

    # -- references to groups

    def name(self, numeric: bool = False) -> str:
        start = self.source.pos
        name = self.source.take_while(lambda char: char not in ")>")
        if not name:
            self.source.fail("a missing group name", "write a name", start)
        if not name.isidentifier() and not (numeric and name.isdecimal() and to_number(name) > 0):
            self.source.fail(f"{name!r} is no group name", "use letters, digits and _, not a digit first", start)
        return name

    def closed_group_name(self, closing: str, start: int) -> str:
        """The name or number of a group that has ended, up to `closing`."""
        name = self.name(numeric=True)
        self.source.expect(closing, start)
        self.check_closed(name, start)
        return name

    def check_closed(self, name: str, start: int) -> None:
        number = to_number(name) if name.isdecimal() else self.group_numbers.get(name)
        if number in self.open_groups:
            self.source.fail("a reference to a group from inside it", "refer to it after its end", start)

    def backreference(self, name: str, start: int) -> Node:
        return Backreference(self.group_number(name, start), "i" in self.flags)

    def group_number(self, name: str, start: int) -> int:
        if self.survey is None:
            return 0
        number = to_number(name) if name.isdecimal() else self.survey.group_numbers.get(name)
        if number is None or not 0 < number <= self.survey.group_count:
            self.source.fail(f"there is no group {name}", "refer to a group of this pattern", start)
        return number

    # -- characters

    def escape(self, start: int) -> Node:
        """What a backslash outside a set stands for."""
        source = self.source
        before = source.pos
        match source.take_raw():
            case "G" | "K" | "L" as letter:
                self.source.refuse(letter, start)
            case "g":
                return self.group_reference(start)
            case "R":
                crlf = Sequence((Char(0x0D), Char(0x0A)))
                return Atomic(Alternation((crlf, CharSet(_LINE_BREAKS))))
            case "X":
                return Grapheme()
            case char if char in _POSITIONS:
                # `regex` heeds flag a at \b and \B everywhere, at \m and \M only if it holds for the whole pattern.
                is_ascii = (char in "bB" and self.ascii) or (char in "mM" and self.ascii_by_default)
                return Assertion(_POSITIONS[char], is_ascii)
            case char if char and char in "123456789":
                return self.number(char, start)
        source.pos = before
        item = self.class_or_code(start)
        return self.char(item) if isinstance(item, int) else self.one_of([item], start=start)

    def number(self, first: str, start: int) -> Node:
        """A backreference of one or two digits, or three octal digits: a code point."""
        number = first
        before = self.source.pos
        for _ in range(2):
            char = self.source.take()
            if not char or char not in digits or (len(number) == 2 and not set(number + char) <= set(octdigits)):
                break
            number += char
            before = self.source.pos
        self.source.pos = before
        if len(number) == 3:
            mask = 0xFF if self.flags & _ENCODINGS == {"a"} else 0x1FF
            return self.char(int(number, 8) & mask)
        self.check_closed(number, start)
        return self.backreference(number, start)

    def group_reference(self, start: int) -> Node:
        r"""`\g<name>`; where no reference can be meant, as in `regex`, the letter g."""
        before = self.source.pos
        try:
            self.source.expect("<", start)
            name = self.closed_group_name(">", start)
        except PatternError:
            self.source.pos = before
            return self.char(ord("g"))
        return self.backreference(name, start)


def _is_empty(node: Node) -> bool:
    """Whether `regex` sees nothing in `node`: it then drops a quantifier on it, and a conditional around it."""
    match node:
        case Sequence(parts) | Alternation(parts):
            return all(map(_is_empty, parts))
        case Atomic(body) | Look(body, negated=False):
            return _is_empty(body)
    return False
