"""What failures mean to users: the notes of a suite, which its cases name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from antiphon_conformance import resources
from antiphon_conformance.inputs import read_json

FILE = "notes.json"


@dataclass(frozen=True)
class Note:
    """A kind of harm, and how users meet it."""

    title: str
    effect: str


def load_notes(suite: Path | None = None) -> Mapping[str, Note]:
    """The notes by their names: the kit's own, and those of another suite if it has a notes.json. Raises BadInput."""
    paths = [resources.find("suite") / FILE, *([suite / FILE] if suite and (suite / FILE).exists() else [])]
    return {name: Note(note["title"], note["effect"]) for path in paths for name, note in read_json(path).items()}
