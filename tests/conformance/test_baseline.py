"""Files of expected failures: what is new, fixed and stale, at each level, and what an update leaves alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from antiphon_conformance.cases.case import Case, Expectation
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Finding, Level
from antiphon_conformance.runs import baseline
from antiphon_conformance.runs.baseline import HEADING, Baseline, Verdict
from antiphon_conformance.runs.runner import CaseResult, Failure

FILE = """\
# Mine.
message  t/wrong    # numbers are strings there

events   t/early    # see our tracker
prompt   t/late
"""


def result(name: str, *failing: str, lacks: Sequence[str] = ()) -> CaseResult:
    """A case that fails at some levels."""
    case = Case(name, "d", ("REGION-1",), {}, Expectation(loads=True))
    failures = tuple(Failure(Finding(Level(level), "r"), "whole") for level in failing)
    return CaseResult(case, lacks=tuple(lacks), failures=failures)


AS_EXPECTED = [result("t/wrong", "message", "events"), result("t/early", "events"), result("t/late", "prompt")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "expected.txt"
    path.write_text(FILE, "utf-8")
    return path


def verdict(path: Path, level: str, *results: CaseResult) -> Verdict:
    names = [one.case.full_id for one in results]
    return baseline.read(path, Level(level)).verdict(results, ["t/wrong", "t/early", "t/late", *names])


def test_all_fails_as_it_should(path: Path) -> None:
    found = verdict(path, "prompt", *AS_EXPECTED, result("t/good"))
    assert found == Verdict(expected=("t/wrong", "t/early", "t/late"))
    assert found.passes


def test_at_a_lower_level_less_is_expected(path: Path) -> None:
    assert verdict(path, "message", *AS_EXPECTED) == Verdict(expected=("t/wrong",))
    assert verdict(path, "events", *AS_EXPECTED) == Verdict(expected=("t/wrong", "t/early"))


def test_a_new_failure(path: Path) -> None:
    found = verdict(path, "events", *AS_EXPECTED, result("t/other", "events"))
    assert found.new == ("t/other",)
    assert not found.passes


def test_what_gets_worse_is_new(path: Path) -> None:
    found = verdict(path, "prompt", result("t/late", "message"))
    assert (found.expected, found.new, found.fixed) == ((), ("t/late",), ())


def test_what_is_fixed(path: Path) -> None:
    found = verdict(path, "prompt", *AS_EXPECTED[1:], result("t/wrong"))
    assert found.fixed == ("t/wrong",)
    assert not found.passes


def test_what_gets_better_is_fixed_as_far_as_the_level_goes(path: Path) -> None:
    better = result("t/wrong", "prompt")
    assert verdict(path, "prompt", better).fixed == ("t/wrong",)
    assert verdict(path, "message", better).fixed == ("t/wrong",)
    assert verdict(path, "events", result("t/late")).fixed == (), "that level says nothing about it"


def test_what_was_not_run_is_neither_fixed_nor_stale(path: Path) -> None:
    assert verdict(path, "prompt", AS_EXPECTED[0]) == Verdict(expected=("t/wrong",))


def test_what_does_not_exist_or_is_not_judged_is_stale_and_no_failure(path: Path) -> None:
    lacking = result("t/early", lacks=["lookahead"])
    found = baseline.read(path, Level.PROMPT).verdict([AS_EXPECTED[0], lacking], ["t/wrong", "t/early"])
    assert found == Verdict(expected=("t/wrong",), stale=("t/early", "t/late"))
    assert found.passes


def test_optional_cases_can_neither_be_new_nor_expected(path: Path) -> None:
    assert verdict(path, "events", result("optional/x", "message")) == Verdict()


def updated(path: Path, level: str, *results: CaseResult, stale: Sequence[str] = ()) -> str:
    return baseline.read(path, Level(level)).updated(results, stale)


def test_an_update_without_news_changes_nothing(path: Path) -> None:
    assert updated(path, "prompt", *AS_EXPECTED) == updated(path, "message", *AS_EXPECTED) == FILE


def test_an_update_takes_out_what_is_fixed_or_stale_and_adds_what_is_new(path: Path) -> None:
    found = [result("t/wrong"), AS_EXPECTED[1], result("t/z", "message"), result("t/b", "prompt")]
    assert updated(path, "prompt", *found, stale=["t/late"]) == (
        "# Mine.\n\nevents   t/early    # see our tracker\nmessage  t/z\nprompt   t/b\n"
    )


def test_an_update_keeps_comments_of_what_fails_at_another_level_now(path: Path) -> None:
    assert "prompt  t/wrong    # numbers are strings there\n" in updated(path, "prompt", result("t/wrong", "prompt"))
    assert "message   t/late\n" in updated(path, "prompt", result("t/late", "message"))


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "expected.txt"
    assert baseline.read(path, Level.PROMPT, new=True) == Baseline(level=Level.PROMPT)
    baseline.write(path, baseline.read(path, Level.PROMPT, new=True).updated(AS_EXPECTED, []))
    assert path.read_text() == f"{HEADING}\nmessage  t/wrong\nevents   t/early\nprompt   t/late\n"
    assert verdict(path, "prompt", *AS_EXPECTED).passes


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("t/a\n", r"line 1: isn't a level \(message, events, prompt\) and the id of a case; correct it, or put a #"),
        ("\nfatal t/a\n", "line 2: isn't a level"),
        ("events t/a t/b\n", "line 1: isn't a level"),
        ("events t/a\nprompt t/a # again\n", "line 2: t/a stands there twice; take one out"),
    ],
)
def test_faulty_lines(path: Path, text: str, problem: str) -> None:
    path.write_text(text)
    with pytest.raises(BadInput, match=problem):
        baseline.read(path, Level.EVENTS)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--baseline .*no: isn't there; .*, or make it with --update-baseline"):
        baseline.read(tmp_path / "no", Level.EVENTS)
    with pytest.raises(BadInput, match=r"--baseline .*: can't be written: "):
        baseline.write(tmp_path, "x")
