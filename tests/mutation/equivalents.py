"""The mutants that no case could kill, as `equivalents.json` lists them, each with the reason; held against a run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mutation.campaign import Verdict

FILE = Path(__file__).with_name("equivalents.json")


def read(path: Path = FILE) -> dict[str, str]:
    """By the mutants' ids, why each is equivalent. The file groups the ids by reason."""
    groups = json.loads(path.read_text("utf-8"))
    return {mutant: group["reason"] for group in groups for mutant in group["mutants"]}


@dataclass(frozen=True)
class Audit:
    """A run held against the list.

    Attributes:
        unlisted: survivors that the list doesn't have: cases are missing, or a reason.
        killed: listed, and killed all the same.
        gone: listed, of a module that was run, but there is no such mutant any more.
    """

    unlisted: tuple[str, ...]
    killed: tuple[str, ...]
    gone: tuple[str, ...]


def audit(listed: Mapping[str, str], verdicts: Mapping[str, Verdict], modules: Iterable[str], *, whole: bool) -> Audit:
    """`verdicts` are by ids. `whole`: they are those of all mutants of the modules."""
    among = [mutant for mutant in listed if mutant.partition(".")[0] in set(modules)]
    return Audit(
        unlisted=tuple(mutant for mutant, verdict in verdicts.items() if not verdict.killed and mutant not in listed),
        killed=tuple(mutant for mutant in among if mutant in verdicts and verdicts[mutant].killed),
        gone=tuple(mutant for mutant in among if mutant not in verdicts) if whole else (),
    )
