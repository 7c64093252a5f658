"""Grammars for a request: calls of its tools, when they may or have to be made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from antiphon_portability.autoparser.analysis.results import Analysis
from antiphon_portability.autoparser.grammar import from_analysis, from_template, gbnf, xgrammar
from antiphon_portability.autoparser.grammar.calls import Calls
from antiphon_portability.autoparser.grammar.errors import GrammarError, Note, ToolsError
from antiphon_portability.autoparser.grammar.expressions import NOTHING, Expression, Repeat, sequence
from antiphon_portability.autoparser.grammar.tools import read_tools


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
        if lazy and not calls.triggers:
            problem = "no mark says that a call begins, so a grammar can only ask for calls (tool choice required)"
            raise GrammarError("the format", problem)
        bodies = calls.rules.finished(self._root if lazy else sequence(calls.before, self._root))
        if not bodies:
            raise ToolsError("", "no finite text fits their schemas; look for a $ref that always leads to itself")
        triggers, prompt = (calls.triggers, "") if lazy else ((), calls.prompt)
        return Grammar(gbnf.write(bodies), triggers, calls.preserved, lazy, prompt, self.notes, bodies)

    def structural_tag(self) -> dict[str, Any]:
        """As XGrammar's structural tag, a JSON value. Raises GrammarError."""
        if not self.calls.triggers:
            raise GrammarError("the format", "no mark says that a call begins, and a structural tag needs one")
        return xgrammar.structural_tag(self.calls, at_least_one=self.tool_choice is ToolChoice.REQUIRED)

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
) -> Constraint:
    """Hold a model to calls of some tools, by an analysis or by a response template's document.

    Args:
        tools: a list as for `antiphon.parse_response`.
        tool_choice: whether a model may call a tool, or has to.
        parallel: whether it may make several calls in one message.
        ends: texts of the tokens with which it ends a message. A response template may have them as delimiters; a
            grammar can't, since they are no text to an engine.

    Raises:
        GrammarError: that can't be turned into a grammar; with place and remedy.
        antiphon.TemplateError: the document is no template.
    """
    read = read_tools(tools)
    if isinstance(source, Analysis):
        calls = from_analysis.calls(source, read, parallel=parallel)
    else:
        calls = from_template.calls(source, read, parallel=parallel, ends=ends)
    for tool in read:
        for place in tool.instead_of:
            last = tool.place.removesuffix("/parameters")
            calls.rules.note(place, f"isn't in the grammar: the tool at {last} has the same name; rename one")
    return Constraint(calls, tool_choice)


def grammar(
    source: Analysis | Mapping[str, Any],
    tools: Any,
    *,
    tool_choice: ToolChoice = ToolChoice.AUTO,
    parallel: bool = True,
    ends: Sequence[str] = (),
) -> Grammar:
    """`constrain` and `Constraint.grammar` in one."""
    return constrain(source, tools, tool_choice=tool_choice, parallel=parallel, ends=ends).grammar()
