"""Which functions of the reference each case calls, and what the case costs: a mutant can only be judged by a case
that runs what was changed.

Only the first stage of each case is run for it: the other chunkings call the same functions, and take ten times as
long. Whether the package as it is passes them too is looked up when a mutant fails one of them (`campaign`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import CodeType, FrameType
from typing import Any, Final

from mutation.judge import Judge
from mutation.workers import cpu_time, forked

IMPORTING: Final = ""
"""In place of a case's name: what is called when the reference is imported."""
_BATCH: Final = 25
_INNER: Final = frozenset({"<locals>", "<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


@dataclass(frozen=True)
class Trace:
    """What a case runs: functions as `module.Class.name`, and seconds of CPU time for the first stage, traced."""

    functions: frozenset[str]
    seconds: float


def traces(
    judge: Judge, cases: Sequence[str], jobs: int, step: Callable[[int], None]
) -> tuple[dict[str, Trace], dict[str, str]]:
    """For each case, and for the import; and how cases fail whose first stage the package as it is fails."""
    found: dict[str, Trace] = {}
    failures: dict[str, str] = {}
    names = [IMPORTING, *cases]
    batches = [names[start : start + _BATCH] for start in range(0, len(names), _BATCH)]
    for done in forked(batches, lambda batch, _: list(_traced(judge, batch)), jobs):
        assert done.answer is not None, f"the process died in one of {', '.join(done.task)}"
        for name, functions, seconds, failure in done.answer:
            if failure is None:
                found[name] = Trace(frozenset(functions), seconds)
            else:
                failures[name] = failure
        step(len(done.task))
    return found, failures


def _traced(judge: Judge, batch: Iterable[str]) -> Iterator[tuple[str, list[str], float, str | None]]:
    """With the package imported anew for each case: what it keeps from the last one must not hide a call."""
    for name in batch:
        calls = _Calls(judge.package.name)
        if name == IMPORTING:
            with_trace(calls, partial(judge.install, None))
            yield name, sorted(calls.functions), 0.0, None
            continue
        judge.install(None)
        begin = cpu_time()
        failure = with_trace(calls, partial(judge.failure, name, 0))
        yield name, sorted(calls.functions), cpu_time() - begin, failure


def with_trace(trace: Callable[[FrameType, str, Any], Any], work: Callable[[], Any]) -> Any:
    sys.settrace(trace)
    try:
        return work()
    finally:
        sys.settrace(None)


class _Calls:
    """A trace function that notes which functions of a package are called."""

    def __init__(self, package: str) -> None:
        self.functions: set[str] = set()
        self._prefix = package + "."
        self._known: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if code not in self._known:
            module = frame.f_globals.get("__name__", "")
            inside = module.startswith(self._prefix)
            self._known[code] = function_name(module.removeprefix(self._prefix), code) if inside else None
        name = self._known[code]
        if name is not None:
            self.functions.add(name)


def function_name(module: str, code: CodeType) -> str:
    """A function as mutants name it: inner lambdas and comprehensions are parts of the function around them."""
    return ".".join([module, *(part for part in code.co_qualname.split(".") if part not in _INNER)])
