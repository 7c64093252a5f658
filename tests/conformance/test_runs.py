"""Whole runs: jobs, shards and their merging, repetitions, baselines, early ends, and what reports say of them."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance import schemas
from antiphon_conformance.cases.chunkings import chunkings, named
from antiphon_conformance.cases.selection import Selection, Shard
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.commands import conformance as commands
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs import merging, running
from antiphon_conformance.runs.runner import run_adapter
from antiphon_conformance.runs.running import Plan
from made_up import BAD, case_source, fake_command, write_suite
from rich.console import Console
from typer.testing import CliRunner

WRONG = {"message": {"content": "wrong"}}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Six cases: the third makes the fakes misbehave, the fourth and the last can't be passed."""
    texts = ("one", "two", "bad", "odd", "good", "ill")
    expectations: dict[str, Any] = {"bad": BAD, "odd": WRONG, "ill": WRONG}
    sources = [
        case_source(id=text, text=text, expect=expectations.get(text, {"message": {"content": text}})) for text in texts
    ]
    return write_suite(tmp_path / "suite", *sources)


@pytest.fixture
def run(suite: Path, tmp_path: Path) -> Callable[..., tuple[int, str, Any]]:
    """Runs the suite against a fake; gives the exit status, what was printed, and the report."""

    def run(mode: str = "good", **changes: Any) -> tuple[int, str, Any]:
        settings = Settings(**{name: changes.pop(name) for name in list(changes) if hasattr(Settings(), name)})
        report = tmp_path / "report.json"
        plan = replace(Plan([fake_command(mode)], settings, suite=suite, reports=[report]), **changes)
        stream = io.StringIO()
        status = running.run(plan, Console(file=stream, width=200))
        document = json.loads(report.read_text("utf-8"))
        assert schemas.first_fault(document, "report") is None
        return status, stream.getvalue(), document

    return run


def cases(document: Any) -> dict[str, Any]:
    """The cases of the first implementation, by the last part of their ids."""
    return {case["id"].rpartition("/")[2]: case for case in document["implementations"][0]["cases"]}


def untimed(document: Any) -> Any:
    return {**document, "created": None}


Run = Callable[..., tuple[int, str, Any]]


# jobs, shards


@pytest.mark.parametrize("mode", ["good", "crash", "crash_when_cut", "late", "talkative", "exits_at_once"])
def test_jobs_change_nothing_in_the_report(run: Run, mode: str) -> None:
    one, two = run(mode), run(mode, jobs=2)
    assert one[0] == two[0]
    assert untimed(one[2]) == untimed(two[2]) or mode == "talkative", "its standard error tells of each start"


def test_the_reference_in_processes_of_its_own(run: Run) -> None:
    one, two = run(adapters=["reference"]), run(adapters=["reference"], jobs=2)
    assert untimed(one[2]) == untimed(two[2])


@pytest.fixture
def shards(run: Run, tmp_path: Path) -> list[Path]:
    """The reports of all shards of a run."""
    paths = []
    for index in (1, 2, 3):
        document = run("late", level=Level.PROMPT, shard=Shard(index, 3), peers=[fake_command("good")])[2]
        paths.append(tmp_path / f"{index}.json")
        paths[-1].write_text(json.dumps(document), "utf-8")
    return paths


def merge(paths: list[Path], to: Path) -> tuple[bool, str]:
    stream = io.StringIO()
    return merging.merge(paths, [to], None, Console(file=stream, width=200)), stream.getvalue()


def test_shards_merge_to_the_report_of_the_whole_run(run: Run, shards: list[Path], tmp_path: Path) -> None:
    """In whatever order they are given."""
    whole = run("late", level=Level.PROMPT, peers=[fake_command("good")])[2]
    merged = tmp_path / "merged" / "report.json"
    for paths in (shards, shards[::-1]):
        passed, shown = merge(paths, merged)
        assert not passed
        assert "does not conform at level prompt: 3 of 6 required cases fail" in shown
        document = json.loads(merged.read_text("utf-8"))
        whole["created"] = document["created"]
        assert merged.read_text("utf-8") == json.dumps(whole, indent=1) + "\n"


