"""What is said of a template while it is written, of its patterns, and the files that go in and out."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance import resources
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import run_adapter
from antiphon_portability.regex import TARGETS
from antiphon_web.tracing import LONGEST
from antiphon_web.writing import pretty

from web.calls import TEMPLATE, TEXT, asked, stream, stream_of, suite, traceable

# -- check


def marked(source: str, problems: list[Any]) -> dict[str, str]:
    """By the codes of problems, what they mark."""
    return {one["code"]: source[one["start"] : one["end"]] for one in problems}


def test_faults_are_marked_where_they_are() -> None:
    source = '{"start_anchor": "𝄞",\n "fields": {"a": {"opne": "<"}, "b": {"open": "[", "content": "jsno"}, "c": 5}}'
    found = asked("check", template=source, tools="")
    assert not found["loads"]
    assert marked(source, found["template"]) == {
        "unknown-key": '"opne"',
        "unknown-content": '"jsno"',
        "wrong-type": "5",
    }


@pytest.mark.parametrize(("source", "place"), [('{"a": }', "}"), ("{", "{"), ("", ""), ("  ", " "), ("[1e999]", "1")])
def test_what_is_no_json_is_marked_where_it_ends_to_be(source: str, place: str) -> None:
    found = asked("check", template=source, tools="")
    assert marked(source, found["template"]) == {"json": place}


@pytest.mark.parametrize(
    ("source", "message", "remedy"),
    [
        ("{", "this isn't JSON: expecting property name enclosed in double quotes", "correct the JSON there"),
        ("", "this is empty", "write the JSON"),
        ("[NaN]", "this holds NaN, a number that can't be had", "write another"),
        ("1" * 5000, "this holds a whole number of too many digits", "write a shorter one"),
        ("[" * 2000, "this is nested too deeply to be read", "take levels out"),
    ],
)
def test_what_is_no_json_says_what_to_do(source: str, message: str, remedy: str) -> None:
    (problem,) = asked("check", template=source, tools="")["template"]
    assert (problem["message"], problem["remedy"]) == (message, remedy)


def test_the_lint_marks_keys_and_values() -> None:
    source = json.dumps(
        {"start_anchor": "x", "fields": {"text": {"open": "<a>", "close_pattern": r"</a>\s*"}}}, indent=1
    )
    found = asked("check", template=source, tools="")
    assert found["loads"]
    told = marked(source, found["template"])
    assert told["AP032"] == json.dumps(r"</a>\s*")
    assert told["AP090"] == '"text"'
    assert all(one["remedy"] and one["severity"] in ("error", "warning", "note") for one in found["template"])


def test_a_finding_shows_what_comes_of_a_text() -> None:
    source = (resources.find("suite") / "templates" / "qwen3.json").read_text("utf-8")
    found = {one["code"]: one for one in asked("check", template=source, tools="")["template"]}
    witness = found["AP049"]["witness"]
    assert witness["text"]
    assert all(one.keys() == {"how", "what"} for one in witness["shows"])


def test_the_chat_template_is_linted_too() -> None:
    request = {"template": json.dumps(TEMPLATE), "tools": "", "chat_template": "{{ bos_token }}nothing"}
    codes = [one["code"] for one in asked("check", **request, special_tokens={"bos_token": "<s>"})["template"]]
    assert "AP071" in codes


def test_tools() -> None:
    source = '[{"name": "a"}, {"nmae": "b"}]'
    (problem,) = asked("check", template="{}", tools=source)["tools"]
    assert (problem["pointer"], source[problem["start"] : problem["end"]]) == ("/1", "{")
    assert asked("check", template="{}", tools='{"name": "a"}')["tools"][0]["code"] == "invalid-tools"
    assert asked("check", template="{}", tools="[")["tools"][0]["code"] == "json"
    assert asked("check", template="{}", tools=" \n")["tools"] == []


def test_proposals_have_to_be_asked_for() -> None:
    template = json.dumps({"start_anchor": "x", "fields": {"a": {"open": "b", "close": "c", "skip_blank": True}}})
    assert not asked("check", template=template, tools="")["loads"]
    found = asked("check", template=template, tools="", proposals=["skip-blank"])
    assert found["loads"]
    assert found["unfinished"]


# -- patterns


def test_every_pattern_is_translated_to_every_target() -> None:
    found = asked("translations", template=json.dumps(TEMPLATE), milliseconds=60_000, **{"from": 0})
    assert [target["id"] for target in found["targets"]] == list(TARGETS)
    places = {one["pointer"]: one for one in found["patterns"]}
    assert places["/fields/calls/open"]["literals"] == ["<call>", "<calls>"]
    for one in places.values():
        assert list(one["translations"]) == list(TARGETS)
        assert all(pair["plain"]["verdict"] == "exact" for pair in one["translations"].values())


def test_patterns_are_translated_as_far_as_there_is_time() -> None:
    template = json.dumps(TEMPLATE)
    whole = asked("translations", template=template, milliseconds=60_000, **{"from": 0})
    part = asked("translations", template=template, milliseconds=0, **{"from": 2})
    assert (part["patterns"], part["total"]) == (whole["patterns"][2:3], len(whole["patterns"]))


def test_a_pattern_that_nobody_takes_says_why() -> None:
    template = json.dumps({"start_anchor": "x", "fields": {"a": {"open_pattern": "(b"}}})
    (_, faulty) = asked("translations", template=template, milliseconds=60_000, **{"from": 0})["patterns"]
    assert faulty["translations"] == {}
    assert "code point 0" in faulty["error"]


def test_search() -> None:
    found = asked("search", pattern=r"(?P<n>a+)b", text="xaab ab")
    assert [(one["start"], one["end"], one["captures"]) for one in found["matches"]] == [
        (1, 4, {"n": "aa"}), (5, 7, {"n": "a"}),
    ]  # fmt: skip
    assert [(one["result"], one["start"], one["end"]) for one in found["held"]] == [
        ("no", 0, 0), ("no", 1, 1), ("undecided", 1, 2), ("undecided", 1, 3), *[("match", 1, 4)] * 4,
    ]  # fmt: skip
    assert asked("search", pattern="a", text="a" * 2000)["held"] == []
    assert asked("search", pattern="(", text="")["error"]["position"] == 0


# -- files


def outcome_of(source: str, folder: Path) -> tuple[str, Any]:
    """What the harness says of the reference on a case file."""
    file = folder / "made" / "case.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(source, "utf-8")
    (case,) = load_suite(folder)
    (result,) = run_adapter(make_adapter("reference"), [case]).cases
    return ("passes" if result.passes(Level.PROMPT) else str(result.failures)), case


def test_a_stream_becomes_a_case_that_the_reference_passes(tmp_path: Path) -> None:
    for case in [case for case in traceable() if not case.proposals and len(case.text) < 300][::40]:
        source = asked("case", **stream_of(case), id="copied", description="Copied.")["source"]
        outcome, copied = outcome_of(source, tmp_path)
        assert outcome == "passes", case.full_id
        assert copied.expect.timed == case.prompt_required
        assert (copied.text, copied.prefix, copied.template) == (case.text, case.prefix, case.template)
        assert copied.needs >= frozenset(copied.requires)
        if case.expect.timed and case.prompt_required:
            got, due = ([one.event for one in one_case.expect.events or ()] for one_case in (copied, case))
            assert got == due, case.full_id


def test_a_text_that_is_too_long_to_be_traced_becomes_a_case_without_moments(tmp_path: Path) -> None:
    text = TEXT.replace("why", "y" * LONGEST)
    outcome, copied = outcome_of(asked("case", **stream(text), id="long", description="")["source"], tmp_path)
    assert outcome == "passes"
    assert (copied.text, copied.expect.timed) == (text, False)
    assert copied.expect.message == asked("parse", **stream(text), chunks=[text])["message"]


def test_a_template_that_does_not_load_becomes_a_case(tmp_path: Path) -> None:
    faulty = {"start_anchor": "x", "fields": {"a": {"opne": "b"}}}
    source = asked("case", **stream("text", faulty), id="No slug, but Words!", description="")["source"]
    outcome, copied = outcome_of(source, tmp_path)
    assert outcome == "passes"
    assert (copied.full_id, copied.expect.error.pointer) == ("made/case/no-slug-but-words", "/fields/a/opne")


def test_a_template_file_is_opened_as_it_is() -> None:
    source = json.dumps(TEMPLATE, indent=7)
    assert asked("open", source=source, name="a.json") == {"template": source}


def test_a_tokenizer_config_is_opened() -> None:
    config = {
        "response_template": TEMPLATE,
        "chat_template": [{"name": "rag", "template": "a"}, {"name": "default", "template": "b"}],
        "bos_token": {"content": "<s>"}, "eos_token": "</s>", "added": 1,
    }  # fmt: skip
    found = asked("open", source=json.dumps(config), name="tokenizer_config.json")
    assert json.loads(found.pop("template")) == TEMPLATE
    assert found.pop("is_config")
    assert found == {"chat_template": "b", "special_tokens": {"bos_token": "<s>", "eos_token": "</s>"}}
    without = asked("open", source='{"chat_template": "b"}', name="tokenizer_config.json")
    assert without == {"is_config": True, "chat_template": "b", "special_tokens": {}}


def test_case_files_are_opened() -> None:
    """The first case of each of the suite's own files."""
    firsts = {case.full_id.rpartition("/")[0]: case for case in reversed(suite())}
    for stem, case in [*firsts.items()][::10]:
        source = (resources.find("suite") / f"{stem}.json").read_text("utf-8")
        found = asked("open", source=source, name="a.json")
        assert (found["text"], found["prefix"]) == (case.text, case.prefix or "")
        assert json.loads(found["template"]) == case.template
        assert (json.loads(found["tools"]) if found["tools"] else None) == case.tools


