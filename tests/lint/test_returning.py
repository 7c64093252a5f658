"""What the lint says of round trips: the texts show it, and what takes too long is left out and told."""

from __future__ import annotations

from typing import Any, Final

import antiphon
import pytest
from antiphon_portability.autoparser.roundtrip import CONVERSATIONS
from antiphon_portability.lint import Finding, Report, lint
from antiphon_portability.lint.show import show
from examples import CLOSED, EXAMPLES, TURNS, called, fields

TOOLS: Final = [tool for conversation in CONVERSATIONS for tool in conversation.tools]


def round_trips(template: Any, chat_template: str = TURNS) -> list[Finding]:
    return [finding for finding in report(template, chat_template).findings if finding.rule.id in ("AP074", "AP075")]


def report(template: Any, chat_template: str = TURNS) -> Report:
    return lint(template, targets=(), chat_template=chat_template)


@pytest.mark.parametrize("rule", ["AP074", "AP075"])
def test_texts_show_it(rule: str) -> None:
    """What is said to come out does come out behind that prompt."""
    template = EXAMPLES[rule][0].template
    (finding,) = round_trips(template)
    assert finding.witness is not None
    assert finding.witness.prefix.endswith("<bot>")
    assert finding.pointer == "/fields/tool_calls"
    try:
        message: Any = antiphon.parse_response(
            finding.witness.text, template, prefix=finding.witness.prefix, tools=TOOLS
        )
    except antiphon.ParseError as error:
        assert finding.witness.shows == (("the message", f"an error: {error.kind} in {error.field}"),)
    else:
        assert "id" not in message["tool_calls"][0]
        assert finding.witness.shows == (("ids", f"{show('call00001')}, not null"),)


def test_one_finding_for_a_kind_of_loss() -> None:
    found = round_trips(fields(content={"close_pattern": "<end>"}))
    assert (found[0].rule.id, found[0].pointer) == ("AP074", "/fields/content")
    assert found[0].reason.startswith("on 'content', 'multi-line content', 'Unicode in content' and ")
    assert found[0].reason.endswith(": other content")
    assert len({finding.reason.partition(": ")[2] for finding in found}) == len(found)


def test_arguments_that_are_not_there_are_nothing() -> None:
    """Those that went in, and one that nobody gave."""
    call = {"id": "{id}", "function": {"name": "{content.name}", "arguments": {"made": 1}}}
    found = round_trips(fields(content=CLOSED, tool_calls=called(r"<c>(?P<id>\w+):", call)))
    shown = {show for finding in found if finding.witness for show in finding.witness.shows}
    assert {("missing arguments", f"{show('Rome')}, not nothing"), ("more arguments", "nothing, not 1")} <= shown


def test_what_ends_the_turn_may_be_missing() -> None:
    transform = {"id": "{id}", "function": "{content}"}
    calls = called(r"<c>(?P<id>\w+):", transform) | {"close": "</c></s>"}
    found = [finding.reason for finding in round_trips(fields(content=CLOSED, tool_calls=calls))]
    assert any('without "</s>": an error: json-syntax in tool_calls' in reason for reason in found)


def test_stripped_texts_are_not_told() -> None:
    template = fields(content=CLOSED, tool_calls=called(r"<c>(?P<id>\w+):", {"id": "{id}", "function": "{content}"}))
    assert round_trips(template) == []


def test_without_its_anchor_there_is_nothing_to_say() -> None:
    template = fields(content=CLOSED, anchor="<nobody>")
    assert {finding.rule.id for finding in report(template).findings} >= {"AP071"}
    assert round_trips(template) == []


@pytest.mark.parametrize("close", [r"(?:a|aa|\w+)+!", r"(\w+\s?)*</s>\Z"])
def test_what_is_searched_for_too_long_is_told(close: str) -> None:
    found = report(fields(content={"close_pattern": close}))
    assert [text for text in found.unfinished if text.startswith("AP074, AP075: ")]
