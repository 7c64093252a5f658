"""The whole-text oracle against expectations written by hand from SPEC.md, clause group by clause group."""

from __future__ import annotations

from typing import Any

import pytest

from oracles.values import JSON, ValueFault, content_value, same_json, transformed, typed_argument
from oracles.whole_text import Fault, by_code_point, parse

THINK = {"open": "<t>", "close": "</t>"}


def template(fields: dict[str, JSON], *, anchor: JSON = "@@", defaults: JSON = None) -> dict[str, JSON]:
    start = {} if defaults is None else {"defaults": defaults}
    return {**start, "start_anchor": anchor, "fields": fields}


def message(fields: dict[str, JSON], text: str, **more: Any) -> JSON:
    outcome = parse(template(fields), text, **more)
    assert outcome.error is None
    return outcome.message


def short(fields: dict[str, JSON], text: str, **more: Any) -> list[str]:
    """The events as `+field`, `field:text` and `-field=value`."""
    result = []
    for event in parse(template(fields), text, **more).events:
        mark = {"region_open": "+{field}", "region_chunk": "{field}:{text}", "region_close": "-{field}={value}"}
        result.append(mark.get(event["type"], "!{field}={kind}").format(**event))
    return result


# ---- sections 1 and 2 ----------------------------------------------------------------------------------------------


def test_prefix_left_out() -> None:  # PREFIX-1
    assert parse(template({"c": {}}), "x", prefix=None).error == Fault("prefix-missing")


@pytest.mark.parametrize(
    ("anchor", "prefix", "head"),
    [
        ("@@", "a@@b@@c", "c"),
        ("@@", "abc", "abc"),  # ANCHOR-2
        ("aa", "aaab", "ab"),  # ANCHOR-1: the second search begins where the first match ended
        (["@", "@b"], "@bc", "c"),  # DELIM-2
    ],
)
def test_head(anchor: JSON, prefix: str, head: str) -> None:
    assert parse(template({"c": {}}, anchor=anchor), "", prefix=prefix).head == head


def test_anchor_pattern_sees_the_prefix_as_a_complete_text() -> None:  # ANCHOR-3
    document = {"start_anchor_pattern": "a$", "fields": {"c": {}}}
    assert parse(document, "a", prefix="xa").message == {"c": "a"}


def test_delimiter_across_head_and_generation() -> None:  # ANCHOR-4, ANCHOR-5
    assert message({"r": THINK, "c": {}}, "t>x</t>y", prefix="@@<") == {"r": "x", "c": "y"}


def test_beginning_of_the_text_is_that_of_the_head() -> None:  # ANCHOR-4
    fields = {"r": {"open_pattern": "^", "close": ";"}, "c": {}}
    assert message(fields, "b;c", prefix="x@@a") == {"r": "ab", "c": "c"}


# ---- section 3 -----------------------------------------------------------------------------------------------------


def test_text_outside_of_regions_is_discarded_without_an_implicit_field() -> None:  # REGION-1, REGION-3
    assert short({"r": THINK}, "a<t>b</t>c") == ["+r", "r:b", "-r=b"]


def test_empty_regions() -> None:  # REGION-5
    assert short({"r": THINK, "c": {}}, "<t></t>") == ["+r", "-r="]


def test_end_of_the_stream_ends_the_region() -> None:  # REGION-6
    assert short({"r": THINK, "c": {}}, "<t>a</t") == ["+r", "r:a</t", "-r=a</t"]


def test_inside_a_region_only_its_own_close_counts() -> None:  # REGION-7
    fields = {"r": THINK, "q": {"open": "<q>"}, "c": {"close": ";"}}
    assert short(fields, "<t><q>;<t></t>") == ["+r", "r:<q>;<t>", "-r=<q>;<t>"]


def test_implicit_close_ends_the_region_only() -> None:  # REGION-8, MESSAGE-3
    assert short({"c": {"close": ";"}}, "a;b") == ["+c", "c:a", "-c=a", "+c", "c:b", "-c=b"]
    assert message({"c": {"close": ";"}}, "a;b") == {"c": "b"}