def test_a_merged_run_passes_if_only_peers_fail_or_failures_are_expected(run: Run, tmp_path: Path) -> None:
    path, expected = tmp_path / "whole.json", tmp_path / "expected.txt"
    expected.write_text("message topic/file/odd\nmessage topic/file/ill\n")
    for changes in ({"baseline": expected}, {"adapters": [fake_command("good")], "selection": Selection(("*/one",))}):
        document = run(shard=Shard(1, 1), peers=[fake_command("crash")], **changes)[2]
        path.write_text(json.dumps(document), "utf-8")
        assert merge([path], tmp_path / "merged.json")[0]


def test_what_is_missing_is_told(shards: list[Path], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"2 of 3 shards are missing; run them with --shard 1/3, --shard 3/3$"):
        merge(shards[1:2], tmp_path / "merged.json")
    assert not (tmp_path / "merged.json").exists()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"level": "message"}, "has another level than .*1.json: message instead of prompt; merge shards of one run"),
        ({"seed": 7}, "has another seed than .*1.json: 7 instead of 0"),
        ({"timeout": 1.5}, "has another timeout"),
        ({"requires": ["json"]}, "has another requires"),
        (
            {"suite": {"version": None, "digest": "0", "required": 1, "optional": 0, "proposals": 0}},
            "has another suite digest",
        ),
        ({"shard": None}, "is no shard's report; merge those that were made with --shard"),
        ({"shard": {"index": 2, "count": 4, "places": []}}, "has another number of shards than .*: 4 instead of 3"),
        ({"shard": {"index": 1, "count": 3, "places": []}}, "is shard 1/3, and so is .*1.json; take one of them out"),
        ({"implementations": []}, "has another list of implementations"),
        ({"interrupted": True}, "is of a run that was interrupted; run it again with --shard 2/3"),
    ],
)
def test_shards_that_do_not_belong_together(
    shards: list[Path], changes: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    shards[1].write_text(json.dumps({**json.loads(shards[1].read_text("utf-8")), **changes}), "utf-8")
    with pytest.raises(BadInput, match=f"2.json: {problem}"):
        merge(shards, tmp_path / "merged.json")


def test_a_shard_without_cases_is_no_failure(run: Run) -> None:
    selection = Selection(("*/one",))
    found = [run(selection=selection, shard=Shard(index, 2)) for index in (1, 2)]
    assert [status for status, _, _ in found] == [0, 0]
    assert sorted(document["suite"]["required"] for _, _, document in found) == [0, 1]


def test_a_shard_without_cases_is_merged_like_others(run: Run, tmp_path: Path) -> None:
    """It names the implementation, which isn't asked for a case."""
    paths = [tmp_path / f"{index}.json" for index in (1, 2)]
    for index, path in enumerate(paths, 1):
        document = run(selection=Selection(("*/one",)), shard=Shard(index, 2))[2]
        assert document["implementations"][0]["name"] == "fake"
        path.write_text(json.dumps(document), "utf-8")
    assert merge(paths, tmp_path / "merged.json")[0]


@pytest.mark.parametrize(
    ("places", "problem"),
    [([], r"has \d cases for 0 places; run it again with --shard"), (None, "has one twice, or that of another shard")],
)
def test_shards_whose_places_were_changed(shards: list[Path], tmp_path: Path, places: Any, problem: str) -> None:
    documents = [json.loads(path.read_text("utf-8")) for path in shards]
    first, second = [document for document in documents if document["shard"]["places"]][:2]
    count = len(second["shard"]["places"])
    second["shard"]["places"] = [first["shard"]["places"][0]] * count if places is None else places
    for path, document in zip(shards, documents, strict=True):
        path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(BadInput, match=problem):
        merge(shards, tmp_path / "merged.json")


# early ends


@pytest.mark.parametrize("jobs", [1, 3])
def test_fail_fast_ends_with_the_first_failure_that_counts(run: Run, jobs: int) -> None:
    status, shown, document = run("slow", fail_fast=True, jobs=jobs, peers=[fake_command("good")])
    assert status == 1
    assert list(cases(document)) == ["one", "two", "bad", "odd"]
    assert document["interrupted"]
    assert [one["missing"] for one in document["implementations"]] == [2], "the peer wasn't run any more"
    assert "2 cases weren't run" in shown


def test_fail_fast_goes_on_after_what_is_expected(run: Run, tmp_path: Path) -> None:
    (tmp_path / "expected.txt").write_text("message topic/file/odd\n")
    document = run(fail_fast=True, baseline=tmp_path / "expected.txt")[2]
    assert list(cases(document)) == ["one", "two", "bad", "odd", "good", "ill"]
    assert not document["interrupted"], "it was the last"


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_writes_the_report_so_far(suite: Path, tmp_path: Path, sent: signal.Signals, jobs: str) -> None:
    """And kills the adapter, which hangs."""
    report, told = tmp_path / "report.json", tmp_path / "pid"
    adapter = fake_command("hang_and_tell", told)
    command = [sys.executable, "-m", "antiphon_conformance.cli", "conformance", "run", "--adapter", adapter]
    command += ["--suite", str(suite), "--report", str(report), "--timeout", "60", "--jobs", jobs, "--filter", "!*/ill"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        pid = next(int(told.read_text()) for _ in until(30) if told.exists() and told.read_text())
        if jobs == "2":
            time.sleep(1.0)  # for the other job to come to the end
        process.send_signal(sent)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "")
    document = json.loads(report.read_text("utf-8"))
    assert schemas.first_fault(document, "report") is None
    assert document["interrupted"]
    (implementation,) = document["implementations"]
    assert implementation["conforms"] is None
    assert list(cases(document)) == ["one", "two", "odd", "good"][: 2 if jobs == "1" else 4]
    missing = implementation["missing"]
    assert ("1 case wasn't run" if missing == 1 else f"{missing} cases weren't run") in out
    assert any(ended(pid) for _ in until(5))


def test_an_interrupt_between_implementations_keeps_what_there_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_adapter
    calls: list[Any] = []

    def run_once(*arguments: Any, **named: Any) -> Any:
        calls.append(arguments)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return first(*arguments, **named)

    monkeypatch.setattr("antiphon_conformance.runs.running.run_adapter", run_once)
    status, _, document = run(peers=[fake_command("late")])
    assert status == 130
    assert document["interrupted"]
    assert len(document["implementations"]) == 1


# repetitions


def test_what_repeats_is_not_flaky(run: Run) -> None:
    for mode in ("good", "crash", "late"):
        once, thrice = run(mode), run(mode, repeat=3)
        assert once[0] == thrice[0]
        assert {**untimed(once[2]), "repeat": 3} == untimed(thrice[2])
        assert "flaky" not in thrice[1]


def test_each_repetition_has_its_own_costs(suite: Path) -> None:
    """What runs in this process is one adapter in all of them, and goes on adding up the time that it takes."""
    adapter = make_adapter("reference", seconds=5)
    adapter.busy = 1000.0
    cost = run_adapter(adapter, load_suite(suite)).cost
    assert cost.own > 0
    assert 0 <= cost.adapter < 1000


@pytest.mark.parametrize(
    ("mode", "difference", "status"),
    [
        (
            "flaky",
            'passes in repetition 1, fails (late: region_open of "content" came at end, is due at 1 [whole]) in '
            "repetition 2",
            0,
        ),
        ("moody", "another message or error in repetition 2 than in 1 [whole]", 1),
    ],
)
def test_what_does_not_repeat_is_flaky(run: Run, tmp_path: Path, mode: str, difference: str, status: int) -> None:
    """Of the repetitions that counts in which the case did worst; at level `events`, late is not wrong."""
    adapters = [fake_command(mode, tmp_path / "starts")]
    selection = Selection(("*/one", "*/bad"))
    found, shown, document = run(adapters=adapters, repeat=3, selection=selection)
    assert found == status
    assert "flaky" not in cases(document)["one"]
    assert cases(document)["bad"]["flaky"] == {"repetition": 2, "difference": difference}
    assert cases(document)["bad"]["failures"]
    assert f"  ~ topic/file/bad\n    {difference}" in shown
    assert document["repeat"] == 3


# baselines


def test_a_baseline_is_made_and_then_met(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "expected.txt"
    status, shown, document = run(baseline=path, update_baseline=True)
    assert status == 0
    assert "failures: 0 as expected, 2 new, 0 fixed; the file is up to date now" in shown
    assert path.read_text().splitlines()[1:] == ["message  topic/file/odd", "message  topic/file/ill"]
    status, shown, document = run(baseline=path)
    assert status == 0
    assert "failures: 2 as expected, 0 new, 0 fixed" in shown
    assert [name for name, case in cases(document).items() if case.get("expected_failure")] == ["odd", "ill"]
    assert cases(document)["odd"]["outcome"] == "failed"
    assert "✗ topic/file/odd" not in shown


def test_a_run_fails_for_what_is_new_and_for_what_is_fixed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "expected.txt"
    path.write_text("message topic/file/odd\n")
    status, shown, _ = run(baseline=path)
    assert status == 1
    assert "  new    topic/file/ill\n" in shown
    path.write_text("message topic/file/odd\nmessage topic/file/ill\nevents topic/file/good\nevents topic/gone\n")
    status, shown, _ = run(baseline=path)
    assert status == 1
    assert "  fixed  topic/file/good\n  stale  topic/gone\n" in shown
    assert "--update-baseline takes the fixed ones out" in shown


def test_a_part_of_the_cases_says_nothing_of_the_others(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "expected.txt"
    path.write_text("message topic/file/odd\nmessage topic/file/ill\n")
    assert run(baseline=path, selection=Selection(("*/odd",)))[0] == 0
    assert all(run(baseline=path, shard=Shard(index, 2))[0] == 0 for index in (1, 2))


@pytest.mark.parametrize(("mode", "changes"), [("exits_at_once", {}), ("good", {"fail_fast": True})])
def test_no_baseline_is_made_of_what_was_not_run(run: Run, tmp_path: Path, mode: str, changes: Any) -> None:
    status, shown, _ = run(mode, baseline=tmp_path / "new.txt", update_baseline=True, **changes)
    assert status == 1
    assert "the file is as it was, since not all cases were run" in shown
    assert not (tmp_path / "new.txt").exists()


def test_a_baseline_that_cannot_be_written_is_told_before_the_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match=r"--baseline .*can't be written: .*; name another file"):
        run(baseline=tmp_path / "file" / "expected.txt", update_baseline=True)
    assert not (tmp_path / "report.json").exists()


def test_a_baseline_is_for_one_implementation(run: Run, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is about one implementation; give one --adapter"):
        run(adapters=["reference", "reference"], baseline=tmp_path / "new.txt", update_baseline=True)
    with pytest.raises(BadInput, match="--update-baseline: needs a file; name it by --baseline FILE"):
        run(update_baseline=True)


def test_optional_cases_and_peers_do_not_decide(suite: Path, run: Run) -> None:
    write_suite(suite, case_source(id="lax", reason="ports may choose", expect=WRONG), name="optional/file")
    status, _, document = run(selection=Selection(("*/lax", "*/one")), peers=[fake_command("exits_at_once")])
    assert status == 0
    assert cases(document)["lax"]["outcome"] == "failed"


# seeds, settings


def test_the_name_of_a_random_chunking_is_enough_to_repeat_it(tmp_path: Path) -> None:
    """Whatever the seed was."""
    source = case_source(text="abcdefghijklmnopqrstuvwxyz", expect={"message": {}})
    (case,) = load_suite(write_suite(tmp_path, source))
    for one in chunkings(case, seed=12345):
        assert named(case, one.name) == one


def test_the_seed_and_the_speed_are_told(run: Run) -> None:
    _, shown, document = run(seed=123)
    assert "seed of the random chunkings: 123\n" in shown
    assert document["seed"] == 123
    line = r"^fake 1: \d+ runs in \d+\.\d s, [\d,]+ a second; \d+% of the processor's time was the harness's own$"
    assert re.search(line, shown, re.MULTILINE)


def test_what_is_asked_for_is_in_the_report(run: Run) -> None:
    selection = Selection(("topic/*", "!*/ill"), ())
    document = run(selection=selection, case_timeout=7.5, repeat=2, shard=Shard(1, 1))[2]
    assert (document["filter"], document["requires"]) == (["topic/*", "!*/ill"], [])
    assert (document["case_timeout"], document["repeat"]) == (7.5, 2)
    assert document["shard"] == {"index": 1, "count": 1, "places": [0, 1, 2, 3, 4]}
    assert document["suite"]["digest"]


def test_the_seed_reaches_the_chunkings(tmp_path: Path) -> None:
    """The fake fails in none but random ones; the first in which it does has another name with each seed."""
    text = "abcdefghijklmnopqrstuvwxyz"
    suite = write_suite(tmp_path / "suite", case_source(text=text, expect={"message": {"content": text}}))
    (case,) = load_suite(suite)
    for seed in (1, 2):
        report = tmp_path / f"{seed}.json"
        plan = Plan([fake_command("fails_in_many_pieces")], Settings(seed=seed), suite=suite, reports=[report])
        assert running.run(plan, Console(file=io.StringIO())) == 1
        (failure,) = cases(json.loads(report.read_text("utf-8")))["a-case"]["failures"]
        assert failure["chunking"] in {one.name for one in chunkings(case, seed)}
        assert failure["chunking"] not in {one.name for one in chunkings(case, 3 - seed)}


@pytest.mark.parametrize(
    ("mode", "limits", "reason"),
    [
        ("hang", {"timeout": 0.5}, "timed out after 0.5 s"),
        ("slow", {"case_timeout": 0.7}, "timed out after 0.7 s for all runs of the case"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_time_limits_end_a_case_and_not_the_run(run: Run, mode: str, limits: Any, reason: str, jobs: int) -> None:
    document = run(mode, jobs=jobs, **limits)[2]
    (failure,) = cases(document)["bad"]["failures"]
    assert failure["reason"] == reason
    assert cases(document)["good"]["verdicts"]["message"] is True


def test_standard_error_is_in_the_report_of_the_failing_case(run: Run) -> None:
    document = run("crash", adapters=[fake_command("crash")])[2]
    assert cases(document)["bad"]["failures"][0]["stderr"] == ["last words"]
    assert "stderr" not in cases(document)["odd"]["failures"][0]


def test_the_options_of_the_command_line_reach_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[Plan] = []

    def take(plan: Plan, console: Console) -> int:
        plans.append(plan)
        return 7

    monkeypatch.setattr(running, "run", take)
    options = (
        "--adapter a --adapter b --peer c --filter x/* --filter !y --requires json --requires !atomic --shard 2/8 "
        "--suite dir --jobs 3 --timeout 1.5 --case-timeout 20 --seed -4 --repeat 5 --fail-fast --level prompt "
        "--report r.json --report r.xml --baseline b.txt --update-baseline"
    )
    assert CliRunner().invoke(commands.app, ["run", *options.split()]).exit_code == 7
    settings = Settings(
        level=Level.PROMPT,
        seed=-4,
        selection=Selection(("x/*", "!y"), ("json", "!atomic")),
        timeout=1.5,
        case_timeout=20,
        repeat=5,
        shard=Shard(2, 8),
    )
    assert plans == [
        Plan(
            ["a", "b"],
            settings,
            peers=["c"],
            suite=Path("dir"),
            reports=[Path("r.json"), Path("r.xml")],
            jobs=3,
            fail_fast=True,
            baseline=Path("b.txt"),
            update_baseline=True,
        )
    ]


def test_numbers_of_jobs_and_seeds() -> None:
    assert running.jobs("3") == 3
    assert running.jobs("auto") >= 1
    assert running.seed("-5") == -5
    assert running.seed("random") != running.seed("random")
    for text in ("0", "-1", "1.5", "many", "", "9999999999", "9" * 5000, "٣"):
        with pytest.raises(BadInput, match="isn't a number from 1 to 1000; give one, or auto"):
            running.jobs(text)
    for text in ("x", "1.5", ""):
        with pytest.raises(BadInput, match="isn't a whole number; give one, or random"):
            running.seed(text)


def until(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.02)


def ended(pid: int) -> bool:
    """Whether there is no such process, or a dead one that nobody has waited for."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True
