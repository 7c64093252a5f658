"""The npm package: built, packed, installed into an empty project without a network, and used there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from antiphon_conformance.cases.selection import filtered
from antiphon_conformance.cases.suite import load_suite
from background import running
from filelock import FileLock

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
TESTS = Path(__file__).with_name("interop")
SECONDS = 300
FILTERS: list[list[str]] = [
    [],
    ["regions/*"],
    ["*/crlf-*", "KIND-JSON-[1-3]"],
    ["!optional/*", "!proposals/*"],
    ["DUE-?", "!*/whole", "!prefix/[!a-m]*"],
    ["*[]-]*", "!*.*", "![\\]*"],
    ["prefix/*", "!*[z]"],
    ["*-*-[a-c^]*"],
]


def ran(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command that has come to an end, whatever its status."""
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
    )


def run(*command: str | Path, folder: Path) -> str:
    """What a command says that must not fail."""
    done = ran(*command, folder=folder)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A project in which the package is installed; the processes that share the tests share it, too."""
    for needed in (WEB / "node_modules" / "vitest", WEB / "build" / "public" / "runtime" / "manifest.json"):
        if not needed.exists() or shutil.which("npm") is None:
            pytest.skip("the package can't be built: `make web` says why")
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    folder = shared / "interop"
    with FileLock(shared / "interop.lock"):
        if not (folder / "installed").exists():
            folder.mkdir()
            install(packed(shared / "interop-source"), folder)
            (folder / "installed").touch()
    return folder


def packed(source: Path) -> Path:
    """The package's file, built from a copy of its sources."""
    interop = source / "web" / "interop"
    shutil.copytree(WEB / "interop", interop, ignore=shutil.ignore_patterns("dist", "node_modules"))
    shutil.copy(ROOT / "LICENSE", source)
    for name in ("node_modules", "build"):
        (source / "web" / name).symlink_to(WEB / name)
    run("npm", "run", "build", folder=interop)
    (told,) = json.loads(run("npm", "pack", "--json", folder=interop))
    return interop / str(told["filename"])


def install(package: Path, folder: Path) -> None:
    """Makes a project with the package, the port, its tests and the examples."""
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--offline", package, folder=folder)
    (folder / "node_modules" / "vitest").symlink_to(WEB / "node_modules" / "vitest")
    (folder / "conformance").symlink_to(ROOT / "conformance")
    shutil.copytree(TESTS, folder / "tests")
    shutil.copytree(WEB / "interop" / "example", folder / "web" / "interop" / "example")


def vitest(project: Path, *files: str) -> subprocess.CompletedProcess[str]:
    command = WEB / "node_modules" / "vitest" / "vitest.mjs"
    return ran("node", command, "run", "--testTimeout", str(1000 * SECONDS), *files, folder=project)


def test_the_package_depends_on_nothing_and_holds_only_what_is_built(project: Path) -> None:
    folder = project / "node_modules" / "antiphon-reference"
    described = json.loads((folder / "package.json").read_text("utf-8"))
    assert not described.keys() & {"dependencies", "peerDependencies", "optionalDependencies"}
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "dist", "package.json"]
    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert version is not None and described["version"] == version[1]
    assert f'"{version[1]}"' in (folder / "dist" / "version.js").read_text("utf-8")


def test_in_vitest(project: Path) -> None:
    done = vitest(project, "tests/reference", "tests/conformance", "web/interop/example")
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
    assert "4 passed" in done.stdout


def test_a_broken_port_fails_by_name(project: Path) -> None:
    done = vitest(project, "tests/broken")
    assert done.returncode == 1
    told = re.search(r"Error: (broken 0\.1 fails \d+ of \d+ required cases at level events\n(?:  .*\n)+)", done.stderr)
    assert told, done.stderr
    assert len(told[1].splitlines()) <= 25
    assert re.search(r"^  regions/current/[\w-]+ \([A-Z]+-\d+", told[1], re.MULTILINE)
    assert re.search(r"^ {6}feed \d+ .* +expected region_\w+ .*\n +got {6}", told[1], re.MULTILINE)


def test_types(project: Path) -> None:
    compiler = WEB / "node_modules" / "typescript" / "bin" / "tsc"
    options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"]
    run("node", compiler, *options, "tests/consumer.ts", folder=project)


