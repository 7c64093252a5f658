"""A child process that answers each line with a line: start, exchange under time limits, kill. POSIX.

It knows nothing of the protocol. Lines are sent ahead of the answers, so that neither side waits for the other. What
the child writes to its standard error is drained all the time; the last lines are kept.
"""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO

READ_SIZE = 1 << 16
AHEAD = 16
"""Lines that may be on their way without an answer. More brings nothing, and what goes wrong stays near its cause."""
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


class OutOfTotalTime(OutOfTime):
    """No complete answer before the time for all answers was over."""


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
        self._unsent = bytearray()
        self._sending = False  # whether the selector looks after it
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
        """The last lines of the child's standard error since it was forgotten."""
        rest = [self._complaints.decode("utf-8", "replace")] if self._complaints else []
        return (*self._stderr_lines, *rest)[-STDERR_LINES:]

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Send a line and wait for the answer; both without the line feed. Raises OutOfTime, Ended, Babble."""
        (answer,) = self.exchange_all([line], seconds)
        return answer

    def exchange_all(self, lines: Iterable[bytes], seconds: float, total: float = math.inf) -> Iterator[bytes]:
        """Send lines and give the answer to each, as they come; all without the line feed.

        `seconds`: how long each answer may take from when it is asked for, that is, after the one before it; `total`:
        how long all of them may. Raises OutOfTime, OutOfTotalTime, Ended, Babble.
        """
        end = time.monotonic() + total
        waiting = iter(lines)
        sizes: deque[int] = deque()  # of the lines that have no answer yet
        while True:
            if len(sizes) <= AHEAD // 2:
                for line in islice(waiting, AHEAD - len(sizes)):
                    self._unsent += line + b"\n"
                    sizes.append(len(line) + 1)
                self._send()
            if not sizes:
                return
            answer = self._answer(time.monotonic() + seconds, end)
            sizes.popleft()
            if len(self._unsent) > sum(sizes):
                raise Babble
            yield answer

    def _answer(self, deadline: float, end: float) -> bytes:
        searched = 0
        while (found := self._received.find(b"\n", searched)) < 0:
            searched = len(self._received)
            if searched > LINE_LIMIT:
                raise Babble
            ready = self._selector.select(max(0.0, min(deadline, end) - time.monotonic()))
            quiet = all(key.fileobj is self._stderr for key, _ in ready)  # a flood there doesn't put off the end
            if quiet and time.monotonic() >= min(deadline, end):
                raise OutOfTotalTime if end < deadline else OutOfTime
            for key, _ in ready:
                if key.fileobj is self._stdin:
                    self._send()
                else:
                    self._receive(key.fileobj is self._stdout)
        answer = bytes(self._received[:found])
        del self._received[: found + 1]
        return answer

    def drain_stderr(self) -> None:
        """Read what the child has written to its standard error by now."""
        with contextlib.suppress(OSError):
            for _ in range(STDERR_READS):
                data = os.read(self._stderr.fileno(), READ_SIZE)
                if not data:
                    break
                self._note(data)

    def forget_stderr(self) -> None:
        """Let go of what the child has written to its standard error so far."""
        self.drain_stderr()
        self._stderr_lines.clear()
        self._complaints.clear()

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

    def terminate(self) -> None:
        """Kill the child and its process group at once, from any thread; the exchange under way raises Ended."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def kill(self) -> int:
        """Kill the child and all of its process group; returns its exit status, negative for a signal's number."""
        status = self._process.poll()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()
        self.drain_stderr()
        self._selector.close()
        for stream in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                stream.close()
        return self._process.wait() if status is None else status

    def wait(self, seconds: float) -> None:
        """Give an ending child time to exit, so that its status is its own."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def _send(self) -> None:
        """Write what the pipe takes; the rest is written while an answer is waited for."""
        try:
            while self._unsent:
                del self._unsent[: os.write(self._stdin.fileno(), self._unsent)]
        except BlockingIOError:
            pass
        except (BrokenPipeError, ConnectionResetError):
            self._unsent.clear()  # how the child ended is told by its output
        if bool(self._unsent) != self._sending:
            self._sending = not self._sending
            if self._sending:
                self._selector.register(self._stdin, selectors.EVENT_WRITE)
            else:
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
