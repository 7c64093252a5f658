"""Grammars for a request: calls of its tools, when they may or have to be made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from antiphon_portability.autoparser.analysis.results import Analysis
from antiphon_portability.autoparser.grammar import from_analysis, from_template, gbnf, remainders, xgrammar
from antiphon_portability.autoparser.grammar.calls import Calls
from antiphon_portability.autoparser.grammar.errors import GrammarError, Note, ToolsError
from antiphon_portability.autoparser.grammar.expressions import NEVER, NOTHING, Expression, Repeat, sequence
from antiphon_portability.autoparser.grammar.tools import read_tools

_ASK: Final = (
    "ask for that (--tool-choice required), or, for a chat template, make a response template of it (antiphon derive), "
    "and give that to antiphon grammar"
)
_MOST_SHOWN: Final = 40  # code points of a prompt's end


class ToolChoice(StrEnum):
    AUTO = "auto"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar in GBNF, and what an engine needs beside it.

    With `lazy`, a model writes as it likes until a text of `triggers` comes; the grammar is about that text and all
    that follows. Else it is about the whole message, and is fed `prompt` first. `preserved_tokens`: marks that a
    tokenizer has to keep whole where it has them. `rules`: the same grammar as expressions, `root` first.
    """

    gbnf: str
    triggers: tuple[str, ...]
    preserved_tokens: tuple[str, ...]
    lazy: bool
    prompt: str
    notes: tuple[Note, ...]
    rules: Mapping[str, Expression]

    def as_json(self) -> dict[str, Any]:
        """As a JSON value, without the rules as expressions."""
        named = ("gbnf", "lazy", "triggers", "preserved_tokens", "prompt")
        return {name: getattr(self, name) for name in named} | {"notes": [asdict(note) for note in self.notes]}


@dataclass(frozen=True)
class Constraint:
    """What a model is held to: calls of some tools, in whatever notation an engine reads."""

    calls: Calls
    tool_choice: ToolChoice

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a model isn't held to, though the tools ask for it."""
        return tuple(self.calls.rules.notes)

    def grammar(self) -> Grammar:
        """In GBNF. Raises GrammarError."""
        calls, lazy = self.calls, self.tool_choice is ToolChoice.AUTO
        if lazy:
            self._check_triggers()
        bodies = self._finished(self._root) if lazy else self._message()
        triggers, prompt = (calls.triggers, "") if lazy else ((), calls.prompt)
        return Grammar(gbnf.write(bodies), triggers, calls.preserved, lazy, prompt, self.notes, bodies)

    def structural_tag(self) -> dict[str, Any]:
        """As XGrammar's structural tag, a JSON value; about what is behind the prompt. Raises GrammarError."""
        calls = self.calls
        if self.tool_choice is ToolChoice.REQUIRED:
            return xgrammar.whole(self._message(), calls.prompt)
        self._check_triggers()
        end = calls.end if calls.more is None else calls.close  # between tags, any text may stand
        return xgrammar.triggered(self._finished(sequence(calls.unit, end)), calls.triggers, calls.more is None)

    def _check_triggers(self) -> None:
        if not self.calls.triggers:
            raise GrammarError("the calls", f"no mark says that one begins, so a model can only have to call; {_ASK}")

    def _message(self) -> dict[str, Expression]:
        """The rules of a whole message."""
        bodies, prompt = self._finished(sequence(self.calls.before, self._root)), self.calls.prompt
        if remainders.behind(bodies, prompt) == NEVER:
            shown = repr(prompt[-_MOST_SHOWN:])
            raise GrammarError("the prompt", f"ends in {shown}, which no message with calls begins with; give another")
        return bodies

    def _finished(self, root: Expression) -> dict[str, Expression]:
        bodies = self.calls.rules.finished(root)
        if not bodies:
            place = next(iter(self.calls.rules.empty), "")
            problem = (
                "no finite text fits that is read back; look for values that contradict each other or can't be written "
                "in this format, or for a $ref that leads to itself"
            )
            raise ToolsError(place, problem)
        return bodies

    @property
    def _root(self) -> Expression:
        calls = self.calls
        more = NOTHING if calls.more is None else Repeat(calls.more, 0, None)
        return sequence(calls.unit, more, calls.end)


def constrain(
    source: Analysis | Mapping[str, Any],
    tools: Any,
    *,
    tool_choice: ToolChoice = ToolChoice.AUTO,
    parallel: bool = True,
    ends: Sequence[str] = (),
    prompt: str | None = None,
) -> Constraint:
    """Hold a model to calls of some tools, by an analysis or by a response template's document.

    Args:
        tools: a list as for `antiphon.parse_response`.
        tool_choice: whether a model may call a tool, or has to.
        parallel: whether it may make several calls in one message.
        ends: texts of the tokens with which it ends a message. A response template may have them as delimiters; a
            grammar can't, since they are no text to an engine.
        prompt: the prompt, or its end: it may open a region, such as reasoning, that has to be closed before calls.
            None: it isn't known; for an analysis, its own.

    Raises:
        GrammarError: that can't be turned into a grammar; with place and remedy.
        antiphon.TemplateError: the document is no template.
    """
    read = read_tools(tools)
    if isinstance(source, Analysis):
        calls = from_analysis.calls(source, read, parallel=parallel, prompt=prompt)
        if source.specialized:
            calls.rules.note("the analysis", f"{read_by_hand(source)}; take what source_of gives for the chat template")
    else:
        calls = from_template.calls(source, read, parallel=parallel, ends=ends, prompt=prompt)
    for tool in read:
        for place in tool.instead_of:
            last = tool.place.removesuffix("/parameters")
            calls.rules.note(place, f"isn't in the grammar: the tool at {last} has the same name; rename one")
    _note_prompt(calls, source if prompt is None else None, tool_choice)
    return Constraint(calls, tool_choice)


def read_by_hand(analysis: Analysis) -> str:
    """Why an analysis of a family that llama.cpp has a parser for isn't to be trusted."""
    return f"llama.cpp reads {analysis.specialized} by hand, since an analysis gets it wrong"


def _note_prompt(calls: Calls, of_any_prompt: Analysis | Mapping[str, Any] | None, tool_choice: ToolChoice) -> None:
    """What isn't held to because of how the prompt ends, or because that isn't known."""
    if tool_choice is ToolChoice.AUTO:
        begun = next((trigger for trigger in calls.triggers if _is_begun(trigger, calls.prompt)), None)
        if begun is not None:
            problem = f"begins the trigger {begun!r}, so the first call isn't held to"
            calls.rules.note("the prompt", f"{problem}; ask for one (--tool-choice required)")
    elif isinstance(of_any_prompt, Mapping):
        fields = of_any_prompt["fields"].values()
        if sum(bool(field.keys() & {"open", "open_pattern"}) for field in fields) > 1:
            problem = "isn't known; if it opens a region, such as reasoning, give its end (--prompt)"
            calls.rules.note("the prompt", problem)


def _is_begun(trigger: str, prompt: str) -> bool:
    return any(prompt.endswith(trigger[:length]) for length in range(1, len(trigger)))


def grammar(
    source: Analysis | Mapping[str, Any],
    tools: Any,
    *,
    tool_choice: ToolChoice = ToolChoice.AUTO,
    parallel: bool = True,
    ends: Sequence[str] = (),
    prompt: str | None = None,
) -> Grammar:
    """`constrain` and `Constraint.grammar` in one."""
    return constrain(source, tools, tool_choice=tool_choice, parallel=parallel, ends=ends, prompt=prompt).grammar()
