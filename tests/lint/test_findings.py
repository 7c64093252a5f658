"""Every kind of finding fires where it should, and not on a template that is nearly the same."""

from __future__ import annotations

import findings_table
import pytest
from antiphon_portability.chat.keys import keys_read
from antiphon_portability.lint import RULES, Report, lint
from antiphon_portability.lint.run import CHECKS
from examples import ALSO, CHAT, EXAMPLES, NEITHER, TEXT, Example, calls, chat, ends, explicit, fields

BY_VERDICT = {"AP011", "AP012", "AP013", "AP014"}  # what the translator says: test_portability.py


def report(example: Example) -> Report:
    return lint(example.template, targets=example.targets, chat_template=example.chat_template, source=example.source)


def ids(example: Example) -> set[str]:
    found = report(example)
    assert not found.unfinished
    return {finding.rule.id for finding in found.findings}


def test_the_readme_has_the_table() -> None:
    assert findings_table.PART.read() == findings_table.table()


def test_every_finding_has_its_examples() -> None:
    assert EXAMPLES.keys() | BY_VERDICT == RULES.keys()


def test_every_finding_is_of_one_check() -> None:
    """Those of loading come before the checks."""
    checked = [rule for ids, _ in CHECKS for rule in ids]
    assert sorted([*checked, "AP001", "AP002"]) == sorted(RULES)


@pytest.mark.parametrize("rule", EXAMPLES)
def test_fires(rule: str) -> None:
    assert rule in ids(EXAMPLES[rule][0])


@pytest.mark.parametrize("rule", EXAMPLES)
def test_is_silent(rule: str) -> None:
    assert rule not in ids(EXAMPLES[rule][1])


@pytest.mark.parametrize("name", ALSO)
def test_also_fires(name: str) -> None:
    rule, example = ALSO[name]
    assert rule in ids(example)


@pytest.mark.parametrize("name", NEITHER)
def test_neither_fires(name: str) -> None:
    rule, example = NEITHER[name]
    assert rule not in ids(example)


def remedy(rule: str, example: Example) -> str:
    return next(found.remedy for found in report(example).findings if found.rule.id == rule)


def test_remedies_can_be_taken() -> None:
    """The next finding isn't the one before."""
    assert remedy("AP045", ends(("<|im_end|>",))).startswith(r'write the token as "<\\|im_end\\|>" (in JSON)')
    assert remedy("AP046", EXAMPLES["AP046"][0]) == '"close_pattern": "(?=<a>)"'
    assert remedy("AP022", ends((r"(?=<\|end\|>)",))) == r"let the close take it: <\|end\|>"
    assert "[^\\s>]+" in remedy("AP020", calls(open_=(r"<f=(?P<name>\S+)>",), transform={"f": "{name}"}))
    assert "AP050" in remedy("AP032", calls())
    assert remedy("AP034", calls(open_=("<t>.*",))).startswith("leave the loop out")
    assert "AP032" in remedy("AP050", calls(close="</c>"))


def test_the_anchor_that_is_proposed_takes_the_prompt() -> None:
    source = CHAT + "{% if enable_thinking is defined %}<think>\n\n</think>\n\n{% endif %}"
    template = fields(content=TEXT, reasoning_content=explicit("<t>", "</t>"))
    (found,) = (found for found in report(chat(template, source)).findings if found.rule.id == "AP072")
    assert found.reason.endswith('no field opens by "<think>"')
    assert found.remedy == r'"start_anchor": ["<bot>", "<bot><think>\n\n</think>\n\n"]'
    template["start_anchor"] = ["<bot>", "<bot><think>\n\n</think>\n\n"]
    assert "AP072" not in ids(chat(template, source))


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("{{ message.content }}", {"content"}),
        ("{% for item in message.content %}{{ item['text'] }}{{ item.type }}{% endfor %}", {"content"}),
        ("{% for call in message['tool_calls'] %}{{ call.function }}{% endfor %}", {"tool_calls", "function"}),
    ],
)
def test_keys_of_a_content_part_are_not_the_messages(source: str, read: set[str]) -> None:
    assert read <= keys_read(source)
    assert {"text", "type"}.isdisjoint(keys_read(source))
