"""When each event is due: DUE-1 taken literally, by brute force over continuations.

E(s·c) is computed for the text so far and each of many continuations c; what all have in common is determined. A
finite set of continuations can only find too much determined, never too little, so a moment found here is a lower
bound; it is confirmed when a sound implementation emits at that very moment. The continuations are therefore made from
the template (whole delimiters, their combinations, what their patterns may still want at that place, short texts over
their letters) and from the text itself.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from antiphon_portability.regex import parse as parse_pattern
from antiphon_portability.regex.nodes import Pattern

from oracles.completions import Automaton, States, automaton
from oracles.values import JSON, Captures
from oracles.whole_text import (
    Event,
    Expression,
    Fault,
    Grammar,
    Literals,
    Message,
    by_code_point,
    common_beginning,
    string_delims,
)

Due = int | None  # code points of the generation; None: only at the end

PLAIN = tuple("axA7 \n\t\"'<>{}[]():,.-_/|é")
ENDINGS = ("", "x", "\n", "\nx", " x", '"}', '"}]', "}", "}}", "]", '": 1}', "null")
PER_STATE, DYNAMIC = 5, 200  # proposals from one automaton state, and at one place of the text
PAIRS, LETTERS = 8, 4  # how many delimiters are paired, and letters are combined exhaustively


@dataclass(frozen=True)
class Trace:
    """The events of a generation, a chunk a code point, each with the number of code points of the generation after
    which it is determined (`due`, as long as `events`, and one more for the error if there is one)."""

    head: str
    events: list[Event]
    error: Fault | None
    due: list[Due]


class Quick(Grammar):
    """A grammar that remembers the values of regions: most continuations leave most regions as they were."""

    def __init__(self, template: Mapping[str, JSON], tools: list[JSON] | None, on_malformed: str) -> None:
        super().__init__(template, tools, on_malformed)
        self.known: dict[tuple[str, str, tuple[tuple[str, str], ...]], JSON | Fault] = {}

    def value(self, name: str, text: str, captures: Captures) -> JSON | Fault:
        key = (name, text, tuple(captures.items()))
        if key not in self.known:
            self.known[key] = super().value(name, text, captures)
        return self.known[key]


class Unwritten(Message):
    """A message that nobody reads. `field-missing` comes at the end, whatever was determined before (ERROR-3)."""

    def write(self, name: str, value: JSON) -> None:
        pass

    def missing(self) -> None:
        return None


def determined(
    template: Mapping[str, JSON], head: str, text_so_far: str, continuations: Iterable[str]
) -> list[Event | Fault]:
    """DUE-1 for one text: the longest common beginning, by code points, of the events of all continuations and of the
    text itself."""
    grammar = Quick(template, None, "raise")
    stream = head + text_so_far
    whole = list(grammar.events(stream, Unwritten(template)))
    count = size(whole)
    for continuation in continuations:
        count = common_beginning(whole, grammar.events(stream + continuation, Unwritten(template)), count)
    split: list[Event | Fault] = [*by_code_point([e for e in whole if not isinstance(e, Fault)])]
    return [*split, *(e for e in whole if isinstance(e, Fault))][:count]


def trace(
    template: Mapping[str, JSON],
    text: str,
    *,
    prefix: str | None = "",
    tools: list[JSON] | None = None,
    on_malformed: str = "raise",
    seed: int = 0,
) -> Trace:
    """The events of a generation and when each is due, as far as the continuations can tell.

    What is determined by s·c is determined by nothing shorter unless by s too, so the text is gone through from its
    end: the bound found at a place is also a bound for all places before it, and serves as its continuations' tails.
    """
    if prefix is None:
        return Trace("", [], Fault("prefix-missing"), [0])
    grammar = Quick(template, tools, on_malformed)
    head = grammar.head(prefix)
    whole = list(grammar.events(head + text, Message(grammar.template)))
    error = whole[-1] if whole and isinstance(whole[-1], Fault) else None
    events = by_code_point([event for event in whole if not isinstance(event, Fault)])
    proposals = Proposals(grammar, head + text, seed)
    bound = size(whole) - (error is not None and error.kind == "field-missing")
    due: list[Due] = [None] * size(whole)
    nothing = Unwritten(template)
    for fed in range(len(text), -1, -1):
        for continuation in proposals.at(len(head) + fed):
            if bound == 0:
                break
            stream = head + text[:fed] + continuation
            bound = common_beginning(whole, grammar.events(stream, nothing), bound)
        due[:bound] = [fed] * bound
    fault = error and replace(error, position=error.position - len(head))
    return Trace(head, events, fault, due)


def size(events: list[Event | Fault]) -> int:
    """How many elements E(x) has if chunks are counted by code points."""
    return sum(len(e["text"]) if not isinstance(e, Fault) and e["type"] == "region_chunk" else 1 for e in events)


class Proposals:
    """The continuations tried at each place of a stream."""

    def __init__(self, grammar: Grammar, stream: str, seed: int) -> None:
        self.stream = stream
        self.seed = seed
        words = tuple(dict.fromkeys(re.findall(r"\w+|[^\w\s]+", stream)))[-8:]
        self.automata = [automaton(source, words) for source in delimiter_sources(grammar)]
        self.tokens = list(dict.fromkeys(text for a in self.automata for text in a.samples(a.start)[:3] if text))
        self.always = list(dict.fromkeys(self.everywhere()))
        self.alive = list(zip(*(alive_along(a, stream) for a in self.automata), strict=True))

    def everywhere(self) -> Iterator[str]:
        """The continuations that are tried at every place."""
        yield from ENDINGS
        yield from PLAIN
        yield from self.tokens
        for token in self.tokens:
            yield from (f"{token}x", f"x{token}", f"{token}\n", f"\n{token}", f" {token}", token[:-1])
        for first, second in itertools.product(self.tokens[:PAIRS], repeat=2):
            yield from (first + second, f"{first}x{second}y")
        for machine in self.automata:
            for state in machine.closure([machine.start]):
                yield from machine.samples(state)
        yield from self.short_texts()

    def short_texts(self) -> Iterator[str]:
        """Each letter that occurs, and all short texts over the letters if they are few, else over the delimiters'
        first and last ones."""
        named = "".join(c for machine in self.automata for c in machine.named_characters())
        letters = dict.fromkeys("".join(self.tokens) + self.stream + named)
        yield from (c * times for c in letters for times in (1, 2, 3))
        if len(letters) > LETTERS:
            letters = dict.fromkeys(c for token in self.tokens for c in (token[0], token[-1]))
        few = list(letters)[:LETTERS]
        for length in (2, 3, 4) if len(few) < LETTERS else (2, 3):
            yield from map("".join, itertools.product(few, repeat=length))

    def at(self, place: int) -> Iterator[str]:
        """All continuations for the stream up to `place`, those made for it first."""
        yield from self.made_for(place)
        yield from self.always

    def made_for(self, place: int) -> list[str]:
        """What the patterns that are under way at `place` may still want."""
        rng = random.Random(self.seed * 1000 + place)
        proposed: dict[str, None] = {}
        for states, machine in zip(self.alive[place] if self.alive else (), self.automata, strict=False):
            for state in states - machine.closure([machine.start]):
                for text in machine.samples(state)[:PER_STATE]:
                    proposed.update(dict.fromkeys((text, f"{text}x", text + rng.choice(self.tokens or [""]))))
        texts = [*proposed, *(a + b for a, b in zip(rng.sample([*proposed], len(proposed)), proposed, strict=True))]
        return texts if len(texts) <= DYNAMIC else rng.sample(texts, DYNAMIC)


def delimiter_sources(grammar: Grammar) -> Iterator[Pattern | str]:
    """Literals and parsed patterns of all delimiters of a template, those of strings included if they matter."""
    for delimiter in (*grammar.opens, *grammar.closes.values()):
        match delimiter.searcher:
            case Literals(literals):
                yield from literals
            case Expression(source):
                yield parse_pattern(source)
    for spec in grammar.template["fields"].values():
        if spec.get("close_outside_strings", False):
            yield from dict.fromkeys(delim for pair in string_delims(spec) for delim in pair)


def alive_along(machine: Automaton, stream: str) -> list[States]:
    """The automaton's states before each code point of the stream and at its end."""
    states = machine.closure([machine.start])
    result = [states]
    for c in stream:
        states = machine.step(states, c)
        result.append(states)
    return result


