"""Campaigns on a package of a few lines, with known fates."""

from __future__ import annotations

import hashlib
import importlib
from dataclasses import replace
from pathlib import Path

import pytest

from mutation.campaign import Campaign, Fate, Limits, Memory, Verdict
from mutation.equivalents import audit
from mutation.mutants import Mutant, mutants
from mutation.package import Package

PACKAGE = Package(
    "tiny_package_for_mutation",
    {
        "__init__": "",
        "sums": """
LARGE = 1000

def upto(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total

def clipped(n):
    return LARGE if n > LARGE else n
""",
    },
)
CASES = {"upto/none": ("upto", 0, 0), "upto/four": ("upto", 4, 10), "clipped/small": ("clipped", 3, 3)}
SHORT = Limits(seconds=0.05, lines=10_000)
WHOLE = {**CASES, "clipped/large": ("clipped", 2000, 1000), "clipped/border": ("clipped", 1001, 1000)}


class Sums:
    """A judge whose cases are calls with expected results. Every trial of a case is noted in a file."""

    def __init__(self, cases: dict[str, tuple[str, int, int]], log: Path) -> None:
        self.package = PACKAGE
        self.cases, self.log = cases, log
        self.topics = {name: name.partition("/")[0] for name in cases}
        self.digests = {name: hashlib.sha256(repr(case).encode()).hexdigest() for name, case in cases.items()}

    def install(self, mutant: Mutant | None) -> None:
        self.package.install(mutant)

    def failure(self, case: str, stage: int) -> str | None:
        with self.log.open("a") as log:
            log.write(f"{case}\n")
        name, argument, expected = self.cases[case]
        found = getattr(importlib.import_module("tiny_package_for_mutation.sums"), name)(argument)
        return None if found == expected else f"{found}, not {expected}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def run(
    cases: dict[str, tuple[str, int, int]], log: Path, equivalent: frozenset[str] = frozenset()
) -> dict[str, Verdict]:
    campaign = Campaign(Sums(cases, log), Memory.read(log.parent / "memory", "as it is"), limits=SHORT)
    campaign.trace(lambda count: None)
    assert campaign.failures == {}
    log.write_text("")
    found = campaign.run(mutants("sums", PACKAGE.sources["sums"]))
    return {mutant.id: verdict for mutant, verdict in found}


def test_known_fates(log: Path) -> None:
    found = run(CASES, log)
    fates = {
        "sums.upto: total = 0 → total = 1": Fate.KILLED,
        "sums.upto: while n > 0: → while n > 1:": Fate.KILLED,
        "sums.upto: n -= 1 → n += 1": Fate.LOOPED,
        "sums.upto: while n > 0: → while n >= 0:": Fate.SURVIVED,  # adds 0
        "sums.clipped: return LARGE if n > LARGE else n → return LARGE if n >= LARGE else n": Fate.SURVIVED,
        "sums.(module): LARGE = 1000 → LARGE = 1001": Fate.SURVIVED,
    }
    assert {mutant: found[mutant].fate for mutant in fates} == fates


def test_a_verdict_tells_the_case_and_how_it_failed(log: Path) -> None:
    found = run(CASES, log)
    assert found["sums.upto: while n > 0: → while n > 1:"] == Verdict(Fate.KILLED, "upto/four", "9, not 10")


def test_only_cases_that_run_the_change_are_tried(log: Path) -> None:
    run({"upto/none": CASES["upto/none"], "clipped/small": CASES["clipped/small"]}, log)
    assert "clipped/small" in log.read_text()
    log.write_text("")
    campaign = Campaign(Sums(CASES, log), Memory(log.parent / "other", ""), limits=SHORT)
    campaign.trace(lambda count: None)
    log.write_text("")
    list(campaign.run(mutant for mutant in mutants("sums", PACKAGE.sources["sums"]) if mutant.function == "upto"))
    assert "clipped/small" not in log.read_text()


def test_what_is_known_isnt_run_again(log: Path) -> None:
    first = run(CASES, log)
    assert run(CASES, log) == first
    assert log.read_text() == ""


def test_new_cases_are_tried_on_survivors_only(log: Path) -> None:
    first = run(CASES, log)
    second = run(WHOLE, log)
    assert set(log.read_text().split()) == {"clipped/large", "clipped/border"}
    killed = {mutant for mutant in first if not first[mutant].killed and second[mutant].killed}
    assert "sums.(module): LARGE = 1000 → LARGE = 1001" in killed
    assert second["sums.upto: while n > 0: → while n >= 0:"].fate is Fate.SURVIVED


def test_a_changed_package_is_first_given_to_the_case_that_killed_last(log: Path) -> None:
    first = run(CASES, log)
    killed = [mutant for mutant in mutants("sums", PACKAGE.sources["sums"]) if first[mutant.id].fate is Fate.KILLED]
    campaign = Campaign(Sums(CASES, log), Memory.read(log.parent / "memory", "another"), limits=SHORT)
    campaign.trace(lambda count: None)
    log.write_text("")
    assert {mutant.id: verdict for mutant, verdict in campaign.run(killed)} == {
        mutant.id: first[mutant.id] for mutant in killed
    }
    assert len(log.read_text().split()) == sum("imported" not in first[mutant.id].reason for mutant in killed)


def test_a_case_that_the_package_itself_fails_is_told(log: Path) -> None:
    campaign = Campaign(Sums({**CASES, "upto/wrong": ("upto", 1, 2)}, log), Memory(log.parent / "memory", ""))
    campaign.trace(lambda count: None)
    assert campaign.failures == {"upto/wrong": "1, not 2"}


class WrongLater(Sums):
    """Its last case fails in the second stage, whatever is tried."""

    def failure(self, case: str, stage: int) -> str | None:
        return "always" if stage > 0 and case == "clipped/small" else super().failure(case, stage)


def test_a_case_that_the_package_itself_fails_kills_nothing(log: Path) -> None:
    memory = Memory(log.parent / "memory", "")
    Campaign(WrongLater(CASES, log), memory, limits=SHORT).trace(lambda count: None)
    memory.traces = {digest: replace(trace, seconds=0.0) for digest, trace in memory.traces.items()}  # in a known order
    campaign = Campaign(WrongLater(CASES, log), memory, limits=SHORT)
    campaign.trace(lambda count: None)
    found = {mutant.id: verdict for mutant, verdict in campaign.run(mutants("sums", PACKAGE.sources["sums"]))}
    assert found["sums.(module): LARGE = 1000 → LARGE = 1001"].fate is Fate.SURVIVED
    assert {verdict.case for verdict in found.values()} == {"upto/none", "upto/four", "clipped/small", ""}
    assert not any(verdict.reason == "always" for verdict in found.values())
    assert campaign.failures == {"clipped/small": "always"}


def test_the_list_of_equivalents_is_held_against_the_run() -> None:
    killed, survived = Verdict(Fate.KILLED, "a/case", "wrong"), Verdict(Fate.SURVIVED)
    listed = dict.fromkeys(["m.f: a → b", "m.f: b → c", "m.f: gone → x", "other.f: gone → x"], "it's equivalent")
    verdicts = {"m.f: a → b": survived, "m.f: b → c": killed, "m.f: c → d": survived, "m.f: d → e": killed}
    found = audit(listed, verdicts, ["m"], whole=True)
    assert (found.unlisted, found.killed, found.gone) == (("m.f: c → d",), ("m.f: b → c",), ("m.f: gone → x",))
    assert audit(listed, verdicts, ["m"], whole=False).gone == ()
