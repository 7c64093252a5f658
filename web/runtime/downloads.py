"""Pinned packages from PyPI, as pip downloads them: checked by their hashes, and kept in `build/downloads`."""

from __future__ import annotations

import hashlib
import os
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from runtime.archives import unpacked
from runtime.commands import run
from runtime.pins import KEPT, BuildFailed, Pin

_SECONDS: Final = 600


def fetched(pin: Pin) -> Path:
    """The package's file, a wheel or a source archive: that whose hash is pinned. Raises BuildFailed."""
    folder = KEPT / "downloads" / pin.requirement
    files = [file for file in folder.glob("*") if hashlib.sha256(file.read_bytes()).hexdigest() in pin.sha256]
    try:
        return files[0] if files else _download(pin, folder)
    except BuildFailed as failure:
        raise BuildFailed(f"{pin.requirement} can't be had from PyPI: {failure}") from None


def _download(pin: Pin, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        listed, target = Path(place) / "requirements.txt", Path(place) / "files"
        listed.write_text(" ".join([pin.requirement, *(f"--hash=sha256:{value}" for value in pin.sha256)]), "utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
        run([*pip, "--dest", str(target), "--requirement", str(listed)], _SECONDS)
        (file,) = target.iterdir()
        os.replace(file, folder / file.name)
    return folder / file.name


def members(file: Path) -> dict[str, bytes]:
    """The files of a wheel or of a source archive, by their paths."""
    if file.suffix == ".whl":
        return unpacked(file.read_bytes())
    with tarfile.open(file) as archive:
        opened = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
        return {name: data.read() for name, data in opened.items() if data is not None}
