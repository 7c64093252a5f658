"""What goes into each archive of the runtime, by `contents.toml`: Python's standard library, the kit, the suite.

Sources, by their paths in the archive; what becomes bytecode is no matter here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from runtime import downloads
from runtime.archives import Files, unpacked
from runtime.pins import PYODIDE, WEB, Pin, pins

ROOT: Final = WEB.parent


@cache
def told() -> Any:
    """What `contents.toml` tells."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def standard_library() -> dict[str, bytes]:
    files = unpacked((PYODIDE / "python_stdlib.zip").read_bytes())
    library = told()["standard_library"]
    codecs, unused = library["codecs"].split(), library["without"].split()
    found = {}
    for name, data in files.items():
        top, *inside = PurePosixPath(name).with_suffix("").parts
        if inside[0] in codecs if top == "encodings" else top not in unused:
            found[name] = data
    return found


def kit() -> dict[str, bytes]:
    wanted = told()["kit"]
    return _without(wanted["without"], {**dict(placed(wanted["files"])), **_metadata()})


def packages() -> dict[str, bytes]:
    """The packages that the kit imports. Raises BuildFailed."""
    files = {name: data for pin in pins().packages for name, data in _package(pin).items()}
    return _without(told()["packages"]["without"], files)


def suite() -> dict[str, bytes]:
    return dict(placed(told()["suite"]["files"]))


def _metadata() -> dict[str, bytes]:
    """What `importlib.metadata` knows of the kit: its name and version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    metadata = f"Metadata-Version: 2.4\nName: {project['name']}\nVersion: {project['version']}\n"
    return {f"{project['name']}-{project['version']}.dist-info/METADATA": metadata.encode()}


def placed(places: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """The files of this checkout at these places."""
    for source, target in places.items():
        yield from _below(ROOT / source, target)


def _below(source: Path, target: str) -> Iterator[tuple[str, bytes]]:
    """A file, or the files of a folder; none that tools have left there."""
    for path in [source] if source.is_file() else sorted(source.rglob("*")):
        inside = path.relative_to(source)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in inside.parts)
        if path.is_file() and not hidden:
            yield str(PurePosixPath(target, inside)), path.read_bytes()


def _package(pin: Pin) -> dict[str, bytes]:
    """The modules and data of a package, its metadata and its licence."""
    about = f"{pin.name}-{pin.version}.dist-info"
    found = {}
    for name, data in downloads.members(downloads.fetched(pin)).items():
        path = PurePosixPath(name)
        if path.is_relative_to(pin.folder) and (path.suffix in (".py", ".json") or "vocabularies" in path.parts):
            found[str(path.relative_to(pin.folder))] = data
        elif path.name in ("METADATA", "PKG-INFO") and len(path.parts) == 2:
            found[f"{about}/METADATA"] = data
        elif path.name.startswith(("LICENSE", "COPYING")):
            found[f"{about}/licenses/{path.name}"] = data
    return found


def _without(places: list[str], files: Files) -> dict[str, bytes]:
    """The files that are neither one of these nor below one of them."""
    return {name: data for name, data in files.items() if not any(map(PurePosixPath(name).is_relative_to, places))}
