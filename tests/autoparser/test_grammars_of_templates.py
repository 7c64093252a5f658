"""Grammars from the suite's response templates: what they generate is read back, and what they take is right."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from typing import Any, Final

import pytest
from antiphon_portability.autoparser.derive import derive
from antiphon_portability.autoparser.grammar import Grammar, GrammarError, ToolChoice, constrain, grammar
from antiphon_portability.chat import Dialect, Renderer
from grammar_cases import TEMPLATES, TOOLS, broken, problem, response_template
from matchers import xgrammar
from recorded import chat_templates
from sentences import Sentences
from support import examples

REFUSED: Final = {
    "apertus": ("/fields", "have none whose transform"),
    "deepseek-r1-distill": ("/fields", "have none whose transform"),
    "granite3.3": ("/fields", "have none whose transform"),
    "rwkv-world": ("/fields", "have none whose transform"),
    "lfm2.5": ("/fields/tool_calls/content_args/tag_pattern", "has nothing behind the value"),
    "minimax-m1": ("/fields/tool_calls/close_pattern", "can stand inside a value"),
}
"""Templates without calls, or whose calls no grammar has; with the place and the reason."""
ENDS: Final = {"llama3": "<|eot_id|>"}
"""A token that ends the message, and that a template needs behind the last call; no grammar has it."""
NAMES: Final = sorted(path.stem for path in TEMPLATES.glob("*.json") if path.stem not in REFUSED)
_SENTENCES: Final = 40


@cache
def made(name: str, tool_choice: ToolChoice = ToolChoice.AUTO, parallel: bool = True) -> Grammar:
    return grammar(response_template(name), TOOLS, tool_choice=tool_choice, parallel=parallel)


def sentences(found: Grammar, count: int, seed: int = 1) -> list[str]:
    source = Sentences(found.rules, seed)
    return [source.sentence() for _ in range(count)]


def read(name: str, text: str) -> str | None:
    """Why the template doesn't read valid calls in a text; with the last token of the message."""
    end = ENDS.get(name, "")
    return problem(text if text.endswith(end) else text + end, response_template(name), TOOLS)


def test_most_templates_have_grammars() -> None:
    assert len(NAMES) == 43


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("parallel", [True, False], ids=["parallel", "one"])
def test_what_is_generated_is_read_back(name: str, parallel: bool) -> None:
    for text in sentences(made(name, parallel=parallel), examples(_SENTENCES)):
        assert read(name, text) is None, text


@pytest.mark.parametrize("name", NAMES)
def test_whole_messages_are_read_back(name: str) -> None:
    found = made(name, ToolChoice.REQUIRED)
    assert not found.lazy and not found.triggers
    for text in sentences(found, examples(_SENTENCES), seed=2):
        assert read(name, text) is None, text


@pytest.mark.parametrize("name", NAMES)
def test_sentences_begin_with_a_trigger(name: str) -> None:
    found = made(name)
    assert found.lazy and found.triggers
    for text in sentences(found, _SENTENCES, seed=3):
        assert text.startswith(found.triggers), text


@pytest.mark.parametrize("name", NAMES)
def test_an_engine_takes_what_is_generated(name: str) -> None:
    for found in (made(name), made(name, ToolChoice.REQUIRED)):
        texts = sentences(found, _SENTENCES, seed=4)
        assert [
            text for text, taken in zip(texts, xgrammar().accepts(found.gbnf, texts), strict=True) if not taken
        ] == []


@pytest.mark.parametrize("name", NAMES)
def test_what_an_engine_takes_is_right(name: str) -> None:
    """Sentences are broken at random. Most are refused then; those that aren't are read as valid calls."""
    found, source = made(name), random.Random(5)
    texts = [bad for text in sentences(found, 12, seed=5) for bad in broken(text, source, examples(12))]
    taken = [text for text, accepted in zip(texts, xgrammar().accepts(found.gbnf, texts), strict=True) if accepted]
    assert len(taken) < 0.7 * len(texts)
    for text in taken:
        assert read(name, text) is None, text


