"""Finds out how a chat template wants its messages: the reasoning's key, arguments as objects or texts, calls without
content, ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Final, get_args

from antiphon_portability.autoparser.analysis.differences import common_length
from antiphon_portability.autoparser.roundtrip.conversations import WEATHER
from antiphon_portability.autoparser.roundtrip.said import Call, NoContent, Said, Spelling
from antiphon_portability.autoparser.roundtrip.texts import Texts, Tool
from antiphon_portability.autoparser.roundtrip.variants import PLAIN, THINKING, Setting
from antiphon_portability.names import REASONING_KEYS

_TOOLS: Final[tuple[tuple[Tool, ...], ...]] = ((), (WEATHER,))  # some chat templates can't do without
_ASKED: Final = {"role": "user", "content": "Will it rain?"}
_THOUGHT: Final = "Perhaps-in-Rome"
_CITY: Final = "Romulopolis"
_CALL: Final = Said(calls=(Call("weather", {"city": _CITY, "days": 3}, "call00001"),))
_AS_PYTHON: Final = f"{{'city': '{_CITY}'"
_AS_JSON: Final = f'{{"city": "{_CITY}"'


def spelling_of(texts: Texts) -> Spelling:
    """The first way, of the usual ones, in which what is said is also written. Raises TooMuch."""
    in_parts = not _shows(texts, Spelling()) and _shows(texts, Spelling(in_parts=True))
    plain = Spelling(in_parts=in_parts)
    calling = next(_good(texts, _ways_to_call(plain)), plain)
    for thought in (replace(Said("It may."), reasoning=_THOUGHT), replace(_CALL, reasoning=_THOUGHT)):
        for key in REASONING_KEYS:
            tried = replace(calling, reasoning=key)
            if any(_THOUGHT in (_written(texts, tried, thought, setting) or "") for setting in THINKING):
                return tried
    return calling


def _shows(texts: Texts, spelling: Spelling) -> bool:
    """Whether a question is written."""
    written = (texts.maybe([spelling.history(_ASKED)], tools, PLAIN.variables) for tools in _TOOLS)
    return any(_ASKED["content"] in (text or "") for text in written)


def _ways_to_call(plain: Spelling) -> Iterator[Spelling]:
    empties: tuple[NoContent, ...] = get_args(NoContent)
    for no_content, with_names, as_text in product(empties, (False, True), (False, True)):
        yield replace(plain, no_content=no_content, arguments_as_text=as_text, ids_with_names=with_names)


def _good(texts: Texts, ways: Iterable[Spelling]) -> Iterator[Spelling]:
    """Those that write the function's name and its argument, as JSON rather than as Python does."""
    for way in ways:
        text = _written(texts, way, _CALL, PLAIN)
        if text is None or "weather" not in text or _CITY not in text:
            continue
        if _AS_PYTHON in text and not way.arguments_as_text:
            instead = replace(way, arguments_as_text=True)
            if _AS_JSON in (_written(texts, instead, _CALL, PLAIN) or ""):
                way = instead
        yield way


def _written(texts: Texts, spelling: Spelling, said: Said, setting: Setting) -> str | None:
    """Without tools where there is no need of them: their list holds names, too."""
    asked, message = spelling.history(_ASKED), spelling.message(spelling.with_ids(said))
    if not said.calls:
        found = (texts.maybe([asked, message], tools, setting.variables) for tools in _TOOLS)
        return next((text for text in found if text is not None), None)
    turn = texts.maybe([asked, message], (WEATHER,), setting.variables)
    question = texts.maybe([asked], (WEATHER,), setting.variables) or ""
    return None if turn is None else turn[common_length(turn, question) :]
