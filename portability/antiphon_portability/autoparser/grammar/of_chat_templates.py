"""What grammars for a chat template are made of: its analysis, if that is right, else a response template made of it.

llama.cpp reads some families by hand, since their analysis is wrong; and some calls are written in ways that no
analysis has. So the chat template's own turns decide: its grammar has to take what the chat template writes of one
call, and of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from antiphon_portability.autoparser.analysis.results import Analysis, ToolMode
from antiphon_portability.autoparser.derive import derive
from antiphon_portability.autoparser.grammar import remainders
from antiphon_portability.autoparser.grammar.errors import GrammarError
from antiphon_portability.autoparser.grammar.grammars import (
    Constraint,
    Grammar,
    ToolChoice,
    constrain,
    read_by_hand,
)
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, Conversation, Result, Verdict, round_trip
from antiphon_portability.chat import NotRendered, Renderer

_COMES_BACK: Final = (Verdict.EXACT, Verdict.LOSSY)
_PLACE: Final = "the chat template"
_BY_HAND: Final = "write a response template (antiphon derive makes a first one), and give that to antiphon grammar"
_ONE, _SEVERAL = (
    next(one for one in CONVERSATIONS if one.feature == feature) for feature in ("one call", "parallel calls")
)


@dataclass(frozen=True, slots=True)
class Source:
    """An analysis, or a response template's document, and what `constrain` is to be told beside it.

    `parallel`: whether several calls in a message are known to be read. `instead`: why it isn't the analysis.
    """

    found: Analysis | Mapping[str, Any]
    ends: tuple[str, ...] = ()
    prompt: str | None = None
    parallel: bool = True
    instead: str = ""

    def constrain(
        self,
        tools: Any,
        *,
        tool_choice: ToolChoice = ToolChoice.AUTO,
        parallel: bool = True,
        prompt: str | None = None,
    ) -> Constraint:
        """`constrain`, with a note on what is taken. `prompt`: one that ends otherwise. Raises GrammarError."""
        made = constrain(
            self.found,
            tools,
            tool_choice=tool_choice,
            parallel=parallel and self.parallel,
            ends=self.ends,
            prompt=self.prompt if prompt is None else prompt,
        )
        told = made.calls.rules.note
        if self.instead:
            told(_PLACE, f"{self.instead}; the grammar is of the response template made of it (antiphon derive)")
        if parallel and not self.parallel:
            told(_PLACE, "writes no message with several calls, so the grammar has one call")
        return made


def source_of(renderer: Renderer) -> Source:
    """What grammars for a chat template are made of.

    Raises GrammarError where none takes what the chat template writes; NotRendered; TooMuch.
    """
    derived = derive(renderer, prove=False)
    one, several = round_trip(renderer, derived.template, (_ONE, _SEVERAL)).results
    _check(one)
    turns = [_Turn(_ONE, one), *([_Turn(_SEVERAL, several)] if several.verdict in _COMES_BACK else [])]
    ends = (one.end,) if one.end else ()
    analysed = Source(derived.analysis, ends, _prompt(renderer) or one.prompt, len(turns) > 1)
    instead = _fault_of(derived.analysis) or _refused(derived.analysis, turns, ())
    if not instead:
        return analysed
    refused = _refused(derived.template, turns, ends)
    if refused:
        raise GrammarError(_PLACE, f"{instead}; and of the response template made of it, {refused}; {_BY_HAND}")
    return replace(analysed, found=derived.template, instead=instead)


def _prompt(renderer: Renderer) -> str:
    """The prompt that asks for a call; empty where it can't be rendered alone. Raises TooMuch."""
    with suppress(NotRendered):
        return renderer.render(_ONE.before, tools=_ONE.tools, add_generation_prompt=True)
    return ""


def _check(one: Result) -> None:
    """Whether a call comes back. Raises GrammarError."""
    if one.verdict is Verdict.NOT_WRITTEN:
        raise GrammarError(_PLACE, "writes no tool calls; without them there is nothing to constrain")
    if one.verdict not in _COMES_BACK:
        problem = f"the response template made of it doesn't read a call that it writes ({one.reason or one.lost[0]})"
        raise GrammarError(_PLACE, f"{problem}; {_BY_HAND}")


def _fault_of(analysis: Analysis) -> str:
    if analysis.specialized:
        return read_by_hand(analysis)
    return "its analysis shows no calls" if analysis.tools.format.mode is ToolMode.NONE else ""


@dataclass(frozen=True)
class _Turn:
    conversation: Conversation
    result: Result

    def is_taken(self, found: Grammar) -> bool:
        return any(remainders.takes(found.rules, text) for text in self._texts(found))

    def _texts(self, found: Grammar) -> Iterator[str]:
        """What a grammar is about, with the token that ends the turn, and without it."""
        prompt, text = self.result.prompt, self.result.text
        whole = prompt + text
        starts = [whole.find(trigger, max(len(prompt) - len(trigger), 0)) for trigger in found.triggers]
        if found.lazy and max(starts) < 0:
            return
        text = whole[min(start for start in starts if start >= 0) :] if found.lazy else found.prompt + text
        for ended in dict.fromkeys((text, text.removesuffix(self.result.end))):
            yield from dict.fromkeys((ended, ended.rstrip()))


def _refused(source: Analysis | Mapping[str, Any], turns: Sequence[_Turn], ends: tuple[str, ...]) -> str:
    """Why there is no grammar that takes the turns; the empty text if there is one."""
    for turn in turns:
        try:
            found = _grammar(source, turn, ends)
        except GrammarError as error:
            return error.problem.partition("; ")[0]
        if not turn.is_taken(found):
            return f"its grammar refuses what the chat template writes of {turn.conversation.feature}"
    return ""


def _grammar(source: Analysis | Mapping[str, Any], turn: _Turn, ends: tuple[str, ...]) -> Grammar:
    """From a trigger on, if there is one; else of the whole message."""
    of_turn = Source(source, ends, turn.result.prompt)
    tools = list(turn.conversation.tools)
    try:
        return of_turn.constrain(tools).grammar()
    except GrammarError:
        return of_turn.constrain(tools, tool_choice=ToolChoice.REQUIRED).grammar()
