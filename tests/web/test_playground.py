"""The playground by what a person does with it, in a real browser."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from antiphon_conformance.cases.suite import load_suite

from web.pages import (
    LOADED,
    Person,
    drop,
    expect_presentable,
    follow,
    link,
    ready,
    unlink,
    wait_for_python,
    watched,
)

expect = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed").expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

TEMPLATE = """{
  "start_anchor": "<bot>",
  "fields": {
    "thinking": {"open": "<think>", "close": "</think>"},
    "n": {"open": "<n>", "close": "</n>", "content": "int"},
    "content": {}
  }
}
"""
TEXT = "<think>hm</think>Yes"


class Playground(Person):
    """What a person sees and does."""

    loaded = 0

    def load(self, template: str = TEMPLATE, text: str = TEXT, prefix: str = "<bot>", **state: Any) -> None:
        """Put all this into the editors, by a link."""
        Playground.loaded += 1
        title = f"stream {self.loaded}"
        follow(self.page, link(template=template, text=text, prefix=prefix, title=title, **state))
        expect(self.page.get_by_text(title, exact=True)).to_be_visible()

    @property
    def slider(self) -> Locator:
        return self.page.get_by_role("slider", name="Moment")

    def go(self, moment: int) -> None:
        self.slider.evaluate(
            "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input', { bubbles: true })) }",
            moment,
        )

    @property
    def stream(self) -> Locator:
        return self.page.get_by_role("textbox", name="The stream.")

    def runs(self, look: str) -> list[str]:
        return self.stream.locator(f".run.{look}").all_text_contents()

    @property
    def events(self) -> Locator:
        return self.page.get_by_role("region", name="Events").locator("tbody tr")

    def event_list(self) -> list[str]:
        text = "cell => cell.textContent.replace(/\\s+/g, ' ').trim()"
        return list(self.events.evaluate_all(f"rows => rows.map(row => [...row.cells].map({text}).join(' '))"))

    def expect_message(self, **members: Any) -> None:
        """Wait until this is the message, its members in this order."""
        pre = self.page.get_by_role("region", name="Message").locator("pre")
        expect(pre).to_have_text(json.dumps(members, indent=2, ensure_ascii=False), use_inner_text=False)

    def expect_runs(self, look: str, *texts: str) -> None:
        """Wait until the runs of this look have these texts."""
        expect(self.stream.locator(f".run.{look}")).to_have_text(list(texts))


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    """One page for the tests that leave nothing behind."""
    with ready(browser, site) as page:
        page.on("filechooser", lambda chooser: None)  # listened to only when one is expected, it may come too early
        yield page


@pytest.fixture
def playground(page: Page) -> Playground:
    playground = Playground(page)
    playground.load()
    playground.expect_message(thinking="hm", content="Yes")
    return playground


def test_an_example_is_there_at_once(browser: Browser, site: str) -> None:
    with watched(browser, site) as page:
        expect(page.get_by_role("textbox", name="Output", exact=True)).to_contain_text("<tool_call>")
        expect(page.get_by_role("region", name="Message")).to_contain_text("get_weather", timeout=LOADED)
        expect(page).to_have_title("Antiphon playground")


@pytest.fixture
def keyboard(playground: Playground) -> Keyboard:
    """The same page, with the focus before its beginning."""
    expect(playground.page.get_by_text("2 notes")).to_be_visible()
    playground.page.get_by_role("heading", name="Antiphon").click()
    return Keyboard(playground.page)


# The scrubber


def test_at_a_moment_what_lies_ahead_is_not_known(playground: Playground) -> None:
    playground.go(8)
    playground.expect_runs("open", "<think>")
    playground.expect_runs("region", "h")
    playground.expect_runs("ahead", "m</think>Yes")
    assert playground.event_list() == ["7 open thinking", '8 chunk thinking "h"']
    playground.expect_message()


def test_what_is_held_is_shown_with_the_delimiter_that_it_may_become(playground: Playground) -> None:
    playground.go(12)
    playground.expect_runs("held", "</t")
    expect(playground.page.get_by_text("may become the close of thinking </think>")).to_be_visible()
    playground.go(17)
    playground.expect_runs("close", "</think>")
    expect(playground.page.get_by_text("nothing is held")).to_be_visible()


def test_steps_go_by_code_point_piece_or_chunk(playground: Playground) -> None:
    steps = {"point": [1, 2, 3], "piece": [1, 6, 7], "chunk": [5, 10, 15]}
    playground.page.get_by_label("Chunks").select_option("every")
    playground.page.get_by_label("N", exact=True).fill("5")
    for unit, moments in steps.items():
        playground.page.get_by_label("Step by").select_option(unit)
        playground.button("To the prefix").click()
        for moment in moments:
            playground.button("Step forward").click()
            expect(playground.slider).to_have_value(str(moment))
        playground.button("Step back").click()
        expect(playground.slider).to_have_value(str(moments[-2]))


def test_the_slider_is_moved_by_keys(playground: Playground) -> None:
    playground.slider.press("Home")
    expect(playground.slider).to_have_attribute("aria-valuetext", "prefix")
    playground.slider.press("ArrowRight")
    expect(playground.slider).to_have_attribute("aria-valuetext", "1 of 20")
    playground.slider.press("End")
    expect(playground.slider).to_have_attribute("aria-valuetext", "end")


def test_playing_goes_to_the_end_and_stops(playground: Playground) -> None:
    playground.page.get_by_label("Steps a second").select_option("160")
    playground.button("Play").click()
    expect(playground.slider).not_to_have_value("21")
    expect(playground.button("Pause")).to_be_visible()
    expect(playground.slider).to_have_value("21")
    expect(playground.button("Play")).to_be_visible()


def test_events_have_their_moments_and_the_newest_is_marked(playground: Playground) -> None:
    assert playground.event_list() == [
        "7 open thinking", '8–9 chunk thinking "hm"', '17 close thinking "hm"',
        "18 open content", '18–20 chunk content "Yes"', 'end close content "Yes"',
    ]  # fmt: skip
    expect(playground.page.locator("tr.new")).to_have_count(1)
    playground.go(18)
    expect(playground.page.locator("tr.new")).to_have_count(2)


def test_the_message_grows_and_marks_what_changed(playground: Playground) -> None:
    playground.go(17)
    playground.expect_message(thinking="hm")
    playground.go(19)
    expect(playground.page.get_by_text('still open: content "Ye"')).to_be_visible()
    playground.go(21)
    expect(playground.page.locator(".line.changed")).to_have_text(['  "content": "Yes"'])


def test_the_prefix_opens_a_region(playground: Playground) -> None:
    playground.load(prefix="<bot><think>", text="hm</think>Yes")
    playground.expect_message(thinking="hm", content="Yes")
    assert playground.event_list()[0] == "prefix open thinking"
    assert "<bot><think>" in "".join(playground.stream.locator(".run.before").all_text_contents())


def test_text_without_a_field_is_shown_as_discarded(playground: Playground) -> None:
    template = '{"start_anchor": "<bot>", "fields": {"n": {"open": "<n>", "close": "</n>"}}}'
    playground.load(template=template, text="so <n>5</n>!")
    playground.expect_message(n="5")
    playground.expect_runs("discarded", "so ", "!")


def test_an_error_appears_at_its_moment_and_in_the_text(playground: Playground) -> None:
    playground.load(text="Yes<n>ten</n>more")
    error = playground.events.filter(has_text="int-syntax")
    expect(error).to_contain_text("Let the delimiters leave nothing but an integer")
    assert (error.locator("td").first.text_content() or "").strip() == "13"
    playground.expect_runs("faulty", "ten")
    playground.go(12)
    expect(error).to_have_count(0)


def test_malformed_regions_can_be_events(playground: Playground) -> None:
    playground.load(text="Yes<n>ten</n>more")
    playground.button("Tools and options").click()
    playground.page.get_by_label("malformed regions as events").check()
    expect(playground.events.filter(has_text="malformed")).to_contain_text("int-syntax")
    playground.expect_message(content="more")
    playground.button("Tools and options").click()


def test_positions_count_code_points(playground: Playground) -> None:
    playground.load(text="<think>😀x</think>🎉")
    playground.expect_message(thinking="😀x", content="🎉")
    playground.go(8)
    playground.expect_runs("region", "😀")
    assert playground.event_list()[-1] == '8 chunk thinking "😀"'
    expect(playground.slider).to_have_attribute("max", "19")


def test_positions_are_right_far_into_a_text_of_surrogate_pairs(playground: Playground) -> None:
    playground.load(text="😀" * 1500 + "<n>🎉x</n>")
    playground.expect_runs("faulty", "🎉x")
    assert playground.event_list()[-2] == '1504–1505 chunk n "🎉x"'
    playground.go(1504)
    playground.expect_runs("ahead", "x</n>")


# Chunks


def test_random_chunks_are_the_same_for_a_seed(playground: Playground) -> None:
    playground.page.get_by_label("Chunks").select_option("random")
    seed = playground.page.get_by_label("seed")
    cuts = []
    for value in ("1", "2", "1"):
        seed.fill(value)
        cuts.append(playground.stream.locator(".run.cut").evaluate_all("runs => runs.map(run => run.dataset.start)"))
    assert cuts[0] == cuts[2] != cuts[1]
    assert cuts[0]


def test_a_click_cuts_and_another_joins(playground: Playground) -> None:
    playground.load(text="😀😀" + TEXT)
    playground.expect_message(content="Yes", thinking="hm")
    playground.page.get_by_label("Chunks").select_option("cuts")
    answer = playground.stream.locator(".run.region").last
    for count in (1, 0):
        box = answer.bounding_box()
        assert box is not None
        width = box["width"] / (3 if count else 1)
        playground.page.mouse.click(box["x"] + (width if count else 1), box["y"] + box["height"] / 2)
        expect(playground.stream.locator(".run.cut")).to_have_count(count)
        if count:
            assert playground.stream.locator(".run.cut").get_attribute("data-start") == "20"


def test_cuts_are_made_by_keyboard(playground: Playground) -> None:
    playground.stream.focus()
    playground.page.keyboard.press("Home")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        playground.page.keyboard.press(key)
    expect(playground.page.get_by_label("Chunks")).to_have_value("cuts")
    expect(playground.page.get_by_text("2 chunks")).to_be_visible()
    playground.button("Join here").click()
    expect(playground.page.get_by_text("1 chunk", exact=True)).to_be_visible()


def test_all_cuts_give_the_same(playground: Playground) -> None:
    playground.button("Try all cuts").click()
    expect(playground.page.get_by_text(re.compile(r"The same for all \d+\."))).to_be_visible()
    playground.write("Output", TEXT + "!")
    expect(playground.page.get_by_text("does the result depend on the chunks?")).to_be_visible()


# The reference's results never depend on the cuts, so here is one that isn't the reference.
DEPENDING = """
  const Real = Worker;
  window.Worker = class extends Real {
    postMessage(call) {
      if (call.name !== "cuts") return super.postMessage(call);
      const rows = [{ expected: "same", got: "same" }, { expected: "open a", got: "open b", first: true }];
      const ok = { tried: 3, total: 9, difference: { chunking: "cut at 4", rows } };
      this.onmessage({ data: { id: call.id, ok } });
    }
  };
