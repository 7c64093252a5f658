"""Validation of documents against the JSON Schemas of the kit, with faults that name a place and a remedy.

What validates is imported when it is first needed: not everything that reads a document has to be validated. Without
`jsonschema_rs` and `referencing`, which need compiled code, it does the same, only slower.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from antiphon.pointer import pointer

from antiphon_conformance import resources
from antiphon_conformance.display import shorten, show_value

if TYPE_CHECKING:
    import jsonschema_rs
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

NAMES = ("response-template", "case-file", "protocol", "report", "trend", "suite", "export")
TEMPLATE = "response-template.schema.json"


@dataclass(frozen=True)
class Fault:
    """A place in a document (JSON Pointer) and what is wrong there, with the remedy as far as it is known."""

    pointer: str
    problem: str


@cache
def documents() -> dict[str, Any]:
    """The schemas by their files' names."""
    folder = resources.find("schema")
    names = [f"{name}.schema.json" for name in NAMES]
    return {name: json.loads((folder / name).read_text("utf-8")) for name in names}


@cache
def validator(
    name: str, definition: str | None = None, proposals: frozenset[str] = frozenset()
) -> Draft202012Validator:
    """The validator of a schema (one of NAMES), or of one of its `$defs`; templates may use these proposals."""
    from jsonschema import Draft202012Validator

    known, reference = _known(proposals), _reference(name, definition)
    try:
        from referencing import Registry, Resource
    except ImportError:  # releases of jsonschema that work without it have this instead
        from jsonschema import RefResolver

        return Draft202012Validator(reference, resolver=RefResolver("", reference, known))
    registry: Registry[Any] = Registry().with_resources(
        (uri, Resource.from_contents(document)) for uri, document in known.items()
    )
    return Draft202012Validator(reference, registry=registry)


@cache
def _quick_validator(
    name: str, definition: str | None, proposals: frozenset[str]
) -> jsonschema_rs.Draft202012Validator:
    """The same for those that tell only whether a document is accepted, but in a hundredth of the time.

    Raises ImportError.
    """
    import jsonschema_rs

    registry = jsonschema_rs.Registry(list(_known(proposals).items()))
    return jsonschema_rs.Draft202012Validator(_reference(name, definition), registry=registry)


def _known(proposals: Iterable[str]) -> dict[str, Any]:
    return documents() | {TEMPLATE: _with_proposals(documents()[TEMPLATE], proposals)}


def _reference(name: str, definition: str | None) -> dict[str, str]:
    return {"$ref": f"{name}.schema.json" + (f"#/$defs/{definition}" if definition else "")}


def _with_proposals(schema: Any, proposals: Iterable[str]) -> Any:
    """The schema of templates, with the keys that proposals add to a field."""
    definitions = schema["$defs"]
    field = definitions["field"]
    for name in proposals:
        proposal = f"proposal-{name}"
        properties = {**field["properties"], **definitions[proposal]["properties"]}
        field = {**field, "properties": properties, "allOf": [*field["allOf"], {"$ref": f"#/$defs/{proposal}"}]}
    return {**schema, "$defs": {**definitions, "field": field}}


def first_fault(document: Any, name: str, definition: str | None = None, proposals: Iterable[str] = ()) -> Fault | None:
    """The most telling fault of a document, or None if the schema accepts it. `proposals`: those asked for."""
    if _is_accepted(document, name, definition, frozenset(proposals)):
        return None
    from jsonschema.exceptions import best_match

    errors: Iterator[ValidationError] = validator(name, definition, frozenset(proposals)).iter_errors(document)
    error = best_match(errors)
    return None if error is None else Fault(pointer(*error.absolute_path), _problem(error))


def _is_accepted(document: Any, name: str, definition: str | None, proposals: frozenset[str]) -> bool:
    """Whether a document is surely without fault. The suite has megabytes of them, and is read by each command."""
    try:
        return _quick_validator(name, definition, proposals).is_valid(document)
    except (ImportError, ValueError):  # not to be had here; or numbers and nesting beyond what it takes
        return False


def _problem(error: ValidationError) -> str:
    rule: Any = error.validator_value
    instance: Any = error.instance
    branches: Any = error.context
    match error.validator:
        case "required":
            return f"lacks {', '.join(show_value(key) for key in rule if key not in instance)}"
        case "additionalProperties" | "unevaluatedProperties" if isinstance(instance, dict):
            return f"has a key that doesn't belong there: {shorten(error.message)}"
        case "enum":
            names = [value if isinstance(value, str) else show_value(value) for value in rule]
            return f"{show_value(instance)} is none of {', '.join(names)}"
        case "anyOf" if all(branch.validator == "enum" for branch in branches):
            known = [value for branch in branches for value in branch.validator_value]
            return f"{show_value(instance)} is none of {', '.join(known)}"
        case "const":
            return f"{show_value(instance)} should be {show_value(rule)}"
        case "type":
            wanted = rule if isinstance(rule, str) else " or ".join(rule)
            return f"{show_value(instance)} should be of type {wanted}"
        case "pattern":
            return f"{show_value(instance)} doesn't match {rule}"
        case "oneOf" if isinstance(instance, dict) and all(set(branch) == {"required"} for branch in rule):
            return f"needs exactly one of {', '.join(key for branch in rule for key in branch['required'])}"
        case "not" if set(rule) == {"required"}:
            return f"can't have {' together with '.join(rule['required'])} here; take it out"
        case _:
            return shorten(error.message)
