"""Grammars for all chat templates of both packages: what they generate is read back, and what is rendered is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pytest
from antiphon_portability.autoparser import Analysis
from antiphon_portability.autoparser.derive import derive
from antiphon_portability.autoparser.grammar import Grammar, GrammarError, Source, ToolChoice, grammar, source_of
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, Conversation, Result, Verdict, round_trip
from antiphon_portability.chat import Dialect, Renderer
from grammar_cases import TOOLS, Tools, problem
from matchers import xgrammar
from recorded import FOLDER, chat_templates, needs_records
from sentences import Sentences

FEATURES: Final = ("one call", "parallel calls", "no arguments", "content and a call", "reasoning and a call")
TURNS: Final = [one for one in CONVERSATIONS if one.feature in FEATURES]


@dataclass(frozen=True)
class Case:
    """A chat template: what its grammars are made of, the response template that reads them, and its own turns."""

    source: Source
    document: Mapping[str, Any]
    turns: tuple[tuple[Conversation, Result], ...]


@cache
def found() -> tuple[dict[str, Case], dict[str, str]]:
    """By name: the chat templates that have a grammar; and why the others have none."""
    cases, refused = {}, {}
    for name, chat_template in chat_templates().items():
        if "_training" in name:
            continue  # the same calls
        with Renderer(chat_template, dialect=Dialect.LENIENT) as renderer:
            try:
                source = source_of(renderer)
            except GrammarError as error:
                refused[name] = error.problem
                continue
            document = source.found if isinstance(source.found, Mapping) else derive(renderer, prove=False).template
            results = round_trip(renderer, document, TURNS).results
        turns = [pair for pair in zip(TURNS, results, strict=True) if pair[1].verdict is Verdict.EXACT]
        cases[name] = Case(source, document, tuple(turns))
    return cases, refused


def grammars(case: Case, tools: Tools, prompt: str | None = None) -> Iterator[Grammar]:
    """Those that there are: without a mark of calls there is only that of whole messages."""
    for tool_choice in ToolChoice:
        try:
            yield case.source.constrain(tools, tool_choice=tool_choice, prompt=prompt).grammar()
        except GrammarError as error:
            assert "no mark says" in error.problem


NONE: Final = {
    "llama.cpp/Apertus-8B-Instruct.jinja": "doesn't read a call that it writes",  # the name is a key
    "llama.cpp/MiniMax-M1.jinja": "can stand inside a value",  # a call ends with its line
}
"""Chat templates that write calls, and have no grammar."""


def test_which_have_no_grammar() -> None:
    cases, refused = found()
    with_calls = {name: why for name, why in refused.items() if "writes no tool calls" not in why}
    assert with_calls.keys() == NONE.keys()
    assert all(NONE[name] in why and "antiphon derive" in why for name, why in with_calls.items())
    assert len(cases) >= 75


def test_what_they_are_made_of() -> None:
    """The analysis where it is right; a derived template where llama.cpp has a parser by hand, or no call is shown."""
    for name, case in found()[0].items():
        source = case.source
        assert isinstance(source.found, Analysis) == (not source.instead), name
        if isinstance(source.found, Analysis):
            assert not source.found.specialized
        notes = source.constrain([{"name": "f"}]).notes
        about = [note for note in notes if note.place == "the chat template"]
        assert len(about) == bool(source.instead) + (not source.parallel)


def test_what_is_generated_is_read_back() -> None:
    """By the response template that is made of it."""
    unread = set()
    for name, case in found()[0].items():
        for one in grammars(case, TOOLS):
            source = Sentences(one.rules, 12)
            for text in (source.sentence() for _ in range(6)):
                if not any(problem(text + end, case.document, TOOLS) is None for end in ("", *case.source.ends)):
                    unread.add((name, text))
    assert unread == set()


_GEMMA: Final = (
    *("llama.cpp/google-gemma-4-31B-it.jinja", "llama.cpp/google-gemma-4-31B-it-interleaved.jinja"),
    *("trl/diffusion_gemma.jinja", *(f"trl/gemma4{version}.jinja" for version in ("", "_v2", "_v3", "_v4", "_v5"))),
)
NOT_TAKEN: Final = {(name, "content and a call"): "the content is written behind the call" for name in _GEMMA}
"""Turns that aren't taken, by chat template and feature, and why."""


