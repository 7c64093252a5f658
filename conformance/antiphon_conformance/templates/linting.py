"""What the command lint does: it reads, lints, and prints the report as text, JSON or SARIF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from antiphon_portability.lint import SEVERITIES, Finding, Report, Witness, lint
from antiphon_portability.lint.sarif import sarif
from rich.console import Console
from rich.text import Text

from antiphon_conformance import inputs
from antiphon_conformance.display import escape, print_json
from antiphon_conformance.layout import print_line, print_rows
from antiphon_conformance.reports.document import kit_version

_STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}


class Format(StrEnum):
    """How a report is printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def run(file: str, chat_template: str | None, targets: Sequence[str], form: Format, console: Console) -> bool:
    """Lint the template of a file and print the report; whether there is nothing worse than a note. Raises BadInput."""
    engines = inputs.targets("--target", targets)
    given = inputs.read_template(file)
    chat = None if chat_template is None else inputs.read_chat_template(chat_template)
    report = lint(
        given.document,
        targets=engines,
        chat_template=chat.source if chat else None,
        special_tokens=chat.special_tokens if chat else None,
        source=given.text,
        base=given.pointer,
    )
    if form is Format.TEXT:
        _print(report, given, console)
    elif form is Format.JSON:
        print_json({"file": file, "pointer": given.pointer, **report.as_json()}, indent=2)
    else:
        print_json(sarif(report, file, given.text, given.pointer, kit_version()), indent=2)
    return report.passes


def _print(report: Report, given: inputs.TemplateDocument, console: Console) -> None:
    for finding in report.findings:
        print_line(console, _heading(finding))
        print_rows(console, _rows(finding, given.pointer), margin=2)
        console.print()
    for text in report.unfinished:
        print_line(console, Text(f"not finished: {escape(text)}", "yellow"))
    for text in report.skipped:
        print_line(console, Text(f"not looked at: {escape(text)}", "yellow"))
    counts = [(sum(found.rule.severity == severity for found in report.findings), severity) for severity in SEVERITIES]
    told = ", ".join(f"{count} {severity}{'s' * (count != 1)}" for count, severity in counts if count)
    style = "green" if report.passes else "bold red"
    print_line(console, Text(f"{escape(given.file)}: {told or 'nothing to say'}", style))


def _heading(finding: Finding) -> Text:
    rule = finding.rule
    return Text.assemble((f"{rule.severity} {rule.id}", _STYLES[rule.severity]), "  ", (rule.title, "bold"))


def _rows(finding: Finding, base: str) -> Iterator[tuple[str, str]]:
    """What there is to say of a finding below its heading, each with its name; `base`: where the template is."""
    yield "at", base + finding.pointer or "the document"
    yield "why", finding.reason
    if finding.witness is not None:
        yield from _witness_rows(finding.witness)
    yield "remedy", finding.remedy or finding.rule.remedy


def _witness_rows(witness: Witness) -> Iterator[tuple[str, str]]:
    if witness.prefix:
        yield "prompt", f"…{witness.prefix[-200:]}"
    if witness.text or not witness.prefix:
        yield "text", witness.written()
    if witness.chunks:
        yield "cut", witness.chunks
    for index, (how, what) in enumerate(witness.shows):
        yield "" if index else "gives", f"{how}: {what}"
