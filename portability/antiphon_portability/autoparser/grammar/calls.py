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
from antiphon_portability.autoparser.grammar.schemas import SchemaReader
from antiphon_portability.autoparser.grammar.unquoted import RawText, raw


@dataclass(frozen=True, slots=True)
class Calls:
    """`unit`: a section of calls, or the first call. `more`: a further one with what stands before it; None: only one.

    `close` closes the last; `end` is that and what may stand behind it. `triggers`: the texts by which the unit begins;
    without any, no text says that calls begin. `before`: what a message may have before them, for grammars of whole
    messages; `prompt`: the part of the prompt with which that begins. `preserved`: what a tokenizer has to keep whole.
    """

    rules: Rules
    unit: Expression
    more: Expression | None
    close: Expression
    end: Expression
    triggers: tuple[str, ...]
    before: Expression
    prompt: str
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
    ways = raw(reader, schema, path)
    held = [way if way.texts is None else RawText(texts=(*way.texts, *fitting)) for way in ways]
    found = choice(*(_closed(reader, way, tail, end, marks, path) for way in held))
    reader.rules.expect(reader.document.place + path, found)
    return found


def _closed(
    reader: SchemaReader, way: RawText, tail: Expression, end: str, marks: tuple[str, ...], path: str
) -> Expression:
    hint = f"{reader.hint}-text"
    if way.json is not None:
        return sequence(way.json, tail)
    rest = _behind(tail, end)
    if way.texts is not None and (options := _options(way.texts[0])) is not None:
        fitting = list(map(automata.of, way.texts[1:]))
        kept = {one for one in options if _is_read_back(one.text, fitting, tail, end, marks)}
        reader.document.note_lost(path, [one.text for one in options if one not in kept])
        return sequence(choice(*(one for one in options if one in kept)), tail) if kept else NEVER
    if way.texts is not None:
        try:
            value = automata.all_of(way.texts)
            ended = automata.both(automata.of(_up_to(tail, end), before=value), automata.up_to(end, marks))
            return sequence(automata.affordable(ended, reader.rules, hint), rest) if ended.accepting else NEVER
        except automata.TooLarge:
            reader.document.note(path, "pattern or length", "needs too many rules, so any text goes")
    return sequence(_any_up_to(reader.rules, _up_to(tail, end), end, marks), rest)


def _options(texts: Expression) -> list[Text] | None:
    """Texts that are listed one by one; None for others."""
    options = texts.options if isinstance(texts, Choice) else (texts,)
    listed = [option for option in options if isinstance(option, Text)]
    return listed if len(listed) == len(options) else None


def _is_read_back(
    text: str, fitting: list[automata.Automaton], tail: Expression, end: str, marks: tuple[str, ...]
) -> bool:
    """Whether a text before `tail` ends where it should, has no mark in it, and stays as it is."""
    stop = (text + certain_start(tail, {}) + end).find(end)
    return stop >= len(text) and not any(mark in text for mark in marks) and all(one.takes(text) for one in fitting)


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
