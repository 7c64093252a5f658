"""The translator's verdicts as findings: what is said of several targets or patterns is said once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from antiphon_portability.lint import lint
from antiphon_portability.lint.checks import portability
from antiphon_portability.regex import TARGETS, Note
from antiphon_portability.templates import FaultyPattern, TranslatedPattern, pattern_table
from examples import explicit, fields

TEMPLATE = fields(a=explicit(("<a>.",), "</a>"), content=explicit(None, ("<end>.",)))
ANYWHERE = ("re", "java", "icu")


def table(form: str, **changes: Any) -> Callable[[Any, str], dict[str, TranslatedPattern | FaultyPattern]]:
    """The real table, but on java and icu this form of patterns with a dot in them is another."""

    def made(document: Any, target: str) -> dict[str, TranslatedPattern | FaultyPattern]:
        found = dict(pattern_table(document, "re"))
        for pointer, entry in found.items():
            if target in ("java", "icu") and entry.source.endswith("."):
                assert isinstance(entry, TranslatedPattern)
                found[pointer] = replace(entry, **{form: replace(getattr(entry, form), **changes)})
        return found

    return made


def verdicts(template: dict[str, Any], *targets: str) -> list[tuple[str, str]]:
    found = lint(template, targets=targets).findings
    return [(finding.rule.id, finding.pointer) for finding in found if finding.rule.id.startswith("AP01")]


@pytest.mark.parametrize(
    ("verdict", "kind", "form", "rule"),
    [
        ("unsupported", "unsupported", "plain", "AP010"),
        ("approximate", "difference", "plain", "AP011"),
        ("approximate", "difference", "must", "AP011"),
        ("exact under conditions", "condition", "plain", "AP012"),
        ("exact under conditions", "condition", "hit_end", "AP012"),
        ("unsupported", "unsupported", "hit_end", "AP013"),
        ("unsupported", "unsupported", "must", "AP013"),
        ("approximate", "later", "hit_end", "AP014"),
    ],
)
def test_verdicts(verdict: str, kind: Any, form: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    note = Note(kind, "dot", "a dot is different", ("x\n",), "write [^x]")
    pattern = {"pattern": None} if verdict == "unsupported" else {}
    monkeypatch.setattr(portability, "pattern_table", table(form, verdict=verdict, notes=(note,), **pattern))
    (finding,) = (f for f in lint(TEMPLATE, targets=ANYWHERE).findings if f.rule.id.startswith("AP01"))
    assert finding.rule.id == rule
    assert finding.pointer == "/fields/a/open_pattern"
    assert finding.reason == r"java, icu: a dot is different (such as 'x\n'); so also at /fields/content/close_pattern"
    assert finding.remedy == "write [^x]"


def test_exact_targets_are_silent() -> None:
    assert verdicts(TEMPLATE, "re", "regex") == []


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "pattern",
    [r"(?>a|ab)c", r"(?=(?:a|b)*+c)d", r"(?<=a)b", r"(a|b)\1", r"\bEND", r"a\Xb", r"x(?!y|z)", r"a|b$"],
)
def test_what_a_port_cannot_have_is_told(pattern: str, target: str) -> None:
    """And nothing else: a form that a port has no use for doesn't matter."""
    for template, pointer in (
        (fields(content=explicit(None, (pattern,))), "/fields/content/close_pattern"),
        ({"start_anchor_pattern": pattern, "fields": {"content": {}}}, "/start_anchor_pattern"),
    ):
        entry = pattern_table(template, target)[pointer]
        assert isinstance(entry, TranslatedPattern)
        told = {rule for rule, where in verdicts(template, target) if where == pointer}
        assert bool(told & {"AP010", "AP013"}) == entry.unsupported
        assert bool(told) == any(form.verdict != "exact" for form in entry.forms)


def test_an_anchor_is_never_streamed() -> None:
    for form in ("hit_end", "must", "taking"):
        entry = pattern_table({"start_anchor_pattern": "a"}, "re")["/start_anchor_pattern"]
        assert getattr(entry, form) is None


def test_what_it_may_not_try_is_told_with_what_it_found() -> None:
    many = {f"f{n}": explicit((rf"<{n}>(a|b)\1",)) for n in range(200)}
    report = lint({"start_anchor": "x", "fields": many}, targets=("re2", *TARGETS))
    assert any(finding.rule.id == "AP010" for finding in report.findings)
    assert [line.partition(":")[0] for line in report.unfinished if "AP013" in line] == [
        "AP010, AP011, AP012, AP013, AP014"
    ]
