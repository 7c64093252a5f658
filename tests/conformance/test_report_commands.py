"""The commands that show reports, by their options."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from antiphon_conformance import inputs
from antiphon_conformance.cli import app
from antiphon_conformance.inputs import BadInput
from made_up import BAD, case_source, fake_command, write_suite
from typer.testing import CliRunner


def conformance(*arguments: str) -> str:
    """What a command prints. Raises BadInput, of which the console script makes one line and status 2."""
    result = CliRunner().invoke(app, ["conformance", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.fixture
def suite(tmp_path: Path) -> str:
    return str(write_suite(tmp_path / "suite", case_source(id="good"), case_source(id="bad", text="bad", expect=BAD)))


@pytest.fixture
def run(suite: str, tmp_path: Path) -> Path:
    """The folder of a run's reports, in two forms."""
    adapters = [f"--adapter={fake_command(mode)}" for mode in ("good", "late")]
    reports = [f"--report={tmp_path / 'made' / name}" for name in ("report.json", "report.md")]
    conformance("run", "--suite", suite, "--level", "prompt", *adapters, *reports)
    return tmp_path / "made"


def test_run_writes_each_form(run: Path) -> None:
    assert sorted(path.name for path in run.iterdir()) == ["report.json", "report.md"]
    assert len(json.loads((run / "report.json").read_text("utf-8"))["implementations"]) == 2


def test_run_refuses_what_it_could_not_write(suite: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has none of the suffixes"):
        conformance("run", "--suite", suite, "--report", str(tmp_path / "report.txt"))
    assert not (tmp_path / "report.txt").exists()


def test_report_shows_and_converts(run: Path, suite: str) -> None:
    report = str(run / "report.json")
    assert "does not conform at level prompt: 1 of 2 required cases fails" in conformance("report", report)
    assert (
        conformance("report", report, "--to", str(run / "new/x.html"), "--to", str(run / "x.xml"), "--suite", suite)
        == ""
    )
    assert "\\u003cbot>" in (run / "new/x.html").read_text("utf-8")
    assert (run / "x.xml").read_text("utf-8").startswith("<testsuites ")


def test_matrix(run: Path) -> None:
    assert "| d | `topic/file/bad` | ✓ | ✗ late |" in conformance(
        "matrix", str(run / "report.json"), "--filter", "*/bad"
    )


def test_explain_runs_or_reads(run: Path, suite: str) -> None:
    case = ["explain", "topic/file/bad", "--suite", suite]
    live = conformance(*case, "--adapter", fake_command("late"), "--chunking", "cut at 1")
    assert 'text  "b" | "ad"  (cut at 1)' in live
    assert re.search("^wrong +late: ", conformance(*case, "--report", str(run / "report.json")), re.MULTILINE)
    with pytest.raises(BadInput, match="leave --adapter out"):
        conformance(*case, "--adapter", "reference", "--report", str(run / "report.json"))


def test_trend_runs_and_reads(run: Path, suite: str, tmp_path: Path) -> None:
    names = [str(run / "report.json"), fake_command("early")]
    text = conformance("trend", *names, "--suite", suite, "--level", "message", "--to", str(tmp_path / "trend.json"))
    assert text.count("no case changed") == 2
    assert len(json.loads((tmp_path / "trend.json").read_text("utf-8"))["releases"]) == 3
    with pytest.raises(BadInput, match=r"has none of the suffixes that tell the form: \.svg, \.html, \.json"):
        conformance("trend", *names, "--to", "trend.png")


@pytest.mark.parametrize(
    "data",
    [b"{}", gzip.compress(b"{}")[:-4], gzip.compress(b"\xff"), gzip.compress(b"[]")],
    ids=["not compressed", "cut off", "not UTF-8", "not a report"],
)
def test_a_compressed_report_that_is_none_is_told_in_a_line(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.json.gz"
    file.write_bytes(data)
    with pytest.raises(BadInput, match=r"x\.json\.gz: .*(be read as gzip: .*; give a file|isn't a report)"):
        inputs.read_report(file)


@pytest.mark.parametrize("created", ["yesterday", "0001-01-01T00:00:00+23:59"])
def test_a_report_with_a_time_that_is_none(run: Path, created: str) -> None:
    document = {**json.loads((run / "report.json").read_text("utf-8")), "created": created}
    (run / "changed.json").write_text(json.dumps(document), "utf-8")
    with pytest.raises(BadInput, match=r"changed\.json: /created: isn't a report: the text is no date and time"):
        conformance("report", str(run / "changed.json"), "--to", str(run / "x.html"))


def test_a_report_without_implementations_is_shown_as_such(run: Path) -> None:
    """A run that was interrupted before the first has none."""
    file = run / "none.json"
    file.write_text(
        json.dumps({**json.loads((run / "report.json").read_text("utf-8")), "implementations": []}), "utf-8"
    )
    assert conformance("report", str(file)) == "no implementation was run\n"
    for suffix in ("html", "md", "xml", "badge.json"):
        conformance("report", str(file), "--to", str(run / f"none.{suffix}"))
    with pytest.raises(BadInput, match="REPORT: no case was run; name a report that has some"):
        conformance("matrix", str(file))
