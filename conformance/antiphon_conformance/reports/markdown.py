"""Markdown: a table, and a report for a comment on a pull request or the summary of a job.

What comes from cases and implementations stands in code spans and code blocks, in which nothing is markup.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import escape
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import Column, Tally, by_topic, failure, lag_figures, tally
from antiphon_conformance.reports.timeline import diff_lines

LENGTH_LIMIT = 60_000
"""Characters of a report; comments on GitHub end at 65,536."""
DIFFS = 5
"""Failing cases of an implementation that are shown with what differs."""
_BACKTICKS = re.compile("`+")


def write(content: Content) -> str:
    """The text of the report. Failing cases for which there is no room are counted."""
    level = content.level
    lines = [f"## Conformance at level {level}", "", *(f"- {_verdict(column, level)}" for column in content.columns)]
    text = "\n".join([*lines, "", _summary(content), ""])
    room = (LENGTH_LIMIT - len(text)) // max(1, len(content.columns))
    return text + "".join(_failures(column, level, room) for column in content.columns)


def table(rows: Sequence[Sequence[str]]) -> str:
    """A heading and rows as Markdown, with the second column as code."""
    heading, *others = rows
    lines = [heading, ["---"] * len(heading), *([first, f"`{name}`", *rest] for first, name, *rest in others)]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def code(text: str) -> str:
    """A code span that holds any text on one line."""
    shown = escape(text)
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(shown)), default=0))
    padding = " " if shown[:1] in ("`", " ", "") or shown[-1:] in ("`", " ") else ""
    return f"{fence}{padding}{shown}{padding}{fence}"


def _verdict(column: Column, level: Level) -> str:
    title, counts = code(column.title), tally(column.required, level)
    if not column.started:
        return f"{title} {code(column.cases[0]['failures'][0]['reason'])}"
    if counts.failed:
        lower = f"; it conforms at level {column.conforms}" if column.conforms else ""
        said = f"does not conform: {counts.failed} of {counts.judged} required cases fail{lower}"
    elif column.conforms:
        said = f"conforms at level {column.conforms}: all {counts.judged} required cases pass"
    else:
        said = f"all {counts.judged} required cases that were run pass" if counts.judged else "nothing to judge"
    return f"{title}: {said}{''.join(f'; {detail}' for detail in _details(column, counts))}"


def _details(column: Column, counts: Tally) -> Iterator[str]:
    """What else there is to know."""
    if column.missing:
        yield f"{column.missing} cases weren't run"
    if counts.unsupported:
        yield f"{counts.unsupported} not judged for what it lacks"
    flaky = sum("flaky" in case for case in column.cases)
    if flaky:
        yield f"{flaky} flaky"
    lag = lag_figures(column.required)
    if lag and lag.worst:
        figures = f"median {lag.median}, 95th percentile {lag.p95}, worst {lag.max} code points"
        yield f"lag of a case: {figures} ({code(lag.worst)})"


def _summary(content: Content) -> str:
    """By topic, for each implementation, the required cases that pass, of those judged."""
    sides = [by_topic(column.required) for column in content.columns]
    names = sorted({name for side in sides for name in side})
    heading = ["topic", "cases", *(_cell(code(column.title)) for column in content.columns)]
    lines = [" | ".join(heading), " | ".join(["---", "--:", *("---" for _ in sides)])]
    for name in names:
        cases = [side.get(name, []) for side in sides]
        cells = [_figures(side, content.level) for side in cases]
        lines.append(" | ".join([_cell(code(name)), str(max(map(len, cases))), *cells]))
    return "".join(f"| {line} |\n" for line in lines)


def _figures(cases: Sequence[Json], level: Level) -> str:
    counts, lag = tally(cases, level), lag_figures(cases)
    parts = [f"{mark} {number}" for mark, number in (("✓", counts.passed), ("✗", counts.failed)) if number]
    parts += [f"{counts.unsupported} lacking"] if counts.unsupported else []
    return ", ".join(parts + ([f"lag {lag.max}"] if lag and lag.max else []))


def _failures(column: Column, level: Level, room: int) -> str:
    failing = [(case, found) for case in column.required if (found := failure(case, level))]
    if not failing or not column.started:
        return ""
    summary = f"{len(failing)} failing cases of <code>{html.escape(escape(column.title))}</code>"
    text = f"\n<details><summary>{summary}</summary>\n\n"
    end = "\n</details>\n"
    for number, (case, found) in enumerate(failing):
        entry = "".join(f"{line}\n" for line in _failure(case, found, with_diff=number < DIFFS))
        if len(text) + len(entry) + len(end) > room - 40:
            return f"{text}\n… and {len(failing) - number} more\n{end}"
        text += entry
    return text + end


def _failure(case: Json, found: Json, *, with_diff: bool) -> Iterator[str]:
    yield f"- {code(case['id'])} {' '.join(case['clauses'])}"
    where = f" [{found['chunking']}; {found['runs']} of {case['runs']} runs]" if case["runs"] > 1 else ""
    where += " (expected)" if "expected_failure" in case else ""
    yield f"  {code(found['reason'] + where)}"
    lines = diff_lines(found.get("timeline", ())) if with_diff else []
    if lines:
        fence = "`" * max(3, 1 + max((len(run) for line in lines for run in _BACKTICKS.findall(line)), default=0))
        yield from ("", *(f"  {line}" for line in (f"{fence}diff", *map(escape, lines), fence)), "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
