"""What is pinned: `pins.toml`, and the Pyodide that npm has installed."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).resolve().parents[1]
KEPT: Final = WEB / "build"  # what is downloaded and compiled, to be used again
PYODIDE: Final = WEB / "node_modules" / "pyodide"


class BuildFailed(Exception):
    """What keeps something from being built, in one line."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A package of PyPI: `name==version`, and the SHA-256 of each file that it may be."""

    requirement: str
    sha256: tuple[str, ...]
    folder: str = ""

    @property
    def name(self) -> str:
        return self.requirement.partition("==")[0]

    @property
    def version(self) -> str:
        return self.requirement.partition("==")[2]


@dataclass(frozen=True, slots=True)
class Pins:
    regex: Pin
    compiler: Pin
    packages: tuple[Pin, ...]


@dataclass(frozen=True, slots=True)
class Pyodide:
    """Its version, and those of what its modules have to fit: Python's, the ABI's, Emscripten's platform."""

    version: str
    python: str
    abi: str
    platform: str

    @property
    def python_tag(self) -> str:
        major, minor, _ = self.python.split(".")
        return f"cp{major}{minor}"

    @property
    def wheel_tag(self) -> str:
        return f"{self.python_tag}-{self.python_tag}-pyemscripten_{self.abi}_wasm32"


@cache
def pins() -> Pins:
    found = tomllib.loads(Path(__file__).with_name("pins.toml").read_text("utf-8"))
    return Pins(_pin(found["regex"]), _pin(found["compiler"]), tuple(map(_pin, found["packages"])))


def _pin(found: dict[str, object]) -> Pin:
    hashes = found["sha256"]
    assert isinstance(hashes, list)
    return Pin(str(found["requirement"]), tuple(hashes), str(found.get("folder", "")))


@cache
def pyodide() -> Pyodide:
    """Raises BuildFailed."""
    try:
        version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
        lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]
    except FileNotFoundError:
        raise BuildFailed("Pyodide isn't there; run `npm ci` in web/") from None
    return Pyodide(version, lock["python"], lock["abi_version"], lock["platform"])
