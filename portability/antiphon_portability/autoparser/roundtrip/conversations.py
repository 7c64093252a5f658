"""The conversations of a round trip, one for each feature: what goes in, and which of its parts it is about.

Data only. Contents neither begin nor end in white space, and no value is one that could also be another type, but where
that is the feature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from antiphon_portability.autoparser.roundtrip.said import Call, Message, Part, Said, Spelling
from antiphon_portability.autoparser.roundtrip.texts import Tool


@dataclass(frozen=True, slots=True)
class Conversation:
    """What came before a turn, the turn, and the tools that the model was given.

    `about`: the parts without which the turn shows nothing; where a chat template doesn't write one of them, there is
    nothing to parse.
    """

    feature: str
    said: Said
    before: tuple[Message, ...] = ()
    tools: tuple[Tool, ...] = ()
    about: frozenset[Part] = field(default_factory=frozenset)


def _tool(name: str, description: str, /, **properties: Any) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": [*properties]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _typed(kind: str, description: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "description": description, **more}


WEATHER: Final = _tool(
    "weather", "The weather in a city.", city=_typed("string", "The city."), days=_typed("integer", "For how long.")
)
SEARCH: Final = _tool("search_notes", "Looks into the notes.", query=_typed("string", "What to look for."))
CLOCK: Final = _tool("clock", "The time now.")
WRITE: Final = _tool(
    "write_file", "Writes a file.", path=_typed("string", "Where."), text=_typed("string", "What to write.")
)
ORDER: Final = _tool(
    "order",
    "Places an order.",
    items=_typed("array", "What to buy.", items={"type": "object"}),
    address=_typed("object", "Where it goes.", properties={"street": {"type": "string"}, "floor": {"type": "integer"}}),
)
MEASURE: Final = _tool(
    "measure",
    "Keeps measures.",
    count=_typed("integer", "How many."),
    below=_typed("integer", "Below zero."),
    ratio=_typed("number", "Of one."),
    series=_typed("array", "One after the other.", items={"type": "number"}),
)
ADD: Final = _tool("add", "Adds two numbers.", first=_typed("integer", "One."), second=_typed("integer", "The other."))
SWITCH: Final = _tool(
    "switch",
    "Switches a lamp.",
    on=_typed("boolean", "Whether it is on."),
    blinking=_typed("boolean", "Whether it blinks."),
    colour=_typed("string", "Its colour, if any.", nullable=True),
)
EMPTY: Final = _tool(
    "reset",
    "Puts everything back.",
    name=_typed("string", "Its name."),
    options=_typed("object", "How."),
    parts=_typed("array", "Which.", items={"type": "string"}),
)
LABEL: Final = _tool(
    "label",
    "Prints a label.",
    postcode=_typed("string", "As written."),
    word=_typed("string", "As written."),
    nothing=_typed("string", "As written."),
    list=_typed("string", "As written."),
)
OTHER_NAMES: Final = (
    _tool("getAccount", "An account.", number=_typed("integer", "Its number.")),
    _tool("list.files", "The files of a folder.", folder=_typed("string", "Where.")),
    _tool("A-1", "Answers a question.", question=_typed("string", "What to answer.")),
)

OTHER_KEYS: Final = _tool(
    "find",
    "Finds files.",
    **{
        "file-path": _typed("string", "Where."),
        "pageSize": _typed("integer", "How many."),
        "$filter": _typed("string", "Which."),
    },
)

QUESTION: Final = {"role": "user", "content": "What will it be like in Rome?"}
_REASONING: Final = "The user asks about Rome.\nI know enough."
_ROME: Final = Call("weather", {"city": "Rome", "days": 3}, "call00001")
_NOTES: Final = Call("search_notes", {"query": "umbrella"}, "call00002")
_OSLO: Final = Call("weather", {"city": "Oslo", "days": 5}, "call00002")
_SHORT: Final = "It will rain for three days."


def _call(name: str, /, **arguments: Any) -> Said:
    return Said(calls=(Call(name, arguments, "call00001"),))


def _about(said: Said, *more: Part) -> frozenset[Part]:
    return frozenset((*said.parts(), *more))


def _text(feature: str, content: str, reasoning: str = "") -> Conversation:
    said = Said(content, reasoning)
    return Conversation(feature, said, (QUESTION,), about=_about(said))


def _calls(feature: str, said: Said, *tools: Tool, before: Sequence[Message] = (QUESTION,)) -> Conversation:
    return Conversation(feature, said, tuple(before), tools, _about(said))


_LONG: Final = """\
# Rain

Take an umbrella:

```python
if rain > 0 and {"umbrella"} <= bag:
    print("go\\n")
```

| day | rain |
|-----|------|
| 1   | 4 mm |

