"""The conformance tab: it judges as the command line does, shows its reports, and stands whatever a module does."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from antiphon_conformance.cli import app
from antiphon_conformance.inputs import read_report
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.figures import columns, topics
from antiphon_conformance.reports.verdicts import of_implementation
from background import running
from typer.testing import CliRunner

from web.calls import suite
from web.pages import LOADED, drop, expect_presentable, ready, wait_for_python, watched

expect = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed").expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Download, FilePayload, Locator, Page

SUITE = 240_000
"""Milliseconds within which the required suite must have been run, on a machine that has more to do."""
ADAPTER = """
import { createInterface } from "node:readline";
import { answer } from "./module.mjs";
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(JSON.stringify(await answer(JSON.parse(line))) + "\\n");
"""
HELLO = """const hello = { type: "hello", protocol: 1, name: "<script>alert(1)</script>", version: "1",
  language: "JavaScript", contents: ["text"], features: [], dialect: null };
"""
FEW = "regions/current/own-open-is-text regions/current/crossed"


class Tab:
    """What a person sees and does."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def form(self) -> Locator:
        return self.page.get_by_role("region", name="Run the suite")

    def choose(self, what: str, cases: str = "", level: str = "events", seconds: float | None = None) -> None:
        self.page.get_by_role("radio", name=what).check()
        self.form.get_by_label("Cases").fill(cases)
        self.form.get_by_label("Level").select_option(level)
        if seconds is not None:
            self.form.get_by_label("Seconds a run").fill(str(seconds))

    def choose_module(self, source: str, cases: str = FEW, **wishes: Any) -> None:
        self.choose("Your module", cases, **wishes)
        self.form.get_by_label("Choose a file").set_input_files(
            {"name": "module.mjs", "mimeType": "text/javascript", "buffer": source.encode()}
        )

    def run(self, timeout: float = LOADED) -> None:
        """To the end."""
        self.start()
        expect(self.form.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=timeout)

    def start(self) -> None:
        self.form.get_by_role("button", name="Run", exact=True).click()

    def open(self, *files: tuple[str, bytes]) -> None:
        given: list[FilePayload] = [
            {"name": name, "mimeType": "application/json", "buffer": data} for name, data in files
        ]
        self.page.get_by_label("Open reports").set_input_files(given)

    def drop(self, name: str, text: str) -> None:
        drop(self.page, ".conformance", name, text)

    def clear(self) -> None:
        """Take all reports away."""
        for button in self.page.get_by_title("Take away").all()[::-1]:
            button.click()

    @property
    def results(self) -> Locator:
        return self.page.get_by_role("region", name="Results")

    @property
    def faults(self) -> Locator:
        """What is said of a run that couldn't be made."""
        return self.form.get_by_role("alert")

    @property
    def refusals(self) -> Locator:
        """What is said of files."""
        return self.page.get_by_role("region", name="Reports").get_by_role("alert")

    @property
    def cases(self) -> Locator:
        return self.page.locator("details.case")

    def case(self, full_id: str) -> Locator:
        """A case of the list, opened, when all is there."""
        found = self.page.locator(f'details.case[data-id="{full_id}"]')
        if found.get_attribute("open") is None:
            found.locator("summary").click()
        expect(found.get_by_role("button", name="Open in the playground")).to_be_visible(timeout=LOADED)
        return found

    def report(self) -> Any:
        """The last one, downloaded and checked."""
        with self.page.expect_download() as saved:
            self.page.get_by_role("button", name="Download").last.click()
        return read(saved.value)

    def topic(self, name: str) -> list[str]:
        """A row of the table of topics."""
        row = self.page.get_by_role("table").first.get_by_role("row").filter(has_text=name).first
        return [" ".join(cell.split()) for cell in row.locator("th, td").all_text_contents()]


def read(download: Download) -> Any:
    return read_report(Path(download.path()))


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    with ready(browser, site, "#conformance", accept_downloads=True) as page:
        yield page


@pytest.fixture
def tab(page: Page) -> Iterator[Tab]:
    tab = Tab(page)
    yield tab
    tab.clear()


