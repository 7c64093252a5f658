"""When events are due, against expectations worked out by hand from DUE-1; and the events as case files have them."""

from __future__ import annotations

from typing import Any

import pytest

from oracles.determined import determined, timed_events, trace
from oracles.values import JSON

THINK = {"open": "<t>", "close": "</t>"}


def due(fields: dict[str, JSON], text: str, **more: Any) -> list[str]:
    """The timed events as `+field@at`, `field:text@at`, `-field@at`."""
    found = trace({"start_anchor": "@@", "fields": fields}, text, **more)
    marks = {"region_open": "+{field}@{at}", "region_chunk": "{field}:{text}@{at}", "region_close": "-{field}@{at}"}
    lines = [marks.get(event["type"], "!{field}@{at}").format(**event) for event in timed_events(found)]
    if found.error:
        moment = found.due[-1]
        lines.append(f"error@{'end' if moment is None else moment}")
    return lines


@pytest.mark.parametrize(
    ("fields", "text", "expected"),
    [
        ({"c": {}}, "ab", ["+c@1", "c:ab@[1, 2]", "-c@end"]),
        # Text that may be a delimiter is held until it can't be one.
        ({"r": THINK, "c": {}}, "a<tb", ["+c@1", "c:a@1", "c:<tb@4", "-c@end"]),
        ({"r": THINK, "c": {}}, "a<t", ["+c@1", "c:a@1", "c:<t@end", "-c@end"]),
        ({"r": THINK, "c": {}}, "<t>ab</t>c", ["+r@3", "r:ab@[4, 5]", "-r@9", "+c@10", "c:c@10", "-c@end"]),
        # A list whose longest literal may still come: the close is due, the text behind it isn't.
        (
            {"r": {"open": "<t>", "close": ["|", "|\r\n"]}, "c": {}},
            "<t>|\rx",
            ["+r@3", "-r@4", "+c@6", "c:\rx@6", "-c@end"],
        ),
        # White space that a close takes in addition can't change the value.
        ({"r": {"open": "<t>", "close_pattern": "\\s*</t>\\s*"}}, "<t>a </t> b", ["+r@3", "r:a@4", "-r@9"]),
        # A group of the close that the transform asks for, and one that it doesn't.
        (
            {"r": {"open": "<t>", "close_pattern": "</t(?P<n>\\d*)>?", "transform": "{n}"}},
            "<t></t12 ",
            ["+r@3", "-r@9"],
        ),
        (
            {"r": {"open": "<t>", "close_pattern": "</t(?P<n>\\d*)>?", "transform": "{content}"}},
            "<t></t12 ",
            ["+r@3", "-r@6"],
        ),
        # An open is certain before its extent is.
        ({"r": {"open_pattern": "<t(?P<n>\\w+)>?", "transform": "{n}"}}, "<tab>x", ["+r@3", "r:x@6", "-r@end"]),
        # Undecided for as long as one more character may undo it.
        ({"r": {"open_pattern": "<t>(?!/no)"}, "c": {}}, "<t>/nx", ["+r@6", "r:/nx@6", "-r@end"]),
        ({"c": {"close_pattern": "<e>|$"}}, "ab\n", ["+c@1", "c:ab@[1, 2]", "-c@end", "+c@end", "c:\n@end", "-c@end"]),
        # Two opens, of which the longer one wins.
        ({"a": {"open": "<"}, "b": {"open_pattern": "<(?:xy)?"}}, "<xz", ["+a@3", "a:xz@3", "-a@end"]),
        # An error takes the place of the close and is due like one.
        ({"n": {"open": "#", "close": ";", "content": "int"}}, "#x;y", ["+n@1", "n:x@2", "error@3"]),
        ({"r": {**THINK, "optional": False}, "c": {}}, "a", ["+c@1", "c:a@1", "-c@end", "error@end"]),
    ],
)
def test_moments(fields: dict[str, JSON], text: str, expected: list[str]) -> None:
    assert due(fields, text) == expected


def test_what_the_head_determines_is_due_at_once() -> None:
    assert due({"r": THINK, "c": {}}, "t>c", prefix="@@<t>a</t>b<") == [
        "+r@0", "r:a@0", "-r@0", "+c@0", "c:b@0", "-c@2", "+r@2", "r:c@3", "-r@end"
    ]  # fmt: skip


def test_malformed_regions_are_due_like_closes() -> None:
    fields = {"n": {"open": "#", "close": ";", "content": "int"}}
    assert due(fields, "#x;y", on_malformed="event") == ["+n@1", "n:x@2", "!n@3"]


def test_prefix_left_out() -> None:
    found = trace({"start_anchor": "@@", "fields": {"c": {}}}, "x", prefix=None)
    assert (found.events, found.due) == ([], [0])


def test_chunks_of_equal_and_of_consecutive_moments() -> None:
    assert due({"r": {"open": "<t>"}, "c": {}}, "ab<tc<d") == [
        "+c@1", "c:ab@[1, 2]", "c:<tc@5", "c:<d@7", "-c@end"
    ]  # fmt: skip


def test_definition_itself() -> None:  # DUE-1
    template = {"start_anchor": "@@", "fields": {"r": THINK, "c": {}}}
    so_far = determined(template, "", "ab<t", ["", "x", ">"])
    assert [event["text"] for event in so_far if isinstance(event, dict) and "text" in event] == ["a", "b"]
    assert determined(template, "", "<", ["", "t>x"]) == []
