"""Patterns that take long: loops whose ways of taking a text multiply.

The tree says where that can happen (loops in loops, loops side by side, a search that starts anew at each place), and
gives the texts. Whether it does is measured, in steps of a backtracking search on ever longer texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

from antiphon_portability.lint.context import STEPS, STRANGER, Context, OutOfWork, Work
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show
from antiphon_portability.lint.steps import Unmeasurable, search_steps
from antiphon_portability.regex import Node, Pattern
from antiphon_portability.regex.analysis import walk
from antiphon_portability.regex.nodes import Alternation, AnyChar, Char, CharSet, Repeat
from antiphon_portability.regex.samples import Loop, canonical, loops, members, pumps

_LIMIT: Final = 60_000  # steps of one search
_BASES: Final = (8, 6, 4, 2)  # repetitions; exponential growth is seen at one, two and three times as many
_SIZES: Final = (16, 32, 64)  # repetitions; polynomial growth
_ENDINGS: Final = (STRANGER, "")  # what makes most searches fail; or nothing
_MOST_STEPS: Final = 1_500_000  # for one pattern
_COUNTED: Final = 12  # a loop that goes round so often is as good as unlimited
_MANY: Final = 8  # parts that may each take the same text or leave it: their ways multiply as a loop's do
_STEEPEST: Final = 8  # repetitions; a search that is beyond the limit by then may be too steep to be measured
_STEEP: Final = 4  # the degree from which on it is


@dataclass(frozen=True, slots=True)
class Growth:
    """How the steps of a search grow with `count` in lead + unit × count + ending.

    `degree` is None: exponentially, or too steeply to tell; the last of `steps` is then a search that was given up.
    """

    lead: str
    unit: str
    ending: str
    degree: int | None
    counts: tuple[int, ...]
    steps: tuple[int, ...]

    @property
    def is_given_up(self) -> bool:
        return self.steps[-1] >= _LIMIT

    def base(self) -> float:
        """By what an exponential growth multiplies the steps for one unit more."""
        return float((self.steps[-1] / self.steps[-2]) ** (1 / (self.counts[-1] - self.counts[-2])))

    def rank(self) -> tuple[float, bool, int]:
        """Worse ones first; among equals, those on ordinary text, then the shorter."""
        return -(math.inf if self.degree is None else self.degree), self.unit.isspace(), len(self.lead + self.unit)


def slow_patterns(context: Context) -> Iterator[Finding]:
    """AP060, AP061, AP062: for each pattern the worst growth that was measured; those that are alike together."""
    found: dict[tuple[int | None, str, str], list[tuple[str, Growth]]] = {}
    try:
        for where, tree in context.patterns.items():
            worst = growth(tree, context.work)
            if worst is not None:
                found.setdefault((worst.degree, worst.lead, worst.unit), []).append((where, worst))
    except OutOfWork:
        yield from _findings(found.values())
        raise
    yield from _findings(found.values())


def _findings(groups: Iterable[list[tuple[str, Growth]]]) -> Iterator[Finding]:
    for (where, worst), *others in groups:
        yield _finding(where, worst, [other for other, _ in others])


def _finding(where: str, worst: Growth, others: list[str]) -> Finding:
    rule = {None: "AP060", 2: "AP062"}.get(worst.degree, "AP061")
    behind = f" behind {show(worst.lead)}" if worst.lead else ""
    power = {2: "²", 3: "³"}.get(worst.degree or 0, f" to the power of {worst.degree}")
    cost = f"n times {show(worst.unit)}{behind} take about n{power} steps"
    if worst.is_given_up:
        cost = f"{worst.counts[-1]} times {show(worst.unit)}{behind} take more than {_LIMIT:,} steps"
    elif worst.degree is None:
        cost = f"each {show(worst.unit)} more{behind} multiplies the steps by about {worst.base():.1f}"
    if worst.unit.isspace() and worst.degree == 2:
        cost += "; other text doesn't"
    if others:
        cost += "; so also at " + ", ".join(others)
    counted = zip(worst.counts, worst.steps, strict=True)
    shows = tuple(
        (f"n = {count}", f"{steps} steps" if steps < _LIMIT else f"given up after {_LIMIT:,} steps")
        for count, steps in counted
    )
    text = worst.lead + worst.unit * worst.counts[-1] + worst.ending
    witness = Witness(text, shows, unit=worst.unit, count=worst.counts[-1])
    return Finding(RULES[rule], where, cost, witness=witness)


def growth(tree: Pattern, work: Work | None = None) -> Growth | None:
    """The worst growth of a search's steps that was found; None if all is about linear, or nothing can be measured.

    Raises OutOfWork if `work` ends before the pattern has been tried as far as it should be.
    """
    found: list[Growth] = []
    spent = 0
    may_explode = any(map(_is_ambiguous, walk(tree.root)))
    for lead, unit, ending in dict.fromkeys(_texts(tree)):
        try:
            measured, steps = _measure(tree, lead, unit, ending, may_explode)
        except Unmeasurable:
            return None
        if work is not None:
            work.spend(steps // STEPS)
        spent += steps
        if measured is not None:
            found.append(measured)
        if spent > _MOST_STEPS or (measured is not None and measured.degree is None):
            break
    return min(found, key=Growth.rank, default=None)


def _is_ambiguous(node: Node) -> bool:
    """Whether a loop has a choice in it: only there can ways multiply without limit; elsewhere they are polynomial."""
    if not isinstance(node, Repeat) or (node.most is not None and node.most < _COUNTED):
        return False
    inner = walk(node.body)
    return any(
        isinstance(part, Alternation) or (isinstance(part, Repeat) and part.least != part.most) for part in inner
    )


def _texts(tree: Pattern) -> Iterator[tuple[str, str, str]]:
    """Texts that loops may take in several ways: what leads to a loop, what it may take, what ends it."""
    yield from _optional_texts(tree)
    found = list(loops(tree.root, least_most=_COUNTED))
    if not found:
        return
    leaves = [leaf for leaf in walk(tree.root) if isinstance(leaf, Char | CharSet | AnyChar)]
    common = list(dict.fromkeys(char for leaf in leaves if not isinstance(leaf, Char) for char in members(leaf, 3)))
    whole = canonical(tree.root)
    for loop in found:
        units = dict.fromkeys([*pumps(loop), *loop.next, *common[:8]])
        for unit, ending in product(units, _ENDINGS):
            yield loop.lead, unit, ending
            yield "", unit, ending
        for cut in dict.fromkeys([loop.lead, whole[:-1]]):  # the search starts anew at each beginning
            if 0 < len(cut) <= 64:
                yield "", cut, STRANGER


def _optional_texts(tree: Pattern) -> Iterator[tuple[str, str, str]]:
    """The same for texts that many parts may each take or leave: `a?a?a?…`, or `a?` in counted loops."""
    by_unit: dict[str, list[str]] = {}
    for lead, body, times in _optional(tree):
        for unit in pumps(Loop(lead, Repeat(body, 0, 1))):
            by_unit.setdefault(unit, []).extend([lead] * times)
    for unit, leads in by_unit.items():
        if len(leads) >= _MANY:
            yield from product((leads[0],), (unit,), _ENDINGS)


def _optional(tree: Pattern) -> Iterator[tuple[str, Node, int]]:
    """Parts that may be left out, each with what leads to it, and how often it comes (a few times stand for many)."""
    found = [loop for loop in loops(tree.root, least_most=1) if loop.node.most is not None]
    around: dict[int, int] = {}
    for loop in found:
        for part in walk(loop.node.body) if (loop.node.most or 0) > 1 else ():
            around[id(part)] = min(_MANY, around.get(id(part), 1) * (loop.node.most or 1))
    for loop in found:
        free = (loop.node.most or 0) - loop.node.least
        if free:
            yield loop.lead, loop.node.body, min(_MANY, free * around.get(id(loop.node), 1))


def _measure(tree: Pattern, lead: str, unit: str, ending: str, may_explode: bool) -> tuple[Growth | None, int]:
    """The growth on one kind of text, and the steps that were taken to find it."""
    spent = 0

    def steps(counts: tuple[int, ...]) -> tuple[int, ...] | None:
        """The steps for each count; None if one is beyond the limit."""
        nonlocal spent
        found = []
        for count in counts:
            found.append(search_steps(tree, lead + unit * count + ending, _LIMIT))
            spent += found[-1]
            if found[-1] >= _LIMIT:
                return None
        return tuple(found)

    def grows(counts: tuple[int, ...], taken: tuple[int, ...]) -> Growth | None:
        degree = _degree(*taken)
        return Growth(lead, unit, ending, degree, counts, taken) if degree > 1 else None

    taken = steps(_SIZES)
    if taken is not None:
        return grows(_SIZES, taken), spent
    if steps((1,)) is None:
        return None, spent  # the unit is too long to tell anything by it
    for base in _BASES if may_explode else ():
        counts = (base, 2 * base, 3 * base)
        taken = steps(counts)
        if taken is not None:
            one, two, three = taken
            if three > 3 * two and three * one >= 0.7 * two * two:
                return Growth(lead, unit, ending, None, counts, taken), spent
            break
    for base in (8, 6, 4, 3, 2):
        counts = (base, 2 * base, 4 * base)
        taken = steps(counts)
        if taken is not None:
            return grows(counts, taken), spent
    few, costs = [0], [search_steps(tree, lead + ending, _LIMIT)]
    while few[-1] < _STEEPEST and costs[-1] < _LIMIT:
        few.append(few[-1] + 1)
        costs.append(search_steps(tree, lead + unit * few[-1] + ending, _LIMIT))
    spent += sum(costs)
    steep = Growth(lead, unit, ending, None, tuple(few[-3:]), tuple(costs[-3:])) if _is_steep(costs) else None
    return steep, spent


def _is_steep(taken: Sequence[int]) -> bool:
    """Whether steps for 0, 1, 2, … repetitions, the last beyond the limit, grow as no polynomial of low degree does.

    A large pattern alone, which takes many steps for each code point, isn't steep.
    """
    if taken[-1] < _LIMIT or len(taken) < 3:
        return False
    differences = [max(larger - smaller, 1) for smaller, larger in pairwise(taken)]
    degrees = [
        1 + math.log(larger / smaller) / math.log((count + 1) / count)
        for count, (smaller, larger) in enumerate(pairwise(differences), 1)
    ]
    return max(degrees[-2:]) >= _STEEP


def _degree(small: int, middle: int, large: int) -> int:
    """The degree of a polynomial through three values at doubled places; the differences leave its constant out."""
    if middle <= small:
        return 0
    return round(math.log2(max(large - middle, 1) / (middle - small)) + 0.05)