"""


def test_the_first_difference_between_cuts_is_shown_side_by_side(browser: Browser, site: str) -> None:
    with watched(browser, site, script=DEPENDING) as page:
        wait_for_python(page)
        page.get_by_role("button", name="Try all cuts").click()
        expect(page.get_by_role("status").filter(has_text="cut at 4")).to_be_visible()
        difference = page.get_by_role("group", name="The first difference")
        expect(difference.locator("tr.first td.line")).to_have_text(["open a", "open b"])


# The editors


def test_a_fault_of_the_template_is_marked_and_can_be_mended(playground: Playground) -> None:
    playground.write("Template", TEMPLATE.replace('"content": "int"', '"content": "integer"'))
    expect(playground.page.get_by_text("The template can't be used")).to_be_visible()
    problems = playground.page.get_by_role("listitem").filter(has_text="unknown-content")
    expect(problems).to_be_visible()
    expect(playground.page.locator(".cm-lintRange-error")).to_have_text('"integer"')
    problems.get_by_role("button", name="/fields/n/content").click()
    playground.page.keyboard.insert_text('"int"')
    expect(problems).to_have_count(0)
    playground.expect_message(thinking="hm", content="Yes")


def test_a_finding_of_the_lint_brings_the_text_that_shows_it(playground: Playground) -> None:
    greedy = TEMPLATE.replace('"close": "</think>"', '"close_pattern": "</think>.*done"')
    playground.load(template=greedy, text="x")
    summary = playground.page.get_by_text(re.compile("(error|warning|note)s? in the template"))
    summary.click()
    playground.button("Try this text").first.click()
    expect(playground.page.get_by_text("The finding's text is in the output now.")).to_be_visible()
    expect(playground.editor("Output")).not_to_have_text("x")
    summary.click()


def test_the_schema_completes_keys_and_explains_them(playground: Playground) -> None:
    playground.editor("Template").click()
    playground.page.keyboard.press("Control+Home")
    playground.page.keyboard.press("End")
    playground.page.keyboard.press("Control+Space")
    option = playground.page.get_by_role("option", name="defaults")
    expect(option).to_be_visible()
    playground.page.keyboard.type("defau")
    expect(option).to_have_attribute("aria-selected", "true")
    playground.page.wait_for_timeout(100)  # keys right after the list has opened don't choose yet
    playground.page.keyboard.press("Enter")
    expect(playground.editor("Template")).to_contain_text('"defaults": {}')


def test_tools_give_arguments_their_types(playground: Playground) -> None:
    template = {
        "start_anchor": "<bot>",
        "fields": {"calls": {
            "open_pattern": "<(?P<name>\\w+)>", "close": "</>", "content": "kv-lines",
            "transform": {"function": {"name": "{name}", "arguments": "{content}"}},
        }},
    }  # fmt: skip
    tools = [{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    playground.load(template=json.dumps(template), text="<f>n: 5</>", tools=json.dumps(tools))
    playground.expect_message(calls={"function": {"name": "f", "arguments": {"n": 5}}})
    playground.button("Tools and options").click()
    playground.write("Tools", "[]")
    playground.expect_message(calls={"function": {"name": "f", "arguments": {"n": "5"}}})
    playground.button("Tools and options").click()


# Links and files

AWKWARD = "a\r\n\ud800 b\udc00 \x00\u2028 😀</script>&"


def test_a_link_holds_everything(browser: Browser, site: str, playground: Playground) -> None:
    state = {
        "template": TEMPLATE, "prefix": "<bot>\ud83d", "text": AWKWARD, "tools": "[]", "onMalformed": "event",
        "proposals": ["skip-blank"], "title": "mine", "chunking": {"kind": "cuts", "cuts": [2, 5]},
        "unit": "chunk", "moment": 5,
    }  # fmt: skip
    follow(playground.page, link(**state))
    expect(playground.page.get_by_text("3 chunks")).to_be_visible()
    playground.button("Share").click()
    expect(playground.page.get_by_text("The link is in the clipboard.")).to_be_visible()
    address = playground.page.evaluate("navigator.clipboard.readText()")
    assert address == playground.page.url
    assert unlink("#" + address.partition("#")[2]) == state
    playground.editor("Output").click()
    playground.page.keyboard.press("Control+End")
    playground.page.keyboard.type("x")
    playground.button("Share").click()
    playground.page.wait_for_url(lambda url: url != address)
    assert unlink("#" + playground.page.url.partition("#")[2])["text"] == AWKWARD + "x"
    with watched(browser, site, "#" + address.partition("#")[2]) as page:
        expect(page.get_by_label("Chunks")).to_have_value("cuts")
        expect(page.get_by_role("slider", name="Moment")).to_have_value("5")
        expect(page.get_by_text("mine", exact=True)).to_be_visible()


@pytest.mark.parametrize(("hash", "told"), [("#1=AAAA", "This link is broken"), ("#2=abc", "another version")])
def test_a_broken_link_is_told_and_keeps_what_is_there(playground: Playground, hash: str, told: str) -> None:
    follow(playground.page, hash)
    expect(playground.page.get_by_text(told)).to_be_visible()
    playground.expect_message(thinking="hm", content="Yes")


def test_a_broken_link_shows_the_example(browser: Browser, site: str) -> None:
    with watched(browser, site, "#1=AAAA") as page:
        expect(page.get_by_text("This link is broken")).to_be_visible()
        expect(page.get_by_role("textbox", name="Output", exact=True)).to_contain_text("<tool_call>")


def test_a_long_link_warns(playground: Playground) -> None:
    noise = "".join(chr(0x4E00 + (number * 7919 + number * number * 31) % 20000) for number in range(20_000))
    playground.load(text=noise)
    expect(playground.page.get_by_text("20,000 code points")).to_be_visible()
    playground.button("Share").click()
    expect(playground.page.get_by_text("some programs cut off")).to_be_visible()


def test_a_tokenizer_config_can_be_opened(playground: Playground) -> None:
    config = {"response_template": json.loads(TEMPLATE), "eos_token": "</s>"}
    playground.page.locator("input[type=file]").first.set_input_files(
        chosen("tokenizer_config.json", json.dumps(config))
    )
    expect(playground.page.get_by_text("Opened tokenizer_config.json.")).to_be_visible()
    playground.expect_message(thinking="hm", content="Yes")


def chosen(name: str, text: str | bytes) -> Any:
    """A file, as somebody chooses it."""
    data = text if isinstance(text, bytes) else text.encode()
    return {"name": name, "mimeType": "application/json", "buffer": data}


def saved_by(playground: Playground, action: str) -> bytes:
    """The file that an entry of the menu saves."""
    playground.button("Save").click()
    with playground.page.expect_download() as downloading:
        playground.page.get_by_role("menuitem", name=action).click()
    return Path(downloading.value.path()).read_bytes()


def test_the_template_is_saved_into_the_tokenizer_config_that_was_opened(playground: Playground) -> None:
    config = '{\r\n  "a": [1,2 ,3],\r\n  "response_template": OLD,\r\n  "z": "é" }\n'
    opened = config.replace("OLD", TEMPLATE)
    playground.page.locator("input[type=file]").first.set_input_files(chosen("mine_config.json", opened))
    expect(playground.page.get_by_text("Opened mine_config.json.")).to_be_visible()
    playground.write("Template", TEMPLATE.replace("thinking", "reasoning"))
    before, after = config.encode().split(b"OLD")
    saved = saved_by(playground, "Save into mine_config.json")
    assert saved.startswith(before) and saved.endswith(after)
    assert json.loads(saved[len(before) : -len(after)]) == json.loads(TEMPLATE.replace("thinking", "reasoning"))
    expect(playground.page.get_by_text("put it in the place of the old one")).to_be_visible()


def test_the_template_is_saved_into_a_tokenizer_config_that_is_chosen(playground: Playground) -> None:
    def choose(text: str) -> None:
        playground.button("Save").click()
        with playground.page.expect_file_chooser() as choosing:
            playground.page.get_by_role("menuitem", name="Save into a tokenizer_config.json").click()
        choosing.value.set_files(chosen("tokenizer_config.json", text))

    choose('{"start_anchor": "x", "fields": {}}')
    expect(playground.page.get_by_text("tokenizer_config.json: isn't a tokenizer_config.json; choose")).to_be_visible()
    with playground.page.expect_download() as downloading:
        choose('{"a": 1}')
    saved = Path(downloading.value.path()).read_bytes()
    assert json.loads(saved) == {"a": 1, "response_template": json.loads(TEMPLATE)}


def test_a_tokenizer_config_without_a_template_can_get_one(playground: Playground) -> None:
    playground.page.locator("input[type=file]").first.set_input_files(
        chosen("tokenizer_config.json", '{"chat_template": "<bot>", "eos_token": "</s>"}')
    )
    expect(playground.page.get_by_text("tokenizer_config.json has no template yet")).to_be_visible()
    playground.expect_message(thinking="hm", content="Yes")
    saved = json.loads(saved_by(playground, "Save into tokenizer_config.json"))
    assert saved["response_template"] == json.loads(TEMPLATE)


def test_an_unknown_proposal_is_said_to_be_and_can_be_taken_out(playground: Playground) -> None:
    playground.load(proposals=["skip-blank", "of-tomorrow"])
    expect(playground.page.get_by_text("There is no proposal 'of-tomorrow'")).to_be_visible()
    unknown = playground.page.get_by_label("proposal of-tomorrow is unknown here: take it out")
    unknown.click()
    expect(unknown).to_have_count(0)
    expect(playground.page.get_by_label("proposal skip-blank")).to_be_checked()
    playground.expect_message(thinking="hm", content="Yes")
    playground.button("Tools and options").click()


def test_a_case_is_opened_with_its_options(playground: Playground) -> None:
    playground.load(text="<n>ten</n>Yes", onMalformed="event")
    case = saved_by(playground, "Save all as a conformance case")
    playground.load()
    playground.page.locator("input[type=file]").first.set_input_files(chosen("case.json", case))
    expect(playground.page.get_by_text("Opened case.json.")).to_be_visible()
    expect(playground.events.filter(has_text="malformed")).to_contain_text("int-syntax")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{broken", "other.json: line 1 column 2: isn't JSON"),
        (b"\xef\xbb\xbf{}", "other.json: line 1 column 1: isn't JSON: unexpected UTF-8 BOM"),
        (b"\xff", "other.json isn't in UTF-8; save it in that encoding"),
    ],
    ids=["no JSON", "byte order mark", "no UTF-8"],
)
def test_a_file_without_a_template_is_refused_with_its_name(playground: Playground, data: bytes, told: str) -> None:
    playground.page.locator("input[type=file]").first.set_input_files(chosen("other.json", data))
    expect(playground.page.get_by_text(re.compile("^" + re.escape(told)))).to_be_visible()
    playground.expect_message(thinking="hm", content="Yes")


def test_a_file_can_be_dropped(playground: Playground) -> None:
    drop(playground.page, "main", "template.json", TEMPLATE.replace("thinking", "reasoning"))
    expect(playground.page.get_by_text("Opened template.json.")).to_be_visible()
    playground.expect_message(reasoning="hm", content="Yes")


def test_all_can_be_saved_as_a_case_that_the_runner_takes(playground: Playground, tmp_path: Path) -> None:
    playground.button("Save").click()
    with playground.page.expect_download() as downloading:
        playground.page.get_by_role("menuitem", name="Save all as a conformance case").click()
    (tmp_path / "mine").mkdir()
    downloading.value.save_as(tmp_path / "mine" / "case.json")
    (case,) = load_suite(tmp_path)
    assert case.text == TEXT

    playground.button("Save").press("ArrowDown")
    playground.page.keyboard.press("ArrowUp")
    playground.page.keyboard.press("Enter")
    expect(playground.page.get_by_text("The case is in the clipboard.")).to_be_visible()
    copied = playground.page.evaluate("navigator.clipboard.readText()")
    assert json.loads(copied) == json.loads((tmp_path / "mine" / "case.json").read_text("utf-8"))


def test_the_template_can_be_saved(playground: Playground) -> None:
    assert saved_by(playground, "Save the template").decode() == TEMPLATE


def test_the_gallery_is_searched_and_chosen_from_by_keyboard(playground: Playground) -> None:
    playground.button("Examples").click()
    dialog = playground.page.get_by_role("dialog", name="Examples")
    expect(dialog.get_by_role("searchbox")).to_be_focused()
    expect(dialog.get_by_text(re.compile(r"\d+ examples of \d+ model families"))).to_be_visible()
    playground.page.keyboard.type("gpt-oss")
    playground.page.keyboard.press("ArrowDown")
    playground.page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(playground.editor("Template")).to_contain_text("<|start|>assistant")
    findings = playground.page.get_by_text("in the template")
    expect(findings).to_be_visible()
    playground.button("Examples").click()  # the same again is checked again
    dialog.locator("[data-example]").first.click()
    expect(findings).to_be_visible()


# Manners


def test_markup_in_values_is_text(playground: Playground) -> None:
    hostile = "<img src=x onerror=alert(1)><script>alert(1)</script>"
    playground.load(text=hostile)
    playground.expect_message(content=hostile)
    assert playground.page.locator("main script, main img").count() == 0


def test_a_catastrophic_pattern_is_stopped_and_the_input_kept(playground: Playground) -> None:
    evil = '{"start_anchor": "<bot>", "fields": {"a": {"open_pattern": "(?:b|bb)+c"}, "content": {}}}'
    text = "b" * 60 + "d"
    playground.load(template=evil, text=text)
    stale = playground.page.get_by_text("Still working on the last change: what is shown is from before it.")
    expect(stale).to_be_visible()
    assert playground.events.count() == 6
    stopped = playground.page.get_by_text("Stopped after 5 s: this text with this template takes too long")
    expect(stopped).to_be_visible(timeout=20_000)
    expect(playground.editor("Output")).to_have_text(text)
    expect(playground.page.get_by_role("region", name="Message")).to_have_text("no answer")
    playground.load()
    playground.expect_message(thinking="hm", content="Yes")


def test_a_text_of_five_megabytes_does_not_hang_the_page(playground: Playground) -> None:
    playground.page.evaluate("text => navigator.clipboard.writeText(text)", "<think>" + "lorem ipsum\n" * 420_000)
    playground.editor("Output").click()
    playground.page.keyboard.press("Control+a")
    playground.page.keyboard.press("Control+v")
    expect(playground.page.get_by_text("5,040,007 code points")).to_be_visible()
    expect(playground.page.get_by_text("aren't drawn").first).to_be_visible()
    told = playground.page.get_by_text(re.compile("Only the result is shown|Stopped after"))
    expect(told.first).to_be_visible(timeout=20_000)
    playground.write("Output", TEXT)
    playground.expect_message(thinking="hm", content="Yes")


FOCUSED = """() => {
  let focused = document.activeElement;
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  if (focused === document.body) return ["", true];
  const host = focused.getRootNode().host; // of an editor, which is marked as a whole
  const mark = host ? getComputedStyle(host, "::after").borderStyle : getComputedStyle(focused).outlineStyle;
  const { childNodes, textContent } = focused.labels?.[0] ?? focused;
  const own = [...childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("");
  return [focused.ariaLabel ?? (own.trim() || textContent.trim()), mark !== "none"];
}"""


class Keyboard:
    """A person without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self) -> str:
        """The name of what has the focus, which must be seen; empty for nothing."""
        name, seen = self.page.evaluate(FOCUSED)
        assert seen, name
        return str(name)

    def walk(self) -> list[str]:
        """What is reached from here with Tab, to the end of the page."""
        found: list[str] = []
        while True:
            self.press("Tab")
            name = self.focused()
            if not name:
                return found
            found.append(name)

    def tab_to(self, name: str) -> None:
        for _ in range(40):
            if self.focused() == name:
                return
            self.press("Tab")
        raise AssertionError(f"Tab doesn't lead to {name!r}")

    def expect_focus(self, name: str) -> None:
        assert self.focused() == name