def test_the_proposals_of_a_case_file_are_asked_for() -> None:
    keys = {"close_outside_strings": "close-outside-strings", "skip_blank": "skip-blank"}
    firsts = {case.full_id.rpartition("/")[0]: case for case in reversed(suite())}
    told = set()
    for stem, case in firsts.items():
        if case.topic == "proposals" or stem in ("load/proposal-keys", "load/proposals"):
            source = (resources.find("suite") / f"{stem}.json").read_text("utf-8")
            used = {name for key, name in keys.items() if f'"{key}"' in json.dumps(case.template)}
            found = asked("open", source=source, name="a.json")["proposals"]
            assert found == sorted(used & {*case.proposals}), stem
            told.update(found)
    assert told == {*keys.values()}


def test_a_template_is_written_into_a_tokenizer_config() -> None:
    config = '{"a": 1e5,\r\n "response_template": {"old": 1}, "z":[ ]}\n'
    written = asked("write_config", source=config, name="a.json", template=json.dumps(TEMPLATE))["source"]
    assert written.startswith('{"a": 1e5,\r\n "response_template": {') and written.endswith('}, "z":[ ]}\n')
    assert json.loads(written) == json.loads(config) | {"response_template": TEMPLATE}
    added = asked("write_config", source="{}", name="a.json", template=json.dumps(TEMPLATE))["source"]
    assert json.loads(added) == {"response_template": TEMPLATE}


