"""Values of the wrong JSON type (LOAD-1): each place of a template that takes values of a certain type, with the values
of other types that some host language lets pass for one. What was said by hand elsewhere in load/ isn't repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ANCHOR = "<|im_start|>assistant\n"

WHY = {
    "null": "Null isn't 'absent': who reads it so goes on with a default that the author may not have meant.",
    "false": "False isn't 'absent': who only asks whether there is something that counts as true lets it pass.",
    "true": "True is a number to some languages and a text to others; here it's neither.",
    "zero": "Zero isn't 'absent': who only asks whether there is something that counts as true lets it pass.",
    "one": "A number is written out as a text where values are coerced, and then it matches digits.",
    "text": "A text can be walked like a list of its characters, and in JavaScript has properties like an object.",
    "empty-text": "The empty text isn't 'absent', nor false: who asks only for what counts as true lets it pass.",
    "list": "A list of one text becomes that text where values are coerced, as in JavaScript.",
    "empty-list": "An empty list is false in Python and true in JavaScript; here it's a list, and wrong.",
    "pair": "A list is an object to JavaScript's `typeof`, and two of these make a mapping in Python.",
    "object": "An object becomes `[object Object]` or a list of its keys where values are coerced.",
    "empty-object": "An empty object is false in Python and true in JavaScript; here it's an object, and wrong.",
    "triple": "Three aren't a pair: who unpacks the first two drops the third without a word.",
}
VALUES: dict[str, Any] = {
    "null": None,
    "false": False,
    "true": True,
    "zero": 0,
    "one": 1,
    "text": "text",
    "empty-text": "",
    "list": ["<x>"],
    "empty-list": [],
    "pair": [["name", "json"]],
    "object": {"name": "json"},
    "empty-object": {},
    "triple": ["<s>", "</s>", "raw"],
}


@dataclass(frozen=True)
class Place:
    """A place in a template: what its cases are called, its pointer, a template with a value there, what belongs there,
    which clauses say so, and the wrong values that are tried."""

    name: str
    pointer: str
    template: Callable[[Any], Any]
    takes: str
    clauses: tuple[str, ...]
    wrong: str
    requires: tuple[str, ...] = ()


def top(key: str) -> Callable[[Any], Any]:
    def template(value: Any) -> Any:
        rest = {} if key.startswith("start_anchor") else {"start_anchor": ANCHOR}
        return {**rest, "fields": {"content": {}}, key: value}

    return template


def field(key: str, **others: Any) -> Callable[[Any], Any]:
    """A field's key, in a field that is right otherwise."""

    def template(value: Any) -> Any:
        delimiters = {} if key.startswith("open") else {"open": "<x>"}
        return {"start_anchor": ANCHOR, "fields": {"x": {**delimiters, **others, key: value}}}

    return template


def argument(kind: str, key: str, **others: Any) -> Callable[[Any], Any]:
    """An argument of a content kind."""

    def template(value: Any) -> Any:
        arguments = {"content": kind, "content_args": {**others, key: value}}
        return {"start_anchor": ANCHOR, "fields": {"x": {"open": "<x>", "close": "</x>", **arguments}}}

    return template


TAG = r"<(?P<key>\w+)>(?P<value>[^<]*)"
XML = ("xml-inline",)
KV = ("kv-lines",)
ARGS = "/fields/x/content_args"

TOP = (
    Place("document", "", lambda value: value, "a template is an object", ("TEMPLATE-1",), "null false one"),
    Place("version", "/version", top("version"), "the version is a number", ("TEMPLATE-1",), "false list object"),
    Place("anchor", "/start_anchor", top("start_anchor"), "literals", ("TEMPLATE-1", "TEMPLATE-4"), "false object"),
    Place(
        "anchor-in-list",
        "/start_anchor/1",
        lambda value: top("start_anchor")(["<bot>", value]),
        "each literal is a text",
        ("TEMPLATE-4",),
        "null list object",
    ),
    Place(
        "anchor-pattern",
        "/start_anchor_pattern",
        top("start_anchor_pattern"),
        "a pattern is a text",
        ("TEMPLATE-1",),
        "null false one object",
    ),
    Place("fields", "/fields", top("fields"), "the fields are an object", ("TEMPLATE-1",), "true text empty-list"),
    Place("defaults", "/defaults", top("defaults"), "an object", ("TEMPLATE-1",), "false empty-text zero"),
)

