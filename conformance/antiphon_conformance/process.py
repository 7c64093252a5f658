"""A child process that answers a line with a line: start, exchange under a time limit, kill. POSIX.

It knows nothing of the protocol. What the child writes to its standard error is drained all the time; the last lines
are kept.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from typing import IO

READ_SIZE = 1 << 16
LINE_LIMIT = 1 << 28
"""Bytes of an answer beyond which the child is taken to babble."""
STDERR_LINES = 20
STDERR_LINE_LIMIT = 500
STDERR_READS = 64
"""How often what is left in the pipe is read after the end; a pipe holds less than that."""
GRACE_SECONDS = 1.0
"""How long a child may take to exit by itself after the end of its input."""


class OutOfTime(Exception):
    """No complete answer in time."""


class Ended(Exception):
    """The child closed its output or exited. `partial` is what it had written of an answer."""

    def __init__(self, partial: bytes) -> None:
        self.partial = partial
        super().__init__("the process ended")


class Babble(Exception):
    """An answer without an end, or one that came before the request was read."""


class LineProcess:
    """A running child process, in a process group of its own."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts the command. Raises OSError."""
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin: IO[bytes] = self._process.stdin
        self._stdout: IO[bytes] = self._process.stdout
        self._stderr: IO[bytes] = self._process.stderr
        self._received = bytearray()
        self._complaints = bytearray()
        self._stderr_lines: deque[str] = deque(maxlen=STDERR_LINES)
        self._selector = selectors.DefaultSelector()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    @property
    def stderr(self) -> tuple[str, ...]:
        """The last lines of the child's standard error."""
        rest = [self._complaints.decode("utf-8", "replace")] if self._complaints else []
        return (*self._stderr_lines, *rest)[-STDERR_LINES:]

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Send a line and wait for one; both without the line feed. Raises OutOfTime, Ended, Babble."""
        deadline = time.monotonic() + seconds
        unsent = memoryview(line + b"\n")
        searched = 0
        unsent = self._send(unsent)
        while True:
            end = self._received.find(b"\n", searched)
            if end >= 0:
                answer = bytes(self._received[:end])
                del self._received[: end + 1]
                if unsent:
                    raise Babble
                return answer
            searched = len(self._received)
            if searched > LINE_LIMIT:
                raise Babble
            if unsent and self._stdin not in self._selector.get_map():
                self._selector.register(self._stdin, selectors.EVENT_WRITE)
            ready = self._selector.select(max(0.0, deadline - time.monotonic()))
            if not ready and time.monotonic() >= deadline:
                raise OutOfTime
            for key, _ in ready:
                if key.fileobj is self._stdin:
                    unsent = self._send(unsent)
                    if not unsent:
                        self._stop_sending()
                else:
                    self._receive(key.fileobj is self._stdout)

    def leftover(self) -> bytes:
        """What the child has written beyond the answers that were asked for."""
        return bytes(self._received)

    def close(self) -> None:
        """End the child's input, give it GRACE_SECONDS, then kill it."""
        try:
            self._stdin.close()
            self._process.wait(GRACE_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self) -> int:
        """Kill the child and all of its process group; returns its exit status, negative for a signal's number."""
        status = self._process.poll()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self._drain_stderr()
        self._selector.close()
        for stream in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                stream.close()
        return self._process.wait() if status is None else status

    def wait(self, seconds: float) -> None:
        """Give an ending child time to exit, so that its status is its own."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            while unsent:
                unsent = unsent[os.write(self._stdin.fileno(), unsent) :]
        except BlockingIOError:
            pass
        except (BrokenPipeError, ConnectionResetError):
            return unsent[len(unsent) :]
        return unsent

    def _stop_sending(self) -> None:
        if self._stdin in self._selector.get_map():
            self._selector.unregister(self._stdin)

    def _receive(self, from_stdout: bool) -> None:
        stream = self._stdout if from_stdout else self._stderr
        try:
            data = os.read(stream.fileno(), READ_SIZE)
        except BlockingIOError:
            return
        if data:
            self._received.extend(data) if from_stdout else self._note(data)
        elif from_stdout:
            raise Ended(bytes(self._received))
        else:
            self._selector.unregister(self._stderr)

    def _note(self, data: bytes) -> None:
        *lines, rest = (self._complaints + data).split(b"\n")
        self._stderr_lines.extend(line[:STDERR_LINE_LIMIT].decode("utf-8", "replace") for line in lines[-STDERR_LINES:])
        self._complaints = bytearray(rest[-STDERR_LINE_LIMIT:])

    def _drain_stderr(self) -> None:
        try:
            for _ in range(STDERR_READS):
                self._note(os.read(self._stderr.fileno(), READ_SIZE))
        except OSError:
            pass
