"""The proposals, on random templates and texts, against the oracles; how they are asked for; and what they cost."""

from __future__ import annotations

import json
from typing import Any, Final

import antiphon
import pytest
from antiphon import PROPOSALS, ParserStateError, ResponseParser, TemplateError, load_template, strings
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import determined, whole_text
from streams import cut, merged, run
from support import examples
from test_streams import arrivals

# Closes that begin with, hold or end in what begins or ends a string, look at it, match nothing, or are long undecided.
LITERALS: Final[list[Any]] = ["</t>", ["</t>", "</t>\n"], '"', "\n</t>", "|", '"}', "'", "<"]
PATTERNS: Final = [
    r"</t>\s*", r"\}?</t>", r"(?=</t>)", r"</t>|$", r"\s*</t>", r'"\s*</t>', r'b"a', r"(?<=\})", r".*?</t>", r".*</t>",
    r'</t>(?=[^"]*$)', r'</t>(?!")', r'(?:a|</t>)"?', r"(?=\n)", r"x*", r"$", r"\Z", r'(?<!")</t>', r"\\?</t>",
]  # fmt: skip
DELIMS: Final[list[Any]] = [
    [], [["<|", "|>"]], [["<|\"|>", "<|\"|>"]], [["'", "'"]], [["'", "'"], ["''", "''"]], [["<", ">"], ["<>>", "}"]],
    [['"', "'"]], [[" <", ">"]], [["<t", "\n"]], [["|", "|"], ["|", "a"]],
]  # fmt: skip
PIECES: Final = [
    '"', '"', "'", "\\", "\n", "\r", "</t>", "</t>", "<t>", "<|", "|>", '<|"|>', "<", ">", "|", "a", "b", "{", "}", " ",
]  # fmt: skip

texts = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@st.composite
def outside_strings(draw: st.DrawFn) -> dict[str, Any]:
    """A field whose close counts outside of strings only."""
    close = draw(st.sampled_from(LITERALS)), draw(st.sampled_from(PATTERNS))
    literal = draw(st.booleans())
    field: dict[str, Any] = {"open": "<t>", "close" if literal else "close_pattern": close[not literal]}
    if draw(st.integers(0, 3)):
        arguments = {"string_delims": draw(st.sampled_from(DELIMS)), "allow_non_json": draw(st.booleans())}
        field |= {"content": "json", "content_args": arguments}
    else:
        field["content"] = "python-call-list"
    return {**field, "close_outside_strings": True, "repeats": draw(st.booleans())}


@st.composite
def templates(draw: st.DrawFn) -> dict[str, Any]:
    fields = {"calls": draw(outside_strings())}
    if draw(st.booleans()):
        fields["other"] = {"open_pattern": draw(st.sampled_from([r"\s*\{", r"b\s*", "a(?=b)"])), "close": "}"}
    if draw(st.integers(0, 3)):
        fields["text"] = draw(
            st.sampled_from([{}, {"close": "\n"}, {"close_pattern": r"b|$"}, {"close_pattern": r"(?=a)"}])
        )
    for name in fields:
        if draw(st.booleans()):
            fields[name] = {**fields[name], "skip_blank": True}
    joined = "text" in fields and draw(st.booleans())
    if joined:
        fields["text"] = {**fields["text"], "repeats": True, "join": "-"}
    return {"start_anchor": "@", "fields": fields}


@settings(max_examples=examples(1500))
@given(templates(), texts, texts, st.lists(st.integers(0, 60), max_size=4))
def test_the_oracle_agrees_however_it_is_cut(template: dict[str, Any], head: str, text: str, cuts: list[int]) -> None:
    """EVENT-4, LEVEL-1: message, events and error are those of a parser that knows no streaming."""
    loaded = load_template(template, proposals=PROPOSALS)
    expected = whole_text.parse(template, text, prefix=head, on_malformed="event")
    for chunks in ([text], text, ["", *cut(text, [c for c in cuts if c <= len(text)]), ""]):
        got = run(loaded, chunks, prefix=head, on_malformed="event")
        assert got.events == merged(expected.events)
        assert got.message == expected.message


@settings(max_examples=examples(200))
@given(templates(), texts)
def test_nothing_comes_before_it_is_determined(template: dict[str, Any], text: str) -> None:
    """DUE-2."""
    loaded = load_template(template, proposals=PROPOSALS)
    due = [fed for _, fed in arrivals(loaded, text)]
    oracle = determined.trace(template, text)
    for came, earliest in zip(due, oracle.due, strict=True):
        assert earliest is not None or came is None, "emitted before the end, but only the end determines it"
        assert came is None or earliest is None or came >= earliest, "emitted too early"


