"""A backtracking matcher that counts its steps: what a search costs, measured without a clock.

It works as the engines of the ports do, without their tricks (literal prefixes, memory of failures). The tree becomes a
program; what waits to be tried is on a stack of its own, so no text is too deep. It says nothing of captures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from antiphon_portability.regex import Node, Pattern, width
from antiphon_portability.regex.codepoints import case_variants, set_ranges
from antiphon_portability.regex.nodes import (
    Alternation,
    AnyChar,
    Assertion,
    Atomic,
    Capture,
    Char,
    CharSet,
    Look,
    Never,
    Repeat,
    Sequence,
)

_MOST_INSTRUCTIONS: Final = 4000


class Unmeasurable(Exception):
    """The pattern has a construct that isn't counted here (a reference, a condition, a cluster), or is too big."""


Test: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class _Take:
    test: Test


@dataclass(frozen=True, slots=True)
class _Split:
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class _Jump:
    target: int


@dataclass(frozen=True, slots=True)
class _Enter:
    """A loop's iteration begins here: to be compared by `_Leave`."""

    slot: int


@dataclass(frozen=True, slots=True)
class _Leave:
    """An iteration that took no text ends its loop (DIALECT-5)."""

    slot: int
    end: int


@dataclass(frozen=True, slots=True)
class _Check:
    holds: Callable[[str, int], bool]


@dataclass(frozen=True, slots=True)
class _Inner:
    """A lookaround or an atomic group: a program of its own."""

    program: Program
    kind: str  # "atomic", "ahead", "behind"
    negated: bool
    widths: tuple[int, int | None]


_Instruction: TypeAlias = _Take | _Split | _Jump | _Enter | _Leave | _Check | _Inner
Program: TypeAlias = "tuple[_Instruction, ...]"


@lru_cache(maxsize=256)
def compiled(root: Node) -> Program:
    """The program of a tree. Raises Unmeasurable."""
    code: list[_Instruction] = []
    _emit(root, code)
    return tuple(code)


def search_steps(pattern: Pattern, text: str, limit: int) -> int:
    """How many steps the search for the first match takes, `limit` at most. Raises Unmeasurable."""
    run = _Run(text, limit)
    program = compiled(pattern.root)
    for start in range(len(text) + 1):
        if run.match(program, start) is not None or run.steps >= limit:
            break
    return min(run.steps, limit)


class _Run:
    def __init__(self, text: str, limit: int) -> None:
        self.text = text
        self.steps = 0
        self.limit = limit

    def match(self, program: Program, start: int, wanted_end: int | None = None) -> int | None:
        """Where the first way through the program ends; None without one, or at the limit."""
        text, length, end = self.text, len(self.text), len(program)
        stack: list[tuple[int, int, tuple[int, ...]]] = [(0, start, ())]
        while stack:
            at, pos, marks = stack.pop()
            while True:
                self.steps += 1
                if self.steps >= self.limit:
                    return None
                if at == end:
                    if wanted_end is None or pos == wanted_end:
                        return pos
                    break
                match program[at]:
                    case _Take(test):
                        if pos >= length or not test(text[pos]):
                            break
                        pos += 1
                        at += 1
                    case _Split(first, second):
                        stack.append((second, pos, marks))
                        at = first
                    case _Jump(target):
                        at = target
                    case _Enter(slot):
                        marks = (*marks[:slot], *(-1,) * (slot - len(marks)), pos)
                        at += 1
                    case _Leave(slot, after):
                        at = after if marks[slot] == pos else at + 1
                    case _Check(holds):
                        if not holds(text, pos):
                            break
                        at += 1
                    case _Inner() as inner:
                        found = self.inner(inner, pos)
                        if (found is None) is not inner.negated:
                            break
                        pos = pos if inner.kind != "atomic" or found is None else found
                        at += 1
        return None

    def inner(self, inner: _Inner, pos: int) -> int | None:
        if inner.kind != "behind":
            return self.match(inner.program, pos)
        least, most = inner.widths
        for back in range(least, (pos if most is None else min(most, pos)) + 1):
            if self.match(inner.program, pos - back, wanted_end=pos) is not None:
                return pos
        return None


