"""What the command roundtrip does: it reads two templates, makes the round trip, and prints what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from antiphon_portability.autoparser.roundtrip import (
    CONVERSATIONS,
    PARSED,
    Conversation,
    NoConversation,
    Result,
    RoundTrip,
    Verdict,
    conversations_of,
    round_trip,
)
from antiphon_portability.chat import Dialect, Renderer
from antiphon_portability.lint.limits import Limits
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from antiphon_conformance import inputs
from antiphon_conformance.display import ROW_LIMIT, escape, print_json, show_value
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.layout import print_line, print_rows
from antiphon_conformance.templates import parsing
from antiphon_conformance.templates.rendering import remedy

_STYLES: Final = {Verdict.EXACT: "green", Verdict.LOSSY: "yellow", Verdict.WRONG: "bold red"}


@dataclass(frozen=True)
class Wish:
    """The files, the environment of the chat template, and how to print."""

    chat_template: str
    response_template: str
    messages: str | None = None
    dialect: Dialect = Dialect.HUGGING_FACE
    as_json: bool = False


def run(wish: Wish, console: Console, notes: Console) -> bool:
    """Make the round trip and print it; whether something was compared and nothing is wrong. Raises BadInput.

    On `notes` is said that nothing was compared.
    """
    chat = inputs.read_chat_template(wish.chat_template)
    response = inputs.read_template(wish.response_template)
    template = parsing.load(response)
    conversations = CONVERSATIONS if wish.messages is None else _conversations(wish.messages)
    with Renderer(chat.source, chat.special_tokens, dialect=wish.dialect) as renderer:
        trip = round_trip(renderer, template, conversations, may_parse=Limits.of(response.document, template).why_not)
    if wish.as_json:
        files = {"chat_template": wish.chat_template, "response_template": wish.response_template}
        print_json({**files, **trip.as_json()}, indent=2)
    else:
        _print(trip, wish, console)
    if not trip.has_compared:
        told = f"{wish.chat_template}: nothing was compared: {_why_nothing(trip, wish)}"
        print_line(notes, Text(escape(told), "bold red"))
    return trip.passes


def _why_nothing(trip: RoundTrip, wish: Wish) -> str:
    """The first reason, and what to do."""
    first = next((result for result in trip.results if result.reason), None)
    if first is None:
        return "the turns have no text; correct the chat template, or the conversations"
    if first.verdict is Verdict.NOT_RENDERED:
        return f"{first.reason}; {remedy(first.reason, wish.dialect)}"
    return f"{first.reason}; correct the chat template, or the conversations"


def _conversations(file: str) -> Sequence[Conversation]:
    try:
        return conversations_of(inputs.read_json(file))
    except NoConversation as error:
        raise BadInput(f"{file}: {error.pointer or 'the document'}", error.reason) from None


def _print(trip: RoundTrip, wish: Wish, console: Console) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("feature", no_wrap=max(len(result.feature) for result in trip.results) < console.width // 2)
    table.add_column("verdict", no_wrap=True)
    table.add_column("what", overflow="fold")
    for result in trip.results:
        verdict = Text(result.verdict, _STYLES.get(result.verdict, "dim"))
        table.add_row(Text(escape(result.feature)), verdict, Text(escape(what(result))))
    console.print(table)
    for result in examples(trip):
        feature, *lost = title(result)
        print_line(console, Text.assemble((escape(feature), "bold"), *(f"  {escape(one)}" for one in lost)))
        print_rows(console, rows(result), margin=2)
        console.print()
    notes = dict.fromkeys(note for result in trip.results for note in result.notes)
    for note in notes:
        count = sum(note in result.notes for result in trip.results)
        print_line(console, Text(escape(f"{count} of the turns: {note}"), "dim"))
    style = "green" if trip.passes else "bold red"
    print_line(console, Text(f"{escape(wish.response_template)}: {trip.summary}", style))


def what(result: Result) -> str:
    """What there is to say of a result, in short."""
    if result.verdict not in PARSED:
        return result.reason
    parts = [", ".join(result.lost)] if result.lost else []
    if result.only_bare:
        parts = [f"without {show_value(result.end)}: {parts[0]}"]
    unwritten = [what for what in result.unwritten if what != "ids"]  # the feature of that name tells
    if unwritten:
        parts.append(f"not written: {', '.join(unwritten)}")
    return "; ".join(parts)


def title(result: Result) -> list[str]:
    """The feature, and what there is to say of it, unless that's the same."""
    return [*dict.fromkeys((result.feature, what(result)))]


def examples(trip: RoundTrip) -> Iterator[Result]:
    """Of the results that lose the same, the first."""
    seen: set[tuple[object, ...]] = set()
    for result in trip.results:
        kind = (result.lost, result.only_bare)
        if result.verdict in (Verdict.LOSSY, Verdict.WRONG) and kind not in seen:
            seen.add(kind)
            yield result


def rows(result: Result) -> Iterator[tuple[str, str]]:
    """What was parsed, and what came of it."""
    yield "prompt", show_value(f"…{result.prompt[-40:]}", ROW_LIMIT)
    yield "text", show_value(result.text.removesuffix(result.end) if result.only_bare else result.text, ROW_LIMIT)
    if result.error:
        yield "gives", result.error
    for found in result.differences:
        told = {name: show_value(value, ROW_LIMIT) for name, value in found.values().items()}
        yield from ({"expected": "nothing", "got": "nothing"} | told).items()
