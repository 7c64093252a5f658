"""What all passes of the lowering share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..engines import Engine
from ..errors import EngineError
from ..notes import REFUSALS


@dataclass(frozen=True, slots=True)
class Work:
    """`kept`: the groups that must stay groups; `said`: keys of `NOTES`, added to; `numbers`: those of new groups."""

    engine: Engine
    kept: frozenset[int]
    said: set[str]
    numbers: Iterator[int]

    def refusal(self, key: str) -> EngineError:
        """The error for `key` of `REFUSALS`."""
        return refusal(self.engine, key)


def refusal(engine: Engine, key: str) -> EngineError:
    """The error for `key` of `REFUSALS`."""
    return EngineError(engine.name, *REFUSALS[key])
