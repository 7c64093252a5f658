"""Whether the suite kills each mutant: what to try in which order, in processes of their own, with what is known kept.

A mutant is *killed* if a case fails. It *looped* if a case didn't end, which counts as killed; that it loops, and isn't
only slow, is made sure by counting the lines that it runs. It *survived* if every case passes that runs what was
changed. *Unclear* is what didn't end in good time and wasn't seen to loop; it counts as survived.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import Any, Final

from mutation.coverage import IMPORTING, Trace, traces, with_trace
from mutation.judge import STAGES, Judge
from mutation.mutants import Mutant
from mutation.scope import TOPICS
from mutation.workers import Mark, OutOfTime, cpu_limit, forked


@dataclass(frozen=True)
class Limits:
    """When a case takes too long for a mutant, compared with what it takes on the package as it is.

    Attributes:
        seconds, times: CPU time for a stage of a case: so much, and so many times what its first stage takes.
        lines, lines_times: it loops if it runs more lines of Python than that many, and so many times more.
    """

    seconds: float = 3.0
    times: int = 20
    lines: int = 1_000_000
    lines_times: int = 50


_NEIGHBOURS: Final = 40
"""So many of the cases that have killed mutants of the same function or module are tried first."""


class Fate(StrEnum):
    KILLED = "killed"
    LOOPED = "looped"
    SURVIVED = "survived"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant, and, if it was killed, in which case and how that failed."""

    fate: Fate
    case: str = ""
    reason: str = ""

    @property
    def killed(self) -> bool:
        return self.fate in (Fate.KILLED, Fate.LOOPED)


@dataclass
class Memory:
    """What is known from earlier runs, in a folder; nothing in it is needed.

    Attributes:
        traces: by the cases' digests, as long as the reference stays as it is.
        verdicts: by the mutants' ids, each with the reference's digest and those of the cases it was tried on: of the
            case that killed it, or else of all, by a name of their own in `suites`.
    """

    folder: Path
    reference: str
    traces: dict[str, Trace] = field(default_factory=dict)
    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)
    suites: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path, reference: str) -> Memory:
        memory = cls(folder, reference)
        if (kept := _read(folder / "traces.json")).get("reference") == reference:
            memory.traces = {key: Trace(frozenset(names), cost) for key, (names, cost) in kept["traces"].items()}
        memory.verdicts = _read(folder / "verdicts.json")
        memory.suites = _read(folder / "suites.json")
        return memory

    def write(self) -> None:
        _write(self.folder / "verdicts.json", self.verdicts)
        used = {verdict["tried"] for verdict in self.verdicts.values()}
        _write(self.folder / "suites.json", {key: cases for key, cases in self.suites.items() if key in used})

    def write_traces(self) -> None:
        kept = {key: (sorted(trace.functions), trace.seconds) for key, trace in self.traces.items()}
        _write(self.folder / "traces.json", {"reference": self.reference, "traces": kept})


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def _write(path: Path, document: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(document), "utf-8")
    part.replace(path)


