"""Chat templates rendered: in both dialects, within limits, and with no way out of the sandbox."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

import pytest
from antiphon_portability.chat import Dialect, NotRendered, Renderer, TooMuch, renderer, with_tool_use

USER: Final = [{"role": "user", "content": "hello"}]
BOTH: Final = tuple(Dialect)


@pytest.fixture(params=["in a process", "in place"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(renderer, "HAS_PROCESSES", request.param == "in a process")
    yield


def text(source: str, dialect: Dialect = Dialect.HUGGING_FACE, **given: Any) -> str:
    with Renderer(source, {"eos_token": "<eos>"}, dialect=dialect) as one:
        return one.render(**{"messages": USER, **given})


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize("dialect", BOTH)
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ messages[0].content }}{{ bos_token }}{{ eos_token }}", "hello<eos>"),
        ("  {% if true %}\n  a\n  {% endif %}\n", "  a\n"),
        ("{% for m in messages %}{% break %}{% endfor %}b", "b"),
        ("{% generation %}a{% endgeneration %}", "a"),
        ("{{ {'k': ['é<', 1]} | tojson }}", '{"k": ["é<", 1]}'),
        ("{{ [1] | tojson(indent=1) }}", "[\n 1\n]"),
        ("{{ strftime_now('%%') }}", "%"),
        ("{{ unknown }}", ""),
        ("{{ mode }}", "fast"),
        ("\ud800{{ messages[0].content }}", "\ud800hello"),
    ],
)
def test_what_both_dialects_write(source: str, expected: str, dialect: Dialect) -> None:
    assert text(source, dialect, mode="fast") == expected


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    ("source", "hugging_face", "lenient"),
    [
        ("{{ none }}", "None", ""),
        ("{{ tools is defined }}", "True", "False"),
        ("{{ add_generation_prompt is defined }}", "True", "False"),
        ("{{ unknown.member }}", None, ""),
        ("{{ 'a' + none + unknown }}", None, "a"),
        ("{{ unknown + 'a' }}", None, "a"),
        ("{{ 'a' + {'k': 'v'} }}", None, "a{'k': 'v'}"),
        ("{{ 'x' in unknown }}", "False", "False"),
        ("{{ messages[5].content }}", None, ""),
        ("{% set l = [] %}{% set _ = l.append(1) %}{{ l | tojson }}", None, "[1]"),
        ("{{ messages | map(attribute='role') | tojson }}", None, '["user"]'),
        ("{{ ('a' | safe) ~ '<' }}", "a<", "a<"),
        ("{{ unknown() }}", None, None),
        ("{{ raise_exception('no') }}", None, None),
    ],
)
def test_where_the_dialects_differ(source: str, hugging_face: str | None, lenient: str | None) -> None:
    """None: it isn't rendered."""
    for dialect, expected in zip(BOTH, (hugging_face, lenient), strict=True):
        if expected is None:
            with pytest.raises(NotRendered):
                text(source, dialect)
        else:
            assert text(source, dialect) == expected


def test_tools_and_the_generation_prompt_are_given() -> None:
    source = "{{ tools | length }}{{ add_generation_prompt }}"
    for dialect in BOTH:
        assert text(source, dialect, tools=[{}, {}], add_generation_prompt=True) == "2True"


