"""Compiles regex with nothing but PyPI's packages: Zig's Clang and its C headers, and an installed Python's headers.

A side module imports all its C functions from Pyodide's main module, so no C library is needed, only declarations of a
machine with 32-bit pointers. What could be wrong about those is found by `signatures`.
"""

from __future__ import annotations

import re
import runpy
import shutil
import stat
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from runtime import downloads, interpreters
from runtime.archives import unpacked
from runtime.commands import run
from runtime.interpreters import Interpreter
from runtime.pins import KEPT, PYODIDE, pins

UNITS: Final = ("_regex", "_regex_unicode")
_C_LIBRARY: Final = ("lib/libc/include/x86-linux-musl", "lib/libc/include/generic-musl", "lib/include")
_NEEDED: Final = ("zig", "zig.exe", *_C_LIBRARY)
_COMPILE: Final = (
    *("--target=wasm32-unknown-emscripten", "-fPIC", "-fvisibility=hidden", "-O2", "-g0", "-DNDEBUG"),
    *("-fno-strict-overflow", "-nostdinc"),
)
_LINK: Final = (
    *("-shared", "--experimental-pic", "--no-entry", "--unresolved-symbols=import-dynamic"),
    *("--export-if-defined=PyInit__regex", "--strip-all", "-O2"),
)
_OWN: Final = {"SOURCE_DATE_EPOCH": "315532800", "ZIG_LOCAL_CACHE_DIR": "zig-cache"}
_SECONDS: Final = 300


def side_module(source: Path) -> bytes:
    """`_regex.so` from regex's source archive. Raises BuildFailed."""
    python = interpreters.matching()
    package = downloads.fetched(pins().compiler)
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as name:
        place = Path(name)
        compiler = _unpack(package, place)
        headers = _headers(python, place)
        for path, data in downloads.members(source).items():
            if path.endswith((".c", ".h")):
                (place / Path(path).name).write_bytes(data)
        return _built(compiler, headers, place)


def _unpack(package: Path, place: Path) -> Path:
    """The compiler's folder; only what is needed of its wheel, which is big."""
    with zipfile.ZipFile(package) as wheel:
        for entry in wheel.infolist():
            inside = entry.filename.removeprefix("ziglang/")
            if any(inside == needed or inside.startswith(f"{needed}/") for needed in _NEEDED):
                wheel.extract(entry, place)
    folder = place / "ziglang"
    for program in folder.glob("zig*"):
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return folder


def _headers(python: Interpreter, place: Path) -> Path:
    """Python's headers with Pyodide's configuration."""
    headers = place / "include"
    shutil.copytree(python.headers, headers)
    (headers / "pyconfig.h").write_text(pyconfig(python.pyconfig.read_text("utf-8")), "utf-8")
    return headers


def pyconfig(pattern: str) -> str:
    """Pyodide's pyconfig.h: the names of another one of the same version, with the values that Pyodide knows."""
    with tempfile.TemporaryDirectory() as name:
        files = unpacked((PYODIDE / "python_stdlib.zip").read_bytes())
        (found,) = [path for path in files if path.startswith("_sysconfigdata")]
        file = Path(name) / "sysconfigdata.py"
        file.write_bytes(files[found])
        values = runpy.run_path(str(file))["build_time_vars"]
    names = sorted(set(re.findall(r"^\s*(?:/\*\s*)?#\s*(?:define|undef)\s+([A-Za-z_]\w*)", pattern, re.MULTILINE)))
    lines = [f"#define {name} {values[name]}" for name in names if values.get(name) not in (None, "", 0, "0")]
    return "\n".join(["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H", *lines, "#endif", ""])


def _built(compiler: Path, headers: Path, place: Path) -> bytes:
    def zig(*arguments: str) -> None:
        run([str(compiler / "zig"), *arguments], _SECONDS, place, _OWN | {"ZIG_GLOBAL_CACHE_DIR": str(place)})

    includes = [f"-isystem{compiler / folder}" for folder in _C_LIBRARY]
    options = [*_COMPILE, *includes, f"-I{headers}", f"-ffile-prefix-map={place}=."]
    for unit in UNITS:
        zig("clang", *options, "-c", f"{unit}.c", "-o", f"{unit}.o")
    zig("wasm-ld", *_LINK, *(f"{unit}.o" for unit in UNITS), "-o", "_regex.so")
    return (place / "_regex.so").read_bytes()
