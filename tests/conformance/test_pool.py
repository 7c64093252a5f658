"""Items worked through by one worker and by several: order, ends, interrupts and exceptions."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest
from antiphon_conformance.runs.pool import Pool


class Doubling:
    """A worker that doubles numbers; what it is told to do with a number comes first."""

    def __init__(self, before: Callable[[int], None] = lambda number: None) -> None:
        self._before = before
        self.interrupted = threading.Event()

    def __call__(self, number: int) -> int:
        self._before(number)
        return number * 2

    def interrupt(self) -> None:
        self.interrupted.set()


def ignore(value: object) -> None:
    """For what has a value that isn't needed."""


def pool(*workers: Doubling, last: Callable[[int], bool] = lambda result: False) -> Pool[int, int]:
    return Pool(workers, last)


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_the_order_of_their_items(workers: int) -> None:
    """The first items take longest."""
    slow = Doubling(lambda number: time.sleep(0.02 / (number + 1)))
    assert pool(*[slow] * workers).work(range(10)) == list(range(0, 20, 2))


def test_several_work_at_the_same_time() -> None:
    """Each waits for the other."""
    barrier = threading.Barrier(2, timeout=10)
    meeting = Doubling(lambda number: ignore(barrier.wait()))
    assert pool(meeting, meeting).work(range(4)) == [0, 2, 4, 6]


@pytest.mark.parametrize("workers", [1, 3])
def test_nothing_follows_the_last_result(workers: int) -> None:
    """Also not what another worker had begun, or found before it."""
    slow = Doubling(lambda number: time.sleep(0.05 if number == 3 else 0))
    found = pool(*[slow] * workers, last=lambda result: result in (6, 10))
    assert found.work(range(100)) == [0, 2, 4, 6]
    assert not found.interrupted


def test_an_interrupt_keeps_what_there_is() -> None:
    def interrupted(number: int) -> None:
        if number == 2:
            raise KeyboardInterrupt

    found = pool(Doubling(interrupted))
    assert found.work(range(10)) == [0, 2]
    assert found.interrupted


def test_an_interrupt_of_several_makes_all_of_them_return() -> None:
    """What they return then is dropped."""
    hanging = Doubling(lambda number: ignore(number > 1 and hanging.interrupted.wait(60)))
    started = time.monotonic()
    found = pool(hanging, hanging)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    assert found.work(range(10)) == [0, 2]
    assert found.interrupted
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_is_raised_and_ends_the_work(workers: int) -> None:
    def failing(number: int) -> None:
        if number == 2:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pool(*[Doubling(failing)] * workers).work(range(1000))
