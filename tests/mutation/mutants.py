"""The mutants of a module: every change that an operator makes to a node, but for what scope.py leaves out."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import libcst as cst
from libcst.metadata import (
    CodePosition,
    CodeRange,
    MetadataWrapper,
    PositionProvider,
    WhitespaceInclusivePositionProvider,
)

from mutation.operators import CONDITIONS, OPERATORS, force_condition
from mutation.scope import MESSAGE_ARGUMENTS, MESSAGE_NAMES, MESSAGE_VARIABLES, OUTSIDE, OUTSIDE_STATEMENTS

MODULE_LEVEL = "(module)"
_NEVER_CHANGED_CALLS = frozenset({"len", "isinstance"})  # with another argument, these only crash


@dataclass(frozen=True)
class Mutant:
    """One change to one module.

    Attributes:
        module: the module's name in the reference.
        function: the qualified name of the function or class around the change; MODULE_LEVEL outside of any.
        operator: the name of what made it.
        before, after: the lines that differ, without indentation, joined by a space.
        line: the number of the first of them.
        source: the module's text with the change.
        in_function: whether it is inside of a function, and has no effect before that is called.
        number: 2, 3, … if a function has several that are equal in all of this.
    """

    module: str
    function: str
    operator: str
    before: str
    after: str
    line: int
    source: str
    in_function: bool
    number: int = 1

    @property
    def id(self) -> str:
        """Its name, which outlives changes elsewhere in the module."""
        number = f" #{self.number}" if self.number > 1 else ""
        return f"{self.module}.{self.function}: {self.before} → {self.after}{number}"


def mutants(module: str, source: str) -> list[Mutant]:
    """All mutants of a module's source, in the order of the text, each once."""
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    visitor = _Visitor(module, source, wrapper)
    wrapper.module.visit(visitor)
    seen = {source}
    numbers: Counter[tuple[str, str, str]] = Counter()
    found = []
    for mutant in visitor.found:
        if mutant.source not in seen and _compiles(mutant.source):
            seen.add(mutant.source)
            key = (mutant.function, mutant.before, mutant.after)
            numbers[key] += 1
            found.append(Mutant(**{**vars(mutant), "number": numbers[key]}))
    return found


class _Visitor(cst.CSTVisitor):
    """Gathers mutants on its way through a module."""

    def __init__(self, module: str, source: str, wrapper: MetadataWrapper) -> None:
        super().__init__()
        self.found: list[Mutant] = []
        self._module, self._source, self._tree = module, source, wrapper.module
        self._places = wrapper.resolve(WhitespaceInclusivePositionProvider)
        self._exact = wrapper.resolve(PositionProvider)
        self._starts = [0, *accumulate(len(line) for line in source.splitlines(keepends=True))]
        self._stack: list[cst.FunctionDef | cst.ClassDef] = []
        self._left_out: set[cst.CSTNode] = set()

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node in self._left_out or _is_outside(node) or self._is_named_statement(node):
            return False
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            self._stack.append(node)
            if self._path in OUTSIDE:
                return False
        if isinstance(node, cst.Call):
            self._left_out.update(node.args[index] for index in self._message_positions(node))
        if isinstance(node, cst.Assign | cst.AnnAssign) and self._assigns_message(node):
            return False
        self._mutate(node)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if self._stack and self._stack[-1] is original_node:
            self._stack.pop()

    @property
    def _function(self) -> str:
        return ".".join(node.name.value for node in self._stack)

    @property
    def _path(self) -> str:
        return f"{self._module}.{self._function or MODULE_LEVEL}"

    def _offset(self, point: CodePosition) -> int:
        return self._starts[point.line - 1] + point.column

    def _is_named_statement(self, node: cst.CSTNode) -> bool:
        if not isinstance(node, cst.BaseCompoundStatement | cst.SimpleStatementLine):
            return False
        line = self._source[self._offset(self._exact[node].start) :].partition("\n")[0]
        return f"{self._path}: {line.strip()}".startswith(tuple(OUTSIDE_STATEMENTS))

    def _message_positions(self, node: cst.Call) -> list[int]:
        """The arguments of a call that are parts of a message."""
        called = _called(node)
        positions = MESSAGE_ARGUMENTS.get(f"{self._module}.{called}", MESSAGE_ARGUMENTS.get(called, ()))
        return [index for index in positions if index < len(node.args)]

    def _differs_in_message_only(self, node: cst.CSTNode, changed: cst.CSTNode) -> bool:
        """Whether a call has all of its other arguments still."""
        if not isinstance(node, cst.Call) or not isinstance(changed, cst.Call):
            return False
        positions = self._message_positions(node)
        plain = [arg for index, arg in enumerate(node.args) if index not in positions]
        return bool(positions) and _called(node) == _called(changed) and all(_has(changed, arg) for arg in plain)

    def _assigns_message(self, node: cst.Assign | cst.AnnAssign) -> bool:
        targets = [node.target] if isinstance(node, cst.AnnAssign) else [target.target for target in node.targets]
        names = {target.value for target in targets if isinstance(target, cst.Name)}
        if any(f"{self._module}.{name}" in OUTSIDE for name in names) and not self._stack:
            return True
        if _is_message(node.value) and (isinstance(node.value, cst.FormattedString) or names & MESSAGE_NAMES):
            return True
        return bool(names & MESSAGE_VARIABLES.get(self._path, frozenset()))

    def _mutate(self, node: cst.CSTNode) -> None:
        for type_, operator in OPERATORS:
            if isinstance(node, type_):
                for changed in operator(node):
                    if not self._differs_in_message_only(node, changed):
                        self._add(node, changed, operator.__name__.removeprefix("operator_"))
        if isinstance(node, CONDITIONS):
            for changed in force_condition(node):
                self._add(node.test, changed, force_condition.__name__)

    def _add(self, node: cst.CSTNode, changed: cst.CSTNode, operator: str) -> None:
        place: CodeRange = self._places[node]
        begin, end = self._offset(place.start), self._offset(place.end)
        source = self._source[:begin] + self._tree.code_for_node(changed) + self._source[end:]
        line, before, after = _difference(self._source.splitlines(), source.splitlines())
        if _swaps_falsehoods(before, after):
            return
        function = self._function or MODULE_LEVEL
        inside = any(isinstance(node, cst.FunctionDef) for node in self._stack)
        self.found.append(Mutant(self._module, function, operator, before, after, line, source, inside))


