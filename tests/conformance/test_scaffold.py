"""New adapters: each language's builds as its README says, speaks the protocol, and fails until it's connected.

Where a toolchain isn't here, or can't get its packages, the language is skipped, and the reason says what is missing.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import tree_sitter
import tree_sitter_swift
from antiphon_conformance import resources, schemas
from antiphon_conformance.cases.case import CONTENT_KINDS
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations import scaffold
from antiphon_conformance.implementations.adapters import ProcessAdapter
from antiphon_conformance.implementations.protocol import Result
from antiphon_conformance.implementations.scaffold import Language
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import run_adapter
from made_up import chunk, closed

SECONDS = 60.0
BUILD_SECONDS = 600
SOME = 97
"""Every so many cases are run."""
CONNECTED = Path(__file__).parent / "connected"
"""A parser for each language: all text is `content`, a `!` is an error, and a template without fields is refused."""
YOURS = re.compile(r"(CONNECT YOUR PARSER HERE\. All below [^\n]*\n).*?(?=\n[^\n]*END OF THE PART)", re.DOTALL)
CONSTRUCTS = frozenset(schemas.documents()["protocol.schema.json"]["$defs"]["construct"]["enum"])
DEBIAN_CRATES = Path("/usr/share/cargo/registry")
DEBIAN_GSON = Path("/usr/share/java/gson.jar")


@dataclass(frozen=True)
class Toolchain:
    """What builds an adapter: the tools it takes, and other commands than the README's, where these can't be had here.

    `fetches`: how many of the commands get packages. If one of them fails the language is skipped; else it's a fault.
    """

    tools: tuple[str, ...]
    source: str
    fetches: int = 0
    commands: Callable[[Path], Sequence[str]] | None = None


def cargo(folder: Path) -> Sequence[str]:
    """The README's, with a step before it that only gets the crates: Debian's, where they are installed."""
    if DEBIAN_CRATES.exists():
        configured = f'[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "{DEBIAN_CRATES}"\n'
        (folder / ".cargo").mkdir(exist_ok=True)
        (folder / ".cargo/config.toml").write_text(configured)
    return ["cargo fetch", *scaffold.commands(folder)]


def javac(folder: Path) -> Sequence[str]:
    """Without Maven, which would have to download its plugins: the compiler, with Debian's Gson."""
    if not DEBIAN_GSON.exists():
        pytest.skip(f"there is no {DEBIAN_GSON}; on Debian: apt-get install libgoogle-gson-java")
    build = f"javac -Xlint:all,-serial -Werror -cp {DEBIAN_GSON} -d target src/main/java/Adapter.java"
    return [build, f"antiphon conformance run --adapter 'java -cp target:{DEBIAN_GSON} Adapter'"]


def dotnet(folder: Path) -> Sequence[str]:
    """The .NET SDK's, or else Mono's compiler with the .NET runtime of the package `dotnetcore2`."""
    if shutil.which("dotnet"):
        return scaffold.commands(folder)
    spec = find_spec("dotnetcore2")
    if shutil.which("mcs") is None or spec is None or spec.origin is None:
        pytest.skip("there is no .NET SDK, nor both of Debian's mono-mcs and PyPI's dotnetcore2")
    runtime = Path(spec.origin).parent / "bin"
    (framework,) = (runtime / "shared/Microsoft.NETCore.App").iterdir()
    config = '{"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": "%s"}}}'
    (folder / "adapter.runtimeconfig.json").write_text(config % framework.name)
    references = " ".join(f"-r:{library}" for library in sorted(framework.glob("[Smn][yse]*.dll")))
    build = f"mcs -nostdlib -noconfig -out:adapter.dll {references} Adapter.cs"
    return [build, f"antiphon conformance run --adapter '{runtime}/dotnet exec {folder}/adapter.dll'"]


TOOLCHAINS = {
    Language.PYTHON: Toolchain((), "adapter.py"),
    Language.JAVASCRIPT: Toolchain(("node",), "adapter.mjs"),
    Language.TYPESCRIPT: Toolchain(("node", "npm"), "adapter.ts", fetches=1),
    Language.RUST: Toolchain(("cargo",), "src/main.rs", fetches=1, commands=cargo),
    Language.GO: Toolchain(("go",), "adapter.go"),
    Language.SWIFT: Toolchain(("swift",), "Sources/adapter/main.swift"),
    Language.JAVA: Toolchain(("javac",), "src/main/java/Adapter.java", commands=javac),
    Language.CSHARP: Toolchain((), "Adapter.cs", commands=dotnet),
    Language.CPP: Toolchain(("cmake", "c++"), "adapter.cpp", fetches=1),
}


