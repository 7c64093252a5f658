"""Where the kit's data lies: in a source checkout beside the package, in an installed wheel inside it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def find(name: str) -> Path:
    """The path of a data file or folder of the kit, such as ``suite`` or ``adapters/reference/adapter.py``.

    Raises FileNotFoundError if neither place has it.
    """
    for place in (_PACKAGE.parent, _PACKAGE):
        if (place / name).exists():
            return place / name
    raise FileNotFoundError(f"{name}: neither beside nor inside {_PACKAGE}; reinstall antiphon, or work in a checkout")


def find_specification() -> Path:
    """The path of SPEC.md: beside the reference in a checkout, inside the package ``antiphon`` when installed."""
    candidates = [_PACKAGE.parent.parent / "reference" / "SPEC.md"]
    reference = importlib.util.find_spec("antiphon")
    if reference is not None and reference.origin is not None:
        candidates.append(Path(reference.origin).parent / "SPEC.md")
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise FileNotFoundError("SPEC.md: neither in reference/ nor in the package antiphon; reinstall antiphon")