def _emit(node: Node, code: list[_Instruction], depth: int = 0) -> None:
    if len(code) > _MOST_INSTRUCTIONS:
        raise Unmeasurable
    match node:
        case Char() | CharSet() | AnyChar():
            code.append(_Take(_test(node)))
        case Sequence(items):
            for item in items:
                _emit(item, code, depth)
        case Capture(body):
            _emit(body, code, depth)
        case Alternation(options):
            _emit_options(options, code, depth)
        case Repeat(mode="possessive"):
            greedy = Repeat(node.body, node.least, node.most)
            code.append(_Inner(_part(greedy), "atomic", False, (0, None)))
        case Repeat():
            _emit_repeat(node, code, depth)
        case Atomic(body):
            code.append(_Inner(_part(body), "atomic", False, (0, None)))
        case Look(body, ahead, negated):
            code.append(_Inner(_part(body), "ahead" if ahead else "behind", negated, width(body)))
        case Assertion():
            code.append(_Check(_POSITIONS[node.at]))
        case Never():
            code.append(_Check(lambda text, pos: False))
        case _:
            raise Unmeasurable


def _part(node: Node) -> Program:
    code: list[_Instruction] = []
    _emit(node, code)
    return tuple(code)


def _emit_options(options: tuple[Node, ...], code: list[_Instruction], depth: int) -> None:
    jumps = []
    for option in options[:-1]:
        split = len(code)
        code.append(_Split(0, 0))
        _emit(option, code, depth)
        jumps.append(len(code))
        code.append(_Jump(0))
        code[split] = _Split(split + 1, len(code))
    _emit(options[-1], code, depth)
    for jump in jumps:
        code[jump] = _Jump(len(code))


def _emit_repeat(node: Repeat, code: list[_Instruction], depth: int) -> None:
    body, least, most = node.body, node.least, node.most
    for _ in range(least):
        _emit(body, code, depth)
    if most is None:
        _emit_loop(node, code, depth)
        return
    splits = []
    for _ in range(most - least):
        splits.append(len(code))
        code.append(_Split(0, 0))
        _emit(body, code, depth)
    for split in splits:
        code[split] = _branch(node, split + 1, len(code))


def _emit_loop(node: Repeat, code: list[_Instruction], depth: int) -> None:
    may_be_empty = width(node.body)[0] == 0
    split = len(code)
    code.append(_Split(0, 0))
    if may_be_empty:
        code.append(_Enter(depth))
    _emit(node.body, code, depth + may_be_empty)
    if may_be_empty:
        code.append(_Leave(depth, len(code) + 2))
    code.append(_Jump(split))
    code[split] = _branch(node, split + 1, len(code))


def _branch(node: Repeat, again: int, out: int) -> _Split:
    return _Split(out, again) if node.mode == "lazy" else _Split(again, out)


def _test(node: Char | CharSet | AnyChar) -> Test:
    match node:
        case Char(code, ignore_case):
            allowed = {chr(code), *(map(chr, case_variants(code)) if ignore_case else ())}
            return allowed.__contains__
        case AnyChar(newline):
            return (lambda char: True) if newline else (lambda char: char != "\n")
    ranges = set_ranges(node)
    if ranges is None:
        raise Unmeasurable

    @lru_cache(maxsize=128)
    def contains(char: str) -> bool:
        return any(first <= ord(char) <= last for first, last in ranges)

    return contains


def _is_word(text: str, pos: int) -> bool:
    return 0 <= pos < len(text) and (text[pos].isalnum() or text[pos] == "_")


_POSITIONS: Final[dict[str, Callable[[str, int], bool]]] = {
    "text-start": lambda text, pos: pos == 0,
    "line-start": lambda text, pos: pos == 0 or text[pos - 1] == "\n",
    "text-end": lambda text, pos: pos == len(text),
    "final-end": lambda text, pos: text[pos:] in ("", "\n"),
    "line-end": lambda text, pos: pos == len(text) or text[pos] == "\n",
    "word-boundary": lambda text, pos: _is_word(text, pos - 1) != _is_word(text, pos),
    "not-word-boundary": lambda text, pos: _is_word(text, pos - 1) == _is_word(text, pos),
    "word-start": lambda text, pos: not _is_word(text, pos - 1) and _is_word(text, pos),
    "word-end": lambda text, pos: _is_word(text, pos - 1) and not _is_word(text, pos),
}
