"""Reading case files: what they may say, and that a faulty one is refused with its file, the place and the remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance.cases.case import ExpectedError, ExpectedEvent
from antiphon_conformance.cases.chunkings import chunkings
from antiphon_conformance.cases.identity import version
from antiphon_conformance.cases.notes import load_notes
from antiphon_conformance.cases.suite import SuiteError, load_suite
from antiphon_conformance.inputs import BadInput
from made_up import TEMPLATE, case_source, chunk, closed, make_case, opened, write_suite


def test_a_case_in_full(tmp_path: Path) -> None:
    case = make_case(
        tmp_path,
        prefix="<bot>",
        tools=[],
        options={"on_malformed": "event"},
        requires=["lookahead"],
        chunkings=["whole", [1]],
    )
    assert (case.full_id, case.topic, case.required) == ("topic/file/a-case", "topic", True)
    assert (case.text, case.prefix, case.tools, case.template) == ("hi", "<bot>", [], TEMPLATE)
    assert (case.options, case.listed_chunkings) == ({"on_malformed": "event"}, ("whole", (1,)))
    assert case.needs == {"lookahead"}


def test_moments_become_numbers(tmp_path: Path) -> None:
    expect = make_case(tmp_path).expect
    assert expect.timed
    assert expect.events == (
        ExpectedEvent(opened("content"), 1, 1),
        ExpectedEvent(chunk("content", "hi"), 1, 2),
        ExpectedEvent(closed("content", "hi"), 3, 3),
    )


def test_the_text_may_be_built_from_parts(tmp_path: Path) -> None:
    case = make_case(tmp_path, text=["<", {"repeat": "ab", "times": 3}, ">"], expect={"message": {}})
    assert case.text == "<ababab>"


def test_defaults(tmp_path: Path) -> None:
    source = case_source(expect={"loads": True})
    del source["text"]
    case = load_suite(write_suite(tmp_path, source))[0]
    assert (case.text, case.prefix, case.tools, case.options) == ("", "", None, {})


def test_a_prefix_may_be_missing(tmp_path: Path) -> None:
    """PREFIX-1 can be tested."""
    error = {"stage": "parse", "kind": "prefix-missing", "at": 0}
    case = make_case(tmp_path, prefix=None, expect={"events": [], "error": error})
    assert (case.prefix, case.expect.error) == (None, ExpectedError("parse", "prefix-missing", at=0))


def test_templates_by_name(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "some3.5.json").write_text('{"fields": {}}')
    assert make_case(tmp_path, template="some3.5").template == {"fields": {}}


def test_a_template_may_be_anything_that_is_refused(tmp_path: Path) -> None:
    templates: list[Any] = [[], None, 3]
    for template in templates:
        assert make_case(tmp_path, template=template).template == template


def test_content_kinds_are_needed_without_saying_so(tmp_path: Path) -> None:
    inner = {"name": "json", "args": {}}
    kv = {"content": "kv-lines", "content_args": {"value_parser": inner}}
    template = {"fields": {"a": {"content": "int"}, "b": kv, "c": {"content": "no such"}, "d": 3}}
    assert make_case(tmp_path, template=template, expect={"loads": True}).needs == {"int", "kv-lines", "json"}


def test_only_files_in_topics_are_case_files(tmp_path: Path) -> None:
    write_suite(tmp_path, case_source(), name="topic/deep/er")
    (tmp_path / "suite.json").write_text("[]")
    assert [case.full_id for case in load_suite(tmp_path)] == ["topic/deep/er/a-case"]


UNTIMED = [opened("content"), chunk("content", "hi"), closed("content", "hi")]
MESSAGE = {"content": "hi"}


@pytest.mark.parametrize(
    ("members", "pointer", "telling"),
    [
        ({"id": "Not A Slug"}, "/cases/0/id", "doesn't match"),
        ({"clauses": []}, "/cases/0/clauses", "non-empty"),
        ({"clauses": ["delim 1"]}, "/cases/0/clauses/0", "doesn't match"),
        ({"requires": ["telepathy"]}, "/cases/0/requires/0", '"telepathy" is none of lookahead, '),
        ({"txet": "hi"}, "/cases/0", "txet"),
        ({"text": 3}, "/cases/0/text", "3"),
        ({"prefix": 3}, "/cases/0/prefix", "should be of type string or null"),
        ({"options": {"on_malformed": "ignore"}}, "/cases/0/options/on_malformed", "none of raise, event"),
        ({"template": "nobody"}, "/cases/0/template", "there is no templates/nobody.json"),
        ({"chunkings": [[3]]}, "/cases/0/chunkings/0", "at most 2, the text's length"),
        ({"chunkings": [[2, 1]]}, "/cases/0/chunkings/0", "ascend"),
        ({"chunkings": ["words"]}, "/cases/0/chunkings/0", "words"),
        ({"reason": "none"}, "/cases/0", "cases in optional/ need a reason"),
        ({"expect": {"events": []}}, "/cases/0/expect", "exactly one of message, error, loads"),
        ({"expect": {"message": {}, "loads": True}}, "/cases/0/expect", "exactly one of message, error, loads"),
        ({"expect": {"error": {"stage": "load"}}}, "/cases/0/expect/error", 'lacks "kind"'),
        ({"expect": {"error": {"stage": "load", "kind": "x", "at": 0}}}, "/cases/0/expect/error", "can't have at"),
        ({"expect": {"loads": True, "events": []}}, "/cases/0/expect", "can't have events"),
        ({"expect": {"message": MESSAGE, "events": [{"type": "region_open"}]}}, "/cases/0/expect/events/0", "field"),
        ({"expect": {"message": MESSAGE, "events": [opened("x", "soon")]}}, "/cases/0/expect/events/0/at", "soon"),
        ({"expect": {"message": MESSAGE, "events": [opened("x", [1, 2])]}}, "/cases/0/expect/events/0/at", "[1, 2]"),
        ({"expect": {"message": MESSAGE, "events": [{**opened("x"), "text": ""}]}}, "/cases/0/expect/events/0", "text"),
        (
            {"expect": {"message": MESSAGE, "events": [opened("content", 1), chunk("content", "hi", [1, 3])]}},
            "/cases/0/expect/events/1/at",
            "3 moments for 2 code points",
        ),
        (
            {"expect": {"message": MESSAGE, "events": [*UNTIMED[:2], closed("content", "hi", "end")]}},
            "/cases/0/expect/events/0",
            "has no `at`, others have",
        ),
        (
            {"expect": {"message": MESSAGE, "events": [opened("content", 2), chunk("content", "hi", 1)]}},
            "/cases/0/expect/events/1",
            "at least 2",
        ),
        ({"expect": {"message": MESSAGE, "events": [opened("x", 4)]}}, "/cases/0/expect/events/0", "at most 2 or"),
        ({"timing": False}, "/cases/0/expect/events", '"timing": false'),
        ({"text": [{"repeat": "ab", "times": 10**12}]}, "/cases/0/text", "may have 10,000,000; repeat less"),
    ],
)  # fmt: skip
def test_faulty_cases_are_refused(tmp_path: Path, members: dict[str, Any], pointer: str, telling: str) -> None:
    with pytest.raises(SuiteError) as caught:
        make_case(tmp_path, **members)
    assert caught.value.pointer == pointer
    assert telling in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "topic" / "file.json"))
    assert "\n" not in str(caught.value)


def test_the_error_of_a_timed_case_needs_a_moment(tmp_path: Path) -> None:
    expect = {"events": [opened("content", 1)], "error": {"stage": "parse", "kind": "json-syntax"}}
    with pytest.raises(SuiteError, match=r"/cases/0/expect/error: has no `at`"):
        make_case(tmp_path, expect=expect)


def test_ids_are_unique_in_a_file(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="taken by an earlier case"):
        load_suite(write_suite(tmp_path, case_source(), case_source()))


def test_a_template_somewhere(tmp_path: Path) -> None:
    path = write_suite(tmp_path, case_source()) / "topic" / "file.json"
    document = json.loads(path.read_text())
    del document["template"]
    path.write_text(json.dumps(document))
    with pytest.raises(SuiteError, match="has no template, and neither has the file"):
        load_suite(tmp_path)


def test_optional_cases_give_a_reason(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="need a reason"):
        load_suite(write_suite(tmp_path, case_source(), name="optional/file"))
    case = load_suite(write_suite(tmp_path, case_source(reason="ports differ"), name="optional/file"))[0]
    assert not case.required


@pytest.mark.parametrize(
    ("content", "telling"),
    [
        (b'{"a": \n }', r"line 2 column 2: isn't JSON"),
        (b'{"a": "\xff"}', r"byte 7: isn't UTF-8"),
        (b"[" * 100_000, r"nested too deeply"),
        (b"[]", r"should be of type object"),
    ],
)
def test_unreadable_files(tmp_path: Path, content: bytes, telling: str) -> None:
    (tmp_path / "topic").mkdir()
    (tmp_path / "topic" / "file.json").write_bytes(content)
    with pytest.raises(BadInput, match=telling):
        load_suite(tmp_path)


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "topic" / "file.json").mkdir(parents=True)
    with pytest.raises(BadInput, match="can't be read"):
        load_suite(tmp_path)


def test_a_suite_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="isn't a folder"):
        load_suite(tmp_path / "nowhere")


def test_a_suite_without_topics(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(BadInput, match=r"holds no cases; put the files in a folder per topic \(.*/mine/a.json\)"):
        load_suite(tmp_path)


def test_whole_numbers_may_be_written_with_a_fraction(tmp_path: Path) -> None:
    """JSON has one kind of number, and some tools write them all like that."""
    events = [opened("content", 1.0), chunk("content", "hi", [1.0, 2.0]), closed("content", "hi", "end")]
    text: Any = [{"repeat": "hi", "times": 1.0}]
    case = make_case(tmp_path, text=text, chunkings=[[1.0]], expect={"message": MESSAGE, "events": events})
    assert case.listed_chunkings == ((1,),)
    assert chunkings(case)[0].chunks == ("hi",)
    assert [type(event.first) for event in case.expect.events or ()] == [int, int, int]


@pytest.mark.parametrize("template", [3, "t", [], {}, {"fields": 3}, {"fields": {"a": []}}])
def test_a_faulty_template_is_told_by_those_that_load_it(tmp_path: Path, template: Any) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "t.json").write_text("[]")
    assert make_case(tmp_path, template=template).prompt_required


@pytest.mark.parametrize("pattern", ["(", 3])
def test_a_faulty_pattern_likewise(tmp_path: Path, pattern: Any) -> None:
    assert make_case(tmp_path, template={"fields": {"a": {"open_pattern": pattern}}}).prompt_required


def test_the_name_of_a_file_can_be_printed(tmp_path: Path) -> None:
    """Else neither could the ids of its cases."""
    folder = write_suite(tmp_path, case_source()) / "topic"
    (folder / "file.json").rename(folder / "\udcff.json")
    with pytest.raises(BadInput, match="has a name that can't be printed"):
        load_suite(tmp_path)


@pytest.mark.parametrize("text", ["[]", '{"version": 3}', "{}"])
def test_a_faulty_version(tmp_path: Path, text: str) -> None:
    (tmp_path / "suite.json").write_text(text)
    with pytest.raises(BadInput, match=r"suite\.json: /version: isn't a text"):
        version(tmp_path)


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("[]", "notes.json: isn't an object"),
        ('{"a": 1}', "notes.json: /a: isn't an object with the texts `title` and `effect`"),
        ('{"a": {"title": "t"}}', "notes.json: /a: isn't"),
    ],
)
def test_faulty_notes(tmp_path: Path, text: str, telling: str) -> None:
    (tmp_path / "notes.json").write_text(text)
    with pytest.raises(BadInput, match=telling):
        load_notes(tmp_path)
