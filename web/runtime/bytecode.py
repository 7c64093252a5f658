"""Python modules compiled by the Python that will load them: Pyodide's, run by Node.

Bytecode starts faster than source, and is found in place of it: `module.pyc` where `module.py` would be. Scripts that
are run by their path, since no package has them, stay source.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path, PurePosixPath
from typing import Final

from runtime.archives import Files, digest, digest_of_files, packed, unpacked
from runtime.commands import run
from runtime.pins import KEPT, WEB, pyodide

_SCRIPT: Final = Path(__file__).with_suffix(".mjs")
_SECONDS: Final = 600
_ENOUGH: Final = 12  # archives that are kept


def compiled(files: Files, *, bare: bool = False) -> dict[str, bytes]:
    """The same files, with bytecode for each Python module; bare of docstrings and assertions. Raises BuildFailed."""
    level = "2" if bare else "0"
    modules = {name: data for name, data in files.items() if _is_imported(name, files)}
    others = {name: data for name, data in files.items() if name not in modules}
    key = digest(pyodide().version, level, _SCRIPT.read_bytes(), digest_of_files(modules))
    kept = KEPT / "bytecode" / f"{key}.zip"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            os.replace(_compile(modules, Path(folder), level), kept)
        _forget_old(kept.parent)
    os.utime(kept)  # what is used is forgotten last
    return {**others, **unpacked(kept.read_bytes())}


def _forget_old(folder: Path) -> None:
    """Each edit of the kit leaves an archive."""
    for archive in sorted(folder.glob("*.zip"), key=lambda path: path.stat().st_mtime)[:-_ENOUGH]:
        archive.unlink(missing_ok=True)


def _is_imported(name: str, files: Files) -> bool:
    path = PurePosixPath(name)
    return path.suffix == ".py" and (len(path.parts) == 1 or str(path.with_name("__init__.py")) in files)


def _compile(modules: Files, folder: Path, level: str) -> Path:
    sources, made = folder / "sources.zip", folder / "compiled.zip"
    sources.write_bytes(packed(modules, compressed=False))
    run(["node", str(_SCRIPT), str(sources), str(made), level], _SECONDS, WEB)
    return made