def _is_outside(node: cst.CSTNode) -> bool:
    """Whether a node says nothing about what the program does: types, imports, documentation, how a class is made."""
    if isinstance(node, cst.Annotation | cst.Decorator | cst.Import | cst.ImportFrom):
        return True
    if isinstance(node, cst.FormattedString):
        return _is_message(node)
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString | cst.Ellipsis):
        return True
    if isinstance(node, cst.FunctionDef):
        return any(isinstance(d.decorator, cst.Name) and d.decorator.value == "overload" for d in node.decorators)
    if isinstance(node, cst.Assign) and isinstance(node.value, cst.Call):
        return _called(node.value) == "TypeVar"
    if isinstance(node, cst.AnnAssign):
        return isinstance(node.annotation.annotation, cst.Name) and node.annotation.annotation.value == "TypeAlias"
    return isinstance(node, cst.Call) and _called(node) in _NEVER_CHANGED_CALLS


def _is_message(value: cst.BaseExpression | None) -> bool:
    """Whether a text is written for people: one that is made of parts, and isn't raw like the source of a pattern."""
    if isinstance(value, cst.FormattedString):
        return "r" not in value.prefix.lower()
    return isinstance(value, cst.SimpleString | cst.ConcatenatedString)


def _called(node: cst.Call) -> str:
    """The last name of what is called."""
    function = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
    return function.value if isinstance(function, cst.Name) else ""


def _has(call: cst.Call, argument: cst.Arg) -> bool:
    return any(one is argument for one in call.args)


def _difference(before: Sequence[str], after: Sequence[str]) -> tuple[int, str, str]:
    """The number of the first line that differs, and the lines that do."""
    shorter = min(len(before), len(after))
    top = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    bottom = next((index for index in range(shorter - top) if before[-1 - index] != after[-1 - index]), shorter - top)
    old, new = before[top : len(before) - bottom], after[top : len(after) - bottom]
    return top + 1, _joined(old), _joined(new)


def _joined(lines: Sequence[str]) -> str:
    return " ".join(_without_comment(line) for line in lines)


def _without_comment(line: str) -> str:
    """Without what stands behind the code, as the formatter puts it, so that ids don't depend on it."""
    return line.partition("  # ")[0].strip()


def _swaps_falsehoods(before: str, after: str) -> bool:
    """Whether None takes the place of False, which no condition tells apart; True is tried anyway."""
    return any(
        before[: found.start()] + "None" + before[found.end() :] == after for found in re.finditer("False", before)
    )


def _compiles(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
