"""The pairs of conversations that are rendered, and the words by which their parts are found again in the renders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from antiphon_portability.chat import Message

Call = Mapping[str, Any]

USER: Final = "U_USER_MSG Hello END_U"
SECOND_USER: Final = "V_USER_MSG Hello END_U"
ANSWER: Final = "A_ASST_MSG I can help END_A"
REASONING: Final = "REASON_PART I am thinking END_R"
FUNCTION, SECOND_FUNCTION = "FFF_FIRST_FUN_F", "SSS_SECOND_FUN_S"
ARGUMENT, SECOND_ARGUMENT = "AA_ARG_FST_AA", "BB_ARG_SND_BB"
VALUE, SECOND_VALUE, THIRD_VALUE = "XXXX", "YYYY", "VVVV"
ID, SECOND_ID, OTHER_ID = "call00001", "call00002", "call99999"
COMMON_ID: Final = "call"
"""What all ids have in common."""
SOME_ID: Final = "call0000"
"""What the first and the second id have in common."""


class Step(StrEnum):
    """A comparison, named as in the description of llama.cpp's analysis, which also numbers what is left out here.

    Three comparisons of it find nothing: that for a separator of arguments (T5) looks for a text with which both of
    their names begin, and they have none; that for a container of arguments (T6) wants a call in JSON, and isn't made
    for one; and that of a call and an answer (in T3) looks behind the call's end in a text that ends before it.
    """

    REASONING = "R1"
    THINKING = "R2"
    REASONING_WITH_CALL = "R3"
    CONTENT_OR_CALL = "C1a"
    CONTENT_OR_REASONING = "C1b"
    CALL = "T1"
    TWO_CALLS = "T2"
    FUNCTION_NAME = "T3"
    ARGUMENT_NAME = "A1"
    ARGUMENT_VALUE = "A2"
    CALL_ID = "T7"
    ASSISTANT_START = "assistant start"
    USER_START = "user start"
    LATER_USER_START = "later user start"


@dataclass(frozen=True, slots=True)
class Conversation:
    messages: tuple[Message, ...]
    has_tools: bool = False
    add_generation_prompt: bool = False
    enable_thinking: bool = True


@dataclass(frozen=True, slots=True)
class Pair:
    """Two conversations, and what is different in the second."""

    first: Conversation
    second: Conversation
    change: str


def _tool(name: str, description: str) -> Mapping[str, Any]:
    properties = {
        ARGUMENT: {"type": "string", "description": "First argument"},
        SECOND_ARGUMENT: {"type": "string", "description": "Second argument"},
    }
    parameters = {"type": "object", "properties": properties, "required": []}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


TOOLS: Final = (_tool(FUNCTION, "Test function foo"), _tool(SECOND_FUNCTION, "Test function bar"))


def call(name: str = FUNCTION, call_id: str = ID, **arguments: str) -> Call:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def user(content: str = USER) -> Message:
    return {"role": "user", "content": content}


def assistant(content: str | None, reasoning: str = "", calls: tuple[Call, ...] = ()) -> Message:
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if reasoning:
        message["reasoning_content"] = reasoning
    if calls:
        message["tool_calls"] = list(calls)
    return message


def _with_tools(answer: Message) -> Conversation:
    return Conversation((user(), answer), has_tools=True)


def _calling(*calls: Call) -> Conversation:
    return _with_tools(assistant("", calls=calls))


_ANSWERED: Final = Conversation((user(), assistant(ANSWER)))
_ANSWERED_WITH_TOOLS: Final = _with_tools(assistant(ANSWER))
_ARGUMENTS: Final = {ARGUMENT: VALUE, SECOND_ARGUMENT: SECOND_VALUE}
_FIRST: Final = call(**_ARGUMENTS)
_SECOND: Final = call(SECOND_FUNCTION, SECOND_ID, **_ARGUMENTS)
_ONE_ARGUMENT: Final = _calling(call(**{ARGUMENT: VALUE}))
_ASKED: Final = Conversation((user(),))
_WITH_CALL: Final = assistant(None, REASONING, (call(**{ARGUMENT: THIRD_VALUE, SECOND_ARGUMENT: VALUE}),))
_LATER: Final = (user(SECOND_USER), assistant(ANSWER))

PAIRS: Final[Mapping[Step, Pair]] = {
    Step.REASONING: Pair(
        _ANSWERED, Conversation((user(), assistant(ANSWER, REASONING))), "the answer has reasoning before it"
    ),
    Step.THINKING: Pair(
        Conversation((user(),), add_generation_prompt=True, enable_thinking=False),
        Conversation((user(),), add_generation_prompt=True),
        "enable_thinking is true, behind the generation prompt",
    ),
    Step.REASONING_WITH_CALL: Pair(
        _with_tools(assistant(ANSWER, REASONING)),
        _with_tools(_WITH_CALL),
        "behind the reasoning stands a tool call, no answer",
    ),
    Step.CONTENT_OR_CALL: Pair(
        _ANSWERED_WITH_TOOLS, _calling(call("test_func", arg1="value1")), "a tool call stands in place of the answer"
    ),
    Step.CONTENT_OR_REASONING: Pair(
        _ANSWERED_WITH_TOOLS, _with_tools(assistant("", REASONING)), "reasoning stands in place of the answer"
    ),
    Step.CALL: Pair(_ANSWERED_WITH_TOOLS, _calling(_FIRST), "a call with two arguments stands in place of the answer"),
    Step.TWO_CALLS: Pair(_calling(_FIRST), _calling(_FIRST, _SECOND), "a second call follows"),
    Step.FUNCTION_NAME: Pair(_calling(_FIRST), _calling(_SECOND), "another function is called"),
    Step.ARGUMENT_NAME: Pair(
        _ONE_ARGUMENT, _calling(call(**{SECOND_ARGUMENT: SECOND_VALUE})), "another argument is given"
    ),
    Step.ARGUMENT_VALUE: Pair(
        _ONE_ARGUMENT, _calling(call(**{ARGUMENT: SECOND_VALUE})), "the argument has another value"
    ),
    Step.CALL_ID: Pair(_calling(_FIRST), _calling(call(call_id=OTHER_ID, **_ARGUMENTS)), "the call has another id"),
    Step.ASSISTANT_START: Pair(_ASKED, _ANSWERED, "the question is answered"),
    Step.USER_START: Pair(Conversation(()), _ASKED, "a question is asked"),
    Step.LATER_USER_START: Pair(
        Conversation(_LATER), Conversation((*_LATER, user())), "a question is asked behind an answer"
    ),
}
