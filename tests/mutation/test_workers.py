"""Tasks in forked processes: their answers, and what is left of those that die."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from mutation.workers import Done, Mark, OutOfTime, cpu_limit, forked


def test_answers_come_back() -> None:
    found = {done.task: done.answer for done in forked(range(5), lambda task, _: {"square": task**2}, jobs=2)}
    assert found == {task: {"square": task**2} for task in range(5)}


def test_a_task_that_dies_leaves_its_mark() -> None:
    def die(task: str, mark: Mark) -> Any:
        mark.set(7)
        os.kill(os.getpid(), signal.SIGKILL)

    assert list(forked(["a"], die)) == [Done("a", None, 7)]


def test_a_task_that_raises_has_no_answer() -> None:
    [done] = forked(["a"], lambda task, _: 1 // 0)
    assert done.answer is None


def test_large_answers_come_whole() -> None:
    [done] = forked(["a"], lambda task, _: "x" * 1_000_000)
    assert len(done.answer) == 1_000_000


def test_a_loop_runs_out_of_time() -> None:
    def loop() -> None:
        while True:
            pass

    with pytest.raises(OutOfTime), cpu_limit(0.05):
        loop()


def test_what_ends_in_time_isnt_disturbed() -> None:
    with cpu_limit(5):
        found = sum(range(1000))
    assert found == 499500
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
