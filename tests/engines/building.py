"""Drivers in compiled languages: built once for each state of their source, into build/engines/."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

BUILD = Path(__file__).parents[2] / "build" / "engines"
CRATES = Path("/usr/share/cargo/registry")  # where Debian's librust-*-dev packages put their sources
CRATE_NAMES = ("memchr", "aho-corasick", "regex-syntax", "regex-automata", "regex")  # each needs some before it
BUILD_SECONDS = 600


class Absent(Exception):
    """The engine can't be had here, and why."""


def tool(name: str) -> str:
    """The path of a program. Raises Absent."""
    path = shutil.which(name)
    if path is None:
        raise Absent(f"there is no {name}")
    return path


def java(source: Path) -> list[str]:
    runtime, compiler = tool("java"), tool("javac")
    folder = _built(source, lambda to: _run([compiler, "-d", str(to), str(source)]))
    return [runtime, "-XX:+UseSerialGC", "-cp", str(folder), source.stem]


def go(source: Path) -> list[str]:
    compiler = tool("go")
    folder = _built(source, lambda to: _run([compiler, "build", "-o", str(to / "driver"), str(source)]))
    return [str(folder / "driver")]


def rust(source: Path) -> list[str]:
    compiler = tool("rustc")
    crates = [crate for name in CRATE_NAMES if (crate := _crate(name)) is not None]
    if not crates or _manifest(crates[-1])["package"]["name"] != "regex":
        raise Absent("the sources of the crate regex aren't installed")

    def build(to: Path) -> None:
        command = [compiler, "-O", "--cap-lints=allow", f"-Ldependency={to}"]
        externs: list[str] = []
        for crate in crates:
            name = _manifest(crate)["package"]["name"].replace("-", "_")
            _run([*command, *_crate_options(crate), *externs, f"--crate-name={name}", f"--out-dir={to}"])
            externs.append(f"--extern={name}={to / f'lib{name}.rlib'}")
        version = _manifest(crates[-1])["package"]["version"]
        _run(
            [*command, "--edition=2021", *externs, "-o", str(to / "driver"), str(source)],
            {**os.environ, "REGEX_VERSION": version},
        )

    return [str(_built(source, build, *map(str, crates)) / "driver")]


def _crate(name: str) -> Path | None:
    found = [path for path in CRATES.glob(f"{name}-*") if re.fullmatch(rf"{name}-\d[\d.]*", path.name)]
    return max(found, key=lambda path: [int(part) for part in re.findall(r"\d+", path.name)], default=None)


def _manifest(crate: Path) -> dict[str, dict[str, str]]:
    return tomllib.loads((crate / "Cargo.toml").read_text("utf-8"))


def _crate_options(crate: Path) -> list[str]:
    """What cargo would say of a library: its edition and its default features, with all that these imply."""
    manifest = _manifest(crate)
    features: dict[str, Sequence[str]] = dict(manifest.get("features", {}))
    wanted, pending = set[str](), ["default"]
    while pending:
        name = pending.pop().removeprefix("dep:")
        if "/" not in name and name not in wanted:
            wanted.add(name)
            pending += features.get(name, ())
    flags = [option for name in sorted(wanted) for option in ("--cfg", f'feature="{name}"')]
    edition = manifest["package"].get("edition", "2015")
    return ["--crate-type=rlib", f"--edition={edition}", *flags, str(crate / "src" / "lib.rs")]


def _built(source: Path, build: Callable[[Path], None], *inputs: str) -> Path:
    """The folder with what `build` makes of `source`; made in another one, since several processes may want it."""
    state = hashlib.sha256("\n".join([source.read_text("utf-8"), *inputs]).encode()).hexdigest()[:16]
    folder = BUILD / f"{source.name}-{state}"
    if not folder.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD) as made:
            result = Path(made) / "made"
            result.mkdir()
            build(result)
            with contextlib.suppress(OSError):  # another process was faster
                result.rename(folder)
    return folder


def _run(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    """Raises Absent."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=BUILD_SECONDS, env=environment
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Absent(f"the driver couldn't be built: {error}") from error
    if done.returncode:
        raise Absent(f"the driver couldn't be built: {done.stderr.strip()[-300:]}")
