"""How transformers 5.24.0, and vLLM after it, search for delimiters: a simulation of the published rule.

Not an implementation of response templates: it says which delimiters fire where, for texts of a few hundred code
points. It runs the patterns as they stand, on the `regex` module, whose partial matching that rule is built on; without
`regex` there is nothing to simulate. `tests/lint/` holds it against transformers itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from antiphon.errors import Malformed
from antiphon.template import Field
from antiphon.transform import copy

from antiphon_portability.lint.context import Message, Side
from antiphon_portability.lint.show import show_error

try:
    _regex: Any = importlib.import_module("regex")
except ImportError:  # the reference runs without it
    _regex = None

AVAILABLE: Final = _regex is not None
_SECONDS: Final = 2.0  # for one search; only patterns that `growth` doesn't see through come near it
_MOST_IDLE: Final = 8  # delimiters that fire at one place, before it is a loop


class Endless(Exception):
    """transformers doesn't come back from this text. `sides` fire in turn."""

    def __init__(self, sides: Sequence[Side]) -> None:
        super().__init__()
        self.sides = tuple(sides)


@dataclass(frozen=True, slots=True)
class Fired:
    """A delimiter that fired: from where to where, in code points of the stream."""

    side: Side
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Region:
    """A region as it was closed."""

    name: str
    text: str
    captures: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Outcome:
    fired: list[Fired] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)


class Simulation:
    """The delimiters of a template, compiled as upstream compiles them."""

    def __init__(self, sides: Sequence[Side], fields: Mapping[str, Field]) -> None:
        self.fields = fields
        self.compiled = {side.pointer: _regex.compile(_source(side), _regex.DOTALL) for side in sides}
        self.nested = {side.pointer for side in sides if isinstance(side.source, tuple) and _is_nested(side.source)}
        self.opens = [side for side in sides if side.end == "open"]
        self.closes = {side.field.name: side for side in sides if side.end == "close"}
        self.implicit = next((name for name, found in fields.items() if found.open is None), None)

    def run(self, chunks: Iterable[str]) -> Outcome:
        """What becomes of a stream without prefix. Raises Endless."""
        stream = _Stream(self)
        for chunk in chunks:
            stream.buffer += chunk
            stream.process(at_end=False)
        stream.process(at_end=True)
        return stream.outcome

    def message(self, outcome: Outcome, defaults: Mapping[str, Any]) -> Message | str:
        """The message that the regions make, with values as the reference makes them; or why there is none."""
        message: dict[str, Any] = dict(copy(dict(defaults)))
        for region in outcome.regions:
            found = self.fields[region.name]
            try:
                value = found.content.parse(region.text)
                if found.transform is not None:
                    value = found.transform.apply(value, dict(region.captures))
            except Malformed as error:
                return show_error(error.kind, region.name)
            if found.join is not None and isinstance(value, str):
                value = message[region.name] + found.join + value if region.name in message else value
                message[region.name] = value
            elif found.repeats:
                message.setdefault(region.name, []).append(value)
            else:
                message[region.name] = value
        kept = {key: value for key, value in message.items() if key in defaults or value not in (None, "", [], {})}
        missing = [name for name, found in self.fields.items() if not found.optional and name not in message]
        return f"an error: {missing[0]} is missing" if missing else kept


@dataclass(slots=True)
class _Stream:
    simulation: Simulation
    buffer: str = ""
    position: int = 0
    current: str | None = field(init=False)
    opened: bool = False
    body: str = ""
    captures: dict[str, str] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)

    def __post_init__(self) -> None:
        self.current = self.simulation.implicit

    def process(self, *, at_end: bool) -> None:
        idle: list[Side] = []
        while True:
            best, held = self.scan(at_end)
            if best is None:
                self.write(len(self.buffer) if at_end else held)
                if at_end:
                    self.close()
                return
            side, match = best
            idle = [*idle, side] if match.end() == self.position else []
            if len(idle) > _MOST_IDLE:
                raise Endless(list(dict.fromkeys(idle)))
            self.write(match.start())
            self.position = match.end()
            self.outcome.fired.append(Fired(side, match.start(), match.end()))
            took_part = {name: text for name, text in match.groupdict().items() if text is not None}
            if side.end == "open":
                self.close()
                self.current, self.opened, self.captures = side.field.name, True, took_part
                continue
            had_text = self.opened
            self.captures |= took_part
            self.close()
            if not had_text and match.start() == match.end():
                return

    def scan(self, at_end: bool) -> tuple[tuple[Side, Any] | None, int]:
        """The delimiter to commit to, if there is one, and from where on text is held."""
        held = len(self.buffer)
        found: list[tuple[tuple[int, int, bool, str], Side, Any]] = []
        for side in self.watched():
            pattern = self.simulation.compiled[side.pointer]
            match = pattern.search(self.buffer, self.position, partial=not at_end, timeout=_SECONDS)
            if match is None:
                continue
            if not at_end and (match.partial or self.can_grow(side, match)):
                held = min(held, match.start())
                continue
            length = match.end() - match.start()
            found.append(((match.start(), -length, side.end == "close", side.field.name), side, match))
        if not found:
            return None, held
        _, side, match = min(found, key=lambda one: one[0])
        return ((side, match) if match.start() < held else None), held

    def watched(self) -> list[Side]:
        closes = self.simulation.closes
        own = [closes[self.current]] if self.current in closes else []
        return own if self.current != self.simulation.implicit else [*self.simulation.opens, *own]

    def can_grow(self, side: Side, match: Any) -> bool:
        """Whether a complete match may still change, by upstream's test: one more character."""
        if match.end() < len(self.buffer):
            if side.is_literal:
                return False
            pattern = self.simulation.compiled[side.pointer]
            longer = pattern.match(self.buffer + "\0", match.start(), timeout=_SECONDS)
            return longer is None or longer.span() != match.span() or longer.groupdict() != match.groupdict()
        if match.start() == match.end() or not side.is_literal:
            return True
        return side.pointer in self.simulation.nested

    def write(self, end: int) -> None:
        text, self.position = self.buffer[self.position : end], max(self.position, end)
        if text and self.current is not None:
            self.opened = True
            self.body += text

    def close(self) -> None:
        if self.opened and self.current is not None:
            self.outcome.regions.append(Region(self.current, self.body, tuple(sorted(self.captures.items()))))
        self.current, self.opened, self.body, self.captures = self.simulation.implicit, False, "", {}


def _is_nested(literals: Iterable[str]) -> bool:
    """Whether one of the literals begins another: sorted, the next one then begins so, too."""
    return any(other.startswith(one) for one, other in pairwise(sorted(set(literals))))


def _source(side: Side) -> str:
    if isinstance(side.source, str):
        return side.source
    return "|".join(map(_regex.escape, sorted(side.source, key=len, reverse=True)))
