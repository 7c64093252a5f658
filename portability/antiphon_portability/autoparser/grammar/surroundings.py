"""What a response template takes around calls: before the first, between two, and behind the last.

Where the template drops text or takes it for content, a grammar has as much of it as models write there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from antiphon_portability.autoparser.analysis.markers import INNERMOST_MARKER
from antiphon_portability.autoparser.grammar import automata, delimiters, patterns
from antiphon_portability.autoparser.grammar.calls import until, without
from antiphon_portability.autoparser.grammar.delimiters import Delimiter
from antiphon_portability.autoparser.grammar.errors import GrammarError
from antiphon_portability.autoparser.grammar.expressions import (
    NOTHING,
    Choice,
    Expression,
    Repeat,
    Rules,
    Text,
    chars,
    chars_but,
    choice,
    optional,
    sequence,
)
from antiphon_portability.autoparser.grammar.expressions import Sequence as Items
from antiphon_portability.autoparser.grammar.patterns import ID_CHARS, NotRegular
from antiphon_portability.regex import nodes

_MOST_SEPARATORS: Final = 3
_SOME_SPACE: Final = Repeat(chars(" \n"), 0, 2)
_MARKS_OUTSIDE: Final = (
    ("</", Repeat(chars_but("<>/ \n"), 1, None), ">"),
    ("<|", Repeat(chars_but("<>|/ \n"), 1, None), "|>"),
    ("<｜", Repeat(chars_but("<>｜/ \n"), 1, None), "｜>"),
)


@dataclass(frozen=True)
class Surroundings:
    """Of the field `name` of a template. `ends`: texts of tokens with which a model ends its message."""

    fields: Mapping[str, Mapping[str, Any]]
    name: str
    rules: Rules
    ends: Sequence[str]

    @cached_property
    def separators(self) -> Expression:
        """What the template takes outside of regions and leaves out of the message, such as the marks of a section."""
        implicit = [name for name, field in self.fields.items() if not field.keys() & {"open", "open_pattern"}]
        if not implicit:
            return sequence(patterns.spaces(self.rules), optional(self._dropped()))
        found = [one for name in implicit for one in self._marks_of(delimiters.read(self.fields[name], name, "close"))]
        return Repeat(choice(*found), 0, _MOST_SEPARATORS) if found else NOTHING

    def _marks_of(self, closing: Delimiter | None) -> Iterator[Expression]:
        """The closes of the field that has what no open begins: there they close nothing."""
        for option in closing.options if closing else ():
            if patterns.at_end(option) or any(isinstance(part, nodes.Look) for part in patterns.items(option)):
                continue
            with suppress(NotRegular):  # a grammar may leave out what need not be there
                mark = patterns.of(option, self.rules, {})
                ends_message = any(end in text for end in self.ends for text in delimiters.texts(option))
                if not patterns.may_be_empty(mark) and not ends_message:
                    yield mark

    def _dropped(self) -> Expression:
        """Where text outside of regions is dropped: tags and marks that end something, each with a word behind it."""
        marks = choice(*(sequence(*around) for around in _MARKS_OUTSIDE))
        written = Repeat(sequence(marks, optional(Repeat(ID_CHARS, 1, None)), _SOME_SPACE), 1, None)
        free = automata.both(automata.of(written), automata.without(self._open_texts()))
        return automata.expression(free, self.rules, "dropped")

    def _open_texts(self) -> tuple[str, ...]:
        """A text of each open, as far as it has one of its own: others look ahead for their close."""
        found: dict[str, None] = {}
        for name, field in self.fields.items():
            opening = delimiters.read(field, name, "open")
            for option in opening.options if opening else ():
                with suppress(GrammarError):
                    found.update(dict.fromkeys(delimiters.core(option, opening) if opening else ()))
        return tuple(found)

    def end(self, closes: list[Expression], *, behind: bool) -> Expression:
        """The last call's close, with or without what may stand behind it.

        A mark that ends the message may be missing: it is a model's last token.
        """
        ends = self._message_ends()
        around = (self.separators, self.ends) if behind else (NOTHING, ())
        return choice(*(_ended(close, ends, *around) for close in closes)) if closes else NOTHING

    def _message_ends(self) -> set[str]:
        """The marks that end other fields, too, and those that are known to end a message."""
        found = set(self.ends)
        for name, field in self.fields.items():
            closing = delimiters.read(field, name, "close") if name != self.name else None
            for option in closing.options if closing else ():
                with suppress(GrammarError):
                    found |= {*delimiters.core(option, closing)} if closing else set()
        return found

    def is_of_calls(self, trigger: str) -> bool:
        """Whether nothing but a call begins by this text."""
        return not any(other.startswith(trigger) for other in self._others)

    @cached_property
    def _others(self) -> list[str]:
        """The texts in the opens of other fields."""
        return [
            text
            for _, end in self._other_opens()
            for option in end.options
            for way in delimiters.written(option)
            for text in way.split("\0")
        ]

    def _other_opens(self) -> Iterator[tuple[str, Delimiter]]:
        for name, field in self.fields.items():
            found = delimiters.read(field, name, "open") if name != self.name else None
            if found is not None:
                yield name, found

    def preserved(self) -> Iterator[str]:
        """The marks in all delimiters and tags."""
        for name, field in self.fields.items():
            for end in ("open", "close"):
                delimiter = delimiters.read(field, name, end)
                for option in delimiter.options if delimiter else ():
                    yield from _marks_in(option)
            if field.get("content") == "xml-inline":
                yield from _marks_in(patterns.parsed(field["content_args"]["tag_pattern"]).root)

    def before(self, triggers: tuple[str, ...]) -> Expression:
        """Text and regions of other fields, none of which is left open."""
        free = without(self.rules, tuple(dict.fromkeys((*triggers, *self._open_texts()))))
        regions: list[Expression] = []
        for name, opening in self._other_opens():
            closing = delimiters.read(self.fields[name], name, "close")
            with suppress(GrammarError):
                if closing is not None:
                    opened = choice(*(self._plain(option, opening) for option in opening.options))
                    regions.append(sequence(opened, self._closed(closing, triggers, free)))
        return sequence(free, Repeat(choice(*regions), 0, None)) if regions else free

    def _closed(self, closing: Delimiter, triggers: tuple[str, ...], free: Expression) -> Expression:
        """Any text of a field, and a close that has a text of its own, with free text behind; or the next call closes.

        Between that and the text there is nothing: both together could have it in them.
        """
        cores = {option: delimiters.core(option, closing) for option in closing.options}
        every = tuple(dict.fromkeys(core for texts in cores.values() for core in texts))
        ways: list[Expression] = []
        for option, texts in cores.items():
            if not isinstance(patterns.items(option)[0], nodes.Look):
                others = {core: tuple(other for other in every if other != core) for core in texts}
                ways += [sequence(until(self.rules, core, rest), free) for core, rest in others.items()]
            elif triggers and all(trigger.startswith(texts) for trigger in triggers):
                ways.append(without(self.rules, every))
        return choice(*ways)

    def _plain(self, option: nodes.Node, delimiter: Delimiter) -> Expression:
        try:
            parts = patterns.parts(option, self.rules, {})
        except NotRegular as reason:
            raise delimiter.fail(f"has {reason}") from None
        return delimiters.settled(parts, self.rules, delimiter.place)


def _ended(close: Expression, ends: set[str], separators: Expression, last: Sequence[str]) -> Expression:
    """A close and what is behind it; where that has one of `ends`, from there on all may be missing.

    Else it may be one of `last`.
    """
    parts = [*(close.items if isinstance(close, Items) else (close,)), separators]
    for index, part in enumerate(parts):
        texts = [one.text for one in (part.options if isinstance(part, Choice) else (part,)) if isinstance(one, Text)]
        if isinstance(part, Choice) and ends.intersection(texts):
            return sequence(*parts[:index], optional(*parts[index:]))
        mark = next((end for end in ends if isinstance(part, Text) and part.text.endswith(end)), None)
        if mark is not None:
            return sequence(*parts[:index], texts[0].removesuffix(mark), optional(mark, *parts[index + 1 :]))
    return sequence(*parts, optional(choice(*last)) if last else NOTHING)


def _marks_in(node: nodes.Node) -> Iterator[str]:
    for way in delimiters.written(node):
        yield from (mark for mark in INNERMOST_MARKER.findall(way) if "\0" not in mark)