@pytest.mark.parametrize(
    ("source", "template", "told"),
    [
        ("{", "{}", "a.json: line 1 column 2: isn't JSON"),
        ("[]", "{}", "a.json: isn't a tokenizer_config.json; choose the one of your model"),
        ('{"start_anchor": "x", "fields": {}}', "{}", "a.json: isn't a tokenizer_config.json"),
        ('{"cases": []}', "{}", "a.json: isn't a tokenizer_config.json"),
        ("{}", "{", "the template isn't JSON"),
        ("{}", "[]", "the document: this must be an object, not a list"),
        ("{}", '{"fields": {}}', "the document: there is neither"),
    ],
)
def test_nothing_is_written_into_other_files_or_of_faulty_templates(source: str, template: str, told: str) -> None:
    found = asked("write_config", source=source, name="a.json", template=template)["error"]
    assert found["stage"] == "load"
    assert found["message"].startswith(told)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("{", "a.json: line 1 column 2: isn't JSON"),
        ("\ufeff{}", "a.json: line 1 column 1: isn't JSON"),
        ("{}", "a.json: is neither a template nor a tokenizer_config.json"),
        ('{"cases": 1}', "a.json: "),
        ('{"response_template": {}, "chat_template": 1}', "a.json: /chat_template: is no text, and no list"),
    ],
)
def test_other_files_are_refused(source: str, told: str) -> None:
    found = asked("open", source=source, name="a.json")
    assert found["error"]["message"].startswith(told)


@pytest.mark.parametrize(
    "value", [{}, [], 1, "é\n", [[1, {"a": []}]], {"a": "\ud800", "b": ["x" * 200, {"c": None}]}, TEMPLATE]
)
def test_json_is_written_to_be_read(value: Any) -> None:
    written = pretty(value)
    assert json.loads(written) == value
    written.encode("utf-8")


# -- the gallery


def test_the_gallery_holds_the_models_of_the_suite(tmp_path: Path) -> None:
    made = tmp_path / "gallery.json"
    subprocess.run([sys.executable, "-m", "antiphon_web.gallery", str(made)], check=True)
    assert made.stat().st_size <= 250_000
    assert len(gzip.compress(made.read_bytes())) <= 60_000
    families = json.loads(made.read_text("utf-8"))["families"]
    assert len(families) == len([*(resources.find("suite") / "models").glob("*.json")])
    known = {case.full_id.removeprefix("models/"): case for case in suite() if case.topic == "models"}
    for family in families:
        assert family["name"] and family["description"]
        assert 2 <= len(family["examples"]) <= 3
        for example in family["examples"]:
            case = known[example["id"]]
            assert (example["text"], example["prefix"]) == (case.text, case.prefix)
            assert json.loads(example["template"]) == case.template
            found = asked(
                "parse", **stream(case.text, example["template"], case.prefix or "", case.tools), chunks=[case.text]
            )
            assert found["message"] == case.expect.message