def test_everything_is_reached_in_order_and_its_focus_is_seen(keyboard: Keyboard) -> None:
    assert keyboard.walk() == [
        "Playground", "Theme: system", "Examples", "Open a file", "Save", "Share",
        "Template", "1 warning, 2 notes in the template", "Prefix", "Output", "Tools and options",
        "To the prefix", "Step back", "Play", "Step forward", "To the end", "Step by", "Steps a second", "Moment",
        "The stream. Arrow keys move through it, Enter cuts it.", "Chunks", "Try all cuts", "Events", "Message",
    ]  # fmt: skip


def test_what_opens_is_closed_by_escape_and_gives_the_focus_back(keyboard: Keyboard) -> None:
    page = keyboard.page
    keyboard.tab_to("Examples")
    keyboard.press("Enter")
    keyboard.expect_focus("Search the examples")
    keyboard.press("Tab", "Tab", "Escape")
    keyboard.expect_focus("Examples")
    keyboard.tab_to("Save")
    keyboard.press("Enter")
    expect(page.get_by_role("menuitem").first).to_be_visible()
    keyboard.press("ArrowDown", "ArrowDown", "ArrowDown")
    keyboard.expect_focus("Save all as a conformance case")
    keyboard.press("Escape")
    keyboard.expect_focus("Save")
    expect(page.get_by_role("menuitem")).to_have_count(0)
    keyboard.tab_to("Template")
    keyboard.press("Control+Home", "End", "Control+Space")
    expect(page.get_by_role("option", name="defaults")).to_be_visible()
    keyboard.press("Escape")
    expect(page.get_by_role("option", name="defaults")).to_have_count(0)
    keyboard.expect_focus("Template")
    keyboard.press("Tab", "Tab")  # no key but what is written stays in an editor
    keyboard.expect_focus("Prefix")
    keyboard.press("Shift+Tab", "Shift+Tab")
    keyboard.expect_focus("Template")