FIELDS = (
    Place(
        "field",
        "/fields/x",
        lambda value: {"start_anchor": ANCHOR, "fields": {"x": value, "content": {}}},
        "a field is an object",
        ("TEMPLATE-3",),
        "false pair empty-list",
    ),
    Place("open", "/fields/x/open", field("open"), "literals", ("TEMPLATE-3", "TEMPLATE-4"), "false empty-object"),
    Place(
        "open-in-list",
        "/fields/x/open/0",
        lambda value: field("open")([value, "<x>"]),
        "each literal is a text",
        ("TEMPLATE-4",),
        "null one list",
    ),
    Place(
        "open-pattern", "/fields/x/open_pattern", field("open_pattern"), "a text", ("TEMPLATE-3",), "null one object"
    ),
    Place("close", "/fields/x/close", field("close"), "literals", ("TEMPLATE-3", "TEMPLATE-4"), "null false zero"),
    Place(
        "close-in-list",
        "/fields/x/close/1",
        lambda value: field("close")(["</x>", value]),
        "each literal is a text",
        ("TEMPLATE-4",),
        "null empty-list object",
    ),
    Place(
        "close-pattern", "/fields/x/close_pattern", field("close_pattern"), "a text", ("TEMPLATE-3",), "null false list"
    ),
    Place("content", "/fields/x/content", field("content"), "a kind is a text", ("TEMPLATE-3",), "false zero object"),
    Place(
        "content-args",
        ARGS,
        field("content_args"),
        "arguments are an object",
        ("TEMPLATE-3",),
        "false empty-text pair",
    ),
    Place("repeats", "/fields/x/repeats", field("repeats"), "a boolean", ("TEMPLATE-3", "LOAD-2"), "empty-list object"),
    Place("join", "/fields/x/join", field("join", repeats=True), "a text", ("TEMPLATE-3",), "false empty-list object"),
    Place(
        "optional",
        "/fields/x/optional",
        field("optional"),
        "a boolean",
        ("TEMPLATE-3", "LOAD-2"),
        "null zero empty-list",
    ),
    Place(
        "transform",
        "/fields/x/transform",
        field("transform"),
        "an object, a list or a text",
        ("TEMPLATE-3",),
        "false zero",
    ),
    Place(
        "transform-each",
        "/fields/x/transform_each",
        field("transform_each", content="json", transform="{name}"),
        "a boolean",
        ("TEMPLATE-3", "LOAD-2"),
        "null empty-text empty-object",
    ),
)

