"""The port stays small enough to be read in an hour, and needs nothing but itself."""

from __future__ import annotations

import json
import re

from javascript.port import FOLDER

MOST_LINES = 1000
"""Of code, in all modules together: blank lines and lines of comments don't count."""
COMMENT = re.compile(r"\s*(//|/\*\*|\*)")
IMPORTED = re.compile(r"""(?:^|\s)(?:from|import)\s*\(?\s*["']([^"']+)["']""")
MODULES = sorted([*FOLDER.glob("*.mjs"), *FOLDER.glob("src/*.mjs")])


def test_there_are_less_than_a_thousand_lines() -> None:
    lines = [line for module in MODULES for line in module.read_text("utf-8").splitlines()]
    code = [line for line in lines if line.strip() and not COMMENT.match(line)]
    assert 500 < len(code) < MOST_LINES
    assert len(lines) - len(code) < MOST_LINES / 2, "comments say what code can't, and no more"
    assert max(map(len, lines)) <= 120


def test_there_are_no_dependencies() -> None:
    imported = [
        name
        for module in MODULES
        for line in module.read_text("utf-8").splitlines()
        if not COMMENT.match(line)
        for name in IMPORTED.findall(line)
    ]
    assert len(imported) > len(MODULES)
    assert [name for name in imported if not name.startswith("./") and not name.startswith("../")] == []
    package = json.loads((FOLDER / "package.json").read_text("utf-8"))
    assert package["private"] is True
    assert "dependencies" not in package
