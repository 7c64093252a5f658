"""What the command translate does: it prints a pattern for other engines, or all patterns of a template."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from antiphon_portability.regex import ENGINES, Note, PatternError, Translation, translate
from antiphon_portability.regex.translate import Verdict
from antiphon_portability.templates import TranslatedPattern, pattern_table
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from antiphon_conformance import inputs
from antiphon_conformance.display import escape, print_json, show_value
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.layout import print_rows
from antiphon_conformance.templates import parsing

EXCERPT = 30
"""Code points of a faulty pattern that are shown before and after the fault."""
_REASON_WIDTH = 20
"""Columns of a table's reasons, however narrow the terminal is."""
_STYLES: dict[Verdict, str] = {
    "exact": "green",
    "exact under conditions": "yellow",
    "approximate": "yellow",
    "unsupported": "bold red",
}
_DECIDING: dict[Verdict, tuple[str, ...]] = {
    "exact": ("rewritten",),
    "exact under conditions": ("condition",),
    "approximate": ("difference", "later"),
    "unsupported": ("unsupported",),
}
"""The kinds of the notes that are the reason for a verdict."""


@dataclass(frozen=True)
class Wish:
    """What to translate: a pattern, or a template's file; to which targets, of which `all` stands for every one."""

    pattern: str
    to: Sequence[str]
    hit_end: bool = False
    as_json: bool = False


def show(wish: Wish, console: Console) -> bool:
    """Print the translations; whether there are all. Raises BadInput."""
    targets = inputs.targets("--to", wish.to)
    if _is_file(wish.pattern):
        return _print_template(wish, targets)
    _refuse_path(wish.pattern)
    translations = _translations(inputs.checked_argument("PATTERN", wish.pattern), targets, hit_end=wish.hit_end)
    if wish.as_json:
        for translation in translations:
            print_json(translation.as_json())
    elif len(targets) == 1:
        _print_translation(console, translations[0])
    else:
        _print_table(console, translations)
    return all(translation.verdict != "unsupported" for translation in translations)


def _is_file(argument: str) -> bool:
    """Whether the argument is a template's file, rather than a pattern."""
    return os.path.exists(argument) and not os.path.isdir(argument)


def _refuse_path(pattern: str) -> None:
    """Raises BadInput for a pattern that seems to be a path."""
    if os.path.isdir(pattern) and os.sep in pattern:
        raise BadInput(pattern, "is a folder; give a template's file, or write (?:…) around a pattern")
    if pattern.endswith(".json"):
        raise BadInput(pattern, r"there is no such file; if it is a pattern, write \.json for its end")


# -- a pattern


def _translations(source: str, targets: Sequence[str], *, hit_end: bool) -> list[Translation]:
    if not source:
        raise BadInput("PATTERN", "is empty, and would stand everywhere; write what the model writes")
    try:
        return [translate(source, target, "hit-end" if hit_end else "plain") for target in targets]
    except PatternError as error:
        place = f"PATTERN: code point {error.position}"
        raise BadInput(place, f"{error.reason}; {error.remedy}", _excerpt(source, error.position)) from None


def _excerpt(source: str, position: int) -> str:
    """The part of a pattern around a place, and below it a caret that points to the place."""
    begin, end = max(0, position - EXCERPT), position + EXCERPT
    before = ("…" if begin else "") + escape(source[begin:position])
    after = escape(source[position:end]) + ("…" if end < len(source) else "")
    return f"  {before}{after}\n  {' ' * cell_len(before)}^"


def _print_translation(console: Console, translation: Translation) -> None:
    """The pattern, whole and on a line of its own; below it what there is to say of it."""
    if translation.pattern is not None:
        _refuse_encoding(translation.pattern, console)
        console.out(translation.pattern, highlight=False)
        console.print()
    rows = [("target", ENGINES[translation.target].title), *_rows(translation)]
    print_rows(console, rows, {"verdict": _STYLES[translation.verdict]})


def _refuse_encoding(pattern: str, console: Console) -> None:
    """Raises BadInput for a pattern that the terminal can't show: what is printed there instead is another pattern."""
    try:
        pattern.encode(console.encoding)
    except UnicodeEncodeError as error:
        shown = escape(ascii(pattern[error.start])[1:-1])
        raise BadInput(
            "standard output", f"can't carry {shown} in {console.encoding}; print the pattern by --json, which is UTF-8"
        ) from None


def _rows(translation: Translation) -> Iterator[tuple[str, str]]:
    """What there is to say of a translation, each with its name."""
    if translation.flags:
        yield "flags", translation.flags
    yield "verdict", translation.verdict
    for group, original in translation.groups.items():
        yield "group", f"{group} is {_named(original)}"
    if translation.markers:
        yield "markers", f"{', '.join(translation.markers)}: if one took part, the match is undecided"
    if translation.tails:
        yield "tails", f"{', '.join(translation.tails)}: if one took part, the match ends where it begins"
    for note in translation.notes:
        yield note.kind, _told(note)


def _named(original: str | int) -> str:
    return f"the pattern's group {original}" if isinstance(original, int) else f"the pattern's {escape(original)}"


def _told(note: Note) -> str:
    examples = f"; for instance on {', '.join(map(show_value, note.examples))}" if note.examples else ""
    remedy = f"; instead: {note.remedy}" if note.remedy else ""
    return f"{escape(note.text)}{examples}{remedy}"


def _print_table(console: Console, translations: Sequence[Translation]) -> None:
    """A line for each target: the verdict, and the first reason for it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("target", "verdict"):
        table.add_column(title, no_wrap=True)
    table.add_column("first reason", min_width=_REASON_WIDTH)
    for translation in translations:
        verdict = translation.verdict
        reason = next((note for note in translation.notes if note.kind in _DECIDING[verdict]), None)
        table.add_row(translation.target, Text(verdict, _STYLES[verdict]), Text(_told(reason) if reason else ""))
    least = Measurement.get(console, console.options.update(width=1000), table).minimum
    console.width = max(console.width, least)
    console.print(table)


# -- a template


def _read_template(file: str) -> inputs.TemplateDocument:
    """The template in a file; one whose name may be meant as a pattern is told how to write that."""
    try:
        return inputs.read_template(file)
    except BadInput as error:
        if os.sep in file or file.endswith(".json"):
            raise
        raise BadInput(file, f"is a file, and not a template ({error}); as a pattern write (?:{file})") from None


def _print_template(wish: Wish, targets: Sequence[str]) -> bool:
    """Print a template with its patterns for the one target, as JSON."""
    if len(targets) > 1:
        raise BadInput("--to", "a template is translated to one target at a time; name one")
    if wish.hit_end:
        raise BadInput("--hit-end", "a template's patterns are translated in every form; leave it out")
    template = _read_template(wish.pattern)
    parsing.load(template)
    table = pattern_table(template.document, targets[0])
    patterns = {pointer: entry.as_json() for pointer, entry in table.items()}
    print_json({"template": template.document, "target": targets[0], "patterns": patterns}, indent=2)
    return all(isinstance(entry, TranslatedPattern) and not entry.unsupported for entry in table.values())
