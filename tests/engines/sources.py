"""Where patterns come from: the suite's templates, published ones, the list of traps, and random makers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from antiphon_conformance import resources
from antiphon_conformance.inputs import read_json
from antiphon_portability.regex import PatternError, parse
from antiphon_portability.templates import places
from downloads import Unavailable
from random_patterns import BASE, FAMILIES, PatternMaker, counts_nothing
from trl import literal, response_templates

from engines.directed_patterns import GRAMMARS
from engines.unicode_patterns import UnicodeMaker

ROOT = Path(__file__).parents[2]
TRAPS = ROOT.parent / "shared" / "spec" / "regex-traps.txt"
_PATTERN_KEYS = frozenset({"open_pattern", "close_pattern", "start_anchor_pattern", "tag_pattern"})


def suite_patterns() -> list[str]:
    """All patterns and literal delimiters of the suite that the dialect takes."""
    folder = resources.find("suite")
    documents = (read_json(path) for path in sorted(folder.rglob("*.json")))
    return _taken(pattern for document in documents for pattern in _delimiters(document))


@cache
def trl_patterns() -> tuple[str, ...]:
    """Of TRL's ten response templates, read as data from its wheel. Raises Unavailable."""
    return tuple(_taken(pattern for template in response_templates().values() for pattern in _delimiters(template)))


def transformers_patterns() -> list[str]:
    """Of the response templates in the installed package transformers. Raises Unavailable."""
    try:
        sources = [file for file in files("transformers") or () if file.suffix == ".py"]
    except PackageNotFoundError:
        raise Unavailable("transformers isn't installed") from None
    paths = [Path(str(file.locate())) for file in sources if "chat_pars" in str(file) or "serving" in file.parts]
    found: list[str] = []
    for path in paths:
        text = path.read_text("utf-8")
        if any(key in text for key in _PATTERN_KEYS):
            found += [pattern for value in _dictionaries(ast.parse(text)) for pattern in _delimiters(value)]
    return _taken(found)


def random_patterns(seed: str, count: int, constructs: tuple[str, ...] = BASE) -> Iterator[str]:
    """Random patterns of these constructs. Left out are those for which `regex` keeps to no definition (DIALECT-5)."""
    maker = PatternMaker(Random(seed), constructs)
    yield from _usable((maker.pattern() for _ in range(10 * count)), count)


def random_families(seed: str, count: int) -> Iterator[str]:
    """`count` random patterns of each family of constructs, the core ones mixed in."""
    for name, constructs in FAMILIES.items():
        yield from random_patterns(f"{seed} {name}", count, (*BASE, *constructs))


def random_unicode(seed: str, count: int) -> Iterator[str]:
    maker = UnicodeMaker(Random(seed))
    yield from _usable((maker.pattern() for _ in range(10 * count)), count)


def random_directed(seed: str, count: int) -> Iterator[str]:
    """`count` random patterns of each grammar of `directed_patterns`."""
    for name, grammar in GRAMMARS.items():
        random = Random(f"{seed} {name}")
        yield from _usable((grammar.pattern(random) for _ in range(10 * count)), count)


@dataclass(frozen=True)
class Trap:
    """A pattern on which engines differ: what they gave for `text`, by the engine's name in the list.

    A result is a text, with where it starts if that was noted; None for no match; "ERR" for a pattern that is refused.
    """

    pattern: str
    text: str
    results: dict[str, tuple[str, int | None] | str | None]


def traps() -> list[Trap]:
    """Raises Unavailable."""
    if not TRAPS.is_file():
        raise Unavailable("the list of traps isn't beside this repository")
    lines = TRAPS.read_text("utf-8").splitlines()
    return [_trap(line) for line in lines if line.startswith("'")]


def trap_patterns() -> list[str]:
    """The traps that the dialect takes. Raises Unavailable."""
    return _taken(trap.pattern for trap in traps())


_LITERAL = r"'(?:[^'\\]|\\.)*'"
_TRAP = re.compile(rf"({_LITERAL})\s+({_LITERAL})\s+regex=(\S.*?)(?:\s+\|\s+(.*))?$")
_RESULT = re.compile(rf"({_LITERAL}|-|ERR|\?\?)(?:@(\d+))?")
_RESULTS = re.compile(rf"({_LITERAL}|-|ERR|\?\?):([\w,]+)")


def _trap(line: str) -> Trap:
    parts = _TRAP.match(line)
    assert parts is not None, line
    own = _RESULT.fullmatch(parts[3])
    assert own is not None, line
    results = {"regex": _trap_result(own[1], own[2])}
    for result, engines in _RESULTS.findall(parts[4] or ""):
        if result != "??":
            results |= dict.fromkeys(engines.split(","), _trap_result(result, None))
    return Trap(ast.literal_eval(parts[1]), ast.literal_eval(parts[2]), results)


def _trap_result(result: str, at: str | None) -> tuple[str, int | None] | str | None:
    if result.startswith("'"):
        return ast.literal_eval(result), int(at) if at else None
    return None if result == "-" else result


def _delimiters(document: Any) -> Iterator[str]:
    """The patterns, and the literals as patterns, of a document that is a template or holds some."""
    if isinstance(document, list):
        for part in document:
            yield from _delimiters(part)
    elif isinstance(document, dict):
        if "fields" in document:
            yield from (place.source for place in places(document))
        for part in document.values():
            yield from _delimiters(part)


def _dictionaries(module: ast.Module) -> Iterator[Any]:
    yield from (literal(node, {}) for node in ast.walk(module) if isinstance(node, ast.Dict))


def _taken(patterns: Iterable[str]) -> list[str]:
    """The patterns that the dialect takes, each once."""
    taken = []
    for pattern in dict.fromkeys(patterns):
        try:
            parse(pattern)
        except PatternError:
            continue
        taken.append(pattern)
    return taken


def is_usable(pattern: str) -> bool:
    """Whether the dialect takes the pattern and says what it means (DIALECT-5)."""
    try:
        return not counts_nothing(parse(pattern).root)
    except PatternError:
        return False


def _usable(patterns: Iterator[str], count: int) -> Iterator[str]:
    yield from islice(filter(is_usable, dict.fromkeys(patterns)), count)
