"""What can be said of a document that may not be a template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import antiphon

from antiphon_portability.lint.findings import RULES, Finding
from antiphon_portability.lint.positions import positions


def faults(document: Any) -> Iterator[Finding]:
    """AP001: all faults that the reference names, the first of each field."""
    for fault in antiphon.template_faults(document):
        yield Finding(RULES["AP001"], fault.pointer, f"{fault.kind}: {fault.reason}")


def keys_twice(source: str, base: str) -> Iterator[Finding]:
    """AP002: keys that stand twice in one object of the file, from `base` on."""
    for pointer in dict.fromkeys(positions(source).twice):
        if pointer.startswith(f"{base}/"):
            key = pointer.rpartition("/")[2]
            yield Finding(
                RULES["AP002"], pointer.removeprefix(base), f"{key!r} stands here before; only the last one counts"
            )
