"""Puts vLLM's parser of response templates into this environment, without vLLM: `python fetch.py VERSION`.

The wheel holds kernels for GPUs and weighs some 300 megabytes; the parser is four files that need nothing but `regex`.
So only these are read out of the wheel, where the index allows that; else the wheel is downloaded, and left behind.
The parser is the same on all systems, so it's taken out of the wheel for Linux on x86-64 everywhere.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname
from zipfile import ZipFile

from remotezip import RemoteZip, RemoteZipError
from requests import RequestException

PARSER = "vllm/parser/chat_parsing/"
WHEEL_OF = ["--only-binary=:all:", "--no-deps", "--platform=manylinux_2_28_x86_64", "--disable-pip-version-check"]


def main(version: str) -> None:
    """Ends with one line on standard error if there is no such release, or no parser in it."""
    with open_wheel(f"vllm=={version}") as wheel:
        members = [name for name in wheel.namelist() if name.startswith(PARSER)]
        if not members:
            sys.exit(f"there is no {PARSER} in its wheel")
        # The metadata too, so that the adapter can ask for the version.
        about = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        wheel.extractall(sysconfig.get_path("purelib"), members + about)


@contextlib.contextmanager
def open_wheel(requirement: str) -> Iterator[ZipFile]:
    """The wheel that pip would install, read from where it lies."""
    url = find_wheel(requirement)
    if url.startswith("file:"):
        with ZipFile(url2pathname(urlparse(url).path)) as wheel:
            yield wheel
        return
    try:
        remote = RemoteZip(url)
    except (RemoteZipError, RequestException):  # no ranges, or pip reaches the index by a way that is only pip's
        with tempfile.TemporaryDirectory() as folder, ZipFile(download(requirement, folder)) as wheel:
            yield wheel
    else:
        with remote as wheel:
            yield wheel


def find_wheel(requirement: str) -> str:
    """The wheel's URL, by pip's configuration. With `fast-deps` pip doesn't download it to find that out."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        dry = ["--dry-run", "--ignore-installed", "--use-feature=fast-deps", f"--target={folder}"]
        pip("install", *dry, f"--report={report}", requirement)
        return str(json.loads(report.read_text(encoding="utf-8"))["install"][0]["download_info"]["url"])


def download(requirement: str, folder: str) -> Path:
    """The wheel as a file in a folder."""
    pip("download", f"--dest={folder}", requirement)
    return next(Path(folder).glob("*.whl"))


def pip(command: str, *arguments: str) -> None:
    """Runs pip. Where it fails, its complaints are the last words of this script too."""
    done = subprocess.run([sys.executable, "-m", "pip", command, "--quiet", *WHEEL_OF, *arguments])
    if done.returncode != 0:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main(sys.argv[1])
