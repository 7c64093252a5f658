"""JSON as people write it: what fits is on one line."""

from __future__ import annotations

from antiphon_conformance.display import json_text

from antiphon_web.asking import Json

WIDTH = 118
"""Code points of a line."""


def pretty(value: Json, indent: int = 0) -> str:
    """A JSON text of a value that stands so far from the left, without a line end behind it."""
    flat = json_text(value)
    if not isinstance(value, dict | list) or not value or (len(flat) + indent <= WIDTH and _is_shallow(value)):
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        lines = [f"{json_text(name)}: {pretty(member, inner)}" for name, member in value.items()]
        opening, closing = "{", "}"
    else:
        lines = [pretty(item, inner) for item in value]
        opening, closing = "[", "]"
    body = ",\n".join(" " * inner + line for line in lines)
    return f"{opening}\n{body}\n{' ' * indent}{closing}"


def _is_shallow(value: Json) -> bool:
    """Whether an object or list is small enough to be read on one line: of members without members."""
    parts = value.values() if isinstance(value, dict) else value
    return not any(isinstance(part, dict | list) and part for part in parts) or (
        isinstance(value, dict) and "type" in value and "field" in value
    )
