"""Generators of case files: families of cases that are a table, and where a person copying it would make mistakes.

Each module has `documents()`, which gives its files by their paths below the suite without `.json`; what the oracle
fills in (`oracles.complete_suite`) is left out. `python -m generated` writes them all, and a test says whether what is
committed is what they write. Cases with a point of their own are written by hand, in other files.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from oracles import complete_suite
from oracles.case_format import dump


def documents() -> dict[str, Any]:
    """All generated case files, without what the oracle fills in."""
    found: dict[str, Any] = {}
    for module in sorted(iter_modules(__path__), key=lambda module: module.name):
        if module.name != "__main__":
            found |= import_module(f"{__name__}.{module.name}").documents()
    return found


def written(name: str, document: Any, folder: Path) -> str:
    """The file's text, completed by the oracle; `folder` is where it may be put down meanwhile. Fails if the oracle
    doesn't agree with the generator."""
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dump(document), encoding="utf-8")
    _, text, disagreements = complete_suite.complete_file(path, complete_suite.SUITE)
    if disagreements:
        raise AssertionError("\n".join(map(str, disagreements)))
    return text
