"""conformance/results/README.md: the tables and lists between its marks, made from the report and the explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from antiphon_conformance.judging.compare import Level

from results.explanations import RESULTS, Explained, Fault, explain, failing, newest

README = RESULTS / "README.md"
BEGIN, END = "<!-- made by `make results` -->\n", "<!-- end -->\n"
FAILS = {
    Level.MESSAGE: "another message or error",
    Level.EVENTS: "right message, wrong events",
    Level.PROMPT: "right events, too late",
}


def write(report: Mapping[str, Any], known: Sequence[Fault]) -> None:
    """Bring the page up to date."""
    text = README.read_text("utf-8")
    README.write_text(
        text.partition(BEGIN)[0] + BEGIN + made(report, known) + END + text.partition(END)[2], encoding="utf-8"
    )


def written() -> str:
    """What the page has between its marks."""
    return README.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def made(report: Mapping[str, Any], known: Sequence[Fault]) -> str:
    """What it should have."""
    return "".join(f"{line}\n" for line in _lines(report, known))


def _lines(report: Mapping[str, Any], known: Sequence[Fault]) -> Iterator[str]:
    found, names, suite = explain(known, report), list(failing(report)), report["suite"]
    day = newest().name.partition(".")[0]
    yield "## The figures"
    yield ""
    yield f"Run on {day} with version {suite['version']} of the suite. The report: [`{day}.json.gz`]({day}.json.gz)."
    yield ""
    yield from _table(["required cases", *names], _totals(report))
    yield ""
    yield "By topic, what passes at level `prompt`:"
    yield ""
    yield from _table(["topic", "cases", *names], _topics(report))
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


def _totals(report: Mapping[str, Any]) -> Iterator[list[str]]:
    sides = [[case for case in one["cases"] if case["required"]] for one in report["implementations"]]
    levels = [[case["failures"][0]["level"] for case in cases] for cases in failing(report).values()]
    yield ["in all", *(f"{len(cases):,}" for cases in sides)]
    yield ["right in all chunkings, and at once (level `prompt`)", *(f"{_passed(cases):,}" for cases in sides)]
    for level, words in FAILS.items():
        yield [words, *(f"{found.count(level.value):,}" for found in levels)]
    yield ["not judged, for what it lacks", *(str(_count(cases, "unsupported")) for cases in sides)]


def _topics(report: Mapping[str, Any]) -> Iterator[list[str]]:
    sides = [[case for case in one["cases"] if case["required"]] for one in report["implementations"]]
    for topic in sorted({case["id"].partition("/")[0] for cases in sides for case in cases}):
        parts = [[case for case in cases if case["id"].startswith(f"{topic}/")] for cases in sides]
        yield [topic, str(max(map(len, parts))), *(str(_passed(cases)) for cases in parts)]


def _passed(cases: Sequence[Mapping[str, Any]]) -> int:
    return _count(cases, "passed")


def _count(cases: Sequence[Mapping[str, Any]], outcome: str) -> int:
    return sum(case["outcome"] == outcome for case in cases)


def _counts(fault: Fault, found: Explained, names: Sequence[str]) -> list[str]:
    return [str(len(found.by.get((fault.slug, name), ())) or "–") for name in names]


def _example(fault: Fault, found: Explained) -> str:
    """The first case of the first implementation that has the fault."""
    return next(cases[0] for name in fault.implementations if (cases := found.by[fault.slug, name]))


def _table(heading: Sequence[str], rows: Iterator[list[str]] | Sequence[list[str]]) -> Iterator[str]:
    for line in [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]:
        yield f"| {' | '.join(line)} |"
