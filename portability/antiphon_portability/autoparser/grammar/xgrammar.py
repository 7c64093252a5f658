"""Structural tags, the notation of XGrammar (0.2.9) for text with constrained parts, as JSON.

Arguments in JSON are given by their schemas, which XGrammar reads itself; what has no schema is a grammar in EBNF, of
which GBNF is a part. The library isn't needed to write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from antiphon_portability.autoparser.grammar import gbnf
from antiphon_portability.autoparser.grammar.calls import Calls
from antiphon_portability.autoparser.grammar.errors import ToolsError
from antiphon_portability.autoparser.grammar.expressions import (
    Choice,
    Expression,
    Json,
    Repeat,
    Rule,
    Sequence,
    Text,
    children,
    reachable,
    sequence,
)

Format = dict[str, Any]
_UNBOUNDED: Final = -1


def structural_tag(calls: Calls, *, at_least_one: bool) -> Format:
    """The calls of a message, with free text before them. Raises ToolsError for calls that have no finite text."""
    bodies = calls.rules.finished(sequence(calls.unit, calls.end))
    if not bodies:
        raise ToolsError("", "no finite text fits their schemas; look for a $ref that always leads to itself")
    writer = _Writer(bodies, calls.marks)
    tags = [writer.tag(trigger) for trigger in calls.triggers]
    return {
        "type": "structural_tag",
        "format": {
            "type": "triggered_tags",
            "triggers": list(calls.triggers),
            "tags": [tag for tag in tags if tag is not None],
            "at_least_one": at_least_one,
            "stop_after_first": calls.more is None,
        },
    }


class _Writer:
    def __init__(self, bodies: Mapping[str, Expression], marks: tuple[str, ...]) -> None:
        self.bodies = bodies
        self.marks = marks
        self.with_schemas = self._with_schemas()

    def _with_schemas(self) -> set[str]:
        """The rules that need a schema somewhere below."""
        found: set[str] = set()
        while True:
            more = {name for name, body in self.bodies.items() if name not in found and self._has(body, found)}
            if not more:
                return found
            found |= more

    def _has(self, expression: Expression, found: set[str]) -> bool:
        if isinstance(expression, Json) or (isinstance(expression, Rule) and expression.name in found):
            return True
        return any(self._has(child, found) for child in children(expression))

    def tag(self, trigger: str) -> Format | None:
        """The calls that begin with a trigger, as a tag."""
        rest = self._behind(self.bodies["root"], trigger)
        if rest is None:
            return None
        parts = list(rest.items) if isinstance(rest, Sequence) else [rest]
        while len(parts) > 1 and isinstance(parts[-1], Repeat) and not parts[-1].least:
            parts.pop()  # what need not be there: behind a tag any text may stand
        end = parts[-1].text if isinstance(parts[-1], Text) else ""
        content = sequence(*parts[: len(parts) - bool(end)])
        return {"type": "tag", "begin": trigger, "content": self.format(content), "end": end}

    def _behind(self, expression: Expression, start: str) -> Expression | None:
        """What follows `start` in the texts of an expression that begin with it; None if none does."""
        match expression:
            case Text(text):
                return Text(text.removeprefix(start)) if text.startswith(start) else None
            case Rule(name):
                return self._behind(self.bodies[name], start)
            case Sequence(items):
                rest = self._behind(items[0], start)
                return None if rest is None else sequence(rest, *items[1:])
            case Choice(options):
                found = [rest for option in options if (rest := self._behind(option, start)) is not None]
                return Choice(tuple(found)) if found else None
        return None

    def format(self, expression: Expression) -> Format:
        """An expression as a format of a structural tag."""
        if not self._has(expression, self.with_schemas):
            return self._grammar(expression)
        match expression:
            case Json(_, schema):
                return {"type": "json_schema", "json_schema": schema, "excludes": list(self.marks)}
            case Rule(name):
                return self.format(self.bodies[name])
            case Sequence(items):
                return {"type": "sequence", "elements": [self.format(part) for part in self._runs(items)]}
            case Choice(options):
                return {"type": "or", "elements": list(map(self.format, options))}
            case Repeat(body, least, most):
                count = {"min": least, "max": _UNBOUNDED if most is None else most}
                return {"type": "repeat", **count, "content": self.format(body)}
        return self._grammar(expression)

    def _runs(self, items: tuple[Expression, ...]) -> list[Expression]:
        """The items of a sequence, those without schemas side by side together."""
        found: list[Expression] = []
        plain: list[Expression] = []
        for item in items:
            if self._has(item, self.with_schemas):
                found += [*([sequence(*plain)] if plain else []), item]
                plain = []
            else:
                plain.append(item)
        return [*found, *([sequence(*plain)] if plain else [])]

    def _grammar(self, expression: Expression) -> Format:
        if isinstance(expression, Text):
            return {"type": "const_string", "value": expression.text}
        names = reachable({**self.bodies, "root": expression}, "root")
        bodies = {name: self.bodies[name] if name != "root" else expression for name in names}
        return {"type": "grammar", "grammar": gbnf.write(bodies)}
