"""conformance/results/README.md: the tables and lists between its marks, made from the report and the explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from results.explanations import RESULTS, Explained, Fault, explain, failing

README = RESULTS / "README.md"
BEGIN, END = "<!-- made by `make results` -->\n", "<!-- end -->\n"


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
    found, names = explain(known, report), list(failing(report))
    date = report["created"][:10]
    suite = report["suite"]
    yield f"Run on {date}, with version {suite['version']} of the suite ({suite['required']:,} required cases). Data:"
    yield f"[`{date}.json`]({date}.json); as a page with every case: [`{date}.html`]({date}.html)."
    yield ""
    yield from _table(["required cases", *names], _totals(report))
    yield ""
    yield "What fails, by fault. A case counts for one fault only, the first that explains it."
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


def _totals(report: Mapping[str, Any]) -> list[list[str]]:
    levels = ("message", "events", "prompt")
    failures = {name: [case["failures"][0]["level"] for case in cases] for name, cases in failing(report).items()}
    tallies = [one["tally"] for one in report["implementations"]]
    words = {"message": "fail by message or error", "events": "fail by events", "prompt": "fail by lag alone"}
    rows = [["pass at level `prompt`", *(str(tally["passed"]) for tally in tallies)]]
    rows += [[words[level], *(str(found.count(level)) for found in failures.values())] for level in levels]
    return [*rows, ["not judged: need what it lacks", *(str(tally["unsupported"]) for tally in tallies)]]


def _counts(fault: Fault, found: Explained, names: Sequence[str]) -> list[str]:
    return [str(len(found.by.get((fault.slug, name), ())) or "–") for name in names]


def _example(fault: Fault, found: Explained) -> str:
    """The first case of the implementation that is named last, which is the newest."""
    cases = [found.by[fault.slug, name] for name in fault.implementations]
    return next((names[0] for names in reversed(cases) if names), "none")


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for line in [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]:
        yield f"| {' | '.join(line)} |"
