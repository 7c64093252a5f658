"""A report as SARIF 2.1.0, for editors and code scanning (OASIS, Static Analysis Results Interchange Format)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from antiphon_portability.lint.findings import RULES, Finding, Report
from antiphon_portability.lint.positions import Positions, positions

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(report: Report, file: str, source: str, base: str = "", version: str | None = None) -> dict[str, Any]:
    """The log of one run on one file.

    Args:
        report: what was found.
        file: the file's name, as it is to appear in the log.
        source: the file's text, in which lines and columns are looked up.
        base: JSON Pointer of the template in the file.
        version: that of the kit.
    """
    where = positions(source)
    rules = [_rule(rule_id) for rule_id in RULES]
    driver = {"name": "antiphon lint", **({"version": version} if version else {}), "rules": rules}
    notifications = [{"level": "note", "message": _message(text)} for text in (*report.unfinished, *report.skipped)]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
        "results": [_result(finding, file, base, where) for finding in report.findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule_id: str) -> dict[str, Any]:
    rule = RULES[rule_id]
    return {
        "id": rule.id,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": _message(rule.title),
        "fullDescription": _message(rule.meaning),
        "help": _message(f"Remedy: {rule.remedy}"),
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding, file: str, base: str, where: Positions) -> dict[str, Any]:
    pointer = base + finding.pointer
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(file.replace("\\", "/"))}}
    region = _region(pointer, where)
    if region is not None:
        physical["region"] = region
    text = f"{finding.rule.title}: {finding.reason}. Remedy: {finding.remedy or finding.rule.remedy}."
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": list(RULES).index(finding.rule.id),
        "level": finding.rule.severity,
        "message": _message(text),
        "locations": [
            {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": pointer, "kind": "value"}]}
        ],
        **({"properties": {"witness": finding.witness.as_json()}} if finding.witness else {}),
    }


def _region(pointer: str, where: Positions) -> dict[str, int] | None:
    """The place of a value or, if it isn't there, of what would hold it."""
    while pointer not in where.values:
        if not pointer:
            return None
        pointer = pointer.rpartition("/")[0]
    span = where.values[pointer]
    return {
        "startLine": span.start[0],
        "startColumn": span.start[1],
        "endLine": span.end[0],
        "endColumn": span.end[1],
    }


def _message(text: str) -> dict[str, str]:
    """A message; SARIF doubles the braces of its texts, since single ones are placeholders."""
    return {"text": text.replace("{", "{{").replace("}", "}}")}
