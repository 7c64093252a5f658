"""conformance/results/README.md: the tables and lists between its marks, made from the report and the explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.figures import Column, Figures, columns, topics
from made_part import MadePart

from results.explanations import RESULTS, Explained, Fault, explain, newest

PART = MadePart(RESULTS / "README.md", "<!-- made by `make results` -->\n")
FAILS = {
    Level.MESSAGE: "another message or error",
    Level.EVENTS: "right message, wrong events",
    Level.PROMPT: "right events, too late",
}


def write(report: Mapping[str, Any], known: Sequence[Fault]) -> None:
    """Bring the page up to date."""
    PART.write(made(report, known))


def made(report: Mapping[str, Any], known: Sequence[Fault]) -> str:
    """What it should have between its marks."""
    return "".join(f"{line}\n" for line in _lines(report, known))


def _lines(report: Mapping[str, Any], known: Sequence[Fault]) -> Iterator[str]:
    found, sides, suite = explain(known, report), columns([report]), report["suite"]
    names = [side.title for side in sides]
    day = newest().name.partition(".")[0]
    yield "## The figures"
    yield ""
    yield f"Run on {day} with version {suite['version']} of the suite. The report: [`{day}.json.gz`]({day}.json.gz)."
    yield ""
    yield from _table(["required cases", *names], _totals(sides))
    yield ""
    yield "By topic, what passes at level `prompt`:"
    yield ""
    yield from _table(["topic", "cases", *names], _topics(sides))
    yield ""
    yield "How it moved over the releases of transformers:"
    yield ""
    yield f"![Required cases that pass, by release and level]({day}.svg)"
    yield ""
    yield "## The faults"
    yield ""
    yield "How many failing cases each explains. A case counts for one fault only, the first of these that fits it."
    yield ""
    yield from _table(
        ["fault", *names], [[f"[{one.title}](#{one.slug})", *_counts(one, found, names)] for one in known]
    )
    for one in known:
        yield ""
        yield f'### <a id="{one.slug}"></a>{one.title}'
        yield ""
        yield one.text
        yield ""
        yield f"Clauses: {', '.join(one.clauses)}. For example `{_example(one, found)}`."


def _totals(sides: Sequence[Column]) -> Iterator[list[str]]:
    levels = [[found["level"] for _, found in side.failing(Level.PROMPT)] for side in sides]
    yield ["in all", *(f"{len(side.required):,}" for side in sides)]
    yield ["right in all chunkings, and at once (level `prompt`)", *(f"{_passed(side.figures):,}" for side in sides)]
    for level, words in FAILS.items():
        yield [words, *(f"{found.count(level.value):,}" for found in levels)]
    yield ["not judged, for what it lacks", *(str(side.figures.lacking) for side in sides)]


def _topics(sides: Sequence[Column]) -> Iterator[list[str]]:
    for topic in topics([side.required for side in sides]):
        yield [topic.name, str(topic.size), *(str(_passed(found)) for found in topic.sides)]


def _passed(found: Figures) -> int:
    return found.tallies[Level.PROMPT].passed


def _counts(fault: Fault, found: Explained, names: Sequence[str]) -> list[str]:
    return [str(len(found.by.get((fault.slug, name), ())) or "–") for name in names]


def _example(fault: Fault, found: Explained) -> str:
    """The first case of the first implementation that has the fault."""
    return next(cases[0] for name in fault.implementations if (cases := found.by[fault.slug, name]))


def _table(heading: Sequence[str], rows: Iterator[list[str]] | Sequence[list[str]]) -> Iterator[str]:
    for line in [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]:
        yield f"| {' | '.join(line)} |"
