"""The tables of round trips in portability/README.md (`make roundtrips` writes them).

Published pairs: the response templates that TRL has for its chat templates. Derived: what `derive` makes of every chat
template of TRL and llama.cpp. Both are asked the same; and where llama.cpp's own parser is on record, so is that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from antiphon_portability.autoparser.derive import derive
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, PARSED, Result, RoundTrip, Verdict, round_trip
from antiphon_portability.chat import Dialect, NotRendered, Renderer, TooMuch
from downloads import llama_chat_templates, trl_chat_templates
from made_part import MadePart
from peer import COMPARED, RECORDED, exact_turns
from trl import pairs

README: Final = Path(__file__).parents[2] / "portability" / "README.md"
PART: Final = MadePart(README, "<!-- made by `make roundtrips` -->\n")
TOKENS: Final = {"bos_token": "<s>", "eos_token": "</s>"}
_NAMED: Final = 4  # of each kind that are named in a row

REASONS: Final = (
    ("[long numbers]", "lfm2", "calls in Python take no integers beyond 2^53 - 1 (KIND-CALLS-4)"),
    ("[other names of functions]", "lfm2", "the pattern of a name is `\\w+`, which takes no point and no hyphen"),
    ("[other names of functions]", "gemma", "the pattern of a name is `\\w+`, which takes no point and no hyphen"),
    ("[other names of arguments]", "lfm2", "names of arguments are words in Python's calls (KIND-CALLS-1)"),
    ("[other names of arguments]", "gemma", "names without quotes are words (`unquoted_keys`), and these aren't"),
    ("spaces around content", "", "text is stripped by default (KIND-TEXT-1)"),
    ("spaces around reasoning", "", "text is stripped by default (KIND-TEXT-1)"),
    ("spaces around arguments", "", "`\\s*` around the value takes them"),
    ("json-syntax", "llama3", "the close is `}<\\|eot_id\\|>`: without the token, its brace is in the arguments"),
    ("json-syntax", "gemma", "the chat template writes `None` for null, which isn't JSON"),
    ("json-syntax", "command-r-plus", "the chat template breaks JSON strings at U+2028, to indent them"),
    ("another text", "lfm2", "the chat template escapes nothing, or escapes by two characters what stays two"),
    ("calls-syntax", "lfm2", "the chat template doesn't escape quotes and line ends in Python's strings"),
    ("without a function's name", "apertus", "the function's name is a key, which no transform can read"),
    ("lists become texts", "", "lists and objects are written as Python does, with single quotes"),
    ("another value", "minimax-m3", "lists and objects are nested tags, which no content kind reads"),
    ("missing empty arguments", "minimax-m3", "null is written as an empty tag"),
    ("content where there was none", "llama-cpp-deepseek-r1", "the chat template writes an empty list of calls"),
    ("other content", "r1-distill-qwen", "the chat template writes the content behind the call, as a turn of its own"),
    ("no call", "deepseek_r1_distill", "published without a field for calls, since single ones aren't closed"),
    ("other content", "deepseek_r1_distill", "behind a tool's result the prompt doesn't end with the anchor"),
    ("no content", "deepseek_r1_distill", "`\\|$` stands before a last newline, too (SPEC.md, annex A.16)"),
    ("", "diffusion_gemma", "behind a tool's result, turns begin with a marker that prompts don't have"),
)
"""What is lost, with which chat templates (a part of the name), and why; the first counts.