def test_white_space_between_regions_is_a_region() -> None:  # REGION-9
    assert message({"r": {**THINK, "repeats": True}, "c": {}}, "a<t>b</t>\n<t>c</t>") == {"r": ["b", "c"]}


# ---- section 4 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "text", "expected"),
    [
        ({"a": {"open": "xy"}, "b": {"open": "y"}}, "xyz", {"a": "z"}),  # starts earliest
        ({"a": {"open": "x"}, "b": {"open": "xy"}}, "xyz", {"b": "z"}),  # longest
        ({"b": {"open": "x"}, "a": {"open": "x"}}, "xz", {"a": "z"}),  # first name
        ({"z": {"open": ";"}, "a": {"close": ";"}}, "p;q", {"a": "p", "z": "q"}),  # open before close
        ({"a": {"open": ["x", "xyz", "xy"]}}, "xyzw", {"a": "w"}),  # DELIM-2
        ({"a": {"open_pattern": "x|xy"}}, "xyz", {"a": "yz"}),  # the first that backtracking finds
        ({"a": {"open_pattern": "(?<=x)y"}, "b": {"open": "x"}}, "xyz", {"b": "yz"}),  # earliest
    ],
)
def test_which_delimiter_fires(fields: dict[str, JSON], text: str, expected: JSON) -> None:  # DELIM-1
    assert message(fields, text) == expected


def test_searches_see_what_lies_before() -> None:  # DELIM-3
    fields = {"r": {"open": "<t>", "close_pattern": "(?<=<t>)x"}, "c": {}}
    assert message(fields, "<t>xy") == {"c": "y"}


def test_end_of_the_stream_in_patterns() -> None:  # DELIM-5, DELIM-8
    fields = {"r": {"open": "<t>", "close_pattern": "(?P<end></t>|$)", "transform": "{end}"}}
    assert message(fields, "<t>a") == {}
    assert short(fields, "<t>a") == ["+r", "r:a", "-r="]


def test_zero_width_delimiters_come_to_an_end() -> None:  # DELIM-6
    fields = {"r": {"open_pattern": "(?:^|<t>\\s*)", "close_pattern": "(?:</t>|$)"}, "c": {}}
    assert short(fields, "\n") == ["+r", "-r=", "+c", "c:\n", "-c="]
    assert short({"r": {"open_pattern": "(?=x)", "close_pattern": "(?=x)"}}, "xx") == ["+r", "-r="] * 2


def test_zero_width_implicit_close_that_closes_nothing() -> None:  # DELIM-7
    assert short({"c": {"close_pattern": "(?=\n)"}}, "\na\nb") == ["+c", "c:\na", "-c=a", "+c", "c:\nb", "-c=b"]


# ---- section 5 -----------------------------------------------------------------------------------------------------


def test_events_have_their_keys() -> None:  # EVENT-1 to EVENT-3
    outcome = parse(template({"n": {"open": "#", "content": "json", "transform": "{content}"}}), "# 1 ")
    assert outcome.events == [
        {"type": "region_open", "field": "n"},
        {"type": "region_chunk", "field": "n", "text": " 1 ", "dirty": True},
        {"type": "region_close", "field": "n", "value": 1},
    ]
    assert [event.get("text") for event in by_code_point(outcome.events)] == [None, " ", "1", " ", None]


def test_separator_is_in_the_message_only() -> None:  # EVENT-5, MESSAGE-4
    fields = {"r": {**THINK, "repeats": True, "join": "|"}}
    assert short(fields, "<t>a</t><t>b</t>") == ["+r", "r:a", "-r=a", "+r", "r:b", "-r=b"]
    assert message(fields, "<t>a</t><t>b</t>") == {"r": "a|b"}


# ---- section 6 -----------------------------------------------------------------------------------------------------

