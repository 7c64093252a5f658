"""The last lines of a run on a terminal: what is flaky, what differs from a baseline, and what it took."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from antiphon_conformance.display import escape
from antiphon_conformance.layout import print_line
from antiphon_conformance.runs.baseline import Verdict
from antiphon_conformance.runs.runner import AdapterResult


def print_flakes(console: Console, results: Sequence[AdapterResult]) -> None:
    """The cases of each implementation in which repetitions differed, and in what."""
    for result in results:
        flaky = [(case.case.full_id, case.flake) for case in result.cases if case.flake]
        if flaky:
            print_line(console, Text(f"{escape(result.title)} is flaky in {len(flaky)} cases", "bold yellow"))
        for name, flake in flaky:
            print_line(console, Text.assemble(("  ~ ", "yellow"), (name, "bold")))
            print_line(console, Text(f"    {escape(flake.difference)}"))


def print_costs(console: Console, results: Sequence[AdapterResult], seed: int) -> None:
    """The seed, and how fast it went."""
    for result in results:
        cost = result.cost
        if result.hello and cost.runs:
            speed = f"{cost.runs:,} runs in {cost.seconds:.1f} s, {cost.runs / cost.seconds:,.0f} a second"
            share = f"{cost.share:.0%} of the processor's time was the harness's own"
            print_line(console, Text(f"{escape(result.title)}: {speed}; {share}", "dim"))
    print_line(console, Text(f"seed of the random chunkings: {seed}", "dim"))


def print_baseline(console: Console, path: Path, found: Verdict, *, updated: bool, wanted: bool) -> None:
    """What came, against a baseline. `wanted`: it should be updated; `updated`: that has been done."""
    counts = f"{len(found.expected)} as expected, {len(found.new)} new, {len(found.fixed)} fixed"
    remedy = ""
    if updated:
        remedy = "; the file is up to date now"
    elif wanted:
        remedy = "; the file is as it was, since not all cases were run"
    elif found.fixed:
        remedy = "; --update-baseline takes the fixed ones out"
    style = "bold green" if found.passes or updated else "bold red"
    print_line(console, Text(f"{escape(str(path))}: failures: {counts}{remedy}", style))
    for mark, names in (("new", found.new), ("fixed", found.fixed), ("stale", found.stale)):
        for name in names:
            print_line(console, Text(f"  {mark:<6} {escape(name)}"))
