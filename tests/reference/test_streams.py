"""The two properties, on random templates, texts and cuts: chunks don't matter, and nothing comes early or late."""

from __future__ import annotations

from typing import Any

from antiphon import ParseError, ResponseParser, load_template
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import determined, whole_text
from streams import cut, merged, run
from support import examples
from templates import templates, texts


@settings(max_examples=examples(1500))
@given(templates(), texts, texts, st.lists(st.integers(0, 60), max_size=4))
def test_chunks_do_not_matter(template: dict[str, Any], head: str, text: str, cuts: list[int]) -> None:
    """EVENT-4, LEVEL-1: whole, by characters, and cut anywhere, also between prefix and generation."""
    loaded = load_template(template)
    whole = run(loaded, [text], prefix=head)
    assert run(loaded, text, prefix=head) == whole
    assert run(loaded, ["", *cut(text, [c for c in cuts if c <= len(text)]), ""], prefix=head) == whole
    assert run(loaded, [head + text]).events == whole.events


@settings(max_examples=examples(1500))
@given(templates(), texts, texts, st.sampled_from(["raise", "event"]))
def test_the_whole_text_oracle_agrees(template: dict[str, Any], head: str, text: str, on_malformed: Any) -> None:
    """Message, events and error are those of a parser that was written from SPEC.md alone and knows no streaming."""
    expected = whole_text.parse(template, text, prefix=head, on_malformed=on_malformed)
    got = run(template, text, prefix=head, on_malformed=on_malformed)
    assert got.events == merged(expected.events)
    assert got.message == expected.message
    assert got.error == (expected.error and (expected.error.kind, expected.error.field, expected.error.position))


@settings(max_examples=examples(150))
@given(templates(), texts)
def test_nothing_comes_before_it_is_determined(template: dict[str, Any], text: str) -> None:
    """DUE-2: what was emitted for a beginning of the text stands in the events of every continuation."""
    loaded = load_template(template)
    due = [fed for _, fed in arrivals(loaded, text)]
    oracle = determined.trace(template, text)
    for came, earliest in zip(due, oracle.due, strict=True):
        assert earliest is not None or came is None, "emitted before the end, but only the end determines it"
        assert came is None or earliest is None or came >= earliest, "emitted too early"


def test_hardly_anything_comes_late() -> None:
    """DUE-3, on the same awkward templates. What comes late follows from several delimiters together (DUE-4), or is
    late only for an oracle that didn't think of the right continuation."""
    late, streams = [], examples(300)

    @settings(max_examples=streams)
    @given(templates(), texts)
    def count(template: dict[str, Any], text: str) -> None:
        due = [fed for _, fed in arrivals(load_template(template), text)]
        earliest = determined.trace(template, text).due
        if any(known is not None and (came is None or came > known) for came, known in zip(due, earliest, strict=True)):
            late.append(template)

    count()
    assert len(late) <= 0.08 * streams


def arrivals(template: Any, text: str) -> list[tuple[Any, int | None]]:
    """Each event, by code points, with how many code points had been fed when it came; None: at the end only."""
    came: list[tuple[Any, int | None]] = []
    try:
        parser = ResponseParser(template, prefix="")
        came += [(event, 0) for event in whole_text.by_code_point(parser.initial_events)]
        for fed, character in enumerate(text, 1):
            try:
                came += [(event, fed) for event in whole_text.by_code_point(parser.feed(character))]
            except ParseError as error:
                came += [(event, fed) for event in whole_text.by_code_point(list(error.events))] + [(error.kind, fed)]  # type: ignore[arg-type]
                return came
        came += [(event, None) for event in whole_text.by_code_point(parser.finalize()[1])]
    except ParseError as error:
        came += [(event, None) for event in whole_text.by_code_point(list(error.events))] + [(error.kind, None)]  # type: ignore[arg-type]
    return came
