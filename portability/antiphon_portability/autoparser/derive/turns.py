"""How a chat template writes an assistant's turn, read from its renders: what stands around the needles.

Nothing here knows of response templates; `fields` makes one of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from antiphon_portability.autoparser.analysis.conversations import ANSWER, REASONING
from antiphon_portability.autoparser.analysis.results import Analysis
from antiphon_portability.chat import NotRendered

from . import gaps, probes
from .beginnings import anchors_of, behind_header, header_of
from .calls import Calls
from .families import Family, family
from .framing import Frame
from .probes import STOP, Manner, Probes, Prompt
from .reading import read_calls, writes_bare_python

_USUAL_MARKS: Final = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))
"""Around reasoning, where only the source names them."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A part of a turn between two markers, and its key in the message.

    `shown`: by what; `sure`: whether that is more than a guess.
    """

    start: str = ""
    end: str = ""
    key: str = ""
    shown: str = ""
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Turn:
    """An assistant's turn. An empty content start: the answer has no marker of its own.

    `ends`: what may end it. `stray`: the end of reasoning, if turns without any begin with it.
    `bare_python`: whether calls are written as Python does, but not as one list; then there are none here.
    """

    anchors: tuple[str, ...]
    generation_prompt: str = ""
    reasoning: Wrapped | None = None
    content: Wrapped = field(default_factory=Wrapped)
    calls: Calls | None = None
    ends: tuple[str, ...] = ()
    stray: str = ""
    family: Family = field(default_factory=Family)
    bare_python: bool = False
    unsettled: tuple[str, ...] = ()


def read_turn(asked: Probes, analysis: Analysis) -> Turn:
    """Raises NotRendered if not even a question can be rendered; TooMuch."""
    asked, prompts = _prompts(asked)
    row = family(analysis.specialized, asked.renderer.chat_template)
    answer = asked.turn(ANSWER) or asked.turn(ANSWER, [asked.both_arguments(0)]) or ""
    before = answer.partition(ANSWER)[0]
    header = header_of(prompts, before, _openers(row, analysis, prompts[0]))
    reasoning = _reasoning(asked, analysis, row, header, prompts, answer)
    content = _content(row, reasoning, header, answer)
    ends = _ends(asked, answer, content)
    openers = [part for part in (reasoning.start if reasoning else "", content.start) if part.strip()]
    stray = reasoning.end if reasoning and behind_header(before, header).lstrip().startswith(reasoning.end) else ""
    anchors = anchors_of(prompts, header, analysis.assistant_start, openers, reasoning.end if reasoning else "")
    frame = _frame(header, anchors, reasoning, content, ends)
    calls = row.calls or read_calls(asked, frame) or row.calls_if_unseen
    ends = tuple(dict.fromkeys((*ends, *_end_of_calls(asked, calls))))
    return Turn(
        anchors=anchors,
        generation_prompt=prompts[0].generation,
        reasoning=reasoning,
        content=content,
        calls=calls,
        ends=tuple(end for end in ends if STOP not in end),
        stray=stray,
        family=row,
        bare_python=calls is None and writes_bare_python(asked, frame),
        unsettled=tuple(_unsettled(asked, anchors, reasoning, calls, ends)),
    )


def _prompts(asked: Probes) -> tuple[Probes, list[Prompt]]:
    """Probes in a manner that the chat template understands, and its prompts."""
    prompts = asked.prompts()
    if not prompts:
        asked = Probes(asked.renderer, Manner(typed_content=True))
        prompts = asked.prompts()
    if not prompts:
        raise NotRendered(asked.why_not or "no prompt shows the question that it was given")
    better = asked.that_show_calls()
    return (asked, prompts) if better is None or better.manner == asked.manner else (better, better.prompts())


def _unsettled(
    asked: Probes, anchors: Sequence[str], reasoning: Wrapped | None, calls: Calls | None, ends: Sequence[str]
) -> Iterator[str]:
    if not anchors:
        yield "where a turn begins: prompts end with the question; all of a prompt is taken for what came before"
    if any(STOP in end for end in ends):
        yield "what ends a turn: the chat template writes eos_token, and nobody said what that is; give the tokenizer's"
    elif not ends:
        yield "what ends a turn: nothing stands between an answer and the next question"
    if reasoning is not None and not reasoning.sure:
        yield f"where reasoning stands: no turn shows any; taken from {reasoning.shown}"
    if calls is None and "tool" in asked.renderer.chat_template:
        yield "how calls are written: no turn shows one, or not so that it can be told from an answer"


def _frame(
    header: str, anchors: Sequence[str], reasoning: Wrapped | None, content: Wrapped, ends: Sequence[str]
) -> Frame:
    wrapped = [reasoning, content] if reasoning else [content]
    before = [text.strip() for part in wrapped for text in (part.start, part.end)]
    behind = [*ends, STOP, *anchors, gaps.first_mark(header)]
    return Frame(header, tuple(text for text in (*before, *ends) if text), tuple(text for text in behind if text))


# -- the turn's parts


def _openers(row: Family, analysis: Analysis, prompt: Prompt) -> list[str]:
    """What is known to begin a part of the turn, so isn't its header; nor is it what the header begins with."""
    known = [row.reasoning[0] if row.reasoning else "", row.content[0] if row.content else ""]
    start = analysis.reasoning.start.strip()
    if not prompt.generation.lstrip().startswith(start):
        known.append(start)
    return [text for text in known if text]