def test_what_is_rendered_is_taken() -> None:
    missing: set[tuple[str, str]] = set()
    count = 0
    for name, case in found()[0].items():
        for conversation, result in case.turns:
            for one in grammars(case, conversation.tools, result.prompt):
                texts = list(written(one, result))
                count += 1
                if not texts or not any(xgrammar().accepts(one.gbnf, texts)):
                    missing.add((name, conversation.feature))
    assert missing == NOT_TAKEN.keys()
    assert count > 700


def written(one: Grammar, result: Result) -> Iterator[str]:
    """What the grammar is about, with and without the token that ends the turn."""
    whole = result.prompt + result.text
    begins = [whole.find(trigger, max(len(result.prompt) - len(trigger), 0)) for trigger in one.triggers]
    if one.lazy and max(begins) < 0:
        return
    text = whole[min(begin for begin in begins if begin >= 0) :] if one.lazy else one.prompt + result.text
    for ended in (text, text.removesuffix(result.end)):
        yield from (ended, ended.rstrip())


# -- llama.cpp's expected outputs


@cache
def outputs() -> list[dict[str, Any]]:
    """The complete ones that have calls, and for which llama.cpp has a grammar."""
    if not FOLDER.exists():
        return []
    lines = (FOLDER / "output-cases.jsonl").read_text("utf-8").splitlines()
    cases: list[dict[str, Any]] = list(map(json.loads, lines))
    return [
        case
        for case in cases
        if case["params"]["tools"] and case["has_grammar"] and case["expect"]["tool_calls"] and not case["is_partial"]
    ]


UNTAKEN: Final = {
    ("inclusionai-ling-3.0-flash", "</tool_call>\nThe time has been checked."): "an answer behind the call",
    ("Kimi-K2-Thinking", '{"arg1": 1}<|tool_call_begin|>'): "calls that aren't closed",
    ("Kimi-K2-Thinking", '"timeout": 10}'): "a call that isn't closed",
    ("meetkai-functionary-medium-v3.2", 'special_function\n{"arg1": 1}'): "the prompt ends in the trigger",
}
"""Outputs that aren't taken, by the chat template and a text that is in them, and why."""
_REASONING_ENDS: Final = ("</think>", "[/THINK]", "<|END_THINKING|>")


@needs_records
@pytest.mark.parametrize("derived", [False, True], ids=["chat template", "derived"])
def test_expected_outputs(derived: bool) -> None:
    """From the trigger on, behind the reasoning."""
    untaken = {(name, text) for case in outputs() for name, text in _refused(case, derived)}
    assert len(outputs()) == 134
    assert len(untaken) == len(UNTAKEN)
    for name, part in UNTAKEN:
        assert any(one == name and part in text for one, text in untaken)


def _refused(case: dict[str, Any], derived: bool) -> Iterator[tuple[str, str]]:
    """The chat template's name and the text, if it isn't taken."""
    name = str(case["template"].rpartition("/")[2].removesuffix(".jinja"))
    known = found()[0][f"llama.cpp/{name}.jinja"]
    tools = [{"name": tool["name"], "parameters": json.loads(tool["parameters"])} for tool in case["params"]["tools"]]
    source = known.document if derived else known.source.found
    one = grammar(source, tools, parallel=case["params"]["parallel_tool_calls"], ends=known.source.ends)
    text = case["input"]
    begin = min((text.index(end) + len(end) for end in _REASONING_ENDS if end in text), default=0)
    starts = [text.index(trigger, begin) for trigger in one.triggers if trigger in text[begin:]]
    if not starts or xgrammar().accepts(one.gbnf, [text[min(starts) :]]) != [True]:
        yield name, text
