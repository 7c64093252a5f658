"""The user's own conversations: their forms, and their faults with place and remedy."""

from __future__ import annotations

from typing import Any, Final

import pytest
from antiphon_portability.autoparser.roundtrip import Call, NoConversation, Said, conversations_of, round_trip
from antiphon_portability.chat import Renderer
from chats import PLAIN, TEMPLATE, chat

USER: Final = {"role": "user", "content": "Is it late?"}
ANSWER: Final = {"role": "assistant", "content": "It is.", "thinking": "A look at the clock."}
CALLING: Final = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "a", "type": "function", "function": {"name": "clock", "arguments": '{"zone": "CET"}'}}],
}
RESULT: Final = {"role": "tool", "tool_call_id": "a", "content": "23:00"}
TOOL: Final = {"type": "function", "function": {"name": "clock", "parameters": {"type": "object", "properties": {}}}}


def test_a_list_of_messages() -> None:
    (found,) = conversations_of([USER, CALLING, RESULT, ANSWER, USER])
    assert (found.feature, found.said) == ("conversation 1", Said("It is.", "A look at the clock."))
    assert found.before == (USER, CALLING, RESULT)
    assert found.about == {"content"}


def test_lists_and_objects() -> None:
    document = [[USER, ANSWER], {"messages": [USER, CALLING], "tools": [TOOL], "name": "the clock"}]
    first, second = conversations_of(document)
    assert (first.feature, first.tools) == ("conversation 1", ())
    assert (second.feature, second.tools) == ("the clock", (TOOL,))
    assert second.said == Said(calls=(Call("clock", {"zone": "CET"}, "a"),))
    assert conversations_of(document[1]) == (second,)


def test_they_go_round() -> None:
    conversations = conversations_of([[USER, CALLING, RESULT, ANSWER], [USER, CALLING]])
    with Renderer(PLAIN) as renderer:
        found = round_trip(renderer, TEMPLATE, conversations)
    assert [result.verdict for result in found.results] == ["exact", "exact"]


def test_what_is_not_written_is_told_beside_the_rest() -> None:
    """Reasoning, by a chat template that writes contents only; calls, of which nothing is left then."""
    with Renderer(chat("{{ message.content }}<end>\n")) as renderer:
        found = round_trip(renderer, TEMPLATE, conversations_of([[USER, ANSWER], [USER, CALLING]])).results
    assert [(result.verdict, result.unwritten) for result in found] == [("exact", ("reasoning",)), ("not written", ())]


def test_parts_and_other_keys() -> None:
    """Content in parts is one text; keys that nothing here knows are written and compared, too."""
    cited = {
        "role": "assistant",
        "content": [{"type": "text", "text": "No"}, {"type": "text", "text": "on."}],
        "n": [1],
    }
    conversations = conversations_of([[USER, cited]])
    assert conversations[0].said == Said("Noon.", others=(("n", [1]),))
    with Renderer(chat("{{ message.content }}{{ message.n }}<end>\n")) as renderer:
        (result,) = round_trip(renderer, TEMPLATE, conversations).results
    assert (result.verdict, result.lost) == ("wrong", ("other content", "no 'n'"))
    with Renderer(PLAIN) as renderer:
        (result,) = round_trip(renderer, TEMPLATE, conversations).results
    assert (result.verdict, result.unwritten) == ("exact", ("'n'",))


@pytest.mark.parametrize(
    ("document", "place", "reason"),
    [
        ("x", "", "isn't a list of messages; give one, or a list of such lists"),
        ([], "", "isn't a list of messages; give one, or a list of such lists"),
        ({"a": 1}, "", "isn't a list of messages; give one, or a list of such lists"),
        ([1], "/0", "isn't a message, with a role, nor a list of messages; correct it, or take it out"),
        ([[]], "/0", "isn't a message, with a role, nor a list of messages; correct it, or take it out"),
        ([[USER, ANSWER], [{"content": "x"}]], "/1", "isn't a message, with a role, nor a list of messages; correct"),
        ([USER], "", 'has no message with the role "assistant"'),
        ([[USER, ANSWER], [USER]], "/1", 'has no message with the role "assistant"'),
        ([USER, {"content": "x"}], "/1", "isn't a message; a message is an object with a role"),
        ([USER, {"role": "assistant", "content": [1]}], "/1", "content is a text, or a list of parts of the type text"),
        (
            [USER, {"role": "assistant", "thinking": "a", "reasoning": "b"}],
            "/1",
            "thinking and reasoning aren't the same",
        ),
        ([USER, {"role": "assistant", "tool_calls": {}}], "/1", "tool_calls is a list; write it so"),
        ([USER, {"role": "assistant", "tool_calls": [1]}], "/1", "a tool call is an object; write it so"),
        (
            [USER, {"role": "assistant", "tool_calls": [{}]}],
            "/1",
            "a tool call has a function with a name; write it so",
        ),
        ([USER, {"role": "assistant", "tool_calls": [{"name": "f", "id": 1}]}, ANSWER], "/1", "the id of a tool call"),
        ({"messages": {}}, "/messages", "isn't a list of messages; give at least a question and an answer"),
        ({"messages": [USER, ANSWER], "tool": []}, "/tool", "isn't known; the keys are messages, name, tools"),
        ({"messages": [USER, ANSWER], "tools": {}}, "/tools", "aren't tools: tools are a list"),
        ([{"messages": [USER, ANSWER], "tools": [TOOL, 1]}], "/0/tools/1", "aren't tools: a tool is"),
    ],
)
def test_faults(document: Any, place: str, reason: str) -> None:
    with pytest.raises(NoConversation) as raised:
        conversations_of(document)
    assert raised.value.pointer == place
    assert reason in raised.value.reason
