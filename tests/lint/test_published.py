"""What is said of published templates, and that the texts that are shown show it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import antiphon
import pytest
from antiphon_portability.lint import Finding, Report, lint
from antiphon_portability.lint.show import show
from examples import EXAMPLES
from published import EXPECTED, PUBLISHED, UNFINISHED

MOST_SECONDS = 3.0  # of process time; most take a tenth
IN_A_STRING = "AP049"  # told of every template that has strings


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_findings_are_those_that_were_judged(name: str) -> None:
    begun = time.process_time()
    report = lint(PUBLISHED[name], targets=())
    assert time.process_time() - begun < MOST_SECONDS
    found = {f"{finding.rule.id} {finding.pointer}" for finding in report.findings if finding.rule.id != IN_A_STRING}
    assert found == EXPECTED[name]
    assert bool(report.unfinished) == (name in UNFINISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_close_may_stand_in_a_string_wherever_there_are_strings(name: str) -> None:
    kinds = {found.get("content", "text") for found in PUBLISHED[name]["fields"].values()}
    said = IN_A_STRING in {finding.rule.id for finding in lint(PUBLISHED[name], targets=()).findings}
    assert said == bool(kinds & {"json", "python-call-list"})


LINTED: dict[str, Any] = PUBLISHED | {rule: fires.template for rule, (fires, _) in EXAMPLES.items()}


@pytest.mark.parametrize("name", LINTED)
def test_texts_show_what_they_are_said_to_show(name: str) -> None:
    template = LINTED[name]
    for finding in lint(template, targets=()).findings:
        if finding.witness is not None and finding.rule.id in JUDGES:
            JUDGES[finding.rule.id](template, finding, finding.witness.text)


def message(template: dict[str, Any], text: str) -> Any:
    return antiphon.parse_response(text, template, prefix="")


def judge_overwritten(template: dict[str, Any], finding: Finding, text: str) -> None:
    assert finding.witness is not None
    told = dict(finding.witness.shows)
    assert json.loads(told["the reference"]) == message(template, text)
    without = json.loads(told["the reference, without the white space"])
    assert any(key not in message(template, text) for key in without)


def judge_message(template: dict[str, Any], finding: Finding, text: str) -> None:
    """The message that is told is the reference's."""
    assert finding.witness is not None
    told = dict(finding.witness.shows)["the message"]
    try:
        assert told == show(message(template, text))
    except antiphon.ParseError as error:
        assert told == f"an error: {error.kind} in {error.field}"


def judge_cut_short(template: dict[str, Any], finding: Finding, text: str) -> None:
    """The region ends in a string; where strings are looked at, it doesn't."""
    judge_message(template, finding, text)
    assert finding.witness is not None
    region = json.loads(dict(finding.witness.shows)["the region's text"])
    assert region.count('"') % 2 == 1
    name = finding.pointer.split("/")[2]
    changed = json.loads(json.dumps(template))
    changed["fields"][name]["close_outside_strings"] = True
    loaded = antiphon.load_template(changed, proposals=["close-outside-strings"])
    parser = antiphon.ResponseParser(loaded, prefix="", on_malformed="event")
    events = parser.feed(text) + parser.finalize()[1]
    whole = "".join(event["text"] for event in events if event["type"] == "region_chunk" and event["field"] == name)
    assert len(whole) > len(region)
    assert whole.endswith(("}", "]", ")"))


def judge_eaten(template: dict[str, Any], finding: Finding, text: str) -> None:
    judge_message(template, finding, text)
    names = [event["field"] for event in antiphon.ResponseParser(template, prefix="").feed(text)]
    assert any(f"by which {name!r} opens" in finding.reason for name in template["fields"] if name not in names)


def judge_held(template: dict[str, Any], finding: Finding, text: str) -> None:
    """However the text ends, its last part isn't emitted before the end comes."""
    assert finding.witness is not None
    parser = antiphon.ResponseParser(template, prefix="")
    emitted = "".join(event.get("text", "") for char in text for event in parser.feed(char))
    held = int(finding.witness.shows[0][1].removeprefix("0 of the last ").removesuffix(" code points"))
    assert len(emitted) <= len(text) - held


def judge_missing(template: dict[str, Any], finding: Finding, text: str) -> None:
    with pytest.raises(antiphon.ParseError) as raised:
        message(template, text)
    assert raised.value.kind == "placeholder-unresolved"


def judge_empty(template: dict[str, Any], finding: Finding, text: str) -> None:
    assert finding.pointer.split("/")[2] not in message(template, text)


def judge_chunks(template: dict[str, Any], finding: Finding, text: str) -> None:
    """Of the reference it is told what the reference does."""
    assert finding.witness is not None
    told = dict(finding.witness.shows)["the reference, however cut"]
    try:
        right: str | Mapping[str, Any] = message(template, text)
    except antiphon.ParseError as error:
        right = f"an error: {error.kind} in {error.field}"
    assert told == (right if isinstance(right, str) else show(right))


JUDGES = {
    "AP020": judge_chunks,
    "AP030": judge_held,
    "AP031": judge_held,
    "AP033": judge_held,
    "AP034": judge_held,
    "AP045": judge_message,
    "AP049": judge_cut_short,
    "AP046": judge_eaten,
    "AP047": judge_message,
    "AP050": judge_overwritten,
    "AP052": judge_overwritten,
    "AP053": judge_message,
    "AP080": judge_missing,
    "AP101": judge_empty,
}


@pytest.mark.parametrize("close", [{"close": "</c>"}, {"close": ["</c>", "<|e|>"]}, {"close_pattern": "</c>\\s*|<e>"}])
def test_the_guarded_close_that_is_offered(close: dict[str, Any]) -> None:
    """It is this template's own, and it closes what the other did."""
    calls = {"open": "<c>", "content": "json"}
    template = {"start_anchor": "<a>", "fields": {"calls": {**calls, **close}, "content": {}}}
    (finding,) = (one for one in lint(template, targets=()).findings if one.rule.id == IN_A_STRING)
    pattern = finding.remedy.partition("close_pattern: ")[2].partition(";")[0]
    guarded = {**template, "fields": {"calls": {**calls, "close_pattern": pattern}, "content": {}}}
    assert IN_A_STRING not in {one.rule.id for one in lint(guarded, targets=()).findings}
    for text in ('<c>{"a": 1} </c>b', '<c>{"a": "</c>b"}</c>c'):
        assert antiphon.parse_response(text, guarded, prefix="")["calls"] == json.loads(text[3:].rpartition("</c>")[0])


def test_remedies_remove_what_they_are_for() -> None:
    """The remedies for the commonest warnings, taken."""
    gemma = json.loads(json.dumps(PUBLISHED["gemma4"]))
    gemma["fields"]["content"]["close_pattern"] = gemma["fields"]["content"]["close_pattern"].removesuffix("|$")
    qwen = json.loads(json.dumps(PUBLISHED["qwen3.5"]))
    arguments = qwen["fields"]["tool_calls"]["content_args"]
    arguments["tag_pattern"] = arguments["tag_pattern"].replace(r"\s*(?P<value>.*?)\s*", "(?P<value>.*?)")
    for template in (gemma, qwen):
        report: Report = lint(template, targets=())
        assert report.passes, report
