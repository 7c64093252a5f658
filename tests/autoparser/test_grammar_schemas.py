"""JSON Schemas in a grammar: what it takes is valid, and what it doesn't hold a model to is said; hostile ones, too."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from antiphon_portability.autoparser.grammar import GrammarError, ToolsError, constrain, gbnf, grammar
from antiphon_portability.autoparser.grammar.expressions import Expression, Rules
from antiphon_portability.autoparser.grammar.formats import FORMATS
from antiphon_portability.autoparser.grammar.schemas import SchemaReader
from antiphon_portability.autoparser.grammar.syntax import JSON, PYTHON, Syntax, Writer
from grammar_cases import response_template, validator
from matchers import llguidance_accepts, xgrammar
from sentences import Sentences
from support import examples

NODE: Final = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}},
            "required": ["value"],
        }
    },
}
CASES: Final[dict[str, tuple[Any, list[Any], list[Any]]]] = {
    "a string": ({"type": "string"}, ["", "a\n\"\\é😀"], [1, None, ["a"]]),
    "a pattern": ({"type": "string", "pattern": "^[a-z]+\\d{2}$"}, ["ab12"], ["ab1", "12", "ab123"]),
    "a pattern in a text": ({"type": "string", "pattern": 'a"b'}, ['a"b', 'xa"by'], ["ab"]),
    "a length": ({"type": "string", "minLength": 2, "maxLength": 3}, ["ab", "a😀c"], ["a", "abcd"]),
    "a pattern and a length": ({"type": "string", "pattern": "x.y", "maxLength": 4}, ["x1y", "x1yz"], ["xy", "x1yzz"]),
    "a date": ({"type": "string", "format": "date"}, ["2024-02-28"], ["2024-02-30", "2024-13-01", "today"]),
    "a date and time": ({"type": "string", "format": "date-time"}, ["2024-01-31T23:59:59.5+01:00"], ["2024-01-31"]),
    "a uuid": ({"type": "string", "format": "uuid"}, ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567"]),
    "an integer": ({"type": "integer"}, [0, -5, 10**15], [1.5, "1", 10**20]),
    "bounds": ({"type": "integer", "minimum": -5, "exclusiveMaximum": 1234}, [-5, 0, 7, 1233], [-6, 1234, 99999]),
    "a lower bound": ({"type": "integer", "minimum": 12}, [12, 99, 100, 10**15], [11, 0, -12]),
    "a number": ({"type": "number"}, [0, -1.5, 1e30, 2e-17], ["1", None]),
    "values": (
        {"enum": ["a", 'b"', 1, None, {"x": [1, True]}]},
        ["a", 'b"', 1, None, {"x": [1, True]}],
        ["c", 2, True],
    ),
    "a value": ({"const": {"a": 1}}, [{"a": 1}], [{"a": 2}, {}]),
    "types": ({"type": ["string", "null"]}, ["a", None], [1]),
    "options": (
        {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}]},
        [3, [True], [True, False]],
        [[], [1], [True, True, True], "x"],
    ),
    "members that may be missing": (
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "null"}}},
        [{}, {"a": 1}, {"b": 1}, {"a": 1, "c": None}, {"a": 1, "b": 2, "c": None}],
        [{"d": 1}, {"a": "1"}, {"b": 1, "a": 1}],
    ),
    "members that may not": (
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["b"]},
        [{"b": ""}, {"b": "", "a": 1}],
        [{}, {"a": 1}],
    ),
    "other members": (
        {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}},
        [{}, {"a": 1}, {"b": True}, {"a": 1, "ab": True, "": False}],
        [{"a": True}, {"b": 1}],
    ),
    "any members": ({"type": "object"}, [{}, {"a": [1, {"b": None}]}], [[], "a"]),
    "anything": ({}, [1, "a", None, True, [1], {"a": {}}], []),
    "a required member without a schema": ({"properties": {}, "required": ["a"]}, [{"a": 1}, {"a": "x"}], [{}]),
    "a tuple": (
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 1, "items": False},
        [[1], [1, "a"]],
        [[], ["a"], [1, "a", 2]],
    ),
    "a tuple and others": (
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "boolean"}, "maxItems": 3},
        [[], [1], [1, True], [1, True, False]],
        [[True], [1, 1], [1, True, True, True]],
    ),
    "a recursion": (NODE, [{"value": 1}, {"value": 1, "next": {"value": 2, "next": {"value": 3}}}], [{}, {"next": {}}]),
    "all of several": (
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            ]
        },
        [{"a": 1, "b": "x"}],
        [{"a": 1}, {"b": "x"}],
    ),
    "options of an object": (
        {
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        [{"a": 1}, {"b": "x"}, {"a": 1, "b": "x"}],
        [{}],
    ),
    "an intersection of types": ({"allOf": [{"type": ["string", "number"]}, {"type": "integer"}]}, [1], ["a", 1.5]),
    "a reference beside others": (
        {"$ref": "#/$defs/a", "required": ["x"], "$defs": {"a": {"type": "object", "properties": {"x": {}}}}},
        [{"x": 1}],
        [{}],
    ),
    "nullable": ({"type": "string", "nullable": True}, ["a", None], [1]),
    "yes": (True, [1, "a"], []),
}  # fmt: skip


def rules_of(schema: Any, syntax: Syntax = JSON, kept_out: tuple[str, ...] = ()) -> tuple[dict[str, Expression], Rules]:
    rules = Rules()
    reader = SchemaReader(Writer(rules, syntax, kept_out), schema, "/0", "tool")
    return rules.finished(reader.value(schema)), rules


@pytest.mark.parametrize("kept_out", [(), ("</call>",)], ids=["plain", "kept free of a mark"])
@pytest.mark.parametrize("case", CASES)
def test_values(case: str, kept_out: tuple[str, ...]) -> None:
    schema, valid, invalid = CASES[case]
    written = gbnf.write(rules_of(schema, kept_out=kept_out)[0])
    texts = [json.dumps(value, ensure_ascii=False) for value in (*valid, *invalid)]
    assert xgrammar().accepts(written, texts) == [True] * len(valid) + [False] * len(invalid)
    if case != "nullable":
        assert all(validator(json.dumps(schema)).is_valid(value) for value in valid)


@pytest.mark.parametrize("kept_out", [(), ("</call>",)], ids=["plain", "kept free of a mark"])
@pytest.mark.parametrize("case", [case for case in CASES if case != "nullable"])
def test_what_is_generated_is_valid(case: str, kept_out: tuple[str, ...]) -> None:
    schema = CASES[case][0]
    bodies, rules = rules_of(schema, kept_out=kept_out)
    source = Sentences(bodies, 1)
    texts = [source.sentence() for _ in range(examples(40))]
    for text in texts:
        validator(json.dumps(schema)).validate(json.loads(text))
        assert not any(mark in text for mark in kept_out)
    assert all(xgrammar().accepts(gbnf.write(bodies), texts))
    assert not rules.notes


@pytest.mark.parametrize(
    "case", ["a pattern", "a length", "bounds", "values", "members that may be missing", "a recursion"]
)
def test_another_engine_reads_it_too(case: str) -> None:
    schema, valid, invalid = CASES[case]
    texts = [json.dumps(value, ensure_ascii=False) for value in (*valid, *invalid)]
    taken = llguidance_accepts(gbnf.write(rules_of(schema)[0]), texts)
    assert taken == [True] * len(valid) + [False] * len(invalid)


def test_python_values() -> None:
    schema = {"type": "object", "properties": {"a": {"type": ["string", "boolean", "null"]}}}
    written = gbnf.write(rules_of(schema, PYTHON)[0])
    texts = ["{'a': 'it\\'s'}", '{"a": True}', "{'a': None}", "{'a': null}", "{a: True}"]
    assert xgrammar().accepts(written, texts) == [True, True, True, True, False]


def test_strings_between_marks() -> None:
    syntax = Syntax(raw_strings=("<|", "|>"), bare_names=True)
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"enum": ["x", "y|>"]}}}
    written = gbnf.write(rules_of(schema, syntax)[0])
    texts = ['{a: <|"x\n|>}', "{b: <|x|>}", "{b: <|y|>|>}", '{a: "x"}']
    assert xgrammar().accepts(written, texts) == [True, True, False, False]


NOTED: Final[dict[str, Any]] = {
    "not": {"not": {"type": "string"}},
    "multipleOf": {"type": "integer", "multipleOf": 3},
    "patternProperties": {"type": "object", "patternProperties": {"a": {}}},
    "uniqueItems": {"type": "array", "uniqueItems": True},
    "minimum": {"type": "number", "minimum": 0},
    "format": {"type": "string", "format": "email"},
    "pattern": {"type": "string", "pattern": "(?=a)b"},
    "maxLength": {"type": "string", "maxLength": 10**6},
    "oneOf": {"oneOf": [{"type": "integer"}, {"type": "number"}]},
    "unheard-of": {"type": "string", "unheard-of": 1},
    "additionalProperties": {"allOf": [{"additionalProperties": {"type": "null"}}, {"additionalProperties": {}}]},
}


@pytest.mark.parametrize("keyword", NOTED)
def test_what_isn_t_held_to_is_noted(keyword: str) -> None:
    _, rules = rules_of({"type": "object", "properties": {"a": NOTED[keyword]}})
    assert [str(note).startswith(f"/0/properties/a: {keyword} ") for note in rules.notes] == [True]


@pytest.mark.parametrize("keyword", ["title", "description", "default", "examples", "$comment", "x-mine"])
def test_annotations_are_none_of_its_business(keyword: str) -> None:
    assert not rules_of({"type": "string", keyword: []})[1].notes


def test_a_pattern_that_needs_too_many_rules() -> None:
    _, rules = rules_of({"type": "string", "pattern": "^(a|b)*a(a|b){14}$"}, kept_out=("</call>",))
    assert ["too many rules" in note.text for note in rules.notes] == [True]


def test_formats() -> None:
    assert set(FORMATS) == {"date", "time", "date-time", "uuid"}


# -- tools as nobody would write them


def tool(parameters: Any, name: Any = "f") -> list[Any]:
    return [{"name": name, "parameters": parameters}]


def argument(schema: Any) -> list[Any]:
    return tool({"type": "object", "properties": {"a": schema}})


def nested(levels: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


A: Final = "/0/parameters/properties/a"
REFUSED: Final[dict[str, tuple[Any, str]]] = {
    "no list": ({"name": "f"}, "the tools"),
    "an empty list": ([], "the tools"),
    "None": (None, "the tools"),
    "a text for a tool": (["f"], "/0"),
    "a list for a tool": ([[1]], "/0"),
    "a number for a name": ([{"name": 5}], "/0"),
    "no name": ([{"name": ""}], "/0/name"),
    "half a character": ([{"name": "\ud800"}], "/0/name"),
    "a list of parameters": (tool([1]), "/0/parameters"),
    "no parameters at all": (tool(False), "/0/parameters"),
    "an array of arguments": (tool({"type": "array"}), "/0/parameters/type"),
    "a list of properties": (tool({"type": "object", "properties": [1]}), "/0/parameters/properties"),
    "a number for a property": (tool({"type": "object", "properties": {5: {}}}), "/0/parameters/properties"),
    "half a property": (tool({"type": "object", "properties": {"\ud800": {}}}), "/0/parameters/properties"),
    "half a value": (argument({"enum": ["\ud800"]}), f"{A}/enum/0"),
    "no JSON": (argument({"enum": [float("inf")]}), f"{A}/enum/0"),
    "a cycle": (
        tool({"properties": {"a": {"$ref": "#/$defs/b"}}, "required": ["a"], "$defs": {"b": {"$ref": "#/$defs/b"}}}),
        "the tools",
    ),
    "no end": (tool({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}), "the tools"),
    "a reference elsewhere": (argument({"$ref": "https://example.org/x"}), f"{A}/$ref"),
    "a reference nowhere": (argument({"$ref": "#/nowhere/1"}), f"{A}/$ref"),
    "a number for a reference": (argument({"$ref": 5}), f"{A}/$ref"),
    "a number for a schema": (argument(5), A),
    "an unknown type": (argument({"type": "strin"}), f"{A}/type"),
    "a number for a type": (argument({"type": 5}), f"{A}/type"),
    "no values": (argument({"enum": []}), f"{A}/enum"),
    "no value of the type": (argument({"type": "integer", "enum": ["a"]}), A),
    "no options": (argument({"anyOf": []}), f"{A}/anyOf"),
    "a negative length": (argument({"type": "string", "minLength": -1}), f"{A}/minLength"),
    "a length out of order": (argument({"type": "string", "minLength": 3, "maxLength": 1}), A),
    "elements out of order": (argument({"type": "array", "minItems": 3, "maxItems": 1}), A),
    "no bound": (argument({"type": "integer", "minimum": float("nan")}), f"{A}/minimum"),
    "nothing within the bounds": (argument({"type": "integer", "minimum": 5, "maximum": 2}), A),
    "names that aren't a list": (tool({"type": "object", "properties": {}, "required": "a"}), "/0/parameters/required"),
    "900 levels": (argument(nested(900)), A + "/properties/a" * 100),
    "unions of unions": (
        tool(
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/0"}},
                "$defs": {
                    str(one): {"anyOf": [*({"$ref": f"#/$defs/{other}"} for other in range(12)), {"const": one}]}
                    for one in range(12)
                },
            }
        ),
        "/0/parameters",
    ),
    "twice twice twice": (
        tool(
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/0"}},
                "$defs": {
                    str(one): {"allOf": [{"$ref": f"#/$defs/{one + 1}"}, {"$ref": f"#/$defs/{one + 1}"}]}
                    for one in range(40)
                }
                | {"40": {"type": "string"}},
            }
        ),
        "/0/parameters",
    ),
}  # fmt: skip
TAKEN: Final[dict[str, Any]] = {
    "20,000 values": argument({"enum": [f"value {number}" for number in range(20_000)]}),
    "200 properties": tool({"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(200)}}),
    "200 required": tool(
        {
            "type": "object",
            "properties": {f"p{n}": {"type": "integer"} for n in range(200)},
            "required": [f"p{n}" for n in range(200)],
        }
    ),
    "200 and others": tool(
        {"type": "object", "properties": {f"p{n}": {} for n in range(200)}, "additionalProperties": True}
    ),
    "98 levels": argument(nested(98)),
    "odd names": tool(
        {"type": "object", "properties": {"": {}, "a b": {}, '"\\\n': {}, "é😀": {}, "</parameter>": {}}}
    ),
    "an odd tool": tool({}, '<tool "x">\n'),
    "a cycle that need not be": tool({"type": "object", "properties": {"a": {"$ref": "#"}}}),
    "arrays of arrays of many": argument(
        {"type": "array", "minItems": 1000, "items": {"type": "array", "maxItems": 2000}}
    ),
    "twenty long texts": tool(
        {"type": "object", "properties": {f"p{n}": {"type": "string", "maxLength": 90 + n} for n in range(20)}}
    ),
    "500 tools": [{"name": f"tool_{number}", "parameters": nested(3)} for number in range(500)],
}


@pytest.mark.parametrize("case", REFUSED)
def test_hostile_tools_are_told_with_their_place(case: str) -> None:
    tools, place = REFUSED[case]
    with pytest.raises(ToolsError) as error:
        grammar(response_template("qwen3"), tools)
    assert error.value.place == place


@pytest.mark.parametrize("name", ["qwen3-coder", "lfm2.5-calls", "gemma4", "kimi-k2"])
@pytest.mark.parametrize("case", [*REFUSED, *TAKEN])
def test_hostile_tools_in_other_formats(case: str, name: str) -> None:
    """A grammar, or what is wrong; nothing else, however they are written."""
    tools = REFUSED[case][0] if case in REFUSED else TAKEN[case]
    try:
        made = constrain(response_template(name), tools)
        made.structural_tag()
        written = made.grammar().gbnf
    except GrammarError as error:
        assert error.problem and error.place
    else:
        assert written.isprintable() or "\n" in written
        assert xgrammar().accepts(written, ["x"]) == [False]


@pytest.mark.parametrize("case", TAKEN)
def test_large_and_odd_tools(case: str) -> None:
    made = constrain(response_template("qwen3"), TAKEN[case])
    bodies = made.grammar()
    source = Sentences(bodies.rules, 1)
    assert xgrammar().accepts(bodies.gbnf, ["x", source.sentence()]) == [False, True]
    assert made.structural_tag()["format"]["triggers"] == ["<tool_call>"]
