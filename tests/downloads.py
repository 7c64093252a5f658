"""Published packages that tests read as data: fetched by pip once, kept in build/downloads, and never installed.

Not for packages that tests run: those are in pyproject.toml. What can't be fetched is Unavailable, and its tests skip.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Final

TRL: Final = "trl==1.16.0"
LLAMA_CPP: Final = "llama-cpp-python==0.3.36"
KEPT: Final = Path(__file__).parents[1] / "build" / "downloads"
_SECONDS: Final = 300
_LLAMA_TEMPLATES: Final = "/vendor/llama.cpp/models/templates/"


class Unavailable(Exception):
    """A package that can't be had here, and why."""


def trl_wheel() -> Path:
    """Raises Unavailable."""
    wheel = KEPT / f"trl-{TRL.partition('==')[2]}-py3-none-any.whl"
    if not wheel.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as folder:
            os.replace(_downloaded(TRL, Path(folder), wheel.name), wheel)
    return wheel


@cache
def trl_chat_templates() -> dict[str, str]:
    """The text of each file in trl/chat_templates, by its name. Raises Unavailable."""
    with zipfile.ZipFile(trl_wheel()) as wheel:
        paths = [Path(name) for name in wheel.namelist() if name.endswith(".jinja")]
        return {path.name: wheel.read(path.as_posix()).decode("utf-8") for path in paths}


@cache
def llama_chat_templates() -> dict[str, str]:
    """The text of each file in llama.cpp's models/templates, by its name. Raises Unavailable.

    The source archive is big, so only these files are kept of it.
    """
    kept = KEPT / f"{LLAMA_CPP.replace('==', '-')}-chat-templates.zip"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        name = f"{LLAMA_CPP.replace('-', '_').replace('==', '-')}.tar.gz"
        with tempfile.TemporaryDirectory(dir=KEPT) as folder:
            _repack(_downloaded(LLAMA_CPP, Path(folder), name, "--no-binary", ":all:"), Path(folder) / kept.name)
            os.replace(Path(folder) / kept.name, kept)
    with zipfile.ZipFile(kept) as archive:
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}


def _repack(source: Path, target: Path) -> None:
    with tarfile.open(source) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as kept:
        for member in archive:
            if _LLAMA_TEMPLATES in member.name and member.name.endswith(".jinja"):
                file = archive.extractfile(member)
                assert file is not None
                kept.writestr(Path(member.name).name, file.read())


def _downloaded(requirement: str, folder: Path, name: str, *options: str) -> Path:
    """The file `name` in the folder, as pip downloads it. Raises Unavailable."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *options]
    try:
        done = subprocess.run(
            [*pip, "--dest", str(folder), requirement], capture_output=True, text=True, check=False, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{requirement} couldn't be downloaded in time") from None
    if done.returncode or not (folder / name).exists():
        raise Unavailable(f"{requirement} couldn't be downloaded")
    return folder / name
