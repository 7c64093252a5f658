"""Works through items in order, with one worker or with several in threads; can be stopped and interrupted.

It knows nothing of cases and adapters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event, Lock
from typing import Generic, Protocol, TypeVar

SIGNAL_SECONDS = 0.5
"""How long a signal may have to wait that another thread than the main one got."""

Item = TypeVar("Item")
Taken = TypeVar("Taken", contravariant=True)
Result = TypeVar("Result")
Given = TypeVar("Given", covariant=True)


class Worker(Protocol[Taken, Given]):
    """Makes a result of an item."""

    def __call__(self, item: Taken, /) -> Given:
        """The result."""

    def interrupt(self) -> None:
        """Make the call that is under way return soon, with whatever result; from another thread."""


class Pool(Generic[Item, Result]):
    """Workers that take the items one by one. After `work`, `interrupted` tells whether it ended by an interrupt."""

    def __init__(self, workers: Sequence[Worker[Item, Result]], last: Callable[[Result], bool]) -> None:
        """`last`: whether items behind that of a result are of no interest any more."""
        self.interrupted = False
        self._workers, self._last = workers, last
        self._results: dict[int, Result] = {}
        self._stop = Event()
        self._lock = Lock()

    def work(self, items: Sequence[Item]) -> list[Result]:
        """The results, in the order of their items: all of them, or as far as the pool came.

        A KeyboardInterrupt ends the work, and what was under way is dropped. Raises what a worker raises.
        """
        numbers = iter(range(len(items)))
        try:
            if len(self._workers) == 1:
                self._go_through(self._workers[0], items, numbers)
            else:
                self._in_threads(items, numbers)
        except KeyboardInterrupt:
            self.interrupted = True
        ordered = [self._results[number] for number in sorted(self._results)]
        end = next((index for index, result in enumerate(ordered, 1) if self._last(result)), len(ordered))
        return ordered[:end]

    def _in_threads(self, items: Sequence[Item], numbers: Iterator[int]) -> None:
        with ThreadPoolExecutor(len(self._workers)) as executor:
            try:
                tasks = {executor.submit(self._go_through, worker, items, numbers) for worker in self._workers}
                while tasks:
                    done, tasks = wait(tasks, SIGNAL_SECONDS, return_when=FIRST_EXCEPTION)
                    for task in done:
                        task.result()
            except BaseException:
                self.interrupted = True
                self._stop.set()
                for worker in self._workers:
                    worker.interrupt()
                raise

    def _go_through(self, worker: Worker[Item, Result], items: Sequence[Item], numbers: Iterator[int]) -> None:
        while not self._stop.is_set():
            with self._lock:
                number = next(numbers, None)
            if number is None:
                return
            result = worker(items[number])
            if self.interrupted:
                return  # what an interrupt breaks is no result
            self._results[number] = result
            if self._last(result):
                self._stop.set()
