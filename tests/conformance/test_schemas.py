"""The JSON Schemas themselves, and the one for templates against what the suite says of templates."""

from __future__ import annotations

import re
from typing import Any

import pytest
from antiphon_conformance import resources, schemas
from antiphon_conformance.cases.case import CONTENT_KINDS
from antiphon_conformance.cases.suite import load_suite
from jsonschema import Draft202012Validator

BEYOND_A_SCHEMA = {
    "several-implicit-fields", "captures-without-transform", "reserved-group", "default-type", "pattern-syntax",
    "pattern-unsupported", "pattern-unavailable", "missing-group", "placeholder-undefined", "too-deep", "invalid-tools",
}  # fmt: skip
"""The kinds of TemplateError that response-template.schema.json leaves to loading."""


@pytest.mark.parametrize("name", schemas.NAMES)
def test_schemas_are_schemas_and_document_themselves(name: str) -> None:
    document = schemas.documents()[f"{name}.schema.json"]
    Draft202012Validator.check_schema(document)
    assert document["title"]
    assert document["description"]


def test_templates_that_load_are_accepted() -> None:
    for case in load_suite():
        if case.required and (case.expect.loads or case.expect.parses):
            assert schemas.first_fault(case.template, "response-template") is None, case.full_id


def test_templates_that_are_refused_are_refused_where_a_schema_can() -> None:
    for case in load_suite():
        error = case.expect.error
        if case.full_id == "load/placeholders/mixed-unicode-name":  # `\w` of JSON Schema's patterns is ASCII
            continue
        if case.required and error is not None and error.stage == "load" and error.kind not in BEYOND_A_SCHEMA:
            assert schemas.first_fault(case.template, "response-template") is not None, case.full_id


def test_constructs_are_those_of_the_specification() -> None:
    """The table of DIALECT-3 names them."""
    text = resources.find_specification().read_text("utf-8")
    rows = re.findall(r"^\| (`[^|]*`) \|.*\| (?:exact|conservative)[^|]* \|$", text, re.MULTILINE)
    slugs = {slug for cell in rows for slug in re.findall(r"`([a-z-]+)`", cell)}
    definitions = schemas.documents()["protocol.schema.json"]["$defs"]
    assert slugs == set(definitions["construct"]["enum"])
    assert set(definitions["content"]["enum"]) == CONTENT_KINDS


@pytest.mark.parametrize(
    ("field", "pointer"),
    [
        ({"opne": "<t>"}, "/fields/x"),
        ({"open": ["<t>", ""]}, "/fields/x/open"),
        ({"content": "yaml"}, "/fields/x/content"),
        ({"content": "json", "content_args": {"strip": True}}, "/fields/x/content_args"),
        ({"repeats": "false"}, "/fields/x/repeats"),
        ({"transform": {"a": ["{content} !"]}}, "/fields/x/transform"),
    ],
)
def test_faults_name_their_place(field: Any, pointer: str) -> None:
    fault = schemas.first_fault({"start_anchor": "a", "fields": {"x": field}}, "response-template")
    assert fault is not None
    assert fault.pointer.startswith(pointer)
