"""All patterns on all engines: the work in batches, spread over processes, and summed up by engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache

from antiphon_portability.regex.translate import Form
from downloads import Unavailable
from support import examples

from engines import sources
from engines.catalogue import BY_NAME
from engines.compare import Tally, Trial
from engines.outcomes import prepared
from engines.session import Session

FORMS: tuple[Form, ...] = ("plain", "hit-end", "must")
_BATCH = 50


@dataclass(frozen=True)
class Patterns:
    """Patterns of one source, and how many texts each is tried on."""

    source: str
    patterns: Sequence[str]
    texts: int
    thorough: bool = False

    def batches(self) -> Iterator[Patterns]:
        for start in range(0, len(self.patterns), _BATCH):
            yield Patterns(self.source, self.patterns[start : start + _BATCH], self.texts, self.thorough)


def known_patterns() -> tuple[list[Patterns], list[str]]:
    """Patterns from templates and from the list of traps; and what can't be had here."""
    wanted: dict[str, Callable[[], Iterable[str]]] = {
        "the suite": sources.suite_patterns,
        "TRL": sources.trl_patterns,
        "transformers": sources.transformers_patterns,
        "traps": sources.trap_patterns,
    }
    found, missing = [], []
    for name, patterns in wanted.items():
        try:
            found.append(Patterns(name, list(patterns()), 500, thorough=True))
        except Unavailable as error:
            missing.append(f"{name}: {error}")
    return found, missing


def random_patterns(core: int, family: int, directed: int, unicode: int) -> list[Patterns]:
    """Random ones: of the core dialect, by families of constructs, pressing on single lowerings, and over Unicode."""
    return [
        Patterns("random, core", list(sources.random_patterns("core", examples(core))), 40),
        Patterns("random, extended", list(sources.random_families("extended", examples(family))), 40),
        Patterns("random, directed", list(sources.random_directed("directed", examples(directed))), 40),
        Patterns("random, Unicode", list(sources.random_unicode("unicode", examples(unicode))), 60),
    ]


def run_batch(name: str, batch: Patterns, forms: Sequence[Form]) -> Tally:
    """One batch on one engine, in this process."""
    trial = Trial(BY_NAME[name], session(name))
    total = Tally()
    for source in batch.patterns:
        truth, texts = prepared(source, batch.texts, thorough=batch.thorough)
        total += trial.run(truth, texts, forms)
    return total


def run(
    names: Sequence[str], patterns: Iterable[Patterns], step: Callable[[], object], processes: int | None = None
) -> dict[str, Tally]:
    """Everything on these engines; `step` is called when a batch is done."""
    totals = {name: Tally() for name in names}
    with ProcessPoolExecutor(processes) as pool:
        jobs = {
            pool.submit(run_batch, name, batch, FORMS): name
            for part in patterns
            for batch in part.batches()
            for name in names
        }
        for job in as_completed(jobs):
            totals[jobs[job]] += job.result()
            step()
    return totals


@cache
def session(name: str) -> Session:
    """One process of the driver for each of ours; it ends with our end of its input."""
    return BY_NAME[name].session()
