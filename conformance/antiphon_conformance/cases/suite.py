"""Finding, reading and validating the suite. What a case may say is told by schema/case-file.schema.json.

Case files lie in a topic's folder, at any depth below the suite; templates of real models in `templates/`. Files
directly in the suite's folder are not case files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from antiphon_conformance import resources, schemas
from antiphon_conformance.cases.case import OPTIONAL, PROPOSALS, Case, Expectation, ExpectedError, ExpectedEvent, Json
from antiphon_conformance.display import show_value
from antiphon_conformance.inputs import BadInput, read_json

TEMPLATES = "templates"
LONGEST = 10_000_000
"""Code points that a case's text may have."""


class SuiteError(BadInput):
    """A case file that can't be used: which file, where in it (JSON Pointer), what is wrong, what to do."""

    def __init__(self, path: Path, pointer: str, problem: str) -> None:
        self.pointer = pointer
        super().__init__(f"{path}: {pointer or 'the document'}", problem)


@dataclass(frozen=True)
class _Place:
    """A place in a case file, for error messages."""

    path: Path
    pointer: str

    def __truediv__(self, part: str | int) -> _Place:
        return replace(self, pointer=f"{self.pointer}/{part}")

    def error(self, problem: str) -> SuiteError:
        return SuiteError(self.path, self.pointer, problem)


def load_suite(folder: Path | None = None, *, validate: bool = True) -> list[Case]:
    """All cases of a suite (default: the kit's own), in the order of their files' paths. Raises BadInput.

    Without `validate` the files must be known to be by the schema, as those of the kit are.
    """
    folder = resources.find("suite") if folder is None else folder
    if not folder.is_dir():
        raise BadInput(str(folder), "isn't a folder; give the one that holds the topics' folders")
    templates = load_templates(folder)
    paths = sorted(path for path in folder.glob("*/**/*.json") if path.relative_to(folder).parts[0] != TEMPLATES)
    if not paths:
        raise BadInput(
            str(folder), f"holds no cases; put the files in a folder per topic ({folder / 'mine' / 'a.json'})"
        )
    return [case for path in paths for case in load_file(path, folder, templates, validate=validate)]


def load_templates(folder: Path) -> dict[str, Json]:
    """A suite's templates of real models, by name. Raises BadInput."""
    return {path.stem: read_json(path) for path in sorted((folder / TEMPLATES).glob("*.json"))}


def load_file(path: Path, folder: Path, templates: dict[str, Json], *, validate: bool = True) -> Iterator[Case]:
    """The cases of one file below the suite's folder. Raises BadInput."""
    name = str(path.relative_to(folder))
    if not name.isprintable():
        raise BadInput(str(path), "has a name that can't be printed, and cases are called by it; rename the file")
    document = read_json(path)
    fault = schemas.first_fault(document, "case-file") if validate else None
    if fault is not None:
        raise SuiteError(path, fault.pointer, fault.problem)
    stem = path.relative_to(folder).with_suffix("").as_posix()
    seen: set[str] = set()
    for index, source in enumerate(document["cases"]):
        place = _Place(path, f"/cases/{index}")
        if source["id"] in seen:
            raise (place / "id").error(f"{show_value(source['id'])} is taken by an earlier case; rename one of them")
        seen.add(source["id"])
        yield _case(source, document, stem, place, templates)


def _case(source: Json, document: Json, stem: str, place: _Place, templates: dict[str, Json]) -> Case:
    text = _text(source.get("text", ""), place / "text")
    full_id = f"{stem}/{source['id']}"
    case = Case(
        full_id=full_id,
        description=source["description"],
        clauses=tuple(source["clauses"]),
        template=_template(source, document, place, templates),
        expect=_expectation(source["expect"], len(text), place / "expect", source.get("timing", True)),
        text=text,
        prefix=source.get("prefix", ""),
        tools=source.get("tools"),
        options=source.get("options", {}),
        requires=frozenset(source.get("requires", ())),
        listed_chunkings=tuple(
            _listed(item, len(text), place / "chunkings" / index)
            for index, item in enumerate(source.get("chunkings", ()))
        ),
        reason=source.get("reason"),
        proposals=_proposals(stem, place),
        notes=tuple(dict.fromkeys([*document.get("notes", ()), *source.get("notes", ())])),
        source=source.get("source", document.get("source")),
    )
    if (case.topic == OPTIONAL) != (case.reason is not None):
        raise place.error("cases in optional/ need a reason, and only they have one; move the case, or see to `reason`")
    return case


