"""The engines: which targets each of them runs, how its driver is started, and how to get it where it is missing."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from engines import building
from engines.protocol import JsonLines, PlainLines, Wire
from engines.session import DriverFault, Session

DRIVERS = Path(__file__).parent / "drivers"


@dataclass(frozen=True)
class Engine:
    """An engine, and where to get it.

    `command` gives what starts its driver, and raises `building.Absent`. `careful` turns a pattern into the same one
    with an optimisation turned off: an engine that finds something else with it has a fault of its own. `faulty` says
    why an engine isn't held to what is promised for its target: what it gets wrong is counted as its own fault, and it
    has no part in the matrix.
    """

    name: str
    targets: tuple[str, ...]
    command: Callable[[], list[str]]
    package: str  # of Debian or PyPI
    wire: Wire = field(default_factory=JsonLines)
    careful: Callable[[str], str] | None = None
    faulty: str = ""

    def session(self) -> Session:
        return Session(self.command(), self.wire)


@dataclass(frozen=True)
class Presence:
    """Whether an engine can be run here: its version, or why not."""

    engine: Engine
    version: str | None
    reason: str = ""


def _program(program: str, driver: str, *options: str) -> Callable[[], list[str]]:
    return lambda: [building.tool(program), *options, str(DRIVERS / driver)]


def _module(modules: str, driver: str, *arguments: str) -> Callable[[], list[str]]:
    def command() -> list[str]:
        for module in modules.split():
            if importlib.util.find_spec(module) is None:
                raise building.Absent(f"the module {module} isn't installed")
        return [sys.executable, str(DRIVERS / driver), *arguments]

    return command


def _without_start_optimisation(pattern: str) -> str:
    """PCRE2 10.42 skips starts of `(?:b|\\z()|)(<*(?:\\z|)(?:b\\n|b?\\z))(?:bb|b?\\z)` on "b\\n"; 10.47 doesn't."""
    return f"(*NO_START_OPT){pattern}"


ENGINES = (
    Engine("node", ("ecmascript", "ecmascript-v"), _program("node", "node.mjs"), "Debian nodejs"),
    Engine("java", ("java",), lambda: building.java(DRIVERS / "Engine.java"), "Debian default-jdk", PlainLines()),
    Engine("dotnet", ("dotnet",), _module("pythonnet dotnetcore2", "dotnet.py"), "PyPI pythonnet, dotnetcore2"),
    Engine("pcre2", ("pcre2",), _module("pcre2", "pcre2_package.py"), "PyPI pcre2"),
    Engine("php", ("pcre2",), _program("php", "engine.php"), "Debian php-cli", careful=_without_start_optimisation),
    Engine(
        *("perl", ("pcre2",), _program("perl", "engine.pl"), "Debian perl"),
        faulty="groups keep what they captured in attempts that were given up",
    ),
    Engine("icu", ("icu",), _module("icu", "icu_regex.py"), "PyPI icukit-pyicu"),
    Engine("re2", ("re2",), _module("re2", "google_re2.py"), "PyPI google-re2"),
    Engine("go", ("re2",), lambda: building.go(DRIVERS / "engine.go"), "Debian golang-go"),
    Engine("rust", ("rust",), lambda: building.rust(DRIVERS / "engine.rs"), "Debian librust-regex-dev", PlainLines()),
    Engine("ruby", ("ruby",), _program("ruby", "engine.rb"), "Debian ruby"),
    Engine("re", ("re",), _module("re", "python_re.py", "re"), "Python itself"),
    Engine("regex", ("regex",), _module("regex", "python_re.py", "regex"), "PyPI regex"),
)
BY_NAME = {engine.name: engine for engine in ENGINES}
CI = ("node", "java", "re2", "pcre2", "re")
"""Engines that continuous integration has."""


@cache
def presence(name: str) -> Presence:
    """Whether the engine of this name runs here, found out by starting it."""
    engine = BY_NAME[name]
    try:
        with engine.session() as session:
            return Presence(engine, session.version())
    except (building.Absent, DriverFault) as error:
        return Presence(engine, None, f"{error} ({engine.package})")