def _reasoning(
    asked: Probes, analysis: Analysis, row: Family, header: str, prompts: Sequence[Prompt], answer: str
) -> Wrapped | None:
    """Between what markers it stands: as a render shows it, or else by what prompts and the source let expect."""
    shown = _shown_reasoning(asked, header, answer)
    key = shown.key if shown else probes.REASONING_KEYS[0]
    if row.reasoning:
        return Wrapped(*row.reasoning, key, "what the family is known for")
    if shown is not None:
        return shown
    found = analysis.reasoning
    if found.end:
        start = "" if found.start.strip() in header else found.start.strip()
        return Wrapped(
            start, found.end.strip(), key, "prompts with thinking on and off (R2), or its source", sure=False
        )
    opened = next((mark for prompt in prompts if (mark := _opened(prompt, header))), "")
    if opened:
        return Wrapped(
            opened, gaps.mirrored(opened), key, "prompts, which begin it; how it ends is a guess", sure=False
        )
    if row.reasoning_if_unseen:
        return Wrapped(*row.reasoning_if_unseen, key, "what the family is known for", sure=False)
    source = asked.renderer.chat_template
    named = next((marks for marks in _USUAL_MARKS if marks[1] in source), None)
    return Wrapped(*named, key, "its source, which names the markers", sure=False) if named else None


def _opened(prompt: Prompt, header: str) -> str:
    """The marker that a prompt ends with, and a turn's header doesn't have."""
    begun = header.lstrip()
    rest = prompt.generation.lstrip().removeprefix(begun).strip() if begun in prompt.generation else ""
    return rest if gaps.tokens(rest) == [rest] and gaps.is_marker(rest) and rest.lstrip("<[")[:1].isalpha() else ""


def _shown_reasoning(asked: Probes, header: str, answer: str) -> Wrapped | None:
    answers_start = behind_header(answer.partition(ANSWER)[0], header).strip()
    for key in (*probes.REASONING_KEYS, probes.TYPED):
        for calls in ((), (asked.both_arguments(0),)):
            turn = asked.turn(ANSWER, calls, REASONING, key=key)
            if turn is None or REASONING not in turn:
                continue
            before, _, behind = turn.partition(REASONING)
            start = behind_header(before, header).rpartition(ANSWER)[2].strip()
            if key == probes.TYPED and "type" in start:
                continue  # the content is only printed
            end = _end_of_reasoning(behind, answers_start)
            if not end:
                continue  # nothing tells it from what comes next
            name = probes.REASONING_KEYS[0] if key == probes.TYPED else key
            return Wrapped(start, end, name, f"a turn with {key}" + " and a call" * bool(calls) + " (R1)")
    return None


def _end_of_reasoning(behind: str, answers_start: str) -> str:
    """The first marker behind reasoning; or all that stands there before an answer that has a start of its own."""
    between, answer, _ = behind.partition(ANSWER)
    own = between.rstrip().removesuffix(answers_start).strip() if answer and answers_start else ""
    return own if own and not gaps.has_mark(own) else gaps.first_mark(between)


def _content(row: Family, reasoning: Wrapped | None, header: str, answer: str) -> Wrapped:
    """What stands before an answer and isn't reasoning's."""
    before, _, behind = answer.partition(ANSWER)
    if row.content:
        return Wrapped(*row.content, "content", "what the family is known for")
    start = gaps.without_start(behind_header(before, header), [reasoning.start, reasoning.end] if reasoning else [])
    if not start.strip():
        return Wrapped()
    return Wrapped(start, gaps.first_mark(behind), "content", "a turn with nothing but an answer (C1)")


def _ends(asked: Probes, answer: str, content: Wrapped) -> tuple[str, ...]:
    """The first marker behind an answer; where there is none, the one that begins the next turn."""
    behind = answer.partition(ANSWER)[2]
    own = gaps.first_mark(behind)
    if not own or own[0].isalnum():
        turn = asked.turn(ANSWER, then="NEXT_QUESTION") or ""
        behind = turn.partition(ANSWER)[2]
        own = gaps.first_mark(behind) if gaps.has_mark(behind) else behind.rstrip()
    found = [own]
    if content.end and content.end.strip() in behind:
        found.append(gaps.first_mark(behind.partition(content.end.strip())[2]))
    return tuple(end for end in dict.fromkeys(found) if end)


def _end_of_calls(asked: Probes, calls: Calls | None) -> tuple[str, ...]:
    """The first marker behind a call's own end, if a tool's result comes next."""
    text = asked.answered_call() if calls is not None and calls.end else None
    if calls is None or text is None or calls.end not in text:
        return ()
    rest = text.rpartition(calls.end)[2].strip()
    for part in calls.section_end:
        rest = rest.removeprefix(part).strip()
    mark = gaps.first_mark(rest)
    return (mark,) if gaps.is_marker(mark) and rest.startswith(mark) else ()