@pytest.mark.parametrize("name", NAMES)
def test_certain_faults_are_refused(name: str) -> None:
    """A name that isn't a tool's, a required argument that isn't there, a call that isn't closed."""
    found = made(name, parallel=False)
    source = Sentences(found.rules, 6)
    text = next(text for _ in range(2_000) if (text := source.sentence()).count("get_weather") == 1 and "city" in text)
    faults = [text.replace("get_weather", "get_weather_of"), text.replace("city", "town"), text[: text.index("city")]]
    assert xgrammar().accepts(found.gbnf, [text, *faults]) == [True, False, False, False]
    assert read(name, faults[0]) and read(name, faults[1])


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_grammar_has_is_told_with_its_place(name: str) -> None:
    place, reason = REFUSED[name]
    with pytest.raises(GrammarError) as error:
        made(name)
    assert (error.value.place, error.value.in_tools) == (place, False)
    assert reason in error.value.problem


@pytest.mark.parametrize("name", NAMES)
def test_structural_tags(name: str) -> None:
    made = constrain(response_template(name), TOOLS)
    tag, texts = made.structural_tag(), sentences(made.grammar(), 20, seed=7)
    assert all(xgrammar().accepts_tagged(tag, ["an answer", *texts]))
    unknown = [text.replace("get_weather", "get_wether") for text in texts if "get_weather" in text]
    if any("get_weather" in trigger for trigger in tag["format"]["triggers"]):
        return  # another name is no call then
    assert unknown and not any(xgrammar().accepts_tagged(tag, unknown))


# -- derived templates

UNSAID: Final = {
    "have none whose transform": 16,  # no calls, or a name that no transform can read
    "a lookaround that a grammar can't follow": 5,  # Llama 3.x: a call begins with its bracket
    "can stand inside a value": 1,  # MiniMax-M1: a call ends with its line
}
"""Why there is no grammar, and for how many chat templates."""


@pytest.mark.long
def test_derived_templates_read_what_their_grammars_generate() -> None:
    reasons: Counter[str] = Counter()
    for name, chat_template in chat_templates().items():
        if "_training" in name:
            continue  # the same calls
        with Renderer(chat_template, dialect=Dialect.LENIENT) as renderer:
            document = derive(renderer).template
        try:
            source = Sentences(grammar(document, TOOLS).rules, 10)
        except GrammarError as error:
            reasons.update(reason for reason in UNSAID if reason in error.problem)
            continue
        for text in (source.sentence() for _ in range(10)):
            assert problem(text, document, TOOLS) is None, (name, text)
        reasons["none"] += 1
    assert {reason: reasons[reason] for reason in UNSAID} == UNSAID
    assert reasons["none"] > 80


# -- small templates


def template(**field: Any) -> dict[str, Any]:
    """A template with these keys of its calls."""
    calls = {
        "open": "<call>", "close": "</call>", "content": "json", "repeats": True,
        "transform": {"function": {"name": "{content.name}", "arguments": "{content.arguments}"}},
    }  # fmt: skip
    merged = {key: value for key, value in {**calls, **field}.items() if value is not None}
    return {"start_anchor": "<bot>", "fields": {"tool_calls": merged, "content": {"close": "<end>"}}}


BY_NAME: Final = {"function": {"name": "{name}", "arguments": "{content}"}}


@pytest.mark.parametrize(
    ("field", "place", "reason"),
    [
        ({"open": None}, "/fields/tool_calls", "has no open"),
        ({"close": None, "close_pattern": "(?=\\{)"}, "/fields/tool_calls/close_pattern", "can stand inside a value"),
        ({"close": None, "close_pattern": "\\s+"}, "/fields/tool_calls/close_pattern", "without a text of its own"),
        ({"open": None, "open_pattern": "(?<=x)<call>"}, "/fields/tool_calls/open_pattern", "lookaround"),
        ({"open": None, "open_pattern": "(?>a|b)<call>"}, "/fields/tool_calls/open_pattern", "atomic group"),
        ({"open": None, "open_pattern": "<(a)><\\1>"}, "/fields/tool_calls/open_pattern", "what a group took"),
        ({"open": None, "open_pattern": "<call>(?=<)"}, "/fields/tool_calls/open_pattern", "lookaround"),
        ({"content": "text"}, "/fields", "transform"),
    ],
)
def test_places(field: dict[str, Any], place: str, reason: str) -> None:
    document = template(**field)
    if field.get("open", "") is None and "open_pattern" not in field:
        del document["fields"]["content"]
    if field.get("content") == "text":
        document["fields"]["tool_calls"]["transform"] = {"name": "{content}"}
    with pytest.raises(GrammarError) as error:
        grammar(document, TOOLS)
    assert error.value.place == place
    assert reason in error.value.problem


