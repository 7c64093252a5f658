"""regex for Pyodide: the ways to get it, the check of what it imports, and its own tests."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
import zipfile
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import TCPServer

import pytest
from runtime import (
    archives,
    commands,
    downloads,
    interpreters,
    manifest,
    pins,
    pyodide_build,
    regex_wheel,
    signatures,
    zig,
)
from runtime.pins import BuildFailed

from web.runtime_parts import in_pyodide, needs_pyodide

I32, I64 = 0x7F, 0x7E
Type = tuple[Sequence[int], Sequence[int]]
REQUIREMENT = pins.pins().regex.requirement


# A WebAssembly module by hand: its types, its imports, its own functions (none has code that runs), its exports.


def vector(*items: bytes) -> bytes:
    return bytes([len(items)]) + b"".join(items)


def section(number: int, content: bytes) -> bytes:
    size = len(content)
    return bytes([number, size & 127 | 128, size >> 7]) + content


def name(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


def signature(parameters: Sequence[int], results: Sequence[int]) -> bytes:
    return b"\x60" + vector(*(bytes([one]) for one in parameters)) + vector(*(bytes([one]) for one in results))


def side_module(**functions: Type) -> bytes:
    """Imports the linker's things, a function's address, and these functions."""
    of_the_linker = [
        name("env") + name("memory") + b"\x02\x01\x01\x80\x02",
        name("env") + name("__indirect_function_table") + b"\x01\x70\x00\x01",
        name("env") + name("__memory_base") + b"\x03\x7f\x00",
        name("env") + name("__stack_pointer") + b"\x03\x7f\x01",
    ]
    imports = [name("env") + name(text) + bytes([0, index]) for index, text in enumerate(functions)]
    types = section(1, vector(*(signature(*one) for one in functions.values())))
    return b"\0asm\1\0\0\0" + section(0, name("note")) + types + section(2, vector(*of_the_linker, *imports))


def with_address_of(text: str, *, own: bool = False) -> bytes:
    """Imports a function's address; `own`: and exports a thing of that name."""
    imports = section(2, vector(name("GOT.func") + name(text) + b"\x03\x7f\x01"))
    return b"\0asm\1\0\0\0" + imports + (section(7, vector(name(text) + b"\x03\x00")) if own else b"")


MAIN = b"".join(
    [
        b"\0asm\1\0\0\0",
        section(1, vector(signature([], []), signature([I32, I64], [I32]))),
        section(2, vector(name("env") + name("elsewhere") + b"\x00\x00")),
        section(3, vector(b"\x01", b"\x00")),
        section(
            7, vector(*(name(text) + bytes([0, index]) for text, index in (("add", 1), ("stop", 2), ("again", 0))))
        ),
    ]
)


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        (side_module(add=([I32, I64], [I32]), stop=([], []), again=([], [])), []),
        (side_module(add=([I32, I32], [I32])), ["add is (i32, i32) -> (i32) here and (i32, i64) -> (i32) in Pyodide"]),
        (side_module(add=([I32, I64], [])), ["add is (i32, i64) -> () here and (i32, i64) -> (i32) in Pyodide"]),
        (side_module(multiply=([I32], [I32])), ["multiply (i32) -> (i32) isn't in Pyodide"]),
        (with_address_of("add"), []),
        (with_address_of("multiply"), ["multiply isn't in Pyodide"]),
        (with_address_of("multiply", own=True), []),
    ],
    ids=["fits", "another-parameter", "no-result", "missing", "address", "address-of-what-is-missing", "own-address"],
)
def test_each_function_has_to_be_in_the_main_module_with_the_same_signature(side: bytes, expected: list[str]) -> None:
    assert list(signatures.problems(side, MAIN)) == expected


@pytest.mark.parametrize("data", [b"", b"MZ\0\0", MAIN[:20], b"\0asm\1\0\0\0\1\4\1\x5f\0\0"])
def test_what_isn_t_such_a_module_is_refused(data: bytes) -> None:
    with pytest.raises(signatures.NotReadable):
        list(signatures.problems(data, MAIN))


