"""JSON Schemas in a grammar: what it takes is valid, and what it doesn't hold a model to is said; hostile ones, too."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from antiphon_portability.autoparser.grammar import (
    GrammarError,
    ToolsError,
    automata,
    constrain,
    gbnf,
    grammar,
    patterns,
)
from antiphon_portability.autoparser.grammar.expressions import Expression, Repeat, Rule, Rules, walk
from antiphon_portability.autoparser.grammar.formats import FORMATS
from antiphon_portability.autoparser.grammar.schemas import SchemaReader
from antiphon_portability.autoparser.grammar.syntax import JSON, PYTHON, Syntax, Writer
from grammar_cases import problem, response_template, validator
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
    "the last day of February": (
        {"type": "string", "format": "date"},
        ["2024-02-29", "2000-02-29", "1996-02-29"],
        ["2023-02-29", "1900-02-29", "2022-02-29", "2024-02-30"],
    ),
    "a date and time": ({"type": "string", "format": "date-time"}, ["2024-01-31T23:59:59.5+01:00"], ["2024-01-31"]),
    "a uuid": ({"type": "string", "format": "uuid"}, ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567"]),
    "an integer": ({"type": "integer"}, [0, -5, 10**15, 12345678901234567890, 1.0, -3.0], [1.5, "1", 10**22]),
    "bounds": (
        {"type": "integer", "minimum": -5, "exclusiveMaximum": 1234},
        [-5, 0, 7, 1233, 1.0],
        [-6, 1234, 99999, 1.5, 1234.0],
    ),
    "a bound beyond doubles": ({"type": "integer", "minimum": 2**53 + 1}, [2**53 + 1, 10**20], [2**53, 1e15]),
    "a lower bound": ({"type": "integer", "minimum": 12}, [12, 99, 100, 10**15], [11, 0, -12]),
    "a number": (
        {"type": "number"},
        [0, -1.5, 1e30, 2e-17, 1e-07, 1e100, 0.1 + 0.2, -5e-324, 9.9e307, 123456789012345680.0, 10**20],
        ["1", None],
    ),
    "a value that is a number": ({"enum": [3, 1e-07, 2.5]}, [3, 3.0, 1e-07, 2.5], [4, 2, "3"]),
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
    "names that a part doesn't list": (
        {
            "allOf": [
                {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
                {"properties": {"b": {"type": "string"}}},
            ]
        },
        [{}, {"a": 1}],
        [{"b": "x"}, {"a": 1, "b": "x"}],
    ),
    "names that a part takes in its own way": (
        {
            "allOf": [
                {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
                {"properties": {"b": {"type": ["integer", "string"]}}, "additionalProperties": {"type": "integer"}},
            ]
        },
        [{}, {"b": 1}, {"c": 1}],
        [{"b": "x"}, {"b": None}, {"c": None}],
    ),
    "names beside a reference": (
        {
            "$ref": "#/$defs/a",
            "properties": {"y": {}},
            "$defs": {"a": {"type": "object", "properties": {"x": {}}, "additionalProperties": False}},
        },
        [{}, {"x": 1}],
        [{"y": 1}],
    ),
    "a required name without a schema of its own": (
        {"type": "object", "required": ["a"], "additionalProperties": {"type": "integer"}},
        [{"a": 1}, {"a": 1, "b": 2}],
        [{"a": "x"}, {"a": 1, "b": "x"}, {}],
    ),
    "an anchor": ({"$ref": "#n", "$defs": {"a": {"$anchor": "n", "type": "integer"}}}, [1], [{}, "a"]),
    "an escape in a reference": ({"$ref": "#/$defs/a%20b%5B%5D", "$defs": {"a b[]": {"type": "null"}}}, [None], [1]),
    "values of several": ({"allOf": [{"enum": [1, 2, 3]}, {"enum": [True, 2, 3.0]}]}, [2, 3], [1, True]),
    "a value of several": ({"allOf": [{"enum": ["a", "b"]}, {"const": "b"}]}, ["b"], ["a"]),
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


WORDS: Final = Syntax(raw_strings=("<|", "|>"), bare_names=True)


def nested_array() -> Any:
    return {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 1}


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
    "pattern stands": {"allOf": [{"type": "string", "pattern": "a"}, {"pattern": "b"}]},
    "oneOf is": {"type": "integer", "oneOf": [{"minimum": 0}, {"maximum": 10}]},
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


def test_a_pattern_that_surely_needs_too_many_states_is_never_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automata, "of", lambda expression: pytest.fail("it is built"))
    with pytest.raises(automata.TooLarge):
        automata.all_of([patterns.of_schema("^((ab){1,50}){1,50}c*$")])


WRITTEN: Final[dict[str, tuple[Any, Syntax, list[str], list[str]]]] = {
    "numbers": (
        {"type": "number"},
        JSON,
        ["1e-07", "1e-7", "1e+100", "3E8", "0.30000000000000004", "12345678901234567890", "1.0", "9e307", "12.5e-324"],
        ["01", "+1", ".5", "1.", "1e", "1e308", "12e300", "1" * 22],
    ),
    "whole numbers": ({"type": "integer"}, JSON, ["12345678901234567890", "1.0", "-0"], ["1.5", "1.00", "1e3"]),
    "Python's": ({"type": "integer"}, PYTHON, ["9007199254740991", "-9007199254740991"], ["9007199254740992"]),
    "white space": (
        {"type": "array"},
        JSON,
        ["[\n" + " " * 40 + "1]", "[\t1]", "[\r\n\t\t1]", "[ 1,\n\n2 ]"],
        ["[\n" + " " * 65 + "1]", "[\n\n\n1]"],
    ),
    "control characters": ({"type": "string"}, JSON, ['"\x7f"', '"\\u001b"'], ['"\t"', '"\n"']),
    "Python's control characters": (
        {"type": "string"},
        PYTHON,
        ["'\t\x7f\x1b'"],
        ["'\n'", "'\r'"],
    ),
    "some control characters": ({"type": "string", "maxLength": 2}, JSON, ['"\x7f\\t"'], ['"\t"', '"\x7f\x7f\x7f"']),
    "Python's, some": ({"type": "string", "maxLength": 2}, PYTHON, ["'\t\\t'"], ["'\n'", "'\t\t\t'"]),
    "words for names": ({"type": "object"}, WORDS, ["{a:1}", "{a_1:{b2:true}}", "{<|a b|>:1}"], ["{a b:1}", "{:1}"]),
    "words for other names": (
        {"properties": {"ab": {"type": "null"}}, "additionalProperties": {"type": "integer"}},
        WORDS,
        ["{ab:null,a:1}", "{abc:1}", '{"a":1}'],
        ["{ab:1}", '{"ab":1}', "{:1}"],
    ),
}  # fmt: skip
"""Texts rather than values: how a model, or a chat template's `tojson`, writes them."""