def test_a_lookaround_that_surely_holds_is_none() -> None:
    field = {
        "open": None,
        "open_pattern": "<call>(?=\\{)(?!\\[)",
        "close": None,
        "close_pattern": "(?<=\\})\\s*</call>",
    }
    found = grammar(template(**field), TOOLS)
    texts = [Sentences(found.rules, 8).sentence() for _ in range(20)]
    assert all(problem(text, template(**field), TOOLS) is None for text in texts)


def test_white_space_before_what_an_open_looks_ahead_for() -> None:
    """Taken if the lookahead begins with any, and only then."""
    opens = {"Action: (?P<name>\\w+):(?=\\s*\\{)": True, "Action: (?P<name>\\w+):(?=\\{)": False}
    for open_pattern, is_taken in opens.items():
        document = template(open=None, open_pattern=open_pattern, transform=BY_NAME)
        found = grammar(document, [{"name": "f"}])
        texts = ["Action: f:{}</call>", "Action: f: {}</call>", "Action: f:{} </call>"]
        assert xgrammar().accepts(found.gbnf, texts) == [True, is_taken, True]


def test_a_name_that_the_template_would_read_otherwise() -> None:
    document = template(open=None, open_pattern="<call (?P<name>[a-z]+)>", transform=BY_NAME)
    with pytest.raises(GrammarError) as error:
        grammar(document, [{"name": "add_all"}])
    assert (error.value.place, error.value.in_tools) == ("/0/name", True)


def test_a_name_ends_before_what_its_group_would_take() -> None:
    document = template(open=None, open_pattern="<call>(?P<name>\\S+)\\n?", transform=BY_NAME)
    found = grammar(document, [{"name": "f"}])
    assert xgrammar().accepts(found.gbnf, ["<call>f{}</call>", "<call>f\n{}</call>"]) == [False, True]


def test_a_name_ends_before_a_loop_that_could_go_on_with_it() -> None:
    document = template(open=None, open_pattern="<call (?P<name>[^\\s<]+)[^<]*<json>", transform=BY_NAME)
    found = grammar(document, [{"name": "f"}])
    texts = ["<call f<json>{}</call>", "<call f x<json>{}</call>", "<call fx<json>{}</call>"]
    assert xgrammar().accepts(found.gbnf, texts) == [True, True, False]


def test_the_end_of_a_message_may_be_missing() -> None:
    found = grammar(template(close=["</call>", "<end>"]), [{"name": "f"}])
    call = '<call>{"name": "f", "arguments": {}}'
    assert xgrammar().accepts(found.gbnf, [call, call + "</call>", call + "<end>"]) == [True, True, True]
    known = grammar(template(), [{"name": "f"}], ends=["</call>"])
    assert xgrammar().accepts(known.gbnf, [call, call + "</call>"]) == [True, True]


def test_what_closes_a_call_is_kept_out_of_strings() -> None:
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}]
    found = grammar(template(), tools)
    call = '<call>{"name": "f", "arguments": {"text": "TEXT"}}</call>'
    texts = [call.replace("TEXT", text) for text in ("a</call>b", "a<\\u002fcall>b", "</cal", "</callx>")]
    assert xgrammar().accepts(found.gbnf, texts) == [False, True, True, True]


def test_lines() -> None:
    document = template(open=None, open_pattern="<call (?P<name>\\w+)>", content="kv-lines", transform=BY_NAME)
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}},
              "required": ["a"]}}]  # fmt: skip
    found = grammar(document, tools)
    assert xgrammar().accepts(found.gbnf, ["<call f>\na: 1\n</call>", "<call f>\nb: 1\n</call>"]) == [True, False]
    source = Sentences(found.rules, 9)
    assert all(problem(source.sentence(), document, tools) is None for _ in range(30))


