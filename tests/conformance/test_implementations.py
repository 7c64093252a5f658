"""The suite against the reference as a process, and against transformers."""

from __future__ import annotations

import importlib.util
import runpy
import shlex
import sys

import pytest
from antiphon_conformance import resources, schemas
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import run_adapter

SOME = 7
"""Every so many cases are run; all would take long."""


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return load_suite()[::SOME]


def test_the_worked_example_gives_the_same_results_as_a_process(cases: list[Case]) -> None:
    """The adapter that port authors copy."""
    script = resources.find("adapters/reference/adapter.py")
    adapter = make_adapter(shlex.join([sys.executable, str(script)]), seconds=30)
    assert run_adapter(adapter, cases).cases == run_adapter(make_adapter("reference"), cases).cases


def test_the_twins_name_every_construct() -> None:
    """Their engine is that of the reference; what they didn't name would be left out of their results."""
    shared = runpy.run_path(str(resources.find("adapters/shared/chat_parsing.py")))
    assert shared["FEATURES"] == schemas.documents()["protocol.schema.json"]["$defs"]["construct"]["enum"]


@pytest.mark.skipif(importlib.util.find_spec("transformers") is None, reason="transformers isn't installed")
def test_transformers_is_judged_without_trouble(cases: list[Case]) -> None:
    """Its adapter never dies and never breaks the protocol; what fails is the implementation."""
    result = run_adapter(make_adapter("transformers", seconds=2), cases)
    reasons = [failure.finding.reason for case in result.required() if (failure := case.failure(Level.PROMPT))]
    assert result.hello is not None
    assert result.hello.name == "transformers"
    assert reasons
    assert not [reason for reason in reasons if reason.startswith(("crashed", "invalid response", "didn't start"))]
