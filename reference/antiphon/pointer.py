"""JSON Pointers (RFC 6901): how a place in a template, or in any other JSON value, is named."""

from __future__ import annotations


def pointer(*keys: str | int) -> str:
    """The pointer to what these names and indices lead to; without any, the whole document."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)
