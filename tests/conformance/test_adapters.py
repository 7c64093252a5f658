"""Adapters that misbehave on purpose: each way of failing has its name, fails its case only, and the run goes on."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import (
    AdapterFailure,
    Crashed,
    InvalidResponse,
    ProcessAdapter,
    StartupFailed,
    TimedOut,
    UnknownAdapter,
)
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.implementations.protocol import run_request
from antiphon_conformance.runs.runner import CaseResult, run_adapter
from made_up import BAD, case_source, cut, fake, make_case, write_suite


@pytest.fixture
def cases(tmp_path: Path) -> list[Case]:
    """A case that makes the fakes misbehave, between two that don't."""
    bad = case_source(id="bad", text="bad", expect=BAD)
    return load_suite(write_suite(tmp_path, case_source(id="before"), bad, case_source(id="after")))


def run(mode: str, cases: list[Case], *, seconds: float = 5.0, startup: float = 10.0) -> dict[str, CaseResult]:
    results = run_adapter(fake(mode, seconds=seconds, startup=startup), cases).cases
    return {result.case.full_id.rpartition("/")[2]: result for result in results}


def test_the_fake_itself_conforms(cases: list[Case]) -> None:
    assert all(result.prompt and not result.failures for result in run("good", cases).values())


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("crash", "crashed (exit status 7)"),
        ("killed", "crashed (signal 11)"),
        (
            "garbage",
            "invalid response: wrote 'Loading weights... \\u001b[31mdone\\u001b[0m' before its answer; standard output",
        ),
        (
            "garbage_and_answer",
            "invalid response: wrote 'Loading weights...' before its answer; standard output is for",
        ),
        ("not_utf8", "invalid response: isn't JSON"),
        ("wrong_id", "invalid response: /id: isn't the request's; answer each once, in their order"),
        ("partial", 'invalid response: the line has no end: {"type": "result", "id":'),
        ("twice", "invalid response: /id: isn't the request's; answer each once, in their order"),
        ("no_events", "invalid response: the result: lacks feeds, final, initial"),
        ("odd_event", "invalid response: /final/0: has the keys ['field', 'start', 'type'], not ['field', 'type']"),
        ("unsupported", "unsupported, though the case needs only what every implementation has: streams"),
    ],
)
def test_a_failure_is_the_case_s_alone(cases: list[Case], mode: str, reason: str) -> None:
    results = run(mode, cases)
    assert results["bad"].message is False
    assert results["bad"].failures[0].finding.reason.startswith(reason)
    assert results["before"].prompt
    assert results["after"].prompt


@pytest.mark.parametrize("mode", ["hang", "partial_and_hang"])
def test_a_hanging_run_is_cut_off_and_its_other_chunkings_skipped(cases: list[Case], mode: str) -> None:
    start = time.monotonic()
    results = run(mode, cases, seconds=0.5)
    assert time.monotonic() - start < 5
    assert results["bad"].failures[0].finding.reason == "timed out after 0.5 s"
    assert results["bad"].runs == 1
    assert results["after"].prompt


def test_a_request_that_nobody_reads_is_cut_off_too(tmp_path: Path) -> None:
    """More than the pipe holds, so that writing it blocks."""
    case = make_case(tmp_path, text=[{"repeat": "x", "times": 1_000_000}], expect={"message": {}})
    with pytest.raises(TimedOut):
        fake("deaf", seconds=0.5).run(run_request(1, case, cut(case.text)))


def test_standard_error_is_kept_with_the_failure(cases: list[Case]) -> None:
    assert run("crash", cases)["bad"].failures[0].stderr == ("last words",)
    assert run("hang", cases, seconds=0.5)["bad"].failures[0].stderr == ("still thinking",)


def test_a_crash_among_requests_that_are_under_way_is_that_of_its_run(cases: list[Case]) -> None:
    """The run before it went well, those behind it have been sent already and are forgotten."""
    results = run("crash_when_cut", cases)
    (failure,) = results["bad"].failures
    assert (failure.chunking, failure.finding.reason) == ("each", "crashed (exit status 3)")
    assert failure.stderr == ("can't bear ['b', 'a', 'd']",)
    assert results["bad"].runs == 2
    assert results["after"].prompt


def test_a_second_answer_is_told_even_if_nothing_follows(tmp_path: Path) -> None:
    request = run_request(1, make_case(tmp_path, text="bad"), cut("bad"))
    with pytest.raises(InvalidResponse, match="more than a line"):
        fake("twice").run(request)


def test_a_second_answer_to_the_only_run_of_a_case(tmp_path: Path) -> None:
    (case,) = load_suite(write_suite(tmp_path, case_source(text="bad", expect={"loads": True})))
    (failure,) = run_adapter(fake("twice"), [case]).cases[0].failures
    assert failure.finding.reason.startswith("invalid response: more than a line")
    assert failure.chunking == "whole"


def test_the_time_limit_is_for_each_run_however_many_are_under_way(cases: list[Case]) -> None:
    """The clock starts with the answer before. All of them together take longer than the limit."""
    start = time.monotonic()
    results = run("slow", cases, seconds=0.8)
    assert time.monotonic() - start > 0.8
    assert results["bad"].prompt


def test_a_case_has_a_time_limit_of_its_own(cases: list[Case]) -> None:
    found = run_adapter(fake("slow", case_seconds=0.7), cases).cases
    assert [result.prompt for result in found] == [True, True, True]
    (failure,) = found[1].failures
    assert failure.finding.reason == "timed out after 0.7 s for all runs of the case"
    assert 1 < found[1].runs < 6


