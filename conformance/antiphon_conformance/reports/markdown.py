"""Markdown: a table, and a report for a comment on a pull request or the summary of a job.

What comes from cases and implementations stands in code spans and code blocks, in which nothing is markup, or is
escaped. Only the descriptions of cases are Markdown themselves.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence

from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import escape
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import Column, Figures, topics
from antiphon_conformance.reports.timeline import diff_lines
from antiphon_conformance.reports.verdicts import of_implementation

LENGTH_LIMIT = 60_000
"""Characters of a report; comments on GitHub end at 65,536."""
DIFFS = 5
"""Failing cases of an implementation that are shown with what differs."""
_BACKTICKS = re.compile("`+")
_MARKUP = re.compile(r"[\\`*_\[\]]")
_CODE_OR_TAG = re.compile(r"(`+)(?:(?!\1).)+\1(?!`)|<")


def write(content: Content) -> str:
    """The text of the report. Failing cases for which there is no room are counted."""
    level = content.level
    lines = [f"## Conformance at level {level}", "", *(f"- {_verdict(column, level)}" for column in content.columns)]
    text = "\n".join([*lines, "", _topics(content), ""])
    failing = [column for column in content.columns if column.failing(level) and not column.startup_failure]
    return text + "".join(_failures(column, level, (LENGTH_LIMIT - len(text)) // len(failing)) for column in failing)


def table(rows: Sequence[Sequence[str]]) -> str:
    """A heading and rows as Markdown, with the second column as code."""
    heading, *others = rows
    cells = ([_prose(first), code(name), *map(_plain, rest)] for first, name, *rest in others)
    return _rows([map(_plain, heading), ["---"] * len(heading), *cells])


def code(text: str) -> str:
    """A code span that holds any text on one line."""
    shown = escape(text)
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    padding = " " if shown[:1] in ("`", " ", "") or shown[-1:] in ("`", " ") else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def _plain(text: str) -> str:
    """Any text, with nothing in it taken for markup."""
    return _MARKUP.sub(r"\\\g<0>", html.escape(escape(text), quote=False))


def _prose(text: str) -> str:
    """Markdown, with the tags in it, outside of code spans, taken for text."""
    return _CODE_OR_TAG.sub(lambda found: "&lt;" if found[0] == "<" else found[0], escape(text))


def _verdict(column: Column, level: Level) -> str:
    verdict = of_implementation(column, level)
    if column.startup_failure:
        return f"{code(column.title)} {code(verdict.said)}"
    late = [f"{verdict.lag} ({code(verdict.worst)})"] if verdict.lag else []
    said = [text for text in (verdict.said, *verdict.warnings, verdict.lacks, *late) if text]
    return f"{code(column.title)}: {'; '.join(said)}"


def _topics(content: Content) -> str:
    """By topic, for each implementation, the required cases that pass, of those judged."""
    heading = ["topic", "cases", *(code(column.title) for column in content.columns)]
    lines = [heading, ["---", "--:", *("---" for _ in content.columns)]]
    for topic in topics([column.required for column in content.columns]):
        lines.append([code(topic.name), str(topic.size), *(_figures(side, content.level) for side in topic.sides)])
    return _rows(lines)


def _figures(found: Figures, level: Level) -> str:
    counts = found.tallies[level]
    parts = [f"{mark} {number}" for mark, number in (("✓", counts.passed), ("✗", counts.failed)) if number]
    parts += [f"{counts.unsupported} lacking"] if counts.unsupported else []
    return ", ".join(parts + ([f"lag {found.worst_lag}"] if found.worst_lag else []))


def _failures(column: Column, level: Level, room: int) -> str:
    """The failing cases of an implementation, in no more than `room` characters."""
    failing = column.failing(level)
    cases = "1 failing case" if len(failing) == 1 else f"{len(failing)} failing cases"
    summary = f"{cases} of <code>{html.escape(escape(column.title))}</code>"
    text = f"\n<details><summary>{summary}</summary>\n\n"
    end = "\n</details>\n"
    for number, (case, found) in enumerate(failing):
        entry = "".join(f"{line}\n" for line in _failure(case, found, with_diff=number < DIFFS))
        if len(text) + len(entry) + len(end) > room - 40:
            return f"{text}\n… and {len(failing) - number} more\n{end}"
        text += entry
    return text + end


def _failure(case: Json, found: Json, *, with_diff: bool) -> Iterator[str]:
    yield f"- {code(case['id'])} {_plain(' '.join(case['clauses']))}"
    where = f" [{found['chunking']}; {found['runs']} of {case['runs']} runs]" if case["runs"] > 1 else ""
    where += " (expected)" if "expected_failure" in case else ""
    yield f"  {code(found['reason'] + where)}"
    lines = diff_lines(found.get("timeline", ())) if with_diff else []
    if lines:
        fence = "`" * max(3, 1 + max((len(run) for line in lines for run in _BACKTICKS.findall(line)), default=0))
        yield from ("", *(f"  {line}" for line in (f"{fence}diff", *map(escape, lines), fence)), "")


def _rows(rows: Iterable[Iterable[str]]) -> str:
    """The rows of a table, of which the second is that of dashes."""
    return "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
