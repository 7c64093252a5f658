"""How code is changed: mutmut's operators, and a few that it lacks. One change to one node each.

mutmut's own runner isn't used: it changes functions only, not the tables and expressions on a module's level that half
of the reference consists of, and it judges by pytest, which would start again for each of the suite's cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import libcst as cst
from mutmut.mutation.mutators import mutation_operators


def force_condition(node: cst.If | cst.While | cst.CompIf) -> Iterator[cst.BaseExpression]:
    """A condition that never holds, and one that always does; for the expression of the test alone."""
    if isinstance(node.test, cst.Name) and node.test.value == "True":
        return
    condition = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield cst.BooleanOperation(condition, cst.And(), cst.Name("False"))
    yield cst.BooleanOperation(condition, cst.Or(), cst.Name("True"))


def keep_one_operand(node: cst.BooleanOperation) -> Iterator[cst.BaseExpression]:
    """Only one side of `and` or `or`."""
    for operand in (node.left, node.right):
        yield operand.with_changes(lpar=[*node.lpar, *operand.lpar], rpar=[*operand.rpar, *node.rpar])


def leave_out_call(node: cst.Expr) -> Iterator[cst.BaseSmallStatement]:
    """A call for its effect isn't made."""
    if isinstance(node.value, cst.Call):
        yield cst.Pass()


def leave_out_raise(node: cst.Raise) -> Iterator[cst.BaseSmallStatement]:
    """An error isn't raised."""
    yield cst.Pass()


Operator = Callable[[Any], Iterable[cst.CSTNode]]

OPERATORS: Final[tuple[tuple[type, Operator], ...]] = (
    *((type_, operator) for type_, operator in mutation_operators),
    (cst.BooleanOperation, keep_one_operand),
    (cst.Expr, leave_out_call),
    (cst.Raise, leave_out_raise),
)
"""Each with the nodes that it takes. What it yields stands in the place of the node."""

CONDITIONS: Final = (cst.If, cst.While, cst.CompIf)
"""Nodes for `force_condition`, whose results stand in the place of the node's test."""
