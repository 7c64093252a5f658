"""Which suite it is: version, counts, and a digest of all that is judged.

The version is set by hand in the suite's suite.json (CHANGELOG.md beside it tells what each brought); the rest of that
file is made from the cases, by `make suite`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from antiphon_conformance import resources
from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.inputs import BadInput, read_json

FILE = "suite.json"
_WORDS = frozenset(["description", "clauses", "notes", "source", "reason"])


@dataclass(frozen=True)
class Identity:
    """A suite as a whole. `version` is None for a suite that has no suite.json. `digest`: SHA-256, in hexadecimal.

    `counts`: cases by topic, in the order of the topics' names.
    """

    version: str | None
    required: int
    optional: int
    proposals: int
    digest: str
    counts: dict[str, int]


def identity(cases: Iterable[Case], folder: Path | None = None) -> Identity:
    """The identity of all cases of a suite (default: the kit's own). Raises BadInput for an unreadable suite.json."""
    listed = list(cases)
    counts = Counter(case.topic for case in listed)
    optional, proposals = counts["optional"], counts["proposals"]
    digest = sha256()
    for case in sorted(listed, key=lambda case: case.full_id):
        digest.update(json.dumps(_judged(case), sort_keys=True, default=sorted).encode("ascii") + b"\n")
    return Identity(
        version=version(resources.find("suite") if folder is None else folder),
        required=len(listed) - optional - proposals,
        optional=optional,
        proposals=proposals,
        digest=digest.hexdigest(),
        counts={topic: counts[topic] for topic in sorted(counts) if counts[topic]},
    )


def sealed(cases: Iterable[Case], folder: Path) -> str:
    """The text that suite.json should have for its version and these cases. Raises BadInput."""
    return json.dumps({"$schema": "../schema/suite.schema.json", **asdict(identity(cases, folder))}, indent=2) + "\n"


def told(folder: Path) -> Identity:
    """What the suite.json in a suite's folder tells, for those who know that it fits the cases. Raises BadInput."""
    document = read_json(folder / FILE)
    return Identity(**{name: value for name, value in document.items() if name != "$schema"})


def version(folder: Path) -> str | None:
    """The version that a suite's suite.json names; None without that file. Raises BadInput."""
    path = folder / FILE
    if not path.exists():
        return None
    document = read_json(path)
    found = document.get("version") if isinstance(document, dict) else None
    if not isinstance(found, str):
        raise BadInput(f"{path}: /version", "isn't a text; name the version there, or take the file out")
    return found


def _judged(case: Case) -> Json:
    """What decides about a verdict: the case without its words for people."""
    plain = asdict(replace(case, template=None, tools=None))  # JSON values need no deep copy
    fields = {**plain, "template": case.template, "tools": case.tools}
    return {name: value for name, value in fields.items() if name not in _WORDS}