@pytest.fixture
def noisy(browser: Browser, site: str) -> Iterator[Tab]:
    """The tab in a page whose console may tell of what was forbidden to a module."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site}#conformance")
    wait_for_python(page)
    yield Tab(page)
    context.close()


def command_line(tmp_path: Path, *options: str) -> Any:
    """The report of a run on the command line."""
    path = tmp_path / "report.json"
    CliRunner().invoke(app, ["conformance", "run", *options, "--report", str(path)])
    return json.loads(path.read_text("utf-8"))


def judged(report: Mapping[str, Any]) -> Any:
    """What a run came to, whoever made it."""
    (implementation,) = report["implementations"]
    return {name: value for name, value in implementation.items() if name not in ("adapter", "peer")}


# Runs


@pytest.mark.long
@pytest.mark.parametrize(("what", "name"), [("The reference", "antiphon"), ("The JavaScript port", "javascript")])
def test_the_required_suite_passes_in_the_page(tab: Tab, what: str, name: str, record_property: Any) -> None:
    tab.choose(what, level="prompt")
    tab.start()
    expect(tab.form.get_by_role("progressbar")).to_be_visible()
    seconds = tab.page.evaluate("performance.now() / 1000")
    expect(tab.form.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=SUITE)
    record_property(f"suite_seconds_{name}", tab.page.evaluate("performance.now() / 1000") - seconds)
    report = tab.report()
    (implementation,) = report["implementations"]
    assert implementation["name"] == name
    assert implementation["tally"]["failed"] == 0
    assert {case["id"] for case in implementation["cases"]} == {case.full_id for case in suite() if case.required}
    expect(tab.results).to_contain_text("Conforms at level prompt: all ")


def test_the_reference_is_judged_as_on_the_command_line(tab: Tab, tmp_path: Path) -> None:
    tab.choose("The reference", "zero-width/* !zero-width/implicit*", level="prompt")
    tab.run()
    globs = ["zero-width/*", "!zero-width/implicit*", "!optional/*", "!proposals/*"]
    theirs = command_line(tmp_path, "--level", "prompt", *(part for glob in globs for part in ("--filter", glob)))
    ours = tab.report()
    assert judged(ours) == judged(theirs)
    varying = ("created", "implementations")
    assert {name: ours[name] for name in ours if name not in varying} == {
        name: theirs[name] for name in theirs if name not in varying
    }


def test_the_example_runs_and_is_judged_as_on_the_command_line(tab: Tab, tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js to run the module on the command line")
    tab.choose("Your module")
    tab.form.get_by_text("What the module must export").click()
    tab.form.get_by_role("button", name="Copy").click()
    expect(tab.form.get_by_text("Copied")).to_be_visible()
    source = tab.page.evaluate("navigator.clipboard.readText()")
    tab.drop("module.mjs", source)
    expect(tab.form.get_by_text("module.mjs is tested.")).to_be_visible()
    tab.choose("Your module", "regions/* events/*")
    tab.run()

    (tmp_path / "module.mjs").write_text(source, "utf-8")
    (tmp_path / "adapter.mjs").write_text(ADAPTER, "utf-8")
    globs = ["regions/*", "events/*", "!optional/*", "!proposals/*"]
    filters = [part for glob in globs for part in ("--filter", glob)]
    theirs = command_line(tmp_path, "--adapter", f"node {tmp_path / 'adapter.mjs'}", *filters)
    assert judged(tab.report()) == judged(theirs)
    assert judged(theirs)["tally"]["failed"] > 50  # else little would have been compared


def test_a_run_can_be_stopped_and_its_report_says_so(tab: Tab) -> None:
    tab.choose("The reference", "!big/*")
    tab.start()
    expect(tab.results).to_contain_text("run so far", timeout=LOADED)
    tab.form.get_by_role("button", name="Stop").click()
    expect(tab.form.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=LOADED)
    report = tab.report()
    (implementation,) = report["implementations"]
    assert report["interrupted"]
    assert implementation["missing"] > 0 < len(implementation["cases"])
    expect(tab.page.get_by_text("ended before all cases were run")).to_be_visible()


def test_the_form_tells_what_will_be_run_or_that_nothing_will(tab: Tab) -> None:
    tab.choose("The reference", FEW)
    chosen = [case for case in suite() if case.full_id in FEW.split()]
    expect(tab.form.get_by_text(f"{len(chosen)} cases, ")).to_be_visible(timeout=LOADED)
    tab.choose("The reference", "nothing/*")
    expect(tab.form.get_by_text("no case matches")).to_be_visible()
    tab.run()
    expect(tab.faults).to_contain_text("no case matches nothing/*")
    tab.choose("The reference")


# Modules that do what they shouldn't


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("export const = 1", "didn't start: SyntaxError"),
        ("export const reply = 1", "the module doesn't export a function `answer`"),
        ("export const answer = () => ({ type: 'hello', name: 5 })", "invalid hello"),
        ("export const answer = () => { throw new Error('no hello') }", "crashed: Error: no hello"),
    ],
)
def test_a_module_that_does_not_start_is_told_about(tab: Tab, source: str, said: str) -> None:
    tab.choose_module(source)
    tab.run()
    expect(tab.faults).to_contain_text(said)
    expect(tab.results).to_have_count(0)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("throw new Error('I <b>fail</b>')", "crashed: Error: I <b>fail</b>"),
        ("for (;;);", "timed out after 0.5 s"),
        ("return new Promise(() => {})", "timed out after 0.5 s"),
        ("throw hostile", "crashed: what it threw can't be told"),
        ("return hostile", "crashed: what it threw can't be told"),
        ("Promise.reject(new Error('late')); return new Promise(() => {})", "crashed: Error: late"),
        ("return undefined", "crashed: `answer` returned nothing that JSON has"),
        ("return 5", "invalid response: "),
        ("postMessage({ answer: '['.repeat(2000) }); return new Promise(() => {})", "invalid response: it is nested"),
        ("for (;;) postMessage({ answer: '5' })", "invalid response: "),
        ("setInterval(() => postMessage('flood')); return {}", "invalid response: "),
        ("close(); return {}", "invalid response: "),
        # What is said too much comes before the next request, or is taken for the answer to it.
        ("say(right(request)); return right(request)", "crashed: it said something|invalid response: /id: "),
    ],
)
def test_a_module_that_misbehaves_fails_case_by_case(tab: Tab, reply: str, reason: str) -> None:
    messages = {case.text: case.expect.message for case in suite() if case.full_id in FEW.split()}
    source = f"""{HELLO}
      const hostile = new Proxy({{}}, new Proxy({{}}, {{ get: () => () => {{ throw hostile }} }}));
      const say = (answer) => postMessage({{ answer: JSON.stringify(answer) }});
      const messages = {json.dumps(messages)};
      const right = ({{ id, chunks }}) => ({{ type: "result", id, initial: [], feeds: chunks.map(() => []), final: [],
                                              message: messages[chunks.join("")] }});
      export function answer(request) {{ if (request.type === "hello") return hello; {reply} }}"""
    tab.choose_module(source, seconds=0.5)
    tab.run()
    expect(tab.results.get_by_role("heading", name="<script>alert(1)</script> 1")).to_be_visible()
    cases = tab.report()["implementations"][0]["cases"]
    assert {case["id"] for case in cases} == set(FEW.split())
    found = [case["failures"][0]["reason"] for case in cases]
    assert all(re.match(reason, one) for one in found), found
    expect(tab.case(cases[0]["id"])).to_contain_text(found[0])
    assert tab.page.locator("iframe").count() == 0


def test_a_module_reaches_nothing(noisy: Tab, site: str) -> None:
    source = f"""{HELLO}
      const attempts = {{
        fetch: () => fetch("{site}index.html"),
        import: () => import("{site}theme.js"),
        script: () => importScripts("{site}theme.js"),
        eval: () => (0, eval)("1"),
        socket: () => new Promise((open, fail) => Object.assign(new WebSocket("{site.replace("http", "ws")}"),
                                                                  {{ onopen: open, onerror: fail }})),
        storage: () => indexedDB.open("x"),
        page: () => document.title,
      }};
      export async function answer(request) {{
        if (request.type === "hello") return hello;
        const reached = [];
        for (const [name, attempt] of Object.entries(attempts)) try {{ await attempt(); reached.push(name) }} catch {{}}
        throw new Error(`reached ${{reached.join(", ") || "nothing"}}, origin ${{self.origin}}`);
      }}"""
    noisy.choose_module(source)
    noisy.run()
    expect(noisy.case(FEW.split()[0])).to_contain_text("crashed: Error: reached nothing, origin null")


@contextmanager
def served(folder: Path, headers: Mapping[str, str]) -> Iterator[str]:
    """A server of somebody's own."""

    class Handler(SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            for name, value in headers.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    Handler.extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}
    with running(ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))) as server:
        yield f"http://127.0.0.1:{server.server_port}/"