def test_a_message_without_marks_can_only_be_asked_for_calls() -> None:
    document = template(open=None, open_pattern="\\{", transform=None)
    document["fields"]["tool_calls"]["transform"] = {
        "function": {"name": "{content.name}", "arguments": "{content.args}"}
    }
    with pytest.raises(GrammarError, match="no mark"):
        grammar(document, TOOLS)


NAMED: Final = {"function": {"name": "{content.name}", "arguments": "{content.arguments}"}}
ADD: Final = {"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}, "required": ["a"]}}
ORDERS: Final = [
    (NAMED, '{"name": "f", "arguments": {"a": 1}}', True),
    (NAMED, '{"arguments": {"a": 1}, "name": "f"}', True),
    (NAMED, '{"type": "function", "name": "f", "arguments": {"a": 1}}', True),
    (NAMED, '{"type": "tool", "name": "f", "arguments": {"a": 1}}', False),
    (NAMED, '{"name": "f", "name": "f", "arguments": {"a": 1}}', False),
    (NAMED, '{"name": "f"}', False),
    ({"id": "{content.id}", **NAMED}, '{"name": "f", "arguments": {"a": 1}, "id": "x"}', True),
    ({"id": "{content.id}", **NAMED}, '{"id": "x", "arguments": {"a": 1}, "name": "f"}', True),
    ({"id": "{content.id}", **NAMED}, '{"name": "f", "arguments": {"a": 1}}', False),
    (
        {"function": {"name": "{content.function.name}", "arguments": "{content.function.arguments}"}},
        '{"type": "function", "function": {"arguments": {"a": 1}, "name": "f"}}',
        True,
    ),
]


@pytest.mark.parametrize(("transform", "call", "taken"), ORDERS)
def test_members_of_a_call_come_in_any_order(transform: dict[str, Any], call: str, taken: bool) -> None:
    document = template(transform=transform)
    found = grammar(document, [ADD])
    assert xgrammar().accepts(found.gbnf, [f"<call>{call}</call>"]) == [taken]
    assert not taken or problem(f"<call>{call}</call>", document, [ADD]) is None


TAGGED: Final = {
    "open": None,
    "open_pattern": "<call (?P<name>[^>]+)>",
    "content": "xml-inline",
    "content_args": {"tag_pattern": "<(?P<key>[a-z]\\d?)>(?P<value>.*?)</>"},
    "transform": BY_NAME,
}


@pytest.mark.parametrize("required", [1, 2, 5])
def test_tags_that_may_be_missing_stand_anywhere(required: int) -> None:
    names = ["o", *(f"r{number}" for number in range(required))]
    texts = {name: {"type": "string"} for name in names}
    tools = [{"name": "f", "parameters": {"properties": texts, "required": names[1:]}}]
    found = grammar(template(**TAGGED), tools)
    tags = [f"<{name}>x</>" for name in names]
    orders = [tags, [*tags[1:], tags[0]], [tags[1], tags[0], *tags[2:]], tags[1:], tags[:-1]]
    written = [f"<call f>{''.join(order)}</call>" for order in orders]
    assert xgrammar().accepts(found.gbnf, written) == [True, True, True, True, False]
    assert [problem(text, template(**TAGGED), tools) is None for text in written] == [True, True, True, True, False]


def test_all_ways_to_write_a_tag() -> None:
    pattern = "<(?P<key>[a-z])>(?:\\[\\[(?P<value>.*?)\\]\\]|(?P<value>.*?))</>"
    document = template(**TAGGED | {"content_args": {"tag_pattern": pattern}})
    tools = [{"name": "f", "parameters": {"properties": {"x": {"type": "string"}}, "required": ["x"]}}]
    texts = [f"<call f>{tag}</call>" for tag in ("<x>a</>", "<x>[[a</>b]]</>", "<x>[[a</>", "<x>a</>b]]</>")]
    assert xgrammar().accepts(grammar(document, tools).gbnf, texts) == [True, True, True, False]
    assert [problem(text, document, tools) is None for text in texts[:3]] == [True, True, True]


TRIGGERS: Final = [
    ("\\n<call>", ("\n<call>",)),
    ("\\s*<call>", ("<call>",)),
    ("(?:x\\s)?<call>", ("<call>",)),
    ("[Cc]all: ", ("Call: ", "call: ")),
    ("<(?:call|tool)>", ()),
    ("(?:<call>|<tool>)", ("<call>", "<tool>")),
    ("[a-z]+<call>", ()),
]


@pytest.mark.parametrize(("pattern", "triggers"), TRIGGERS)
def test_triggers_have_all_that_an_open_needs(pattern: str, triggers: tuple[str, ...]) -> None:
    document = template(open=None, open_pattern=pattern)
    if not triggers:
        with pytest.raises(GrammarError, match="--tool-choice required"):
            grammar(document, [ADD])
        return
    found = grammar(document, [ADD])
    assert found.triggers == triggers
    assert problem(Sentences(found.rules, 1).sentence(), document, [ADD]) is None


NAMES_CUT: Final = [
    ("<call (?P<name>.*?)>", "a>b", "/0/name"),
    ("<call (?P<name>.*?)>", "ab", None),
    ("<call (?P<name>.*?) >", "a>b", None),
    ("<call (?P<name>[^>]+)>", "a>b", "/0/name"),
]


@pytest.mark.parametrize(("pattern", "name", "place"), NAMES_CUT)
def test_names_that_end_too_early(pattern: str, name: str, place: str | None) -> None:
    document, tools = template(open=None, open_pattern=pattern, transform=BY_NAME), [{"name": name}]
    if place is not None:
        with pytest.raises(GrammarError) as error:
            grammar(document, tools)
        assert error.value.place == place
        return
    assert problem(Sentences(grammar(document, tools).rules, 1).sentence(), document, tools) is None


def test_keys_that_end_too_early() -> None:
    tags = {**TAGGED, "content_args": {"tag_pattern": "<(?P<key>.*?)>(?P<value>.*?)</>"}}
    with pytest.raises(GrammarError, match="can't be a key"):
        grammar(template(**tags), [{"name": "f", "parameters": {"properties": {"a>b": {}}}}])


@pytest.mark.parametrize(
    ("schema", "noted"),
    [
        ({"type": "object"}, True),
        ({}, True),
        ({"type": "array", "items": {"type": "object"}}, True),
        ({"type": "object", "properties": {"a": {"type": "integer"}}}, False),
        ({"type": "string"}, False),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, False),
    ],
)
def test_names_that_python_calls_may_repeat_are_told(schema: dict[str, Any], noted: bool) -> None:
    document = template(content="python-call-list", transform={"function": "{content}"}, transform_each=True)
    found = grammar(document, [{"name": "f", "parameters": {"properties": {"x": schema}}}])
    assert any("KIND-CALLS-2" in note.text and note.place.endswith("/x") for note in found.notes) == noted


