"""Implementations under test, behind one interface: `hello` and `run`. Each way of failing has its exception."""

from __future__ import annotations

import importlib.util
import json
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, Protocol

from antiphon_conformance import process, resources
from antiphon_conformance.case import Json
from antiphon_conformance.display import escape, shorten
from antiphon_conformance.protocol import HELLO_REQUEST, Hello, ProtocolFault, Result, parse_hello, parse_result

RUN_SECONDS = 5.0
"""How long an adapter process may take for one run, unless told otherwise."""
STARTUP_SECONDS = 60.0
"""How long an adapter may take to answer hello, unless a single run may take longer."""
MAX_FAILED_STARTS = 3
"""After so many failed starts in a row an adapter isn't started again."""
EXIT_SECONDS = 1.0


class AdapterFailure(Exception):
    """An adapter that didn't give a result. `stderr` is the tail of what it wrote there, line by line."""

    def __init__(self, reason: str, stderr: Sequence[str] = ()) -> None:
        self.reason, self.stderr = reason, tuple(stderr)
        super().__init__(reason)


class StartupFailed(AdapterFailure):
    """It couldn't be started, or didn't answer hello as the protocol demands."""


class TimedOut(AdapterFailure):
    """It took longer than a run may take."""


class Crashed(AdapterFailure):
    """It exited, or closed its output, instead of answering."""


class InvalidResponse(AdapterFailure):
    """It answered something that isn't a result for the request."""


class UnknownAdapter(StartupFailed):
    """Neither the name of an adapter nor a command that exists."""


class Adapter(Protocol):
    """An implementation under test."""

    name: str
    """As given on the command line."""

    def hello(self) -> Hello:
        """Who it is. Raises StartupFailed."""

    def run(self, request: Mapping[str, Json]) -> Result:
        """The result for a run request. Raises AdapterFailure; the next call starts afresh."""

    def close(self) -> None:
        """Free what it holds."""


class ProcessAdapter:
    """An adapter process that speaks JSON Lines. It is started when needed, and again after each failure."""

    def __init__(
        self, name: str, command: Sequence[str], *, seconds: float = RUN_SECONDS, startup: float = STARTUP_SECONDS
    ) -> None:
        """`seconds`: how long one run may take; `startup`: how long hello may, if that is longer."""
        self.name = name
        self._command = tuple(command)
        self._seconds, self._startup = seconds, max(startup, seconds)
        self._process: process.LineProcess | None = None
        self._hello: Hello | None = None
        self._failed_starts: list[StartupFailed] = []

    def hello(self) -> Hello:
        """Starts the process if that hasn't been done. Raises StartupFailed."""
        if self._hello is None:
            self._start()
        assert self._hello is not None
        return self._hello

    def run(self, request: Mapping[str, Json]) -> Result:
        """Raises an AdapterFailure, after which the process has been killed."""
        running = self._start() if self._process is None else self._process
        answer = self._exchange(running, request, self._seconds)
        try:
            return parse_result(answer, request)
        except ProtocolFault as fault:
            raise self._invalid(str(fault)) from None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _start(self) -> process.LineProcess:
        if len(self._failed_starts) >= MAX_FAILED_STARTS:
            raise self._failed_starts[-1]
        try:
            self._process = process.LineProcess(self._command)
            self._hello = parse_hello(self._exchange(self._process, HELLO_REQUEST, self._startup))
        except OSError as error:
            failure = StartupFailed(f"can't be started: {error.strerror}: {self._command[0]}")
        except ProtocolFault as fault:
            failure = StartupFailed(f"didn't start: invalid hello: {fault}", self._stop()[1])
        except AdapterFailure as error:
            failure = StartupFailed(f"didn't start: {error.reason}", error.stderr)
        else:
            self._failed_starts.clear()
            return self._process
        self._failed_starts.append(failure)
        raise failure

    def _exchange(self, running: process.LineProcess, request: Mapping[str, Json], seconds: float) -> Json:
        try:
            answer = running.exchange(json.dumps(request).encode("ascii"), seconds)
        except process.OutOfTime:
            raise TimedOut(f"timed out after {seconds:g} s", self._stop()[1]) from None
        except process.Babble:
            raise self._invalid("a line without end, or before the request") from None
        except process.Ended as ended:
            running.wait(EXIT_SECONDS)
            if ended.partial:
                raise self._invalid(f"the line has no end: {_show(ended.partial)}") from None
            status, last_words = self._stop()
            raise Crashed(f"crashed ({_describe_exit(status)})", last_words) from None
        if not answer.lstrip().startswith(b"{"):
            raise self._invalid(
                f"wrote '{_show(answer)}' before its answer; standard output is for answers only, log to standard error"
            )
        if running.leftover():
            raise self._invalid(f"more than a line: {_show(running.leftover())}")
        try:
            return json.loads(answer)
        except (ValueError, RecursionError):
            raise self._invalid(f"isn't JSON: {_show(answer)}") from None

    def _invalid(self, problem: str) -> InvalidResponse:
        """The failure for an answer that can't be used; the process is stopped."""
        return InvalidResponse(f"invalid response: {problem}", self._stop()[1])

    def _stop(self) -> tuple[int, tuple[str, ...]]:
        """Kill the process; its exit status, and the last lines of its standard error."""
        assert self._process is not None
        stopped, self._process = self._process, None
        return stopped.kill(), tuple(escape(line) for line in stopped.stderr)


class ReferenceAdapter:
    """The reference, in this process, by way of the adapter script that port authors read. It has no time limit."""

    name = "reference"

    def __init__(self) -> None:
        self._script: Any = _script("reference")

    def hello(self) -> Hello:
        """Raises StartupFailed."""
        return parse_hello(self._script.HELLO)

    def run(self, request: Mapping[str, Json]) -> Result:
        """Raises Crashed with an exception's text, InvalidResponse."""
        try:
            answer = self._script.answer(request)
        except Exception as error:  # whatever an implementation under test may raise
            raise Crashed(f"crashed: {type(error).__name__}: {shorten(str(error))}") from error
        try:
            return parse_result({"type": "result", "id": request["id"], **answer}, request)
        except ProtocolFault as fault:
            raise InvalidResponse(f"invalid response: {fault}") from None

    def close(self) -> None:
        """Nothing to free."""


def make_adapter(name: str, *, seconds: float = RUN_SECONDS) -> Adapter:
    """The adapter of a name (`reference`, `transformers`) or of a command line. Raises UnknownAdapter.

    `seconds`: how long one run may take where the adapter is a process of its own.
    """
    if name == "reference":
        return ReferenceAdapter()
    if name == "transformers":
        script = resources.find("adapters/transformers/adapter.py")
        return ProcessAdapter(name, (sys.executable, str(script)), seconds=seconds)
    try:
        command = shlex.split(name)
    except ValueError as error:
        raise UnknownAdapter(f"isn't a command line ({error}); see to its quotes") from None
    if not command or shutil.which(command[0]) is None:
        raise UnknownAdapter("is neither `reference` nor `transformers` nor a command that can be found")
    return ProcessAdapter(name, command, seconds=seconds)


@cache
def _script(name: str) -> ModuleType:
    path = resources.find(f"adapters/{name}/adapter.py")
    spec = importlib.util.spec_from_file_location(f"antiphon_adapter_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _describe_exit(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"


def _show(data: bytes) -> str:
    return shorten(data[:400].decode("utf-8", "replace"))
