"""The plugin for ports in Python: ten lines of a port's own tests, what they show, and how they are told what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from antiphon_conformance.implementations import scaffold

pytest_plugins = ["pytester"]

README = (Path(__file__).parents[2] / "conformance" / "README.md").read_text("utf-8")
LOADED = 'pytest_plugins = ["antiphon_conformance.pytest"]\n'
TEST = """
import antiphon
from antiphon_conformance.pytest import of_port

port = of_port({port}, name="my-port", version="1.0", features=["lookahead", "ignore-case"])

def test_conformance(conformance_case):
    conformance_case.check(port)
"""
BROKEN = """
class Port:
    load_template = staticmethod(antiphon.load_template)
    TemplateError, ParseError = antiphon.TemplateError, antiphon.ParseError

    class ResponseParser(antiphon.ResponseParser):
        {method}
"""
LATE = """
        def feed(self, text):
            self.late = getattr(self, "late", []) + super().feed(text)
            return []

        def finalize(self):
            message, events = super().finalize()
            return message, getattr(self, "late", []) + events
"""
SHOUTING = """
        def finalize(self):
            message, events = super().finalize()
            return {name: value.upper() if isinstance(value, str) else value for name, value in message.items()}, events
"""
CRASHING = """
        def feed(self, text):
            return self.no_such_thing
"""
FILTER = "--conformance-filter=regions/current/*"


def run(pytester: pytest.Pytester, *options: str, test: str = TEST.format(port="antiphon")) -> pytest.RunResult:
    pytester.makeconftest(LOADED)
    pytester.makepyfile(test_port=test)
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:xdist", *options)


def broken(method: str) -> str:
    ours, _, rest = TEST.partition("\nport = ")
    return ours + BROKEN.replace("{method}", method.strip()) + "\nport = " + rest.format(port="Port")


def test_a_port_that_is_right(pytester: pytest.Pytester) -> None:
    result = run(pytester, FILTER, "--conformance-level=prompt", "-v")
    result.assert_outcomes(passed=_count(result))
    result.stdout.fnmatch_lines(["*test_port.py::test_conformance?regions/current/own-open-is-text? PASSED*"])


def _count(result: pytest.RunResult) -> int:
    found = re.search(r"collected (\d+) item", result.stdout.str())
    assert found is not None
    assert int(found[1]) > 3
    return int(found[1])


def test_without_a_filter_all_required_cases_are_run(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--collect-only", "-q")
    assert sum("::test_conformance[" in line for line in result.outlines) > 1000
    assert not any("[optional/" in line or "[proposals/" in line for line in result.outlines)


def test_what_a_port_lacks_is_skipped(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--conformance-filter=delimiters/pattern-atomic/*", "-rs")
    result.stdout.fnmatch_lines(["SKIPPED*it lacks atomic"])
    assert result.ret == 0


def test_a_failure_is_explained_and_shows_no_traceback(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--conformance-filter=regions/current/own-open-is-text", test=broken(SHOUTING))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["regions/current/own-open-is-text", "my-port 1.0", "wrong*message*", "REGION-7*", "*region_open*"]
    )
    assert "Traceback" not in result.stdout.str()
    assert "conformance_case.check(port)" not in result.stdout.str()


def test_what_comes_late_shows_the_timeline(pytester: pytest.Pytester) -> None:
    chosen = "--conformance-filter=regions/current/own-open-is-text"
    run(pytester, chosen, "--conformance-level=events", test=broken(LATE)).assert_outcomes(passed=1)
    result = run(pytester, chosen, "--conformance-level=prompt", test=broken(LATE))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*wrong*late: region_open*", "*due*expected*my-port 1.0*", "*region_open*"])


def test_a_crash_shows_where(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--conformance-filter=regions/current/own-open-is-text", test=broken(CRASHING))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*wrong*crashed: AttributeError*", "*line *, in feed", "*return self.no_such_thing"])


def test_expected_failures_are_strict(pytester: pytest.Pytester) -> None:
    """What the baseline names and fails is xfail; what it names and passes fails the run."""
    (pytester.path / "known.txt").write_text("message regions/current/own-open-is-text\n")
    known = run(pytester, FILTER, "--conformance-baseline=known.txt", test=broken(SHOUTING))
    assert known.parseoutcomes()["xfailed"] == 1
    assert known.parseoutcomes()["failed"] > 3
    fixed = run(pytester, FILTER, "--conformance-baseline=known.txt")
    fixed.assert_outcomes(failed=1, passed=_count(fixed) - 1)
    fixed.stdout.fnmatch_lines(["*XPASS(strict)*the baseline says that it fails at level message*"])


def test_the_configuration_file_can_say_it_all(pytester: pytest.Pytester) -> None:
    (pytester.path / "known.txt").write_text("prompt regions/current/own-open-is-text\n")
    pytester.makeini(
        "[pytest]\nconformance_level = prompt\nconformance_baseline = known.txt\nconformance_seed = 7\n"
        "conformance_filter = regions/current/own-* '!regions/current/own-close*'\n"
    )
    result = run(pytester, test=broken(LATE))
    assert result.parseoutcomes()["xfailed"] == 1
    on_the_line = run(pytester, "--conformance-level=message", test=broken(LATE))
    assert "failed" not in on_the_line.parseoutcomes(), "the line of the baseline is about a higher level"
    assert "xfailed" not in on_the_line.parseoutcomes()


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ("--conformance-level=fast", "--conformance-level fast: isn't a level; write message, events, prompt"),
        ("--conformance-seed=x", "--conformance-seed x: isn't a whole number"),
        ("--conformance-filter=nothing/*", "--filter: no case matches nothing/*"),
        ("--conformance-baseline=none.txt", "none.txt: isn't there; name another file"),
        ("--conformance-suite=none", "none"),
        (f"--conformance-suite={'a' * 300}", "UsageError: [Errno"),
    ],
)
def test_misuse_is_told_in_a_line(pytester: pytest.Pytester, option: str, problem: str) -> None:
    result = run(pytester, option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR or result.ret == pytest.ExitCode.INTERRUPTED
    assert problem in result.stdout.str() + result.stderr.str()
    assert "Traceback" not in result.stdout.str() + result.stderr.str()


def test_the_ten_lines_of_the_readme(pytester: pytest.Pytester) -> None:
    """They are run as they stand, with the reference in the place of the port."""
    blocks = re.findall(r"```python\n(# (?:conftest|test_\w+)\.py\n.*?)```", README, re.DOTALL)
    assert len(blocks) == 2
    pytester.makepyfile(my_port="from antiphon import *\n__version__ = '1'\n")
    for block in blocks:
        name = block.splitlines()[0].removeprefix("# ")
        (pytester.path / name).write_text(block)
    result = pytester.runpytest_subprocess(FILTER)
    result.assert_outcomes(passed=_count(result))


def test_a_new_adapter_can_be_given_as_it_is(pytester: pytest.Pytester) -> None:
    """The function `respond` of `antiphon conformance new-adapter --language python`."""
    scaffold.write(scaffold.Language.PYTHON, pytester.path / "new")
    test = "import sys\nsys.path.insert(0, 'new')\nimport adapter\n\ndef test_it(conformance_case):\n"
    result = run(pytester, FILTER, test=test + "    conformance_case.check(adapter.respond)\n")
    result.assert_outcomes(failed=_count(result))
    result.stdout.fnmatch_lines(["*no parser is connected yet*"])
