"""What the harness costs (`make bench`): how fast the suite runs over standard input and output, by adapter and jobs.

Nothing is asserted: machines differ. The share is what to look at: that of the harness in all CPU seconds.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import StartupFailed
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.runs.runner import Cost, run_adapter
from rich.console import Console
from rich.table import Table

TABLE = Path(__file__).parent / "conformance" / "table_adapter.py"
ADAPTERS = {"reference": "reference", "table": shlex.join([sys.executable, str(TABLE)]), "javascript": "javascript"}
JOBS = (1, 2)


def cost(name: str, jobs: int, cases: list[Case]) -> Cost:
    """What a run by so many processes takes. Raises StartupFailed."""
    first, *helpers = [make_adapter(name, seconds=60, own_process=True) for _ in range(jobs)]
    return run_adapter(first, cases, helpers=helpers).cost


def rows(cases: list[Case]) -> Iterator[list[str]]:
    """Speed and share of each adapter, with one job and more."""
    for name, command in ADAPTERS.items():
        for jobs in JOBS:
            try:
                found = cost(command, jobs, cases)
            except StartupFailed as failure:
                print(f"{name} is left out: it {failure.reason}")
                break
            speed, own, its = found.runs / found.seconds, found.own / found.runs, found.adapter / found.runs
            costs = [f"{own * 1e6:.0f} µs", f"{its * 1e6:.0f} µs", f"{found.share:.0%}"]
            yield [name, str(jobs), f"{found.runs:,}", f"{speed:,.0f}", *costs]


def main() -> None:
    table = Table(title="Runs of the suite")
    for heading in ("adapter", "jobs", "runs", "a second", "harness, each", "adapter, each", "harness's share"):
        table.add_column(heading, justify="left" if heading == "adapter" else "right")
    for row in rows(load_suite()):
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