# ---- the events as case files have them ----------------------------------------------------------------------------


def timed_events(found: Trace) -> list[Event]:
    """The events with `at`: a number, "end", or `[first, last]` for a chunk whose code points are due one by one."""
    result: list[Event] = []
    for event, due in zip(found.events, found.due, strict=False):
        if not (event["type"] == "region_chunk" and extends(result, event, due)):
            result.append({**event, "at": at(due)})
    return joined_runs(result)


def extends(result: list[Event], event: Event, due: Due) -> bool:
    """Add a code point to the last chunk if it is the same region's and due at the same moment."""
    last = result[-1] if result else {}
    if last.get("type") != "region_chunk" or last["at"] != at(due):
        return False
    last["text"] += event["text"]
    return True


def joined_runs(events: list[Event]) -> list[Event]:
    """Adjacent chunks of one code point that are due one after the other, made into one."""
    result: list[Event] = []
    for event in events:
        last = result[-1] if result else {}
        chunks = last.get("type") == event["type"] == "region_chunk"
        if chunks and follows(last, event):
            first = last["at"][0] if isinstance(last["at"], list) else last["at"]
            last["text"] += event["text"]
            last["at"] = [first, event["at"]]
        else:
            result.append(event)
    return result


def follows(last: Event, event: Event) -> bool:
    one_by_one = isinstance(last["at"], list) or len(last["text"]) == 1
    moment = last["at"][1] if isinstance(last["at"], list) else last["at"]
    return one_by_one and len(event["text"]) == 1 and moment != "end" and event["at"] == moment + 1


def at(due: Due) -> int | str:
    return "end" if due is None else due
