"""Constrained decoding: grammars that hold a model to calls of the tools it has, in its own format.

    made = grammar(response_template, tools)
    made.gbnf, made.triggers, made.preserved_tokens, made.lazy, made.notes
    constrain(response_template, tools).structural_tag()  # the same for XGrammar, as JSON
    source_of(renderer).constrain(tools)  # the same for a chat template

Stages, one module each: `of_chat_templates` → `from_analysis` or `from_template` → `calls` → `expressions` → `gbnf` and
`xgrammar`. `schemas` has the tools' parameters, `syntax` how values are written, `patterns` and `automata` the texts
between. Running grammars is for the engines; `remainders` only checks some texts.
"""

from antiphon_portability.autoparser.grammar.errors import GrammarError, Note, ToolsError
from antiphon_portability.autoparser.grammar.grammars import Constraint, Grammar, ToolChoice, constrain, grammar
from antiphon_portability.autoparser.grammar.of_chat_templates import Source, source_of

__all__ = [
    "Constraint",
    "Grammar",
    "GrammarError",
    "Note",
    "Source",
    "ToolChoice",
    "ToolsError",
    "constrain",
    "grammar",
    "source_of",
]
