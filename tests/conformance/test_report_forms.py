"""Reports in files: the forms, what they hold, and that no text breaks out of them."""

from __future__ import annotations

import html
import io
import json
import re
from pathlib import Path

import pytest
from antiphon_conformance import inputs, schemas
from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import badge, files, junit, markdown, page, reporting
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs.runner import run_adapter
from hostile import SCRIPT, TEXT, hostile
from junitparser import Failure, JUnitXml, Skipped, TestSuite
from made_up import BAD, case_source, fake, write_suite
from rich.console import Console

WRONG = {"message": {"content": "x"}}


@pytest.fixture
def cases(tmp_path: Path) -> list[Case]:
    write_suite(
        tmp_path,
        case_source(id="good"),
        case_source(id="bad", text="bad", expect=BAD),
        case_source(id="lacks", requires=["lookbehind"]),
        name="first/file",
    )
    return load_suite(write_suite(tmp_path, case_source(id="lax", reason="r", expect=WRONG), name="optional/file"))


def content(cases: list[Case], *modes: str, level: Level = Level.EVENTS) -> Content:
    results = [run_adapter(fake(mode), cases) for mode in modes]
    return Content([report.document(cases, results, Settings(level))], lambda: cases)


def test_the_suffix_tells_the_form(cases: list[Case], tmp_path: Path) -> None:
    paths = [tmp_path / f"new/report{suffix}" for suffix in files.FORMS]
    files.prepare("--report", paths)
    files.write("--report", paths, content(cases, "good"))
    written = {path.name: path.read_text("utf-8") for path in paths}
    assert schemas.first_fault(json.loads(written["report.json"]), "report") is None
    assert json.loads(written["report.badge.json"])["schemaVersion"] == 1
    assert written["report.xml"].startswith("<testsuites ")
    assert written["report.md"].startswith("## ")
    assert written["report.html"].startswith("<!doctype html>")


def test_another_suffix_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(inputs.BadInput, match=r"report\.pdf: has none of the suffixes .*\.badge\.json, \.json, \.xml"):
        files.prepare("--report", [tmp_path / "report.pdf"])
    with pytest.raises(inputs.BadInput, match="can't be written: Is a directory"):
        (tmp_path / "folder.md").mkdir()
        files.prepare("--report", [tmp_path / "folder.md"])


# Conversion


def written(folder: Path, name: str, document: Json) -> Path:
    path = folder / name
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_reports_become_one_with_all_implementations(cases: list[Case], tmp_path: Path) -> None:
    documents = [content(cases, mode).documents[0] for mode in ("good", "late")]
    paths = [written(tmp_path, f"{number}.json", one) for number, one in enumerate(documents)]
    reporting.convert(paths, [tmp_path / "all.json"], None, Console(file=io.StringIO()))
    joined = inputs.read_report(tmp_path / "all.json")
    assert [one["adapter"] for one in joined["implementations"]] == ["good", "late"]


def test_reports_of_different_runs_do_not_become_one(cases: list[Case], tmp_path: Path) -> None:
    """In one document its settings would be said of both. Forms that only show them take them."""
    first = content(cases, "good").documents[0]
    paths = [written(tmp_path, "a.json", first), written(tmp_path, "b.json", {**first, "seed": 7, "level": "prompt"})]
    with pytest.raises(inputs.BadInput, match="the reports differ in level, seed"):
        reporting.convert(paths, [tmp_path / "all.json"], None, Console(file=io.StringIO()))
    reporting.convert(paths, [tmp_path / "all.md"], None, Console(file=io.StringIO()))
    assert "Conformance at level prompt" in (tmp_path / "all.md").read_text("utf-8")


def test_without_a_file_the_summary_is_printed(cases: list[Case], tmp_path: Path) -> None:
    path = written(tmp_path, "a.json", content(cases, "good", "late").documents[0])
    stream = io.StringIO()
    reporting.convert([path], [], None, Console(file=stream, width=120))
    assert "fake 1 (late): conforms at level events" in stream.getvalue()


# JUnit


def test_junit_has_a_suite_for_each_implementation(cases: list[Case]) -> None:
    found = JUnitXml.fromstring(junit.write(content(cases, "good", "crash")).encode())
    suites: list[TestSuite] = list(found)
    assert [(suite.name, suite.tests, suite.failures, suite.skipped) for suite in suites] == [
        ("fake 1 (good)", 4, 0, 2),
        ("fake 1 (crash)", 4, 1, 2),
    ]
    assert (found.tests, found.failures, found.skipped, found.errors) == (8, 1, 4, 0)


def test_junit_tells_what_failed(cases: list[Case]) -> None:
    (suite,) = JUnitXml.fromstring(junit.write(content(cases, "late", level=Level.PROMPT)).encode())
    good, bad, lacks, lax = suite
    assert (bad.classname, bad.name) == ("fake 1.first.file", "bad")
    (failure,) = bad.result
    assert isinstance(failure, Failure)
    assert (failure.type, failure.message) == ("prompt", 'late: region_open of "content" came at end, is due at 1')
    assert '- feed 1  region_chunk content "bad"' in (failure.text or "").splitlines()
    assert [[type(result) for result in test.result] for test in (good, lacks, lax)] == [[], [Skipped], [Skipped]]
    assert lacks.result[0].message == "lacks lookbehind"
    assert lax.result[0].message.startswith("not required, and done otherwise: message")


def test_junit_has_the_last_words_of_what_crashed(cases: list[Case]) -> None:
    (suite,) = JUnitXml.fromstring(junit.write(content(cases, "crash")).encode())
    assert [test.system_err for test in suite] == [None, "last words", None, None]


