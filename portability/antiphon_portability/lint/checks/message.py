"""The message as the rest of the world reads it: names, role, required fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from antiphon.pointer import pointer

from antiphon_portability.lint.context import Context
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show
from antiphon_portability.names import REASONING_KEYS, usual

_WHOLE = re.compile(r"\b(?:messages?|msg)(?:\[[^\]]*\])?\s*\|\s*(?:tojson|items|string)\b")  # written out as it is
_UNREAD = "nothing, if the next turn may lack it; else name the field as the chat template does, or let that read it"


def _keys_read(chat_template: str) -> frozenset[str]:
    from antiphon_portability.chat.keys import keys_read  # Jinja2 is imported where there is something to read

    return keys_read(chat_template)


def names(context: Context) -> Iterator[Finding]:
    """AP090, AP091: fields that chat templates, or this chat template, read under another name."""
    read = None if context.chat_template is None else _keys_read(context.chat_template)
    for name in context.template.fields:
        better = usual(name)
        if read is None:
            if better is not None:
                reason = f"most chat templates read {better!r}, not {name!r}"
                yield Finding(RULES["AP090"], pointer("fields", name), reason)
            continue
        others = REASONING_KEYS if name in REASONING_KEYS else (better,) if better else ()
        instead = [other for other in others if other in read]
        if name not in read and instead:
            reason = f"the chat template reads {instead[0]!r}, not {name!r}"
            if name in REASONING_KEYS:
                reason += "; transformers 5.24 fills one from the other, other programs don't"
            yield Finding(RULES["AP091"], pointer("fields", name), reason, f"call the field {instead[0]!r}")
        elif read and name not in read and not _WHOLE.search(context.chat_template or ""):
            yield Finding(RULES["AP091"], pointer("fields", name), f"the chat template never reads {name!r}", _UNREAD)


def role(context: Context) -> Iterator[Finding]:
    """AP092: neither a default nor a field says the role."""
    if "role" not in context.template.defaults and "role" not in context.template.fields:
        where = "/defaults" if "defaults" in context.document else ""
        yield Finding(RULES["AP092"], where, "neither defaults nor a field has the key 'role'")


def required(context: Context) -> Iterator[Finding]:
    """AP100, AP101: what `optional: false` doesn't ask for."""
    for name, found in context.template.fields.items():
        if found.optional:
            continue
        where = pointer("fields", name, "optional")
        if name in context.template.defaults:
            yield Finding(RULES["AP100"], where, f"defaults has {name!r}, so it's never missing")
            continue
        ends = [context.side(name, end) for end in ("open", "close")]
        text = "".join(end.text for end in ends if end) if found.open else " "
        message = context.parse(text) if context.is_safe(text) else None
        if isinstance(message, Mapping) and name not in message:
            shows = (("the message", show(message)),)
            yield Finding(RULES["AP101"], where, f"{name!r} occurs, and is empty", witness=Witness(text, shows))
