"""`make results`: runs the implementations over the suite; writes report, page, and the tables of README.md."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from antiphon_conformance.cases.selection import Selection
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import reporting
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs import running
from rich.console import Console

from results import page
from results.explanations import FILE, RESULTS, explain, faults

ADAPTERS = [
    "vllm==0.33.0",
    "transformers==5.24.0",
    "transformers==5.20.0",
    "transformers==5.15.0",
    "transformers==5.13.0",
]
SECONDS = 3.0
"""For a run. What takes longer doesn't end: all others take less than a second, on a busy machine too."""
BUILD = RESULTS.parents[1] / "build"


def main() -> int:
    """Exit status 1 if something is unexplained or stale; what was written is there to be looked at all the same."""
    whole, stored = BUILD / "results.json", RESULTS / f"{datetime.now(UTC):%Y-%m-%d}.json"
    settings = Settings(level=Level.PROMPT, selection=Selection(("!proposals/*", "!optional/*")), timeout=SECONDS)
    console = Console()
    status = running.run(running.Plan(adapters=ADAPTERS, settings=settings, reports=[whole], jobs=2), console)
    if status not in (0, 1):
        return status
    for old in RESULTS.glob("20*"):
        old.unlink()
    store(whole, stored)
    reporting.convert([stored], [stored.with_suffix(".html")], None, console)
    report = json.loads(stored.read_text("utf-8"))
    page.write(report, faults())
    found = explain(faults(), report)
    for name, case in found.unexplained:
        print(f"{name}: {case} is unexplained", file=sys.stderr)
    for stale in found.stale:
        print(f"{FILE.name}: {stale}", file=sys.stderr)
    return int(bool(found.unexplained or found.stale))


def store(whole: Path, stored: Path) -> None:
    """The report without what `antiphon conformance explain` makes anew: the timelines."""
    report = json.loads(whole.read_text("utf-8"))
    for implementation in report["implementations"]:
        for case in implementation["cases"]:
            for failure in case["failures"]:
                failure.pop("timeline", None)
                failure.pop("stderr", None)
    lines = ",\n".join(_line(one) for one in report.pop("implementations"))
    stored.write_text(_line(report)[:-1] + f',"implementations":[\n{lines}\n]}}\n', "utf-8")


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main())
