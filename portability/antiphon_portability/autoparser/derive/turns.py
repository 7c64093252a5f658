"""How a chat template writes an assistant's turn, read from its renders: what stands around the needles.

Nothing here knows of response templates; `fields` makes one of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from antiphon_portability.autoparser.analysis.conversations import ANSWER, FUNCTION, REASONING
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
    content = _content(asked, row, reasoning, header, answer)
    ends = _ends(asked, header, answer, content)
    openers = [part for part in (reasoning.start if reasoning else "", content.start) if part.strip()]
    thoughts_end = reasoning.end.strip() if reasoning else ""
    stray = thoughts_end if behind_header(before, header).lstrip().startswith(thoughts_end) else ""
    anchors = anchors_of(prompts, header, analysis.assistant_start, openers, thoughts_end)
    frame = _frame(header, anchors, reasoning, content, ends)
    calls = row.calls or read_calls(asked, frame) or row.calls_if_unseen
    ends = tuple(dict.fromkeys((*ends, *_end_of_calls(asked, calls))))
    turn = Turn(
        anchors=anchors,
        generation_prompt=prompts[0].generation,
        reasoning=reasoning,
        content=content,
        calls=calls,
        ends=tuple(end for end in ends if STOP not in end),
        stray=stray,
        family=row,
        bare_python=calls is None and writes_bare_python(asked, frame),
    )
    return replace(turn, unsettled=tuple(_unsettled(turn, ends, asked.renderer.chat_template)))


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


def _unsettled(turn: Turn, ends: Sequence[str], source: str) -> Iterator[str]:
    """`ends`: those of the turn, and those that nobody said what they are."""
    reasoning = turn.reasoning
    if not turn.anchors:
        yield "where a turn begins: prompts end with the question; all of a prompt is taken for what came before"
    if any(STOP in end for end in ends):
        yield "what ends a turn: the chat template writes eos_token, and nobody said what that is; give the tokenizer's"
    elif not ends:
        yield "what ends a turn: nothing stands between an answer and the next question"
    if reasoning is not None and not reasoning.sure:
        yield f"where reasoning stands: no turn shows any; taken from {reasoning.shown}"
    if reasoning is not None and not reasoning.end:
        yield "where reasoning ends before an answer: only white space parts them; it goes on to a call, or the end"
    if reasoning is not None and not (reasoning.start or turn.content.start or turn.stray):
        yield "where an answer without reasoning begins: nothing tells it from reasoning, and it's taken for that"
    if turn.calls is None and not turn.bare_python and "tool" in source:
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
    without_end = None
    for key in (*probes.REASONING_KEYS, probes.TYPED):
        for calls in ((), (asked.both_arguments(0),)):
            turn = asked.turn(ANSWER, calls, REASONING, key=key)
            if turn is None or REASONING not in turn:
                continue
            before, _, behind = turn.partition(REASONING)
            start = behind_header(before, header).rpartition(ANSWER)[2].strip()
            if key == probes.TYPED and "type" in start:
                continue  # the content is only printed
            alone = (asked.turn("", (), REASONING, key=key) or "").partition(REASONING)[2]
            next_turn = gaps.first_mark(header)
            end = _end_of_reasoning(behind, answers_start, alone.partition(next_turn)[0] if next_turn else alone)
            name = probes.REASONING_KEYS[0] if key == probes.TYPED else key
            found = Wrapped(start, end, name, f"a turn with {key}" + " and a call" * bool(calls) + " (R1)")
            if end:
                return found
            if start and without_end is None and behind.strip():
                without_end = found
    return without_end


def _end_of_reasoning(behind: str, answers_start: str, behind_alone: str) -> str:
    """What stands behind it, with an answer and without; or its first marker; or all before the answer's start."""
    between, answer, _ = behind.partition(ANSWER)
    own = between.rstrip().removesuffix(answers_start) if answer and answers_start else ""
    shared = gaps.common_start(own or between, behind_alone) if answer else ""
    if not shared.strip():
        shared = own if own.strip() and not gaps.has_mark(own) else gaps.first_mark(between)
    is_line = "\n" in gaps.space_before(shared) and not gaps.is_markup(shared)
    return "\n" * is_line + shared.strip()


def _content(asked: Probes, row: Family, reasoning: Wrapped | None, header: str, answer: str) -> Wrapped:
    """What stands before an answer and isn't reasoning's."""
    before, _, behind = answer.partition(ANSWER)
    if row.content:
        return Wrapped(*row.content, "content", "what the family is known for")
    wrapped = [reasoning.start, reasoning.end.strip()] if reasoning else []
    start = gaps.without_start(behind_header(before, header), wrapped)
    if reasoning and reasoning.end:
        start = start.rpartition(reasoning.end)[2]
    if not start.strip():
        return Wrapped()
    end = gaps.first_mark(behind)
    with_call = asked.turn(ANSWER, [asked.both_arguments(0)]) or ""
    before_call, _, behind_call = with_call.partition(ANSWER)[2].partition(FUNCTION)
    is_turns_end = end in behind_call and end not in before_call
    return Wrapped(start, "" if is_turns_end else end, "content", "a turn with nothing but an answer (C1)")


def _ends(asked: Probes, header: str, answer: str, content: Wrapped) -> tuple[str, ...]:
    """The markers behind an answer; where there is none, what stands before the next turn, or begins it."""
    behind = answer.partition(ANSWER)[2]
    found = [gaps.first_mark(behind), *gaps.further_marks(behind, gaps.tokens(header))]
    if not found[0] or found[0][0].isalnum():
        turn = asked.turn(ANSWER, then="NEXT_QUESTION") or ""
        behind = turn.partition(ANSWER)[2]
        found = [gaps.first_mark(behind) if gaps.has_mark(behind) else behind.rstrip()]
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
