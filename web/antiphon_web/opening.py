"""Files that people open in the playground: what of a stream is in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from antiphon_conformance import resources, schemas
from antiphon_conformance.cases.suite import joined_text, load_templates
from antiphon_conformance.inputs import BadInput, chat_template_in, template_in

from antiphon_web.asking import Json, Refused, Request, member, read_file
from antiphon_web.writing import pretty

LONGEST = 20_000_000
"""Code points of a file."""


def open(request: Request) -> Json:
    """What is in a tokenizer_config.json, a template's file, or a case file, of which it is the first case.

    Raises Refused.
    """
    source, name = member(request, "source", str), member(request, "name", str) or "the file"
    if len(source) > LONGEST:
        raise _refused(f"{name}: has more than {LONGEST:,} code points; give a smaller file")
    document = read_file(source, name)
    if isinstance(document, dict) and "cases" in document:
        return _of_case(document, name)
    try:
        found = template_in(document, name, source)
        return {"template": pretty(found.document) if found.pointer else source, **_chat_template(document, name)}
    except BadInput as error:
        raise _refused(str(error)) from None


def _chat_template(document: Json, name: str) -> Mapping[str, Json]:
    """The chat template of a tokenizer_config.json, if it has one that can be told apart."""
    if not isinstance(document, dict) or "chat_template" not in document:
        return {}
    found = chat_template_in(document, name)
    return {"chat_template": found.source, "special_tokens": found.special_tokens}


def _of_case(document: Mapping[str, Any], name: str) -> Json:
    fault = schemas.first_fault(document, "case-file")
    if fault is not None:
        raise _refused(f"{name}: {fault.pointer or 'the document'}: {fault.problem}")
    first = document["cases"][0]
    template = first.get("template", document.get("template"))
    if isinstance(template, str):
        template = _templates().get(template)
    if template is None:
        raise _refused(f"{name}: /cases/0: names no template that is known here; write the template itself")
    tools = first.get("tools")
    try:
        text = joined_text(first.get("text", ""))
    except ValueError as error:
        raise _refused(f"{name}: /cases/0/text: {error}") from None
    return {
        "template": pretty(template),
        "prefix": first.get("prefix") or "",
        "text": text,
        "tools": "" if tools is None else pretty(tools),
        "on_malformed": first.get("options", {}).get("on_malformed", "raise"),
    }


@cache
def _templates() -> Mapping[str, Json]:
    """Those of the suite, by name; none where the suite isn't at hand."""
    return load_templates(resources.find("suite"))


def _refused(message: str) -> Refused:
    return Refused("load", "input", message)
