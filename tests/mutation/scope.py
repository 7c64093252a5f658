"""What is mutated, and what is left out, with the reason: tables, no logic.

Left out is only what the suite can't judge by its nature: texts of messages, which are free (LOAD-1), and what a host
language offers beside the protocol, which no request can reach. Unit tests in tests/reference look after both.
"""

from __future__ import annotations

from typing import Final

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "parser": ("parser",),
    "delimiter search": ("delimiter", "engine"),
    "content": ("content", "reader", "json_text", "call_list"),
    "transform": ("transform",),
    "tools": ("tools",),
    "loading": ("template", "pointer"),
    "proposals": ("strings", "proposed"),
}
"""The modules of the reference by what they do. `tokenizer` is a door for one host library, and `errors` holds no rule:
neither is among them."""

TOPICS: Final[dict[str, tuple[str, ...]]] = {
    "parser": ("regions", "delimiters", "events", "message", "errors", "zero-width"),
    "delimiter": ("delimiters", "zero-width", "events"),
    "engine": ("delimiters", "content"),
    "content": ("content",),
    "reader": ("content",),
    "json_text": ("content",),
    "call_list": ("content",),
    "transform": ("transform", "load"),
    "tools": ("tools",),
    "template": ("load",),
    "pointer": ("load",),
    "strings": ("proposals",),
    "proposed": ("proposals",),
}
"""Where the cases are that are likely to judge a module; they are tried first."""

MESSAGE_ARGUMENTS: Final[dict[str, tuple[int, ...]]] = {
    "Malformed": (1,),
    "tools.Malformed": (0, 1),  # how a cast fails is known to the next candidate only
    "ParseError": (1,),
    "TemplateError": (2,),
    "ParserStateError": (0, 1),  # how another language says that a call can't be taken is its own affair (ERROR-5)
    "EngineError": (1, 2, 3),
    "error": (1,),
    "fail": (0,),
    "_fail": (1,),
    "name": (0,),
    "typed": (1,),
}
"""By the name of what is called, in one module or in all: the positions of arguments that go into a message's text."""

MESSAGE_VARIABLES: Final[dict[str, frozenset[str]]] = {
    "template._check_placeholder": frozenset({"known"}),
    "transform._look_up": frozenset({"there", "missing"}),
}
"""Variables that are parts of messages, by function; a text that is called one of MESSAGE_NAMES always is."""

MESSAGE_NAMES: Final = frozenset({"reason", "message", "title"})

OUTSIDE: Final[dict[str, str]] = {
    "content._excerpt": "makes the text of a message",
    "reader.Reader.fail": "makes the text of a message",
    "template._listed": "makes the text of a message",
    "template._pattern_reason": "makes the text of a message",
    "template._suggestion": "makes the text of a message",
    "transform.type_name": "makes the text of a message",
    "proposed.how_to_ask": "makes the text of a message",
    "proposed.checked": "host language: names of proposals that don't exist can't be sent",
    "parser._as_text": "host language: other types than text can't be sent",
    "parser._parse": "host language: a complete generation in one call",
    "parser.parse_response": "host language: a complete generation, or a batch, in one call",
    "parser.ResponseParser._check_usable": "host language: the protocol makes no call after an error or the end",
    "template.Template.has_anchor": "host language: for the lint",
    "template.template_faults": "host language: for the lint",
    "tools._annotation_schema": "host language: functions as tools (TOOLS-1)",
    "tools._read_function": "host language: functions as tools (TOOLS-1)",
    "tools._ANNOTATIONS": "host language: functions as tools (TOOLS-1)",
}
"""Functions and constants that are left out whole."""

_NO_CALL: Final = "host language: the protocol makes no call after an error or the end"
_JSON_ONLY: Final = "host language: the protocol sends nothing but JSON"
_ENGINE: Final = "what an engine can't do isn't judged (LEVEL-3)"

OUTSIDE_STATEMENTS: Final[dict[str, str]] = {
    "engine.(module): _FLAGS: ": "the engine's default",
    'engine.(module): _engine = importlib.import_module("re")': "another engine; the suite is run on it by other tests",
    "engine.Matcher.__init__: raise EngineError(": _ENGINE,
    'json_text._JsonReader.value: raise Malformed("nesting-too-deep"': "accepting more levels is allowed (CONTENT-3)",
    "parser.ResponseParser.__init__: if on_malformed not in ": "host language: the protocol has no other values",
    "parser.ResponseParser.__init__: self._finalized = False": _NO_CALL,
    "parser.ResponseParser.__init__: self._template = ": "host language: the adapter loads templates by themselves",
    "parser.ResponseParser._fail: self._failure = error": _NO_CALL,
    "parser.ResponseParser._fail: error.message_so_far = ": "the protocol has no place for a failed stream's message",
    "parser.ResponseParser._value: raise Malformed(": "host language: only where the caller's own stack is nearly full",
    "parser.ResponseParser.feed: self._check_usable()": _NO_CALL,
    "parser.ResponseParser.finalize: self._check_usable()": _NO_CALL,
    "parser.ResponseParser.finalize: self._finalized = True": _NO_CALL,
    "template._json_value: if isinstance(value, float) and not math.isfinite(": _JSON_ONLY,
    "template._json_value: if next(counter) > MAX_VALUES:": "a case would need a million values",
    "template._json_value: if not isinstance(key, str):": _JSON_ONLY,
    "template._json_value: if value is not None and not isinstance(value, ": _JSON_ONLY,
    'template._read_pattern: raise place.error("pattern-unavailable"': _ENGINE,
    "tools.Tools.__init__: if not isinstance(tools, list | tuple):": _JSON_ONLY,
    "tools._read_tool: if callable(tool) and not isinstance(tool, Mapping):": "host language: functions as tools",
}
"""Statements that are left out whole, by their function and how they begin."""
