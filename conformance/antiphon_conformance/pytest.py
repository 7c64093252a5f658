"""A plugin for pytest: the suite as tests of a port in Python, one for each case.

It's loaded where it's wanted only, by `pytest_plugins = ["antiphon_conformance.pytest"]` in the `conftest.py` beside
the tests. A test that takes the fixture `conformance_case` is then run for each case. conformance/README.md shows it.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.selection import Selection, select
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import InProcessAdapter
from antiphon_conformance.implementations.ports import Respond, by_json, of_port
from antiphon_conformance.inputs import BadInput
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.reports import explaining
from antiphon_conformance.runs import baseline
from antiphon_conformance.runs.runner import run_adapter

__all__ = ["ConformanceCase", "of_port"]

FIXTURE = "conformance_case"
WIDTH = 118
"""Columns of what a failure shows."""


@dataclass(frozen=True)
class ConformanceCase:
    """A case of the suite, to be checked at a level, with the random chunkings of a seed."""

    case: Case
    level: Level = Level.EVENTS
    seed: int = 0
    suite: Path | None = None

    def check(self, respond: Respond) -> None:
        """Fail the test if the case fails, and skip it if the implementation lacks what the case needs.

        `respond`: what `of_port` makes of a port, or any function that answers the messages of the protocol.
        """
        adapter = InProcessAdapter("the port", by_json(respond))
        (result,) = run_adapter(adapter, [self.case], seed=self.seed).cases
        if result.lacks:
            pytest.skip(f"it lacks {', '.join(result.lacks)}")
        if result.failure(self.level) is not None:
            pytest.fail(self._explained(adapter), pytrace=False)

    def _explained(self, adapter: InProcessAdapter) -> str:
        """What `antiphon conformance explain` prints."""
        text = io.StringIO()
        console = Console(file=text, width=WIDTH, force_terminal=False)
        wish = explaining.Wish(self.case.full_id, suite=self.suite)
        explaining.explain_adapter(self.case, wish, adapter, console, seed=self.seed)
        return text.getvalue()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, each of which can stand in the configuration file, too."""
    group = parser.getgroup("conformance", "conformance of response template parsers")
    for name, kind, default, about in _OPTIONS:
        parser.addini(f"conformance_{name}", about, type=kind, default=default)
        action = "append" if kind == "args" else "store"
        group.addoption(f"--conformance-{name}", action=action, default=None, help=about, metavar=name.upper())


_OPTIONS: list[tuple[str, Any, Any, str]] = [
    ("level", "string", Level.EVENTS, f"What counts as a failure: {', '.join(Level)}."),
    ("filter", "args", [], "Only cases whose full id, or one of whose clauses, matches; '!GLOB': all but those."),
    ("seed", "string", "0", "What the random chunkings are made from."),
    ("suite", "string", "", "Another folder of cases."),
    ("baseline", "string", "", "A file of expected failures: those are xfail, and fail if they don't."),
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test for each chosen case; `optional/` is left out, unless a filter names it."""
    if FIXTURE not in metafunc.fixturenames:
        return
    try:
        parameters = _parameters(metafunc.config)
    except (BadInput, OSError) as error:
        raise pytest.UsageError(str(error)) from None
    metafunc.parametrize(FIXTURE, parameters)


def _parameters(config: pytest.Config) -> list[Any]:
    level, seed, suite = _level(config), _seed(config), _path(config, "suite")
    file = _path(config, "baseline")
    expected = baseline.read(file, level) if file else baseline.Baseline(level=level)
    chosen = Selection(tuple(_option(config, "filter")))
    cases = select([case for case in _cases(suite) if case.required or chosen.filter], chosen)
    return [
        pytest.param(ConformanceCase(case, level, seed, suite), id=case.full_id, marks=_marks(case, expected))
        for case in cases
    ]


@cache
def _cases(suite: Path | None) -> list[Case]:
    return load_suite(suite)


def _marks(case: Case, expected: baseline.Baseline) -> list[pytest.MarkDecorator]:
    due = expected.due(case)
    return [pytest.mark.xfail(reason=f"the baseline says that it fails at level {due}", strict=True)] if due else []


def _level(config: pytest.Config) -> Level:
    name = _option(config, "level")
    if name not in list(Level):
        raise BadInput(f"--conformance-level {name}", f"isn't a level; write {', '.join(Level)}")
    return Level(name)


def _path(config: pytest.Config, name: str) -> Path | None:
    """A file or folder; in the configuration file it stands relative to the root of the tests."""
    text = _option(config, name)
    return config.rootpath / text if text else None


def _seed(config: pytest.Config) -> int:
    text = _option(config, "seed")
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"--conformance-seed {text}", "isn't a whole number") from None


def _option(config: pytest.Config, name: str) -> Any:
    """An option of the command line, or else of the configuration file."""
    given = config.getoption(f"--conformance-{name}")
    return config.getini(f"conformance_{name}") if given is None else given
