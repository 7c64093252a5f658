"""Antiphon's reference implementation of response templates: what reference/SPEC.md says, in Python.

    >>> import antiphon
    >>> template = {"start_anchor": "<|assistant|>", "fields": {"content": {"close": "<|end|>"}}}
    >>> antiphon.parse_response("Hello!<|end|>", template, prefix="<|user|>Hi<|end|><|assistant|>")
    {'content': 'Hello!'}

`parse_response` parses a complete generation, `ResponseParser` one that streams. `load_template` checks a template and
makes it ready; `for_tokenizer` does the same as the first two for a tokenizer's ids and its own template.
"""

from antiphon.errors import AntiphonError, ParseError, ParserStateError, TemplateError
from antiphon.parser import Event, Message, ResponseParser, parse_response
from antiphon.proposed import PROPOSALS
from antiphon.template import Template, load_template, template_faults
from antiphon.tokenizer import (
    TokenizerParsers,
    edit_tokenizer_template,
    for_tokenizer,
    read_tokenizer_template,
    write_tokenizer_template,
)
from antiphon.tools import Tool

__all__ = [
    "PROPOSALS",
    "AntiphonError",
    "Event",
    "Message",
    "ParseError",
    "ParserStateError",
    "ResponseParser",
    "Template",
    "TemplateError",
    "TokenizerParsers",
    "Tool",
    "edit_tokenizer_template",
    "for_tokenizer",
    "load_template",
    "parse_response",
    "read_tokenizer_template",
    "template_faults",
    "write_tokenizer_template",
]
