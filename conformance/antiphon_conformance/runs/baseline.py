"""A file of expected failures: what else fails is new, and what doesn't fail any more is to be taken out.

A line has the lowest level at which a case fails, and its id; `#` begins a comment. So one file serves at all levels:
what fails only at higher ones than that of a run is expected to pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from antiphon_conformance.cases.case import Case
from antiphon_conformance.inputs import BadInput, read_text, writing
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import AdapterResult, CaseResult

HEADING = "# Expected failures: the lowest level at which a case fails, and its id. What follows a # is a comment."
COMMENT = "#"
OPTION = "--baseline"
"""What names the file."""


@dataclass(frozen=True)
class Line:
    """A line of the file: an expected failure, or a comment or nothing at all, with empty `id`."""

    text: str
    id: str = ""
    level: Level = Level.MESSAGE


@dataclass(frozen=True)
class Verdict:
    """What came, against what was expected, by full ids.

    `new` are also those that fail at a lower level than the file says, `fixed` those that fail only at a higher one.
    `stale`: those that aren't required cases of the suite, or that weren't judged for what the implementation lacks.
    """

    expected: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Whether all is as expected."""
        return not self.new and not self.fixed


@dataclass(frozen=True)
class Baseline:
    """The expected failures. `level` is that of the run for which they are asked."""

    lines: tuple[Line, ...] = (Line(HEADING),)
    level: Level = Level.EVENTS

    def is_expected(self, result: CaseResult) -> bool:
        """Whether a case fails as it should."""
        due, found = self._due_and_found(result)
        return due is not None and due is found

    def is_new(self, result: CaseResult) -> bool:
        """Whether a case fails that shouldn't, or at a lower level than it should."""
        due, found = self._due_and_found(result)
        return found is not None and (due is None or found.rank < due.rank)

    def is_fixed(self, result: CaseResult) -> bool:
        """Whether a case doesn't fail that should, or only at a higher level than it should."""
        due, found = self._due_and_found(result)
        return due is not None and not result.lacks and (found is None or due.rank < found.rank)

    def due(self, case: Case) -> Level | None:
        """The level at which a case should fail, if that is one that the run judges."""
        level = self._levels.get(case.full_id)
        return None if level is None or not case.required or self.level.rank < level.rank else level

    def marked(self, result: AdapterResult) -> AdapterResult:
        """The result, with the expected failures marked."""
        return replace(
            result, cases=tuple(replace(case, expected_failure=self.is_expected(case)) for case in result.cases)
        )

    def verdict(self, results: Sequence[CaseResult], required: Iterable[str]) -> Verdict:
        """What came of a run. `required`: the full ids of all required cases of the suite."""
        unjudged = {one.case.full_id for one in results if one.lacks}
        judgeable = set(required) - unjudged
        return Verdict(
            expected=tuple(one.case.full_id for one in results if self.is_expected(one)),
            new=tuple(one.case.full_id for one in results if self.is_new(one)),
            fixed=tuple(one.case.full_id for one in results if self.is_fixed(one)),
            stale=tuple(line.id for line in self.lines if line.id and line.id not in judgeable),
        )

    def updated(self, results: Sequence[CaseResult], stale: Iterable[str]) -> str:
        """The file's text after a run: comments, and cases that weren't run, stay; new failures follow at the end."""
        changed = {
            one.case.full_id: self._due_and_found(one)[1] for one in results if self.is_new(one) or self.is_fixed(one)
        } | dict.fromkeys(stale)
        texts: list[str] = []
        for line in self.lines:
            if line.id not in changed:
                texts.append(line.text)
            elif (level := changed.pop(line.id)) is not None:
                texts.append(line.text.replace(line.level, level, 1))
        texts += [f"{level:<{_WIDTH}}  {name}" for name, level in changed.items() if level is not None]
        return "".join(f"{text}\n" for text in texts)

    @cached_property
    def _levels(self) -> dict[str, Level]:
        return {line.id: line.level for line in self.lines if line.id}

    def _due_and_found(self, result: CaseResult) -> tuple[Level | None, Level | None]:
        """The lowest level at which a case should fail, and that at which it does; None: at none up to the run's."""
        if not result.case.required:
            return None, None
        failure = result.failure(self.level)
        return self.due(result.case), failure.level if failure else None


_WIDTH = max(map(len, Level))


def read(path: Path, level: Level, *, new: bool = False) -> Baseline:
    """The expected failures of a file, for a run at a level; none, if `new` and there is no file. Raises BadInput."""
    if not path.exists():
        if new:
            return Baseline(level=level)
        raise BadInput(f"{OPTION} {path}", "isn't there; name another file, or make it with --update-baseline")
    lines: list[Line] = []
    seen: set[str] = set()
    for number, text in enumerate(read_text(path).splitlines(), 1):
        line = _line(text, f"{path}: line {number}")
        if line.id and line.id in seen:
            raise BadInput(f"{path}: line {number}", f"{line.id} stands there twice; take one out")
        seen.add(line.id)
        lines.append(line)
    return Baseline(tuple(lines), level)


def prepare(path: Path) -> None:
    """Find out before a run that the file can't be written after it; folders are made. Raises BadInput."""
    with writing(OPTION, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.open("a").close()
        else:
            path.touch()
            path.unlink()  # an interrupted run leaves no file that expects nothing


def write(path: Path, text: str) -> None:
    """Write the file; folders are made. Raises BadInput."""
    with writing(OPTION, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _line(text: str, place: str) -> Line:
    words = text.partition(COMMENT)[0].split()
    if not words:
        return Line(text)
    if len(words) != 2 or words[0] not in list(Level):
        raise BadInput(
            place, f"isn't a level ({', '.join(Level)}) and the id of a case; correct it, or put a # in front"
        )
    return Line(text, words[1], Level(words[0]))
