"""mrab's `regex` as a wheel for Pyodide, from the pinned source archive; or none, and the kit runs on Python's `re`.

The ways to get it are tried in order, and each says in one line what came of it. What has been compiled is kept, by all
that it depends on. No module is packed that Pyodide couldn't call (`signatures`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from runtime import bytecode, downloads, pyodide_build, signatures, zig
from runtime.archives import Files, digest, packed, wheel
from runtime.pins import KEPT, PYODIDE, BuildFailed, pins, pyodide

# How to get `_regex.so` from regex's source archive.
Way = Callable[[Path], bytes]
WAYS: Final[Mapping[str, Way]] = {
    "pyodide-build with its own downloads": pyodide_build.side_module,
    "Zig from PyPI": zig.side_module,
}


def built(ways: Mapping[str, Way] = WAYS) -> dict[str, bytes]:
    """The wheel by its name, with bytecode in it; empty, if it can't be had. Prints a line for each way tried."""
    try:
        source = downloads.fetched(pins().regex)
        module = side_module(source, ways)
    except BuildFailed as failure:
        print(f"{pins().regex.requirement}: {failure}; the kit runs on Python's re, which lacks some constructs")
        return {}
    return {f"regex-{pins().regex.version}-{pyodide().wheel_tag}.whl": packed(_files(source, module))}


def side_module(source: Path, ways: Mapping[str, Way]) -> bytes:
    """The compiled part of regex: that which is kept, or by the first way that works. Raises BuildFailed."""
    kept = KEPT / "regex" / f"{_key(source)}.so"
    if kept.exists():
        print(f"{pins().regex.requirement}: compiled before")
        return kept.read_bytes()
    for name, way in ways.items():
        try:
            module = checked(way(source))
        except BuildFailed as failure:
            print(f"{pins().regex.requirement}: not by {name}: {failure}")
            continue
        print(f"{pins().regex.requirement}: compiled by {name}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.with_suffix(f".{os.getpid()}").write_bytes(module)
        os.replace(kept.with_suffix(f".{os.getpid()}"), kept)
        return module
    raise BuildFailed("it couldn't be compiled")


def checked(module: bytes) -> bytes:
    """The same module, if all that it imports is in Pyodide, with the same signatures. Raises BuildFailed."""
    try:
        found = list(signatures.problems(module, (PYODIDE / "pyodide.asm.wasm").read_bytes()))
    except signatures.NotReadable as error:
        raise BuildFailed(str(error)) from None
    if found:
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        raise BuildFailed(f"what was compiled doesn't fit Pyodide: {found[0]}{more}")
    return module


def _key(source: Path) -> str:
    scripts = [
        (Path(__file__).parent / name).read_bytes() for name in ("pyodide-build.txt", "pyodide_build.py", "zig.py")
    ]
    return digest(source.read_bytes(), pyodide().version, pins().compiler.requirement, *scripts)


def _files(source: Path, module: bytes) -> Files:
    """What is in the wheel: what regex's own build would put there, but bytecode in place of sources."""
    tag, version = pyodide().wheel_tag, pins().regex.version
    top, sources = PurePosixPath(f"regex-{version}"), downloads.members(source)
    modules = {
        str(PurePosixPath(path).relative_to(top)): data
        for path, data in sources.items()
        if PurePosixPath(path).parent == top / "regex" and path.endswith(".py")
    }
    compiled = f"regex/_regex.cpython-{pyodide().python_tag.removeprefix('cp')}-wasm32-emscripten.so"
    about = {"METADATA": sources[f"{top}/PKG-INFO"], "licenses/LICENSE.txt": sources[f"{top}/LICENSE.txt"]}
    return wheel({**bytecode.compiled(modules), compiled: module}, "regex", version, tag, about)
