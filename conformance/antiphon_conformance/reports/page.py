"""A report, or a trend, as one HTML file that needs nothing else: no network, no server. Its parts lie in html/.

A report's overview is plain HTML. The list of cases is made in the browser from an index of all cases; what is to be
said of a case that isn't right everywhere lies in a block of its topic, which is read only when such a case is opened.

Everything that comes from cases or implementations is escaped for people (`display.escape`), put into the page by an
escaping template or as JSON without `<`, and set as text by the script; a policy allows no script but that one.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from antiphon_conformance.cases import specification
from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.display import escape, show_value
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import plot
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import Column, by_topic, failure, lag_figures, tally, topic
from antiphon_conformance.reports.trend import labels

TEXT_LIMIT = 2000
"""Code points of a prefix or a text that are shown."""
TEMPLATE_LIMIT = 8000
"""Code points of a template that are shown."""


@dataclass(frozen=True)
class Figure:
    """What a cell of the overview has: of so many judged cases so many pass at a level."""

    level: str
    judged: int
    passed: int

    @property
    def failed(self) -> int:
        return self.judged - self.passed


@dataclass(frozen=True)
class Cell:
    """An implementation in a topic, or in all."""

    figures: Sequence[Figure]
    lag: int
    lacking: int


def write(content: Content) -> str:
    """The text of a report's page."""
    index, topics, script = _Index(content), _topics(content), _part("page.js")
    return _rendered(
        "page",
        script=Markup(script),
        heads=_heads(content.documents),
        columns=[_about(column, content.level) for column in content.columns],
        levels=[level.value for level in Level],
        level=content.level.value,
        topics=topics,
        totals=topics[-1][2],
        others=sorted({topic(case) for column in content.columns for case in column.cases if not case["required"]}),
        flaky=any("flaky" in case for column in content.columns for case in column.cases),
        expected=any("expected_failure" in case for column in content.columns for case in column.cases),
        clauses=index.clauses,
        index=_embedded(index.as_json()),
        blocks={name: _embedded(block) for name, block in index.blocks.items()},
    )


def write_trend(trend: Json) -> str:
    """The text of a trend's page. Raises BadInput where what draws the plot isn't installed."""
    name, names = labels(trend["releases"])
    plotted = base64.b64encode(plot.write(trend).encode("utf-8")).decode("ascii")
    return _rendered(
        "trend",
        trend=trend,
        subject=name,
        labels=names,
        levels=[level.value for level in Level],
        plot=f"data:image/svg+xml;base64,{plotted}",
    )


def _rendered(name: str, **values: object) -> str:
    """A page out of its template and styles, and of values. It may load nothing, and run only its own `script`."""
    style = _part("base.css") + _part(f"{name}.css")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shown"] = escape
    environment.filters["moment"] = _moment
    script = f"script-src '{_hash(str(values['script']))}'; " if "script" in values else ""
    policy = f"default-src 'none'; style-src '{_hash(style)}'; {script}img-src data:; base-uri 'none'"
    return environment.from_string(_part(f"{name}.html")).render(style=Markup(style), policy=policy, **values)


def _moment(text: str) -> str:
    """A time as people read it."""
    return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _part(name: str) -> str:
    return (files(__package__) / "html" / name).read_text("utf-8")