def test_preserved_tokens_are_whole_marks() -> None:
    pattern = "(?P<name>\\w+)(?:<\\|(?:channel|constrain)\\|>[^<]*)*<\\|message\\|>"
    found = grammar(template(open=None, open_pattern=f"to={pattern}", transform=BY_NAME), [ADD])
    assert found.preserved_tokens == ("<|channel|>", "<|message|>", "<|constrain|>", "</call>", "<end>")


# -- around calls

THINKING: Final = {
    "start_anchor": "<bot>",
    "fields": {
        "reasoning_content": {"open": "<think>", "close": "</think>"},
        "tool_calls": template()["fields"]["tool_calls"],
        "content": {"open": "<say>", "close": "</say>"},
    },
}
CALL: Final = '<call>{"name": "f", "arguments": {"a": 1}}</call>'


@pytest.mark.parametrize(
    ("prompt", "text", "taken"),
    [
        ("<bot>", CALL, True),
        ("<bot>", f"<think>x</think>{CALL}", True),
        ("<bot>", f"<think>x{CALL}", False),
        ("<bot>", f"Hi {CALL}", True),
        ("<bot>", f"\n{CALL}", True),
        ("<bot>", "Hi", False),
        ("<bot><think>", CALL, False),
        ("<bot><think>", f"x</think>{CALL}", True),
        ("<think>", f"x</think>{CALL}", True),
        ("<bot><think>\n</think>", f"{CALL}\n{CALL}", True),
        ("<bot><ca", CALL.removeprefix("<ca"), True),
    ],
)
def test_required_calls_go_on_from_the_prompt(prompt: str, text: str, taken: bool) -> None:
    """In both notations; the grammar is fed the end of the prompt first."""
    made = constrain(THINKING, [ADD], tool_choice=ToolChoice.REQUIRED, prompt=prompt)
    found = made.grammar()
    assert xgrammar().accepts(found.gbnf, [found.prompt + text]) == [taken]
    assert xgrammar().accepts_tagged(made.structural_tag(), [text]) == [taken]
    assert not found.notes