def test_a_parser_that_is_forgotten_is_freed(project: Path) -> None:
    script = """
        import { Engine } from "./node_modules/antiphon-reference/dist/engine.js";
        import { Parser } from "./node_modules/antiphon-reference/dist/parser.js";

        const engine = await Engine.load({ runtime: "node_modules/antiphon-reference/dist/runtime" });
        const known = () => {
          try {
            return engine.call("parser_message", { parser: 1 });
          } catch ({ kind }) {
            return kind;
          }
        };
        new Parser(engine, '{"start_anchor": "<bot>", "fields": {"content": {}}}', { prefix: "" }).feed("a");
        const before = known();
        for (let tries = 0; tries < 100 && known() !== "freed"; tries++) {
          gc();
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        console.log(JSON.stringify([before, known()]));
    """
    (project / "forgotten.mjs").write_text(script, "utf-8")
    assert json.loads(run("node", "--expose-gc", "forgotten.mjs", folder=project)) == [{}, "freed"]


def test_the_constants_are_those_of_the_protocol(project: Path) -> None:
    script = 'import("antiphon-reference").then((all) => console.log(JSON.stringify([all.CONTENTS, all.FEATURES])))'
    known = json.loads((ROOT / "conformance" / "schema" / "protocol.schema.json").read_text("utf-8"))["$defs"]
    told = json.loads(run("node", "-e", script, folder=project))
    assert told == [known["content"]["enum"], known["construct"]["enum"]]


def test_globs_choose_what_those_of_the_command_line_choose(project: Path) -> None:
    suite = load_suite()
    cases = [{"id": case.full_id, "topic": case.topic, "clauses": case.clauses} for case in suite]
    script = f"""
        import {{ select }} from "{project}/node_modules/antiphon-reference/dist/selection.js";
        const cases = {json.dumps(cases)};
        console.log(JSON.stringify({json.dumps(FILTERS)}.map((globs) => select(cases, globs).map(({{ id }}) => id))));
    """
    (project / "select.mjs").write_text(script, "utf-8")
    told = json.loads(run("node", "select.mjs", folder=project))
    for filter_, found in zip(FILTERS, told, strict=True):
        assert found == [case.full_id for case in suite if filtered(filter_, case.full_id, case.clauses)], filter_


def test_the_readme_shows_the_examples(project: Path) -> None:
    readme = (WEB / "interop" / "README.md").read_text("utf-8")
    examples = sorted((WEB / "interop" / "example").iterdir())
    assert len(examples) == 3
    for example in examples:
        assert f"```js\n{example.read_text('utf-8')}```\n" in readme, example.name


def test_the_first_example_prints_what_it_says(project: Path) -> None:
    example = Path("web", "interop", "example", "parse.mjs")
    told = re.findall(r"^ *// (.*)$", (project / example).read_text("utf-8"), re.MULTILINE)
    assert run("node", example, folder=project).splitlines() == told


class _Files(SimpleHTTPRequestHandler):
    """The package and the port, as a static server would serve them; pages may run nothing else."""

    policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'"

    def __init__(self, *arguments: Any, project: Path) -> None:
        self.folders = {
            "package": project / "node_modules" / "antiphon-reference",
            "javascript": ROOT / "conformance" / "adapters" / "javascript",
            "tests": TESTS,
        }
        super().__init__(*arguments)

    def translate_path(self, path: str) -> str:
        top, _, rest = path.lstrip("/").partition("/")
        return str(self.folders.get(top, TESTS / "nothing") / rest)

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        known = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
        return known.get(Path(path).suffix) or super().guess_type(path)

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing."""


@contextmanager
def served(project: Path) -> Iterator[str]:
    with running(ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, project=project))) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.mark.parametrize("thread", ["page", "worker"])
def test_in_a_browser(project: Path, browser: Browser, thread: str) -> None:
    with served(project) as site, browser.new_context() as context:
        page = context.new_page()
        requests: list[str] = []
        complaints: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{site}/tests/{thread}.html")
        result = json.loads(page.locator("output:not(:empty)").inner_text(timeout=1000 * SECONDS))
    assert result["message"] == {"n": 1, "content": "👍"}
    assert result["conforms"] == "prompt"
    assert result["cases"]["failed"] == 0 < result["cases"]["passed"]
    assert result["first"][:2] == ["download", 0]
    assert result["last"] == ["start", result["first"][2], result["first"][2]]
    assert "/nowhere/manifest.json isn't there: 404" in result["refused"]
    assert all(url.startswith(site) for url in requests)
    fetched = [url for url in requests if "/runtime/" in url]
    assert len(fetched) == len(set(fetched)), "something is fetched twice"
    assert [text for text in complaints if "404" not in text] == []