def test_everything_is_done_by_keyboard(keyboard: Keyboard, playground: Playground) -> None:
    page = keyboard.page
    for name in ("Theme: system", "Theme: light", "Theme: dark"):
        keyboard.tab_to(name)
        keyboard.press("Enter")
    keyboard.tab_to("Open a file")
    with page.expect_file_chooser():
        keyboard.press("Enter")
    keyboard.tab_to("Share")
    keyboard.press("Space")
    expect(page.get_by_text("The link is in the clipboard.")).to_be_visible()

    keyboard.tab_to("Template")
    keyboard.press("Control+Home")
    page.keyboard.type("x")
    expect(page.get_by_text("1 error")).to_be_visible()
    keyboard.tab_to("1 error in the template")
    keyboard.press("Enter", "Enter", "Tab")
    keyboard.press("Enter")  # to the place of the error
    keyboard.expect_focus("Template")
    keyboard.press("Control+z")
    keyboard.tab_to("Output")
    keyboard.press("Control+End")
    page.keyboard.type("!")
    playground.expect_message(thinking="hm", content="Yes!")
    keyboard.tab_to("Tools and options")
    keyboard.press("Enter")
    keyboard.tab_to("malformed regions as events")
    keyboard.press("Space")
    expect(page.get_by_text("1 option set")).to_be_visible()
    keyboard.tab_to("Tools")

    keyboard.tab_to("To the prefix")
    keyboard.press("Enter")
    keyboard.expect_focus("To the prefix")  # though there is nothing more to do there
    expect(playground.slider).to_have_value("0")
    keyboard.tab_to("Step forward")
    keyboard.press("Enter", "Space")
    expect(playground.slider).to_have_value("2")
    keyboard.tab_to("Step by")
    keyboard.press("ArrowDown")
    expect(page.get_by_label("Step by")).to_have_value("piece")
    keyboard.tab_to("Moment")
    keyboard.press("ArrowRight")
    expect(playground.slider).to_have_value("6")
    keyboard.tab_to("The stream. Arrow keys move through it, Enter cuts it.")
    keyboard.press("ArrowRight", "Enter")
    expect(page.get_by_text("2 chunks")).to_be_visible()
    keyboard.tab_to("Join here")
    keyboard.press("Enter")
    expect(page.get_by_text("1 chunk", exact=True)).to_be_visible()
    keyboard.tab_to("Try all cuts")
    keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"The same for all \d+\."))).to_be_visible()
    keyboard.expect_focus("Try all cuts")
    keyboard.tab_to("Tools and options")
    keyboard.press("Enter")
    expect(page.get_by_text("malformed regions as events")).to_have_count(0)


