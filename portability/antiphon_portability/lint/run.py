"""All checks, in the order in which their findings are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import antiphon

from antiphon_portability.chat import Renderer, TooMuch
from antiphon_portability.regex import TARGETS
from antiphon_portability.templates import places

from . import chat
from .checks import (
    anchor,
    captures,
    holding,
    loading,
    message,
    ordinary,
    portability,
    regions,
    returning,
    speed,
    streaming,
    strings,
)
from .context import Context, OutOfWork, Work
from .findings import SEVERITIES, Finding, Report

Check = Callable[[Context], Iterator[Finding]]

CHECKS: Final[tuple[tuple[tuple[str, ...], Check], ...]] = (
    (("AP060", "AP061", "AP062"), speed.slow_patterns),
    (("AP020", "AP021", "AP022"), streaming.depends_on_chunks),
    (("AP030", "AP031", "AP033", "AP034"), holding.holds),
    (("AP032",), holding.waits_behind_white_space),
    (("AP040",), regions.opens_alike),
    (("AP041",), regions.open_begins_another),
    (("AP042",), regions.never_opens),
    (("AP043",), regions.swallows),
    (("AP044",), regions.matches_nothing_anywhere),
    (("AP045",), ordinary.fires_in_ordinary_text),
    (("AP046",), regions.eats_the_next_open),
    (("AP047",), ordinary.takes_no_text),
    (("AP048",), ordinary.meant_as_pattern),
    (("AP049",), strings.close_in_a_string),
    (("AP050", "AP052"), regions.blank_overwrites),
    (("AP051",), regions.last_call_only),
    (("AP053",), regions.calls_without_shape),
    (("AP080",), captures.missing_captures),
    (("AP081",), captures.unused_captures),
    (("AP090", "AP091"), message.names),
    (("AP092",), message.role),
    (("AP100", "AP101"), message.required),
    (("AP010", "AP011", "AP012", "AP013", "AP014"), portability.engines),
    (("AP070", "AP071", "AP072", "AP073"), anchor.anchored),  # last: these run the chat template
    (("AP074", "AP075"), returning.returned),
)
"""Each check with the ids of what it may find."""
LONGEST_DELIMITER: Final = 1_000  # code points of a literal or a pattern
_SLOW_ON_LONG: Final = frozenset({streaming.depends_on_chunks, holding.waits_behind_white_space, portability.engines})
"""Checks that aren't made with longer ones: they search for each, or translate each, many times."""


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
    with Renderer(chat_template or "", special_tokens, seconds=chat.SECONDS) as renderer:
        rendering = None if chat_template is None else renderer
        context = Context(document, antiphon.load_template(document), tuple(targets), rendering)
        found += _checked(context)
    order = {severity: index for index, severity in enumerate(SEVERITIES)}
    found.sort(key=lambda finding: order[finding.rule.severity])
    return Report(tuple(found), tuple(dict.fromkeys(context.unfinished)), tuple(dict.fromkeys(context.skipped)))


def _checked(context: Context) -> list[Finding]:
    """What the checks find, each as far as it may try."""
    found: list[Finding] = []
    longest = _long_delimiters(context.document)
    for ids, check in CHECKS:
        named = ", ".join(ids)
        if longest and check in _SLOW_ON_LONG:
            context.skipped.append(f"{named}: more than {LONGEST_DELIMITER:,} code points at {', '.join(longest)}")
            continue
        context.work = Work()
        try:
            found += check(context)
        except OutOfWork:
            context.unfinished.append(f"{named}: there is more to try than the lint may; what it found so far is told")
        except TooMuch as error:
            context.unfinished.append(f"{named}: {error}; what it found so far is told")
    return found


def _long_delimiters(document: Any) -> list[str]:
    """JSON Pointers of patterns and literals that are longer than is looked at everywhere."""
    return [
        place.pointer
        for place in places(document)
        if max(map(len, place.literals or (place.source,))) > LONGEST_DELIMITER
    ]
