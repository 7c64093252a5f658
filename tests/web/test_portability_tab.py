"""The portability tab: translations as the command line gives them, and this browser's engine beside the reference."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from antiphon_portability.regex import TARGETS, translate
from antiphon_portability.templates import places

from web.pages import LOADED, expect_presentable, follow, link, ready, wait_for_python, watched

expect = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed").expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

TEMPLATE = {
    "start_anchor": "<bot>",
    "fields": {
        "a": {"open_pattern": r"<(?P<tag>[ab])(?P<more>😀?)>", "close_pattern": r"(?:x+x+)+y"},
        "b": {"open_pattern": r"<<\X>>", "close_pattern": r"(?<=\n)end"},
        "c": {"open": ["<c>", "<script>alert(1)</script>"]},
    },
}
TEXT = "😀<a😀> and <b> <<e>>"


class Tab:
    """What a person sees and does."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def load(self, template: Any = TEMPLATE, text: str = TEXT) -> None:
        """Put these into the playground, and come back."""
        source = template if isinstance(template, str) else json.dumps(template)
        follow(self.page, link(template=source, text=text))
        self.page.get_by_role("tab", name="Portability").click()

    def cell(self, pointer: str, title: str = "ECMAScript, flags su") -> Locator:
        return self.page.locator(f'button[aria-label^="{pointer}, {title}:"]')

    @property
    def details(self) -> Locator:
        return self.page.get_by_role("region", name=" for ")

    def write(self, text: str) -> None:
        self.page.get_by_role("textbox", name="Text").fill(text)

    def rows(self, name: str) -> list[list[str]]:
        """The lines of a comparison, without their marks, when it is made."""
        expect(self.page.locator(".portability [aria-busy]")).to_have_attribute("aria-busy", "false", timeout=LOADED)
        rows = "rows => rows.map(row => [...row.cells].slice(1).map(cell => cell.textContent))"
        found: list[list[str]] = self.page.get_by_role("group", name=name).locator("tbody tr").evaluate_all(rows)
        return found


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    with ready(browser, site) as page:
        yield page


@pytest.fixture
def tab(page: Page) -> Tab:
    tab = Tab(page)
    tab.load()
    expect(tab.cell("/fields/c/open")).to_be_visible(timeout=LOADED)
    return tab


def test_each_pattern_has_the_verdicts_of_the_translator_for_each_engine(tab: Tab) -> None:
    labels = tab.page.locator("td > button[aria-pressed]").evaluate_all("all => all.map(one => one.ariaLabel)")
    found = [label.partition(": ")[2] for label in labels]
    forms = [(place, target) for place in places(TEMPLATE) for target in TARGETS]
    assert found == [
        f"{translate(place.source, target).verdict}; hit-end: {translate(place.source, target, 'hit-end').verdict}"
        for place, target in forms
    ]
    assert len({label.partition(";")[0].rpartition(": ")[2] for label in labels}) >= 3  # else it would show nothing


def test_a_cell_shows_both_forms_with_flags_groups_and_markers(tab: Tab) -> None:
    tab.cell("/fields/a/open_pattern", "Java").click()
    source = r"<(?P<tag>[ab])(?P<more>😀?)>"
    plain, hit_end = translate(source, "java"), translate(source, "java", "hit-end")
    for translation in (plain, hit_end):
        assert translation.pattern is not None
        expect(tab.details.locator(".source pre").get_by_text(translation.pattern, exact=True)).to_be_visible()
    assert hit_end.markers
    expect(tab.details).to_contain_text(f"{', '.join(hit_end.markers)}: if one took part")
    expect(tab.details).to_contain_text("tag is the pattern's tag")


def test_a_pattern_is_copied_as_it_is(tab: Tab) -> None:
    tab.cell("/fields/a/close_pattern").click()
    tab.page.get_by_role("button", name="Copy the hit-end pattern").click()
    expect(tab.page.get_by_text("Copied")).to_be_visible()
    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert copied == translate(r"(?:x+x+)+y", "ecmascript", "hit-end").pattern


def test_what_an_engine_cannot_do_is_told_with_a_remedy_and_is_not_run(tab: Tab) -> None:
    tab.cell("/fields/b/open_pattern").click()
    (note, *_) = translate(r"<<\X>>", "ecmascript").notes
    expect(tab.details.get_by_text(note.text).first).to_be_visible()
    assert note.remedy
    expect(tab.details.get_by_text(note.remedy).first).to_be_visible()
    expect(tab.page.get_by_text("There is no translation to be run.")).to_be_visible()