What is lost is a part of the words, or a feature in brackets.
"""

Trips = Mapping[str, RoundTrip]


def published() -> Trips:
    """By the names of the chat templates. Raises Unavailable."""
    found = {}
    for pair in pairs():
        with Renderer(pair.chat_template) as renderer:
            found[pair.chat_name] = round_trip(renderer, pair.template)
    return found


def derived() -> Trips:
    """The same, of those for which something can be derived. Raises Unavailable."""
    trl = [(name, source, Dialect.HUGGING_FACE) for name, source in trl_chat_templates().items()]
    llama = [(name, source, Dialect.LENIENT) for name, source in llama_chat_templates().items()]
    with ProcessPoolExecutor(2) as pool:
        trips = pool.map(_derived, [*trl, *llama])
    return {name: trip for name, trip in trips if trip is not None}


def _derived(task: tuple[str, str, Dialect]) -> tuple[str, RoundTrip | None]:
    name, source, dialect = task
    with Renderer(source, TOKENS, dialect=dialect) as renderer:
        try:
            return name, derive(renderer).round_trip
        except (NotRendered, TooMuch):
            return name, None


def tables(of_pairs: Trips, of_all: Trips) -> str:
    """All that stands in the README."""
    parts = [
        [*by_feature(of_pairs, of_all)],
        [f"What isn't exact of the {len(of_pairs)} published pairs:"],
        [*losses(of_pairs)],
        [f"And of the {len(of_all)} derived templates:"],
        [*losses(of_all)],
        [
            f"llama.cpp's own parser, on the {len(RECORDED)} chat templates for which its results are at hand: of how",
            "many a turn comes back exact; and for the derived templates, of how many there was nothing to parse:",
        ],
        [*compared(of_all)],
    ]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def by_feature(of_pairs: Trips, of_all: Trips) -> Iterator[str]:
    """A row for each feature: how many came back exact, lossy and wrong, and how many there was nothing to parse of."""
    yield "| feature | published: exact | lossy | wrong | nothing | derived: exact | lossy | wrong | nothing |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for conversation in CONVERSATIONS:
        cells = [*_counts(of_pairs, conversation.feature), *_counts(of_all, conversation.feature)]
        yield f"| {conversation.feature} | {' | '.join(map(str, cells))} |"
    totals = [*_counts(of_pairs), *_counts(of_all)]
    yield f"| **all** | {' | '.join(f'**{count}**' for count in totals)} |"


def _counts(trips: Trips, feature: str = "") -> list[int]:
    found = [result for trip in trips.values() for result in trip.results if feature in ("", result.feature)]
    judged = [sum(result.verdict is verdict for result in found) for verdict in PARSED]
    return [*judged, len(found) - sum(judged)]


def losses(trips: Trips) -> Iterator[str]:
    """A row for each kind of loss, the worst first: in which features, with which chat templates, and why."""
    kinds: dict[tuple[int, str, str], list[tuple[str, Result]]] = {}
    for name, trip in trips.items():
        for result in trip.results:
            if result.verdict in (Verdict.LOSSY, Verdict.WRONG):
                told = ", ".join(result.lost) + (", without what ends the turn" if result.only_bare else "")
                kind = -PARSED.index(result.verdict), told, _why(name, told, result.feature)
                kinds.setdefault(kind, []).append((name, result))
    yield "| | what | features | chat templates | why |"
    yield "|---|---|---|---|---|"
    for (rank, told, why), found in sorted(kinds.items(), key=lambda kind: (kind[0][0], -len(kind[1]), kind[0][1])):
        features = _some(dict.fromkeys(result.feature for _, result in found))
        names = _some(dict.fromkeys(name.removesuffix(".jinja") for name, _ in found))
        yield f"| {PARSED[-rank]} | {told} | {features} | {names} | {why} |"


def _why(name: str, told: str, feature: str) -> str:
    return next(
        (why for part, named, why in REASONS if (part in told or part == f"[{feature}]") and named in name.lower()), ""
    )


def _some(names: Iterable[str]) -> str:
    listed = [*names]
    more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    return ", ".join(listed[:_NAMED]) + more


def compared(trips: Trips) -> Iterator[str]:
    """How llama.cpp's parser does on the same features, where that is on record."""
    yield "| feature | llama.cpp: exact | derived: exact | nothing |"
    yield "|---|---|---|---|"
    for feature, theirs in COMPARED.items():
        found = [result for name in RECORDED for result in trips[name].results if result.feature == feature]
        exact = sum(result.verdict is Verdict.EXACT for result in found)
        nothing = sum(result.verdict not in PARSED for result in found)
        yield f"| {feature} | {len(exact_turns(theirs))} | {exact} | {nothing} |"


def main(arguments: Sequence[str]) -> None:
    made = tables(published(), derived())
    if arguments == ["--print"]:
        print(made)
    else:
        PART.write(made)


if __name__ == "__main__":
    main(sys.argv[1:])
