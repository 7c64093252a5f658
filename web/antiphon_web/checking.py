"""What is to be said of a template and its tools while they are written, and where in the editor.

What makes a template unusable is told by the reference; what its users will trip over, by the lint.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import antiphon
from antiphon.tools import Tools

from antiphon_web.asking import Json, JsonFault, Refused, Request, member, optional, read_json, special_tokens, texts
from antiphon_web.streams import as_tools, refused

if TYPE_CHECKING:
    from antiphon_portability.lint.positions import Span

_KEY_BEFORE: Final = re.compile(r'("(?:[^"\\]|\\.)*")\s*:\s*\Z')
_LONGEST_KEY: Final = 400
"""Code points before a value in which its key is looked for."""


def check(request: Request) -> Json:
    """Whether the template can be used, what is to be said of it, and of the tools. Raises Refused."""
    source, proposals = member(request, "template", str), texts(request, "proposals")
    tools = _tools(member(request, "tools", str))
    answer: dict[str, Any] = {"loads": False, "template": [], "tools": tools, "unfinished": []}
    places = Places(source)
    try:
        document = read_json(source)
    except JsonFault as fault:
        return {**answer, "template": [_json_problem(source, fault)]}
    try:
        faults = antiphon.template_faults(document, proposals=proposals)
    except antiphon.ParserStateError as error:
        raise refused(error) from None
    if faults:
        return {**answer, "template": [places.problem(one.kind, "error", one.reason, one.pointer) for one in faults]}
    return {**answer, "loads": True, **_linted(document, source, places, request, proposals)}


def _linted(document: Json, source: str, places: Places, request: Request, proposals: Iterable[str]) -> Json:
    """The lint's findings, and what it didn't finish."""
    from antiphon_portability.lint import lint  # a good part of the kit, and not needed to parse

    try:
        antiphon.load_template(document)
    except antiphon.TemplateError:
        named = ", ".join(proposals)
        return {"template": [], "unfinished": [f"the lint knows nothing of proposals yet, and this uses {named}"]}
    report = lint(
        document,
        chat_template=optional(request, "chat_template", str),
        special_tokens=special_tokens(request),
        source=source,
    )
    problems = []
    for one in report.findings:
        message = f"{one.rule.title}: {one.reason}"
        found = places.problem(one.rule.id, one.rule.severity, message, one.pointer, one.remedy or one.rule.remedy)
        problems.append(found | ({"witness": one.witness.as_json()} if one.witness else {}))
    return {"template": problems, "unfinished": [*report.unfinished, *report.skipped]}


def _tools(source: str) -> list[Json]:
    """What is wrong with the tools; an empty text is none."""
    if not source.strip():
        return []
    try:
        Tools(as_tools(read_json(source)))
    except JsonFault as fault:
        return [_json_problem(source, fault)]
    except antiphon.TemplateError as error:
        return [Places(source).problem(error.kind, "error", error.reason, error.pointer)]
    except Refused as refusal:
        return [Places(source).problem("invalid-tools", "error", str(refusal), "")]
    return []


class Places:
    """Where the values of a JSON text stand in it, in code points."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans: Mapping[str, Span] | None = None
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def problem(self, code: str, severity: str, message: str, pointer: str, remedy: str = "") -> dict[str, Json]:
        """`Problem` of api.ts, about the value at a pointer; or about what is nearest to that, if nothing is there."""
        start, end = self.place(pointer, at_key=code == "unknown-key")
        return {
            "code": code,
            "severity": severity,
            "message": message,
            "remedy": remedy,
            "pointer": pointer,
            "start": start,
            "end": end,
        }

    def place(self, pointer: str, *, at_key: bool = False) -> tuple[int, int]:
        """From where to where: a text, a number or such; of an object or list the key before it, or its bracket.

        `at_key`: the key of any value.
        """
        if self._spans is None:
            from antiphon_portability.lint.positions import positions  # with the lint: most checks find nothing

            self._spans = positions(self._text).values
        for name in _upwards(pointer):
            if name in self._spans:
                span = self._spans[name]
                start, end = self._offset(*span.start), self._offset(*span.end)
                at_key = at_key or self._text[start : start + 1] in ("{", "[")
                return self._head(start) if at_key else (start, end)
        return 0, min(1, len(self._text))

    def _head(self, start: int) -> tuple[int, int]:
        begin = max(0, start - _LONGEST_KEY)
        key = _KEY_BEFORE.search(self._text[begin:start])
        return (start, start + 1) if key is None else (begin + key.start(1), begin + key.end(1))

    def _offset(self, line: int, column: int) -> int:
        return self._lines[line - 1] + column - 1


def _upwards(pointer: str) -> Iterator[str]:
    """A pointer, and those to what it lies in."""
    yield pointer
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def _json_problem(source: str, fault: JsonFault) -> dict[str, Json]:
    """The end of a text is no place that can be marked: then what stands before it is."""
    start = min(fault.position, max(0, len(source.rstrip()) - 1))
    return {
        "code": "json",
        "severity": "error",
        "message": f"this {fault.problem}",
        "remedy": fault.remedy,
        "pointer": "",
        "start": start,
        "end": min(start + 1, len(source)),
    }
