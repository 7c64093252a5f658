"""How conformance moved over implementations in a row, such as the releases of one: a document, and what it counts.

The document is JSON by schema/trend.schema.json. It judges each implementation at one level, over the required cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from antiphon_conformance.cases.case import Json
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.document import kit_version
from antiphon_conformance.reports.figures import Column, outcome, topics


def document(columns: Sequence[Column], level: Level) -> Json:
    """The trend over implementations in their order."""
    return {
        "trend": 1,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "kit": kit_version(),
        "level": level.value,
        "releases": [_release(column, level) for column in columns],
        "topics": _topics(columns, level),
        "changes": [_change(before, after, level) for before, after in pairwise(columns)],
    }


def _release(column: Column, level: Level) -> Json:
    found = column.figures
    return {
        "title": column.title,
        "adapter": column.implementation["adapter"],
        "version": column.implementation["version"],
        "tally": vars(found.tallies[level]),
        "passed": {name.value: counts.passed for name, counts in found.tallies.items()},
        "lag": vars(found.lag) if found.lag else None,
    }


def _topics(columns: Sequence[Column], level: Level) -> list[Json]:
    return [
        {
            "topic": topic.name,
            "cases": topic.size,
            "passed": [side.tallies[level].passed for side in topic.sides],
        }
        for topic in topics([column.required for column in columns])
    ]


def _change(before: Column, after: Column, level: Level) -> Json:
    """The cases that pass since, and those that no longer do, of the cases that both were run with."""
    old, new = (_passing(column, level) for column in (before, after))
    both = [name for name in old if name in new]
    return {
        "from": before.title,
        "to": after.title,
        "fixed": [name for name in both if new[name] and not old[name]],
        "broken": [name for name in both if old[name] and not new[name]],
    }


def _passing(column: Column, level: Level) -> Mapping[str, bool]:
    return {case["id"]: outcome(case, level) == "passed" for case in column.required}


def labels(releases: Sequence[Json]) -> tuple[str, list[str]]:
    """A name that all have in common, perhaps none, and what each is called beside the others."""
    titles = [release["title"] for release in releases]
    names = {release["title"].removesuffix(release["version"]).strip() for release in releases}
    versions = [release["version"] for release in releases]
    if len(names) == 1 and all(versions) and len(set(versions)) == len(versions):
        return names.pop(), versions
    return "", titles
