"""What an implementation answered, as digests: enough to tell whether it answers the same another time."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b

from antiphon_conformance.cases.case import Json
from antiphon_conformance.cases.chunkings import Chunking
from antiphon_conformance.implementations.protocol import Result
from antiphon_conformance.judging.trace import actual_trace


@dataclass(frozen=True)
class Answer:
    """The answer in a run: its outcome, its events (chunks merged, EVENT-4), and how these came step by step."""

    chunking: str
    outcome: bytes
    events: bytes
    steps: bytes


def answer(chunking: Chunking, result: Result) -> Answer:
    """The digests of a result. The texts of errors, which are for people, don't count."""
    error = asdict(replace(result.error, message="")) if result.error else None
    return Answer(
        chunking.name,
        _digest([result.message, error, result.unsupported]),
        _digest([merged.event for merged in actual_trace(result)]),
        _digest([result.initial, result.feeds, result.final]),
    )


def _digest(value: Json) -> bytes:
    return blake2b(json.dumps(value, sort_keys=True).encode("ascii"), digest_size=8).digest()