@pytest.mark.parametrize("kept_out", [(), ("</call>",)], ids=["plain", "kept free of a mark"])
@pytest.mark.parametrize("case", WRITTEN)
def test_how_values_are_written(case: str, kept_out: tuple[str, ...]) -> None:
    schema, syntax, taken, refused = WRITTEN[case]
    written = gbnf.write(rules_of(schema, syntax, kept_out)[0])
    assert xgrammar().accepts(written, [*taken, *refused]) == [True] * len(taken) + [False] * len(refused)


def test_a_mark_that_begins_beyond_u_ffff() -> None:
    written = gbnf.write(rules_of({"enum": ["a🔚done"]}, kept_out=("🔚done",))[0])
    assert xgrammar().accepts(written, ['"a\\ud83d\\udd1adone"', '"a🔚done"']) == [True, False]


@pytest.mark.parametrize("schema", [{"prefixItems": [{}, {}], "items": nested_array()}, {"items": nested_array()}])
def test_what_is_counted_high_is_a_rule(schema: Any) -> None:
    """llama.cpp writes out what is repeated, and takes only so much of it."""
    bodies, _ = rules_of({"type": "array", "maxItems": 1_900, **schema})
    parts = [part for body in bodies.values() for part in walk(body)]
    counted = [part.body for part in parts if isinstance(part, Repeat) and (part.most or 0) > 100]
    assert counted and all(isinstance(body, Rule) for body in counted)


def test_formats() -> None:
    assert set(FORMATS) == {"date", "time", "date-time", "uuid"}


# -- tools as nobody would write them


def tool(parameters: Any, name: Any = "f") -> list[Any]:
    return [{"name": name, "parameters": parameters}]


def argument(schema: Any) -> list[Any]:
    return tool({"type": "object", "properties": {"a": schema}})


def required(schema: Any) -> list[Any]:
    return tool({"type": "object", "properties": {"a": schema}, "required": ["a"]})