GOOD: list[tuple[str, dict[str, JSON], str, JSON]] = [
    ("text", {}, "\x1c\u3000 a\u2028", "a"),  # TEXT-2
    ("text", {}, "\ufeffa\u200b", "\ufeffa\u200b"),
    ("text", {"strip": False}, " a ", " a "),
    ("int", {}, " +007\n", 7),
    ("int", {}, "-9007199254740991", -9007199254740991),
    ("float", {}, ".5e1", 5),
    ("float", {}, "-5.", -5),
    ("bool", {}, " tRuE ", True),
    ("bool", {}, "1", True),
    ("bool", {}, "yes", False),
    ("json", {}, '\t{"a": [1, -0.5e1, true, null, "\\u00e9\\ud83d\\ude00\\/"]}\r', {"a": [1, -5, True, None, "é😀/"]}),
    ("json", {}, '{"a": 1, "a": 2}', {"a": 2}),
    ("json", {"unquoted_keys": True}, '{ключ_1: 1, "b": {c: 2}}', {"ключ_1": 1, "b": {"c": 2}}),
    ("json", {"string_delims": [["<|", "|>"]]}, '{<|k|>: <|a"\\n|>, "b": "<|x|>"}', {"k": 'a"\\n', "b": "<|x|>"}),
    ("json", {"string_delims": [["'", "'"], ["''", "''"]]}, "''a'b''", "a'b"),
    ("json", {"allow_non_json": True}, " no json ", "no json"),
    ("json", {"allow_non_json": True}, "[" * 600, "[" * 600),
    (
        "xml-inline",
        {"tag_pattern": "<(?P<key>\\w+)>(?P<value>.*?)</>"},
        "?<a>1</> <b>2</><a>3</>",
        {"a": "3", "b": "2"},
    ),
    (
        "xml-inline",
        {
            "tag_pattern": "<(?P<key>\\w)(=(?P<value>\\d))?>",
            "merge_duplicates": True,
            "value_parser": {"name": "int"},
        },
        "<a=1><b><a=2>",
        {"a": [1, 2], "b": None},
    ),
    ("kv-lines", {}, "a: 1\n\nnothing\n b:2:3 ", {"a": "1", "b": "2:3"}),
    ("kv-lines", {"line_sep": ";", "kv_sep": "=", "strip": False}, "a = 1;a= 2", {"a ": " 1", "a": " 2"}),
    ("kv-lines", {"value_parser": {"name": "json", "args": {"unquoted_keys": True}}}, "a: {b:1}", {"a": {"b": 1}}),
    ("python-call-list", {}, " [ ] ", []),
    (
        "python-call-list",
        {},
        "[a.b-c ( x = 'q\\'\"', y={ \"k\" : [True, null, -1.5e1] }), d()]",
        [{"name": "a.b-c", "arguments": {"x": "q'\"", "y": {"k": [True, None, -15]}}}, {"name": "d", "arguments": {}}],
    ),
    ("python-call-list", {}, "[f(x='\\ud83d\\ude00')]", [{"name": "f", "arguments": {"x": "😀"}}]),
]

BAD: list[tuple[str, dict[str, JSON], str, str]] = [
    ("int", {}, "1_000", "int-syntax"),
    ("int", {}, "٣", "int-syntax"),
    ("int", {}, "", "int-syntax"),
    ("float", {}, "nan", "float-syntax"),
    ("float", {}, ".", "float-syntax"),
    ("float", {}, "1e999", "number-range"),
    ("json", {}, "NaN", "json-syntax"),
    ("json", {}, "1e400", "number-range"),
    ("json", {}, "\ufeff1", "json-syntax"),
    ("json", {}, "[1,]", "json-syntax"),
    ("json", {}, "01", "json-syntax"),
    ("json", {}, '"a\nb"', "json-syntax"),
    ("json", {}, '"\\ud800"', "json-syntax"),
    ("json", {}, "{a: 1}", "json-syntax"),
    ("json", {}, "{} {}", "json-syntax"),
    ("json", {"string_delims": [["<", ">"]]}, "<a", "json-syntax"),
    ("json", {}, "[" * 513 + "]" * 513, "nesting-too-deep"),
    ("xml-inline", {"tag_pattern": "(?P<key>a)?(?P<value>b)"}, "abb", "tag-without-key"),
    ("kv-lines", {"value_parser": {"name": "int"}}, "a: x", "int-syntax"),
    ("python-call-list", {}, "[f(1)]", "calls-syntax"),
    ("python-call-list", {}, "[f(a=1,)]", "calls-syntax"),
    ("python-call-list", {}, "[f(a=1, a=2)]", "calls-syntax"),
    ("python-call-list", {}, "[f(a={'k': 1, '\\u006b': 2})]", "calls-syntax"),
    ("python-call-list", {}, "[f(a=True.x)]", "calls-syntax"),
    ("python-call-list", {}, "[f(a=9007199254740992)]", "calls-syntax"),
    ("python-call-list", {}, "[f(a='\\ud800')]", "calls-syntax"),
    ("python-call-list", {}, "[f(a='x\n')]", "calls-syntax"),
    ("python-call-list", {}, "[f(a=" + "[" * 101 + "]" * 101 + ")]", "nesting-too-deep"),
]


