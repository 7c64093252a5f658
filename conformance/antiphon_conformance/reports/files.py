"""Reports in files: a form for each suffix.

A form is a function that makes a file's text of a `Content`. The JSON document of a run, of which all others are made,
is made in document.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from antiphon_conformance.inputs import BadInput, writing
from antiphon_conformance.reports import badge, junit, markdown, page
from antiphon_conformance.reports.content import Content


def _document(content: Content) -> str:
    """The document itself; several reports as one, with all of their implementations."""
    return json.dumps(content.joined(), indent=1) + "\n"


T = TypeVar("T")
Forms = Mapping[str, Callable[[T], str]]
"""What makes the text of a file, by its suffix; the first that fits counts."""

FORMS: Forms[Content] = {
    ".badge.json": badge.write,
    ".json": _document,
    ".xml": junit.write,
    ".md": markdown.write,
    ".html": page.write,
}
"""Those of reports."""


def prepare(option: str, paths: Sequence[Path], forms: Collection[str] = FORMS.keys()) -> None:
    """Find out before a run that a file can't be written after it, in one of the forms; make folders.

    `option` named the files. Raises BadInput.
    """
    for path in paths:
        _suffix(option, path, forms)
        with writing(option, path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("a").close()


def write(option: str, paths: Sequence[Path], content: Content) -> None:
    """Write a report to files, each in the form of its suffix. Raises BadInput."""
    write_as(FORMS, option, paths, content)


def write_as(forms: Forms[T], option: str, paths: Sequence[Path], content: T) -> None:
    """Write files, each in the one of the forms that its suffix tells. Raises BadInput."""
    for path in paths:
        text = forms[_suffix(option, path, forms)](content)
        with writing(option, path):
            path.write_text(text, "utf-8")


def _suffix(option: str, path: Path, suffixes: Collection[str]) -> str:
    for suffix in suffixes:
        if path.name.endswith(suffix):
            return suffix
    raise BadInput(f"{option} {path}", f"has none of the suffixes that tell the form: {', '.join(suffixes)}")
