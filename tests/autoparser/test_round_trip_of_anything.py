"""Whatever the chat template, a round trip comes back with verdicts, in bounded time."""

from __future__ import annotations

import json
import random
import time
from typing import Final

import pytest
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, RoundTrip, Verdict, round_trip
from antiphon_portability.chat import Dialect, Renderer
from chats import TEMPLATE
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import chat_templates
from support import examples
from test_any_chat_template import HOSTILE, PIECES

SECONDS: Final = 60  # of process time; most take a fraction of one


def comes_back(source: str, dialect: Dialect, seconds: float = 2) -> RoundTrip:
    begun = time.process_time()
    with Renderer(source, dialect=dialect, seconds=seconds) as renderer:
        found = round_trip(renderer, TEMPLATE)
    assert time.process_time() - begun < SECONDS
    assert [result.feature for result in found.results] == [one.feature for one in CONVERSATIONS]
    assert json.dumps(found.as_json())
    for result in found.results:
        assert result.verdict is Verdict.EXACT or result.reason or result.lost
    return found


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_chat_templates(name: str, dialect: Dialect) -> None:
    comes_back(HOSTILE[name], dialect)


@settings(max_examples=examples(25))
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.sampled_from(list(Dialect)))
def test_any_pieces(source: str, dialect: Dialect) -> None:
    comes_back(f"{{% for m in messages %}}{source}{{% endfor %}}", dialect)


@pytest.mark.parametrize("number", range(examples(15)))
def test_damaged_chat_templates(number: int) -> None:
    """Real ones, with pieces left out."""
    chance = random.Random(number)
    source = chance.choice(list(chat_templates().values()))
    for _ in range(chance.randrange(1, 4)):
        begin = chance.randrange(len(source))
        source = source[:begin] + source[begin + chance.randrange(60) :]
    comes_back(source, Dialect.LENIENT, seconds=10)
