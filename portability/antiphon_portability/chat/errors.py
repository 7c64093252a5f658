"""The two ways in which a chat template gives no text."""

from __future__ import annotations


class NotRendered(Exception):
    """A chat template that Jinja2 can't read, or that refuses or fails on a conversation. Its text says why."""


class TooMuch(Exception):
    """A chat template that takes more time, memory or text than it may. Its text says which."""
