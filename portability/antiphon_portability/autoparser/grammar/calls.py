"""The calls of a message as expressions: what every source of a grammar leads to, and every notation begins with."""

from __future__ import annotations

from dataclasses import dataclass

from antiphon_portability.autoparser.grammar import automata
from antiphon_portability.autoparser.grammar.expressions import (
    ANY,
    NEVER,
    Choice,
    Expression,
    Repeat,
    Rules,
    Sequence,
    Text,
    certain_end,
    certain_start,
    choice,
    sequence,
)
from antiphon_portability.autoparser.grammar.schemas import RawText, SchemaReader


@dataclass(frozen=True, slots=True)
class Calls:
    """`unit`: a section of calls, or the first call. `more`: a further one with what stands before it; None: only one.

    `end` is what stands behind the last. `triggers`: the texts by which the unit begins; without any, no text says that
    calls begin. `before`: what a message may have before them, for grammars of whole messages; `prompt`: the part of
    the prompt with which that begins. `marks`: what is kept out of strings. `preserved`: what a tokenizer has to keep
    whole.
    """

    rules: Rules
    unit: Expression
    more: Expression | None
    end: Expression
    triggers: tuple[str, ...]
    before: Expression
    prompt: str
    marks: tuple[str, ...]
    preserved: tuple[str, ...]


def closed_value(
    reader: SchemaReader,
    schema: object,
    path: str,
    tail: Expression,
    end: str,
    marks: tuple[str, ...],
    fitting: tuple[Expression, ...] = (),
) -> Expression:
    """A value without quotes, and `tail` behind it, which has `end` in it and is regular.

    A text ends where `end` stands for the first time, and is free of `marks`; one that is held to something also fits
    `fitting`. JSON is free of what the reader's writer keeps out.
    """
    raws = reader.raw(schema, path)
    held = [raw if raw.texts is None else RawText(texts=(*raw.texts, *fitting)) for raw in raws]
    return choice(*(_closed(reader, raw, tail, end, marks, path) for raw in held))


def _closed(
    reader: SchemaReader, raw: RawText, tail: Expression, end: str, marks: tuple[str, ...], path: str
) -> Expression:
    hint = f"{reader.hint}-text"
    if raw.json is not None:
        return sequence(raw.json, tail)
    rest = _behind(tail, end)
    if raw.texts is not None and (listed := _listed(raw.texts, tail, end, marks)) is not None:
        return listed
    if raw.texts is not None:
        try:
            value = automata.all_of(raw.texts)
            fitting = automata.both(automata.of(_up_to(tail, end), before=value), automata.up_to(end, marks))
            return sequence(automata.affordable(fitting, reader.rules, hint), rest) if fitting.accepting else NEVER
        except automata.TooLarge:
            reader.document.note(path, "pattern or length", "needs too many rules, so any text goes")
    return sequence(_any_up_to(reader.rules, _up_to(tail, end), end, marks), rest)


def _listed(texts: tuple[Expression, ...], tail: Expression, end: str, marks: tuple[str, ...]) -> Expression | None:
    """Texts that are listed one by one, without those that could not be read back; None for others."""
    options = texts[0].options if isinstance(texts[0], Choice) else (texts[0],)
    if not all(isinstance(option, Text) for option in options):
        return None
    behind, machines = certain_start(tail, {}), list(map(automata.of, texts[1:]))
    kept = [
        option
        for option in options
        if isinstance(option, Text)
        and (option.text + behind + end).find(end) >= len(option.text)
        and not any(mark in option.text for mark in marks)
        and all(machine.takes(option.text) for machine in machines)
    ]
    return sequence(choice(*kept), tail) if kept else NEVER


def _any_up_to(rules: Rules, closing: Expression, end: str, marks: tuple[str, ...]) -> Expression:
    """Any text up to the first `end`, with what `closing` surely has before it."""
    required = certain_end(closing, {})
    if required == end:
        return until(rules, end, marks)
    key = ("up to", required, end, marks)
    if key not in rules.kept:
        closed = automata.both(automata.of(sequence(Repeat(ANY, 0, None), required)), automata.up_to(end, marks))
        rules.kept[key] = automata.expression(closed, rules, "until")
    return rules.kept[key]


def until(rules: Rules, end: str, marks: tuple[str, ...] = ()) -> Expression:
    """Any text up to and with the first `end`, free of `marks`."""
    key = ("until", end, marks)
    if key not in rules.kept:
        rules.kept[key] = automata.expression(automata.up_to(end, marks), rules, "until")
    return rules.kept[key]


def without(rules: Rules, marks: tuple[str, ...]) -> Expression:
    """Any text in which none of `marks` stands."""
    key = ("without", "", marks)
    if key not in rules.kept:
        rules.kept[key] = automata.expression(automata.without(marks), rules, "without")
    return rules.kept[key]


def _parts(tail: Expression, end: str) -> tuple[list[Expression], list[Expression]]:
    """The tail up to and with the first `end`, and what is behind that."""
    items = list(tail.items) if isinstance(tail, Sequence) else [tail]
    for index, item in enumerate(items):
        if isinstance(item, Text) and end in item.text:
            stop = item.text.index(end) + len(end)
            return [*items[:index], Text(item.text[:stop])], [Text(item.text[stop:]), *items[index + 1 :]]
    raise ValueError(f"{end!r} isn't in the text behind the value")


def _up_to(tail: Expression, end: str) -> Expression:
    return sequence(*_parts(tail, end)[0])


def _behind(tail: Expression, end: str) -> Expression:
    return sequence(*_parts(tail, end)[1])
