"""The markers that a tokenizer has to keep whole."""

from __future__ import annotations

from antiphon_portability.autoparser.analysis.markers import trimmed
from antiphon_portability.autoparser.analysis.results import Content, Reasoning, Tools


def preserved_tokens(reasoning: Reasoning, content: Content, tools: Tools) -> tuple[str, ...]:
    """Each once, in the order of the message. They may be more than one token each: that's for the tokenizer to say."""
    form, function, arguments, call_id = tools.format, tools.function, tools.arguments, tools.call_id
    markers = (
        reasoning.start, reasoning.end, content.start, content.end,
        form.section_start, form.section_end, form.per_call_start, form.per_call_end,
        function.name_prefix, function.name_suffix, function.args_separator, function.close,
        arguments.start, arguments.end, arguments.name_prefix, arguments.name_suffix, arguments.separator,
        arguments.value_prefix, arguments.value_suffix, call_id.prefix, call_id.suffix,
    )  # fmt: skip
    return distinct(markers)


def distinct(markers: tuple[str, ...]) -> tuple[str, ...]:
    """Trimmed, each once, in their order; those of white space alone are left out."""
    return tuple(dict.fromkeys(short for marker in markers if (short := trimmed(marker))))
