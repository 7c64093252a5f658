"""Implementations under test, behind one interface: `hello` and `run`. Each way of failing has its exception."""

from __future__ import annotations

import importlib.util
import json
import math
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Protocol, TypeAlias, TypeVar

from antiphon_conformance import resources
from antiphon_conformance.cases.case import Json
from antiphon_conformance.display import escape, shorten
from antiphon_conformance.implementations import process
from antiphon_conformance.implementations.protocol import (
    HELLO_REQUEST,
    Hello,
    ProtocolFault,
    Result,
    parse_hello,
    parse_result,
)

RUN_SECONDS = 5.0
"""How long an adapter process may take for one run, unless told otherwise."""
STARTUP_SECONDS = 60.0
"""How long an adapter may take to answer hello, unless a single run may take longer."""
MAX_FAILED_STARTS = 3
"""After so many failed starts in a row an adapter isn't started again."""
EXIT_SECONDS = 1.0
_ENCODER = json.JSONEncoder(check_circular=False)
cpu_seconds: Callable[[], float] = getattr(time, "thread_time", time.process_time)
"""The CPU seconds of this thread; where there are no threads, as in WebAssembly, those of the process."""


T = TypeVar("T")
Read: TypeAlias = Callable[[Json, Mapping[str, Json]], T]
"""Makes something of an answer and its request. Raises ProtocolFault for what isn't an answer to it."""


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
    """Neither the name of an adapter nor a command that exists; or one that this machine lacks something for."""


class Adapter(Protocol):
    """An implementation under test."""

    name: str
    """As given on the command line."""

    busy: float
    """CPU seconds that it took of this process, where it runs in it."""

    @property
    def stderr(self) -> tuple[str, ...]:
        """The last lines that it wrote to standard error since `runs` was last called."""

    def hello(self) -> Hello:
        """Who it is. Raises StartupFailed."""

    def run(self, request: Mapping[str, Json]) -> Result:
        """The result for a single run request. Raises AdapterFailure; the next call starts afresh."""

    def runs(self, requests: Iterable[Mapping[str, Json]], read: Read[T]) -> Iterator[T]:
        """What is read from the answers to the run requests of a case, in order.

        Requests are made ahead of the answers, so all are to be taken, or `close` is to be called. Raises
        AdapterFailure; the next call starts afresh.
        """

    def interrupt(self) -> None:
        """Put an end to what is under way, which then raises AdapterFailure; from another thread."""

    def close(self) -> None:
        """Free what it holds."""


