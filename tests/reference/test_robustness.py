"""Whatever comes in, nothing but the parser's own errors comes out, and no text is lost (TEXT-3)."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from antiphon import AntiphonError, ParseError, ResponseParser, load_template, parse_response
from hypothesis import given, settings
from hypothesis import strategies as st
from streams import run
from support import examples

KINDS: dict[str, dict[str, Any]] = {
    "text": {},
    "int": {},
    "float": {},
    "bool": {},
    "json": {"content_args": {"unquoted_keys": True, "string_delims": [["<|", "|>"]]}},
    "xml-inline": {
        "content_args": {
            "tag_pattern": r"<(?P<key>\w+)>(?P<value>.*?)</(?P=key)>",
            "value_parser": {"name": "kv-lines", "args": {"value_parser": {"name": "json"}}},
        }
    },
    "kv-lines": {"content_args": {"value_parser": {"name": "json", "args": {"allow_non_json": True}}}},
    "python-call-list": {},
}
TOOLS = [{"name": "f", "parameters": {"properties": {"a": {"type": ["integer", "object", "array", "number"]}}}}]


def reading(kind: str) -> dict[str, Any]:
    """A template whose one field takes everything up to `</x>`."""
    field = {"open": "<x>", "close": "</x>", "content": kind, "optional": False, **KINDS[kind]}
    return {"start_anchor": "A", "fields": {"x": field, "rest": {}}}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000, '{"a":' * 50_000, "[" * 50_000 + "]" * 50_000, "[f(a=" + "[" * 5_000,
        "9" * 5_000, "-1e" + "9" * 400, "NaN", "Infinity", "1_000", "١٢٣",
        "\ud800", '"\\ud800"', '"\\udc00\\ud800"', "'\\u12'", "\\", '"\\',
        "\x00\x01\x02", "\ufeff1", "a\r\nb: c\r\n", "\u2028", "\U0010ffff", "",
        "[f(a=1, a=2)]", '{"a": 1, "a": 2}', "<a>1</a><a>",
    ],
)  # fmt: skip
def test_hostile_regions(kind: str, text: str) -> None:
    whole = run(reading(kind), [f"<x>{text}</x>!"], tools=TOOLS)
    assert run(reading(kind), ["<x>", text[: len(text) // 2], text[len(text) // 2 :], "</x>!"], tools=TOOLS) == whole
    taken = "".join(event["text"] for event in whole.events if event["type"] == "region_chunk")
    assert taken in (text, text + "!")


@settings(max_examples=examples(600))
@given(
    st.sampled_from(sorted(KINDS)),
    st.text(st.sampled_from("[]{}()<>:,=\"'\\/ \n\tau0123456789.eE+-fx\ud83d\ude00\ufeff"), max_size=40),
)
def test_random_regions(kind: str, text: str) -> None:
    assert run(reading(kind), [f"<x>{text}</x>"]) == run(reading(kind), f"<x>{text}</x>")


KEYS = """version defaults fields start_anchor start_anchor_pattern open open_pattern close close_pattern content x
content_args tag_pattern value_parser name args repeats join optional transform transform_each string_delims"""
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
keys = st.sampled_from(KEYS.split()) | st.text(max_size=2)
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@settings(max_examples=examples(600))
@given(documents)
def test_any_document_loads_or_is_refused(document: Any) -> None:
    field, fields = {"start_anchor": "A", "fields": {"x": document}}, {"start_anchor": "A", "fields": document}
    for candidate in (document, fields, field):
        try:
            load_template(candidate)
        except AntiphonError as error:
            assert error.kind and str(error)


def test_a_million_chunks_of_one_character() -> None:
    parser = ResponseParser(reading("text"), prefix="")
    for character in "<x>" + "ab<c " * 200_000:
        parser.feed(character)
    assert parser.finalize()[0] == {"x": ("ab<c " * 200_000).strip()}


def test_memory_is_bounded_by_what_is_held() -> None:
    template = {"start_anchor": "A", "fields": {"x": {"open_pattern": r"(?<=\n)<x>"}}}
    parser = ResponseParser(template, prefix="")
    for _ in range(10_000):
        parser.feed("text without a field\n")
    assert sys.getsizeof(parser._text) < 1_000


def test_a_stack_that_is_nearly_full() -> None:
    text = "<x>" + "[" * 120 + "]" * 120

    def deep(levels: int) -> Any:
        return parse_response(text, reading("json"), prefix="") if levels == 0 else deep(levels - 1)

    with pytest.raises((ParseError, RecursionError)) as caught:
        deep(sys.getrecursionlimit() - 150)
    assert not isinstance(caught.value, RecursionError)
