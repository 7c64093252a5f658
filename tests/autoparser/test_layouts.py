"""Chat templates in many layouts, none of them a model's: what is derived reads messages that nobody derived it from.

A layout is put together from parts, and the messages are others than the round trip's own. Where the round trip calls
a feature exact, a message with that feature has to come back equal, in one piece and by the character.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import antiphon
import pytest
from antiphon_portability.autoparser.derive import Derived, derive
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, PARSED, Verdict
from antiphon_portability.chat import Renderer

# -- layouts


def literal(text: str) -> str:
    return f"{{{{ {json.dumps(text, ensure_ascii=False)} }}}}" if text else ""


def pairs(each: str, between: str = "") -> str:
    """How arguments are written; `k` and `v`."""
    parted = f"{{% if not loop.last %}}{literal(between)}{{% endif %}}" if between else ""
    return f"{{% for k, v in f.arguments | items %}}{each}{parted}{{% endfor %}}"


@dataclass(frozen=True, slots=True)
class Calls:
    """How calls are written, and what stands around and between them: `c` is the call, `f` its function."""

    each: str
    before: str = ""
    behind: str = ""
    between: str = ""

    @property
    def source(self) -> str:
        parted = f"{{% if not loop.last %}}{literal(self.between)}{{% endif %}}" if self.between else ""
        loop = f"{{% for c in m.tool_calls %}}{{% set f = c.function %}}{self.each}{parted}{{% endfor %}}"
        return f"{{% if m.tool_calls %}}{literal(self.before)}{loop}{literal(self.behind)}{{% endif %}}"


NAME, QUOTED, ARGS = "{{ f.name }}", "{{ f.name | tojson }}", "{{ f.arguments | tojson }}"
ID, QUOTED_ID = "{{ c.id }}", "{{ c.id | tojson }}"
VALUE, JSON_VALUE = "{{ v if v is string else v | tojson }}", "{{ v | tojson }}"
FLAT: Final = f'{{"name": {QUOTED}, "arguments": {ARGS}}}'
SWAPPED: Final = f'{{"input": {ARGS}, "tool": {QUOTED}}}'
NESTED: Final = f'{{"type": "function", "function": {{"name": {QUOTED}, "arguments": {ARGS}}}}}'
IDENTIFIED: Final = f'{{"ref": {QUOTED_ID}, "task": {QUOTED}, "with": {ARGS}}}'
PYTHON: Final = NAME + "(" + pairs("{{ k }}=" + JSON_VALUE, ", ") + ")"

TURNS: Final = {  # what stands before a question and an answer, and behind both
    "tokens": ("<|ask|>", "<|reply|>\n", "<|over|>"),
    "square": ("[ASK]", "[REPLY]", "[OVER]"),
    "doubled": ("<<ask>>", "<<reply>>", "<<over>>"),
    "curly": ("{ask}", "{reply}", "{over}"),
    "headings": ("## Ask\n", "## Reply\n", "\n\n"),
    "signs": ("¶ask¶", "¶reply¶", "¶over¶"),
    "elements": ('<turn of="ask">\n', '<turn of="reply">\n', "\n</turn>\n"),
    "wide": ("<｜ask｜>", "<｜reply｜>", "<｜over▁out｜>"),
    "open": ("<|ask|>\n", "<|reply|>\n", "\n"),
}
THOUGHTS: Final = {
    "none": ("", ""),
    "element": ("<muse>\n", "\n</muse>\n\n"),
    "square": ("[MUSE]", "[/MUSE]"),
    "words": ("Musing: ", "\nReply: "),
    "stars": ("*musing*\n", "\n*no more musing*\n"),
    "fence": ("```musing\n", "\n```\n"),
    "nested": ("<muse>\n<step>", "</step>\n</muse>\n"),
    "round": ("((muse))", "((/muse))\n"),
    "unmarked": ("", "\n</muse>\n"),
}
ANSWERS: Final = {
    "bare": ("", ""),
    "element": ("<say>\n", "\n</say>\n"),
    "begun": ("<|say|>", ""),
    "bold": ("**Reply:** ", ""),
}
CALLS: Final = {
    "JSON": Calls(f"<do>{FLAT}</do>"),
    "JSON, lines": Calls(f"<do>\n{FLAT}\n</do>", "\n", "", "\n"),
    "JSON, arguments first": Calls(f"<do>{SWAPPED}</do>"),
    "JSON, nested": Calls(f"@@do {NESTED} @@done", "\n", "", "\n"),
    "JSON with an id": Calls(f"<|do|>{IDENTIFIED}<|done|>"),
    "JSON, an id beside it": Calls(f'<do ref="{ID}">{FLAT}</do>', "", "", "\n"),
    "JSON, commas between": Calls(f"<do>{FLAT}</do>", "", "", ", "),
    "JSON, rules between": Calls(f"<do>{FLAT}</do>", "\n", "", "\n---\n"),
    "JSON in brackets": Calls(f"<do>{FLAT}</do>", "[", "]", ", "),
    "JSON in a comment": Calls(f"<!-- do {FLAT} -->", "\n", "", "\n"),
    "JSON in a fence": Calls(f"```do\n{FLAT}\n```", "\n", "", "\n"),
    "JSON alone": Calls(FLAT),
    "JSON alone, lines": Calls(IDENTIFIED, "\n", "", "\n"),
    "JSON alone, semicolons": Calls(NESTED, "", "", "; "),
    "JSON behind a word": Calls(f"Do: {FLAT}", "\n", "", "\n"),
    "list": Calls(FLAT, "<do>[", "]</do>", ", "),
    "list in an object": Calls(FLAT, '<do>{"all": [', "]}</do>", ", "),
    "list in an object alone": Calls(FLAT, '{"all": [', "]}", ", "),
    "list in a fence": Calls(SWAPPED, "```do\n[", "\n]\n```", ",\n"),
    "list alone": Calls(FLAT, "[", "]", ", "),
    "list behind a word": Calls(FLAT, "To do: [", "]", ", "),
    "name, JSON": Calls(f"<do>{NAME}</do>{ARGS}<done>"),
    "name in an attribute": Calls(f"<do it='{NAME}' ref='{ID}'>{ARGS}</do>", "<todo>", "</todo>"),
    "name in a tag": Calls(f"<do:{NAME}>{ARGS}</do:{NAME}>"),
    "name as a tag": Calls(f"<{NAME}>{ARGS}</{NAME}>", "<todo>", "</todo>"),
    "name, id, no end": Calls(f"[DO]{NAME}[REF]{ID}[WITH]{ARGS}"),
    "name in lines of elements": Calls(f"<do>\n<ref>{ID}</ref>\n<it>{NAME}</it>\n<with>{ARGS}</with>\n</do>", "\n"),
    "id behind": Calls(f"<do>{NAME}<with>{ARGS}</with><ref>{ID}</ref></do>"),
    "words": Calls(f"Do: {NAME}\nWith: {ARGS}", "\n", "", "\n"),
    "an arrow": Calls(f"-> {NAME} {ARGS}", "\n", "", "\n"),
    "parentheses": Calls(f"DO {NAME}({ARGS})", "\n", "", "\n"),
    "tags": Calls(f'<do it="{NAME}">' + pairs(f'<with the="{{{{ k }}}}">{VALUE}</with>') + "</do>"),
    "tags, lines": Calls(
        f"<do>\n<it={NAME}>\n" + pairs(f"<with={{{{ k }}}}>\n{VALUE}\n</with>\n") + "</it>\n</do>", "\n", "", "\n"
    ),
    "tags in brackets": Calls(f"[DO {NAME}]" + pairs(f"[WITH {{{{ k }}}}]{VALUE}[/WITH]") + "[/DO]"),
    "tags in braces": Calls(f"{{{{ '{{do ' }}}}{NAME}}}" + pairs(f"{{w {{{{ k }}}}}}{VALUE}{{/w}}") + "{/do}"),
    "tags without ends": Calls(f"<|do|>{NAME}" + pairs(f"<|with|>{{{{ k }}}}<|is|>{VALUE}") + "<|done|>"),
    "tags with JSON": Calls(f"<do={NAME}>" + pairs(f"<with={{{{ k }}}}>{JSON_VALUE}</with>") + "</do>"),
    "points": Calls(f"<do>{NAME}</do>\n" + pairs(f"* {{{{ k }}}}: {VALUE}\n") + "<done>", "\n"),
    "lines": Calls(f"<do>{NAME}\n" + pairs(f"{{{{ k }}}}: {VALUE}\n") + "</do>", "\n", "", "\n"),
    "lines with JSON": Calls(f"<do {NAME}>\n" + pairs(f"{{{{ k }}}} = {JSON_VALUE}\n") + "</do>", "\n", "", "\n"),
    "Python": Calls(PYTHON, "<do>[", "]</do>", ", "),
    "Python alone": Calls(PYTHON, "[", "]", ", "),
    "Python, no list": Calls(PYTHON, "<do>", "</do>", "; "),
    "name as a key": Calls("<do>{{ {f.name: f.arguments} | tojson }}</do>"),
    "name as a tag, with tags": Calls(f"<{NAME}>" + pairs(f"<{{{{ k }}}}>{VALUE}</{{{{ k }}}}>") + f"</{NAME}>"),
}


@dataclass(frozen=True, slots=True)
class Layout:
    turns: str
    thoughts: str
    answers: str
    calls: str

    @property
    def source(self) -> str:
        ask, reply, over = map(literal, TURNS[self.turns])
        thought = _if_any("m.reasoning_content", THOUGHTS[self.thoughts]) if self.thoughts != "none" else ""
        answer = _if_any("m.content", ANSWERS[self.answers])
        turn = f"{reply}{thought}{answer}{CALLS[self.calls].source}{over}"
        other = f"{ask}{{{{ m.content }}}}{over}"
        loop = f"{{% if m.role == 'assistant' %}}{turn}{{% else %}}{other}{{% endif %}}"
        return f"{{% for m in messages %}}{loop}{{% endfor %}}{{% if add_generation_prompt %}}{reply}{{% endif %}}"

    def __str__(self) -> str:
        return f"{self.turns} {self.thoughts} {self.answers}: {self.calls}"


def _if_any(part: str, around: tuple[str, str]) -> str:
    start, end = map(literal, around)
    return f"{{% if {part} %}}{start}{{{{ {part} }}}}{end}{{% endif %}}"


def _layouts() -> Iterator[Layout]:
    """Each way to write calls, with the other parts taken in turn; then each of these with plain calls."""
    for number, calls in enumerate(CALLS):
        turns, thoughts = [*TURNS][number % len(TURNS)], [*THOUGHTS][number * 5 % (len(THOUGHTS) - 1)]
        yield Layout(turns, thoughts, [*ANSWERS][number % len(ANSWERS)], calls)
    for number, thoughts in enumerate(THOUGHTS):
        yield Layout([*TURNS][number], thoughts, "bare", "JSON")
        yield Layout([*TURNS][-number - 1], thoughts, "element", "words")


LAYOUTS: Final = tuple(_layouts())

# -- messages

TOOLS: Final = tuple(
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "A tool.",
            "parameters": {"type": "object", "properties": {key: {"type": kind} for key, kind in kinds.items()}},
        },
    }
    for name, kinds in {
        "find": {"term": "string", "most": "integer"},
        "fs.copy-all": {"source_path": "string", "depth": "integer"},
        "Sum": {"values": "array", "by": "number", "how": "object"},
        "ping": {},
        "note_2": {"title": "string", "body": "string"},
        "lamp": {"lit": "boolean"},
        "x": {"y": "string"},
        "name": {"arguments": "string"},
    }.items()
)


@dataclass(frozen=True, slots=True)
class Case:
    """A message, and the features of the round trip that say whether it comes back."""

    features: frozenset[str]
    content: str = ""
    reasoning: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    def message(self, *, with_ids: bool = True) -> dict[str, Any]:
        made: dict[str, Any] = {"role": "assistant", "content": self.content, "reasoning_content": self.reasoning}
        made["tool_calls"] = [
            {
                **({"id": f"k{number}-Q_{number}"} if with_ids else {}),
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
            for number, (name, arguments) in enumerate(self.calls)
        ]
        return {key: value for key, value in made.items() if value}


def _text(content: str, *features: str, reasoning: str = "") -> Case:
    plain = ("content", "multi-line content", "Unicode in content")
    return Case(frozenset((*plain, *features)), content, reasoning)


def _calls(*calls: tuple[str, Mapping[str, Any]], of: str = "one call", content: str = "", reasoning: str = "") -> Case:
    plain = ["one call", "other names of functions"]
    plain += ["content and a call"] if content else []
    plain += ["reasoning and a call"] if reasoning else []
    plain += ["parallel calls", "the same function twice"] if len(calls) > 1 else []
    return Case(frozenset((*plain, *of.split(", "))), content, reasoning, calls)


def _note(title: str, body: str) -> tuple[str, Mapping[str, Any]]:
    return "note_2", {"title": title, "body": body}


MESSAGES: Final = {
    "a word": _text("Done."),
    "a number": _text("7"),
    "paragraphs": _text("Two:\n\n* a\n* b\n\n\n```py\nx = {}\n```\nend"),
    "scripts": _text("Żółw 🦊 “so” – ½ ≤ ∞ 東"),
    "signs": _text("a < b > c, [x] {y} (z) | # @ $ % ^ & ~ `u` **v** </ <| -> :: ;", "content like markers"),
    "a link": _text("[here](http://a.b/c), [p, q](r); f(x) = [g(y)]", "content like markers"),
    "elements": _text('<b>x</b> <i class="c">y</i> <br/> <!-- z -->', "content like markers"),
    "an object": _text('{"name": "Ada", "born": 1815}', "JSON as content"),
    "a list of objects": _text('[{"name": "Ada"}, {"name": "Max"}]', "JSON as content"),
    "a thought": _text("Four.", "reasoning and content", reasoning="Two and two.\n\n1. so {a} [b] <c>: it's \"so\""),
    "a thought alone": _text("", "reasoning alone", "reasoning and content", reasoning="Hm… 🦊"),
    "a call": _calls(("find", {"term": "wide rivers", "most": 4})),
    "a short name": _calls(("x", {"y": "z"})),
    "a long name": _calls(("fs.copy-all", {"source_path": "/a b/c.txt", "depth": -1})),
    "a name of a key": _calls(("name", {"arguments": "name"})),
    "no arguments": _calls(("ping", {}), of="no arguments"),
    "lines": _calls(_note("T", "one\ntwo\n\n  three\n\tfour"), of="multi-line arguments"),
    "a letter": _calls(_note("a\nb", "Dear X,\n\nsee below.\n\nBye"), of="multi-line arguments"),
    "quotes": _calls(_note('"', "'"), _note('it\'s "so"', "C:\\temp\\new \\n \\"), of="quotes and backslashes"),
    "brackets": _calls(_note("<b>x</b>", "a < b, </ > }} ]] )) {c} [d] (e) ``` --> ), }"), of="angle brackets"),
    "code": _calls(_note("f(x);", '[g(y)](z), {a: "b"}; h("}")\nk();'), of="multi-line arguments, angle brackets"),
    "a call in a text": _calls(_note("Do it", '{"name": "x", "arguments": {}}'), of="quotes and backslashes"),
    "other scripts": _calls(_note("Żółw", "🦊 日本語 “x”"), of="Unicode in arguments"),
    "like others": _calls(_note("12", "true"), _note("{}", "null"), of="texts like other types"),
    "empty texts": _calls(_note("", "x"), ("x", {"y": ""}), of="empty arguments"),
    "spaces": _calls(_note(" x", "y \n"), of="spaces around arguments, multi-line arguments"),
    "values": _calls(
        ("Sum", {"values": [1, 2.5, [], {"a": [None]}], "by": -0.25, "how": {"to": {"ü": [True, "x"]}}}),
        of="lists and objects, numbers",
    ),
    "a boolean": _calls(("lamp", {"lit": False}), of="booleans and null"),
    "three calls": _calls(("x", {"y": "1st"}), ("ping", {}), ("x", {"y": '{"3rd"}, ['}), of="no arguments"),
    "an answer and calls": _calls(("x", {"y": "z"}), ("ping", {}), of="no arguments", content="So:\n\n1. {a}\n2. [b]"),
    "a thought and a call": _calls(("find", {"term": "x"}), reasoning="I need it: x."),
    "all": _calls(
        ("x", {"y": "z"}), of="reasoning, content and calls", content="Let me.", reasoning="Think.\nMore [or] less."
    ),
}  # fmt: skip


# -- what isn't exact

IN_PYTHON: Final = (
    "integers beyond 2^53 are an error (KIND-CALLS-4), and names of arguments are words (KIND-CALLS-1)",
    frozenset({"long numbers", "other names of arguments"}),
)
SEVERAL: Final = frozenset(one.feature for one in CONVERSATIONS if len(one.said.calls) > 1)
LINES: Final = frozenset({"multi-line arguments", "spaces around arguments", "quotes and backslashes"})
EVERY_CALL: Final = "every feature of calls"
NOT_EXACT: Final[dict[str, tuple[str, frozenset[str] | str]]] = {
    "name as a key": ("names-as-keys", EVERY_CALL),
    "Python, no list": ("python-outside-lists", EVERY_CALL),
    "name as a tag, with tags": ("how calls are written", EVERY_CALL),
    "Python": IN_PYTHON,
    "Python alone": IN_PYTHON,
    "JSON alone": (
        "nothing stands between calls, and opens and closes without a width make transformers loop",
        SEVERAL,
    ),
    "lines": ("a line's end ends a value", LINES),
}
"""By the way calls are written: why (as `missing` or `unsettled` begins, where derive tells), and of what."""


ALWAYS_LOSSY: Final = frozenset({"spaces around content", "spaces around reasoning"})
"""Text is stripped by default (KIND-TEXT-1)."""


def not_exact(layout: Layout) -> frozenset[str]:
    """What is expected to be."""
    of_calls = {one.feature for one in CONVERSATIONS if one.said.calls}
    of_answers = {one.feature for one in CONVERSATIONS if one.said.content and not one.said.reasoning}
    _, features = NOT_EXACT.get(layout.calls, ("", frozenset()))
    found = of_calls if features == EVERY_CALL else set(features)
    return frozenset(found | (of_answers if is_ambiguous(layout) else set())) - ALWAYS_LOSSY


def is_ambiguous(layout: Layout) -> bool:
    """Whether nothing tells an answer from reasoning, where a turn has only one of them."""
    return layout.thoughts == "unmarked" and layout.answers == "bare"


# -- the tests


@cache
def derived(layout: Layout) -> Derived:
    with Renderer(layout.source, seconds=20) as renderer:
        return derive(renderer)


def having(layout: Layout, *verdicts: Verdict) -> frozenset[str]:
    return frozenset(result.feature for result in derived(layout).round_trip.results if result.verdict in verdicts)


def parsed(template: Mapping[str, Any], prompt: str, chunks: Iterable[str]) -> Any:
    """The message, or the error's name."""
    try:
        parser = antiphon.ResponseParser(template, prefix=prompt, tools=[*TOOLS])
        for chunk in chunks:
            parser.feed(chunk)
        return parser.finalize()[0]
    except antiphon.ParseError as error:
        return error.kind


