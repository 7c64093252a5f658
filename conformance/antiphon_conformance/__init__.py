"""The conformance kit for response templates: suite, runner, verdicts, reports, and the command line.

`load_suite` reads the cases, `make_adapter` reaches an implementation, `run_adapter` judges it; `report` and `terminal`
tell the outcome.
"""

from antiphon_conformance.adapters import Adapter, AdapterFailure, ProcessAdapter, make_adapter
from antiphon_conformance.case import Case, Expectation, ExpectedError, ExpectedEvent
from antiphon_conformance.chunkings import Chunking, chunkings
from antiphon_conformance.compare import Comparison, Level, compare
from antiphon_conformance.runner import AdapterResult, CaseResult, run_adapter
from antiphon_conformance.suite import SuiteError, load_suite, select

__all__ = [
    "Adapter",
    "AdapterFailure",
    "AdapterResult",
    "Case",
    "CaseResult",
    "Chunking",
    "Comparison",
    "Expectation",
    "ExpectedError",
    "ExpectedEvent",
    "Level",
    "ProcessAdapter",
    "SuiteError",
    "chunkings",
    "compare",
    "load_suite",
    "make_adapter",
    "run_adapter",
    "select",
]