def test_this_browser_finds_what_the_reference_finds_in_code_points(tab: Tab) -> None:
    tab.cell("/fields/a/open_pattern").click()
    expect(tab.page.get_by_text("Both find the same.")).to_have_count(2)
    assert tab.rows("Matches in the complete text") == [
        ["1", *['1–5  "<a😀>"  more: "😀"  tag: "a"'] * 2],
        ["2", *['10–13  "<b>"  more: ""  tag: "b"'] * 2],
    ]
    assert tab.rows("The search at each moment") == [
        ["0–1", "😀", "no", "no"],
        ["2–4", "<a😀", "undecided from 1", "undecided from 1"],
        ["5–19", "> and <b> <<e>>", "match 1–5", "match 1–5"],
    ]


def test_a_text_is_tried_without_changing_the_playground(tab: Tab) -> None:
    tab.cell("/fields/b/close_pattern", "ECMAScript, flags sv").click()
    tab.write("end\nend")
    expect(tab.page.get_by_text("Both find the same.")).to_have_count(2)
    assert tab.rows("Matches in the complete text") == [["1", '4–7  "end"', '4–7  "end"']]
    tab.page.get_by_role("button", name="Take the playground's text").click()
    expect(tab.page.get_by_role("textbox", name="Text")).to_have_value(TEXT)


def test_a_pattern_that_needs_too_many_steps_is_stopped_and_the_next_one_runs(tab: Tab) -> None:
    tab.cell("/fields/a/close_pattern").click()
    tab.write("x" * 60)
    expect(tab.page.get_by_role("alert")).to_contain_text("This browser's engine was stopped after 2 s", timeout=LOADED)
    tab.write("xxy")
    expect(tab.page.get_by_text("Both find the same.")).to_have_count(2, timeout=LOADED)
    assert tab.rows("Matches in the complete text") == [["1", '0–3  "xxy"', '0–3  "xxy"']]


def test_a_difference_is_marked_where_it_begins(browser: Browser, site: str) -> None:
    def other(route: Route) -> None:
        """An engine that finds nothing."""
        nothing = "moment => ({ moment, result: 'no', start: moment, end: moment })"
        answer = f"{{ ok: {{ matches: [], held: [...Array(data.text.length + 1).keys()].map({nothing}) }} }}"
        route.fulfill(content_type="text/javascript", body=f"onmessage = ({{ data }}) => postMessage({answer})")

    with watched(browser, site) as page:
        page.context.route("**/regexp.worker-*.js", other)
        wait_for_python(page)
        tab = Tab(page)
        tab.load(text="a<b>")
        tab.cell("/fields/a/open_pattern").click(timeout=LOADED)
        expect(page.get_by_text("They differ, first at match 1.")).to_be_visible()
        expect(page.get_by_text("They differ, first at moment 2–3.")).to_be_visible()
        marked = page.get_by_role("group", name="The search at each moment").locator("tr.first")
        expect(marked).to_have_text(["✗differs first2–3<bundecided from 1no"], use_inner_text=False)


def test_what_is_translated_is_shown_while_the_rest_is_under_way(tab: Tab) -> None:
    fields = {f"f{n}": {"open_pattern": f"<f{n}>|<g{n}>", "close": "</"} for n in range(150)}
    tab.load({"start_anchor": "<bot>", "fields": fields})
    expect(tab.page.get_by_text("Translating", exact=True)).to_be_visible()
    expect(tab.page.get_by_text(re.compile(r"^: \d+ of 301$"))).to_be_visible()
    tab.cell("/fields/f0/open_pattern").click()
    expect(tab.cell("/fields/f149/open_pattern")).to_be_visible(timeout=LOADED)
    expect(tab.page.get_by_text("Translating", exact=True)).to_have_count(0)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{", "isn't JSON"),
        (
            {"start_anchor": "<bot>", "fields": {"a": {"open_pattern": "(?P<a", "close": "<"}}},
            "at code point 0 of the pattern",
        ),
        ({"fields": {}}, "This template has no patterns."),
    ],
)
def test_what_cannot_be_translated_is_said(tab: Tab, template: Any, said: str) -> None:
    tab.load(template)
    expect(tab.page.locator(".portability").get_by_text(said).first).to_be_visible(timeout=LOADED)


def test_it_is_presentable_in_both_themes_wide_and_narrow(browser: Browser, site: str) -> None:
    with watched(browser, site, bypass_csp=True) as page:
        wait_for_python(page)
        tab = Tab(page)
        tab.load()
        tab.cell("/fields/a/open_pattern").click(timeout=LOADED)
        expect(page.get_by_text("Both find the same.")).to_have_count(2)
        expect_presentable(page, "portability")
