"""What the script of a report's page works on: an index of all cases, and details of those that aren't all right.

Lists stand for objects where there are many; html/page.js names their parts. Each text is escaped for people here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from antiphon_conformance.cases import specification
from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.display import escape, show_value
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import failure, topic
from antiphon_conformance.reports.verdicts import kind

TEXT_LIMIT = 2000
"""Code points of a prefix or a text that are shown."""
TEMPLATE_LIMIT = 8000
"""Code points of a template that are shown."""


class PageData:
    """The index of a report, and a block of details for each topic."""

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

    def index(self) -> Json:
        """All cases, and what many of them share."""
        states = _Table()
        texts = specification.clauses()
        broken = (*specification.BY_FINDING.values(), specification.CHUNKS)
        return {
            "level": self._content.level.value,
            "columns": [
                {"title": escape(column.title), "adapter": escape(column.implementation["adapter"])}
                for column in self._content.columns
            ],
            "clauses": {escape(name): escape(texts.get(name, "")) for name in dict.fromkeys([*self.clauses, *broken])},
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
        clauses = [escape(clause) for clause in case["clauses"]]
        return [escape(name), escape(case["description"]), clauses, int(case["required"]), sides]

    def _details(self) -> Mapping[str, Json]:
        blocks: dict[str, _Block] = {}
        for name in self._ids:
            sides = self._found[name]
            if any(found and _has_details(found) for found in sides):
                block = blocks.setdefault(topic(self._any(name)), _Block())
                given = self._given(self._content.cases.get(name))
                block.cases[escape(name)] = given | {"sides": [block.told(found) if found else None for found in sides]}
        return {escape(name): {"lines": block.lines.values, "cases": block.cases} for name, block in blocks.items()}

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


class _Block:
    """The details of a topic's cases. Lines of timelines, of which many are equal, are known by their numbers."""

    def __init__(self) -> None:
        self.lines = _Table()
        self.cases: dict[str, Json] = {}

    def told(self, found: Json) -> Json:
        """Of a case with an implementation: its runs, its lag, its failures, of which one has the timeline of a
        chunking, and what differed in repetitions."""
        failures, told = [], set()
        for one in found["failures"]:
            rows = () if one["chunking"] in told else self._rows(one.get("timeline", ()))
            failures.append([*_about(one), list(rows)])
            told.add(one["chunking"])
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


def _has_details(found: Json) -> bool:
    """Whether there is more to say of a case than that it passes."""
    return bool(found["failures"] or found.keys() & {"lacks", "flaky"} or _lag(found))


def _state(found: Json) -> Json:
    """The level at which a case fails first, and the word for that; what it lacks; the verdict at each level (1, 0, or
    null); whether it fails as a baseline says; whether it is flaky."""
    first = failure(found, Level.PROMPT)
    fails = [first["level"], kind(first)] if first else [None, ""]
    verdicts = [None if right is None else int(right) for right in found["verdicts"].values()]
    lacks = [escape(name) for name in found.get("lacks", ())]
    return [*fails, lacks, verdicts, int("expected_failure" in found), int("flaky" in found)]


def _about(one: Json) -> list[Json]:
    """Of a failure: reason, chunking, runs, standard error, whether the chunks are the fault, broken clauses."""
    reason, chunking = one["reason"], one["chunking"]
    stderr = [escape(line) for line in one.get("stderr", ())]
    depends = specification.depends_on_chunks(reason, chunking)
    return [escape(reason), chunking, one["runs"], stderr, int(depends), specification.concerned([], reason, chunking)]


def _lag(found: Json) -> int:
    return found["lag"]["max"] if found["lag"] else 0


def _pretty(template: Json) -> str:
    lines = [escape(line) for line in json.dumps(template, indent=2, ensure_ascii=False).splitlines()]
    text = "\n".join(lines)
    return text if len(text) <= TEMPLATE_LIMIT else f"{text[:TEMPLATE_LIMIT]}\n… {len(text) - TEMPLATE_LIMIT} more"
