"""Getting the engines that are missing: PyPI packages into this environment, Debian packages where that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from engines.catalogue import ENGINES, presence

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
SECONDS = 600


def install() -> Iterator[str]:
    """Tries to install what is missing; yields a line for each thing that can't be had. Never raises for that."""
    for requirement in tomllib.loads(PYPROJECT.read_text("utf-8"))["dependency-groups"]["engines"]:
        if not _runs([sys.executable, "-m", "pip", "install", "--quiet", requirement]):
            yield f"{requirement} couldn't be installed from PyPI"
    missing = [engine for engine in ENGINES if presence(engine.name).version is None]
    packages = [engine.package.removeprefix("Debian ") for engine in missing if engine.package.startswith("Debian ")]
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        _runs(["apt-get", "update", "--quiet"])
        for package in packages:
            if not _runs(["apt-get", "install", "--quiet", "--yes", "--no-install-recommends", package]):
                yield f"{package} couldn't be installed from Debian"
    elif packages:
        yield f"with rights to install packages: apt-get install {' '.join(packages)}"
    presence.cache_clear()


def _runs(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
