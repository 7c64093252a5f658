"""Proposals in the harness: where their cases lie, who is asked for them, and how they are counted."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from antiphon import PROPOSALS
from antiphon_conformance import resources, schemas
from antiphon_conformance.cases import expansion
from antiphon_conformance.cases.coverage import coverage
from antiphon_conformance.cases.specification import clauses_of
from antiphon_conformance.cases.suite import SuiteError, load_suite
from antiphon_conformance.implementations.known import make_adapter
from antiphon_conformance.implementations.protocol import parse_hello, run_request
from antiphon_conformance.judging.compare import Level
from antiphon_conformance.runs.runner import run_adapter
from made_up import case_source, cut, fake, write_suite

SKIPPING = {"start_anchor": "<bot>", "fields": {"content": {"skip_blank": True}}}
QUOTING = {"open": "<c>", "close": "</c>", "content": "json", "close_outside_strings": True}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A required case, and one of a proposal."""
    write_suite(tmp_path, case_source())
    return write_suite(tmp_path, case_source(template=SKIPPING, clauses=["BLANK-4"]), name="proposals/skip-blank/file")


def test_the_folder_names_the_proposal(suite: Path) -> None:
    proposed, plain = load_suite(suite)
    assert (proposed.full_id, plain.full_id) == ("proposals/skip-blank/file/a-case", "topic/file/a-case")
    assert (proposed.proposals, plain.proposals) == (("skip-blank",), ())
    assert (proposed.required, plain.required) == (False, True)
    assert "skip-blank" in proposed.needs


def test_a_file_without_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="put it into a folder named as its proposal"):
        load_suite(write_suite(tmp_path, case_source(), name="proposals/file"))


def test_a_request_says_what_its_template_needs(suite: Path) -> None:
    proposed, plain = load_suite(suite)
    requests = [run_request(1, case, cut("hi")) for case in (proposed, plain)]
    assert [schemas.first_fault(request, "protocol", "run") for request in requests] == [None, None]
    assert [request.get("proposals") for request in requests] == [["skip-blank"], None]


def test_an_export_says_what_its_template_needs(suite: Path) -> None:
    _, proposed, plain = expansion.lines(expansion.Wish(suite))
    assert [schemas.first_fault(line, "export", "case") for line in (proposed, plain)] == [None, None]
    assert (proposed["proposals"], proposed["required"]) == (["skip-blank"], False)
    assert "proposals" not in plain


def test_hello_may_name_proposals() -> None:
    hello: dict[str, Any] = {"type": "hello", "protocol": 1, "name": "n", "version": "1", "language": "L"}
    hello |= {"contents": ["json"], "features": []}
    assert parse_hello(hello).lacks(["skip-blank"]) == ("skip-blank",)
    assert parse_hello({**hello, "proposals": ["skip-blank"]}).lacks(["skip-blank"]) == ()


def test_who_does_not_name_a_proposal_is_not_asked(suite: Path) -> None:
    """And conforms all the same."""
    result = run_adapter(fake("good"), load_suite(suite))
    assert [case.lacks for case in result.cases] == [("skip-blank",), ()]
    assert result.conforms() is Level.PROMPT


def test_the_reference_has_them_all() -> None:
    hello = make_adapter("reference").hello()
    assert hello.lacks(PROPOSALS) == ()
    folders = {case.full_id.split("/")[1] for case in load_suite() if case.proposals}
    assert folders == set(PROPOSALS)


def test_each_has_its_page_and_its_place_in_the_specification() -> None:
    text = resources.find_specification().read_text("utf-8")
    pages = set(re.findall(r"\[`([a-z-]+)`\]\(proposals/\1\.md\)", text))
    assert pages == set(PROPOSALS)
    for name in PROPOSALS:
        page = (resources.find_proposals() / f"{name}.md").read_text("utf-8")
        assert clauses_of(page)
        assert f"conformance/suite/proposals/{name}" in page


def test_coverage_of_their_clauses(suite: Path) -> None:
    """Their cases count for them alone, and no others do."""
    found = coverage(load_suite(suite), "**BLANK-9** no. **REGION-1** no.\n**REGION-1** x", "**BLANK-4** x")
    assert found.clauses == {
        "BLANK-9": (),
        "REGION-1": ("topic/file/a-case",),
        "BLANK-4": ("proposals/skip-blank/file/a-case",),
    }


@pytest.mark.parametrize(
    ("field", "proposal"), [({"skip_blank": True}, "skip-blank"), (QUOTING, "close-outside-strings")]
)
def test_the_schema_has_a_key_only_when_asked(field: dict[str, Any], proposal: str) -> None:
    template = {"start_anchor": "x", "fields": {"a": field}}
    others = set(PROPOSALS) - {proposal}
    assert schemas.first_fault(template, "response-template") is not None
    assert schemas.first_fault(template, "response-template", proposals=others) is not None
    assert schemas.first_fault(template, "response-template", proposals=[proposal]) is None
    assert schemas.first_fault(template, "response-template", proposals=PROPOSALS) is None


def test_the_schema_says_of_the_suite_what_loading_does() -> None:
    for case in load_suite():
        if case.proposals:
            fault = schemas.first_fault(case.template, "response-template", proposals=case.proposals)
            error = case.expect.error
            assert (fault is None) == (error is None or error.stage == "parse"), (case.full_id, fault)


def antiphon(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "antiphon_conformance.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_command_line_asks_by_an_option(tmp_path: Path) -> None:
    path = tmp_path / "template.json"
    path.write_text(json.dumps({"start_anchor": "@", "fields": {"call": QUOTING, "content": {"skip_blank": True}}}))
    asked = [option for name in PROPOSALS for option in ("--proposal", name)]
    parse = ["parse", str(path), '<c>"</c>"</c>\n', "--no-prefix"]
    assert json.loads(antiphon(*parse, *asked).stdout) == {"call": "</c>"}
    events = antiphon("stream", *parse[1:], *asked).stdout.splitlines()
    assert json.loads(events[-2]) == {"type": "region_close", "field": "call", "value": "</c>"}
    assert antiphon("check", str(path), *asked).stdout == "valid\n"
    refused = antiphon("check", str(path), "--proposal", "skip-blank")
    assert refused.returncode == 1
    assert "--proposal close-outside-strings" in refused.stdout
    unknown = antiphon(*parse, "--proposal", "skip_blank")
    assert unknown.returncode == 2
    assert "there are close-outside-strings, skip-blank" in unknown.stderr
