"""What a stream costs by its length (`make bench`): CPU seconds, and ratios within this one run.

Nothing is asserted: machines differ. The last column is the one to look at: 10 is linear, 100 is quadratic.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from antiphon import ResponseParser, load_template
from rich.console import Console
from rich.table import Table
from streams import cut

CHAT: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {"open": "<think>", "close_pattern": r"</think>\s*"},
        "tool_calls": {"open": "<tool_call>", "close_pattern": r"</tool_call>\s*", "repeats": True, "content": "json"},
        "notes": {"open": "<note>", "close": "</note>", "repeats": True, "join": "\n"},
        "content": {"close_pattern": r"<\|im_end\|>\s*"},
    },
}
PROSE = "The quick brown fox jumps over the lazy dog; 1 < 2, they say.\n"
CALL = '<tool_call>{"name": "look_up", "arguments": {"query": "weather in Paris"}}</tool_call>\n'
NOTE = "<note>Remember the milk.</note>"

Shape = Callable[[int], str]
SHAPES: dict[str, Shape] = {
    "plain content": lambda size: PROSE * (size // len(PROSE)),
    "open reasoning": lambda size: "<think>" + PROSE * (size // len(PROSE)),
    "one long call": lambda size: "<tool_call>[" + "1, " * (size // 3) + "1]</tool_call>",
    "many calls": lambda size: CALL * (size // len(CALL)),
    "many joined notes": lambda size: NOTE * (size // len(NOTE)),
}
SIZES = (10_000, 100_000, 1_000_000)  # code points


def chunks(text: str, length: int | None) -> list[str]:
    return [text] if length is None else cut(text, range(length, len(text), length))


def seconds(parser: Any, pieces: list[str]) -> float:
    begin = time.process_time()
    for piece in pieces:
        parser.feed(piece)
    parser.finalize()
    return time.process_time() - begin


def implementations() -> Iterator[tuple[str, Callable[[], Any], int]]:
    """Each with its name, how to make a parser, and the largest size that is bearable."""
    template = load_template(CHAT)
    yield "reference", lambda: ResponseParser(template, prefix=""), SIZES[-1]
    try:
        upstream = importlib.import_module("transformers.utils.chat_parsing")
    except ImportError:
        print("transformers isn't installed: only the reference is measured")
        return
    yield "transformers", lambda: upstream.ResponseParser(CHAT, prefix=""), 100_000


def main() -> None:
    table = Table(title="CPU seconds by length of the stream")
    for heading in ("implementation", "stream", "chunks"):
        table.add_column(heading)
    for size in SIZES:
        table.add_column(f"{size // 1000} KB", justify="right")
    table.add_column("last ÷ the one before", justify="right")
    for name, make, limit in implementations():
        for shape, text in SHAPES.items():
            for length in (4, None):
                costs = [seconds(make(), chunks(text(size), length)) for size in SIZES if size <= limit]
                cells = [f"{cost:.3f}" for cost in costs] + ["–"] * (len(SIZES) - len(costs))
                table.add_row(
                    name, shape, "whole" if length is None else str(length), *cells, f"{costs[-1] / costs[-2]:.1f}"
                )
    Console().print(table)


if __name__ == "__main__":
    main()
