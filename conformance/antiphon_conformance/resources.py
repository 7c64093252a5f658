"""Where the kit's data lies: in an installed wheel inside the packages, in a source checkout beside them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def find(name: str) -> Path:
    """The path of a data file or folder of the kit, such as `suite` or `adapters/reference/adapter.py`.

    Raises FileNotFoundError if neither place has it.
    """
    return _find("antiphon_conformance", name)


def find_specification() -> Path:
    """The path of SPEC.md, which belongs to the reference. Raises FileNotFoundError."""
    return _find("antiphon", "SPEC.md")


def find_proposals() -> Path:
    """The folder with a page for each proposal, which belong to the reference. Raises FileNotFoundError."""
    return _find("antiphon", "proposals")


def _find(package: str, name: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    inside = Path(spec.origin).resolve().parent
    for place in (inside, inside.parent):  # in this order: beside an installed package are those of others
        if (place / name).exists():
            return place / name
    raise FileNotFoundError(f"{name}: neither inside nor beside {inside}; reinstall antiphon, or work in a checkout")