def _hash(text: str) -> str:
    """A source of a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _embedded(value: Json) -> Markup:
    """JSON that may stand in a script element, whatever texts it holds."""
    return Markup(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c"))


def _heads(documents: Sequence[Json]) -> list[Json]:
    """Documents without their implementations, each once."""
    heads = [{name: value for name, value in one.items() if name != "implementations"} for one in documents]
    return list({json.dumps(head): head for head in heads}.values())


def _about(column: Column, level: Level) -> Mapping[str, Json]:
    """What the overview says of an implementation."""
    reached, counts = column.conforms, tally(column.required, level)
    first = column.cases[0]["failures"][0]["reason"] if not column.started else ""
    return {
        "title": column.title,
        "language": column.implementation["language"],
        "adapter": column.implementation["adapter"],
        "problem": first,
        "reached": reached.value if reached else None,
        "counts": counts,
        "lacking": int(counts.unsupported > 0),
        "missing": column.missing,
        "flaky": sum("flaky" in case for case in column.cases),
        "parts": _parts(column),
        "lag": lag_figures(column.required),
    }


def _parts(column: Column) -> list[tuple[str, str, int, float]]:
    """The required cases by where they fail first: a name for styles, one for people, a number, a share in percent."""
    failing = [found["level"] for case in column.required if (found := failure(case, Level.PROMPT))]
    counts = tally(column.required, Level.PROMPT)
    numbers = [
        ("passed", "right and prompt", counts.passed),
        ("prompt", "late", failing.count("prompt")),
        ("events", "wrong events", failing.count("events")),
        ("message", "wrong message", failing.count("message")),
        ("lacks", "not judged", counts.unsupported),
    ]
    total = max(1, len(column.required))
    return [(style, name, number, 100 * number / total) for style, name, number in numbers if number]


def _topics(content: Content) -> list[tuple[str, int, list[Cell]]]:
    """For each topic its name, the number of its cases, and a cell for each implementation; the last is for all."""
    sides = [by_topic(column.required) for column in content.columns]
    names = sorted({name for side in sides for name in side})
    rows = [(name, [side.get(name, []) for side in sides]) for name in names]
    rows.append(("", [column.required for column in content.columns]))
    return [(name, max(map(len, cases), default=0), [_cell(some) for some in cases]) for name, cases in rows]


def _cell(cases: Sequence[Json]) -> Cell:
    tallies = {level.value: tally(cases, level) for level in Level}
    lag = lag_figures(cases)
    figures = [Figure(name, counts.judged, counts.passed) for name, counts in tallies.items()]
    return Cell(figures, lag.max if lag else 0, tallies[Level.MESSAGE.value].unsupported)


class _Table:
    """Values, each once, known by their numbers."""

    def __init__(self) -> None:
        self.values: list[Json] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: Json) -> int:
        key = json.dumps(value)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]


class _Index:
    """What the script of the page works on. Lists stand for objects where there are many; page.js names their parts."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._found: dict[str, list[Json]] = {}
        for number, column in enumerate(content.columns):
            for case in column.cases:
                self._found.setdefault(case["id"], [None] * len(content.columns))[number] = case
        self._ids = sorted(self._found, key=lambda name: (not self._any(name)["required"], name))
        used = {clause for name in self._ids for clause in self._any(name)["clauses"]}
        known = specification.clauses()
        self.clauses = [*(name for name in known if name in used), *sorted(used - known.keys())]
        self._templates = _Table()
        self.blocks = self._details()
        """By topic, what is to be said of cases that aren't right everywhere, by full id; and lines that they share."""

    def as_json(self) -> Json:
        """The index of all cases, and what many of them share."""
        states = _Table()
        texts = specification.clauses()
        broken = (*specification.BY_FINDING.values(), specification.CHUNKS)
        return {
            "level": self._content.level.value,
            "columns": [
                {"title": escape(column.title), "adapter": escape(column.implementation["adapter"])}
                for column in self._content.columns
            ],
            "clauses": {name: escape(texts.get(name, "")) for name in dict.fromkeys([*self.clauses, *broken])},
            "notes": {name: [escape(note.title), escape(note.effect)] for name, note in self._content.notes.items()},
            "templates": self._templates.values,
            "cases": [self._entry(name, states) for name in self._ids],
            "states": states.values,
        }

    def _any(self, name: str) -> Json:
        return next(case for case in self._found[name] if case)

    def _entry(self, name: str, states: _Table) -> Json:
        case = self._any(name)
        sides = [states.number(_state(found)) if found else -1 for found in self._found[name]]
        return [escape(name), escape(case["description"]), case["clauses"], int(case["required"]), sides]

    def _details(self) -> Mapping[str, Json]:
        blocks: dict[str, _Block] = {}
        for name in self._ids:
            sides = self._found[name]
            if any(found and _has_details(found) for found in sides):
                block = blocks.setdefault(topic(self._any(name)), _Block())
                given = self._given(self._content.cases.get(name))
                block.cases[escape(name)] = given | {"sides": [block.told(found) if found else None for found in sides]}
        return {name: {"lines": block.lines.values, "cases": block.cases} for name, block in blocks.items()}

    def _given(self, case: Case | None) -> dict[str, Json]:
        if case is None:
            return {}
        told: dict[str, Json] = {
            "template": self._templates.number(_pretty(case.template)),
            "prefix": show_value(case.prefix, TEXT_LIMIT),
            "text": show_value(case.text, TEXT_LIMIT),
        }
        others = {"tools": case.tools, "options": dict(case.options), "requires": sorted(case.requires)}
        told |= {name: show_value(value, TEXT_LIMIT) for name, value in others.items() if value}
        told |= {name: escape(text) for name, text in (("reason", case.reason), ("source", case.source)) if text}
        return told | ({"notes": list(case.notes)} if case.notes else {})


