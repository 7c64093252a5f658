"""Every part of an analysis, from the comparisons that llama.cpp made, without rendering; and the table of pairs."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import pytest
from antiphon_portability.autoparser.analysis.conversations import (
    ANSWER,
    ARGUMENT,
    SECOND_ARGUMENT,
    SECOND_VALUE,
    VALUE,
    assistant,
    call,
)
from antiphon_portability.autoparser.analysis.results import Analysis
from antiphon_portability.autoparser.analysis.run import analysis_of
from recorded import chat_template, comparing, is_known, needs_records, traces

pytestmark = needs_records
NAMES = list(traces())
PARTS = [field.name for field in dataclasses.fields(Analysis) if field.name not in ("caps", "specialized")]
"""All of an analysis but what it was given, and the family, which is told from the source."""
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


@cache
def found(name: str) -> Analysis:
    """With the corrections for this chat template."""
    return analysis_of(chat_template(name), expected(name).caps, comparing(traces()[name]["trace"]))


@each_trace
def test_steps_are_those_of_llama_cpp(name: str) -> None:
    others = [one for one in traces()[name]["trace"] if not is_known(one)]
    assert all((one["messages_A"][-1], one["messages_B"][-1]) in LEFT_OUT for one in others)


@each_trace
@pytest.mark.parametrize("part", PARTS)
def test_part(name: str, part: str) -> None:
    assert getattr(found(name), part) == getattr(expected(name), part)


def test_analyses_as_json() -> None:
    for name in NAMES:
        document: dict[str, Any] = expected(name).document()
        assert Analysis.of(document) == expected(name)