def nested_list(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


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
        A,
    ),
    "no end": (tool({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}), A),
    "a reference elsewhere": (argument({"$ref": "https://example.org/x"}), f"{A}/$ref"),
    "a reference nowhere": (argument({"$ref": "#/nowhere/1"}), f"{A}/$ref"),
    "a number for a reference": (argument({"$ref": 5}), f"{A}/$ref"),
    "a number for a schema": (argument(5), A),
    "an unknown type": (argument({"type": "strin"}), f"{A}/type"),
    "a number for a type": (argument({"type": 5}), f"{A}/type"),
    "no count": (argument({"type": "string", "maxLength": float("inf")}), f"{A}/maxLength"),
    "no number of elements": (argument({"type": "array", "minItems": float("nan")}), f"{A}/minItems"),
    "a value of 200 levels": (argument({"enum": [nested_list(200)]}), f"{A}/enum/0" + "/0" * 101),
    "values of 500 levels": (
        argument({"allOf": [{"const": nested_list(500)}, {"const": nested_list(500)}]}),
        f"{A}/allOf/1/const" + "/0" * 296,
    ),
    "values that exclude each other": (required({"allOf": [{"enum": ["a", "b"]}, {"const": "c"}]}), A),
    "nothing": (required(False), A),
    "elements that can't be": (
        required({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"allOf": [False]}, "minItems": 2}),
        A,
    ),
    "a member that may not be": (
        required(
            {
                "allOf": [
                    {"type": "object", "properties": {"x": {}}, "additionalProperties": False},
                    {"required": ["y"], "properties": {"y": {}}},
                ]
            }
        ),
        f"{A}/properties/y",
    ),
    "an anchor nowhere": (argument({"$ref": "#item"}), f"{A}/$ref"),
    "no values": (argument({"enum": []}), f"{A}/enum"),
    "no value of the type": (argument({"type": "integer", "enum": ["a"]}), A),
    "no options": (argument({"anyOf": []}), f"{A}/anyOf"),
    "a negative length": (argument({"type": "string", "minLength": -1}), f"{A}/minLength"),
    "a length out of order": (argument({"type": "string", "minLength": 3, "maxLength": 1}), A),
    "elements out of order": (argument({"type": "array", "minItems": 3, "maxItems": 1}), A),
    "no bound": (argument({"type": "integer", "minimum": float("nan")}), f"{A}/minimum"),
    "nothing within the bounds": (argument({"type": "integer", "minimum": 5, "maximum": 2}), A),
    "names that aren't a list": (tool({"type": "object", "properties": {}, "required": "a"}), "/0/parameters/required"),
    "130 levels": (argument(nested(130)), A + "/properties/a" * 100),
    "900 levels": (argument(nested(900)), A + "/properties/a" * 149 + "/properties"),
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


# -- arguments as texts, which their schemas' types turn into values


def tagged(value: str) -> str:
    return f"<tool_call>\n<function=f>\n<parameter=a>\n{value}\n</parameter>\n</function>\n</tool_call>"


STRING_OR: Final[dict[str, Any]] = {
    "a bounded integer": {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 10}]},
    "an object that lists its members": {"type": ["string", "object"], "properties": {"x": {"type": "integer"}}},
    "numbers that the text may be, too": {"type": ["integer", "string"], "maximum": 5},
}
TAGGED: Final[dict[str, tuple[Any, list[str], list[str]]]] = {
    "booleans": ({"type": "boolean"}, ["true", "True", "false", "False"], ["1", "yes", "tRUE"]),
    "null": ({"type": ["integer", "null"]}, ["null", "None", "5", "5.0"], ["nil", ""]),
    "booleans in arrays": ({"type": "array"}, ["[true, null]"], ["[True]", "[None]"]),
    "values of a union": ({"type": ["string", "integer"], "enum": ["1", 2, "b"]}, ["2", "b"], ["1"]),
    "null among strings": ({"type": ["string", "null"], "enum": ["null", "b"]}, ["b"], ["null"]),
    "zero and one": ({"type": ["boolean", "integer"], "enum": [1, 0, 7]}, ["7", "7.0"], ["1", "0"]),
    "true": ({"type": ["boolean", "null"], "enum": [True, None]}, ["True", "None"], ["False"]),
    "strings of a reference": ({"$ref": "#/properties/b"}, ["x"], ["y", "1"]),
    "anything": ({}, ["a b", "[1]", "true"], []),
    "anything at all": (True, ["a b"], []),
    "one of several": ({"type": ["string", "integer"], "anyOf": [{"enum": ["a"]}, {"const": 3}]}, ["a", "3"], ["b"]),
    "line ends of its own": ({"type": "string", "enum": ["\na", "b\n", "c\nd"]}, ["c\nd"], ["\na", "b\n", "a", "b"]),
    "some text": ({"type": "string", "minLength": 1}, ["x", "x\ny"], ["", "\n", "\n\n"]),
    "a mark": ({"type": "string", "enum": ["a", "</parameter>"]}, ["a"], ["</parameter>"]),
}


@pytest.mark.parametrize("case", TAGGED)
def test_texts_in_tags(case: str) -> None:
    schema, taken, refused = TAGGED[case]
    tools = tool({"type": "object", "properties": {"a": schema, "b": {"enum": ["x"]}}, "required": ["a"]})
    document = response_template("qwen3-coder")
    texts = [tagged(value) for value in (*taken, *refused)]
    written = grammar(document, tools)
    assert xgrammar().accepts(written.gbnf, texts) == [True] * len(taken) + [False] * len(refused)
    assert [problem(tagged(value), document, tools) for value in taken] == [None] * len(taken)
    source = Sentences(written.rules, 1)
    assert {problem(source.sentence(), document, tools) for _ in range(examples(60))} == {None}


