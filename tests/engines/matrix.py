"""The matrix of engines and constructs in portability/README.md, made from translations and confirmed by runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TypeAlias

from antiphon_portability.regex import TARGETS, translate
from antiphon_portability.regex.translate import Form
from made_part import MadePart

from engines.catalogue import Engine, presence
from engines.compare import Trial
from engines.features import FEATURES
from engines.outcomes import prepared

README = Path(__file__).parents[2] / "portability" / "README.md"
PART = MadePart(README, "<!-- made by `python -m engines --write` -->\n")
FORMS: Final[tuple[Form, ...]] = ("plain", "hit-end")
TEXTS = 200  # for each pattern
_SIGNS = {"exact": "✓", "exact under conditions": "c", "approximate": "≈", "unsupported": "-"}
WRONG, _PARTLY = "✗", "◐"
_ORDER = "✓c≈"
LEGEND = "✓ exact   c exact under conditions   ≈ approximate   ◐ some of them   - none   ✗ wrong   (plain, hit-end)"

Columns: TypeAlias = "dict[str, dict[str, str]]"  # by target, by row


def columns(engines: Iterable[str], step: Callable[[], object] = lambda: None) -> Columns:
    """The columns of the targets that these engines run; several engines of one target have to agree.

    Those that are `faulty` are left out.
    """
    made: Columns = {}
    with ExitStack() as stack:
        trials: dict[str, list[Trial]] = {}
        for engine in confirming(engines):
            session = stack.enter_context(engine.session())
            for target in engine.targets:
                trials.setdefault(target, []).append(Trial(engine, session))
        for target, all_of_it in trials.items():
            made[target] = {row: _cell(patterns, target, all_of_it) for row, patterns in FEATURES.items()}
            step()
    return made


def confirming(engines: Iterable[str]) -> list[Engine]:
    """Those of the engines that are here and that confirm what the matrix says."""
    found = [presence(name) for name in engines]
    return [each.engine for each in found if each.version is not None and not each.engine.faulty]


def wrong(made: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The cells in which an engine refutes a translation: target and row."""
    return [f"{target}: {row}" for target, column in made.items() for row, cell in column.items() if WRONG in cell]


def table(made: Mapping[str, Mapping[str, str]]) -> str:
    """Markdown, the targets in the order of `TARGETS`."""
    targets = [target for target in TARGETS if target in made]
    lines = ["| construct | " + " | ".join(targets) + " |", "|---" * (len(targets) + 1) + "|"]
    lines += [f"| {row} | " + " | ".join(made[target][row] for target in targets) + " |" for row in FEATURES]
    return "\n".join(lines).replace("`|`", "`\\|`") + "\n"


def written() -> Columns:
    """The columns that the README has."""
    text = PART.read().replace("`\\|`", "`|`")
    rows = [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in text.splitlines()]
    if not rows:
        return {}
    return {target: {row[0]: row[place] for row in rows[2:]} for place, target in enumerate(rows[0][1:], 1)}


def write(made: Columns) -> None:
    """Put the columns into the README; those of engines that aren't here stay as they are.

    Raises `ValueError` if one of them has something wrong, which is to be mended, not published.
    """
    if refuted := wrong(made):
        raise ValueError(f"{WRONG} at {', '.join(refuted)}")
    kept = {target: column for target, column in written().items() if list(column) == list(FEATURES)}
    PART.write(table({**kept, **made}))


def _cell(patterns: Sequence[str], target: str, trials: Sequence[Trial]) -> str:
    signs = [_sign(patterns, target, form, trials) for form in FORMS]
    return signs[0] if len(set(signs)) == 1 else " ".join(signs)


def _sign(patterns: Sequence[str], target: str, form: Form, trials: Sequence[Trial]) -> str:
    """The worst verdict of the patterns, or that one of the engines refutes it."""
    for pattern in patterns:
        truth, texts = prepared(pattern, TEXTS, thorough=True)
        if any(trial.compare(truth, target, form, texts).disagreements for trial in trials):
            return WRONG
    signs = {_SIGNS[translate(pattern, target, form).verdict] for pattern in patterns}
    if "-" in signs:
        return _PARTLY if len(signs) > 1 else "-"
    return max(signs, key=_ORDER.index)
