"""The table of findings in portability/README.md, made from the lint's own.

`PYTHONPATH=tests python tests/lint/findings_table.py` writes it.
"""

from __future__ import annotations

from pathlib import Path

from antiphon_portability.lint import RULES, Rule
from made_part import MadePart

README = Path(__file__).parents[2] / "portability" / "README.md"
PART = MadePart(README, "<!-- made by tests/lint/findings_table.py -->\n", "<!-- end of the findings -->\n")


def table() -> str:
    """A row for each kind of finding."""
    lines = ["| id | | finding | for example | remedy |", "|---|---|---|---|---|", *map(_row, RULES.values())]
    return "\n".join(lines) + "\n"


def _row(rule: Rule) -> str:
    finding = f"**{_prose(rule.title)}**. {_prose(rule.meaning)}"
    example = "`" + rule.example.replace("|", "\\|") + "`"
    return f"| {rule.id} | {rule.severity} | {finding} | {example} | {_prose(rule.remedy)} |"


def _prose(text: str) -> str:
    """Text in which nothing is markup but code between backquotes."""
    for char in "\\|*<":
        text = text.replace(char, f"\\{char}")
    return text


if __name__ == "__main__":
    PART.write(table())
    print(f"{README.name} has {len(RULES)} findings")