@pytest.mark.usefixtures("anywhere")
def test_one_renderer_for_many_texts() -> None:
    """A refusal is of one text only, and nothing that a chat template does lasts."""
    source = (
        "{% if messages | length > 1 %}{{ raise_exception('only one') }}{% endif %}"
        "{% set _ = messages.append(1) %}{{ messages | length }}"
    )
    with Renderer(source, dialect=Dialect.LENIENT) as one:
        assert one.render(USER) == "2"
        with pytest.raises(NotRendered, match="only one"):
            one.render(USER * 2)
        assert one.render(USER) == "2"
    assert USER == [{"role": "user", "content": "hello"}]
    assert one.render(USER) == "2"  # it starts again
    one.close()


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize("dialect", BOTH)
@pytest.mark.parametrize(
    "source",
    [
        "{{", "{% for %}", "{% generation %}", "{% endif %}", "{{ 1 / 0 }}", "{% include 'x' %}",
        "{% import 'os' as os %}", "{% extends 'x' %}", "{{ messages.x.y() }}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{{ " + "(" * 5000, "{{ 1" + " + 1" * 20_000 + " }}", "{% if x %}" * 3000, "{{ range(9999999) | list }}",
    ],
)  # fmt: skip
def test_what_can_not_be_rendered(source: str, dialect: Dialect) -> None:
    with pytest.raises(NotRendered):
        text(source, dialect)


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize("dialect", BOTH)
@pytest.mark.parametrize(
    "reached",
    [
        "''.__class__.__mro__[1].__subclasses__()", "messages.__init__.__globals__", "cycler.__init__.__globals__.os",
        "raise_exception.__globals__", "(messages | attr('__class__')).__base__", "''['__class__']['__base__']",
        "'{0.__class__.__mro__}'.format('')", "strftime_now.__globals__.json", "self.__init__.__globals__",
        "joiner.__init__.__code__", "(messages | map(attribute='__class__') | list)[0].__name__",
    ],
)  # fmt: skip
def test_the_sandbox_holds(reached: str, dialect: Dialect) -> None:
    """Either it is refused, or it's nothing."""
    try:
        found = text("{{ " + reached + " }}", dialect)
    except NotRendered:
        return
    assert found.strip("[]{}()', ") in ("", "None")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "more than 0.5 seconds"),
        ("{% set x = 'a' * 99999999999 %}{{ x }}", "too much memory"),
        ("{% for a in range(99999) %}{{ 'a' * 1000 }}{% endfor %}", "more than 1,000,000 code points"),
        ("{{ lipsum(n=99999) }}", "more than 0.5 seconds"),
    ],
)
def test_too_much(source: str, why: str) -> None:
    """The renderer is closed then, and says so again."""
    begun = time.monotonic()
    with Renderer(source, seconds=0.5 if "seconds" in why else 30) as one:
        for _ in range(2):
            with pytest.raises(TooMuch, match=why):
                one.render(USER)
    assert time.monotonic() - begun < 20


def test_a_process_that_dies() -> None:
    with Renderer("{{ messages | length }}") as one:
        assert one.render(USER) == "1"
        assert isinstance(one._worker, renderer._Child)
        one._worker._process.kill()
        with pytest.raises(TooMuch, match="its process ended with status"):
            one.render(USER)


def test_no_process_is_left() -> None:
    with Renderer("{{ 1 }}") as one:
        one.render(USER)
        assert isinstance(one._worker, renderer._Child)
        process = one._worker._process
        assert process.poll() is None
    assert process.poll() is not None


def test_time_is_for_all_texts_together() -> None:
    """But only while one is rendered."""
    with Renderer("{% for a in range(100) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", seconds=1) as one:
        with pytest.raises(TooMuch, match="1 seconds"):
            for _ in range(10_000):
                one.render(USER)
        assert one.seconds == 1


@pytest.mark.parametrize("dialect", BOTH)
@pytest.mark.parametrize(
    "source",
    [
        "a",
        "",
        "\n a\n",
        "  {% if true %}\n a\n  {% endif %}\n\n",
        "{%- set x = 1 -%}\n{{ x }}\n  ",
        "{# a #}\n{{ tools }} \n",
    ],
)
def test_several_as_one_write_what_each_writes(source: str, dialect: Dialect) -> None:
    tools = [{"name": "f"}]
    assert text(with_tool_use(source, "other"), dialect) == text(source, dialect)
    assert text(with_tool_use("other", source), dialect, tools=tools) == text(source, dialect, tools=tools)
    assert text(with_tool_use("other", source), dialect) == text(with_tool_use(source, "other"), dialect, tools=tools)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("a\n{% for x %}", "TemplateSyntaxError: line 2: expected token 'in', got 'end of statement block'"),
        ("a\n\n{{ x.y }}", "UndefinedError: line 3: 'x' is undefined"),
        ("{% macro f() %}\n{{ 1 + 'a' }}{% endmacro %}\n{{ f() }}", "TypeError: line 2: unsupported operand"),
        ("\n{{ raise_exception('No tools.') }}", "TemplateError: No tools"),
    ],
)
def test_faults_are_told_with_their_line(source: str, told: str) -> None:
    with pytest.raises(NotRendered) as raised:
        text(source)
    assert str(raised.value).startswith(told)
