"""Writes a new adapter for a port: the files of a language in `new_adapter/`, which run at once and fail honestly."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from antiphon_conformance import resources
from antiphon_conformance.inputs import BadInput

README = "README.md"
_CODE = "    "


class Language(StrEnum):
    """The languages that there is an adapter for, by the names of their folders in `new_adapter/`."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    TYPESCRIPT = "typescript"
    RUST = "rust"
    GO = "go"
    SWIFT = "swift"
    JAVA = "java"
    CSHARP = "csharp"
    CPP = "cpp"


@dataclass(frozen=True)
class Written:
    """A new adapter: its folder, its files as paths in there, and the command lines that build and run it there."""

    folder: Path
    files: tuple[Path, ...]
    commands: tuple[str, ...]


def write(language: Language, folder: Path) -> Written:
    """Write the adapter of a language into a new or empty folder. Raises BadInput."""
    source = resources.find("implementations/new_adapter") / language.value
    try:
        if folder.exists() and any(folder.iterdir()):
            raise BadInput(f"--to {folder}", "isn't empty; name a folder that is, or that isn't there")
        shutil.copytree(source, folder, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        problem = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadInput(f"--to {folder}", f"can't be written: {problem}; name another folder") from None
    files = sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file())
    return Written(folder, tuple(files), commands(source))


def commands(folder: Path) -> tuple[str, ...]:
    """The command lines in an adapter's README: those that build it, and at last the one that runs the suite."""
    lines = (folder / README).read_text(encoding="utf-8").splitlines()
    return tuple(line.removeprefix(_CODE) for line in lines if line.startswith(_CODE))
