"""`python -m runtime`: fills `build/public/runtime/`, and says in a few lines what is in it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from runtime import bytecode, contents, manifest, regex_wheel
from runtime.archives import Files, packed
from runtime.commands import run
from runtime.pins import KEPT, PYODIDE, WEB, BuildFailed, pyodide

TARGET: Final = KEPT / "public" / "runtime"
_SECONDS: Final = 300
_CORE: Final = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
_ARCHIVES: Final = {"kit": "antiphon.zip", "suite": "suite.zip"}


def main() -> int:
    try:
        print(f"Pyodide {pyodide().version}, which is Python {pyodide().python}")
        files = runtime()
    except BuildFailed as failure:
        print(f"The runtime wasn't built: {failure}", file=sys.stderr)
        return 1
    write(files, TARGET)
    megabytes = sum(map(len, files.values())) / 1e6
    print(f"The runtime is built: {len(files)} files, {megabytes:.1f} MB, in {TARGET.relative_to(WEB)}")
    return 0


def runtime() -> dict[str, bytes]:
    """The runtime's files by their names; prints what becomes of regex. Raises BuildFailed."""
    wheels = regex_wheel.built()
    kit = bytecode.compiled(contents.kit()) | bytecode.compiled(contents.packages(), bare=True)
    files = {
        **{name: (PYODIDE / name).read_bytes() for name in _CORE},
        "pyodide-lock.json": _lock(),
        "python_stdlib.zip": packed(bytecode.compiled(contents.standard_library(), bare=True)),
        _ARCHIVES["kit"]: packed(kit),
        _ARCHIVES["suite"]: packed(contents.suite()),
        "gallery.json": _gallery(),
        **wheels,
    }
    return {**files, manifest.NAME: manifest.manifest(files, _ARCHIVES, sorted(wheels))}


def _lock() -> bytes:
    """Pyodide's list of packages without any: those are of another place, and ours are known to the manifest."""
    info = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]
    return json.dumps({"info": info, "packages": {}}, sort_keys=True).encode()


def _gallery() -> bytes:
    """The examples that the playground offers, as the kit chooses them. Raises BuildFailed."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "gallery.json"
        run([sys.executable, "-m", "antiphon_web.gallery", str(made)], _SECONDS, WEB)
        return made.read_bytes()


def write(files: Files, target: Path) -> None:
    """Makes these the files of a folder. Each is replaced as a whole, so that a server may go on reading."""
    target.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        if not (target / name).exists() or (target / name).read_bytes() != data:
            with tempfile.NamedTemporaryFile(dir=target, delete=False) as file:
                file.write(data)
            os.chmod(file.name, 0o644)
            os.replace(file.name, target / name)
    for path in target.iterdir():
        if path.name not in files:
            path.unlink()


if __name__ == "__main__":
    sys.exit(main())