UNSAID: Final[dict[str, Any]] = {
    "a reference": {"$ref": "#/$defs/i"},
    "a part of several": {"allOf": [{"type": "integer"}, {"minimum": 3}]},
    "a union of references": {"anyOf": [{"$ref": "#/$defs/i"}, {"type": "null"}]},
    "a value": {"const": 5},
    "values": {"enum": [1, True]},
    "members": {"properties": {"x": {"type": "integer"}}},
}


@pytest.mark.parametrize("case", UNSAID)
def test_values_whose_type_a_parser_doesn_t_find(case: str) -> None:
    """They are written, but come back as strings, which is told."""
    parameters = {"type": "object", "properties": {"a": UNSAID[case]}, "$defs": {"i": {"type": "integer"}}}
    notes = grammar(response_template("qwen3-coder"), tool(parameters)).notes
    assert [(note.place, note.text.partition(" where")[0]) for note in notes] == [(A, "type isn't said")]
    assert not grammar(response_template("qwen3"), tool(parameters)).notes


@pytest.mark.parametrize("name", ["qwen3-coder", "qwen3", "lfm2.5-calls"])
@pytest.mark.parametrize("case", STRING_OR)
def test_strings_that_may_become_something_else(case: str, name: str) -> None:
    notes = grammar(response_template(name), argument(STRING_OR[case])).notes
    assert [note.place.startswith(A) for note in notes if note.text.startswith("type isn't held to for a text")] == [
        True
    ]


@pytest.mark.parametrize("name", ["qwen3-coder", "qwen3", "lfm2.5-calls"])
@pytest.mark.parametrize(
    "schema", [{"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"type": "string"}]
)
def test_strings_that_stay_valid_whatever_they_become(schema: Any, name: str) -> None:
    assert not grammar(response_template(name), argument(schema)).notes


@pytest.mark.parametrize("name", ["qwen3", "lfm2.5-calls", "gemma4"])
def test_strings_in_json_that_would_become_something_else(name: str) -> None:
    """The strings of arguments are cast however they are written; those in objects aren't."""
    values = {"type": ["string", "integer"], "enum": ["1", 2, "b"]}
    for schema, lost in ((values, 1), ({"anyOf": [{"$ref": "#/$defs/v"}, {"type": "integer", "minimum": 5}]}, 1),
                         ({"type": "object", "properties": {"x": values}}, 0)):  # fmt: skip
        tools = tool({"type": "object", "properties": {"a": schema}, "$defs": {"v": {"enum": ["1", "b"]}}})
        made = grammar(response_template(name), tools)
        assert sum('enum or const is without ["1"]' in note.text for note in made.notes) == lost
        source = Sentences(made.rules, 1)
        assert {problem(source.sentence(), response_template(name), tools) for _ in range(examples(60))} == {None}


LOST: Final[dict[str, tuple[str, Any, str, str]]] = {
    "a tool": ("qwen3-coder", required(False), A, "no finite text"),
    "a tool in JSON": ("qwen3", required({"type": "integer", "allOf": [False]}), A, "no finite text"),
    "an argument": ("qwen3", argument({"allOf": [{"enum": [1]}, {"enum": [2]}]}), A, "no finite text"),
    "a member": (
        "qwen3",
        argument({"type": "object", "properties": {"x": {"allOf": [False]}}}),
        f"{A}/properties/x",
        "no finite text",
    ),
    "a mark among values": (
        "qwen3-coder",
        argument({"type": "string", "enum": ["a", "</parameter>"]}),
        A,
        'enum or const is without ["</parameter>"]',
    ),
    "a mark among values in JSON": (
        "gemma4",
        argument({"type": "string", "enum": ["a", '<|"|>']}),
        A,
        "enum or const is without",
    ),
    "a text that stripping changes": (
        "glm4",
        argument({"type": "string", "const": " a "}),
        A,
        'enum or const is without [" a "]',
    ),
}


@pytest.mark.parametrize("case", LOST)
def test_what_can_t_be_written_is_noted(case: str) -> None:
    name, tools, place, text = LOST[case]
    notes = grammar(response_template(name), [*tools, {"name": "other"}]).notes
    assert [note.text.startswith(text) for note in notes if note.place == place][:1] == [True]


def test_what_a_pattern_beside_the_value_may_take_is_noted() -> None:
    document = response_template("qwen3-coder")
    arguments = document["fields"]["tool_calls"]["content_args"]
    arguments["tag_pattern"] = arguments["tag_pattern"].replace(r">\n?(?P<value>", r">(?:\n|)(?P<value>")
    assert [note.place for note in grammar(document, argument({"type": "string"})).notes] == [A]