def _has_details(found: Json) -> bool:
    """Whether there is more to say of a case than that it passes."""
    return bool(found["failures"] or found.keys() & {"lacks", "flaky"} or _lag(found))


def _state(found: Json) -> Json:
    """The level at which a case fails first, what it lacks, the verdict at each level (1, 0, or null), and whether it
    fails as a baseline says, and is flaky."""
    first = failure(found, Level.PROMPT)
    verdicts = [None if right is None else int(right) for right in found["verdicts"].values()]
    lacks = [escape(name) for name in found.get("lacks", ())]
    return [first["level"] if first else None, lacks, verdicts, int("expected_failure" in found), int("flaky" in found)]


def _lag(found: Json) -> int:
    return found["lag"]["max"] if found["lag"] else 0


class _Block:
    """The details of a topic's cases. Lines of timelines, of which many are equal, are known by their numbers."""

    def __init__(self) -> None:
        self.lines = _Table()
        self.cases: dict[str, Json] = {}

    def told(self, found: Json) -> Json:
        """Of a case with an implementation: its runs, its lag, its failures, of which one has the timeline of a
        chunking, and what differed in repetitions."""
        failures, seen = [], set()
        for one in found["failures"]:
            rows = [] if one["chunking"] in seen else list(self._rows(one.get("timeline", ())))
            seen.add(one["chunking"])
            stderr = [escape(line) for line in one.get("stderr", ())]
            depends = specification.depends_on_chunks(one["reason"], one["chunking"])
            concerned = specification.concerned([], one["reason"], one["chunking"])
            about = [one["level"], escape(one["reason"]), one["chunking"], one["runs"]]
            failures.append([*about, rows, stderr, int(depends), concerned])
        flaky = found.get("flaky")
        differed = f"Repetition {flaky['repetition']} differed: {escape(flaky['difference'])}" if flaky else None
        return [found["runs"], _lag(found), failures, differed]

    def _rows(self, timeline: Iterable[Json]) -> Iterator[Json]:
        """A timeline in short: a number for rows left out, less than 0 if they differ; null, name, end and chunk for
        a step; times, the lines of what was expected and what came, and perhaps 1 for what is wrong first, for a row.
        """
        step = None
        for row in timeline:
            if "left_out" in row:
                yield row["left_out"] if row["alike"] else -row["left_out"]
                continue
            if row.get("step") != step:
                step = row["step"]
                yield [None, step, row["at"], escape(row.get("chunk", ""))]
            lines = (row["expected"], row["got"])
            sides = [None if line is None else self.lines.number(escape(line)) for line in lines]
            yield [row.get("due", row.get("came", "")), *sides, *([1] if "first" in row else [])]


def _pretty(template: Json) -> str:
    lines = [escape(line) for line in json.dumps(template, indent=2, ensure_ascii=False).splitlines()]
    text = "\n".join(lines)
    return text if len(text) <= TEMPLATE_LIMIT else f"{text[:TEMPLATE_LIMIT]}\n… {len(text) - TEMPLATE_LIMIT} more"
