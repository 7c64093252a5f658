"""Environments for releases out of the package index: a virtual environment each, made on first use and kept.

An environment is never half made: it's made beside its place, under a lock, and moved there when all is in it. What is
installed is up to `pip` and the user's configuration of it; this module only says what, and tells what went wrong.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import platformdirs
from filelock import FileLock, Timeout
from rich.console import Console

CACHE_VARIABLE = "ANTIPHON_CACHE"
"""The environment variable that names another folder than the user's cache."""
REQUIREMENTS, FETCH = "requirements.txt", "fetch.py"
"""Files of an adapter's folder: what pip installs, with VERSION_MARK in it; and, if it's there, what is run after."""
VERSION_MARK = "{version}"
ERROR_LINE_LIMIT = 300
_MAKING = ".making-"
_BIN = "Scripts" if os.name == "nt" else "bin"


class NotMade(Exception):
    """An environment couldn't be made: what is wrong, and what to do about it, in one line."""


@dataclass(frozen=True)
class Recipe:
    """What an environment holds: one release of a package, as the files in the adapter's folder say."""

    package: str
    version: str
    folder: Path

    @cached_property
    def requirements(self) -> str:
        """The text of a requirements file."""
        return (self.folder / REQUIREMENTS).read_text(encoding="utf-8").replace(VERSION_MARK, self.version)

    @property
    def fetch(self) -> Path | None:
        """A script that puts what pip can't into the environment; it gets the version."""
        path = self.folder / FETCH
        return path if path.exists() else None

    @property
    def place(self) -> Path:
        """The environment's folder. Another recipe, or another Python, has another one."""
        script = self.fetch.read_text(encoding="utf-8") if self.fetch else ""
        digest = hashlib.sha256(f"{self.requirements}\0{script}".encode()).hexdigest()[:12]
        python = sysconfig.get_python_version()
        return _cache() / "environments" / f"{self.package}-{self.version}-python{python}-{digest}"

    @property
    def title(self) -> str:
        """The release, as the user named it."""
        return f"{self.package} {self.version}"


def interpreter(recipe: Recipe) -> Path:
    """The Python of a recipe's environment, which is made if it isn't there yet. Raises NotMade."""
    place = recipe.place
    if not place.exists():
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with _alone(place, recipe.title):
                if not place.exists():  # another run may have made it meanwhile
                    _make(recipe, place)
        except OSError as error:
            problem = f"its environment can't be written to {place.parent} ({error.strerror})"
            raise NotMade(f"{problem}; let {CACHE_VARIABLE} name a folder that can be") from None
    return place / _BIN / "python"


def versions_made(package: str) -> list[str]:
    """The releases of a package whose environments are there, by whatever recipe, in the order of their names."""
    names = [path.parent.name for path in (_cache() / "environments").glob(f"{package}-*-python*-*/{_BIN}")]
    return sorted({name.removeprefix(f"{package}-").partition("-python")[0] for name in names if _MAKING not in name})


@contextmanager
def _alone(place: Path, title: str) -> Iterator[None]:
    """Under the lock of an environment. It's the system's, so that it ends with the process that held it."""
    lock = FileLock(place.with_name(place.name + ".lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        with _working(f"{title}: waiting for another run, which installs it"):
            lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _make(recipe: Recipe, place: Path) -> None:
    for left in place.parent.glob(f"{place.name}{_MAKING}*"):  # of a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    beside = Path(tempfile.mkdtemp(prefix=f"{place.name}{_MAKING}", dir=place.parent))
    try:
        with _working(f"{recipe.title}: installing it, once, below {place.parent}"):
            _fill(recipe, beside)
        beside.rename(place)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _fill(recipe: Recipe, folder: Path) -> None:
    """Python, what pip installs, and what the recipe's script fetches."""
    python = str(folder / _BIN / "python")
    try:
        venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    except (subprocess.CalledProcessError, OSError):
        remedy = f"`{sys.executable} -m venv` fails; install Python's venv module (on Debian: python3-venv)"
        raise NotMade(f"a virtual environment can't be made here: {remedy}") from None
    listed = folder / REQUIREMENTS
    listed.write_text(recipe.requirements, encoding="utf-8")
    _run(recipe, [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(listed)])
    if recipe.fetch is not None:
        _run(recipe, [python, str(recipe.fetch), recipe.version])


def _run(recipe: Recipe, command: Sequence[str]) -> None:
    """Raises NotMade with the line of its standard error that tells most."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        reason = _telling(done.stderr) or f"exit status {done.returncode}"
        remedy = "see to the version, to the network, and to pip's configuration"
        raise NotMade(f"{recipe.title} can't be installed: {reason}; {remedy}")


def _telling(stderr: str) -> str:
    """The first line that pip marks as an error, which tells the cause; or else the last one."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    telling = (errors or lines[-1:] or [""])[0].partition(" (from versions:")[0]  # there are hundreds
    return telling[:ERROR_LINE_LIMIT]


def _cache() -> Path:
    named = os.environ.get(CACHE_VARIABLE)
    return (
        Path(os.path.expanduser(named)).absolute()
        if named
        else platformdirs.user_cache_path("antiphon", appauthor=False)
    )


@contextmanager
def _working(what: str) -> Iterator[None]:
    """Says on standard error what is going on; on a terminal, as long as it lasts."""
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(what):
            yield
    else:
        console.print(what, highlight=False, markup=False, soft_wrap=True)
        yield