def test_tabs_are_operated_by_arrow_keys(playground: Playground) -> None:
    tabs = playground.page.get_by_role("tab")
    tabs.first.focus()
    playground.page.keyboard.press("ArrowRight")
    expect(tabs.nth(1)).to_be_focused()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    expect(playground.page.get_by_role("tabpanel", name="Chat template")).to_be_visible()
    playground.page.keyboard.press("Home")
    expect(playground.page.get_by_role("tabpanel", name="Playground")).to_be_visible()
    expect(playground.editor("Output")).to_contain_text(TEXT)


def test_the_theme_is_kept_and_set_before_anything_is_drawn(browser: Browser, site: str) -> None:
    with watched(browser, site, color_scheme="light") as page:
        light = page.evaluate("getComputedStyle(document.body).backgroundColor")
        for name in ("system", "light"):
            page.get_by_role("button", name=f"Theme: {name}").click()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
        page.add_init_script(
            "new PerformanceObserver(list => { window.first ??= document.documentElement.dataset.theme ?? 'none' })"
            ".observe({ type: 'paint', buffered: true })"
        )
        page.reload()
        wait = "const wait = () => window.first ? done(window.first) : setTimeout(wait, 20)"
        assert page.evaluate(f"new Promise(done => {{ {wait}; wait() }})") == "dark"


