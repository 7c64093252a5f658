"""The port does what the required cases of the suite demand at level `prompt`, in Node.js and in Chromium."""

from __future__ import annotations

import pytest
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import Adapter
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import run_adapter

from javascript.port import FOLDER, node_adapter


@pytest.fixture(scope="module")
def required() -> list[Case]:
    return [case for case in load_suite() if case.required]


def failures(adapter: Adapter, cases: list[Case]) -> list[str]:
    """The cases that fail, with the reason; or that few were judged."""
    results = run_adapter(adapter, cases).required()
    failing = [(found.case.full_id, failure) for found in results if (failure := found.failure(Level.PROMPT))]
    told = [f"{name}: {failure.finding.reason}" for name, failure in failing]
    return told if sum(not found.lacks for found in results) > 0.9 * len(cases) else ["few cases were judged"]


def test_in_node(required: list[Case]) -> None:
    assert failures(node_adapter(), required) == []


def test_in_chromium(required: list[Case]) -> None:
    pytest.importorskip("playwright.sync_api", reason="playwright isn't installed")
    from javascript.browser import browser_adapter

    with browser_adapter(FOLDER) as adapter:
        assert failures(adapter, required) == []
