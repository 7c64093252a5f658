"""What the command grammar does: it reads a template and tools, and prints a grammar that holds a model to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from antiphon import TemplateError
from antiphon_portability.autoparser.grammar import (
    Grammar,
    GrammarError,
    Note,
    Source,
    ToolChoice,
    source_of,
)
from antiphon_portability.chat import Dialect, NotRendered, Renderer, TooMuch
from rich.console import Console
from rich.text import Text

from antiphon_conformance import inputs
from antiphon_conformance.display import escape, print_json
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.layout import print_line

_OF_TEMPLATES: Final = frozenset({"response_template", "fields", "start_anchor", "start_anchor_pattern"})


class Format(StrEnum):
    """How a grammar is printed."""

    GBNF = "gbnf"
    JSON = "json"
    XGRAMMAR = "xgrammar"


@dataclass(frozen=True)
class Wish:
    """The files, what a model may or must do, and how to print."""

    template: str
    tools: str
    tool_choice: ToolChoice = ToolChoice.AUTO
    parallel: bool = True
    form: Format = Format.GBNF
    prompt: str | None = None


def run(wish: Wish, console: Console, notes: Console) -> None:
    """Print the grammar, and on `notes` what it doesn't hold a model to. Raises BadInput."""
    tools = inputs.read_tools(wish.tools)
    try:
        constraint = _source(wish).constrain(
            tools, tool_choice=wish.tool_choice, parallel=wish.parallel, prompt=wish.prompt
        )
        found: Grammar | Mapping[str, Any] = (
            constraint.structural_tag() if wish.form is Format.XGRAMMAR else constraint.grammar()
        )
    except TemplateError as error:
        raise BadInput(wish.template, str(error)) from None  # which begins with the place
    except GrammarError as error:
        file = wish.tools if error.in_tools else wish.template
        raise BadInput(f"{file}: {error.place}", error.problem) from None
    if isinstance(found, Mapping):
        print_json(found, indent=2)
    elif wish.form is Format.JSON:
        print_json(found.as_json(), indent=2)
    else:
        console.out(_with_comments(found), highlight=False, end="")
    for note in constraint.notes:
        print_line(notes, _told(note, wish))


def _source(wish: Wish) -> Source:
    """A response template's document; or what a chat template leads to. Raises GrammarError, BadInput."""
    file = wish.template
    if not file.endswith(".json"):
        return _of_chat_template(inputs.read_chat_template(file), file)
    document = inputs.read_json(file)
    if isinstance(document, dict) and "chat_template" in document and "response_template" not in document:
        return _of_chat_template(inputs.chat_template_in(document, file), file)
    if isinstance(document, dict) and not document.keys() & _OF_TEMPLATES:
        problem = "has no response_template and no chat_template, and is no template; add one, or give its own file"
        raise BadInput(file, problem)
    found = inputs.read_template(file)
    end = inputs.special_tokens(document).get("eos_token") if found.pointer else None
    return Source(found.document, (end,) if end else ())


def _of_chat_template(chat: inputs.ChatTemplate, file: str) -> Source:
    try:
        with Renderer(chat.source, chat.special_tokens, dialect=Dialect.LENIENT) as renderer:
            return source_of(renderer)
    except (NotRendered, TooMuch) as error:
        raise BadInput(file, f"can't be rendered: {error}; correct the chat template") from None


def _with_comments(grammar: Grammar) -> str:
    """The grammar, and before it what an engine needs to be told beside it."""
    lines = [f"# {name}: {escape(text)}" for name, texts in _told_beside(grammar) for text in texts]
    return "".join(f"{line}\n" for line in [*lines, ""]) + grammar.gbnf


def _told_beside(grammar: Grammar) -> list[tuple[str, tuple[str, ...]]]:
    return [
        ("lazy", ("from a trigger on",)) if grammar.lazy else ("not lazy", ("the whole message",)),
        ("trigger", grammar.triggers),
        ("prompt", (grammar.prompt,) if grammar.prompt else ()),
        ("preserved token", grammar.preserved_tokens),
    ]


def _told(note: Note, wish: Wish) -> Text:
    file = wish.tools if note.place.startswith("/") else wish.template
    return Text.assemble(("note", "yellow"), f" {escape(file)}: {escape(str(note))}")
