"""Random sentences of a grammar, for tests that ask what becomes of them."""

from __future__ import annotations

import random
from collections.abc import Mapping

from antiphon_portability.autoparser.grammar.expressions import (
    Chars,
    Choice,
    Expression,
    Repeat,
    Rule,
    Sequence,
    Text,
    children,
)
from antiphon_portability.regex.codepoints import Ranges

LIKELY = [*range(0x20, 0x7F), 0x0A, 0xE9, 0x65E5, 0x1F600]
NEVER_ENDING = 10**9


class Sentences:
    """Sentences of the rules, of which `root` is the first. The longer one gets, the sooner it comes to its end."""

    def __init__(self, bodies: Mapping[str, Expression], seed: int, budget: int = 120) -> None:
        self.bodies = bodies
        self.random = random.Random(seed)
        self.budget = budget
        self.left = budget
        self.costs = _costs(bodies)

    def sentence(self) -> str:
        self.left = self.budget
        return self._write(self.bodies["root"])

    def _write(self, start: Expression) -> str:
        written: list[str] = []
        stack = [start]
        while stack:
            self.left -= 1
            match stack.pop():
                case Text(text):
                    written.append(text)
                case Chars(ranges):
                    written.append(self._char(ranges))
                case Sequence(items):
                    stack += reversed(items)
                case Choice(options):
                    stack.append(self._chosen(options))
                case Repeat(body, least, most):
                    count = least
                    while self.left > 0 and (most is None or count < most) and self.random.random() < 0.6:
                        count += 1
                        self.left -= 1
                    stack += [body] * count
                case Rule(name):
                    stack.append(self.bodies[name])
        return "".join(written)

    def _chosen(self, options: tuple[Expression, ...]) -> Expression:
        if self.left > 0:
            return self.random.choice(options)
        costs = [_cost(option, self.costs) for option in options]
        return options[costs.index(min(costs))]

    def _char(self, ranges: Ranges) -> str:
        likely = [code for code in LIKELY if any(first <= code <= last for first, last in ranges)]
        if likely and self.random.random() < 0.95:
            return chr(self.random.choice(likely))
        first, last = self.random.choice(ranges)
        code = self.random.randint(first, last)
        return chr(code) if not 0xD800 <= code <= 0xDFFF else "x"


def _costs(bodies: Mapping[str, Expression]) -> dict[str, int]:
    """How many steps the shortest sentence of each rule takes."""
    costs = dict.fromkeys(bodies, NEVER_ENDING)
    users: dict[str, set[str]] = {name: set() for name in bodies}
    for name, body in bodies.items():
        left = [body]
        while left:
            part = left.pop()
            if isinstance(part, Rule):
                users[part.name].add(name)
            left += children(part)
    queue = list(bodies)
    while queue:
        name = queue.pop()
        cost = 1 + _cost(bodies[name], costs)
        if cost < costs[name]:
            costs[name] = cost
            queue += users[name]
    return costs


def _cost(expression: Expression, costs: Mapping[str, int]) -> int:
    match expression:
        case Sequence(items):
            return min(NEVER_ENDING, sum(_cost(item, costs) for item in items))
        case Choice(options):
            return min((_cost(option, costs) for option in options), default=NEVER_ENDING)
        case Repeat(body, least, _):
            return min(NEVER_ENDING, least * (1 + _cost(body, costs)))
        case Rule(name):
            return costs[name]
    return 1