class Campaign:
    """Trials of mutants by the cases of a judge. `failures` are the cases that the package as it is fails, and how.

    `equivalent` are the ids of mutants that nobody expects to be killed: the first stage has to do for them, since they
    would take the most time of all.
    """

    def __init__(
        self,
        judge: Judge,
        memory: Memory,
        *,
        equivalent: Collection[str] = (),
        jobs: int = 1,
        limits: Limits = Limits(),
    ) -> None:
        self._judge, self._memory, self._jobs, self._limits = judge, memory, jobs, limits
        self._equivalent = frozenset(equivalent)
        self._killers: dict[str, Counter[str]] = defaultdict(Counter)
        self._traces: dict[str, Trace] = {}
        self._passed: dict[Step, bool] = {}
        self.failures: dict[str, str] = {}

    def trace(self, step: Callable[[int], None]) -> None:
        """Find out what each case runs, and leave out those that the package as it is fails."""
        digests = {IMPORTING: self._memory.reference, **self._judge.digests}
        missing = [case for case in self._judge.digests if digests[case] not in self._memory.traces]
        found, self.failures = traces(self._judge, missing, self._jobs, step)
        self._memory.traces |= {digests[case]: trace for case, trace in found.items()}
        self._memory.write_traces()
        traced = {case: digest for case, digest in digests.items() if case not in self.failures}
        self._traces = {case: self._memory.traces[digest] for case, digest in traced.items()}

    def run(self, mutants: Iterable[Mutant]) -> Iterator[tuple[Mutant, Verdict]]:
        """The mutants with their verdicts, first those that are known. What is found out is kept."""
        self._memory.suites[self._tried] = sorted(self._judge.digests.values())
        left = []
        for mutant in mutants:
            verdict = self._known(mutant)
            if verdict is None:
                left.append(mutant)
            else:
                self._remember(mutant, verdict)
                yield mutant, verdict
        left.sort(key=lambda mutant: mutant.id in self._equivalent)  # these take longest, and tell least
        try:
            for count, (mutant, verdict) in enumerate(self._tried_out(left)):
                self._remember(mutant, verdict)
                if count % 50 == 0:
                    self._memory.write()
                yield mutant, verdict
        finally:
            self._memory.write()

    @property
    def _tried(self) -> str:
        """The name of the cases as they are."""
        return hashlib.sha256(" ".join(sorted(self._judge.digests.values())).encode()).hexdigest()[:16]

    def _known(self, mutant: Mutant) -> Verdict | None:
        kept = self._memory.verdicts.get(mutant.id)
        if kept is None or kept["reference"] != self._memory.reference:
            return None
        verdict = Verdict(Fate(kept["fate"]), kept["case"], kept["reason"])
        current = self._judge.digests.get(verdict.case) if verdict.killed else self._tried
        return verdict if kept["tried"] == current else None

    def _remember(self, mutant: Mutant, verdict: Verdict) -> None:
        tried = self._judge.digests[verdict.case] if verdict.killed else self._tried
        kept = {key: str(value) for key, value in asdict(verdict).items()}
        self._memory.verdicts[mutant.id] = {**kept, "reference": self._memory.reference, "tried": tried}
        if verdict.killed:
            self._killers[_place(mutant)][verdict.case] += 1
            self._killers[mutant.module][verdict.case] += 1

    def _tried_out(self, mutants: Iterable[Mutant]) -> Iterator[tuple[Mutant, Verdict]]:
        trials = (Trial(mutant, tuple(self._plan(mutant))) for mutant in mutants)
        for done in forked(trials, self._work, self._jobs):
            yield done.task.mutant, self._verdict(done.task, done.answer, done.mark)

    def _verdict(self, trial: Trial, answer: Any, mark: int) -> Verdict:
        """Of a trial that has ended. It goes on if a case was only slow, or one failed that can't judge."""
        while True:
            step = trial.plan[mark] if trial.plan else None
            if answer is not None and answer["fate"] == "late":
                assert step is not None
                loops = self._loops(trial.mutant, step)
                if loops is None:
                    break
                if loops:
                    return Verdict(Fate.LOOPED, step[0], "it doesn't end")
            elif answer is None:
                break
            elif answer["fate"] == Fate.SURVIVED or step is None or self._passes(step):
                return Verdict(Fate(answer["fate"]), answer["case"], answer["reason"])
            trial = Trial(trial.mutant, tuple(one for one in trial.plan if one != step))
            [done] = forked([trial], self._work)
            answer, mark = done.answer, done.mark
        assert step is not None
        return Verdict(Fate.UNCLEAR, step[0], "it died, or took too long to see whether it loops")

    def _passes(self, step: Step) -> bool:
        """Whether the package as it is passes a stage of a case; of the first one `trace` may have found that out."""
        case, stage = step
        if step not in self._passed and (stage > 0 or case not in self._traces):
            [done] = forked([step], lambda step, _: self._reference_failure(step))
            self._passed[step] = done.answer == ""
            if not self._passed[step]:
                self.failures[case] = done.answer or "it died"
        return self._passed.get(step, True)

    def _reference_failure(self, step: Step) -> str:
        self._judge.install(None)
        return self._judge.failure(*step) or ""

    def _loops(self, mutant: Mutant, step: Step) -> bool | None:
        """Whether a stage of a case runs far more lines than on the reference; None if that can't be told."""
        [done] = forked([step], lambda step, _: count_lines(self._judge, None, step, None))
        if done.answer is None:
            return None
        limit = self._limits.lines_times * done.answer + self._limits.lines
        [done] = forked([step], lambda step, _: count_lines(self._judge, mutant, step, limit))
        return None if done.answer is None else done.answer > limit

    def _work(self, trial: Trial, mark: Mark) -> dict[str, str]:
        try:
            self._judge.install(trial.mutant)
        except BaseException as error:
            case = trial.plan[0][0] if trial.plan else next(iter(self._judge.digests))
            return {"fate": "killed", "case": case, "reason": f"it can't be imported: {type(error).__name__}"}
        for number, (case, stage) in enumerate(trial.plan):
            mark.set(number)
            try:
                with cpu_limit(self._limits.seconds + self._limits.times * self._seconds(case)):
                    failure = self._judge.failure(case, stage)
            except OutOfTime:
                return {"fate": "late", "case": case, "reason": ""}
            except BaseException as error:
                failure = f"crashed: {type(error).__name__}"
            if failure is not None:
                return {"fate": "killed", "case": case, "reason": failure}
        return {"fate": "survived", "case": "", "reason": ""}

    def _seconds(self, case: str) -> float:
        return self._traces[case].seconds if case in self._traces else 0.0

    def _plan(self, mutant: Mutant) -> Iterator[Step]:
        """What to try: likely cases first, then all that run what was changed, the cheap ones first."""
        kept = self._memory.verdicts.get(mutant.id, {})
        cases = [case for case in self._running(mutant) if not self._survived(mutant, kept, case)]
        likely = [kept["case"]] if kept.get("case") else []
        for near in (_place(mutant), mutant.module):
            likely += [case for case, _ in self._killers[near].most_common(_NEIGHBOURS)]
        topics = TOPICS.get(mutant.module, ())
        cheap = sorted(cases, key=lambda case: (self._judge.topics[case] not in topics, self._seconds(case)))
        chosen = set(cases)
        ordered = list(dict.fromkeys(case for case in chain(likely, cheap) if case in chosen))
        first = ordered[:1] if kept.get("case") else []
        yield from ((case, stage) for case in first for stage in range(STAGES))
        for stage in range(1 if mutant.id in self._equivalent else STAGES):
            yield from ((case, stage) for case in ordered if case not in first)

    def _running(self, mutant: Mutant) -> Sequence[str]:
        """The cases that run what was changed; all of them where that isn't known, or is run by the import."""
        place = _place(mutant)
        called = {case for case, trace in self._traces.items() if place in trace.functions}
        judging = [case for case in self._judge.digests if case not in self.failures]
        if not self._traces or IMPORTING in called or not mutant.in_function:
            return judging
        return [case for case in judging if case in called]

    def _survived(self, mutant: Mutant, kept: Mapping[str, str], case: str) -> bool:
        """Whether the mutant, as it is now, has survived the case already."""
        if kept.get("fate") != Fate.SURVIVED or kept["reference"] != self._memory.reference:
            return False
        return self._judge.digests[case] in self._memory.suites.get(kept["tried"], ())


Step = tuple[str, int]
"""A case and a stage of it."""


@dataclass(frozen=True)
class Trial:
    """A mutant, and what to try on it in this order."""

    mutant: Mutant
    plan: tuple[Step, ...]


def count_lines(judge: Judge, mutant: Mutant | None, step: Step, limit: int | None) -> int:
    """How many lines of Python a stage of a case runs; one more than `limit` if it is more."""
    judge.install(mutant)
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        if limit is not None and count > limit:
            raise OutOfTime
        return trace

    try:
        with_trace(trace, lambda: judge.failure(*step))
    except OutOfTime:
        pass
    except BaseException:  # how it fails doesn't matter here
        return count
    return count


def _place(mutant: Mutant) -> str:
    return f"{mutant.module}.{mutant.function}"