def test_junit_stays_xml_whatever_texts_hold(tmp_path: Path) -> None:
    found = JUnitXml.fromstring(junit.write(hostile(tmp_path)).encode())
    assert found.tests == 8


# Markdown


def test_markdown_has_verdicts_table_and_failures(cases: list[Case]) -> None:
    text = markdown.write(content(cases, "good", "late", level=Level.PROMPT))
    assert text.startswith("## Conformance at level prompt\n\n- `fake 1 (good)`: conforms at level prompt: all 2 ")
    assert (
        "- `fake 1 (late)`: does not conform at level prompt: 1 of 2 required cases fails; it conforms at level events"
        in text
    )
    assert "| topic | cases | `fake 1 (good)` | `fake 1 (late)` |\n| --- | --: | --- | --- |\n" in text
    assert "| `first` | 3 | ✓ 2, 1 lacking | ✓ 1, ✗ 1, 1 lacking, lag 3 |\n" in text
    assert "<details><summary>1 failing case of <code>fake 1 (late)</code></summary>" in text
    assert "- `first/file/bad` REGION-1\n  `late: " in text
    assert '  ```diff\n  - feed 1  region_open content\n  - feed 1  region_chunk content "bad"\n' in text


def test_markdown_fits_a_comment(cases: list[Case]) -> None:
    found = content(cases, "crash", "good")
    implementation = found.documents[0]["implementations"][0]
    bad = implementation["cases"][1]
    implementation["cases"] = [{**bad, "id": f"first/file/{number}"} for number in range(5000)]
    text = markdown.write(found)
    assert 0.9 * markdown.LENGTH_LIMIT < len(text) <= markdown.LENGTH_LIMIT
    shown = len(re.findall("^- `first/file/", text, re.MULTILINE))
    assert f"… and {5000 - shown} more" in text


def test_in_markdown_texts_are_no_markup(tmp_path: Path) -> None:
    """All of them stand in code spans, code blocks, or in HTML's own code element, escaped."""
    text = markdown.write(hostile(tmp_path))
    text = re.sub(r"^( *)(`{3,})diff\n.*?^\1\2$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", text)
    text = re.sub(r"<code>[^<]*</code>", "", text)
    assert "script" not in text
    assert "7*7" not in text


def test_in_a_table_of_markdown_only_descriptions_are_markdown() -> None:
    rows = [["what", "case", "<b> *x*"], ["`<t>` and <img>", "a", "unsupported: \x1b<img>|"]]
    assert markdown.table(rows).splitlines() == [
        r"| what | case | &lt;b&gt; \*x\* |",
        "| --- | --- | --- |",
        r"| `<t>` and &lt;img> | `a` | unsupported: \\u001b&lt;img&gt;\| |",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("", "`  `"), ("a\nb", r"`a\nb`"), ("``", "``` `` ```")],
)
def test_code_spans_hold_any_text(text: str, shown: str) -> None:
    assert markdown.code(text) == shown


# Badge


@pytest.mark.parametrize(
    ("mode", "level", "message", "color"),
    [
        ("good", Level.EVENTS, "level prompt, 2 cases, 1 lacking", "brightgreen"),
        ("late", Level.PROMPT, "level events, 2 cases, 1 lacking", "green"),
        ("early", Level.EVENTS, "level message, 2 cases, 1 lacking", "yellowgreen"),
        ("crash", Level.EVENTS, "1 of 2 at level events, 1 lacking", "orange"),
        ("exits_at_once", Level.EVENTS, "didn't start", "lightgrey"),
    ],
)
def test_a_badge_tells_the_level(cases: list[Case], mode: str, level: Level, message: str, color: str) -> None:
    found = json.loads(badge.write(content(cases, mode, "late", level=level)))
    error = {"isError": True} if color == "lightgrey" else {}
    assert found == {"schemaVersion": 1, "label": "response templates", "message": message, "color": color, **error}


def test_a_badge_claims_nothing_of_a_run_that_was_ended(cases: list[Case]) -> None:
    document = report.document(cases, [run_adapter(fake("good"), cases[:1])], Settings())
    assert json.loads(badge.write(Content([document], lambda: cases)))["message"] == "not all cases were run"


# HTML; what it does in a browser is in test_report_page.py


def test_the_page_loads_nothing(cases: list[Case]) -> None:
    text = page.write(content(cases, "good", "late"))
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)|@import|url\(|https?:""", text)


def test_the_page_holds_texts_only_escaped(tmp_path: Path) -> None:
    text = page.write(hostile(tmp_path))
    assert SCRIPT not in text
    assert text.count("<script") == text.count("</script>") == 3
    assert html.escape(SCRIPT) in text
    assert "7*7" in text
    assert not set("\x00\x1b\u202e\u2028\ufffe") & set(text)
    assert text.encode("utf-8")


def test_the_page_says_of_what_never_started_only_why(cases: list[Case]) -> None:
    text = page.write(content(cases, "exits_at_once"))
    assert ">Didn&#39;t start: crashed (exit status 1); it said: no such model.</p>" in text
    assert '<svg class="bar"' not in text
    assert '<svg class="bar"' in page.write(content(cases, "good"))


def test_the_page_has_details_of_what_is_not_right_only(cases: list[Case]) -> None:
    text = page.write(content(cases, "good", "late"))
    details = re.findall(r'class="details" data-topic="(\w+)">(.*?)</script>', text)
    assert {topic: list(json.loads(block)["cases"]) for topic, block in details} == {
        "first": ["first/file/bad", "first/file/lacks"],
        "optional": ["optional/file/lax"],
    }
    assert TEXT not in text
