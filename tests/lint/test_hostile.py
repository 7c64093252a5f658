"""Whatever is linted, the lint comes back: with findings, and with a word on what it didn't look at to the end."""

from __future__ import annotations

import time
from typing import Any

import pytest
from antiphon_portability.lint import chat, lint
from antiphon_portability.lint.checks.speed import growth
from antiphon_portability.lint.show import show
from antiphon_portability.regex import parse
from hypothesis import given, settings
from support import examples
from templates import templates

SECONDS = 30  # of process time; most take less than one


def template(**fields: Any) -> dict[str, Any]:
    return {"start_anchor": "x", "fields": fields}


def explicit(open_: str, close: str = "x") -> dict[str, Any]:
    return {"open_pattern": open_, "close_pattern": close}


HOSTILE: dict[str, Any] = {
    "nothing": None,
    "list": [],
    "number": 1e999,
    "wrong types": template(a={"open": 3, "transform": None}, b=[], c={"opne": "x"}),
    "exponential": template(a=explicit("(?:a|aa)+$;"), content={}),
    "exponential everywhere": template(
        a=explicit("(a|aa){40,}$", "(?:x+x+)+y"), content={"close_pattern": "(.*)*(.*)*z|$"}
    ),
    "polynomial": template(a=explicit(".*.*.*.*.*.*.*X", ".*?.*?.*?.*?.*?y"), content={}),
    "exponential if it fails": template(a=explicit("(?:(?:a|aa){30})*b(?<=c)", "(?:a|aa){1,100}b"), content={}),
    "big counts": template(a=explicit("(?:a{0,64}){0,64}b", "(?:.{0,4000}x)"), content={"close_pattern": "x{65535}"}),
    "nested groups": template(a=explicit("(" * 60 + "a*" + ")*" * 60 + "b"), content={}),
    "many options": template(a=explicit("|".join(f"x{number}" for number in range(500))), content={}),
    "long literals": template(a={"open": "x" * 2000, "close": "y" * 1000}, content={}),
    "many fields": template(**{f"f{n}": {"open": f"<{n}>", "close": f"</{n}>"} for n in range(150)}),
    "many patterns": template(**{f"f{n}": explicit(rf"<{n}>\s*[^<]*?\s*x", rf"</{n}>\s*|$") for n in range(60)}),
    "lookarounds": template(a=explicit(r"(?<=(?<!a)b*)(?=(?!c)d*)(?:(?=.*x)(?=.*y).*)*z"), content={}),
    "references": template(a=explicit(r"(a*)(b*)(?:\1\2)*c", r"(x)?(?(1)a|b)\X\R"), content={}),
    "atomic": template(a=explicit(r"(?>(?>a+b?)+c*)+d"), content={}),
    "surrogates": template(a={"open": "\ud800", "close": "\udfff"}, content={}),
    "names": template(**{"a/b~c\n\x1b": {"open": "<\x1b[31m", "close": "\u202e"}, "": {}}),
    "matches nothing": template(a=explicit("|x", "x||y"), content={"close_pattern": "(?:)"}),
    "never matches": template(a=explicit("(?!)", "a^"), content={"close_pattern": r"[^\s\S]"}),
    "placeholders": template(
        a={"open": "<", "close": ">", "content": "json", "transform": {"a": "{content.a}", "b": "{content.a.b}"}}
    ),
}
CHATS = [
    "{{",
    "{% for %}",
    "{{ 1 / 0 }}",
    "{{ messages.x.y.z }}",
    "{{ ''.__class__.__mro__ }}",
    "\x00",
    "{% generation %}",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_templates(name: str) -> None:
    begun = time.process_time()
    report = lint(HOSTILE[name])
    assert report.findings
    assert time.process_time() - begun < SECONDS
    for finding in report.findings:
        assert show(finding.as_json())


@pytest.mark.parametrize("chat_template", CHATS)
def test_hostile_chat_templates(chat_template: str) -> None:
    ids = {finding.rule.id for finding in lint(template(content={}), targets=(), chat_template=chat_template).findings}
    assert ids & {"AP070", "AP071"}


@settings(max_examples=examples(40))
@given(templates())
def test_any_template(template: dict[str, Any]) -> None:
    for finding in lint(template, targets=()).findings:
        assert finding.pointer == "" or finding.pointer.startswith(("/fields", "/defaults"))
        assert finding.reason


@pytest.mark.parametrize("anchor", [r"(?:a|aa)+$;|x", r"(\w+\s?)*!", r"(<)?(?(1)bot|x)>"])
def test_hostile_anchors(anchor: str) -> None:
    """A pattern that can't be searched in the prompt is passed over, and told."""
    document = {"start_anchor_pattern": anchor, "fields": {"content": {}}}
    begun = time.process_time()
    lint(document, targets=(), chat_template="a" * 300 + "{{ messages[0].content }}<bot>")
    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:x?x?x?)*y", r"(?:(?:(?:a*)*)*)*b", "a*" * 7 + "b", r"\s*" * 8 + "</t>", f"(?:{'|'.join('a' * 16)})*b",
        "(?:x?){40}y", "a?" * 30 + "a" * 30,
    ],
)  # fmt: skip
def test_what_is_too_steep_to_measure_is_exponential(pattern: str) -> None:
    found = growth(parse(pattern))
    assert found is not None
    assert found.degree is None


@pytest.mark.parametrize("pattern", ["a?" * 6 + "a" * 6, "(?:<a>)?(?:<b>)?x", "a{0,64}b", "(?:a|b|c){0,30}d"])
def test_what_is_only_large_is_not(pattern: str) -> None:
    found = growth(parse(pattern))
    assert found is None or found.degree is not None


@pytest.mark.parametrize(
    "delimiter", [{"close_pattern": "a" * 3000}, {"close": "a" * 10_000}, {"close": [f"</{n}>" for n in range(300)]}]
)
def test_long_delimiters_and_lists(delimiter: dict[str, Any]) -> None:
    begun = time.process_time()
    report = lint(template(a={"open": "<", **delimiter}, content={}), targets=("re",))
    assert time.process_time() - begun < SECONDS / 2
    assert any("/fields/a/close" in text for text in report.skipped) is not isinstance(delimiter.get("close"), list)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "takes more than 1 seconds"),
        ("{% set x = 'a' * 99999999999 %}{{ x }}", "takes too much memory"),
    ],
)
def test_endless_chat_templates(source: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "SECONDS", 1 if "seconds" in why else 60)
    report = lint(template(content={}), targets=(), chat_template=source)
    assert [text for text in report.unfinished if "AP070" in text and why in text]
    assert "AP092" in {finding.rule.id for finding in report.findings}
