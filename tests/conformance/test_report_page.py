"""The HTML report in a real browser. Skipped where there is none, or no playwright to drive it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from antiphon_conformance.cases.case import Json
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports import page as html
from antiphon_conformance.reports import trend
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.document import Settings
from antiphon_conformance.runs.runner import run_adapter
from chromium import chromium
from hostile import TEXT, hostile
from made_up import BAD, case_source, fake, write_suite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

PHONE: ViewportSize = {"width": 360, "height": 780}
ATTEMPTS = 3
"""One time in a hundred this browser loses what a page in a new private window stores, whatever the page does."""
MANY = 250
"""Cases that pass everywhere: more than are listed at once."""


class Watched:
    """A page of a file, with all that it asked for, and all that it complained of."""

    def __init__(self, browser: Browser, file: Path, *, phone: bool = False, dark: bool = False) -> None:
        size: ViewportSize = PHONE if phone else {"width": 1280, "height": 900}
        context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light")
        self.url = file.as_uri()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page = context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(self.url)

    @property
    def ids(self) -> list[str]:
        """The ids of the cases that are listed."""
        return [str(one) for one in self.page.locator(".case .id").all_text_contents()]

    @property
    def fragment(self) -> str:
        return str(self.page.evaluate("location.hash"))

    def choose(self, name: str, value: str) -> None:
        self.page.locator(f"[name={name}]").select_option(value)

    def background(self) -> str:
        return str(self.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    def overflows(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def close(self) -> None:
        """Whatever was done, nothing but the file itself was loaded, and nothing went wrong."""
        self.page.context.close()
        assert {url.partition("#")[0] for url in self.requests} == {self.url}
        assert self.complaints == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


def marked(document: Json) -> Json:
    """A report in which a failure is expected, and a case flaky, and which was ended early."""
    copied: Json = json.loads(json.dumps(document))
    for implementation in copied["implementations"]:
        cases = {case["id"]: case for case in implementation["cases"]}
        cases["small/file/late"]["expected_failure"] = True
        cases["big/many/good-000"]["flaky"] = {"repetition": 2, "difference": "<i>one</i> then two"}
        implementation["missing"] = 7
    return {**copied, "interrupted": True}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report of three implementations, one of hostile texts, and a trend."""
    folder = tmp_path_factory.mktemp("reports")
    late_too = case_source(id="late", description="Held `too` long.", text="bad", expect=BAD, clauses=["DUE-3"])
    write_suite(folder / "suite", *(case_source(id=f"good-{number:03}") for number in range(MANY)), name="big/many")
    lacking = case_source(id="lacks", requires=["lookbehind"])
    suite = load_suite(write_suite(folder / "suite", late_too, lacking, name="small/file"))
    results = [run_adapter(fake(mode), suite) for mode in ("good", "late", "crash")]
    document = report.document(suite, results, Settings(Level.PROMPT))
    content = Content([document], lambda: suite)
    pages = {
        "report": html.write(content),
        "hostile": html.write(hostile(folder / "hostile")),
        "marked": html.write(Content([marked(document)], lambda: suite)),
        "trend": html.write_trend(trend.document(content.columns, Level.PROMPT)),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: folder / f"{name}.html" for name in pages}


@pytest.fixture
def shown(browser: Browser, files: dict[str, Path]) -> Iterator[Watched]:
    watched = Watched(browser, files["report"])
    yield watched
    watched.close()


def test_the_list_is_filtered_and_the_address_keeps_it(shown: Watched) -> None:
    assert (shown.page.title(), len(shown.ids)) == ("Conformance of fake 1 (good), fake 1 (late), fake 1 (crash)", 100)
    shown.choose("topic", "small")
    assert shown.ids == ["small/file/lacks", "small/file/late"]
    shown.choose("outcome", "fails")
    assert shown.ids == ["small/file/late"]
    shown.choose("implementation", "1")
    shown.choose("level", "events")
    assert (shown.ids, shown.page.locator("#count").inner_text()) == (
        [],
        f"None of {MANY + 2} cases matches; leave a filter out, or clear them.",
    )
    assert shown.fragment == "#topic=small&implementation=1&outcome=fails&level=events"
    shown.page.reload()
    shown.choose("level", "message")
    shown.choose("implementation", "2")
    assert shown.ids == ["small/file/late"]
    shown.page.get_by_role("button", name="Clear").click()
    assert (len(shown.ids), shown.fragment) == (100, "")


