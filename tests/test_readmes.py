"""The Python examples of the READMEs do what their comments say."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def examples(readme: str) -> str:
    """The Python blocks of a README as one program: later ones go on where earlier ones ended."""
    return "".join(re.findall(r"^```python\n(.*?)^```$", (ROOT / readme).read_text("utf-8"), re.MULTILINE | re.DOTALL))


def told(line: str, following: str) -> str | None:
    """The comment behind an expression, or on the line below it."""
    for text in (line, following if following.startswith("#") else ""):
        comment = re.search(r"# (['{\[].*)$", text)
        if comment:
            return comment[1]
    return None


@pytest.mark.parametrize(
    ("readme", "least"),
    [
        ("README.md", 4),
        ("portability/README.md", 2),
        ("reference/proposals/close-outside-strings.md", 7),
        ("reference/proposals/skip-blank.md", 4),
    ],
)
def test_examples_give_what_their_comments_say(readme: str, least: int) -> None:
    source = examples(readme)
    lines = [*source.splitlines(), ""]
    scope: dict[str, Any] = {}
    compared = 0
    for statement in ast.parse(source).body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), readme, "exec"), scope)
            continue
        value = eval(compile(ast.Expression(statement.value), readme, "eval"), scope)
        assert statement.end_lineno is not None
        comment = told(lines[statement.end_lineno - 1], lines[statement.end_lineno])
        if comment is not None:
            assert comment.startswith(repr(value)), (comment, value)
            compared += 1
    assert compared >= least
