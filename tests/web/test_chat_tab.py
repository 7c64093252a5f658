"""The tab of chat templates by what a person does with it, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from web.calls import asked
from web.pages import LOADED, Person, drop, expect_presentable, follow, link, ready, unlink, wait_for_python, watched

expect = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed").expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

EXAMPLES = Path(__file__).parents[2] / "web" / "src" / "chat" / "examples"
TAGS = (EXAMPLES / "json-in-tags.jinja").read_text("utf-8")
WITH_TOKENS = (EXAMPLES / "prompt-opens-reasoning.jinja").read_text("utf-8")
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


def derived(chat_template: str = TAGS, **more: Any) -> Any:
    """What the page is to show."""
    return asked("derive", chat_template=chat_template, **{"dialect": "lenient", **more})


class Tab(Person):
    """What a person sees and does."""

    def load(self, template: str, **more: Any) -> None:
        """Follow a link that shows this chat template."""
        follow(self.page, link(chat={"template": template, **more}, tab="chat"))

    def choose(self, example: str) -> None:
        self.button("Examples").click()
        self.page.get_by_role("menuitem", name=example).click()

    def expect_template(self, source: str) -> None:
        """Wait until this is the response template, apart from what the editor wraps."""
        lines = self.editor("Response template").locator(".cm-line")
        expect(lines).to_have_text(source.split("\n"), timeout=LOADED)

    @property
    def trip(self) -> Locator:
        return self.page.get_by_role("region", name="Round trip")

    def feature(self, name: str) -> Locator:
        return self.trip.locator(f'[data-feature="{name}"]')

    def part(self, pointer: str) -> Locator:
        parts = self.page.get_by_role("group", name="Parts").locator("details")
        return parts.filter(has=self.page.get_by_text(pointer, exact=True))

    def expect_counts(self, counts: dict[str, int]) -> None:
        told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        expect(self.trip.get_by_role("status")).to_have_text(told, timeout=LOADED)


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    with ready(browser, site, "#chat") as page:
        page.on("filechooser", lambda chooser: None)
        yield page


@pytest.fixture
def tab(page: Page) -> Tab:
    """An example, with what is derived of it."""
    tab = Tab(page)
    tab.load(TAGS)
    tab.expect_template(derived()["template"])
    tab.expect_counts(derived()["round_trip"]["counts"])
    return tab


def test_an_example_gives_its_template_explanation_and_round_trip(browser: Browser, site: str) -> None:
    with ready(browser, site, "#chat") as page:
        tab = Tab(page)
        expect(page.get_by_text("Paste a chat template")).to_be_visible()
        expect(tab.button("Open in the playground")).to_be_disabled()
        tab.choose("Calls in JSON")
        found = derived()
        tab.expect_template(found["template"])
        for part in found["parts"]:
            expect(tab.part(part["pointer"]).locator("summary")).to_contain_text(part["comment"])
        expect(page.get_by_text('ends with "<|turn|>assistant\\n"')).to_be_visible()
        expect(tab.trip.locator("[data-feature]")).to_have_count(len(found["round_trip"]["results"]))


def test_a_config_that_was_opened_in_the_playground_is_the_one_to_begin_with(browser: Browser, site: str) -> None:
    with ready(browser, site) as page:
        drop(page, ".playground", "mine_config.json", json.dumps({"chat_template": TAGS}))
        expect(page.get_by_text("mine_config.json has no template yet")).to_be_visible()
        page.get_by_role("tab", name="Chat template").click()
        Tab(page).expect_template(derived()["template"])


def test_a_part_opens_to_the_renders_that_showed_it(tab: Tab) -> None:
    part = tab.part("/fields/reasoning_content")
    part.locator("summary").click()
    expect(part).to_contain_text("R1: two conversations; in the second one, the answer has reasoning before it.")
    expect(part.locator("ins")).to_contain_text("REASON_PART")
    expect(part.locator("del")).to_have_count(0)


def test_the_cursor_opens_the_part_that_it_is_in(tab: Tab) -> None:
    tab.editor("Response template").get_by_text('"</call>', exact=False).first.click()
    part = tab.part("/fields/tool_calls/close_pattern")
    expect(part).to_have_attribute("aria-current", "true")
    expect(part.locator("pre").first).to_be_visible()
    tab.page.keyboard.press("Control+Home")
    expect(part).not_to_have_attribute("aria-current", "true")
    expect(part.locator("pre").first).to_be_hidden()


def test_a_feature_opens_to_what_went_in_was_written_and_came_back(tab: Tab) -> None:
    expect(tab.feature("one call").locator("summary")).to_contain_text("exact")
    feature = tab.feature("spaces around content")
    expect(feature.locator("summary")).to_contain_text("lossy")
    feature.locator("summary").click()
    for heading, text in [
        ("Went in", '"content": "  Rain.\\n\\nMore rain. \\n"'),
        ("Was written", "  Rain.\n\nMore rain. \n<|over|>"),
        ("Came back", '"content": "Rain.\\n\\nMore rain."'),
    ]:
        section = feature.locator("section").filter(has=tab.page.get_by_role("heading", name=heading))
        assert text in (section.locator("pre").text_content() or "")


def test_an_edit_makes_a_feature_wrong_and_can_be_taken_back(tab: Tab) -> None:
    tab.write("Response template", derived()["template"].replace('"<call>"', '"<cal>"'))
    expect(tab.feature("one call").locator("summary")).to_contain_text("wrong", timeout=LOADED)
    expect(tab.feature("one call").locator("summary")).to_contain_text("no call instead of 1")
    expect(tab.feature("content").locator("summary")).to_contain_text("exact")
    tab.page.get_by_label("Only what isn't exact").check()
    expect(tab.feature("content")).to_have_count(0)
    tab.page.get_by_label("Only what isn't exact").uncheck()
    tab.write("Response template", '{"start_anchor": "x", "fields": {"a": {"opne": "b"}}}')
    expect(tab.trip.get_by_role("alert")).to_contain_text("/fields/a/opne", timeout=LOADED)
    tab.button("Take the derived one").click()
    tab.expect_template(derived()["template"])
    expect(tab.feature("one call").locator("summary")).to_contain_text("exact", timeout=LOADED)


def test_what_was_derived_parses_in_the_playground(tab: Tab) -> None:
    tab.button("Open in the playground").click()
    expected = next(
        one for one in derived()["round_trip"]["results"] if one["feature"] == "reasoning, content and calls"
    )
    expect(tab.page.get_by_role("tab", name="Playground")).to_have_attribute("aria-selected", "true")
    message = tab.page.get_by_role("region", name="Message").locator("pre")
    expect(message).to_have_text(json.dumps(expected["message"], indent=2), use_inner_text=False, timeout=LOADED)


def test_a_single_feature_is_opened_in_the_playground(tab: Tab) -> None:
    tab.feature("content").locator("summary").click()
    tab.button("Open in the playground: content").click()
    message = tab.page.get_by_role("region", name="Message").locator("pre")
    expect(message).to_contain_text("It will rain for three days.", timeout=LOADED)
    expect(tab.page.get_by_role("textbox", name="Prefix", exact=True)).to_contain_text("What will it be like in Rome?")


def test_a_chat_template_that_never_ends_is_stopped_and_the_next_one_is_derived(tab: Tab) -> None:
    tab.load(ENDLESS)
    expect(tab.page.get_by_text("Stopped after 10 s: the chat template takes that long")).to_be_visible(timeout=LOADED)
    expect(tab.button("Open in the playground")).to_be_disabled()
    tab.choose("Calls with a tag for each argument")
    expect(tab.part("/fields/tool_calls/content_args")).to_be_visible(timeout=LOADED)


def test_what_is_wrong_with_a_chat_template_is_said_in_place(tab: Tab) -> None:
    tab.write("Chat template", "{% if")
    alert = tab.page.get_by_role("alert")
    told = "TemplateSyntaxError: line 1: unexpected 'end of template'. Correct it"
    expect(alert).to_contain_text(told, timeout=LOADED)
    tab.write("Chat template", TAGS)
    tab.expect_template(derived()["template"])
    expect(alert).to_have_count(0)


def test_what_the_format_cannot_say_is_told(tab: Tab) -> None:
    tab.choose("Calls that a response template can't read")
    expect(tab.page.get_by_text("names-as-keys: annex C of the specification")).to_be_visible(timeout=LOADED)


def test_a_config_is_opened_with_its_tokens_and_saved_with_the_template(tab: Tab) -> None:
    config = {"chat_template": WITH_TOKENS, "bos_token": "<s>", "eos_token": {"content": "<end>"}, "other": [1]}
    drop(tab.page, ".chat", "mine_config.json", json.dumps(config))
    template = derived(WITH_TOKENS, special_tokens={"eos_token": "<end>", "bos_token": "<s>"})["template"]
    assert "<end>" in template
    tab.expect_template(template)
    expect(tab.page.get_by_role("textbox", name="eos_token")).to_have_value("<end>")
    tab.button("Save").click()
    with tab.page.expect_download() as downloading:
        tab.page.get_by_role("menuitem", name="Save into mine_config.json").click()
    saved = json.loads(Path(downloading.value.path()).read_text("utf-8"))
    assert saved == {**config, "response_template": json.loads(template)}


def test_a_jinja_file_and_tokens_by_hand(tab: Tab) -> None:
    chooser = tab.page.get_by_label("a chat template, or a tokenizer_config.json")
    chooser.set_input_files({"name": "chat.jinja", "mimeType": "text/plain", "buffer": WITH_TOKENS.encode()})
    expect(tab.page.get_by_text("Not settled")).to_be_visible(timeout=LOADED)
    tab.page.get_by_role("textbox", name="eos_token").fill("<end>")
    expect(tab.page.get_by_text("Not settled")).to_have_count(0, timeout=LOADED)


def test_a_link_holds_the_chat_template_and_what_was_edited(tab: Tab) -> None:
    edited = derived()["template"].replace('"<call>"', '"<cal>"')
    tab.write("Response template", edited)
    tab.button("Share").click()
    expect(tab.page.get_by_text("The link is in the clipboard.")).to_be_visible()
    held = unlink(tab.page.evaluate("location.hash"))
    assert (held["tab"], held["chat"]["template"], held["chat"]["response"]) == ("chat", TAGS, edited)
    follow(tab.page, link(text="another"))
    expect(tab.page.get_by_role("tab", name="Playground")).to_have_attribute("aria-selected", "true")
    follow(tab.page, tab.page.evaluate("navigator.clipboard.readText()").partition("#")[2])
    tab.expect_template(edited)


def test_it_is_presentable_in_both_themes_wide_and_narrow(browser: Browser, site: str) -> None:
    with watched(browser, site, "#chat", bypass_csp=True) as page:
        page.set_default_timeout(LOADED)
        expect_presentable(page, "chat-empty")
        wait_for_python(page)
        tab = Tab(page)
        tab.choose("Calls that a response template can't read")
        tab.part("/fields/content").locator("summary").click()
        tab.feature("one call").locator("summary").click()
        expect(page.locator(".chat").get_by_text(re.compile("no findings|in the response template"))).to_be_visible()
        expect_presentable(page, "chat")
        tab.write("Chat template", "{% if")
        expect(page.get_by_role("alert")).to_be_visible()
        expect_presentable(page, "chat-error")
