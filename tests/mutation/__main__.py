"""`make mutation`: the score of the suite.

Exit status 1 if a mutant survives that isn't listed, too few die, or a violation isn't noticed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from mutation import equivalents, report, violations
from mutation.campaign import Campaign, Memory, Verdict
from mutation.judge import SuiteJudge
from mutation.mutants import Mutant, mutants
from mutation.scope import GROUPS

BUILD = Path(__file__).resolve().parents[2] / "build" / "mutation"
MODULES = tuple(module for modules in GROUPS.values() for module in modules)


def main() -> int:
    arguments = _arguments()
    console = Console(width=None if sys.stdout.isatty() else 160)
    if arguments.fresh:
        shutil.rmtree(BUILD, ignore_errors=True)
    judge, listed = SuiteJudge(), equivalents.read()
    sources = {module: judge.package.sources[module] for module in arguments.module or MODULES}
    chosen = [mutant for module, source in sources.items() for mutant in mutants(module, source)]
    if arguments.sample:  # of what is to be killed: to try an equivalent one takes the whole suite
        wanted = [mutant for mutant in chosen if mutant.id not in listed]
        chosen = random.Random(0).sample(wanted, min(arguments.sample, len(wanted)))
    if arguments.show:
        chosen = [mutant for mutant in chosen if fnmatchcase(mutant.id, arguments.show)]
    judge.prepare()
    memory = Memory.read(BUILD / "sample" if arguments.sample else BUILD, judge.reference)
    campaign = Campaign(judge, memory, equivalent=listed, jobs=arguments.jobs)
    if not arguments.sample:
        _trace(campaign, judge)
    results = _run(campaign, chosen)
    if arguments.show:
        for mutant, verdict in results:
            console.print(Text(f"{verdict.fate} by {verdict.case or 'nothing'} ({verdict.reason}): {mutant.id}"))
    for case, failure in campaign.failures.items():
        console.print(Text(f"left out, since the reference fails it: {case}: {failure}", "red"), soft_wrap=True)
    whole = not (arguments.sample or arguments.show)
    wrong = _report(results, sources, listed, console, whole=whole) or bool(campaign.failures)
    if whole and not arguments.module:
        wrong |= _violations(judge, arguments.jobs, console)
    return int(wrong)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutation", description=__doc__)
    parser.add_argument("--module", action="append", choices=MODULES, help="only this module; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (default: 1)")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutants, the same every time")
    parser.add_argument("--show", metavar="PATTERN", help="only mutants whose ids match, with what killed them")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs have found out")
    return parser.parse_args()


def _trace(campaign: Campaign, judge: SuiteJudge) -> None:
    with _progress() as progress:
        task = progress.add_task("what cases run", total=len(judge.digests))
        campaign.trace(lambda count: progress.update(task, advance=count, refresh=True))


def _run(campaign: Campaign, chosen: list[Mutant]) -> list[tuple[Mutant, Verdict]]:
    results = []
    with _progress() as progress:
        task = progress.add_task("mutants", total=len(chosen))
        for result in campaign.run(chosen):
            results.append(result)
            progress.update(task, advance=1, refresh=len(results) % 10 == 0)
    order = {mutant.id: number for number, mutant in enumerate(chosen)}
    return sorted(results, key=lambda result: order[result[0].id])


def _progress() -> Progress:
    """Without a thread of its own, which would be in the way of forks."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), auto_refresh=False)


def _report(
    results: list[tuple[Mutant, Verdict]],
    sources: dict[str, str],
    listed: dict[str, str],
    console: Console,
    *,
    whole: bool,
) -> bool:
    """Prints the outcome; whether something is missing."""
    found = equivalents.audit(listed, {mutant.id: verdict for mutant, verdict in results}, sources, whole=whole)
    for mutant, verdict in results:
        if mutant.id in found.unlisted:
            console.print(report.survivor(mutant, verdict, sources[mutant.module]), soft_wrap=True)
    for what, names in (
        ("is killed now; take it out", found.killed),
        ("is no mutant any more; take it out", found.gone),
    ):
        for name in names:
            console.print(Text(f"equivalents.json: {what}: {name}", "yellow"), soft_wrap=True)
    console.print(report.table(results, listed))
    short = report.short_groups(results, listed) if whole else []
    for group in short:
        console.print(Text(f"{group}: fewer than {report.REQUIRED:g} % are killed", "red"))
    return bool(found.unlisted or short)


def _violations(judge: SuiteJudge, jobs: int, console: Console) -> bool:
    """Prints the tally of the violations, and those that nothing notices; whether there are such."""
    found = list(violations.noticed(judge, violations.read(), jobs))
    unnoticed = [one for one in found if one.case is None]
    for one in unnoticed:
        console.print(Text(str(one), "red"), soft_wrap=True)
    console.print(violations.tally(found), soft_wrap=True)
    return bool(unnoticed)


if __name__ == "__main__":
    sys.exit(main())
