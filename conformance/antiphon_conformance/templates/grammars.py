"""What the command grammar does: it reads a template and tools, and prints a grammar that holds a model to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from antiphon import TemplateError
from antiphon_portability.autoparser import Analysis, NotAnalysed, analyse
from antiphon_portability.autoparser.grammar import Grammar, GrammarError, Note, ToolChoice, constrain
from antiphon_portability.chat import Dialect, NotRendered, Renderer, TooMuch
from rich.console import Console
from rich.text import Text

from antiphon_conformance import inputs
from antiphon_conformance.display import escape, print_json
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.layout import print_line


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


def run(wish: Wish, console: Console, notes: Console) -> None:
    """Print the grammar, and on `notes` what it doesn't hold a model to. Raises BadInput."""
    tools = inputs.read_tools(wish.tools)
    source, ends = _source(wish.template)
    try:
        constraint = constrain(source, tools, tool_choice=wish.tool_choice, parallel=wish.parallel, ends=ends)
        found: Grammar | Mapping[str, Any] = (
            constraint.structural_tag() if wish.form is Format.XGRAMMAR else constraint.grammar()
        )
    except TemplateError as error:
        raise BadInput(f"{wish.template}: {error.pointer or 'the document'}", str(error)) from None
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
        print_line(notes, _told(note, wish.tools))


def _source(file: str) -> tuple[Analysis | Any, tuple[str, ...]]:
    """A response template's document, or a chat template's analysis; and how a message ends, where that's known."""
    if not file.endswith(".json"):
        return _analysed(inputs.read_chat_template(file)), ()
    document = inputs.read_json(file)
    if isinstance(document, dict) and "chat_template" in document and "response_template" not in document:
        return _analysed(inputs.chat_template_in(document, file)), ()
    found = inputs.read_template(file)
    end = inputs.special_tokens(document).get("eos_token") if found.pointer else None
    return found.document, (end,) if end else ()


def _analysed(chat: inputs.ChatTemplate) -> Analysis:
    try:
        with Renderer(chat.source, chat.special_tokens, dialect=Dialect.LENIENT) as renderer:
            return analyse(renderer)
    except (NotAnalysed, NotRendered, TooMuch) as error:
        problem = f"can't be analysed: {error}; give a response template in its place"
        raise BadInput("the chat template", problem) from None


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


def _told(note: Note, file: str) -> Text:
    return Text.assemble(("note", "yellow"), f" {escape(file)}: {escape(str(note))}")
