"""A forked process for each task, so that what a mutant does to memory, time or modules ends with it."""

from __future__ import annotations

import json
import mmap
import os
import resource
import selectors
import signal
import struct
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

MEMORY: Final = 2 << 30
"""Bytes that a task may take beyond what it begins with."""
CPU_SECONDS: Final = 1800
"""For a task as a whole; what it runs has narrower limits of its own."""

T = TypeVar("T")


class OutOfTime(BaseException):
    """A run took more CPU time than it may; not an Exception, since code under test may catch those."""


@dataclass(frozen=True)
class Done(Generic[T]):
    """A task, and its answer; None if its process died, at the mark that it had set last."""

    task: T
    answer: Any
    mark: int


class Mark:
    """A number that a task leaves behind even if its process dies."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 8)

    def set(self, number: int) -> None:
        struct.pack_into("q", self._shared, 0, number)

    def get(self) -> int:
        return int(struct.unpack_from("q", self._shared, 0)[0])


def forked(tasks: Iterable[T], work: Callable[[T, Mark], Any], jobs: int = 1) -> Iterator[Done[T]]:
    """The answers (JSON values) of `work` for the tasks, as they come, with so many processes at a time."""
    waiting = iter(tasks)
    running: dict[int, tuple[T, int, Mark, bytearray]] = {}
    selector = selectors.DefaultSelector()
    try:
        while True:
            while len(running) < jobs and (task := next(waiting, None)) is not None:
                pid, reader, mark = _start(task, work)
                running[reader] = (task, pid, mark, bytearray())
                selector.register(reader, selectors.EVENT_READ)
            if not running:
                return
            for key, _ in selector.select():
                task, pid, mark, received = running[key.fd]
                data = os.read(key.fd, 1 << 16)
                received += data
                if not data:
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    os.waitpid(pid, 0)
                    del running[key.fd]
                    yield Done(task, json.loads(received) if received.endswith(b"\n") else None, mark.get())
    finally:
        for _, pid, _, _ in running.values():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _start(task: T, work: Callable[[T, Mark], Any]) -> tuple[int, int, Mark]:
    mark = Mark()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader, mark
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _limit_resources()
        answer = json.dumps(work(task, mark)).encode() + b"\n"
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(answer)
        status = 0
    finally:
        os._exit(status)


def _limit_resources() -> None:
    with open("/proc/self/statm") as statm:
        size = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raises OutOfTime in what runs in here, as soon as it has taken so much CPU time."""

    def stop(number: int, frame: Any) -> None:
        raise OutOfTime

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def cpu_time() -> float:
    """Seconds of CPU time that this process has taken."""
    return time.process_time()