@needs_pyodide
def test_pyodide_s_own_functions_are_known() -> None:
    right, wrong = side_module(PyLong_FromLong=([I32], [I32])), side_module(PyLong_FromLong=([I64], [I32]))
    assert regex_wheel.checked(right) == right
    with pytest.raises(BuildFailed, match=r"doesn't fit Pyodide: PyLong_FromLong is \(i64\) -> \(i32\) here"):
        regex_wheel.checked(wrong)


# The ways.


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing has been compiled before."""
    monkeypatch.setattr(regex_wheel, "KEPT", tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def source() -> Path:
    """regex's source archive."""
    try:
        return downloads.fetched(pins.pins().regex)
    except BuildFailed as failure:
        pytest.skip(str(failure))


def fails(source: Path) -> bytes:
    raise BuildFailed("there is no compiler")


def misfits(source: Path) -> bytes:
    return side_module(PyLong_FromLong=([I64], [I32]))


def fits(source: Path) -> bytes:
    return side_module(PyLong_FromLong=([I32], [I32]))


@needs_pyodide
def test_the_ways_are_tried_in_their_order_and_each_says_a_line(
    kept: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = {"one": fails, "another": misfits, "a third": fits, "a fourth": fails}
    assert regex_wheel.side_module(source, ways) == fits(source)
    assert regex_wheel.side_module(source, {}) == fits(source)
    first, second, *others = capsys.readouterr().out.splitlines()
    assert first == f"{REQUIREMENT}: not by one: there is no compiler"
    assert second.startswith(f"{REQUIREMENT}: not by another: what was compiled doesn't fit Pyodide: PyLong_FromLong")
    assert others == [f"{REQUIREMENT}: compiled by a third", f"{REQUIREMENT}: compiled before"]


@needs_pyodide
def test_without_any_way_the_kit_runs_on_re_and_that_is_said_in_a_line(
    kept: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheels = regex_wheel.built({"one": fails})
    assert wheels == {}
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"{REQUIREMENT}: it couldn't be compiled; the kit runs on Python's re, which lacks some constructs"
    ]
    assert json.loads(manifest.manifest({}, {}, sorted(wheels)))["engine"] == "re"


@needs_pyodide
def test_without_a_matching_python_there_is_no_way(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreters, "_commands", lambda version: iter(["/nowhere/python", sys.executable + "-not"]))
    for way in regex_wheel.WAYS.values():
        with pytest.raises(BuildFailed, match=r"there is no Python 3\.13 with its C headers"):
            way(source)


@needs_pyodide
def test_a_command_that_only_stands_for_a_python_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pyenv has one on the path for versions that aren't chosen."""
    shim, real = tmp_path / "python3.13", tmp_path / "real"
    (tmp_path / "Python.h").touch()
    shim.write_text("#!/bin/sh\necho 'command not found' >&2\nexit 127\n")
    real.write_text(f'#!/bin/sh\necho \'[[3, 13], "{tmp_path}", "{tmp_path}/Python.h"]\'\n')
    for command in (shim, real):
        command.chmod(0o755)
    monkeypatch.setattr(interpreters, "_commands", lambda version: iter(map(str, (shim, real))))
    assert interpreters.matching().command == str(real)


@pytest.fixture
def compiled(source: Path) -> bytes:
    """By Zig."""
    try:
        return zig.side_module(source)
    except BuildFailed as failure:
        pytest.skip(str(failure))


@needs_pyodide
def test_zig_s_module_fits_pyodide_and_is_the_same_every_time(compiled: bytes, source: Path) -> None:
    assert regex_wheel.checked(compiled) == zig.side_module(source)


@needs_pyodide
def test_regex_passes_its_own_tests_in_pyodide(source: Path, tmp_path: Path) -> None:
    """All but the one that starts threads, which there are none of in Pyodide."""
    wheels = regex_wheel.built()
    if not wheels:
        pytest.skip("regex couldn't be compiled for Pyodide")
    ((wheel, data),) = wheels.items()
    (tmp_path / wheel).write_bytes(data)
    folder = f"regex-{pins.pins().regex.version}/regex/tests"
    tests = archives.packed({"test_regex.py": downloads.members(source)[f"{folder}/test_regex.py"]})
    (tmp_path / "tests.zip").write_bytes(tests)
    (tmp_path / "run.py").write_text(OWN_TESTS)
    printed = in_pyodide(tmp_path / "run.py", tmp_path / wheel, tmp_path / "tests.zip")
    assert json.loads(printed.splitlines()[-1]) == {"run": 103, "failed": ["test_shared_iterators"]}


OWN_TESTS = """
import io, json, unittest
import test_regex
tests = unittest.defaultTestLoader.loadTestsFromModule(test_regex)
result = unittest.TextTestRunner(stream=io.StringIO()).run(tests)
failed = [test._testMethodName for test, _ in result.errors + result.failures]
assert "can't start new thread" in result.errors[0][1], result.errors
print(json.dumps({"run": result.testsRun, "failed": failed}))
"""


@needs_pyodide
def test_the_wheel_is_one() -> None:
    wheels = regex_wheel.built()
    if not wheels:
        pytest.skip("regex couldn't be compiled for Pyodide")
    ((wheel, data),) = wheels.items()
    version = pins.pins().regex.version
    assert wheel == f"regex-{version}-cp313-cp313-pyemscripten_2025_0_wasm32.whl"
    files = archives.unpacked(data)
    record = files[f"regex-{version}.dist-info/RECORD"].decode()
    assert {line.partition(",")[0] for line in record.splitlines()} == set(files)
    assert "regex/_regex.cpython-313-wasm32-emscripten.so" in files
    assert f"Version: {version}" in files[f"regex-{version}.dist-info/METADATA"].decode()
    assert f"regex-{version}.dist-info/licenses/LICENSE.txt" in files


# pyodide-build, as far as it goes without its downloads.


def test_a_host_that_doesn_t_answer_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyodide_build, "_ANSWER_WITHIN", 0.1)
    with TCPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as silent:
        assert not pyodide_build.reachable(f"http://127.0.0.1:{silent.server_address[1]}/")
    assert not pyodide_build.reachable("http://127.0.0.1:1/")