@pytest.mark.parametrize(("kind", "args", "text", "value"), GOOD)
def test_content(kind: str, args: dict[str, JSON], text: str, value: JSON) -> None:
    assert same_json(content_value(kind, args, text), value)


@pytest.mark.parametrize(("kind", "args", "text", "fault"), BAD)
def test_content_faults(kind: str, args: dict[str, JSON], text: str, fault: str) -> None:
    with pytest.raises(ValueFault) as caught:
        content_value(kind, args, text)
    assert caught.value.kind == fault


@pytest.mark.parametrize(("kind", "depth"), [("json", 100), ("json", 512), ("python-call-list", 100)])
def test_depth_that_is_accepted(kind: str, depth: int) -> None:  # CONTENT-3, KIND-CALLS-4
    nested = "[" * depth + "]" * depth
    assert content_value(kind, {}, nested if kind == "json" else f"[f(a={nested})]")


# ---- section 7 -----------------------------------------------------------------------------------------------------


def test_transform_keeps_types_and_literals() -> None:  # TRANSFORM-1 to TRANSFORM-3
    shape = {"type": "function", "{x}": ["{content.a.b}", "{name}", 1, "{}", "{a b}"]}
    value = transformed(shape, False, {"a": {"b": [1]}}, {"name": "f"})
    assert value == {"type": "function", "{x}": [[1], "f", 1, "{}", "{a b}"]}


def test_groups_of_the_close_hide_those_of_the_open() -> None:  # TRANSFORM-3
    fields = {"r": {"open_pattern": "<(?P<n>\\w)(?P<o>\\w?)>", "close_pattern": "</(?P<n>\\w)?>", "transform": ["{n}"]}}
    assert message(fields, "<a>x</b>") == {"r": ["b"]}
    assert message(fields, "<a>x</>") == {"r": ["a"]}


def test_transform_each() -> None:  # TRANSFORM-4
    assert transformed({"v": "{k}", "n": "{n}"}, True, [{"k": 1}, {"k": 2, "n": 3}], {"n": "c"}) == [
        {"v": 1, "n": "c"},
        {"v": 2, "n": 3},
    ]


@pytest.mark.parametrize(
    ("content", "each", "fault"),
    [
        ({}, True, "transform-each-not-list"),
        ([1], True, "transform-each-not-object"),
        ([{"content": 1}], True, "placeholder-unresolved"),
        ({"a": 1}, False, "placeholder-unresolved"),
        ({"a": []}, False, "placeholder-unresolved"),
    ],
)
def test_transform_faults(content: JSON, each: bool, fault: str) -> None:  # TRANSFORM-4, TRANSFORM-6
    with pytest.raises(ValueFault) as caught:
        transformed("{content.a.b}", each, content, {})
    assert caught.value.kind == fault


# ---- section 8 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "argument", "value"),
    [
        ({"type": "integer"}, " 007 ", 7),
        ({"type": "integer"}, "3.0", 3),
        ({"type": "integer"}, "1e3", 1000),
        ({"type": "integer"}, " 3.5 ", " 3.5 "),  # TOOLS-5
        ({"type": "number"}, "2.50", 2.5),
        ({"type": "number"}, "1e999", "1e999"),
        ({"type": "boolean"}, "FALSE", False),
        ({"type": "boolean"}, "yes", "yes"),
        ({"type": "null"}, "None", None),
        ({"type": "object"}, '{"a": "1"}', {"a": "1"}),
        ({"type": "array"}, '{"a": 1}', '{"a": 1}'),
        ({"type": "string"}, "7", "7"),
        ({"type": ["string", "integer"]}, "007", 7),
        ({"type": "string", "nullable": True}, "null", None),
        ({"anyOf": [{"type": "boolean"}, {"oneOf": [{"type": "integer"}]}]}, "1", True),
        ({"oneOf": [{"type": "integer"}], "anyOf": [{"type": "boolean"}]}, "1", True),
        ({"type": "integer"}, ["1", 2, "x"], [1, 2, "x"]),  # TOOLS-6
        ({"type": "array"}, ["1"], ["1"]),
        ({"type": "integer"}, True, True),
        (True, "1", "1"),
    ],
)
def test_casts(schema: JSON, argument: JSON, value: JSON) -> None:  # TOOLS-3 to TOOLS-6
    assert same_json(typed_argument(argument, schema), value)


