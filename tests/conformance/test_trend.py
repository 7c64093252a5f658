"""`conformance trend`: what moved from one release to the next."""

from __future__ import annotations

import gzip
import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from antiphon_conformance import schemas
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports import plot, trend, trending
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.reports.figures import columns
from antiphon_conformance.reports.trending import Wish
from antiphon_conformance.runs.runner import run_adapter
from made_up import BAD, case_source, fake, fake_command, write_suite
from rich.console import Console


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A case that each gets right, and one that depends on the release."""
    return write_suite(tmp_path / "suite", case_source(id="good"), case_source(id="bad", text="bad", expect=BAD))


def release(folder: Path, suite: Path, mode: str, version: str) -> str:
    """The file of a report, as if of some release."""
    cases = load_suite(suite)
    document = report.document(cases, [run_adapter(fake(mode), cases)], Settings())
    document["implementations"][0]["version"] = version
    path = folder / f"{version}.json"
    path.write_text(json.dumps(document), "utf-8")
    return str(path)


@pytest.fixture
def releases(tmp_path: Path, suite: Path) -> list[str]:
    modes = {"1.0": "crash", "1.1": "late", "1.2": "good", "2.0": "crash"}
    return [release(tmp_path, suite, mode, version) for version, mode in modes.items()]


def shown(wish: Wish) -> str:
    stream = io.StringIO()
    trending.trend(wish, Console(file=stream, width=100))
    return stream.getvalue()


def test_versions_are_written_behind_one_name() -> None:
    names = ["reference", "transformers==5.13.0,5.24.0", "vllm==0.33.0", "node a.mjs --x=a,b"]
    assert trending.expanded(names) == [
        "reference", "transformers==5.13.0", "transformers==5.24.0", "vllm==0.33.0", "node a.mjs --x=a,b",
    ]  # fmt: skip


def test_what_passes_by_release_and_what_changed(releases: list[str]) -> None:
    text = shown(Wish(releases, Settings(Level.PROMPT)))
    assert text.startswith("fake: required cases that pass at level prompt\n")
    rows = [line.split() for line in text.splitlines() if line.startswith((" topic", " required"))]
    assert rows == [
        ["topic", "cases", "1.0", "1.1", "1.2", "2.0"],
        ["topic", "2", "1", "1", "2", "+1", "1", "−1"],
        ["required", "2", "1", "1", "2", "+1", "1", "−1"],
    ]
    assert text[text.index("fake 1.0 →") :].splitlines() == [
        "fake 1.0 → fake 1.1",
        "  no case changed",
        "fake 1.1 → fake 1.2",
        "  + topic/file/bad",
        "fake 1.2 → fake 2.0",
        "  − topic/file/bad",
    ]


def test_the_level_decides_what_is_a_change(releases: list[str]) -> None:
    text = shown(Wish(releases[:2], Settings(Level.EVENTS)))
    assert "fake 1.0 → fake 1.1\n  + topic/file/bad\n" in text


def test_adapters_and_reports_in_one_row(releases: list[str], suite: Path) -> None:
    text = shown(Wish([releases[0], fake_command("good")], Settings(), suite))
    assert "fake 1.0 → fake 1\n  + topic/file/bad\n" in text


def test_reports_may_be_compressed(releases: list[str]) -> None:
    plain = Path(releases[0])
    packed = plain.with_name("1.0.json.gz")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert shown(Wish([str(packed), releases[2]], Settings())) == shown(Wish([releases[0], releases[2]], Settings()))


def test_the_forms(releases: list[str], tmp_path: Path) -> None:
    to = [tmp_path / f"new/trend{suffix}" for suffix in trending.FORMS]
    shown(Wish(releases, Settings(Level.PROMPT), to=to))
    written = {path.suffix: path.read_text("utf-8") for path in to}
    document = json.loads(written[".json"])
    assert schemas.first_fault(document, "trend") is None
    assert [one["passed"] for one in document["releases"]] == [
        {"message": 1, "events": 1, "prompt": 1},
        {"message": 2, "events": 2, "prompt": 1},
        {"message": 2, "events": 2, "prompt": 2},
        {"message": 1, "events": 1, "prompt": 1},
    ]
    assert document["changes"][1] == {"from": "fake 1.1", "to": "fake 1.2", "fixed": ["topic/file/bad"], "broken": []}
    assert "<li>topic/file/bad</li>" in written[".html"]
    assert written[".svg"] == plot.write(document)


def test_the_plot_has_each_level_each_release_and_no_script(releases: list[str]) -> None:
    documents = [json.loads(Path(path).read_text("utf-8")) for path in releases]
    drawn = plot.write(trend.document(columns(documents), Level.PROMPT))
    root = ElementTree.fromstring(drawn)
    texts = [(element.text or "").strip() for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"1.0", "1.1", "1.2", "2.0", "message", "events", "prompt"} <= set(texts)
    assert "Required cases that fake passes, of 2" in texts
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
    assert "prefers-color-scheme:dark" in drawn


def test_numbers_of_the_plot_do_not_lie_on_each_other(releases: list[str]) -> None:
    """A release that passes as much at two levels has one number there."""
    documents = [json.loads(Path(path).read_text("utf-8")) for path in releases[1:3]]
    root = ElementTree.fromstring(plot.write(trend.document(columns(documents), Level.PROMPT)))
    values = [
        element.text for element in root.iter("{http://www.w3.org/2000/svg}text") if element.get("class") == "value"
    ]
    assert [value for value in values if value] == ["2", "2", "1"]


def test_a_trend_loses_no_numbers_on_a_narrow_terminal(releases: list[str]) -> None:
    stream = io.StringIO()
    trending.trend(Wish(releases, Settings(Level.PROMPT)), Console(file=stream, width=20))
    assert [line.split() for line in stream.getvalue().splitlines() if line.startswith(" topic  ")][1:] == [
        ["topic", "2", "1", "1", "2", "+1", "1", "−1"]
    ]


def test_implementations_of_different_names_keep_their_titles(releases: list[str], suite: Path) -> None:
    document = trend.document(columns([json.loads(Path(path).read_text("utf-8")) for path in releases]), Level.PROMPT)
    other = {**document["releases"][0], "title": "port 3", "version": "3"}
    assert trend.labels(document["releases"]) == ("fake", ["1.0", "1.1", "1.2", "2.0"])
    assert trend.labels([document["releases"][0], other]) == ("", ["fake 1.0", "port 3"])


def test_cases_that_only_one_release_was_run_with_are_no_change(releases: list[str]) -> None:
    first, second = (json.loads(Path(path).read_text("utf-8")) for path in releases[1:3])
    del second["implementations"][0]["cases"][1]
    (change,) = trend.document(columns([first, second]), Level.PROMPT)["changes"]
    assert (change["fixed"], change["broken"]) == ([], [])


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["reference"], "a trend needs two implementations at least"),
        (["reference", "no-such-port"], "no-such-port: is neither the name of an adapter"),
        (["reference", "transformers==5.13.0,1.0.0"], "transformers==1.0.0: has no response templates"),
    ],
)
def test_bad_names_are_found_before_the_first_run(names: list[str], problem: str, suite: Path) -> None:
    with pytest.raises(BadInput, match=problem):
        shown(Wish(names, Settings(), suite))


def test_without_what_draws_the_plot_its_remedy_is_told(monkeypatch: pytest.MonkeyPatch, releases: list[str]) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pygal", None)
    with pytest.raises(BadInput, match=r"pip install 'antiphon\[plots\]'"):
        plot.write(trend.document(columns([json.loads(Path(path).read_text()) for path in releases]), Level.PROMPT))
