"""The translator's verdicts as findings: what is said of several targets or patterns is said once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from antiphon_portability.lint import lint
from antiphon_portability.lint.checks import portability
from antiphon_portability.regex import Note, Translation
from examples import explicit, fields

TEMPLATE = fields(a=explicit(("<a>.",), "</a>"), content=explicit(None, ("<end>.",)))


def translator(verdict: str, kind: str, form: str = "plain") -> Callable[..., Translation]:
    """One that has this verdict on java and icu, for patterns with a dot in them."""

    def translate(source: str, target: str, asked: str = "plain") -> Translation:
        found = verdict if target in ("java", "icu") and asked == form else "exact"
        notes = (Note(kind, "dot", "a dot is different", ("x\n",), "write [^x]"),) if found != "exact" else ()  # type: ignore[arg-type]
        return Translation(target, None, "", {}, (), (), found, notes)  # type: ignore[arg-type]

    return translate


@pytest.mark.parametrize(
    ("verdict", "kind", "form", "rule"),
    [
        ("unsupported", "unsupported", "plain", "AP010"),
        ("approximate", "difference", "plain", "AP011"),
        ("exact under conditions", "condition", "plain", "AP012"),
        ("unsupported", "unsupported", "hit-end", "AP013"),
    ],
)
def test_verdicts(verdict: str, kind: str, form: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portability, "translate", translator(verdict, kind, form))
    (finding,) = (f for f in lint(TEMPLATE, targets=("re", "java", "icu")).findings if f.rule.id.startswith("AP01"))
    assert finding.rule.id == rule
    assert finding.pointer == "/fields/a/open_pattern"
    assert finding.reason == r"java, icu: a dot is different (such as 'x\n'); so also at /fields/content/close_pattern"
    assert finding.remedy == "write [^x]"


def test_exact_targets_are_silent() -> None:
    found = lint(TEMPLATE, targets=("re", "regex")).findings
    assert not [finding for finding in found if finding.rule.id.startswith("AP01")]