def test_search_and_clauses_and_differences(shown: Watched) -> None:
    shown.page.get_by_label("Search").fill("held LONG")
    assert shown.ids == ["small/file/late"]
    shown.page.get_by_label("Search").fill("")
    shown.choose("clause", "DUE-3")
    assert shown.ids == ["small/file/late"]
    shown.choose("clause", "")
    shown.page.get_by_label("Only where implementations differ").check()
    assert shown.ids == ["small/file/late"]
    assert shown.fragment == "#differences=on"
    shown.choose("outcome", "lacks")
    assert shown.ids == []


def test_what_is_flaky_expected_or_missing_is_told(browser: Browser, files: dict[str, Path]) -> None:
    watched = Watched(browser, files["marked"])
    assert "ended before all cases were run" in watched.page.locator("header").inner_text()
    assert "7 cases weren't run" in watched.page.locator(".card").first.inner_text()
    watched.choose("outcome", "flaky")
    assert watched.ids == ["big/many/good-000"]
    assert watched.page.locator(".state").first.inner_text() == "✓ passes, flaky"
    watched.page.locator(".case > summary").click()
    watched.page.locator(".body").wait_for()
    assert "Repetition 2 differed: <i>one</i> then two" in watched.page.locator(".body").inner_text()
    watched.choose("outcome", "fails")
    assert watched.ids == ["small/file/late"]
    assert watched.page.locator(".state").nth(1).inner_text() == "✗ late, expected"
    watched.choose("outcome", "unexpected")
    assert watched.ids == []
    watched.close()


def test_more_are_listed_on_demand(shown: Watched) -> None:
    button = shown.page.locator("#more")
    assert button.inner_text() == f"Show 100 more of {MANY + 2 - 100}"
    button.click()
    button.click()
    assert (len(shown.ids), button.is_visible()) == (MANY + 2, False)


def test_a_number_of_the_overview_leads_to_its_cases(shown: Watched) -> None:
    row = shown.page.locator(".matrix tbody tr", has_text="small")
    assert row.locator("td").all_inner_texts() == [
        "2", "✓", "✓", "✓", "1", "", "✓", "✓", "−1", "1", "3", *["−1"] * 3, "1", "",
    ]  # fmt: skip
    row.get_by_role("link", name="1 fail").first.click()
    assert shown.fragment == "#topic=small&implementation=1&level=prompt&outcome=fails"
    assert shown.ids == ["small/file/late"]


def test_a_case_tells_what_is_wrong(shown: Watched) -> None:
    """By keyboard: the list is reached, opened and closed; the address names the case that is open."""
    shown.choose("topic", "small")
    shown.page.locator(".case > summary").nth(1).focus()
    shown.page.keyboard.press("Enter")
    body = shown.page.locator(".case[open] .body")
    body.wait_for()
    assert shown.fragment == "#topic=small&case=small%2Ffile%2Flate"
    facts = body.locator(".facts").first.inner_text()
    assert '"bad"' in facts and '"start_anchor": "<bot>"' in facts and "MUST emit, before the call" in facts
    right, late, crashed = body.locator(".side").all()
    assert "right in all" in right.inner_text()
    assert 'late: region_open of "content" came at end, is due at 1' in late.inner_text()
    assert late.locator("tr.first td").all_text_contents() == ["✗wrong first", "1", "region_open content", "·"]
    assert late.locator("tr.step").all_inner_texts() == ['feed 1 → 3 "bad"', "end"]
    assert "crashed (exit status 7)" in crashed.inner_text()
    assert crashed.locator(".stderr").inner_text() == "last words"
    assert crashed.locator("pre").last.inner_text().startswith("antiphon conformance explain small/file/late --adapter")
    shown.page.keyboard.press("Enter")
    shown.page.wait_for_url("**#topic=small")


def test_a_link_to_a_case_opens_it(browser: Browser, files: dict[str, Path]) -> None:
    """Also one that isn't among the first, and one that the filters leave out."""
    watched = Watched(browser, files["report"])
    for state in ("", "topic=small&"):
        watched.page.goto(f"{watched.url}#{state}case=big/many/good-240")
        watched.page.locator(".case[open]").wait_for()
        assert watched.page.locator(".case[open] .id").inner_text() == "big/many/good-240"
        assert "antiphon suite show big/many/good-240" in watched.page.locator(".case[open]").inner_text()
    watched.close()


def test_a_link_to_a_choice_of_cases_shows_them(browser: Browser, files: dict[str, Path]) -> None:
    watched = Watched(browser, files["report"])
    assert watched.page.evaluate("scrollY") == 0
    watched.page.goto("about:blank")
    watched.page.goto(f"{watched.url}#topic=small&outcome=fails")
    assert watched.ids == ["small/file/late"]
    assert watched.page.locator("h2#cases").evaluate("heading => heading.getBoundingClientRect().top < innerHeight")
    watched.close()