def test_standard_error_belongs_to_the_case_during_which_it_came(tmp_path: Path) -> None:
    """Also where only the answer is wrong. With the failure are the lines of all runs of the case, and no others."""
    texts = ("one", "two", "six")
    sources = [case_source(id=text, text=text, expect={"message": {}}) for text in texts]
    cases = load_suite(write_suite(tmp_path, *sources))
    for helpers in ([], [fake("talkative")]):
        found = run_adapter(fake("talkative"), cases, helpers=helpers).cases
        for text, result in zip(texts, found, strict=True):
            assert set(result.failures[0].stderr) - {"hello there"} == {f"about {text}"}


def test_a_flood_on_standard_error_blocks_nothing(cases: list[Case]) -> None:
    assert run("stderr_flood", cases)["bad"].prompt


def test_a_slow_start_is_no_failure(cases: list[Case]) -> None:
    """The time limit is for runs."""
    assert all(result.prompt for result in run("slow_start", cases, seconds=0.5).values())


def test_children_of_an_adapter_are_killed_with_it(tmp_path: Path) -> None:
    with pytest.raises(TimedOut) as caught:
        fake("hang_with_child", seconds=1.0).run(run_request(1, make_case(tmp_path, text="bad"), cut("bad")))
    child = int(caught.value.stderr[0].removeprefix("child "))
    assert _ends(child)


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("exits_at_once", "didn't start: crashed (exit status 1)"),
        ("silent_start", "didn't start: timed out after 0.5 s"),
        (
            "garbage_hello",
            "didn't start: invalid response: wrote 'Hello!' before its answer; standard output is for answers only, "
            "log to standard error",
        ),
        ("wrong_hello", "didn't start: invalid hello: /protocol: 2 should be 1"),
    ],
)
def test_what_never_starts_fails_every_case(cases: list[Case], mode: str, reason: str) -> None:
    start = time.monotonic()
    results = run(mode, cases * 3, seconds=0.5, startup=0.5 if mode == "silent_start" else 10)
    assert {result.failures[0].finding.reason for result in results.values()} == {reason}
    assert time.monotonic() - start < 6, "it isn't started again and again"


def test_the_last_words_of_what_never_starts() -> None:
    with pytest.raises(StartupFailed) as caught:
        fake("exits_at_once").hello()
    assert caught.value.stderr == ("no such model",)


def test_a_command_that_cannot_be_executed(tmp_path: Path) -> None:
    with pytest.raises(StartupFailed, match="can't be started"):
        ProcessAdapter("x", [str(tmp_path)]).hello()


def test_each_way_of_failing_has_its_class(tmp_path: Path) -> None:
    request = run_request(1, make_case(tmp_path, text="bad"), cut("bad"))
    classes: dict[str, type[AdapterFailure]] = {"crash": Crashed, "hang": TimedOut, "garbage": InvalidResponse}
    for mode, expected in classes.items():
        adapter = fake(mode, seconds=0.5)
        with pytest.raises(expected):
            adapter.run(request)
        assert adapter.run({**request, "chunks": ["good"]}).message == {"content": "good"}, "it was started again"
        adapter.close()


def test_closing_ends_the_process() -> None:
    adapter = fake("good")
    adapter.hello()
    assert adapter._process is not None
    process = adapter._process._process
    adapter.close()
    assert process.poll() == 0


def test_late_and_early_are_verdicts(cases: list[Case]) -> None:
    late, early = run("late", cases)["bad"], run("early", cases)["bad"]
    assert (late.message, late.events, late.prompt) == (True, True, False)
    assert late.lag is not None
    assert late.lag.max == 3
    assert (early.message, early.events, early.prompt) == (True, False, None)


def test_what_an_implementation_lacks_is_skipped(tmp_path: Path) -> None:
    """By `requires`, and by the content kinds that the template names."""
    write_suite(
        tmp_path,
        case_source(id="has", requires=["lookahead"]),
        case_source(id="lacks", requires=["lookahead", "lookbehind"]),
        case_source(id="kind", template={"start_anchor": "x", "fields": {"content": {"content": "int"}}}),
    )
    results = run("good", load_suite(tmp_path))
    assert {name: result.lacks for name, result in results.items()} == {
        "has": (),
        "lacks": ("lookbehind",),
        "kind": ("int",),
    }
    assert results["lacks"].message is None


def test_options_and_constructs_may_turn_out_to_be_unsupported(tmp_path: Path) -> None:
    """Hello tells of constructs in general; an engine may have one with limits."""
    for members in ({"options": {"on_malformed": "event"}}, {"requires": ["lookahead"]}):
        case = make_case(tmp_path, text="bad", expect=BAD, **members)
        assert run_adapter(fake("unsupported"), [case]).cases[0].lacks == ("streams",)


def test_names_and_commands() -> None:
    assert make_adapter("reference").name == "reference"
    assert isinstance(make_adapter(f"'{sys.executable}' x.py"), ProcessAdapter)
    for unknown in ("no-such-command-anywhere", "", "an 'open quote"):
        with pytest.raises(UnknownAdapter):
            make_adapter(unknown)


def _ends(pid: int) -> bool:
    """Whether a process ends within a second; a dead one that nobody has waited for counts as ended."""
    for _ in _until(1.0):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with contextlib.suppress(FileNotFoundError):  # not every system has /proc
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
    return False


def _until(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.02)
