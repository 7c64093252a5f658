"""Trying all cuts: nothing differs for the reference, and whatever depends on the chunks is found."""

from __future__ import annotations

from typing import Any

import antiphon
import pytest
from antiphon_web import cuts

from web.calls import TEXT, asked, stream, stream_of, traceable


def tried(request: dict[str, Any], milliseconds: float = 60_000) -> Any:
    return asked("cuts", **request, milliseconds=milliseconds, **{"from": 0})


def test_all_cuts_give_the_same() -> None:
    cases = [case for case in traceable() if len(case.text) < 200]
    for case in cases[::9]:
        found = tried(stream_of(case))
        assert found["difference"] is None, case.full_id
        assert found["tried"] == found["total"]


def test_it_tries_each_way_to_cut_in_two() -> None:
    ways = cuts.Ways(TEXT)
    found = [ways[number] for number in range(len(ways))]
    assert {(TEXT[:place], TEXT[place:]) for place in range(1, len(TEXT))} <= {way.chunks for way in found}
    assert {(TEXT,), tuple(TEXT)} <= {way.chunks for way in found}
    assert all("".join(way.chunks) == TEXT for way in found)
    assert tried(stream(TEXT))["total"] == len(ways)


@pytest.mark.parametrize("text", ["", "a", "ab"])
def test_short_texts(text: str) -> None:
    assert tried(stream(text))["difference"] is None


def test_it_goes_on_from_a_number() -> None:
    request, number, steps = stream(TEXT), 0, 0
    while (found := asked("cuts", **request, milliseconds=0, **{"from": number}))["tried"] < found["total"]:
        assert found["tried"] >= number
        number, steps = found["tried"], steps + 1
    assert steps > 1


class Greedy(antiphon.ResponseParser):
    """Emits a close only with the next feed, if it's cut right behind the delimiter."""

    def feed(self, text: str) -> list[antiphon.Event]:
        found = super().feed(text)
        kept = [event for event in found if event["type"] == "region_close" and text.endswith(">")]
        held, self.kept = getattr(self, "kept", []), kept
        return [*held, *(event for event in found if event not in kept)]

    def finalize(self) -> tuple[antiphon.Message, list[antiphon.Event]]:
        message, events = super().finalize()
        return message, [*getattr(self, "kept", []), *events]


class Forgetful(antiphon.ResponseParser):
    """Takes the last of several calls, if it is cut in the middle of one."""

    def finalize(self) -> tuple[antiphon.Message, list[antiphon.Event]]:
        message, events = super().finalize()
        return ({**message, "content": "?"} if getattr(self, "fed", 0) > 1 else message), events

    def feed(self, text: str) -> list[antiphon.Event]:
        self.fed = getattr(self, "fed", 0) + 1
        return super().feed(text)


@pytest.mark.parametrize(("wrong", "chunking"), [(Greedy, "whole"), (Forgetful, "each")])
def test_a_parser_that_depends_on_cuts_is_found(
    wrong: type[antiphon.ResponseParser], chunking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(antiphon, "ResponseParser", wrong)
    difference = tried(stream(TEXT))["difference"]
    assert difference["chunking"] == chunking
    assert [row for row in difference["rows"] if row.get("first")]
    assert all({"expected", "got"} <= row.keys() or {"left_out", "alike"} == row.keys() for row in difference["rows"])


def test_errors_are_compared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    request = stream("a<call>{]</call>")
    assert tried(request)["difference"] is None

    class Mild(antiphon.ResponseParser):
        def __init__(self, template: Any, **options: Any) -> None:
            super().__init__(template, **{**options, "on_malformed": "event"})

    monkeypatch.setattr(antiphon, "ResponseParser", Mild)
    assert tried(request)["difference"]["chunking"] == "whole"
