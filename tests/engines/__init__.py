"""Translated patterns on real engines, compared with Python's `regex`: `python -m engines`, and tests."""