@pytest.mark.parametrize(
    ("tool_choice", "prompt", "told"),
    [
        (ToolChoice.REQUIRED, None, "--prompt"),
        (ToolChoice.AUTO, None, None),
        (ToolChoice.AUTO, "<bot><ca", "begins the trigger '<call>'"),
        (ToolChoice.AUTO, "<bot><think>", None),
    ],
)
def test_what_the_prompt_leaves_open_is_told(tool_choice: ToolChoice, prompt: str | None, told: str | None) -> None:
    notes = [str(note) for note in constrain(THINKING, [ADD], tool_choice=tool_choice, prompt=prompt).notes]
    assert bool(notes) == (told is not None)
    assert told is None or (told in notes[0] and notes[0].startswith("the prompt: "))


def test_a_prompt_behind_which_there_is_no_call() -> None:
    made = constrain(THINKING, [ADD], tool_choice=ToolChoice.REQUIRED, prompt=f"<bot>{CALL}x")
    with pytest.raises(GrammarError, match="the prompt: ends in"):
        made.grammar()


@pytest.mark.parametrize(
    ("between", "taken"),
    [
        ("\n", True),
        ("</calls>", True),
        ("<|close|>calls<|end|>", True),
        ("<|eot|> <|start|>bot ", True),
        ("and then", False),
        ("<say>", False),
        ("<think>x</think>", False),
    ],
)
def test_what_is_dropped_between_calls_and_behind_them(between: str, taken: bool) -> None:
    found = grammar(THINKING, [ADD])
    assert xgrammar().accepts(found.gbnf, [f"{CALL}{between}{CALL}", f"{CALL}{between}"]) == [taken, taken]


SCHEMAS: Final = [
    ({"allOf": [{"type": "integer"}, {"minimum": 5}]}, [7], [3, "s"]),
    ({"$ref": "#/$defs/s", "minLength": 3}, ["abcd"], ["a"]),
    ({"type": "string", "pattern": "^[a-z]+$", "maxLength": 3}, ["abc"], ["abcd"]),
    ({"type": "string", "pattern": "ab"}, ["xaby"], ["zz"]),
    ({"type": "string", "enum": ["a", 1]}, ["a"], [1]),
    ({"type": ["string", "null"], "minLength": 2}, ["ab", None], ["a"]),
    ({"type": "integer", "minimum": -0.5}, [0], [-1]),
    ({"items": [{"type": "integer"}, {"type": "string"}], "type": "array"}, [[1, "a"]], [["a"]]),
    ({"required": ["k"]}, [{"k": 1}], [{}]),
]


@pytest.mark.parametrize(("schema", "valid", "invalid"), SCHEMAS)
def test_structural_tags_hold_to_what_the_grammar_holds_to(
    schema: dict[str, Any], valid: list[Any], invalid: list[Any]
) -> None:
    parameters = {"properties": {"x": schema}, "required": ["x"], "$defs": {"s": {"type": "string"}}}
    made = constrain(template(), [{"name": "f", "parameters": parameters}])
    values = [*valid, *invalid]
    texts = [f'<call>{{"name": "f", "arguments": {{"x": {json.dumps(value)}}}}}</call>' for value in values]
    want = [True] * len(valid) + [False] * len(invalid)
    assert xgrammar().accepts(made.grammar().gbnf, texts) == want
    assert xgrammar().accepts_tagged(made.structural_tag(), texts) == want