class Found(BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None: ...


def test_a_host_that_answers_is_reachable() -> None:
    with TCPServer(("127.0.0.1", 0), Found) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert pyodide_build.reachable(f"http://127.0.0.1:{server.server_address[1]}/")


PROGRAM = """#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
case "$1 $2" in
  "-m venv") mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; cp "$0" "$3/bin/pyodide" ;;
  "build "*) mkdir -p "$4"; cp "{wheel}" "$4" ;;
esac
"""


@needs_pyodide
def test_pyodide_build_is_installed_with_hashes_for_this_pyodide(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With programs that only note what they are asked."""
    wheel, python, log = tmp_path / "regex-1-cp313-cp313-any.whl", tmp_path / "python3.13", tmp_path / "log"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("regex/_regex.so", b"compiled")
    python.write_text(PROGRAM.format(log=log, wheel=wheel))
    python.chmod(0o755)
    monkeypatch.setattr(pyodide_build, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(pyodide_build, "reachable", lambda url: True)
    monkeypatch.setattr(interpreters, "matching", lambda: interpreters.Interpreter(str(python), tmp_path, tmp_path))
    assert pyodide_build.side_module(source) == b"compiled"
    venv, install, environment, build = log.read_text().splitlines()
    assert venv.startswith("python3.13 -m venv")
    assert "--require-hashes" in install and "pyodide-build.txt" in install
    assert environment == f"pyodide xbuildenv install {pins.pyodide().version}"
    assert re.fullmatch(rf"pyodide build \S+/regex-{pins.pins().regex.version} --outdir \S+", build)


@needs_pyodide
def test_a_program_that_takes_too_long_is_ended_with_all_that_it_has_started(tmp_path: Path) -> None:
    script = tmp_path / "slow"
    script.write_text(f"#!/bin/sh\nsleep 60 & echo $! > {tmp_path}/child; wait\n")
    script.chmod(0o755)
    with pytest.raises(BuildFailed, match="`slow now` took too long"):
        commands.run([str(script), "now"], 0.5)
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if ended(child):
            break
        time.sleep(0.1)
    assert ended(child)


def ended(process: int) -> bool:
    """It may be left as a zombie, where nobody asks what became of it."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True