def differences(layout: Layout, template: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Of each message that the round trip vouches for: its name, and what comes instead of it, None if nothing does."""
    exact, with_ids = having(layout, Verdict.EXACT), "c.id" in CALLS[layout.calls].each
    asked = {"role": "user", "content": "Well?"}
    with Renderer(layout.source, seconds=20) as renderer:
        prompt = renderer.render([asked], tools=[*TOOLS], add_generation_prompt=True)
        for name, case in MESSAGES.items():
            if not case.features <= exact:
                continue
            turn = renderer.render([asked, case.message()], tools=[*TOOLS])
            assert turn.startswith(prompt)
            expected, text = case.message(with_ids=with_ids), turn.removeprefix(prompt)
            found = [parsed(template, prompt, chunks) for chunks in ([text], text)]
            yield name, next((one for one in found if one != expected), None)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_other_messages_come_back(layout: Layout) -> None:
    found = dict(differences(layout, derived(layout).template))
    assert {name: got for name, got in found.items() if got is not None} == {}
    assert len(found) >= (7 if not_exact(layout) else 24)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_what_can_be_exact_is(layout: Layout) -> None:
    compared = having(layout, *PARSED)
    assert having(layout, Verdict.LOSSY, Verdict.WRONG) - ALWAYS_LOSSY == not_exact(layout) & compared


@pytest.mark.parametrize("calls", [calls for calls, (_, features) in NOT_EXACT.items() if features == EVERY_CALL])
def test_what_cant_be_read_is_told(calls: str) -> None:
    found = derived(next(layout for layout in LAYOUTS if layout.calls == calls))
    why = NOT_EXACT[calls][0]
    assert why in found.missing or any(text.startswith(why) for text in found.unsettled)


def test_answers_that_cant_be_told_from_reasoning_are_told() -> None:
    layouts = [layout for layout in LAYOUTS if is_ambiguous(layout)]
    assert layouts
    for layout in layouts:
        assert any(text.startswith("where an answer without reasoning") for text in derived(layout).unsettled)


@pytest.mark.parametrize("close", ["</", "\n", "})"])
def test_a_template_that_is_wrong_is_seen(close: str) -> None:
    layout = next(layout for layout in LAYOUTS if layout.calls == "tags")
    template = derived(layout).template
    calls = {**template["fields"]["tool_calls"], "close_pattern": re.escape(close)}
    damaged = {**template, "fields": {**template["fields"], "tool_calls": calls}}
    assert any(got is not None for _, got in differences(layout, damaged))
