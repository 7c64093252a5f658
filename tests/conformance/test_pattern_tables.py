"""The patterns of templates, translated: what the table holds, and that it is all that an adapter needs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from antiphon.delimiter import Delimiter
from antiphon_conformance import schemas
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.adapters import ProcessAdapter
from antiphon_conformance.implementations.protocol import ProtocolFault, parse_hello, run_request
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import AdapterResult, run_adapter
from antiphon_portability.regex import TARGETS
from antiphon_portability.regex.translate import LONGEST_SOURCE
from antiphon_portability.templates import TranslatedPattern, pattern_table, table_as_json
from made_up import case_source, cut, make_case, write_suite

ADAPTER = Path(__file__).parent / "table_adapter.py"
FORMS = ("plain", "hit_end", "must", "taking")
TEMPLATE: dict[str, Any] = {
    "start_anchor": ["<bot>", "<bot>\n"],
    "fields": {
        "a/b": {
            "open_pattern": "<(?P<tag>a|b)>",
            "close": "</x>",
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": "<(?P<key>k)>(?P<value>v)",
                "value_parser": {"name": "kv-lines", "args": {"value_parser": {"name": "xml-inline", "args": {}}}},
            },
            "transform": {"it": "{tag}"},
        },
        "content": {"close_pattern": "</c>|$"},
    },
}


def entry(field: Any, key: str, target: str = "re") -> TranslatedPattern:
    """What the table has for the implicit field's delimiter."""
    found = pattern_table({"start_anchor": "x", "fields": {"content": field}}, target)[f"/fields/content/{key}"]
    assert isinstance(found, TranslatedPattern)
    return found


# the table


def test_every_place_has_its_pointer_and_its_forms() -> None:
    table = table_as_json(TEMPLATE, "ecmascript")
    delimiter = ["source", "groups", "plain", "hit_end", "must", "longest", "context"]
    assert {pointer: list(found) for pointer, found in table.items()} == {
        "/start_anchor": ["source", "groups", "plain"],
        "/fields/a~1b/open_pattern": delimiter,
        "/fields/a~1b/close": delimiter,
        "/fields/a~1b/content_args/tag_pattern": ["source", "groups", "plain"],
        "/fields/content/close_pattern": [*delimiter[:5], "taking", *delimiter[5:]],
    }
    assert table["/start_anchor"]["source"] == r"<bot>\n|<bot>"
    assert table["/fields/a~1b/content_args/tag_pattern"]["groups"] == ["key", "value"]
    assert table["/fields/a~1b/open_pattern"]["hit_end"]["groups"] == {"tag": "tag"}


def test_tag_patterns_of_value_parsers() -> None:
    inner = {"name": "xml-inline", "args": {"tag_pattern": "b"}}
    arguments = {"tag_pattern": "a", "value_parser": {"name": "kv-lines", "args": {"value_parser": inner}}}
    table = pattern_table({"fields": {"x": {"content": "xml-inline", "content_args": arguments}}}, "re")
    root = "/fields/x/content_args"
    assert list(table) == [f"{root}/tag_pattern", f"{root}/value_parser/args/value_parser/args/tag_pattern"]


@pytest.mark.parametrize(
    "document",
    [None, [], "x", 3, {}, {"fields": None}, {"fields": []}, {"fields": {"x": None}}, {"start_anchor": [1, "a"]},
     {"start_anchor": []}, {"start_anchor_pattern": ""}, {"fields": {"x": {"open": {}, "close": [""]}}},
     {"fields": {"x": {"content": "xml-inline", "content_args": []}}},
     {"fields": {"x": {"content": ["xml-inline"], "content_args": {"tag_pattern": "a"}}}},
     {"fields": {"x": {"content": "json", "content_args": {"tag_pattern": "a"}}}}],
)  # fmt: skip
def test_what_is_no_pattern_is_passed_over(document: Any) -> None:
    assert table_as_json(document, "re") == {}


def test_a_pattern_that_nobody_takes_has_an_error() -> None:
    fields = {"a": {"open_pattern": "a("}, "b": {"open_pattern": r"\Gb"}}
    table = table_as_json({"fields": fields}, "re")
    errors = [table[f"/fields/{name}/open_pattern"]["error"] for name in fields]
    assert [error["kind"] for error in errors] == ["pattern-syntax", "pattern-unsupported"]
    assert "at code point 1 of the pattern" in errors[0]["message"]


def test_what_a_dialect_lacks_is_there_without_a_pattern() -> None:
    found = entry({"close_pattern": r"(?P<a>x|y)(?P=a)"}, "close_pattern", "re2")
    assert found.unsupported
    assert (found.plain.pattern, found.plain.verdict, found.groups) == (None, "unsupported", ("a",))


def test_what_is_too_large_is_not_translated() -> None:
    """Neither by its source nor by what it comes to: `\\w` is thousands of code points in most engines."""
    for source in ("a" * (LONGEST_SOURCE + 1), "(" * 1_000_000, r"\w" * 1000):
        found = entry({"close_pattern": source}, "close_pattern", "ecmascript")
        assert found.unsupported
        assert found.plain.notes[0].construct == "size"


