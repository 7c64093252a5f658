"""The table of upstream's faults in conformance/README.md, made from a run (`make faults` writes it).

The cases of `suite/upstream/` restate what was measured on transformers: results that depend on the chunks, hangs and
lost text, and surprises that are consistent.
"""

from __future__ import annotations

from pathlib import Path

from antiphon_conformance.cases.selection import Selection, select
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import markdown
from antiphon_conformance.reports.document import Settings, document
from antiphon_conformance.reports.matrix import matrix
from antiphon_conformance.runs.runner import run_adapter
from made_part import MadePart

README = Path(__file__).parents[2] / "conformance" / "README.md"
PART = MadePart(README, "<!-- made by `make faults` -->\n")


def table() -> str:
    """The table as a run on this machine gives it; raises `StartupFailed` where transformers isn't installed."""
    settings = Settings(Level.EVENTS, 0, Selection(("upstream/faults-*",)))
    cases = select(load_suite(), settings.selection)
    upstream = make_adapter("transformers", seconds=settings.timeout)
    upstream.hello()
    results = [run_adapter(adapter, cases) for adapter in (upstream, make_adapter("reference"))]
    return markdown.table(matrix([document(cases, results, settings)]))


if __name__ == "__main__":
    made = table()
    PART.write(made)
    print(f"{README.name} has the table of {len(made.splitlines()) - 2} cases")
