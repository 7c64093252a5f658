"""The runtime of the page: its manifest, what is in its archives, and that it comes out the same every time."""

from __future__ import annotations

import hashlib
import io
import json
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from antiphon_web import bridge
from runtime import __main__ as build
from runtime import archives, bytecode, contents, downloads, manifest, pins

from web.runtime_parts import in_pyodide, needs_pyodide

pytestmark = needs_pyodide
VERSION = tomllib.loads((contents.ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
CORE = {"pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"}


@pytest.fixture
def built() -> Path:
    """The folder of the built runtime."""
    if not (build.TARGET / manifest.NAME).exists():
        pytest.skip("the runtime isn't built; `make web` does that")
    return build.TARGET


def told(folder: Path) -> Any:
    return json.loads((folder / manifest.NAME).read_text("utf-8"))


def test_the_manifest_tells_what_lies_beside_it(built: Path) -> None:
    document = told(built)
    found = {path.name: path.read_bytes() for path in built.iterdir() if path.name != manifest.NAME}
    assert document["files"] == [
        {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in sorted(found.items())
    ]
    assert set(found) == CORE | {"gallery.json", *document["archives"].values(), *document["wheels"]}


def test_the_manifest_tells_which_regex_engine_there_is() -> None:
    names = ("engine", "regex", "wheels")
    with_regex, without = json.loads(manifest.manifest({}, {}, ["a.whl"])), json.loads(manifest.manifest({}, {}, []))
    assert [with_regex[name] for name in names] == ["regex", pins.pins().regex.version, ["a.whl"]]
    assert [without[name] for name in names] == ["re", None, []]


def test_pyodide_is_the_pinned_one_with_its_hash() -> None:
    asked = json.loads((pins.WEB / "package.json").read_text("utf-8"))["devDependencies"]["pyodide"]
    locked = json.loads((pins.WEB / "package-lock.json").read_text("utf-8"))["packages"]["node_modules/pyodide"]
    assert asked == locked["version"] == pins.pyodide().version
    assert locked["integrity"].startswith("sha512-")


def test_the_kit_is_whole_but_for_what_has_no_place_in_a_browser() -> None:
    kit = contents.kit()
    assert {"antiphon/parser.py", "antiphon_web/bridge.py", "antiphon/SPEC.md"} <= set(kit)
    assert "antiphon_conformance/schema/report.schema.json" in kit
    assert not {"antiphon_conformance/cli.py", "antiphon_web/serving.py"} & set(kit)
    assert [name for name in kit if "/commands/" in name or "__pycache__" in name or "/." in name] == []


def test_the_suite_is_apart_and_the_kit_knows_only_its_version() -> None:
    suite = contents.suite()
    cases = {f"antiphon_conformance/{path}" for path in relative("suite/**/*.json")}
    assert cases <= set(suite)
    assert [name for name in contents.kit() if "/suite/" in name] == ["antiphon_conformance/suite/suite.json"]


def relative(pattern: str) -> list[str]:
    folder = contents.ROOT / "conformance"
    return [path.relative_to(folder).as_posix() for path in folder.glob(pattern)]


def test_what_is_left_out_is_there_to_be_left_out() -> None:
    """A place that has been renamed would come into the browser unnoticed."""
    kit, library = contents.told()["kit"], contents.told()["standard_library"]
    files = dict(contents.placed(kit["files"]))
    assert [place for place in kit["without"] if not any(Path(name).is_relative_to(place) for name in files)] == []
    modules = archives.unpacked((pins.PYODIDE / "python_stdlib.zip").read_bytes())
    assert set(library["without"].split()) <= {Path(name).parts[0].removesuffix(".py") for name in modules}


EACH = """
import importlib, pathlib, site, sys
root = pathlib.Path(site.getsitepackages()[0])
for path in sorted(root.rglob("*.pyc")):
    importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"))
print(sys.modules["antiphon.engine"].ENGINE, *sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_each_module_can_be_imported_in_pyodide(built: Path, tmp_path: Path) -> None:
    """What they import of the standard library and of other packages hasn't been left out; and regex is found."""
    (tmp_path / "each.py").write_text(EACH)
    document = told(built)
    inside = [built / name for name in (document["archives"]["kit"], *document["wheels"])]
    engine, *names = in_pyodide(tmp_path / "each.py", *inside, library=built / "python_stdlib.zip").split()
    assert engine == document["engine"]
    assert {"antiphon", "antiphon_conformance", "antiphon_portability", "antiphon_web", "jinja2"} <= set(names)


CALLED = """
import importlib.metadata, json, sys
from antiphon_web import bridge

field = {"open": "<n>", "close_pattern": "</n+>", "content": "int"}
template = json.dumps({"start_anchor": "<bot>", "fields": {"n": field}})
stream = {"template": template, "prefix": "<bot>", "text": "<n>5</n>", "tools": "", "on_malformed": "raise"}
chat = "{% for m in messages %}<bot>{{ m.content|e }}{% endfor %}"

def ask(call, **request):
    answer = json.loads(bridge.call(call, json.dumps(request)))
    print(call, "ok" if "ok" in answer else answer)
    return answer.get("ok", {})

ask("versions")
ask("parse", **stream, chunks=["<n>5", "</n>"])
ask("trace", **stream, milliseconds=100)
ask("cuts", **stream, milliseconds=100, **{"from": 0})
ask("table", template=template, dialect="ecmascript")
number = ask("parser_new", **{name: stream[name] for name in ("template", "prefix", "tools", "on_malformed")})["parser"]
ask("parser_feed", parser=number, text="<n>5</n>")
ask("parser_message", parser=number)
ask("parser_finalize", parser=number)
ask("parser_free", parser=number)
ask("check", template=template, tools="", chat_template=chat, special_tokens={})
ask("case", **stream, id="mine", description="Mine.")
ask("open", source=template, name="template.json")
ask("write_config", source="{}", name="tokenizer_config.json", template=template)
ask("translations", template=template, milliseconds=100, **{"from": 0})
ask("search", pattern="</n+>", text="5</nn>")
derived = ask("derive", chat_template=chat, dialect="lenient")
ask("round_trip", chat_template=chat, dialect="hugging-face", template=derived["template"])
cases = ask("suite")["cases"]
ask("describe", case=cases[0]["id"], clauses=["DUE-1"])
ask("requests", case=cases[0]["id"], hello=HELLO, seed=1, number=1)
ask("judge", case=cases[0]["id"], hello=HELLO, seed=1, number=1, answers=[], failure="timed out")
result = ask("run", case=cases[0]["id"], seed=1)
about = {"adapter": "reference", "hello": None, "seed": 1, "level": "prompt", "filter": [], "seconds": 1.0}
report = ask("report", **about, results=[result], asked=[cases[0]["id"]], interrupted=False)
print("markupsafe", importlib.metadata.version("antiphon"), sys.modules["markupsafe"].escape.__module__)
"""


def test_each_call_is_answered_in_pyodide(built: Path, tmp_path: Path) -> None:
    """With all data, and what is imported only when it is needed."""
    about = {"name": "mine", "version": "1", "language": "JavaScript", "contents": ["text", "json"], "features": []}
    hello = {"type": "hello", "protocol": 1, **about}
    (tmp_path / "called.py").write_text(f"HELLO = {hello!r}\n{CALLED}")
    document = told(built)
    inside = [built / name for name in (*document["archives"].values(), *document["wheels"])]
    printed = in_pyodide(tmp_path / "called.py", *inside, library=built / "python_stdlib.zip").splitlines()
    assert printed[-1] == f"markupsafe {VERSION} markupsafe"
    assert printed[:-1] == [f"{name} ok" for name in [line.split()[0] for line in printed[:-1]]]
    assert {line.split()[0] for line in printed[:-1]} == set(bridge.CALLS)


VERSIONS = """
from antiphon_web import bridge
print(bridge.call("versions", "{}"))
"""


def test_without_the_wheel_the_kit_runs_on_re(built: Path, tmp_path: Path) -> None:
    (tmp_path / "versions.py").write_text(VERSIONS)
    kit, library = built / told(built)["archives"]["kit"], built / "python_stdlib.zip"
    assert json.loads(in_pyodide(tmp_path / "versions.py", kit, library=library))["ok"]["engine"] == "re"


def test_an_archive_s_bytes_depend_on_nothing_but_its_files() -> None:
    files = {"b.txt": b"2", "a/c.txt": b"3", "a.txt": b"1"}
    made = archives.packed(files)
    assert archives.packed(dict(reversed(files.items()))) == made
    assert archives.unpacked(made) == files
    with zipfile.ZipFile(io.BytesIO(made)) as opened:
        assert [(entry.filename, entry.date_time) for entry in opened.infolist()] == [
            (name, (1980, 1, 1, 0, 0, 0)) for name in sorted(files)
        ]


MODULES = {
    "package/__init__.py": b"",
    "package/module.py": b'def f():\n    """More."""\n',
    "script.py": b"print(1)\n",
    "scripts/script.py": b"print(2)\n",
    "package/data.json": b"{}",
}


@pytest.mark.parametrize("bare", [False, True])
def test_modules_become_bytecode_and_what_else_there_is_stays(
    bare: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bytecode, "KEPT", tmp_path)
    made = bytecode.compiled(MODULES, bare=bare)
    assert set(made) == {
        "package/__init__.pyc",
        "package/module.pyc",
        "script.pyc",
        "scripts/script.py",
        "package/data.json",
    }
    assert (b"More." in made["package/module.pyc"]) is not bare


def test_what_can_t_be_compiled_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode, "KEPT", tmp_path)
    with pytest.raises(pins.BuildFailed, match=r'File "broken\.py", line 1.*SyntaxError'):
        bytecode.compiled({"broken.py": b"def"})


def test_the_whole_comes_out_the_same_when_nothing_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for regex, which is compiled twice in another test."""
    first = build.runtime()
    monkeypatch.setattr(bytecode, "KEPT", tmp_path)
    second = build.runtime()
    assert [name for name in first if first[name] != second.get(name)] == []


def test_a_folder_is_brought_up_to_date(tmp_path: Path) -> None:
    build.write({"a": b"1", "b": b"2"}, tmp_path / "runtime")
    kept = (tmp_path / "runtime" / "a").stat().st_mtime_ns
    build.write({"a": b"1", "c": b"3"}, tmp_path / "runtime")
    assert {path.name: path.read_bytes() for path in (tmp_path / "runtime").iterdir()} == {"a": b"1", "c": b"3"}
    assert (tmp_path / "runtime" / "a").stat().st_mtime_ns == kept


def test_a_download_that_isn_t_the_pinned_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "KEPT", tmp_path)
    pin = pins.pins().packages[0]
    with pytest.raises(pins.BuildFailed, match=f"{pin.requirement} can't be had from PyPI: .*HASHES"):
        downloads.fetched(pins.Pin(pin.requirement, ("0" * 64,)))
    kept = tmp_path / "downloads" / pin.requirement
    assert list(kept.iterdir()) == []


def test_a_failure_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pins.pyodide.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(pins, "PYODIDE", tmp_path)
        assert build.main() == 1
    assert capsys.readouterr().err == "The runtime wasn't built: Pyodide isn't there; run `npm ci` in web/\n"
