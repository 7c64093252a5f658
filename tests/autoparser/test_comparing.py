"""How a message that came out differs from what went in."""

from __future__ import annotations

from typing import Any, Final

import pytest
from antiphon_portability.autoparser.roundtrip import Call, Said
from antiphon_portability.autoparser.roundtrip.comparing import differences

ARGUMENTS: Final = {
    "text": " a",
    "count": 3,
    "ratio": 2.0,
    "on": True,
    "none": None,
    "list": [1, {"x": []}],
    "empty": {},
}
SAID: Final = Said("Yes.", "Let me see.", (Call("f", ARGUMENTS, "call00001"), Call("g", {})))


def message(**changes: Any) -> dict[str, Any]:
    """What comes back of SAID, with other members; None takes one out."""
    calls = [
        {"id": "call00001", "type": "function", "function": {"name": "f", "arguments": ARGUMENTS}},
        {"type": "function", "function": {"name": "g", "arguments": {}}},
    ]
    whole = {"role": "assistant", "content": "Yes.", "reasoning_content": "Let me see.", "tool_calls": calls} | changes
    return {key: value for key, value in whole.items() if value is not None}


def with_arguments(**changes: Any) -> dict[str, Any]:
    arguments = {key: value for key, value in (ARGUMENTS | changes).items() if value is not ...}
    call = {"id": "call00001", "type": "function", "function": {"name": "f", "arguments": arguments}}
    return message(tool_calls=[call, message()["tool_calls"][1]])


def told(changed: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(found.what, found.is_mild) for found in differences(SAID, changed)]


@pytest.mark.parametrize(
    "same",
    [
        message(),
        message(reasoning_content=None, thinking="Let me see."),
        with_arguments(ratio=2),
        message(refusal=None, citations=[]),
    ],
)
def test_nothing_is_lost(same: dict[str, Any]) -> None:
    assert told(same) == []


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (message(role=None), [("the role", True)]),
        (message(content="\nYes. "), [("spaces around content", True)]),
        (message(content=None), [("no content", False)]),
        (message(content="Yes.<end>"), [("other content", False)]),
        (message(content={"a": 1}), [("content that isn't a text", False)]),
        (message(reasoning_content=None), [("no reasoning", False)]),
        (message(reasoning_content="Let me see.\n"), [("spaces around reasoning", True)]),
        (message(tool_calls=None), [("no call instead of 2", False)]),
        (message(tool_calls="[f()]"), [("calls that are no list", False)]),
        (message(tool_calls=message()["tool_calls"][:1]), [("1 call instead of 2", False)]),
        (message(tool_calls=[*message()["tool_calls"], {"f": 1}]), [("3 calls instead of 2", False)]),
        (message(tool_calls=[{"f": {}}, {"g": {}}]), [("a call without a function's name", False)] * 2),
        (message(note="x"), [("'note' besides", False)]),
        (message(thinking="Let me guess."), [("'thinking' besides", False)]),
        (with_arguments(text="a"), [("spaces around arguments", True)]),
        (with_arguments(text="b"), [("another text in an argument", False)]),
        (with_arguments(count="3"), [("integers become texts", True)]),
        (with_arguments(count=4), [("another value of an argument", False)]),
        (with_arguments(on=1), [("another value of an argument", False)]),
        (with_arguments(on="true"), [("booleans become texts", True)]),
        (with_arguments(on="True"), [("booleans become texts", True)]),
        (with_arguments(none="null"), [("null become texts", True)]),
        (with_arguments(none=...), [("missing empty arguments", True)]),
        (with_arguments(count=...), [("missing arguments", False)]),
        (with_arguments(list='[1, {"x": []}]'), [("lists become texts", True)]),
        (with_arguments(list=[1, {"x": "[]"}]), [("empty lists become texts", True)]),
        (with_arguments(list=[1]), [("another value of an argument", False)]),
        (with_arguments(empty="{}"), [("empty objects become texts", True)]),
        (with_arguments(more=1), [("more arguments", False)]),
    ],
)
def test_what_is_lost(changed: dict[str, Any], expected: list[tuple[str, bool]]) -> None:
    assert told(changed) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"name": "f", "arguments": {"a": "1"}, "id": "i"}, [('calls without "function"', True)]),
        ({"id": "i", "function": {"name": "f", "arguments": {"a": "1"}}}, [('the "type" of calls', True)]),
        ({"type": "function", "function": {"name": "f", "arguments": {"a": "1"}}}, [("ids", True)]),
        (
            {"id": "i", "type": "function", "index": 0, "function": {"name": "f", "arguments": {"a": "1"}}},
            [("'index' besides in a call", False)],
        ),
        ({"id": "j", "type": "function", "function": {"name": "f", "arguments": {"a": "1"}}}, [("other ids", True)]),
        (
            {"id": "i", "type": "function", "function": {"name": "h", "arguments": {"a": "1"}}},
            [("another function", False)],
        ),
        (
            {"id": "i", "type": "function", "function": {"name": "f", "arguments": '{"a": "1"}'}},
            [("arguments that are a text in JSON", True)],
        ),
        (
            {"id": "i", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}},
            [("texts become integers", True)],
        ),
        (
            {"id": "i", "type": "function", "function": {"name": "f", "arguments": "a=1"}},
            [("another value of an argument", False)],
        ),
    ],
)
def test_what_is_lost_of_a_call(call: dict[str, Any], expected: list[tuple[str, bool]]) -> None:
    said = Said(calls=(Call("f", {"a": "1"}, "i"),))
    found = [*differences(said, {"role": "assistant", "tool_calls": [call]})]
    assert [(one.what, one.is_mild) for one in found] == expected


def test_a_difference_says_what_came_out() -> None:
    """Put back into what went in, one difference by itself, so that it can be rendered again."""
    changed = with_arguments(count="3", list=[1, {"x": ["y"]}]) | {"content": "Yes. "}
    found = {one.what: one for one in differences(SAID, changed)}
    spaces, texts, other = (
        found["spaces around content"],
        found["integers become texts"],
        found["another value of an argument"],
    )
    assert spaces.said == Said("Yes. ", "Let me see.", SAID.calls)
    assert texts.said is not None and texts.said.calls[0].arguments == ARGUMENTS | {"count": "3"}
    assert (texts.path, texts.expected, texts.got) == ((0, "count"), 3, "3")
    assert other.said is not None and other.said.calls[0].arguments == ARGUMENTS | {"list": [1, {"x": ["y"]}]}
    assert other.path == (0, "list", 1, "x")


def test_content_may_come_back_as_reasoning() -> None:
    (found,) = differences(Said("Yes."), {"role": "assistant", "thinking": "Yes."})
    assert (found.what, found.said) == ("content comes back as reasoning", Said(reasoning="Yes."))
