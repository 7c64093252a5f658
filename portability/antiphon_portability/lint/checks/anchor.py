"""The start anchor against the prompts that a chat template writes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from antiphon.content import find_all
from antiphon.engine import Matcher

from antiphon_portability.chat import NotRendered
from antiphon_portability.lint.chat import FIRST, Prompt, has_turn, prompts
from antiphon_portability.lint.context import Context, is_quick
from antiphon_portability.lint.findings import RULES, Finding, Witness
from antiphon_portability.lint.show import show
from antiphon_portability.names import REASONING_KEYS
from antiphon_portability.regex import may_match, parse

_LONGEST, _MOST_STEPS = 50_000, 500_000  # of a prompt, in code points; of a search for the anchor in it
_TOKEN = re.compile(r"\s*(<[^<>]+>|\[[^\[\]]+\])")
_SHOWN = 80  # code points of a prompt's end


def anchored(context: Context) -> Iterator[Finding]:
    """AP070 to AP073: each kind once, for the first conversation that shows it."""
    if context.renderer is None:
        return
    seen: set[str] = set()
    calls_tools = "tool_calls" in context.template.fields
    try:
        for prompt in prompts(context.renderer):
            found = _of_prompt(context, prompt) if calls_tools or not prompt.has_tools else None
            if found is not None and found.rule.id not in seen:
                seen.add(found.rule.id)
                yield found
    except NotRendered as error:
        yield Finding(RULES["AP070"], "", f"on {FIRST}: {error}")


def _of_prompt(context: Context, prompt: Prompt) -> Finding | None:
    where = "/start_anchor" if "start_anchor" in context.document else "/start_anchor_pattern"
    context.work.spend(len(prompt.text))
    anchor = context.patterns.get(where)
    if anchor is not None and not is_quick(anchor, prompt.text, longest=_LONGEST, most=_MOST_STEPS):
        context.unfinished.append(f"{where}: its search in a prompt takes too many steps")
        return None
    ends = [found.end for found in find_all(context.template.anchor, prompt.text)]
    end_shown = f"on {prompt.conversation} it ends in {show(prompt.text[-_SHOWN:])}"
    if not ends:
        cut = _begins_at_the_end(context, prompt.text)
        remedy = f"end the anchor where the prompt ends, behind {show(cut)}" if cut else ""
        why = "; the anchor's beginning stands there, and the rest would be the model's" if cut else ""
        return Finding(RULES["AP071"], where, end_shown + why, remedy, Witness("", prefix=prompt.text))
    head = prompt.text[ends[-1] :]
    if not head:
        return None
    if has_turn(head):
        reason = f"on {prompt.conversation}, {len(head)} code points of the prompt follow it"
        return Finding(
            RULES["AP073"], where, reason, witness=Witness("", (("is parsed", show(head)),), prefix=prompt.text)
        )
    return _of_head(context, prompt, head, where)


def _of_head(context: Context, prompt: Prompt, head: str, where: str) -> Finding | None:
    """What becomes of the prompt's end behind the anchor: regions may open there; a text of its own is a mistake."""
    if not context.is_safe(head):
        return None
    texts: dict[str, str] = {}
    for event in context.all_events([], prefix=head):
        if event["type"] == "region_chunk":
            texts[event["field"]] = texts.get(event["field"], "") + event["text"]
    implicit = context.template.implicit
    name = next((name for name, text in texts.items() if text.strip() and implicit and name == implicit.name), None)
    if name is None:
        return None
    reason = f"on {prompt.conversation}, {show(head)} stands behind it and becomes {name!r}"
    token = _TOKEN.match(head)
    if token and any(field in REASONING_KEYS for field in context.template.fields):
        reason += f"; no field opens by {show(token[1])}"
    shows = ((name, show(texts[name])),)
    remedy = _with_head(context, prompt.text, head) if "start_anchor" in context.document else ""
    return Finding(RULES["AP072"], where, reason, remedy, Witness("", shows, prefix=prompt.text))


def _with_head(context: Context, prompt: str, head: str) -> str:
    """The start anchor with one more literal, which takes the prompt's end."""
    value = context.document["start_anchor"]
    literals = [value] if isinstance(value, str) else list(value)
    before = prompt.removesuffix(head)
    found = next((text for text in sorted(literals, key=len, reverse=True) if before.endswith(text)), "")
    return f'"start_anchor": {show([*literals, found + head], 1000)}'


def _begins_at_the_end(context: Context, prompt: str) -> str:
    """What of the anchor stands at the prompt's end, if it's only a part of it."""
    if "start_anchor" in context.document:
        value = context.document["start_anchor"]
        literals = [value] if isinstance(value, str) else value
        parts = [text[:size] for text in literals for size in range(len(text) - 1, 2, -1)]
        return next((part for part in parts if prompt.endswith(part)), "")
    found = Matcher(may_match(parse(context.document["start_anchor_pattern"]))).search(prompt, 0)
    return prompt[found.start :] if found is not None and len(prompt) - found.start > 2 else ""
