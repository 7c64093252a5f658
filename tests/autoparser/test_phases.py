"""Every phase of an analysis on the comparisons that llama.cpp made, without rendering; and the table of pairs."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from antiphon_portability.autoparser.analysis.content import content
from antiphon_portability.autoparser.analysis.conversations import (
    ANSWER,
    ARGUMENT,
    SECOND_ARGUMENT,
    SECOND_VALUE,
    VALUE,
    assistant,
    call,
)
from antiphon_portability.autoparser.analysis.preserved import preserved_tokens
from antiphon_portability.autoparser.analysis.reasoning import reasoning
from antiphon_portability.autoparser.analysis.results import Analysis, Tools
from antiphon_portability.autoparser.analysis.run import analysis_of
from antiphon_portability.autoparser.analysis.tools import tools
from antiphon_portability.autoparser.analysis.turns import assistant_start, generation_prompt, user_start
from antiphon_portability.autoparser.analysis.workarounds import WORKAROUNDS, worked_around
from recorded import chat_template, comparing, is_known, needs_records, traces

pytestmark = needs_records
NAMES = list(traces())
each_trace = pytest.mark.parametrize("name", NAMES)

BOTH = call(**{ARGUMENT: VALUE, SECOND_ARGUMENT: SECOND_VALUE})
ONE = call(**{ARGUMENT: VALUE})
LEFT_OUT = [
    (assistant("", calls=(ONE,)), assistant("", calls=(BOTH,))),
    (assistant("", calls=(call(),)), assistant("", calls=(ONE,))),
    (assistant("", calls=(BOTH,)), assistant(ANSWER)),
]
"""The last turns of comparisons that find nothing in llama.cpp."""


def expected(name: str) -> Analysis:
    return Analysis.of(traces()[name])


def phases(name: str) -> Analysis:
    """What each phase finds, with the corrections for this chat template."""
    want, compare = expected(name), comparing(traces()[name]["trace"])
    caps = want.caps
    found_reasoning = reasoning(compare, has_calls=caps.supports_tool_calls)
    found = Analysis(
        caps,
        user_start(compare),
        assistant_start(compare, found_reasoning),
        found_reasoning,
        content(compare, found_reasoning),
        tools(compare, found_reasoning, in_parallel=caps.supports_parallel_tool_calls)
        if caps.supports_tool_calls
        else Tools(),
    )
    return worked_around(chat_template(name), found)


@each_trace
def test_steps_are_those_of_llama_cpp(name: str) -> None:
    others = [one for one in traces()[name]["trace"] if not is_known(one)]
    assert all((one["messages_A"][-1], one["messages_B"][-1]) in LEFT_OUT for one in others)


@each_trace
@pytest.mark.parametrize("phase", ["reasoning", "content", "tools", "assistant_start", "user_start"])
def test_phase(name: str, phase: str) -> None:
    assert getattr(phases(name), phase) == getattr(expected(name), phase)


@each_trace
def test_generation_prompt(name: str) -> None:
    assert generation_prompt(comparing(traces()[name]["trace"])) == expected(name).generation_prompt


@each_trace
def test_preserved_tokens(name: str) -> None:
    source, want = chat_template(name), expected(name)
    if any(one.applies(source, Analysis()) for one in WORKAROUNDS):
        pytest.skip("corrected: see the whole analysis")
    assert preserved_tokens(want.reasoning, want.content, want.tools) == want.preserved_tokens


@each_trace
def test_whole_analysis(name: str) -> None:
    """With the corrections for single chat templates, and the family, which are told from the source."""
    want, source = expected(name), chat_template(name)
    found = analysis_of(source, want.caps, comparing(traces()[name]["trace"]))
    assert dataclasses.replace(found, specialized=None) == want


def test_analyses_as_json() -> None:
    for name in NAMES:
        document: dict[str, Any] = expected(name).document()
        assert Analysis.of(document) == expected(name)
