"""Constrained decoding: grammars that hold a model to calls of the tools it has, in its own format.

    made = grammar(analysis, tools)  # or a response template's document, in the place of the analysis
    made.gbnf, made.triggers, made.preserved_tokens, made.lazy, made.notes
    constrain(analysis, tools).structural_tag()  # the same for XGrammar, as JSON

Stages, one module each: `from_analysis` and `from_template` → `calls` → `expressions` → `gbnf` and `xgrammar`.
`schemas` has the tools' parameters, `syntax` how values are written, `patterns` and `automata` the texts between.
Nothing here runs a grammar: that is for the engines.
"""

from antiphon_portability.autoparser.grammar.errors import GrammarError, Note, ToolsError
from antiphon_portability.autoparser.grammar.grammars import Constraint, Grammar, ToolChoice, constrain, grammar

__all__ = ["Constraint", "Grammar", "GrammarError", "Note", "ToolChoice", "ToolsError", "constrain", "grammar"]
