"""What was due and what came in a run, side by side, step by step: for people who look for what is wrong.

It judges nothing: what is wrong was found by `compare`, and is marked here. A row is what was due in a step, beside
what came in it; long stretches of rows in which nothing differs are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from typing import Literal

from antiphon_conformance.cases.case import Case, Json
from antiphon_conformance.display import show_value
from antiphon_conformance.implementations.protocol import Result
from antiphon_conformance.judging.compare import Comparison, Run, compare, first_unequal
from antiphon_conformance.judging.difference import (
    abridged,
    common_length,
    moment,
    moments_of,
    show_error,
    show_event,
    show_outcome,
)
from antiphon_conformance.judging.timing import measure
from antiphon_conformance.judging.trace import (
    Merged,
    actual_trace,
    as_told,
    ending,
    error_step,
    expected_trace,
    schedule,
)

LINE_LIMIT = 160
"""Code points of an event that are shown."""
CHUNK_LIMIT = 60
"""Code points of a chunk that are shown."""
ROW_LIMIT = 36
"""Rows that a report keeps of a run."""
ALIGNED = 500
"""Events of a step that are aligned; where more differ they stand side by side as they come."""
_WHOLE = 1 << 30
"""No limit."""


@dataclass(frozen=True)
class Row:
    """What was due, and what came; `expected` or `got` is None where the step had no such event.

    `step` is `start` (the parser is made), `feed 3` or `end` (it is finalized), and `at` the moment at which the step
    is over. `chunk`, in the first row of a feed, is what was fed. `due` are the moments of what was due. In a case
    without moments there are no steps, and `came` has the moments of what came. `first`: here is what is wrong first.
    """

    expected: str | None
    got: str | None
    step: str = ""
    at: str = ""
    chunk: str = ""
    due: str = ""
    came: str = ""
    first: bool = False

    @property
    def alike(self) -> bool:
        """Whether what was due is what came."""
        return self.expected == self.got


@dataclass(frozen=True)
class Gap:
    """So many rows are left out. `alike`: nothing differs in them."""

    left_out: int
    alike: bool


Timeline = tuple[Row | Gap, ...]


@dataclass(frozen=True)
class _Part:
    """Of an event of a trace, the code points from `start` to `stop` that belong to one step."""

    index: int
    start: int
    stop: int
    line: str
    times: str

    @property
    def kind(self) -> str:
        """The type of the event, and its field."""
        return " ".join(self.line.split(" ")[:2])

    def holds(self, place: tuple[int, int]) -> bool:
        return self.index == place[0] and self.start <= place[1] < self.stop


_Pair = tuple[_Part | None, _Part | None]
_Placed = tuple[int, _Pair]
"""The number of a step, and a pair in it."""
_Wrong = tuple[Literal["expected", "got", "either"], tuple[int, int]]
"""What is wrong first: a place, which is the index of an event and of a code point, and the side on which it counts."""


def timeline(run: Run) -> Timeline:
    """All rows of a run. A result that is None stands for no answer: then nothing came, and nothing is marked."""
    case, result = run.case, run.result
    moments = schedule(case, run.chunking)
    verdict = compare(case, run.chunking, result) if result is not None else None
    expected, got = _traces(case, result, verdict, len(moments))
    if not _has_steps(case):
        return tuple(_sequence(case, expected, got, moments))
    left = _parts(expected, lambda due: bisect_left(moments, due), lambda each: moments_of(each, case.end))
    right = _parts(got, lambda step: step, lambda each: "")
    pairs = [
        (step, pair)
        for step in sorted(left.keys() | right.keys())
        for pair in _aligned(left.get(step, []), right.get(step, []))
    ]
    wrong = _wrong(case, verdict, expected, got, moments) if verdict else None
    marked = None if wrong is None else _find(pairs, *wrong)
    return tuple(_rows(pairs, marked, run.chunking.chunks, moments))


def folded(rows: Timeline, limit: int = ROW_LIMIT) -> Timeline:
    """The rows around what differs; no more than some `limit`, from what is marked on."""
    keep = {0, 1, len(rows) - 2, len(rows) - 1}
    for index, row in enumerate(rows):
        if isinstance(row, Row) and (row.first or not row.alike):
            keep.update(range(index - 2, index + 3))
    chosen = sorted(index for index in keep if 0 <= index < len(rows))
    marked = next((index for index, row in enumerate(rows) if isinstance(row, Row) and row.first), 0)
    if len(chosen) > limit:
        begin = max(0, bisect_left(chosen, marked) - limit // 4)
        chosen = sorted({*chosen[:2], *chosen[begin : begin + limit - 4], *chosen[-2:]})
    return tuple(_with_gaps(rows, chosen))


def as_json(rows: Timeline) -> list[Json]:
    """Rows and gaps by schema/report.schema.json: without the members that are empty."""
    return [_row_as_json(row) if isinstance(row, Row) else vars(row) for row in rows]


def diff_lines(rows: Iterable[Json]) -> list[str]:
    """The rows of a report's timeline as lines of a diff: expected (-), got (+), both ( )."""
    lines: list[str] = []
    for row in rows:
        if "left_out" in row:
            lines.append(f"  … {row['left_out']} more …")
            continue
        expected, got = row["expected"], row["got"]
        step = f"{row.get('step', ''):<8}"
        sides = [("  ", expected)] if expected == got else [("- ", expected), ("+ ", got)]
        lines += [f"{mark}{step}{line}" for mark, line in sides if line is not None]
    return lines


