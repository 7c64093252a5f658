"""JUnit XML, for what shows test results: a suite for each implementation, a test for each case.

Unsupported cases are skipped, and so are optional ones that an implementation has chosen to do otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite

from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import escape
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import Column, failure, outcome
from antiphon_conformance.reports.timeline import diff_lines
from antiphon_conformance.reports.verdicts import of_case


def write(content: Content) -> str:
    """The text of the file."""
    document = JUnitXml(f"antiphon conformance, level {content.level}")
    for column in content.columns:
        suite = TestSuite(escape(column.title))
        for name in ("adapter", "language", "conforms"):
            suite.add_property(name, escape(column.implementation[name] or "none"))
        suite.add_testcases([_test(case, column, content.level) for case in column.cases])
        document.add_testsuite(suite)
    document.update_statistics()
    return f"{document.tostring().decode('utf-8')}\n"


def _test(case: Json, column: Column, level: Level) -> TestCase:
    folder, _, name = case["id"].rpartition("/")
    group = ".".join(map(escape, (column.title.replace(".", "_"), *folder.split("/"))))
    test = TestCase(escape(name), group)
    test.result = list(_results(case, level))
    stderr = [line for found in case["failures"] for line in found.get("stderr", ())]
    if stderr:
        test.system_err = "\n".join(map(escape, stderr))
    return test


def _results(case: Json, level: Level) -> Iterator[Failure | Skipped]:
    found = failure(case, level)
    if outcome(case, level) == "unsupported":
        yield Skipped(escape(of_case(case, level)))
    elif found is not None and not case["required"]:
        yield Skipped(escape(f"not required, and done otherwise: {found['reason']}"))
    elif found is not None:
        result = Failure(escape(found["reason"]), found["level"])
        where = f"{found['chunking']}; {found['runs']} of {case['runs']} runs; {' '.join(case['clauses'])}"
        lines = [case["description"], where, *diff_lines(found.get("timeline", ()))]
        result.text = "\n".join(map(escape, lines))
        yield result
