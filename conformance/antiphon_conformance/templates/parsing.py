"""What the commands parse, stream and check do with the reference."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import antiphon

from antiphon_conformance.display import escape, print_json
from antiphon_conformance.inputs import BadInput, TemplateDocument

REMEDIES = {
    "field-missing": "complete the text, or make the field optional in the template",
    "placeholder-unresolved": "complete the text there, or take the placeholder out of the transform",
}
"""What to do about the kinds of ParseError that aren't about the text of a region alone."""
REMEDY = "correct the region's text there, or its content kind in the template"


class ParseFailed(Exception):
    """A generation from which no message can be made; its text is one line with kind, field, position and remedy."""

    def __init__(self, error: antiphon.ParseError) -> None:
        super().__init__(escape(f"{error.kind}: {error}; {REMEDIES.get(error.kind, REMEDY)}"))


def load(source: TemplateDocument, proposals: Collection[str] = ()) -> antiphon.Template:
    """The template of a document, with these proposals. Raises BadInput with the place in the file."""
    try:
        return antiphon.load_template(source.document, proposals=proposals)
    except antiphon.TemplateError as error:
        raise _unusable(source, error) from None


def _unusable(source: TemplateDocument, error: antiphon.TemplateError) -> BadInput:
    place = f"{source.file}: {source.pointer}{error.pointer}" if source.pointer or error.pointer else source.file
    return BadInput(place, f"{error.reason} ({error.kind})")


def faults(source: TemplateDocument, proposals: Collection[str] = ()) -> list[str]:
    """What is wrong with a template that may use these proposals, a line for each fault; nothing if it is valid."""
    found = antiphon.template_faults(source.document, proposals=proposals)
    return [str(_unusable(source, fault)) for fault in found]


def proposals(names: Collection[str]) -> frozenset[str]:
    """The proposals that an option names. Raises BadInput."""
    for name in names:
        if name not in antiphon.PROPOSALS:
            raise BadInput(
                f"--proposal {name}", f"there is no such proposal; there are {', '.join(antiphon.PROPOSALS)}"
            )
    return frozenset(names)


@dataclass(frozen=True)
class Given:
    """What a parser is made from; `tools_file` is where the tools come from, for error messages."""

    template: antiphon.Template
    prefix: str
    tools: Sequence[Any] | None
    tools_file: str | None

    def parser(self) -> antiphon.ResponseParser:
        """Raises antiphon.ParseError, and BadInput for faulty tools."""
        if self.prefix and not self.template.has_anchor(self.prefix):
            print("antiphon: the start anchor isn't in the prefix; all of it was parsed", file=sys.stderr)
        try:
            return antiphon.ResponseParser(self.template, prefix=self.prefix, tools=self.tools)
        except antiphon.TemplateError as error:
            place = f"{self.tools_file}: {error.pointer or 'the document'}"
            raise BadInput(place, f"{error.reason} ({error.kind})") from None


def parse(given: Given, text: Iterable[str]) -> None:
    """Print the message of a whole text. Raises ParseFailed, BadInput."""
    try:
        parser = given.parser()
        parser.feed("".join(text))
        message, _ = parser.finalize()
    except antiphon.ParseError as error:
        raise ParseFailed(error) from None
    print_json(message, indent=2)


def stream(given: Given, chunks: Iterable[str]) -> None:
    """Print each event when it is due, one a line, and the message as the last line. Raises ParseFailed, BadInput."""
    try:
        parser = given.parser()
        _print_all(parser.initial_events)
        for chunk in chunks:
            _print_all(parser.feed(chunk))
        message, final = parser.finalize()
        _print_all(final)
    except antiphon.ParseError as error:
        _print_all(error.events)
        raise ParseFailed(error) from None
    print_json(message)


def _print_all(events: Iterable[Any]) -> None:
    for event in events:
        print_json(event)