def test_which_values_are_typed() -> None:  # TOOLS-1, TOOLS-2
    tools = [
        {"name": "f", "parameters": {"properties": {"a": {"type": "string"}}}},
        {"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}}}},
        {"name": "g"},
    ]
    fields = {"r": {**THINK, "content": "json"}}
    text = (
        '<t>[[{"function": {"name": "f", "arguments": {"a": "1", "b": "1"}}}], {"name": "f", "arguments": {"a": "1"}}]'
    )
    assert message(fields, text, tools=tools) == {
        "r": [[{"function": {"name": "f", "arguments": {"a": 1, "b": "1"}}}], {"name": "f", "arguments": {"a": "1"}}]
    }


# ---- sections 9 and 10 ---------------------------------------------------------------------------------------------


def test_message_begins_with_the_defaults() -> None:  # MESSAGE-1, MESSAGE-2, MESSAGE-6
    fields = {"r": {**THINK, "repeats": True}, "c": {}, "n": {"open": "#"}}
    document = template(fields, defaults={"role": "a", "r": ["x"], "e": ""})
    assert parse(document, "<t>b</t>").message == {"role": "a", "r": ["x", "b"], "e": ""}
    assert document["defaults"]["r"] == ["x"]
    assert parse(template({"n": {"open": "#", "content": "int"}}), "#0").message == {"n": 0}


def test_join_onto_an_empty_default() -> None:  # MESSAGE-4
    document = template({"r": {**THINK, "repeats": True, "join": "|"}}, defaults={"r": ""})
    assert parse(document, "<t>a</t>").message == {"r": "|a"}


@pytest.mark.parametrize(
    ("fields", "text", "error", "events"),
    [
        ({"n": {"open": "#", "close": ";", "content": "int"}, "c": {}}, "a#x;b", Fault("int-syntax", "n", 2), 5),
        ({"r": {**THINK, "optional": False}, "c": {}}, "ab", Fault("field-missing", "r", 2), 3),
        (
            {"n": {"open": "#", "repeats": True, "join": "", "content": "int"}},
            "#1",
            Fault("join-not-string", "n", 1),
            2,
        ),
    ],
)
def test_errors(fields: dict[str, JSON], text: str, error: Fault, events: int) -> None:  # ERROR-2, ERROR-3, MESSAGE-5
    outcome = parse(template(fields), text)
    assert (outcome.error, len(outcome.events)) == (error, events)


def test_error_in_the_head_has_a_negative_position() -> None:  # ERROR-2
    fields = {"n": {"open": "#", "close": ";", "content": "int"}}
    assert parse(template(fields), "y", prefix="@@#x;").error == Fault("int-syntax", "n", -2)


def test_malformed_regions_as_events() -> None:  # ERROR-6
    fields = {"n": {"open": "#", "close": ";", "content": "int"}, "c": {}}
    events = short(fields, "#x;b", on_malformed="event")
    assert events == ["+n", "n:x", "!n=int-syntax", "+c", "c:b", "-c=b"]
    assert message(fields, "#x;b", on_malformed="event") == {"c": "b"}


def test_dialect() -> None:  # DIALECT-1, DIALECT-7
    assert message({"a": {"open_pattern": "^a$"}, "c": {}}, "\na") == {"c": "a"}
    assert message({"a": {"open_pattern": "x.y"}, "c": {}}, "x\nyz") == {"a": "z"}
    assert message({"a": {"open": "é"}, "c": {}}, "e\u0301z") == {"c": "e\u0301z"}
