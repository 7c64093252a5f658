"""Completes the case files: `python -m oracles.complete_suite [--check] [FILES]`.

The authors of cases write the text and the message or the error by hand; this tool adds `expect.events` with `at` from
the oracles (`whole_text`, `determined`) and says where the oracle disagrees with what was written by hand. It never
changes a hand-written message or error, except that it adds to the latter what isn't there of field, position and `at`.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from oracles.case_format import compact, dump, load
from oracles.determined import Trace, at, timed_events, trace
from oracles.values import JSON, same_json
from oracles.whole_text import Event, Fault, Outcome, parse

SUITE = Path(__file__).resolve().parents[2] / "conformance" / "suite"
TEMPLATES = "templates"
MOST_TIMED = 1200  # code points of prefix and text; brute force takes too long beyond
MOST_WRITTEN = 5000  # code points; beyond, events would make the file unreadable, and are left out


@dataclass(frozen=True)
class Disagreement:
    """Something that needs a person: what was written by hand against what the oracle says."""

    case: str
    by_hand: str
    oracle: str

    def __str__(self) -> str:
        return f"{self.case}\n    by hand: {self.by_hand}\n    oracle:  {self.oracle}"


def case_text(case: Mapping[str, JSON]) -> str:
    """The generation of a case; a list's parts are joined."""
    text = case.get("text", "")
    if isinstance(text, str):
        return text
    return "".join(part if isinstance(part, str) else part["repeat"] * part["times"] for part in text)


def case_template(case: Mapping[str, JSON], document: Mapping[str, JSON], suite: Path) -> JSON:
    """The template document of a case: its own or its file's, inline or by name."""
    template = case.get("template", document.get("template"))
    if isinstance(template, str):
        return load((suite / TEMPLATES / f"{template}.json").read_text(encoding="utf-8"))
    return template


def is_parsed(expect: Mapping[str, JSON]) -> bool:
    """Whether the case parses a text at all: not one of a load error, nor of `loads`."""
    return "message" in expect or expect.get("error", {}).get("stage") == "parse"


def completed(
    case: Mapping[str, JSON], document: Mapping[str, JSON], suite: Path, name: str
) -> tuple[dict[str, JSON], list[Disagreement]]:
    """The case with its events filled in, and what the oracle doesn't agree with."""
    expect = case["expect"]
    if not is_parsed(expect) or "reason" in case:  # what an optional case expects isn't what the specification says
        return dict(case), []
    template, text, tools = case_template(case, document, suite), case_text(case), case.get("tools")
    prefix, on_malformed = case.get("prefix", ""), case.get("options", {}).get("on_malformed", "raise")
    outcome = parse(template, text, prefix=prefix, tools=tools, on_malformed=on_malformed)
    disagreements = list(compared(expect, outcome, name))
    length = len(text) + len(prefix or "")
    timed = case.get("timing", True)
    if timed and length > MOST_TIMED:
        disagreements.append(Disagreement(name, "timing", f'{length} code points: write "timing": false'))
        timed = False
    if length > MOST_WRITTEN:
        return dict(case), disagreements
    if timed:
        found = trace(template, text, prefix=prefix, tools=tools, on_malformed=on_malformed)
        events, moment = timed_events(found), error_moment(found)
    else:
        events, moment = outcome.events, None
    result = filled(expect, events, outcome.error, moment)
    given, found_out = expect.get("error", {}), result.get("error", {})
    if given.items() - found_out.items():
        disagreements.append(Disagreement(name, compact(given), compact(found_out)))
        result["error"] = given
    return {**case, "expect": result}, disagreements


def compared(expect: Mapping[str, JSON], outcome: Outcome, name: str) -> Iterator[Disagreement]:
    """Where the hand-written message or error isn't the oracle's."""
    by_hand = expect.get("error", expect.get("message"))
    if outcome.error is not None:
        if expect.get("error", {}).get("kind") != outcome.error.kind:
            yield Disagreement(name, compact(by_hand), described(outcome.error))
    elif "error" in expect or not same_json(expect["message"], outcome.message):
        yield Disagreement(name, compact(by_hand), compact(outcome.message))


def described(fault: Fault) -> str:
    return f"error {fault.kind} in field {fault.field}, whose text begins at {fault.position}"


def error_moment(found: Trace) -> int | str | None:
    return None if found.error is None else at(found.due[-1])


def filled(
    expect: Mapping[str, JSON], events: list[Event], fault: Fault | None, moment: int | str | None
) -> dict[str, JSON]:
    """`expect` with its events first, and the error's field, position and moment if it has them."""
    result = {"events": events, **{key: value for key, value in expect.items() if key != "events"}}
    if "error" in expect:
        place = {} if fault is None or fault.field is None else {"field": fault.field, "position": fault.position}
        due = {} if moment is None else {"at": moment}
        result["error"] = {"stage": expect["error"]["stage"], "kind": expect["error"]["kind"], **place, **due}
    return result


def complete_file(path: Path, suite: Path) -> tuple[str, str, list[Disagreement]]:
    """A file's text before and after, and the disagreements in it."""
    before = path.read_text(encoding="utf-8")
    document = load(before)
    if path.parent in (suite, suite / TEMPLATES):  # not of cases; the suite's own data are written by their tools
        return before, dump(document), []
    try:
        name = path.relative_to(suite).with_suffix("").as_posix()
    except ValueError:
        name = path.stem
    cases, disagreements = [], []
    for case in document["cases"]:
        result, found = attempted(case, document, suite, f"{name}/{case['id']}")
        cases.append(result)
        disagreements += found
    return before, dump({**document, "cases": cases}), disagreements


def attempted(
    case: Mapping[str, JSON], document: Mapping[str, JSON], suite: Path, name: str
) -> tuple[Mapping[str, JSON], list[Disagreement]]:
    """`completed`, where a case that can't be read at all is a disagreement of its own and stays as it is."""
    try:
        return completed(case, document, suite, name)
    except Exception as error:  # whatever is wrong with one case must not hide the others
        return case, [Disagreement(name, "a case that can be run", f"{type(error).__name__}: {error}")]


def main(arguments: list[str] | None = None) -> int:
    """Complete (or, with --check, only compare) the given case files or all of the suite. 1 if anything differs."""
    parser = argparse.ArgumentParser(
        prog="oracles.complete_suite", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if anything would change")
    parser.add_argument("--suite", type=Path, default=SUITE, help="the folder of the suite")
    parser.add_argument("files", nargs="*", type=Path, help="case files (all of the suite if none is given)")
    options = parser.parse_args(arguments)
    suite = options.suite.resolve()
    disagreements: list[Disagreement] = []
    differing = 0
    paths = [file.resolve() for file in options.files] or sorted(suite.rglob("*.json"))
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(complete_file, paths, itertools.repeat(suite)))
    for path, (before, after, found) in zip(paths, results, strict=True):
        disagreements += found
        if after != before:
            differing += 1
            print(f"{'would change' if options.check else 'written'}: {path}")
            if not options.check:
                path.write_text(after, encoding="utf-8")
    for disagreement in disagreements:
        print(disagreement)
    print(f"{differing} files {'differ' if options.check else 'changed'}, {len(disagreements)} disagreements")
    return 1 if disagreements or (options.check and differing) else 0


if __name__ == "__main__":
    sys.exit(main())