1. go, 2. come back -- "so to speak" -- [see the map](https://example.org/?a=1&b=2)."""

_MARKERS: Final = "<thi <think </thin <tool_cal </tool <|im_en <|tool [TOOL_CAL </s </func <param </ar < </ <| [ ]"
"""Beginnings of what stands around reasoning and calls; none of them whole."""

_CHAT: Final[tuple[Message, ...]] = (
    {"role": "user", "content": "Hello!"},
    {"role": "assistant", "content": "Hello. What can I do?", "reasoning_content": "A greeting."},
)
_ROME_TODAY: Final = Call("weather", {"city": "Rome", "days": 1}, "call00001")
_RESULT: Final[tuple[Message, ...]] = (
    *_CHAT,
    QUESTION,
    Spelling().message(Said(calls=(_ROME_TODAY,))),
    {"role": "tool", "name": "weather", "tool_call_id": "call00001", "content": '{"rain": 4}'},
)

CONVERSATIONS: Final[tuple[Conversation, ...]] = (
    _text("content", _SHORT),
    _text("multi-line content", _LONG),
    _text("Unicode in content", "Déjà vu: e\u0301, 😀👩‍🚀, 雨, مرحبا، שלום, \u202bx\u202c, ＜think＞, ‹tool_call›."),
    _text("content like markers", f"Not a marker: {_MARKERS}, (think), #think, thinking."),
    _text("spaces around content", "  Rain.\n\nMore rain. \n"),
    _text("JSON as content", '{"rain": [4, 5], "sun": null}'),
    Conversation("empty content", Said(), (QUESTION,)),
    _text("reasoning and content", _SHORT, _REASONING),
    _text("reasoning alone", "", _REASONING),
    _text("spaces around reasoning", _SHORT, "\n  First this.\n\nThen that. \n\n"),
    _calls("one call", Said(calls=(_ROME,)), WEATHER, SEARCH),
    _calls("parallel calls", Said(calls=(_ROME, _NOTES)), WEATHER, SEARCH),
    _calls("the same function twice", Said(calls=(_ROME, _OSLO)), WEATHER, SEARCH),
    _calls("content and a call", Said("Let me look.", calls=(_ROME,)), WEATHER, SEARCH),
    _calls("reasoning and a call", Said(reasoning=_REASONING, calls=(_ROME,)), WEATHER, SEARCH),
    _calls("reasoning, content and calls", Said("Let me look.", _REASONING, (_ROME, _NOTES)), WEATHER, SEARCH),
    _calls("other names of functions", Said(calls=(
        Call("getAccount", {"number": 7}, "call00001"),
        Call("list.files", {"folder": "notes"}, "call00002"),
        Call("A-1", {"question": "Will it rain?"}, "call00003"),
    )), *OTHER_NAMES),
    _calls("other names of arguments", _call("find", **{"file-path": "notes", "pageSize": 20, "$filter": "rain"}),
           OTHER_KEYS),
    _calls("no arguments", _call("clock"), CLOCK, WEATHER),
    _calls("lists and objects", _call(
        "order",
        items=[{"name": "tea", "count": 2}, {"name": "cup", "sizes": [1, [2.5, "x"]], "gift": {"to": None}}],
        address={"street": "Via Appia 1", "floor": 3},
    ), ORDER),
    _calls("numbers", _call("measure", count=12345678, below=-7, ratio=0.125, series=[1, -2.5, 3e-7]), MEASURE),
    _calls("long numbers", _call("add", first=12345678901234567890, second=-12345678901234567890), ADD),
    _calls("booleans and null", _call("switch", on=True, blinking=False, colour=None), SWITCH),
    _calls("empty arguments", _call("reset", name="", options={}, parts=[]), EMPTY),
    _calls("texts like other types", _call("label", postcode="75001", word="true", nothing="null", list="[1, 2]"),
           LABEL),
    _calls("multi-line arguments", _call("write_file", path="notes/a.md", text="# Rain\n\n\tone\n    two\r\nthree"),
           WRITE),
    _calls("spaces around arguments", _call("write_file", path=" a b ", text="\n  x\n"), WRITE),
    _calls("quotes and backslashes", _call(
        "write_file", path='C:\\new\\"x"', text="it's \"so\" – `\\n` isn't \n, '' \"\" {'a': \"b\"}, [x]"
    ), WRITE),
    _calls("angle brackets", _call("write_file", path="a<b>.html", text="<p class=x>1 < 2 & 3 > 2</p><br/><!-- -->"),
           WRITE),
    _calls("arguments like markers", _call("write_file", path="markers", text=_MARKERS), WRITE),
    _calls("Unicode in arguments", _call("search_notes", query="Déjà e\u0301 😀👩‍🚀 雨 مرحبا שלום ＜tool＞ \u2028 ñ"),
           SEARCH),
    Conversation("ids", Said(calls=(_ROME, _NOTES)), (QUESTION,), (WEATHER, SEARCH), frozenset({"calls", "ids"})),
    _calls("content after several turns", Said(_SHORT), before=(*_CHAT, QUESTION)),
    _calls("content after a tool's result", Said(_SHORT), WEATHER, SEARCH, before=_RESULT),
    _calls("a call after a tool's result", Said(calls=(_OSLO,)), WEATHER, SEARCH, before=_RESULT),
)  # fmt: skip
"""By feature, plain ones first."""