def test_hardly_anything_comes_late() -> None:
    """DUE-3, OUTSIDE-7. What comes late follows from a delimiter and a string together, or from several delimiters."""
    late, streams = [], examples(300)

    @settings(max_examples=streams)
    @given(templates(), texts)
    def count(template: dict[str, Any], text: str) -> None:
        due = [fed for _, fed in arrivals(load_template(template, proposals=PROPOSALS), text)]
        earliest = determined.trace(template, text).due
        if any(known is not None and (came is None or came > known) for came, known in zip(due, earliest, strict=True)):
            late.append((template, text))

    count()
    assert len(late) <= 0.08 * streams


QWEN: Final = {
    "start_anchor": "@",
    "fields": {
        "tool_calls": {
            "open": "<tool_call>",
            "close": "</tool_call>",
            "content": "json",
            "repeats": True,
            "close_outside_strings": True,
        },
        "content": {"skip_blank": True},
    },
}
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | texts
    | st.sampled_from(["</tool_call>", "<tool_call>{}</tool_call>"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=examples(300))
@given(st.lists(values, max_size=3), st.sampled_from([None, 1]), st.sampled_from(["", "\n", " \n\n"]))
def test_any_valid_json_comes_back(calls: list[Any], indent: int | None, space: str) -> None:
    """Whatever its strings hold; and white space between calls is no content."""
    wrapped = [f"<tool_call>{space}{json.dumps(call, indent=indent)}</tool_call>{space}" for call in calls]
    text = "Let me see." + space + "".join(wrapped)
    message = antiphon.parse_response(text, load_template(QWEN, proposals=PROPOSALS), prefix="")
    assert message == {"content": "Let me see.", **({"tool_calls": calls} if calls else {})}


@pytest.mark.parametrize("key", ["close_outside_strings", "skip_blank"])
def test_a_key_must_be_asked_for(key: str) -> None:
    """And the error tells how."""
    document = {"start_anchor": "@", "fields": {"x": {"open": "<", "close": ">", "content": "json", key: True}}}
    name = key.replace("_", "-")
    others = set(PROPOSALS) - {name}
    for asked in ((), others):
        with pytest.raises(TemplateError, match=f"proposals={{'{name}'}}") as caught:
            load_template(document, proposals=asked)
        assert (caught.value.kind, caught.value.pointer) == ("unknown-key", f"/fields/x/{key}")
    load_template(document, proposals=[name])


@pytest.mark.parametrize("names", ["skip-blank", ["skip_blank"], {"x"}])
def test_unknown_proposals_are_refused(names: Any) -> None:
    with pytest.raises(ParserStateError) as caught:
        load_template(QWEN, proposals=names)
    assert caught.value.kind == "option"
    assert "skip-blank" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>"' + "a</tool_call>" * 4000 + '"</tool_call>',  # one string, held until its end
        '<tool_call>"' + "\\" * 40000,  # an escape is cut at each code point
        '<tool_call>"</tool_call>' + '<tool_call>\\"</tool_call>' * 2000,  # ends that are looked for in vain
        "<tool_call>1</tool_call>" * 2000,  # openings that are looked for in vain
        '<tool_call>"a"</tool_call>\n' * 2000,
    ],
    ids=["held", "escapes", "without-ends", "without-openings", "calls"],
)
def test_each_code_point_is_looked_at_for_strings_a_few_times(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the chunks, so that the work grows as the text does."""
    looked = 0
    look, next_opening = strings.Quoted.look, strings.Strings._next_opening

    def counting_look(ending: strings.Quoted, text: str, pos: int) -> strings.Look:
        nonlocal looked
        found = look(ending, text, pos)
        looked += 1 + found.position - pos
        return found

    def counting_opening(found: strings.Strings, text: str, offset: int, complete: bool) -> Any:
        nonlocal looked
        known, reached = found._opening, found._reached
        opening = next_opening(found, text, offset, complete)
        if opening is not known:
            searched_from = reached if known is None else max(reached, known.start)
            looked += 1 + (offset + len(text) if opening is None else opening.start) - searched_from
        return opening

    monkeypatch.setattr(strings.Quoted, "look", counting_look)
    monkeypatch.setattr(strings.Strings, "_next_opening", counting_opening)
    loaded = load_template(QWEN, proposals=PROPOSALS)
    for chunks in ([text], cut(text, range(0, len(text), 7))):
        looked = 0
        run(loaded, chunks, on_malformed="event")
        assert 0 < looked <= 3 * len(text)


def test_what_was_given_out_is_forgotten() -> None:
    parser = ResponseParser(load_template(QWEN, proposals=PROPOSALS), prefix="")
    parser.feed('<tool_call>{"a": "')
    for _ in range(1000):
        parser.feed("some text")
    assert len(parser._text) < 100
