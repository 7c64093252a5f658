"""What the tests of the runtime have in common: whether Pyodide and Node.js are there, and a script run in both."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from runtime import pins

HERE = Path(__file__).parent
SECONDS = 300

needs_pyodide = pytest.mark.skipif(
    not (pins.PYODIDE / "package.json").exists() or shutil.which("node") is None,
    reason="there is no Pyodide, or no Node.js to run it; `make web` says why",
)


def in_pyodide(script: Path, *archives: Path, library: Path = pins.PYODIDE / "python_stdlib.zip") -> str:
    """What a script prints in Pyodide, with these archives in its site-packages, and this standard library."""
    command: Iterable[str | Path] = ["node", HERE / "pyodide.mjs", pins.PYODIDE, library, script, *archives]
    done = subprocess.run([*command], capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
