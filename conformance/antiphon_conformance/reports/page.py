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
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import escape
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import plot
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import Column, Topic, topics
from antiphon_conformance.reports.page_data import PageData
from antiphon_conformance.reports.trend import labels
from antiphon_conformance.reports.verdicts import of_implementation


def write(content: Content) -> str:
    """The text of a report's page."""
    data, columns = PageData(content), content.columns
    every_case = [case for column in columns for case in column.cases]
    return _rendered(
        "page",
        script=Markup(_part("page.js")),
        heads=_heads(content.documents),
        columns=[_about(column, content.level) for column in columns],
        levels=[level.value for level in Level],
        level=content.level.value,
        topics=topics([column.required for column in columns]),
        total=Topic("", [len(column.required) for column in columns], [column.figures for column in columns]),
        others=[topic.name for topic in topics([column.others for column in columns])],
        flaky=any("flaky" in case for case in every_case),
        expected=any("expected_failure" in case for case in every_case),
        clauses=data.clauses,
        index=_embedded(data.index()),
        blocks={name: _embedded(block) for name, block in data.blocks.items()},
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
    environment.filters["sentence"] = _sentence
    environment.filters["moment"] = _moment
    script = f"script-src '{_hash(str(values['script']))}'; " if "script" in values else ""
    policy = f"default-src 'none'; style-src '{_hash(style)}'; {script}img-src data:; base-uri 'none'"
    return environment.from_string(_part(f"{name}.html")).render(style=Markup(style), policy=policy, **values)


def _sentence(text: str) -> str:
    return escape(f"{text[:1].upper()}{text[1:]}.")


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


def _about(column: Column, level: Level) -> Mapping[str, object]:
    """What the overview says of an implementation."""
    return {
        "title": column.title,
        "language": column.implementation["language"],
        "verdict": of_implementation(column, level),
        "parts": [] if column.startup_failure else _parts(column),
        "lacks": column.figures.lacking > 0,
    }


def _parts(column: Column) -> list[tuple[str, str, int, float]]:
    """The required cases by where they fail first: a name for styles, one for people, a number, a share in percent."""
    failing = [found["level"] for _, found in column.failing(Level.PROMPT)]
    numbers = [
        ("passed", "right and prompt", column.figures.tallies[Level.PROMPT].passed),
        ("prompt", "late", failing.count("prompt")),
        ("events", "wrong events", failing.count("events")),
        ("message", "wrong message", failing.count("message")),
        ("lacks", "not judged", column.figures.lacking),
    ]
    total = max(1, len(column.required))
    return [(style, name, number, 100 * number / total) for style, name, number in numbers if number]
