"""The keywords of JSON Schema: which of them grammars hold to, and what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Schema: TypeAlias = Mapping[str, Any]

HELD: Final = frozenset(
    {
        "$ref", "additionalProperties", "allOf", "anyOf", "const", "enum", "exclusiveMaximum", "exclusiveMinimum",
        "format", "items", "maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "nullable", "oneOf",
        "pattern", "prefixItems", "properties", "required", "type",
    }
)  # fmt: skip
"""Of these, `oneOf` as `anyOf`; bounds of whole numbers only; `format` as far as FORMATS has it."""
ANNOTATIONS: Final = frozenset(
    {
        "$anchor", "$comment", "$defs", "$id", "$schema", "contentEncoding", "contentMediaType", "default",
        "definitions", "deprecated", "description", "example", "examples", "id", "readOnly", "strict",
        "title", "writeOnly",
    }
)  # fmt: skip
"""Those that say nothing of values. Every other keyword is told as a note."""
TYPES: Final = frozenset({"string", "number", "integer", "boolean", "null", "object", "array"})
_BOUNDS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
BY_TYPE: Final[Mapping[str, frozenset[str]]] = {
    "object": frozenset({"properties", "required", "additionalProperties"}),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems"}),
    "string": frozenset({"pattern", "minLength", "maxLength", "format"}),
    "number": _BOUNDS,
    "integer": _BOUNDS,
}
"""What is said of the values of a type."""
UNIONS: Final = ("anyOf", "oneOf")
LOWER_BOUNDS: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems"})
UPPER_BOUNDS: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems"})
