"""An installed Python of the version that Pyodide is built from: for its C headers, and to run pyodide-build in."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from runtime.pins import BuildFailed, pyodide

_ASK = """
import json, sys, sysconfig
print(json.dumps([sys.version_info[:2], sysconfig.get_path("include"), sysconfig.get_config_h_filename()]))
"""
_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Interpreter:
    """Its command, the folder with Python.h, and its pyconfig.h, which may lie elsewhere."""

    command: str
    headers: Path
    pyconfig: Path


def matching() -> Interpreter:
    """The first that has its headers. Raises BuildFailed."""
    version = pyodide().python.rpartition(".")[0]
    for command in _commands(version):
        found = _asked(command, version)
        if found:
            return found
    raise BuildFailed(f"there is no Python {version} with its C headers")


def _commands(version: str) -> Iterator[str]:
    yield sys.executable
    on_path = shutil.which(f"python{version}")
    if on_path:
        yield on_path
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for folder in sorted(pyenv.glob(f"versions/{version}.*"), reverse=True):
        yield str(folder / "bin" / "python")


def _asked(command: str, version: str) -> Interpreter | None:
    try:
        done = subprocess.run([command, "-c", _ASK], capture_output=True, text=True, check=True, timeout=_SECONDS)
        of_it, headers, pyconfig = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None  # such as pyenv's stand-in for a version that isn't chosen
    has_headers = (Path(headers) / "Python.h").exists() and Path(pyconfig).exists()
    if of_it != [int(part) for part in version.split(".")] or not has_headers:
        return None
    return Interpreter(command, Path(headers), Path(pyconfig))
