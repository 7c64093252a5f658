"""The checks of messages that are written by hand accept and refuse what the schema does."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance import schemas
from antiphon_conformance.implementations.protocol import (
    HELLO_REQUEST,
    ProtocolFault,
    parse_hello,
    parse_result,
    run_request,
)
from hypothesis import given
from hypothesis import strategies as st
from made_up import chunk, closed, cut, make_case, opened

REQUEST: dict[str, Any] = {"id": 7, "chunks": ["h", "i"]}
HELLO = {"type": "hello", "protocol": 1, "name": "n", "version": "1", "language": "L", "contents": [], "features": []}
MALFORMED = {"type": "region_malformed", "field": "x", "text": "{", "kind": "json-syntax"}
GOOD: list[dict[str, Any]] = [
    {
        "type": "result", "id": 7, "initial": [], "feeds": [[opened("x"), chunk("x", "h")], [MALFORMED]],
        "final": [closed("x", None)], "message": {"x": [1]},
    },
    {"type": "result", "id": 7, "error": {"stage": "load", "kind": "unknown-key", "pointer": "/x", "message": "no"}},
    {"type": "result", "id": 7, "error": {"stage": "prefix", "field": "x", "position": -2}, "initial": [opened("x")]},
    {"type": "result", "id": 7, "error": {"stage": "feed"}, "initial": [], "feeds": [[opened("x")]]},
    {"type": "result", "id": 7, "error": {"stage": "finalize"}, "initial": [], "feeds": [[], []], "final": []},
    {"type": "result", "id": 7, "unsupported": "lookbehind"},
    {
        "type": "result", "id": 7, "error": {"stage": "prefix"},
        "initial": [{"type": "region_malformed", "field": "x", "text": ""}],
    },
]  # fmt: skip


def accepted(document: Any) -> bool:
    try:
        parse_result(document, REQUEST)
    except ProtocolFault:
        return False
    return True


@pytest.mark.parametrize("document", GOOD)
def test_good_results(document: Any) -> None:
    assert accepted(document)
    assert schemas.first_fault(document, "protocol", "result") is None
    assert schemas.first_fault(document, "protocol") is None


@pytest.mark.parametrize("error", [{"stage": "load", "position": True}, {"stage": "load", "field": False}, True])
def test_bad_results(error: Any) -> None:
    document = {"type": "result", "id": 7, "error": error}
    assert not accepted(document)
    assert schemas.first_fault(document, "protocol", "result") is not None


@given(data=st.data())
def test_hand_written_checks_agree_with_the_schema(data: st.DataObject) -> None:
    """Any one member of a good result is taken away, renamed, or replaced."""
    document = copy.deepcopy(data.draw(st.sampled_from(GOOD)))
    place = data.draw(st.sampled_from(list(_containers(document))))
    key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    values = st.sampled_from([None, True, 3, 1.5, "", "x", "no slug!", [], [[]], {}, {"a": 1}, "feed", opened("x")])
    change = data.draw(st.sampled_from(["take", "add", "replace"]))
    if change == "replace":
        place[key] = data.draw(values)
    elif change == "take":
        del place[key]
    elif isinstance(place, dict):
        place[data.draw(st.sampled_from(["x", "message", "error", "unsupported", "kind"]))] = data.draw(values)
    number_of_feeds_is_wrong = schemas.first_fault(document, "protocol", "result") is None and not accepted(document)
    if number_of_feeds_is_wrong:
        assert document["id"] != 7 or len(document.get("feeds", [])) != len(REQUEST["chunks"])
    else:
        assert accepted(document) == (schemas.first_fault(document, "protocol", "result") is None)


def _containers(value: Any) -> Any:
    if isinstance(value, (dict, list)) and value:
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from _containers(part)


@pytest.mark.parametrize(
    ("document", "telling"),
    [
        ([], "isn't a result"),
        ({**GOOD[0], "id": 8}, "/id: isn't the request's"),
        ({**GOOD[0], "id": 7.0}, "/id"),
        ({**GOOD[0], "feeds": [[]]}, "/feeds: has 1 lists for 2 chunks"),
        ({**GOOD[3], "feeds": []}, "/feeds: has 0 lists for 2 chunks"),
        ({**GOOD[4], "feeds": [[]]}, "/feeds: has 1 lists for 2 chunks"),
        ({**GOOD[0], "error": {"stage": "feed"}}, "exactly one of message, error, unsupported"),
        ({**GOOD[0], "feeds": [[{"type": "text"}], []]}, '/feeds/0/0/type: "text" is none of'),
    ],
)
def test_faults_name_the_place(document: Any, telling: str) -> None:
    with pytest.raises(ProtocolFault, match=telling):
        parse_result(document, REQUEST)


def test_hello() -> None:
    hello = parse_hello({**HELLO, "contents": ["text", "json"], "features": ["atomic"], "dialect": "ecmascript"})
    assert hello.lacks(["json", "possessive", "atomic", "int"]) == ("int", "possessive")
    for fault in ({"protocol": 2}, {"name": ""}, {"contents": "text"}, {"extra": 1}):
        with pytest.raises(ProtocolFault):
            parse_hello({**HELLO, **fault})


def test_misspelt_capabilities_are_refused() -> None:
    """They would silently drop cases."""
    with pytest.raises(ProtocolFault, match=r'/features/0: "look-ahead" is none of lookahead, .*, duplicate-names, '):
        parse_hello({**HELLO, "features": ["look-ahead"]})
    with pytest.raises(ProtocolFault, match=r'/contents/1: "jsn" is none of text, int, .*, python-call-list$'):
        parse_hello({**HELLO, "contents": ["text", "jsn"]})


def test_requests_are_by_the_schema(tmp_path: Path) -> None:
    assert schemas.first_fault(HELLO_REQUEST, "protocol", "hello-request") is None
    variants: list[dict[str, Any]] = [{}, {"prefix": None}, {"tools": [], "options": {"on_malformed": "raise"}}]
    for members in variants:
        request = run_request(1, make_case(tmp_path, **members), cut("h", "", "i"))
        assert schemas.first_fault(request, "protocol", "run") is None
