"""An engine at work: a driver's process that is asked, watched, and started again when it hangs or dies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from antiphon_conformance.implementations.process import Babble, Ended, LineProcess, OutOfTime

from engines.protocol import Failed, Garbage, Request, Result, Wire

SECONDS = 5.0
"""For one request; SECONDS_ALONE for the parts of one that took longer."""
SECONDS_ALONE = 0.5
START_SECONDS = 60.0
MOST_BREAKDOWNS = 6
"""For one request: whoever hangs on so many of its texts isn't asked about the others."""


class DriverFault(Exception):
    """A driver that doesn't start or doesn't keep to the protocol: a fault of the harness, not of an engine."""


class Session:
    """Puts requests to one driver. Use as a context manager."""

    def __init__(
        self, command: Sequence[str], wire: Wire, seconds: float = SECONDS, alone: float = SECONDS_ALONE
    ) -> None:
        self.command = command
        self.wire = wire
        self.seconds = seconds
        self.alone = alone
        self.breakdowns: list[tuple[str, str]] = []
        """Patterns that the driver hung or died on, with what happened."""
        self._process: LineProcess | None = None
        self._patience = MOST_BREAKDOWNS

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.close()

    def version(self) -> str:
        """What the engine calls itself. Raises DriverFault."""
        try:
            return self.wire.version(self._started().exchange(self.wire.hello, START_SECONDS))
        except (OutOfTime, Ended, Babble, Garbage) as error:
            raise DriverFault(self._broken(error)) from error

    def ask(self, request: Request) -> list[Result]:
        """A result for each text; `Failed` for those on which the driver hangs or dies. Raises Refused, DriverFault."""
        self._patience = MOST_BREAKDOWNS
        return self._ask(request, self.seconds)

    def _ask(self, request: Request, seconds: float) -> list[Result]:
        if not self._patience:
            return [Failed("not asked: it broke down too often")] * len(request.texts)
        try:
            line = self._started().exchange(self.wire.write(request), seconds)
        except (OutOfTime, Ended) as error:
            happened = self._broken(error)
        except Babble as error:
            raise DriverFault(f"{self._broken(error)}: {request.pattern!r}") from error
        else:
            try:
                return self.wire.read(line, request)
            except Garbage as error:
                raise DriverFault(f"{self._broken(error)}: {request.pattern!r}") from error
        if len(request.texts) == 1:
            self._patience -= 1
            self.breakdowns.append((request.pattern, happened))
            return [Failed(happened)]
        middle = len(request.texts) // 2
        halves = (request.texts[:middle], request.texts[middle:])
        return [result for texts in halves for result in self._ask(replace(request, texts=texts), self.alone)]

    def _started(self) -> LineProcess:
        if self._process is None:
            try:
                self._process = LineProcess(self.command)
            except OSError as error:
                raise DriverFault(str(error)) from error
        return self._process

    def _broken(self, error: Exception) -> str:
        """Ends the process; says what happened."""
        assert self._process is not None
        if isinstance(error, Ended):
            self._process.wait(1.0)
        status = self._process.kill()
        complaint = " | ".join(self._process.stderr[-3:])
        self._process = None
        if isinstance(error, OutOfTime):
            return "no answer in time"
        if isinstance(error, Ended):
            return f"the driver died (status {status}): {complaint}"
        return f"the driver wrote what is no answer: {error}"
