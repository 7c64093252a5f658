"""All checks, in the order in which their findings are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import antiphon

from antiphon_portability.regex import TARGETS

from .checks import anchor, captures, holding, loading, message, portability, regions, speed, streaming
from .context import Context, OutOfWork, Work
from .findings import SEVERITIES, Finding, Report

Check = Callable[[Context], Iterator[Finding]]

CHECKS: Final[tuple[Check, ...]] = (
    speed.slow_patterns,
    streaming.depends_on_chunks,
    holding.holds,
    holding.waits_behind_white_space,
    regions.opens_alike,
    regions.open_begins_another,
    regions.never_opens,
    regions.swallows,
    regions.matches_nothing_anywhere,
    regions.blank_overwrites,
    regions.last_call_only,
    anchor.anchored,
    captures.missing_captures,
    captures.unused_captures,
    message.names,
    message.role,
    message.required,
    portability.engines,
)


def lint(
    document: Any,
    *,
    targets: Sequence[str] = TARGETS,
    chat_template: str | None = None,
    special_tokens: Mapping[str, str] | None = None,
    source: str = "",
    base: str = "",
) -> Report:
    """What is to be said of a template's document.

    Args:
        document: the template, as JSON has it; anything else is a finding.
        targets: the engines that its patterns are meant for (`regex.TARGETS`).
        chat_template: the Jinja source of the chat template that writes its prompts.
        special_tokens: `bos_token` and such, as the chat template asks for them.
        source: the file's text, for what a JSON reader doesn't tell.
        base: JSON Pointer of the template in the file.
    """
    found = [*loading.faults(document), *loading.keys_twice(source, base)]
    if any(finding.rule.severity == "error" for finding in found):
        return Report(tuple(found))
    context = Context(document, antiphon.load_template(document), tuple(targets), chat_template, special_tokens or {})
    unfinished = []
    for check in CHECKS:
        context.work = Work()
        try:
            found += check(context)
        except OutOfWork:
            ids = (check.__doc__ or check.__name__).partition(":")[0]
            unfinished.append(f"{ids}: there is more to try than the lint may; what it found so far is told")
    order = {severity: index for index, severity in enumerate(SEVERITIES)}
    found.sort(key=lambda finding: order[finding.rule.severity])
    return Report(tuple(found), tuple(unfinished + context.skipped))