@pytest.mark.parametrize("allowed", [True, False])
def test_a_module_behind_an_address_may_import_others_if_its_server_allows_it(
    noisy: Tab, tmp_path: Path, allowed: bool
) -> None:
    (tmp_path / "port.mjs").write_text(HELLO + "export default hello;")
    (tmp_path / "answer.mjs").write_text("import hello from './port.mjs'; export const answer = () => hello;")
    with served(tmp_path, {"Access-Control-Allow-Origin": "*"} if allowed else {}) as address:
        noisy.choose("Your module", FEW)
        noisy.form.get_by_label("or its address").fill(f"{address}answer.mjs")
        noisy.run()
    if allowed:
        expect(noisy.case(FEW.split()[0])).to_contain_text("invalid response")
    else:
        expect(noisy.faults).to_contain_text("Failed to fetch dynamically imported module")


@pytest.mark.parametrize("address", ["http://example.org/answer.mjs", "javascript:alert(1)", "answer.mjs"])
def test_other_addresses_are_refused(tab: Tab, address: str) -> None:
    tab.choose("Your module", FEW)
    tab.form.get_by_label("or its address").fill(address)
    tab.run()
    expect(tab.faults).to_contain_text("give an address that begins with https:// or http://localhost")
    tab.form.get_by_label("or its address").fill("")


