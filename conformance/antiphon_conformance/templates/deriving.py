"""What the command derive does: it reads a chat template, derives, and prints the result or how it came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from antiphon_portability.autoparser import PAIRS, NotAnalysed, Step, analyse
from antiphon_portability.autoparser.derive import MISSING, Derived, derive
from antiphon_portability.autoparser.roundtrip import Verdict
from antiphon_portability.chat import Dialect, NotRendered, Renderer, TooMuch
from rich.console import Console
from rich.text import Text

from antiphon_conformance import inputs
from antiphon_conformance.display import ROW_LIMIT, escape, print_json, show_value
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.layout import print_line, print_rows
from antiphon_conformance.templates import round_trips
from antiphon_conformance.templates.rendering import remedy


@dataclass(frozen=True)
class Wish:
    """The file, the environment of the chat template, and what to print instead of the response template."""

    chat_template: str
    dialect: Dialect = Dialect.LENIENT
    analysis: bool = False
    explain: bool = False


def run(wish: Wish, console: Console, notes: Console) -> bool:
    """Derive and print, and on `notes` what is wrong with it; whether nothing is. Raises BadInput."""
    if wish.analysis and wish.explain:
        raise BadInput("--analysis", "is printed alone; leave out --explain, or --analysis")
    chat = inputs.read_chat_template(wish.chat_template)
    with Renderer(chat.source, chat.special_tokens, dialect=wish.dialect) as renderer:
        try:
            if wish.analysis:
                print_json(analyse(renderer).document(), indent=2)
                return True
            derived = derive(renderer)
        except (NotAnalysed, NotRendered, TooMuch) as error:
            in_either = isinstance(error, TooMuch)
            what_to_do = "correct the chat template" if in_either else remedy(str(error), wish.dialect)
            raise BadInput(wish.chat_template, f"{_PROBLEMS[type(error)]}: {error}; {what_to_do}") from None
    if wish.explain:
        _explain(derived, wish, console)
    else:
        print_json(derived.template, indent=2)
        for text, style in _faults(derived):
            print_line(notes, Text.assemble((f"{wish.chat_template}: ", ""), (escape(text), style)))
    return derived.round_trip.passes


_PROBLEMS: Final[dict[type[Exception], str]] = {
    NotAnalysed: "its renders can't be read",
    NotRendered: "can't be rendered",
    TooMuch: "can't be rendered",
}


def _explain(derived: Derived, wish: Wish, console: Console) -> None:
    print_json(derived.template, indent=2)
    console.print()
    asked = derived.generation_prompt
    prompt = f"ends with {show_value(asked, ROW_LIMIT)}" if asked else "has nothing that asks for an answer"
    print_rows(console, [("prompt", prompt)])
    for pointer, comment in derived.parts.items():
        print_line(console, Text(escape(pointer), "bold"))
        print_rows(console, _rows(_at(derived.template, pointer), comment), margin=2)
    steps = {step for pointer in derived.parts for step in derived.shown_by(pointer)}
    print_line(console, Text("the comparisons: what the second of two conversations has otherwise", "bold"))
    print_rows(console, [(step.value, PAIRS[step].change) for step in Step if step in steps], margin=2)
    for name, text in _open(derived):
        print_rows(console, [(name, text)], {name: "yellow"})
    for result in round_trips.examples(derived.round_trip):
        told = f"{result.verdict}: {': '.join(round_trips.title(result))}"
        print_line(console, Text(escape(told), "yellow" if result.verdict is Verdict.LOSSY else "bold red"))
        print_rows(console, round_trips.rows(result), margin=2)
    style = "green" if derived.round_trip.passes else "bold red"
    print_line(console, Text(f"{escape(wish.chat_template)}: round trip: {derived.round_trip.summary}", style))


def _open(derived: Derived) -> Iterator[tuple[str, str]]:
    for text in derived.unsettled:
        yield "not settled", text
    for slug in derived.missing:
        yield f"the format can't say ({slug})", MISSING[slug]


def _faults(derived: Derived) -> Iterator[tuple[str, str]]:
    """What is to be known of a response template before it is used, each with its style."""
    trip = derived.round_trip
    wrong = len(trip.having(Verdict.WRONG))
    if wrong:
        yield f"{wrong} of {len(trip.results)} conversations come back wrong; see --explain", "bold red"
    if not trip.has_compared:
        yield "no conversation could be compared with what comes back; see --explain", "bold red"
    for name, text in _open(derived):
        yield f"{name}: {text}", "yellow"


def _rows(value: Any, comment: str) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        yield "is", show_value(value, ROW_LIMIT)
    yield "shown by", comment


def _at(document: Any, pointer: str) -> Any:
    """The value at a pointer; its keys are those of a template, in which nothing is escaped."""
    for key in pointer.split("/")[1:]:
        document = document[key]
    return document