def keeps(watched: Watched, name: str) -> bool:
    """Choose colours by keyboard; whether they are the same after the page has been loaded again."""
    before = watched.background()
    watched.page.get_by_label(name).focus()
    watched.page.keyboard.press("Space")
    after = watched.background()
    assert after != before
    watched.page.reload()
    return watched.background() == after


def test_colours_follow_the_system_and_the_switch(browser: Browser, files: dict[str, Path]) -> None:
    light, dark = (Watched(browser, files["report"], dark=dark) for dark in (False, True))
    assert (light.background(), dark.background()) == ("rgb(255, 255, 255)", "rgb(21, 24, 27)")
    for watched, name in ((light, "Dark"), (dark, "Light")):
        before = watched.background()
        assert any(keeps(watched, name) for _ in range(ATTEMPTS))
        watched.page.get_by_text("Auto").click()
        assert watched.background() == before
        watched.close()


@pytest.mark.parametrize("name", ["report", "hostile", "trend"])
def test_a_phone_needs_no_sideways_scrolling(browser: Browser, files: dict[str, Path], name: str) -> None:
    watched = Watched(browser, files[name], phone=True)
    assert not watched.overflows()
    for case in watched.page.locator(".case").all()[:4]:
        case.locator("summary").click()
        case.locator(".body").wait_for()
        assert not watched.overflows()
    watched.close()


def test_hostile_texts_are_only_shown(browser: Browser, files: dict[str, Path]) -> None:
    watched = Watched(browser, files["hostile"])
    for case in watched.page.locator(".case > summary").all():
        case.click()
    watched.page.locator(".timeline").first.wait_for()
    text = watched.page.locator("body").inner_text()
    assert watched.page.evaluate("window.broken") is None
    assert watched.page.locator("#list img, #list script, .matrix img").count() == 0
    assert TEXT[:40] in text
    assert r"{{ 7*7 }}" in text and r"\ud800\u202e\u2028\ufffe" in text
    watched.close()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["report", "trend"])
def test_it_is_accessible(browser: Browser, files: dict[str, Path], name: str, dark: bool) -> None:
    """By the rules of axe, contrasts of level AA among them, with a case open."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python isn't installed")
    context = browser.new_context(color_scheme="dark" if dark else "light", bypass_csp=True)  # axe is a script
    page = context.new_page()
    page.goto(f"{files[name].as_uri()}#topic=small&case=small/file/late")
    found = axe.Axe().run(page)
    context.close()
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found.response["violations"]] == []


def test_nothing_but_its_own_script_may_run(shown: Watched) -> None:
    """By its policy; what is tried here is complained of."""
    shown.page.evaluate(
        "const s = document.createElement('script'); s.text = 'window.broken = 1'; document.body.append(s)"
    )
    shown.page.evaluate("fetch('https://example.org/').catch(() => 0)")
    assert shown.page.evaluate("window.broken") is None
    assert len(shown.complaints) >= 2
    assert all("Content Security Policy" in complaint for complaint in shown.complaints)
    shown.complaints.clear()


def test_the_index_is_all_that_is_read_at_first(shown: Watched) -> None:
    """Details are parsed when the first case of their topic is opened: the page opens at once, however many fail."""
    nothing = json.dumps({"lines": [], "cases": {}})
    shown.page.evaluate(
        "text => document.querySelectorAll('script.details').forEach(block => block.textContent = text)", nothing
    )
    shown.choose("topic", "small")
    shown.page.locator(".case > summary").nth(1).click()
    assert "Right and prompt wherever it was run" in shown.page.locator(".case[open] .body").inner_text()


def test_the_plot_is_an_image_that_follows_the_system(browser: Browser, files: dict[str, Path]) -> None:
    watched = Watched(browser, files["trend"])
    assert watched.page.evaluate("document.querySelector('figure img').naturalWidth") > 0
    assert "prefers-color-scheme:dark" in watched.page.evaluate(
        "atob(document.querySelector('figure img').src.split(',')[1])"
    )
    watched.requests = [url for url in watched.requests if not url.startswith("data:")]
    watched.close()


def test_the_embedded_documents_are_json(files: dict[str, Path]) -> None:
    for name in ("report", "hostile"):
        text = files[name].read_text("utf-8")
        embedded = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text)
        assert len(embedded) >= 2
        assert all(json.loads(part) for part in embedded)
