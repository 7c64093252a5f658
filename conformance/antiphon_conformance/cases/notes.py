"""What failures mean to users: the notes of a suite, which its cases name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from antiphon_conformance import resources
from antiphon_conformance.inputs import BadInput, read_json

FILE = "notes.json"


@dataclass(frozen=True)
class Note:
    """A kind of harm, and how users meet it."""

    title: str
    effect: str


def load_notes(suite: Path | None = None) -> Mapping[str, Note]:
    """The notes by their names: the kit's own, and those of another suite if it has a notes.json. Raises BadInput."""
    paths = [resources.find("suite") / FILE, *([suite / FILE] if suite and (suite / FILE).exists() else [])]
    return {name: note for path in paths for name, note in _read(path).items()}


def _read(path: Path) -> Mapping[str, Note]:
    document = read_json(path)
    if not isinstance(document, dict):
        raise BadInput(str(path), "isn't an object with a note for each name; write it like the kit's own")
    for name, note in document.items():
        texts = [note.get("title"), note.get("effect")] if isinstance(note, dict) else [None]
        if not all(isinstance(text, str) for text in texts):
            raise BadInput(f"{path}: /{name}", "isn't an object with the texts `title` and `effect`; give it both")
    return {name: Note(note["title"], note["effect"]) for name, note in document.items()}
