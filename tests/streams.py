"""What many tests need: parse a text in given chunks, and look at the events without their division into chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from antiphon import ParseError, ResponseParser, Template


@dataclass(frozen=True)
class Outcome:
    """What a stream came to: merged events, and the message or the error's kind, field and position."""

    events: tuple[Any, ...]
    message: Any
    error: tuple[Any, ...] | None


def run(
    template: Template | Mapping[str, Any],
    chunks: Iterable[str],
    *,
    prefix: str = "",
    tools: Sequence[Any] | None = None,
    on_malformed: Any = "raise",
) -> Outcome:
    """The outcome of feeding the chunks one by one."""
    events: list[dict[str, Any]] = []
    parser = None
    try:
        parser = ResponseParser(template, prefix=prefix, tools=tools, on_malformed=on_malformed)
        events += parser.initial_events
        for chunk in chunks:
            events += parser.feed(chunk)
        message, final = parser.finalize()
    except ParseError as error:
        events += error.events  # type: ignore[arg-type]
        return Outcome(merged(events), error.message_so_far, (error.kind, error.field, error.position))
    return Outcome(merged(events + final), message, None)


def merged(events: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
    """The events with adjacent chunks of one region joined (EVENT-4)."""
    joined: list[dict[str, Any]] = []
    for event in events:
        before = joined[-1] if joined else None
        if before and event["type"] == "region_chunk" == before["type"] and event["field"] == before["field"]:
            joined[-1] = {**before, "text": before["text"] + event["text"]}
        else:
            joined.append(dict(event))
    return tuple(joined)


def cut(text: str, cuts: Iterable[int]) -> list[str]:
    """The text in chunks, cut at these positions."""
    edges = [0, *sorted(cuts), len(text)]
    return [text[begin:end] for begin, end in pairwise(edges)]
