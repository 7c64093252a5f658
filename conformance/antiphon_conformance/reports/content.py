"""What a report in a file is made of: documents of runs, and the cases of the suite that they tell of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.cases.notes import Note, load_notes
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports.document import SETTINGS
from antiphon_conformance.reports.figures import Column, columns

ALIKE = (*SETTINGS, "shard", "suite")
"""In what documents must agree whose implementations are to stand in one."""


@dataclass(frozen=True)
class Content:
    """One document, or several whose implementations stand side by side.

    `suite` gives the cases of which they tell, for forms that show what a case is about; one that isn't there is
    shown without. `folder` holds that suite (None: the kit's own).
    """

    documents: Sequence[Json]
    suite: Callable[[], Iterable[Case]]
    folder: Path | None = None

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """The cases of the suite by their full ids. Raises BadInput."""
        return {case.full_id: case for case in self.suite()}

    @cached_property
    def notes(self) -> Mapping[str, Note]:
        """What failures mean to users. Raises BadInput."""
        return load_notes(self.folder)

    @cached_property
    def columns(self) -> list[Column]:
        """All implementations, in their order."""
        return columns(self.documents)

    @property
    def level(self) -> Level:
        """What counts as a failure: the highest level of the documents."""
        return max((Level(document["level"]) for document in self.documents), key=lambda level: level.rank)

    def joined(self) -> Json:
        """One document with all implementations. Raises BadInput where the documents' settings differ."""
        first, *others = self.documents
        for other in others:
            differing = [name for name in ALIKE if other[name] != first[name]]
            if differing:
                problem = f"the reports differ in {', '.join(differing)}, so they can't become one document"
                raise BadInput("REPORT", f"{problem}; choose another form, or make them with the same settings")
        implementations = [one for document in self.documents for one in document["implementations"]]
        return {**first, "created": max(one["created"] for one in self.documents), "implementations": implementations}