def built(language: Language, folder: Path, monkeypatch: pytest.MonkeyPatch, part: str | None = None) -> ProcessAdapter:
    """The adapter of a language in a folder, written if it isn't there, perhaps with a part put in the marked place."""
    toolchain = TOOLCHAINS[language]
    missing = [tool for tool in toolchain.tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"there is no {', no '.join(missing)} here")
    if not folder.exists():
        scaffold.write(language, folder)
    if part is not None:
        connect(folder / toolchain.source, part)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
    *builds, run = (toolchain.commands or scaffold.commands)(folder)
    for number, command in enumerate(builds):
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=BUILD_SECONDS)
        if done.returncode != 0 and number < toolchain.fetches:
            pytest.skip(f"`{command}` can't get what it needs: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
        assert done.returncode == 0, done.stdout + done.stderr
    words = shlex.split(run)
    return ProcessAdapter(language.value, shlex.split(words[words.index("--adapter") + 1]), seconds=SECONDS)


def connect(source: Path, part: str) -> None:
    """Put a parser in the marked place."""
    text, count = YOURS.subn(lambda found: found[1] + part, source.read_text(encoding="utf-8"))
    assert count == 1, "the marks are there"
    source.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("language", list(Language), ids=str)
def test_a_new_adapter(language: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it's written it fails honestly; with a parser in the marked place it speaks the whole protocol."""
    folder = tmp_path / "new"
    it_fails_every_case_and_says_why(built(language, folder, monkeypatch))
    part = (CONNECTED / f"{language}.part").read_text(encoding="utf-8")
    connected_it_speaks_the_whole_protocol(built(language, folder, monkeypatch, part))


def it_fails_every_case_and_says_why(adapter: ProcessAdapter) -> None:
    """Also those that expect errors. Nothing crashes or hangs, and no case is counted as lacking something."""
    cases = [case for case in load_suite() if case.required and "lone-surrogate" not in case.full_id][::SOME]
    assert any(case.expect.error and case.expect.error.stage == "load" for case in cases)
    result = run_adapter(adapter, cases)
    assert result.hello is not None
    assert (result.hello.name, result.hello.version) == ("my-parser", "0.0.0")
    assert result.hello.capabilities == CONTENT_KINDS | CONSTRUCTS, "whoever takes some out has seen all of them"
    wrong = [found.case.full_id for found in result.cases if not _says_why(found.failure(Level.MESSAGE))]
    assert not wrong


def _says_why(failure: Any) -> bool:
    return failure is not None and "not-connected (load): no parser is connected yet" in failure.finding.reason


FIELDS = {"start_anchor": "<bot>", "fields": {"content": {}}}
NO_FIELDS = {"stage": "load", "kind": "missing-key", "pointer": "", "message": "there are no fields"}
HEAD = chunk("content", "ß")
PROTOCOL: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a message": (
        {"prefix": "ß", "chunks": ["é😀", "", "z"]},
        {
            "initial": [HEAD],
            "feeds": [[chunk("content", "é😀")], [], [chunk("content", "z")]],
            "final": [closed("content", "ßé😀z")],
            "message": {"content": "ßé😀z"},
        },
    ),
    "an error while feeding, with the events before it": (
        {"prefix": "ß", "chunks": ["y", "z!", "never"]},
        {
            "initial": [HEAD],
            "feeds": [[chunk("content", "y")], [chunk("content", "z")]],
            "error": {"stage": "feed", "kind": "int-syntax", "field": "content", "position": 1, "message": "a mark"},
        },
    ),
    "an error at the end": (
        {"chunks": ["", ""]},
        {
            "initial": [],
            "feeds": [[], []],
            "final": [],
            "error": {
                "stage": "finalize",
                "kind": "field-missing",
                "field": "content",
                "position": 0,
                "message": "there is nothing",
            },
        },
    ),
    "no prefix": (
        {"prefix": None},
        {
            "initial": [],
            "error": {"stage": "prefix", "kind": "prefix-missing", "position": 0, "message": "there is no prefix"},
        },
    ),
    "a refused template": ({"template": {"x": 1e300}}, {"error": NO_FIELDS}),
    "an unsupported option": ({"options": {"on_malformed": "event"}}, {"unsupported": "there is no such option"}),
    "a deep template": ({"template": json.loads('{"x": ' + "[" * 110 + "]" * 110 + "}")}, {"error": NO_FIELDS}),
}
HALF_AND_WHOLE = ("\ud800z", "\\ud800 \U0001f600")
"""The first has half of a surrogate pair: where strings can't hold it, that is told, and no other character comes."""


def connected_it_speaks_the_whole_protocol(adapter: ProcessAdapter) -> None:
    """Every outcome that a run can have, at every stage."""
    got, expected = {}, {}
    for number, (name, (request, result)) in enumerate(PROTOCOL.items(), 1):
        standard = {"type": "run", "id": number, "template": FIELDS, "prefix": "", "tools": None, "options": {}}
        answer = adapter.run({**standard, "chunks": [], **request})
        got[name], expected[name] = _told(answer), {"initial": [], "feeds": [], "final": [], **result}
    half, pair = (adapter.run({**standard, "id": 99, "chunks": [text]}) for text in HALF_AND_WHOLE)
    adapter.close()
    assert got == expected
    assert half.error.kind == "unreadable-request" if half.error else half.message == {"content": HALF_AND_WHOLE[0]}
    assert pair.message == {"content": HALF_AND_WHOLE[1]}


