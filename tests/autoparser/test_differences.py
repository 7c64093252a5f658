"""Texts taken apart at their markers, and where two differ: written examples, any texts, and what llama.cpp found."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from antiphon_portability.autoparser.analysis.differences import DiffSplit, diff_split
from antiphon_portability.autoparser.analysis.markers import last_marker, segments, trimmed, visible
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import needs_records, traces
from support import examples

TEXTS = st.lists(st.sampled_from(["<a>", "<b>", "</a>", "[x]", "<", ">", "[", "]", "a", "ab", "b", " ", "\n"])).map(
    "".join
)


@pytest.mark.parametrize(
    ("text", "texts", "markers"),
    [
        ("", [], []),
        ("plain", ["plain"], []),
        ("a<b>c[d]", ["a", "c"], ["<b>", "[d]"]),
        ("<a<b>>", [">"], ["<a<b>"]),  # up to the first closer
        ("<a]>", [], ["<a]>"]),  # of the same kind
        ("[1, <2>]", [], ["[1, <2>]"]),
        ("a<b[c]", ["a", "<b[c]"], []),  # an opener without a closer
        ("<\n>", [], ["<\n>"]),
    ],
)
def test_segments(text: str, texts: list[str], markers: list[str]) -> None:
    found = segments(text)
    assert [segment.text for segment in found if not segment.is_marker] == texts
    assert [segment.text for segment in found if segment.is_marker] == markers


@given(TEXTS)
def test_segments_are_the_text(text: str) -> None:
    found = segments(text)
    assert "".join(segment.text for segment in found) == text
    assert all(segment.text for segment in found)
    last = [segment.text for segment in found if segment.is_marker][-1:]
    assert not last or last_marker(text) is not None


def test_white_space() -> None:
    """That of C: a no-break space is none."""
    assert trimmed(" \t\n\v\f\r\u00a0x ") == "\u00a0x"
    assert [segment.text for segment in visible(segments(" <a>\n<b> c"))] == ["<a>", "<b>", " c"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", DiffSplit()),
        ("", "a", DiffSplit(right="a")),
        ("<a>", "", DiffSplit(left="<a>")),
        ("same <a>", "same <a>", DiffSplit(prefix="same <a>")),
        ("left", "right", DiffSplit("", "lef", "righ", "t")),
        (
            "prefix<div>content</div>",
            "prefix<div>different</div>",
            DiffSplit("prefix<div>", "cont", "differ", "ent</div>"),
        ),
        (
            "PREFIX</think>Sure",
            "PREFIX<think>Lemme think</think>Sure",
            DiffSplit("PREFIX", "", "<think>Lemme think", "</think>Sure"),
        ),
        ("<tag=a>x", "<tag=b>x", DiffSplit("", "<tag=a>", "<tag=b>", "x")),  # a marker is never cut
        ("a<x>", "a<x><x>", DiffSplit("a<x>", "", "<x>", "")),
        ("user\n", "user\nhello\n", DiffSplit("user\n", "", "hello\n", "")),  # an addition stands behind all
    ],
)
def test_diff_split(first: str, second: str, expected: DiffSplit) -> None:
    assert diff_split(first, second) == expected


@settings(max_examples=examples(500))
@given(TEXTS, TEXTS)
def test_any_two_texts(first: str, second: str) -> None:
    """Differences are differences; the texts can be put together again, but for a marker that counts twice."""
    found = diff_split(first, second)
    if first == second:
        assert found == DiffSplit(prefix=first)
        return
    assert found.left or found.right
    joined = found.prefix + found.left + found.suffix
    assert first in (joined, _without_twice(found, joined))


def _without_twice(found: DiffSplit, joined: str) -> str:
    """llama.cpp counts a segment into the prefix, and into the suffix, where one text is down to it."""
    last = [segment.text for segment in segments(found.prefix)][-1:]
    return joined.replace("".join(last), "", 1) if last else joined


def _diffs() -> list[Any]:
    found = []
    for name, record in traces().items():
        recorded = [one for one in record["trace"] if not one.get("failed")]
        found += [pytest.param(one, id=f"{name}-{number}") for number, one in enumerate(recorded)]
    return found


@needs_records
@pytest.mark.parametrize("record", _diffs())
def test_as_llama_cpp_splits(record: dict[str, Any]) -> None:
    assert dataclasses.asdict(diff_split(record["output_A"], record["output_B"])) == record["diff"]
