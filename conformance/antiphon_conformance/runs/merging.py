"""What `conformance merge` does: the reports of all shards of a run become the report of the whole run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from antiphon_conformance import inputs
from antiphon_conformance.cases.case import Json
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import document as report
from antiphon_conformance.reports import files, summary
from antiphon_conformance.reports.content import Content
from antiphon_conformance.reports.figures import columns, outcome

WHO = ("adapter", "peer", "name", "version", "language")
"""By what an implementation is the same in all of them."""

Documents = Mapping[Path, Json]


def merge(reports: Sequence[Path], to: Sequence[Path], suite: Path | None, console: Console) -> bool:
    """Join reports, write them, print what they come to; whether each required case passes, or fails as expected.

    Raises BadInput, also for reports that don't belong together, and for shards that are missing.
    """
    documents = {path: inputs.read_report(path) for path in reports}
    _check(documents)
    files.prepare("--report", to)
    merged = _merged(list(documents.values()))
    level = Level(merged["level"])
    summary.print_summary(console, columns([merged]), level)
    files.write("--report", to, Content([merged], lambda: load_suite(suite), suite))
    return not any(
        outcome(case, level) == "failed" and "expected_failure" not in case
        for implementation in merged["implementations"]
        if not implementation["peer"]
        for case in implementation["cases"]
        if case["required"]
    )


def _merged(documents: Sequence[Json]) -> Json:
    first = documents[0]
    sizes = [document["suite"] for document in documents]
    return {
        **first,
        "created": max(document["created"] for document in documents),
        "shard": None,
        "suite": {
            **first["suite"],
            **{kind: sum(size[kind] for size in sizes) for kind in ("required", "optional", "proposals")},
        },
        "implementations": [
            _implementation(documents, number, Level(first["level"])) for number in range(len(first["implementations"]))
        ],
    }


def _implementation(documents: Sequence[Json], number: int, level: Level) -> Json:
    """One implementation, its cases in the order of the whole run."""
    placed: dict[int, Json] = {}
    for document in documents:
        placed |= zip(document["shard"]["places"], document["implementations"][number]["cases"], strict=True)
    return report.with_cases(
        documents[0]["implementations"][number], [placed[place] for place in sorted(placed)], level
    )


def _check(documents: Documents) -> None:
    """Whether they are all shards of one run, each once. Raises BadInput."""
    first_path, first = next(iter(documents.items()))
    for path, document in documents.items():
        if document["shard"] is None:
            raise BadInput(str(path), "is no shard's report; merge those that were made with --shard")
        for name, one, other in _settings(document, first):
            if one != other:
                problem = f"has another {name} than {first_path}: {one} instead of {other}"
                raise BadInput(str(path), f"{problem}; merge shards of one run")
        if document["interrupted"]:
            raise BadInput(
                str(path), f"is of a run that was interrupted; run it again with {_option(document['shard'])}"
            )
    _check_shards(documents, first["shard"]["count"])
    _check_places(documents)


def _settings(document: Json, first: Json) -> list[tuple[str, Json, Json]]:
    """In what a report must agree with the first one: names, and what each has."""
    found = [(name, document[name], first[name]) for name in report.SETTINGS]
    found += [(f"suite {name}", document["suite"][name], first["suite"][name]) for name in ("version", "digest")]
    found.append(("number of shards", document["shard"]["count"], first["shard"]["count"]))
    who = [[" ".join(str(one[key]) for key in WHO) for one in each["implementations"]] for each in (document, first)]
    return [*found, ("list of implementations", who[0], who[1])]


def _check_shards(documents: Documents, count: int) -> None:
    owners: dict[int, Path] = {}
    for path, document in documents.items():
        index = document["shard"]["index"]
        if index in owners:
            raise BadInput(str(path), f"is shard {index}/{count}, and so is {owners[index]}; take one of them out")
        owners[index] = path
    missing = [f"--shard {index}/{count}" for index in range(1, count + 1) if index not in owners]
    if missing:
        raise BadInput("REPORT", f"{len(missing)} of {count} shards are missing; run them with {', '.join(missing)}")


def _check_places(documents: Documents) -> None:
    """Whether each implementation has a case for each place, and no two shards have the same one. Raises BadInput."""
    taken: set[int] = set()
    for path, document in documents.items():
        places = document["shard"]["places"]
        remedy = f"run it again with {_option(document['shard'])}"
        for one in document["implementations"]:
            if len(one["cases"]) != len(places):
                raise BadInput(str(path), f"has {len(one['cases'])} cases for {len(places)} places; {remedy}")
        if len(taken.union(places)) < len(taken) + len(places):
            raise BadInput(f"{path}: /shard/places", f"has one twice, or that of another shard; {remedy}")
        taken.update(places)


def _option(shard: Json) -> str:
    return f"--shard {shard['index']}/{shard['count']}"
