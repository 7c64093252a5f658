"""`make results`: runs the implementations over the suite; writes the report, the trend, and the page about them."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from antiphon_conformance.cases.selection import Selection
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import trending
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs import running
from rich.console import Console

from results import page
from results.explanations import RESULTS, explain, faults, stored

SIDE_BY_SIDE = ["vllm==0.33.0", "transformers==5.24.0", "transformers==5.13.0"]
"""What the report has: the copy, the last release, and the first one with response templates."""
BETWEEN = ["transformers==5.15.0", "transformers==5.20.0"]
"""What the trend has besides the releases of transformers in the report."""
SECONDS = 3.0
"""For a run. What takes longer doesn't end: all others take less than a second, on a busy machine too."""
BUILD = RESULTS.parents[1] / "build" / "results.json"


def main() -> int:
    """Exit status 1 if something of the explanations is wrong; what was written is there to be looked at all the
    same."""
    parser = argparse.ArgumentParser(prog="python -m results", description=__doc__)
    parser.add_argument("--page", action="store_true", help="only bring the page up to date, after changes to the text")
    if not parser.parse_args().page and not refreshed():
        return 1
    page.write(stored(), faults())
    problems = explain(faults(), stored()).problems
    print("".join(f"{problem}\n" for problem in problems), end="", file=sys.stderr)
    return int(bool(problems))


def refreshed() -> bool:
    """Run all over one and the same suite, and replace what is stored; False if the run was interrupted."""
    console = Console()
    settings = Settings(level=Level.PROMPT, selection=Selection(("!proposals/*", "!optional/*")), timeout=SECONDS)
    plan = running.Plan(adapters=[*SIDE_BY_SIDE, *BETWEEN], settings=settings, reports=[BUILD], jobs=2)
    if running.run(plan, console) == running.INTERRUPTED:
        return False
    whole = json.loads(BUILD.read_text("utf-8"))
    releases = sorted(name for name in plan.adapters if name.startswith("transformers=="))
    BUILD.write_text(json.dumps(only(releases, whole)), "utf-8")
    for old in RESULTS.glob("20*"):
        old.unlink()
    today = RESULTS / f"{datetime.now(UTC):%Y-%m-%d}"
    store(only(SIDE_BY_SIDE, whole), today.with_suffix(".json.gz"))
    trending.trend(trending.Wish([str(BUILD)], settings, to=[today.with_suffix(".svg")]), console)
    return True


def only(adapters: Sequence[str], report: Mapping[str, Any]) -> dict[str, Any]:
    """A report of some of its implementations, in this order."""
    by_adapter = {one["adapter"]: one for one in report["implementations"]}
    return {**report, "implementations": [by_adapter[name] for name in adapters]}


def store(report: Mapping[str, Any], file: Path) -> None:
    """Compressed, since it's large and repeats itself. The same report gives the same file."""
    text = json.dumps(report, separators=(",", ":"))
    file.write_bytes(gzip.compress(text.encode("ascii"), mtime=0))


if __name__ == "__main__":
    sys.exit(main())
