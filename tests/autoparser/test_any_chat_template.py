"""Whatever the chat template, an answer comes back in bounded time, or one of the room's errors."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Final, TypeAlias

import antiphon
import pytest
from antiphon_portability.autoparser import Analysis, NotAnalysed, analyse
from antiphon_portability.autoparser.derive import derive
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS, Verdict, round_trip
from antiphon_portability.chat import Dialect, NotRendered, Renderer, TooMuch
from chats import TEMPLATE
from hostile_templates import HOSTILE, PIECES, REFUSED, damaged
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import chat_templates
from small_templates import calls, pairs
from support import examples

SECONDS: Final = 60  # of process time; most take a fraction of one
Question: TypeAlias = Callable[[Renderer], None]


def analysed(renderer: Renderer) -> None:
    found = analyse(renderer)
    assert Analysis.of(found.document()) == found


def derived(renderer: Renderer) -> None:
    antiphon.load_template(derive(renderer, prove=False).template)


def tripped(renderer: Renderer) -> None:
    found = round_trip(renderer, TEMPLATE)
    assert [result.feature for result in found.results] == [one.feature for one in CONVERSATIONS]
    assert json.dumps(found.as_json())
    for result in found.results:
        assert result.verdict is Verdict.EXACT or result.reason or result.lost


QUESTIONS: Final[tuple[Question, ...]] = (analysed, derived, tripped)


def refusal(ask: Question, source: str, dialect: Dialect, seconds: float = 2) -> str:
    """Why there is no answer; empty if there is one."""
    begun = time.process_time()
    try:
        with Renderer(source, dialect=dialect, seconds=seconds) as renderer:
            ask(renderer)
    except (NotAnalysed, NotRendered, TooMuch) as error:
        assert str(error)
        return str(error)
    finally:
        assert time.process_time() - begun < SECONDS
    return ""


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("ask", QUESTIONS)
def test_hostile_chat_templates(ask: Question, name: str, dialect: Dialect) -> None:
    refusal(ask, HOSTILE[name], dialect)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.sampled_from(QUESTIONS),
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    st.booleans(),
    st.sampled_from(list(Dialect)),
)
def test_any_pieces(ask: Question, source: str, for_each: bool, dialect: Dialect) -> None:
    refusal(ask, f"{{% for m in messages %}}{source}{{% endfor %}}" if for_each else source, dialect)


CALL_PIECES: Final = (
    "{{ f.name }}", "{{ f.name | tojson }}", "{{ f.arguments | tojson }}", "{{ f.arguments }}", "{{ c.id }}",
    "{{ c | tojson }}", pairs("<a={{ k }}>{{ v }}</a>"), pairs("{{ k }}={{ v }}, "), "<call>", "</call>", "<fn=", ">",
    "\n", " ", "(", ")", "{{ '{' }}", "}", '{"name": ', '"arguments": ', ", ", "[", "]", "x", '"', "'", "\\",
    "{{ loop.index }}",
)  # fmt: skip


@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from(QUESTIONS), st.lists(st.sampled_from(CALL_PIECES), max_size=10).map("".join))
def test_any_calls(ask: Question, each: str) -> None:
    refusal(ask, calls(each), Dialect.LENIENT)


@pytest.mark.parametrize("number", range(examples(45)))
def test_damaged_chat_templates(number: int) -> None:
    refusal(QUESTIONS[number % 3], damaged(number), Dialect.LENIENT, seconds=10)


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize("package", ["llama.cpp", "trl"])
def test_all_chat_templates_of_both_packages(package: str, dialect: Dialect) -> None:
    sources = {name: text for name, text in chat_templates().items() if name.startswith(package)}
    assert len(sources) >= 70
    for name, source in sources.items():
        why = refusal(analysed, source, dialect, seconds=20)
        assert bool(why) is ((name, dialect) in REFUSED), name
        assert REFUSED.get((name, dialect), "") in why
