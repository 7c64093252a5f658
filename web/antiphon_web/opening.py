"""Files that people open in the playground: what of a stream is in them; and those into which a template is put."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from antiphon import TemplateError, edit_tokenizer_template
from antiphon.proposed import FIELD_KEYS
from antiphon_conformance import resources, schemas
from antiphon_conformance.cases.suite import joined_text, load_templates
from antiphon_conformance.inputs import BadInput, chat_template_in, template_in

from antiphon_web.asking import Json, Refused, Request, member, read_editor, read_file
from antiphon_web.streams import refused
from antiphon_web.writing import pretty

LONGEST = 20_000_000
"""Code points of a file."""
_OF_A_CONFIG = {"chat_template", "tokenizer_class", "added_tokens_decoder"}
"""Keys of a tokenizer_config.json, by one of which it is known where it has no template yet."""
_NOT_OF_A_CONFIG = {"fields", "start_anchor", "start_anchor_pattern", "cases"}
"""Keys of templates and case files."""


def open(request: Request) -> Json:
    """What is in a tokenizer_config.json, a template's file, or a case file, of which it is the first case.

    Raises Refused.
    """
    source, name, document = _file(request)
    if isinstance(document, dict) and "cases" in document:
        return _of_case(document, name)
    try:
        if _lacks_a_template(document):
            return {"is_config": True, **_chat_template(document, name)}
        found = template_in(document, name, source)
        if not found.pointer:
            return {"template": source}
        return {"template": pretty(found.document), "is_config": True, **_chat_template(document, name)}
    except BadInput as error:
        raise _refused(str(error)) from None


def _lacks_a_template(document: Json) -> bool:
    """Whether it is a tokenizer_config.json without one."""
    others = _NOT_OF_A_CONFIG | {"response_template"}
    return isinstance(document, dict) and not document.keys() & others and bool(document.keys() & _OF_A_CONFIG)


def write_config(request: Request) -> Json:
    """The text of a tokenizer_config.json with this template in it; all else stays as it is. Raises Refused."""
    source, name, document = _file(request)
    if not isinstance(document, dict) or document.keys() & _NOT_OF_A_CONFIG:
        raise _refused(f"{name}: isn't a tokenizer_config.json; choose the one of your model")
    template = read_editor(member(request, "template", str), "template")
    try:
        return {"source": edit_tokenizer_template(source, template)}
    except TemplateError as error:
        raise refused(error) from None


def _file(request: Request) -> tuple[str, str, Json]:
    """The text of a request's file, its name, and what it holds. Raises Refused."""
    source, name = member(request, "source", str), member(request, "name", str) or "the file"
    if len(source) > LONGEST:
        raise _refused(f"{name}: has more than {LONGEST:,} code points; give a smaller file")
    return source, name, read_file(source, name)


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
        "proposals": _proposals(template, first["expect"]),
    }


def _proposals(template: Json, expect: Json) -> list[str]:
    """Those whose keys a case's template has. The suite tells by the file's folder, which isn't known here.

    Where such a key is to be unknown, none was asked for.
    """
    fields = template.get("fields") if isinstance(template, dict) else None
    if not isinstance(fields, dict) or expect.get("error", {}).get("kind") == "unknown-key":
        return []
    keys = {key for field in fields.values() if isinstance(field, dict) for key in field}
    return sorted({FIELD_KEYS[key] for key in keys & FIELD_KEYS.keys()})


@cache
def _templates() -> Mapping[str, Json]:
    """Those of the suite, by name; none where the suite isn't at hand."""
    return load_templates(resources.find("suite"))


def _refused(message: str) -> Refused:
    return Refused("load", "input", message)
