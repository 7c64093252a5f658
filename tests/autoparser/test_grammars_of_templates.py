"""Grammars from the suite's response templates: what they generate is read back, and what they take is right."""

from __future__ import annotations

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
    """The same sentences, most of them: XGrammar has its own way with white space and numbers in JSON."""
    tag = constrain(response_template(name), TOOLS).structural_tag()
    texts = sentences(made(name), 30, seed=7)
    taken = xgrammar().accepts_tagged(tag, ["an answer", *texts])
    assert taken[0]
    assert sum(taken) > 15
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