def _has_steps(case: Case) -> bool:
    return case.expect.timed or not case.expect.parses


def _traces(
    case: Case, result: Result | None, verdict: Comparison | None, steps: int
) -> tuple[list[Merged], list[Merged]]:
    """Both traces, each with the outcome as its last element. What counts as the same is made the same."""
    expect = case.expect
    got = actual_trace(result) if result and expect.events is not None else []
    expected = as_told(expected_trace(expect.events or ()), got)
    equal = first_unequal(expected, got)
    same = len(expected) if equal is None else equal
    got = [Merged(due.event, came.pieces) for due, came in zip(expected[:same], got[:same], strict=True)] + got[same:]
    line = show_outcome(expect.message, expect.error, _WHOLE)
    expected.append(ending(line, 0 if not expect.parses else expect.error.at if expect.error else case.end))
    if result is None or verdict is None:
        return expected, got
    if verdict.message and not expect.parses:
        return expected, [*got, ending(line, 0)]
    stage = result.error.stage if result.error else "finalize" if expect.parses else "load"
    shown = line if verdict.message else _came(result, expect.parses)
    return expected, [*got, ending(shown, error_step(stage, len(result.feeds), steps))]


def _came(result: Result, parses: bool) -> str:
    """The outcome of a run."""
    return show_error(result.error) if result.error else show_outcome(result.message if parses else None, None, _WHOLE)


def _parts(
    trace: Iterable[Merged], step_of: Callable[[int], int], times_of: Callable[[list[int]], str]
) -> dict[int, list[_Part]]:
    """By step, the events of a trace, and of chunks the text that belongs to it."""
    parts: dict[int, list[_Part]] = {}
    for index, item in enumerate(trace):
        start = 0
        for step, group in groupby(item.each, step_of):
            times = list(group)
            stop = start + len(times)
            parts.setdefault(step, []).append(_Part(index, start, stop, _line(item, start, stop), times_of(times)))
            start = stop
    return parts


def _line(item: Merged, start: int = 0, stop: int = _WHOLE) -> str:
    event = item.event
    if event["type"] == "region_chunk":
        event = {**event, "text": event["text"][start:stop]}
    return show_event(event, _WHOLE)


def _aligned(left: Sequence[_Part], right: Sequence[_Part]) -> Iterator[_Pair]:
    """Two sequences of parts side by side: equal ones beside each other, and between them those of one kind."""
    for same, one, other in _matched(left, right, lambda part: part.line):
        if same:
            yield from zip(one, other, strict=True)
            continue
        for _, some, others in _matched(one, other, lambda part: part.kind):
            yield from zip_longest(some, others)


def _matched(
    left: Sequence[_Part], right: Sequence[_Part], key: Callable[[_Part], str]
) -> Iterator[tuple[bool, Sequence[_Part], Sequence[_Part]]]:
    """Stretches of two sequences: whether they have the same keys, and their parts."""
    one, other = list(map(key, left)), list(map(key, right))
    head = common_length(one, other)
    tail = common_length(one[head:][::-1], other[head:][::-1])
    ends = len(one) - tail, len(other) - tail
    yield True, left[:head], right[:head]
    if max(ends) - head > ALIGNED:
        yield False, left[head : ends[0]], right[head : ends[1]]
    else:
        matcher = SequenceMatcher(a=one[head : ends[0]], b=other[head : ends[1]], autojunk=False)
        for tag, start, stop, from_, to in matcher.get_opcodes():
            yield tag == "equal", left[head + start : head + stop], right[head + from_ : head + to]
    yield True, left[ends[0] :], right[ends[1] :]


