"""How many runs a second the JavaScript adapter answers, and what a stream costs it by its length (`make bench`).

The requests are made beforehand: this is the adapter alone. Nothing is asserted, since machines differ.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

from antiphon_conformance.cases.chunkings import chunkings
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.protocol import run_requests
from antiphon_portability.templates import table_as_json
from bench import CHAT, SHAPES, SIZES, chunks
from rich.console import Console
from rich.table import Table

from javascript.port import FOLDER

DIALECT = "ecmascript"


def suite_requests() -> Iterator[Mapping[str, Any]]:
    """All runs of all cases, as the runner asks for them."""
    numbers = count(1)
    for case in load_suite():
        yield from run_requests(case, chunkings(case), DIALECT, numbers)


def stream_request(text: str) -> Mapping[str, Any]:
    """A stream of `bench.py` in chunks of four code points."""
    request = {"type": "run", "id": 1, "template": CHAT, "prefix": "", "tools": None, "options": {}}
    return {**request, "chunks": chunks(text, 4), "patterns": table_as_json(CHAT, DIALECT)}


def measured(requests: Iterable[Mapping[str, Any]]) -> tuple[int, float, float]:
    """The number of requests; seconds, and CPU seconds of the adapter, from its start to its end."""
    with tempfile.TemporaryFile() as lines:
        number = sum(1 for request in requests if lines.write(json.dumps(request).encode("ascii") + b"\n"))
        lines.seek(0)
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(["node", FOLDER / "adapter.mjs"], stdin=lines, stdout=subprocess.DEVNULL, check=True)
        after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - begin
    return number, seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    if shutil.which("node") is None:
        print("Node.js isn't installed: the port in JavaScript isn't measured")
        return
    runs, seconds, busy = measured(suite_requests())
    print(f"javascript: {runs:,} runs of the suite in {seconds:.1f} s, {runs / seconds:,.0f} a second; ", end="")
    print(f"{busy:.1f} s of CPU, {runs / busy:,.0f} a second")
    table = Table(title="javascript: CPU seconds by length of the stream, start and protocol included")
    for heading in ("stream", *(f"{size // 1000} KB" for size in SIZES)):
        table.add_column(heading)
    for shape, text in SHAPES.items():
        costs = [measured([stream_request(text(size))])[2] for size in SIZES]
        table.add_row(shape, *(f"{cost:.2f}" for cost in costs))
    Console().print(table)


if __name__ == "__main__":
    main()
