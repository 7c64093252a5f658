"""Compiles regex in the ordinary way: pyodide-build, in an environment of its own, downloads what it works with.

That is Emscripten and Pyodide's build environment, which are neither on PyPI nor on npm: where they can't be reached,
this fails within seconds.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from runtime import downloads, interpreters
from runtime.commands import run
from runtime.pins import KEPT, BuildFailed, pyodide

# Where pyodide-build finds its list of environments, and the tools.
HOSTS: Final = ("https://pyodide.github.io/", "https://github.com/")
_ANSWER_WITHIN: Final = 5.0
_SECONDS: Final = 1500.0  # for all of it
_REQUIREMENTS: Final = Path(__file__).with_name("pyodide-build.txt")


def side_module(source: Path) -> bytes:
    """`_regex.so` from regex's source archive. Raises BuildFailed."""
    python = interpreters.matching()
    for host in HOSTS:
        if not reachable(host):
            raise BuildFailed(f"{host} can't be reached")
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as name:
        return _built(_Tools(python.command, Path(name), time.monotonic() + _SECONDS), source)


def _built(tools: _Tools, source: Path) -> bytes:
    tools.install()
    for path, data in downloads.members(source).items():
        (tools.place / path).parent.mkdir(parents=True, exist_ok=True)
        (tools.place / path).write_bytes(data)
    folder = tools.place / source.name.removesuffix(".tar.gz")
    tools.run("pyodide", "build", str(folder), "--outdir", str(tools.place / "dist"))
    (wheel,) = (tools.place / "dist").glob("regex-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        (module,) = [path for path in opened.namelist() if path.endswith(".so")]
        return opened.read(module)


@dataclass(frozen=True, slots=True)
class _Tools:
    """pyodide-build in an environment that is kept, at work in a folder that isn't, until a deadline."""

    python: str
    place: Path
    deadline: float

    @property
    def environment(self) -> Path:
        return KEPT / "pyodide-build"

    def install(self) -> None:
        self.run(self.python, "-m", "venv", str(self.environment))
        pip = ("python", "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes")
        self.run(*pip, "--requirement", str(_REQUIREMENTS))
        self.run("pyodide", "xbuildenv", "install", pyodide().version)

    def run(self, program: str, *arguments: str) -> None:
        """One of its programs, or one given by its path. Raises BuildFailed."""
        programs = self.environment / "bin"
        own = {
            "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PYODIDE_XBUILDENV_PATH": str(self.environment / "cross"),
            "SOURCE_DATE_EPOCH": "315532800",
            "CFLAGS": f"-ffile-prefix-map={self.place}=.",
            "TMPDIR": str(self.place),
        }
        seconds = max(0.0, self.deadline - time.monotonic())
        run([str(programs / program), *arguments], seconds, self.place, own)  # a whole path stays as it is


def reachable(url: str) -> bool:
    """Whether anything answers there, within seconds; looking up a name may take longer than any time limit of it."""
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(_answers(url)), daemon=True)
    thread.start()
    thread.join(2 * _ANSWER_WITHIN)
    return any(answers)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=_ANSWER_WITHIN):
            return True
    except (OSError, urllib.error.URLError):
        return False