class ProcessAdapter:
    """An adapter process that speaks JSON Lines. It is started when needed, and again after each failure."""

    busy = 0.0

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        seconds: float = RUN_SECONDS,
        case_seconds: float = math.inf,
        startup: float = STARTUP_SECONDS,
    ) -> None:
        """`seconds`: how long one run may take; `case_seconds`: all of a case; `startup`: hello, if that is longer."""
        self.name = name
        self._command = tuple(command)
        self._seconds, self._case_seconds, self._startup = seconds, case_seconds, max(startup, seconds)
        self._process: process.LineProcess | None = None
        self._hello: Hello | None = None
        self._failed_starts: list[StartupFailed] = []

    @property
    def stderr(self) -> tuple[str, ...]:
        """Without control characters."""
        if self._process is None:
            return ()
        self._process.drain_stderr()
        return _readable(self._process.stderr)

    def hello(self) -> Hello:
        """Starts the process if that hasn't been done. Raises StartupFailed."""
        if self._hello is None:
            self._start()
        assert self._hello is not None
        return self._hello

    def run(self, request: Mapping[str, Json]) -> Result:
        """Raises an AdapterFailure, after which the process has been killed."""
        (result,) = self.runs([request], parse_result)
        return result

    def runs(self, requests: Iterable[Mapping[str, Json]], read: Read[T]) -> Iterator[T]:
        """Raises an AdapterFailure, after which the process has been killed."""
        running = self._start() if self._process is None else self._process
        running.forget_stderr()
        asked: deque[Mapping[str, Json]] = deque()
        for answer in self._exchange(running, _noting(requests, asked), self._seconds, self._case_seconds):
            try:
                found = read(answer, asked.popleft())
            except ProtocolFault as fault:
                raise self._invalid(str(fault)) from None
            yield found
        if running.leftover():
            raise self._invalid(f"more than a line: {_show(running.leftover())}")

    def interrupt(self) -> None:
        """Kills the process."""
        if self._process is not None:
            self._process.terminate()

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
            self._hello = parse_hello(self._greet(self._process))
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

    def _greet(self, running: process.LineProcess) -> Json:
        (answer,) = self._exchange(running, [HELLO_REQUEST], self._startup)
        return answer

    def _exchange(
        self,
        running: process.LineProcess,
        requests: Iterable[Mapping[str, Json]],
        seconds: float,
        total: float = math.inf,
    ) -> Iterator[Json]:
        """The answers to requests, in order. Raises AdapterFailure; then the process is stopped."""
        lines = (_ENCODER.encode(request).encode("ascii") for request in requests)
        try:
            for answer in running.exchange_all(lines, seconds, total):
                yield self._decoded(answer)
        except process.OutOfTotalTime:
            raise TimedOut(f"timed out after {total:g} s for all runs of the case", self._stop()[1]) from None
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

    def _decoded(self, answer: bytes) -> Json:
        if not answer.lstrip().startswith(b"{"):
            raise self._invalid(
                f"wrote '{_show(answer)}' before its answer; standard output is for answers only, log to standard error"
            )
        try:
            return json.loads(answer.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            raise self._invalid(f"isn't JSON: {_show(answer)}") from None

    def _invalid(self, problem: str) -> InvalidResponse:
        """The failure for an answer that can't be used; the process is stopped."""
        return InvalidResponse(f"invalid response: {problem}", self._stop()[1])

    def _stop(self) -> tuple[int, tuple[str, ...]]:
        """Kill the process; its exit status, and the last lines of its standard error."""
        assert self._process is not None
        stopped, self._process = self._process, None
        return stopped.kill(), _readable(stopped.stderr)


class InProcessAdapter:
    """An adapter in this process: a function that answers a message of the protocol with one. It has no time limit.

    The function may raise an AdapterFailure, where it only passes on what another one answered. `hello`: who it is, if
    that is known.
    """

    stderr = ()

    def __init__(self, name: str, respond: Callable[[Mapping[str, Json]], Json], hello: Hello | None = None) -> None:
        self.name, self._respond, self._hello = name, respond, hello
        self.busy = 0.0

    def hello(self) -> Hello:
        """Raises StartupFailed."""
        if self._hello is None:
            self._hello = self._greet()
        return self._hello

    def _greet(self) -> Hello:
        try:
            return parse_hello(self._respond(HELLO_REQUEST))
        except ProtocolFault as fault:
            raise StartupFailed(f"didn't start: invalid hello: {fault}") from None

    def run(self, request: Mapping[str, Json]) -> Result:
        """Raises what `runs` does."""
        (result,) = self.runs([request], parse_result)
        return result

    def runs(self, requests: Iterable[Mapping[str, Json]], read: Read[T]) -> Iterator[T]:
        """Raises Crashed with an exception's text, and its traceback as `stderr`; InvalidResponse."""
        for request in requests:
            try:
                found = read(self._answer(request), request)
            except ProtocolFault as fault:
                raise InvalidResponse(f"invalid response: {fault}") from None
            yield found

    def _answer(self, request: Mapping[str, Json]) -> Json:
        begin = cpu_seconds()
        try:
            return self._respond(request)
        except AdapterFailure:
            raise
        except Exception as error:  # whatever an implementation under test may raise
            lines = "".join(traceback.format_exception(error)).splitlines()[-process.STDERR_LINES :]
            raise Crashed(f"crashed: {type(error).__name__}: {shorten(str(error))}", _readable(lines)) from error
        finally:
            self.busy += cpu_seconds() - begin

    def interrupt(self) -> None:
        """Nothing runs beside the caller."""

    def close(self) -> None:
        """Nothing to free."""


@cache
def script(name: str) -> ModuleType:
    """The `adapter.py` of a folder in `adapters/`, as a module."""
    path = resources.find(f"adapters/{name}/adapter.py")
    spec = importlib.util.spec_from_file_location(f"antiphon_adapter_{name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _noting(requests: Iterable[Mapping[str, Json]], asked: deque[Mapping[str, Json]]) -> Iterator[Mapping[str, Json]]:
    """The requests, each noted when it is taken."""
    for request in requests:
        asked.append(request)
        yield request


def _readable(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(escape(line) for line in lines)


def _describe_exit(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"


def _show(data: bytes) -> str:
    return shorten(data[:400].decode("utf-8", "replace"))