def test_the_options_that_take_text() -> None:
    assert entry({"close_pattern": "</a>"}, "close_pattern").taking is None
    assert entry({"open": "<a>", "close_pattern": "</a>|$"}, "close_pattern").taking is None, "not the implicit field"
    for source, taken in (("</a>|$", True), (r"$|\Z", False)):
        taking = entry({"close_pattern": source}, "close_pattern").taking
        assert taking is not None
        assert taking.pattern is not None
        matches = re.match(taking.pattern, "</") is not None
        assert matches is taken is Delimiter.of_pattern(source).may_take_text("</", 0)


def test_a_reference_to_an_option_that_is_left_out() -> None:
    assert entry({"close_pattern": "(?P<a>)$|b(?P=a)c"}, "close_pattern").taking is None


def test_targets_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="no target 'perl'"):
        table_as_json(TEMPLATE, "perl")


# the suite's templates


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return load_suite()


def test_the_patterns_of_the_suite_compile_in_re(cases: list[Case]) -> None:
    compiled = 0
    for case in cases:
        for found in table_as_json(case.template, "re").values():
            for form in FORMS:
                pattern = found.get(form, {}).get("pattern")
                if pattern is not None:
                    groups = re.compile(pattern).groupindex
                    translation = found[form]
                    named = [*translation["groups"], *translation["markers"], *translation["tails"]]
                    assert sorted(groups) == sorted(named), case.full_id
                    compiled += 1
    assert compiled > 1000


@pytest.mark.parametrize("target", TARGETS)
def test_the_tables_are_by_the_schema(target: str) -> None:
    documents = {path.name: json.loads(path.read_text("utf-8")) for path in _templates()}
    for name, document in [*documents.items(), ("made up", TEMPLATE), ("faulty", {"start_anchor_pattern": "("})]:
        table = json.loads(json.dumps(table_as_json(document, target)))
        assert table
        assert schemas.first_fault(table, "protocol", "patterns") is None, name


def _templates() -> list[Path]:
    found = sorted((Path(__file__).parents[2] / "conformance" / "suite" / "templates").glob("*.json"))
    assert found
    return found


# an adapter that asks for a dialect


def run(cases: list[Case]) -> AdapterResult:
    return run_adapter(ProcessAdapter("table", (sys.executable, str(ADAPTER)), seconds=30), cases)


def test_the_dialects_are_the_targets() -> None:
    hello = schemas.documents()["protocol.schema.json"]["$defs"]["hello"]
    assert hello["properties"]["dialect"]["enum"] == [*TARGETS, None]


def test_an_unknown_dialect_is_refused() -> None:
    hello = {
        "type": "hello",
        "protocol": 1,
        "name": "n",
        "version": "1",
        "language": "L",
        "contents": [],
        "features": [],
    }
    assert parse_hello(hello).dialect is None
    assert parse_hello({**hello, "dialect": "re"}).dialect == "re"
    with pytest.raises(ProtocolFault, match=r'^/dialect: "javascript" is none of ecmascript, .*, regex, null$'):
        parse_hello({**hello, "dialect": "javascript"})


def test_requests_with_patterns_are_by_the_schema(tmp_path: Path) -> None:
    case = make_case(tmp_path)
    request = run_request(1, case, cut("h", "i"), table_as_json(case.template, "re"))
    assert list(request["patterns"]) == ["/start_anchor", "/fields/think/open", "/fields/think/close"]
    assert schemas.first_fault(json.loads(json.dumps(request)), "protocol", "run") is None


def test_an_adapter_gets_the_patterns_for_which_it_asked(tmp_path: Path) -> None:
    result = run(load_suite(write_suite(tmp_path, case_source())))
    assert result.hello is not None
    assert result.hello.dialect == "re"
    assert result.conforms() is Level.PROMPT


def test_a_pattern_that_cannot_be_had(tmp_path: Path) -> None:
    r"""`re` has no `\X`; the adapter says so, and the case isn't judged."""
    fields = {"content": {"close_pattern": r"a\X"}}
    case = make_case(tmp_path, template={"start_anchor": "x", "fields": fields}, requires=["grapheme"])
    (lacks,) = run([case]).cases[0].lacks
    assert lacks.startswith("pattern-unavailable: /fields/content/close_pattern: a grapheme cluster")


@pytest.mark.parametrize("topics", [{"delimiters"}, {"zero-width", "upstream", "prefix", "unicode"}])
def test_the_table_is_enough_for_level_prompt(cases: list[Case], topics: set[str]) -> None:
    result = run([case for case in cases if case.topic in topics])
    failing = [found.case.full_id for found in result.required() if not found.passes(Level.PROMPT)]
    assert failing == []
    assert result.conforms() is Level.PROMPT