ARGUMENTS = (
    Place(
        "strip",
        f"{ARGS}/strip",
        argument("text", "strip"),
        "a boolean",
        ("KIND-TEXT-1", "LOAD-2"),
        "empty-list empty-object",
    ),
    Place(
        "unquoted-keys",
        f"{ARGS}/unquoted_keys",
        argument("json", "unquoted_keys"),
        "a boolean",
        ("KIND-JSON-4", "LOAD-2"),
        "null one empty-list",
    ),
    Place(
        "allow-non-json",
        f"{ARGS}/allow_non_json",
        argument("json", "allow_non_json"),
        "a boolean",
        ("KIND-JSON-7", "LOAD-2"),
        "null empty-text object",
    ),
    Place(
        "string-delims",
        f"{ARGS}/string_delims",
        argument("json", "string_delims"),
        "a list",
        ("KIND-JSON-5",),
        "null false empty-object",
    ),
    Place(
        "string-delims-pair",
        f"{ARGS}/string_delims/1",
        lambda value: argument("json", "string_delims")([["<s>", "</s>"], value]),
        "a pair is a list of two texts",
        ("KIND-JSON-5",),
        "null zero object empty-list triple",
    ),
    Place(
        "string-delims-open",
        f"{ARGS}/string_delims/0/0",
        lambda value: argument("json", "string_delims")([[value, "</s>"]]),
        "a delimiter is a text",
        ("KIND-JSON-5",),
        "null one list",
    ),
    Place(
        "tag-pattern",
        f"{ARGS}/tag_pattern",
        argument("xml-inline", "tag_pattern"),
        "a pattern is a text",
        ("KIND-XML-1",),
        "null false list",
        XML,
    ),
    Place(
        "merge-duplicates",
        f"{ARGS}/merge_duplicates",
        argument("xml-inline", "merge_duplicates", tag_pattern=TAG),
        "a boolean",
        ("KIND-XML-4", "LOAD-2"),
        "null one empty-list",
        XML,
    ),
    Place(
        "line-sep", f"{ARGS}/line_sep", argument("kv-lines", "line_sep"), "a text", ("KIND-KV-1",), "false one list", KV
    ),
    Place("kv-sep", f"{ARGS}/kv_sep", argument("kv-lines", "kv_sep"), "a text", ("KIND-KV-1",), "null zero object", KV),
    Place(
        "kv-strip",
        f"{ARGS}/strip",
        argument("kv-lines", "strip"),
        "a boolean",
        ("KIND-KV-2", "LOAD-2"),
        "null one empty-text",
        KV,
    ),
    Place(
        "value-parser",
        f"{ARGS}/value_parser",
        argument("kv-lines", "value_parser"),
        "a value parser is an object",
        ("KIND-KV-3", "KIND-XML-5"),
        "false true pair",
        KV,
    ),
    Place(
        "value-parser-name",
        f"{ARGS}/value_parser/name",
        lambda value: argument("kv-lines", "value_parser")({"name": value}),
        "a kind is a text",
        ("KIND-KV-3", "KIND-XML-5"),
        "null list object",
        KV,
    ),
    Place(
        "value-parser-args",
        f"{ARGS}/value_parser/args",
        lambda value: argument("kv-lines", "value_parser")({"name": "json", "args": value}),
        "arguments are an object",
        ("KIND-KV-3", "KIND-XML-5"),
        "null false empty-text",
        KV,
    ),
    Place(
        "nested-strip",
        f"{ARGS}/value_parser/args/strip",
        lambda value: argument("kv-lines", "value_parser")({"name": "text", "args": {"strip": value}}),
        "a boolean, also in a value parser",
        ("KIND-KV-3", "KIND-TEXT-1", "LOAD-2"),
        "null zero",
        KV,
    ),
    Place(
        "nested-value-parser",
        f"{ARGS}/value_parser/args/value_parser",
        lambda value: argument("kv-lines", "value_parser")({"name": "kv-lines", "args": {"value_parser": value}}),
        "an object, also inside a value parser",
        ("KIND-KV-3",),
        "null text",
        KV,
    ),
)

FILES = {
    "load/wrong-types-top": ("The document and its own keys, with values of another type.", TOP),
    "load/wrong-types-fields": ("The keys of a field, with values of another type.", FIELDS),
    "load/wrong-types-arguments": ("Arguments of the content kinds, with values of another type.", ARGUMENTS),
}


def case(place: Place, wrong: str) -> dict[str, Any]:
    where = place.name.replace("-", " ").capitalize()
    requires = {"requires": list(place.requires)} if place.requires else {}
    return {
        "id": f"{place.name}-{wrong}",
        "description": f"{where} ({place.takes}). {WHY[wrong]}",
        "clauses": list(dict.fromkeys((*place.clauses, "LOAD-1"))),
        **requires,
        "template": place.template(VALUES[wrong]),
        "expect": {"error": {"stage": "load", "kind": "wrong-type", "pointer": place.pointer}},
    }


def documents() -> dict[str, Any]:
    """The files of this family."""
    return {
        name: {
            "$schema": "../../schema/case-file.schema.json",
            "description": description,
            "notes": ["fault-found-late"],
            "cases": [case(place, wrong) for place in places for wrong in place.wrong.split()],
        }
        for name, (description, places) in FILES.items()
    }
