"""What an analysis can't get over."""

from __future__ import annotations


class NotAnalysed(Exception):
    """A chat template whose renders don't let themselves be read. Its text says why."""