def _wrong(
    case: Case, verdict: Comparison, expected: list[Merged], got: list[Merged], moments: Sequence[int]
) -> _Wrong | None:
    """What is wrong first, in the order of the levels; nothing, for what is late and may be (DUE-4)."""
    index = first_unequal(expected[:-1], got[:-1])
    if index is not None:
        return "either", (index, _same_text(expected[index], got[index]))
    if not verdict.message:
        return "either", (len(expected) - 1, 0)
    judged = slice(None) if case.expect.error else slice(-1)
    timing = measure(expected[judged], got[judged], moments)
    if timing.early:
        return "got", (timing.early.index, timing.early.offset)
    if timing.late and case.prompt_required:
        return "expected", (timing.late.index, timing.late.offset)
    return None


def _same_text(expected: Merged, got: Merged) -> int:
    """How many code points of two chunks are the same; 0 for other events."""
    left, right = expected.event, got.event
    if any(left.get(key) != right.get(key) for key in ("type", "field", "dirty")) or "text" not in left:
        return 0
    return common_length(left["text"], right["text"])


def _find(pairs: Sequence[_Placed], side: str, place: tuple[int, int]) -> int | None:
    """The pair that holds a place on a side."""
    sides = {"expected": (0,), "got": (1,), "either": (0, 1)}[side]
    held = ((number, pair[index]) for number, (_, pair) in enumerate(pairs) for index in sides)
    return next((number for number, part in held if part and part.holds(place)), None)


def _rows(pairs: Sequence[_Placed], marked: int | None, chunks: Sequence[str], moments: Sequence[int]) -> Iterator[Row]:
    shown = -1
    last = len(moments) - 1
    for number, (step, (left, right)) in enumerate(pairs):
        fed = 0 < step < last and step != shown
        yield Row(
            *abridged(_text(left), _text(right), LINE_LIMIT),
            step="start" if step == 0 else "end" if step == last else f"feed {step}",
            at=moment(moments[step], moments[-1]),
            chunk=show_value(chunks[step - 1], CHUNK_LIMIT) if fed else "",
            due=left.times if left else "",
            first=number == marked,
        )
        shown = step


def _sequence(case: Case, expected: list[Merged], got: list[Merged], moments: Sequence[int]) -> Iterator[Row]:
    """The rows of a case without moments."""
    left = [_Part(index, 0, _WHOLE, _line(item), "") for index, item in enumerate(expected)]
    right = [
        _Part(index, 0, _WHOLE, _line(item), moments_of([moments[step] for step in item.each], case.end))
        for index, item in enumerate(got)
    ]
    marked = False
    for pair in _aligned(left, right):
        due, came = _text(pair[0]), _text(pair[1])
        first = bool(right) and not marked and due != came
        marked = marked or first
        yield Row(*abridged(due, came, LINE_LIMIT), came=pair[1].times if pair[1] else "", first=first)


def _text(part: _Part | None) -> str | None:
    return part.line if part else None


def _with_gaps(rows: Timeline, chosen: Sequence[int]) -> Iterator[Row | Gap]:
    before, told = -1, ""
    for index in chosen:
        row = rows[index]
        if index > before + 1:
            skipped = [one for one in rows[before + 1 : index] if isinstance(one, Row)]
            yield Gap(len(skipped), all(one.alike for one in skipped))
        yield _with_chunk(rows, index) if isinstance(row, Row) and row.step != told else row
        before, told = index, row.step if isinstance(row, Row) else told


def _with_chunk(rows: Timeline, index: int) -> Row:
    """A row that is the first of its step to be shown."""
    row = rows[index]
    assert isinstance(row, Row)
    of_step = (one for one in reversed(rows[: index + 1]) if isinstance(one, Row) and one.step == row.step)
    return replace(row, chunk=next((one.chunk for one in of_step if one.chunk), ""))


def _row_as_json(row: Row) -> Json:
    kept = {name: value for name, value in vars(row).items() if value not in ("", False, None)}
    return {**kept, "expected": row.expected, "got": row.got}
