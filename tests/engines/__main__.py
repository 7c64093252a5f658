"""`make engines`: translated patterns on every engine that is found here. Exit status 1 if one disagrees."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from engines import campaign, matrix
from engines.catalogue import BY_NAME, presence
from engines.compare import Tally
from engines.installing import install

_SHOWN = 20
"""Disagreements that are listed of an engine; the totals count all."""
_GIVEN_UP = 5
"""Patterns that are listed of an engine, those with the most searches that it gave up."""


def main() -> int:
    arguments = _arguments()
    console = Console(width=None if sys.stdout.isatty() else 120)
    if arguments.install:
        with console.status("installing engines"):
            missing = list(install())
        for line in missing:
            console.print(Text(line, "yellow"))
    names = [name for name in arguments.engines or BY_NAME if _announce(console, name)]
    patterns = [] if arguments.matrix else _patterns(console)
    batches = sum(len(list(part.batches())) for part in patterns) * len(names)
    with _progress(console) as progress:
        task = progress.add_task("patterns", total=batches)
        totals = campaign.run(names, patterns, lambda: progress.advance(task))
        task = progress.add_task(
            "matrix", total=len({target for engine in matrix.confirming(names) for target in engine.targets})
        )
        columns = matrix.columns(names, lambda: progress.advance(task))
    for name, tally in totals.items():
        _print_disagreements(console, name, tally)
        _print_unsupported(console, name, tally)
        _print_given_up(console, name, tally)
    if not arguments.matrix:
        console.print(_totals(totals))
    console.print(_matrix(columns))
    wrong = matrix.wrong(columns)
    for cell in wrong:
        console.print(Text(f"{matrix.WRONG} {cell}", "red"))
    if arguments.write and wrong:
        console.print(Text(f"{matrix.README.name} stays as it is", "red"))
    elif arguments.write:
        matrix.write(columns)
        console.print(f"{matrix.README.name} has the matrix of {len(columns)} targets")
    return int(bool(wrong) or any(tally.disagreements for tally in totals.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m engines", description=__doc__)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(BY_NAME)}; default: all")
    parser.add_argument("--install", action="store_true", help="first install what is missing and can be had")
    parser.add_argument("--matrix", action="store_true", help="only make the matrix of constructs")
    parser.add_argument("--write", action="store_true", help="put the matrix into portability/README.md")
    arguments = parser.parse_args()
    if unknown := set(arguments.engines) - set(BY_NAME):
        parser.error(f"no such engine: {', '.join(sorted(unknown))}")
    return arguments


def _patterns(console: Console) -> list[campaign.Patterns]:
    known, unavailable = campaign.known_patterns()
    for line in unavailable:
        console.print(Text(f"left out: {line}", "yellow"))
    return [*known, *campaign.random_patterns(core=2000, family=150, directed=300, unicode=600)]


def _announce(console: Console, name: str) -> bool:
    found = presence(name)
    if found.version is None:
        console.print(Text(f"{name:<8} not found: {found.reason}", "yellow"))
        return False
    known = f"; known: {found.engine.faulty}" if found.engine.faulty else ""
    console.print(Text(f"{name:<8} {found.version} runs {', '.join(found.engine.targets)}{known}"))
    return True


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _print_disagreements(console: Console, name: str, tally: Tally) -> None:
    found = sorted(tally.disagreements, key=lambda each: len(each.source))
    for disagreement in found[:_SHOWN]:
        console.print(Text(str(disagreement), "red"), soft_wrap=True)
    if len(found) > _SHOWN:
        console.print(Text(f"{name}: and {len(found) - _SHOWN} more", "red"))


def _print_unsupported(console: Console, name: str, tally: Tally) -> None:
    if tally.unsupported:
        constructs = ", ".join(f"{construct} {count}" for construct, count in tally.constructs.most_common())
        console.print(Text(f"{name}: unsupported are {constructs}", "dim"))


def _print_given_up(console: Console, name: str, tally: Tally) -> None:
    for pattern, count in tally.given_up.most_common(_GIVEN_UP):
        console.print(Text(f"{name} gave up {count} searches of {pattern}", "yellow"), soft_wrap=True)
    if len(tally.given_up) > _GIVEN_UP:
        console.print(Text(f"{name}: and of {len(tally.given_up) - _GIVEN_UP} more patterns", "yellow"))


def _totals(totals: dict[str, Tally]) -> Table:
    """`given up`: of those without an answer, searches by exact translations that the engine gave up; `earlier`:
    decided before `regex`'s own hit-end form, and rightly; `announced`: differences that were told."""
    table = Table("engine", "patterns", "unsupported", "comparisons", "no answer", "given up", "earlier", "announced")
    table.add_column("engine's faults")
    table.add_column("disagreements")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, tally in totals.items():
        counts = (tally.patterns, tally.unsupported, tally.comparisons, tally.unanswered, tally.given_up.total())
        wrong = len(tally.disagreements)
        numbers = (f"{count:,}" for count in (*counts, tally.earlier, tally.announced, tally.faults, wrong))
        table.add_row(name, *numbers, style="red" if wrong else "")
    return table


def _matrix(columns: matrix.Columns) -> Table:
    table = Table("construct", *columns, title=matrix.LEGEND)
    for row in next(iter(columns.values()), {}):
        table.add_row(row.replace("`", ""), *(column[row] for column in columns.values()))
    return table


if __name__ == "__main__":
    sys.exit(main())