def test_what_to_do_is_said_if_python_does_not_load(browser: Browser, site: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    held: list[Route] = []
    page.route("**/pyodide.asm.wasm", lambda route: held.append(route))
    with page.expect_request("**/pyodide.asm.wasm"):
        page.goto(site)
    expect(page.get_by_role("region", name="Events").get_by_text("waiting for Python")).to_be_visible()
    expect(page.get_by_role("region", name="Message")).to_have_text("waiting for Python")
    expect(page.get_by_text("You can edit meanwhile.")).to_be_visible()
    held[0].abort()
    expect(page.get_by_text("Python can't be loaded")).to_be_visible(timeout=LOADED)
    expect(page.get_by_text("Nothing is parsed: Python isn't there.")).to_be_visible()
    page.get_by_role("textbox", name="Output", exact=True).click()
    page.keyboard.type("still editable")
    expect(page.get_by_role("textbox", name="Output", exact=True)).to_contain_text("still editable")
    page.unroute("**/pyodide.asm.wasm")
    page.get_by_role("button", name="Try again").click()
    wait_for_python(page)
    context.close()


def test_without_regex_one_line_says_so(browser: Browser, any_site: str) -> None:
    context = browser.new_context()
    page = context.new_page()

    def without(route: Route) -> None:
        manifest = route.fetch().json()
        kept = [file for file in manifest["files"] if not file["name"].endswith(".whl")]
        route.fulfill(json={**manifest, "engine": "re", "wheels": [], "files": kept})

    page.route("**/manifest.json", without)
    page.goto(any_site)
    expect(page.get_by_text("runs on Python's re: fewer constructs")).to_be_visible(timeout=LOADED)
    expect(page.get_by_role("region", name="Message")).to_contain_text("get_weather")
    context.close()


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_jumps_while_the_page_loads_and_when_another_example_comes(
    browser: Browser, site: str, width: int
) -> None:
    """By the limit for a good page of Chromium's makers; shifts after input count, too, since choosing is input."""
    with watched(browser, site, script=SHIFTS, viewport={"width": width, "height": 800}) as page:
        wait_for_python(page)
        expect(page.get_by_role("region", name="Message")).to_contain_text("get_weather")
        assert page.evaluate("shiftedSince(0)") < 0.1
        for words, shown in {"gpt-oss": "<|start|>assistant", "qwen3-coder": "<function="}.items():
            page.get_by_role("button", name="Examples").click()
            page.get_by_role("searchbox").fill(words)
            chosen = page.evaluate("drawn().then(() => performance.now())")
            page.locator("[data-example]").first.click()
            expect(page.get_by_role("textbox", name="The stream.")).to_contain_text(shown)
            page.wait_for_timeout(300)
            assert page.evaluate("shiftedSince", chosen) < 0.1


SHIFTS = """
  const shifts = [];
  const keep = (list) => shifts.push(...list.getEntries());
  new PerformanceObserver(keep).observe({ type: "layout-shift", buffered: true });
  window.shiftedSince = (from) =>
    shifts.filter(({ startTime }) => startTime > from).reduce((sum, { value }) => sum + value, 0);
  window.drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
"""


def test_it_is_presentable_in_both_themes_wide_and_narrow(browser: Browser, site: str) -> None:
    with watched(browser, site, bypass_csp=True) as page:
        wait_for_python(page)
        playground = Playground(page)
        expect(page.get_by_role("region", name="Message")).to_contain_text("get_weather")
        expect_presentable(page, "playground")
        playground.load(text=TEXT + "<n>ten</n>", chunking={"kind": "every", "size": 4})
        expect(playground.events.filter(has_text="int-syntax")).to_be_visible()
        expect_presentable(page, "playground-error")
        playground.go(12)
        expect(page.get_by_text("may become the close of thinking </think>")).to_be_visible()
        expect_presentable(page, "playground-held")
        playground.write("Template", TEMPLATE.replace('"content": "int"', '"content": "integer"'))
        expect(page.get_by_role("listitem").filter(has_text="unknown-content")).to_be_visible()
        playground.button("Tools and options").click()
        expect_presentable(page, "playground-faulty-template")
        playground.button("Examples").click()
        expect(page.get_by_text("model families")).to_be_visible()
        expect_presentable(page, "playground-examples")


def test_a_keystroke_is_measured(playground: Playground, record_property: Any) -> None:
    playground.load(text="<think>" + "I think about it. " * 300 + "</think>Yes")
    expect(playground.page.get_by_text("Moments up to")).to_have_count(0)
    playground.editor("Output").click()
    playground.page.keyboard.press("Control+End")
    playground.page.evaluate("performance.clearMeasures()")
    for _ in range(10):
        playground.page.keyboard.type("x")
        playground.page.wait_for_timeout(120)
    measures = playground.page.evaluate("performance.getEntriesByName('antiphon:keystroke').map(each => each.duration)")
    assert len(measures) >= 5
    record_property("keystroke_median_ms", statistics.median(measures))