def _told(result: Result) -> dict[str, Any]:
    outcome = {"message": result.message, "unsupported": result.unsupported}
    if result.error is not None:
        outcome["error"] = {name: value for name, value in vars(result.error).items() if value is not None}
    feeds = [list(feed) for feed in result.feeds]
    events = {"initial": list(result.initial), "feeds": feeds, "final": list(result.final)}
    return {**events, **{name: value for name, value in outcome.items() if value is not None}}


@pytest.mark.parametrize("part", [None, "swift.part"])
def test_swift_is_without_errors_of_syntax(part: str | None, tmp_path: Path) -> None:
    """By a grammar, which there is where no compiler is; as it's written, and with a parser in the marked place."""
    scaffold.write(Language.SWIFT, tmp_path / "new")
    source = tmp_path / "new" / TOOLCHAINS[Language.SWIFT].source
    if part is not None:
        connect(source, (CONNECTED / part).read_text(encoding="utf-8"))
    text = source.read_text(encoding="utf-8")
    assert all(f'"{name}"' in text for name in CONTENT_KINDS | CONSTRUCTS)
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_swift.language()))
    for file in (source, tmp_path / "new/Package.swift"):
        assert not parser.parse(file.read_bytes()).root_node.has_error, file
    assert parser.parse(source.read_bytes() + b"}").root_node.has_error, "the grammar does tell"


def test_connected_to_the_reference_it_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = """
import antiphon


class Parser:
    def __init__(self, template, prefix, tools, options, patterns):
        try:
            loaded = antiphon.load_template(template)
            self.parser = antiphon.ResponseParser(loaded, prefix=prefix, tools=tools, **options)
        except antiphon.TemplateError as error:
            raise Refused(error.kind, str(error), error.pointer)
        except antiphon.ParseError as error:
            raise failed(error)
        self.initial_events = self.parser.initial_events

    def feed(self, text):
        try:
            return self.parser.feed(text)
        except antiphon.ParseError as error:
            raise failed(error)

    def finalize(self):
        try:
            return self.parser.finalize()
        except antiphon.ParseError as error:
            raise failed(error)


def failed(error):
    return Failed(error.kind, str(error), list(error.events), error.field, error.position)
"""
    adapter = built(Language.PYTHON, tmp_path / "new", monkeypatch, part)
    cases = [case for case in load_suite()[::SOME] if case.required]
    assert run_adapter(adapter, cases).conforms() is Level.PROMPT


def test_connected_to_the_port_it_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The port in JavaScript, whose patterns are translated for it."""
    port = resources.find("adapters/javascript/index.mjs")
    part = f'''
import {{ loadTemplate, ParseError, ResponseParser, TemplateError }} from "{port}";

class Parser {{
  constructor({{ template, prefix, tools, options, patterns }}) {{
    this.parser = translated(() => new ResponseParser(
      loadTemplate(template, patterns), {{ prefix, tools, onMalformed: options.on_malformed }}));
    this.initialEvents = this.parser.initialEvents;
  }}

  feed(text) {{
    return translated(() => this.parser.feed(text));
  }}

  finalize() {{
    return translated(() => this.parser.finalize());
  }}
}}

function translated(call) {{
  try {{
    return call();
  }} catch (error) {{
    if (error instanceof TemplateError && error.kind === "pattern-unavailable") throw new Unsupported(error.message);
    if (error instanceof TemplateError) throw new Refused(error.kind, error.message, error.pointer);
    if (!(error instanceof ParseError)) throw error;
    const {{ kind, message, events, field, position }} = error;
    throw new Failed(kind, message, events, ...(field === null ? [] : [field, position]));
  }}
}}
'''
    adapter = built(Language.JAVASCRIPT, tmp_path / "new", monkeypatch, part)
    source = Path("adapter.mjs")
    wanted = source.read_text().replace("dialect: null", 'dialect: "ecmascript"').replace('"grapheme", ', "")
    source.write_text(wanted)
    cases = [case for case in load_suite()[::SOME] if case.required]
    assert run_adapter(adapter, cases).conforms() is Level.PROMPT


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text("mine")
    with pytest.raises(BadInput, match=r"--to .*: isn't empty; name a folder"):
        scaffold.write(Language.PYTHON, tmp_path)
    with pytest.raises(BadInput, match="can't be written"):
        scaffold.write(Language.PYTHON, tmp_path / "adapter.py")
    assert [path.name for path in tmp_path.iterdir()] == ["adapter.py"]
    assert (tmp_path / "adapter.py").read_text() == "mine"


def test_the_command_tells_what_comes_next(tmp_path: Path) -> None:
    command = ["antiphon", "conformance", "new-adapter", "--language", "go", "--to", str(tmp_path / "my port")]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"})
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        *(f"{tmp_path}/my port/{name}" for name in ("README.md", "adapter.go", "go.mod")),
        "",
        "Connect your parser in the marked place. To build it and run the suite:",
        "",
        f"  cd '{tmp_path}/my port'",
        "  go build -o adapter .",
        "  antiphon conformance run --adapter ./adapter --level message --filter 'regions/*'",
    ]