def _proposals(stem: str, place: _Place) -> tuple[str, ...]:
    """The proposal in whose folder a file lies, if it is a proposal's."""
    topic, *folders = stem.split("/")[:-1]
    if topic != PROPOSALS:
        return ()
    if not folders:
        raise replace(place, pointer="").error(
            f"lies in {PROPOSALS}/ itself; put it into a folder named as its proposal"
        )
    return (folders[0],)


def _template(source: Json, document: Json, place: _Place, templates: dict[str, Json]) -> Json:
    for owner, where in ((source, place / "template"), (document, replace(place, pointer="/template"))):
        if "template" in owner:
            template = owner["template"]
            if not isinstance(template, str):
                return template
            if template not in templates:
                raise where.error(
                    f"there is no {TEMPLATES}/{template}.json; its names: {', '.join(templates) or 'none'}"
                )
            return templates[template]
    raise place.error("has no template, and neither has the file; add `template` to one of them")


def _text(source: Json, place: _Place) -> str:
    try:
        return joined_text(source)
    except ValueError as error:
        raise place.error(str(error)) from None


def joined_text(source: Json) -> str:
    """The text of a case, from its parts. Raises ValueError, with what is wrong, for one that is too long."""
    listed = [source] if isinstance(source, str) else source
    parts = [(part, 1) if isinstance(part, str) else (part["repeat"], int(part["times"])) for part in listed]
    length = sum(len(part) * times for part, times in parts)
    if length > LONGEST:
        raise ValueError(f"has {length:,} code points, and may have {LONGEST:,}; repeat less")
    return "".join(part * times for part, times in parts)


def _listed(item: Json, length: int, place: _Place) -> str | tuple[int, ...]:
    if isinstance(item, str):
        return item
    if item != sorted(item) or (item and item[-1] > length):
        raise place.error(f"cut positions must ascend and be at most {length}, the text's length")
    return tuple(map(int, item))


def _expectation(source: Json, length: int, place: _Place, timing: bool) -> Expectation:
    error = source.get("error")
    if "events" not in source:
        return Expectation(source.get("message"), _error(error, length), source.get("loads", False))
    timed = ["at" in item for item in [*source["events"], *([error] if error else [])]]
    if True in timed and False in timed:
        raise _nth(place, source, timed.index(False)).error("has no `at`, others have; give it to all, or to none")
    if True in timed and not timing:
        raise (place / "events").error('carry `at`, but the case says "timing": false; take one of them out')
    events = tuple(_event(item, length, place / "events" / index) for index, item in enumerate(source["events"]))
    expectation = Expectation(source.get("message"), _error(error, length), events=events, timed=all(timed) and timing)
    if expectation.timed:
        _check_order(expectation, length, place)
    return expectation


def _event(source: Json, length: int, place: _Place) -> ExpectedEvent:
    event = {key: value for key, value in source.items() if key != "at"}
    if "at" not in source:
        return ExpectedEvent(event)
    at: Any = source["at"]
    if not isinstance(at, list):
        return ExpectedEvent(event, _moment(at, length), _moment(at, length))
    first, last = map(int, at)
    if last - first + 1 != len(event["text"]):
        raise (place / "at").error(f"{at} is {last - first + 1} moments for {len(event['text'])} code points of text")
    return ExpectedEvent(event, first, last)


def _error(source: Json, length: int) -> ExpectedError | None:
    if source is None:
        return None
    at = _moment(source["at"], length) if "at" in source else None
    return ExpectedError(**{**source, "at": at})


def _moment(at: int | str, length: int) -> int:
    return length + 1 if isinstance(at, str) else int(at)


def _check_order(expectation: Expectation, length: int, place: _Place) -> None:
    """Moments never go back along the stream, and none but the end lies behind the text."""
    reached = 0
    moments = [(event.first or 0, event.last or 0) for event in expectation.events or ()]
    if expectation.error is not None and expectation.error.at is not None:
        moments.append((expectation.error.at, expectation.error.at))
    for index, (first, last) in enumerate(moments):
        if first < reached or last > length + 1:
            where = _nth(place, {"events": expectation.events}, index)
            raise where.error(
                f'its moment must be at least {reached}, that of what precedes it, and at most {length} or "end"'
            )
        reached = last


def _nth(place: _Place, source: Json, index: int) -> _Place:
    """The place of the event of that number, or of the error that follows the events."""
    return place / "events" / index if index < len(source["events"]) else place / "error"