# Reports


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Of the reference, and of one that fails much."""
    folder = tmp_path_factory.mktemp("reports")
    filters = ("--filter", "regions/*", "--filter", "optional/*")
    reference = command_line(folder, *filters)
    broken = json.loads(json.dumps(reference))
    (implementation,) = broken["implementations"]
    implementation["name"], implementation["version"] = "<script>alert(2)</script>", "2"
    for case in [one for one in implementation["cases"] if one["required"]][::2]:
        step = {"step": "feed 1", "at": "4", "due": "4"}
        rows = [
            {"step": "start", "at": "0", "due": "0", "expected": "region_open a", "got": "region_open a"},
            {"left_out": 3, "alike": True},
            {**step, "chunk": '"text"', "expected": "x", "got": "<img src=x>", "first": True},
            {**step, "expected": None, "got": "y"},
        ]
        failure = {"level": "events", "reason": "early: <i>x</i>", "chunking": "cut at 2", "runs": 1, "timeline": rows}
        case.update(failures=[failure], outcome="failed", verdicts={"message": True, "events": False, "prompt": None})
    return [reference, broken]


def ids_of_failing(report: Any) -> list[str]:
    """Of the required cases."""
    return [one["id"] for one in report["implementations"][0]["cases"] if one["required"] and one["failures"]]


def test_reports_of_the_command_line_stand_side_by_side(tab: Tab, reports: Sequence[Any]) -> None:
    tab.open(("a.json", json.dumps(reports[0]).encode()), ("b.json.gz", gzip.compress(json.dumps(reports[1]).encode())))
    expect(tab.page.get_by_role("button", name="Download")).to_have_count(2)
    both = columns(reports)
    for column in both:
        expect(tab.results).to_contain_text(column.title)
        expect(tab.results).to_contain_text(of_implementation(column, Level.EVENTS).said[1:])
    (topic,) = topics([column.required for column in both])
    failed = topic.sides[1].tallies[Level.EVENTS].failed
    assert tab.topic("regions") == [
        "regions", str(topic.size), "✓", "✓", "✓", "", "✓", f"−{failed}", f"−{failed}", "",
    ]  # fmt: skip


def test_a_number_leads_to_its_cases_and_a_case_to_what_differs(tab: Tab, reports: Sequence[Any]) -> None:
    for number, report in enumerate(reports):
        tab.drop(f"{number}.json", json.dumps(report))
    table = tab.page.get_by_role("table").first
    table.get_by_role("button", name="fail", exact=False).first.click()
    failing = ids_of_failing(reports[1])
    expect(tab.cases).to_have_count(len(failing))
    case = tab.case(failing[0])
    expect(case.locator("tr.first")).to_have_text(["✗wrong first4x<img src=x>"], use_inner_text=False)
    expect(case.locator("tr.other")).to_have_text(["≠differs4·y"], use_inner_text=False)
    expect(case).to_contain_text("… 3 rows in which nothing differs …")
    expect(case).to_contain_text("early: <i>x</i>")
    expect(case).to_contain_text("DUE-2")  # which is broken by what comes early, whatever the case is about
    expect(case).to_contain_text(f'antiphon conformance explain {failing[0]} --adapter reference --chunking "cut at 2"')
    expect(case).to_contain_text("✓ right in")


def test_cases_are_searched_and_filtered(tab: Tab, reports: Sequence[Any]) -> None:
    for number, report in enumerate(reports):
        tab.drop(f"{number}.json", json.dumps(report))
    cases = reports[0]["implementations"][0]["cases"]
    region = tab.page.get_by_role("region", name="Cases")
    expect(tab.cases).to_have_count(min(100, len(cases)))
    region.get_by_role("button", name="more of").click()
    expect(tab.cases).to_have_count(min(200, len(cases)))
    region.get_by_label("Search").fill("OWN-open")
    expect(tab.cases).to_have_count(sum("own-open" in json.dumps(one).lower() for one in cases))
    region.get_by_role("button", name="Clear").click()
    region.get_by_label("Only where implementations differ").check()
    expect(tab.cases).to_have_count(len(ids_of_failing(reports[1])))
    region.get_by_label("Clause").select_option("REGION-2")
    for clauses in tab.cases.all():
        assert "REGION-2" in next(one for one in cases if one["id"] == clauses.get_attribute("data-id"))["clauses"]
    region.get_by_label("Search").fill("nothing of the kind")
    expect(region.get_by_role("status")).to_contain_text(f"None of {len(cases)} cases matches")
    region.get_by_role("button", name="Clear").click()


def test_a_case_opens_in_the_playground(browser: Browser, site: str, reports: Sequence[Any]) -> None:
    with watched(browser, site, "#conformance") as page:
        tab = Tab(page)
        full_id = "delimiters/literals/self-overlap"
        report = json.loads(json.dumps(reports[0]))
        report["implementations"][0]["cases"][0]["id"] = full_id
        tab.drop("a.json", json.dumps(report))
        tab.case(full_id).get_by_role("button", name="Open in the playground").click()
        case = next(case for case in suite() if case.full_id == full_id)
        assert isinstance(case.text, str)
        expect(page.get_by_role("textbox", name="Output", exact=True)).to_have_text(case.text)
        expect(page.get_by_role("slider", name="Moment")).to_have_value("0")
        cuts = next(cuts for cuts in case.listed_chunkings if not isinstance(cuts, str))
        expect(page.get_by_text(f"{len(cuts) + 1} chunks")).to_be_visible()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.json", b"no JSON", "a.json: isn't JSON: "),
        ("a.json", b'{"report": 1}', "a.json: isn't a report: the document must have required property "),
        ("a.json", b"[" * 100_000 + b"]" * 100_000, "a.json: isn't a report: the document must be object"),
        ("a.json", b'"' + rb"\"" * 500_000, "a.json: isn't JSON: "),
        ("a.json", b"\xff\xfe\x00", "a.json: it can't be read as text"),
        ("a.json.gz", b"not compressed", "a.json.gz: it can't be read as text"),
        ("<img src=x>.json", b"{}", "<img src=x>.json: isn't a report"),
    ],
)
def test_what_is_no_report_is_told_about(tab: Tab, name: str, data: bytes, said: str) -> None:
    tab.open((name, data))
    expect(tab.refusals).to_contain_text(said, timeout=LOADED)
    expect(tab.results).to_have_count(0)


def test_a_report_with_a_fault_deep_inside_is_told_about(tab: Tab, reports: Sequence[Any]) -> None:
    faulty = json.loads(json.dumps(reports[1]))
    faulty["implementations"][0]["cases"][3]["runs"] = "many"
    tab.open(("a.json", json.dumps(faulty).encode()))
    expect(tab.refusals).to_contain_text("isn't a report: /implementations/0/cases/3/runs must", timeout=LOADED)


def test_of_a_large_report_only_what_is_seen_is_drawn(tab: Tab) -> None:
    root = Path(__file__).resolve().parents[2]
    (path,) = (root / "conformance" / "results").glob("*.json.gz")
    tab.open((path.name, path.read_bytes()))
    expect(tab.cases).to_have_count(100, timeout=LOADED)
    document = json.loads(gzip.decompress(path.read_bytes()))
    expect(tab.results.get_by_role("heading", level=3)).to_have_count(len(document["implementations"]))
    assert tab.page.evaluate("document.querySelectorAll('.conformance *').length") < 5000
    for column in columns([document]):
        said = of_implementation(column, Level(document["level"])).said
        expect(tab.results).to_contain_text(said[1:])


def test_it_is_presentable_in_both_themes_wide_and_narrow(browser: Browser, site: str, reports: Sequence[Any]) -> None:
    with watched(browser, site, "#conformance", bypass_csp=True) as page:
        wait_for_python(page)
        tab = Tab(page)
        tab.choose("Your module")
        tab.form.get_by_text("What the module must export").click()
        expect_presentable(page, "conformance")
        tab.form.get_by_text("What the module must export").click()
        tab.choose("The reference", "regions/current/*")
        tab.run()
        expect_presentable(page, "conformance-run")
        tab.clear()
        for number, report in enumerate(reports):
            tab.drop(f"{number}.json", json.dumps(report))
        page.get_by_role("region", name="Cases").get_by_label("Search").fill("implicit")
        failing = next(full_id for full_id in ids_of_failing(reports[1]) if "implicit" in full_id)
        expect(tab.case(failing).locator("tr.first")).to_be_visible()
        tab.drop("c.json", "{}")
        expect(tab.refusals).to_be_visible(timeout=LOADED)
        expect_presentable(page, "conformance-matrix")
