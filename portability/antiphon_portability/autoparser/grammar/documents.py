"""A JSON Schema as a document: what it says, which of it is held to, and where it refers to; nothing of grammars."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from antiphon_portability.autoparser.grammar import patterns
from antiphon_portability.autoparser.grammar.errors import ToolsError

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
MOST_SCHEMAS: Final = 50_000
"""How many schemas are read, those that are met twice counted twice."""
DEEPEST: Final = 100
"""Levels of schemas in each other."""

Schema: TypeAlias = Mapping[str, Any]
Opened: TypeAlias = frozenset[str]
"""The references that were followed since the last text was taken."""
_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "null", "object", "array"})
_BY_KEYWORD: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    ("object", frozenset({"properties", "required", "additionalProperties"})),
    ("array", frozenset({"items", "prefixItems", "minItems", "maxItems"})),
    ("string", frozenset({"pattern", "minLength", "maxLength", "format"})),
    ("number", frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})),
)
"""The type of a schema that doesn't say it."""
UNIONS: Final = ("anyOf", "oneOf")
_LOWER_BOUNDS: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems"})
_UPPER_BOUNDS: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems"})


class SchemaDocument:
    """The schemas of one document, the parameters of a tool.

    `place`: the document's JSON Pointer in the tools; paths are JSON Pointers into the document. `tell` gets what isn't
    held to, and its place. Raises ToolsError for what is no schema.
    """

    def __init__(self, root: Any, place: str, tell: Callable[[str, str], None]) -> None:
        self.root = root
        self.place = place
        self._tell = tell
        self._read = 0

    # -- what a schema says

    def types(self, schema: Schema, path: str) -> tuple[str, ...] | None:
        """The types that a value may have, said or to be seen from other keywords; None: any."""
        declared = schema.get("type")
        if declared is None:
            found = (name for name, keywords in _BY_KEYWORD if keywords & schema.keys())
            name = next(found, None)
            return None if name is None else (name,)
        names = declared if isinstance(declared, list | tuple) else [declared]
        for name in names:
            if not isinstance(name, str) or name not in _TYPES:
                known = ", ".join(sorted(_TYPES))
                raise self.error(f"{path}/type", f"{shown(name)} is no type of JSON Schema; there are {known}")
        return tuple(dict.fromkeys(names))

    def members(self, schema: Schema) -> tuple[dict[str, Any], list[str]]:
        """The properties of an object's schema, and the names that it requires, which are all among these."""
        found = schema
        if schema.keys() & {"$ref", "allOf"}:
            parts = [part for part in self.parts(schema, "", "", frozenset()) if isinstance(part, Mapping)]
            found = self.together(parts, "")
        for union in UNIONS:
            if union in found:
                self.note("", union, "isn't held to: the arguments are written one by one")
        self.note_unknown(found, "")
        properties = self.properties(found, "")
        required = self.required(found, "")
        if found.get("additionalProperties", False) not in (False, None):
            self.note("", "additionalProperties", "can't be written: only names that are listed are")
        for name in properties:
            self.check_name(name, "/properties")
        return {**properties, **{name: True for name in required if name not in properties}}, required

    def properties(self, schema: Schema, path: str) -> Schema:
        """The schemas of an object's members, by name."""
        properties = schema.get("properties", {})
        if not isinstance(properties, Mapping):
            raise self.error(f"{path}/properties", "properties is an object of schemas")
        return properties

    def required(self, schema: Schema, path: str) -> list[str]:
        """The names of members that have to be there, each once."""
        required = schema.get("required", [])
        if isinstance(required, bool):  # as draft 3 has it, in the property
            self.note(path, "required", "isn't held to: it is no list of names")
            return []
        if not isinstance(required, list | tuple) or not all(isinstance(name, str) for name in required):
            raise self.error(f"{path}/required", "required is a list of names")
        return list(dict.fromkeys(required))

    def values(self, schema: Schema, path: str, types: tuple[str, ...] | None) -> list[Any]:
        """The values of `enum`, or `const`, that are of one of the types."""
        members = [schema["const"]] if "const" in schema else schema["enum"]
        if not isinstance(members, list | tuple) or not members:
            raise self.error(f"{path}/enum", "enum is a list of at least one value")
        for index, member in enumerate(members):
            self._check_value(member, f"{path}/enum/{index}" if "enum" in schema else f"{path}/const")
        kept = [member for member in members if types is None or _type_of(member) & {*types}]
        for keyword in sorted(schema.keys() & HELD - {"enum", "const", "type", "nullable"}):
            self.note(path, keyword, "isn't held to beside enum or const")
        if not kept:
            raise self.error(path, "no value of enum or const is of the type; correct one of them")
        return kept

    def limit(self, schema: Schema, keyword: str, path: str) -> int | None:
        """A count; None where there is none, or none that can be held to."""
        count = schema.get(keyword)
        if count is None:
            return None
        if isinstance(count, bool) or not isinstance(count, int | float) or count < 0 or count != int(count):
            raise self.error(f"{path}/{keyword}", f"{shown(count)} is no count; write a whole number from 0")
        if count > patterns.MOST_REPEATS:
            self.note(path, keyword, f"isn't held to: engines count to {patterns.MOST_REPEATS} only")
            return None
        return int(count)

    def bound(self, schema: Schema, keyword: str, exclusive: str, path: str, inwards: int) -> int | None:
        """The whole number that bounds from below (`inwards` 1) or above (-1), inclusive; None where there is none."""
        found: list[int] = []
        for name, step in ((keyword, 0), (exclusive, inwards)):
            value = schema.get(name)
            if name == keyword and schema.get(exclusive) is True:  # as draft 4 has it
                step = inwards
            if value is None or (name == exclusive and isinstance(value, bool)):
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e300:
                raise self.error(f"{path}/{name}", f"{shown(value)} is no bound; write a number")
            whole = int(value)
            if whole != value:  # inwards to the next whole number
                found.append(whole + (inwards if (value > 0) == (inwards > 0) else 0))
            else:
                found.append(whole + step)
        return None if not found else max(found) if inwards > 0 else min(found)

    def may_be_string(self, schema: Any, path: str, opened: Opened, depth: int) -> bool:
        """Whether a value may be a string, so that what is written without quotes may be one."""
        self.count(path, depth)
        if not isinstance(schema, Mapping):
            return False
        if "$ref" in schema:
            reference = schema["$ref"]
            if reference in opened:
                return False
            return self.may_be_string(self.target(reference, path), path, opened | {reference}, depth + 1)
        for union in UNIONS:
            if union in schema:
                options = self.options(union, schema, path)
                return any(self.may_be_string(option, path, opened, depth + 1) for option in options)
        types = self.types(schema, path)
        if types is not None:
            return "string" in types
        if "allOf" in schema:
            typed = [part for part in self.options("allOf", schema, path) if part not in ({}, True)]
            return bool(typed) and all(self.may_be_string(part, path, opened, depth + 1) for part in typed)
        members = [schema["const"]] if "const" in schema else schema.get("enum", ())
        return any(isinstance(member, str) for member in members)

    # -- schemas in schemas

    def options(self, keyword: str, schema: Schema, path: str) -> Sequence[Any]:
        """The schemas of anyOf, oneOf or allOf."""
        options = schema[keyword]
        if not isinstance(options, list | tuple) or not options:
            raise self.error(f"{path}/{keyword}", f"{keyword} is a list of at least one schema")
        return options

    def says_more(self, schema: Schema) -> bool:
        """Whether a schema has keywords besides its union or reference."""
        unions = [union for union in (*UNIONS, "$ref") if union in schema]
        return bool(schema.keys() & HELD - {*unions[:1], "nullable"})

    def target(self, reference: Any, path: str) -> Any:
        """What a reference refers to."""
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise self.error(f"{path}/$ref", f"{shown(reference)} isn't in the schema; write it into its $defs")
        found = self.root
        for key in reference.removeprefix("#").split("/")[1:]:
            key = key.replace("~1", "/").replace("~0", "~")
            try:
                found = found[int(key)] if isinstance(found, list | tuple) else found[key]
            except (KeyError, IndexError, ValueError, TypeError):
                problem = f"{shown(reference)} leads nowhere; write a JSON Pointer to a schema in $defs"
                raise self.error(f"{path}/$ref", problem) from None
        return found

    def parts(self, schema: Schema, path: str, drop: str, opened: Opened) -> Iterator[Any]:
        """The schemas that all have to be fitted, none of which has `allOf` or a reference."""
        left: list[tuple[Any, str, str, Opened]] = [(schema, path, drop, opened)]
        while left:
            part, place, without, seen = left.pop()
            self.count(place, 0)
            if not isinstance(part, Mapping):
                if not isinstance(part, bool):
                    raise self.error(place, "a schema is a JSON object, or true or false; write {} for any value")
                yield part
                continue
            rest = {key: value for key, value in part.items() if key not in ("allOf", "$ref", without)}
            yield rest
            reference = part.get("$ref") if without != "$ref" else None
            if reference is not None and reference not in seen:
                target = self.target(reference, place)
                left.append((target, str(reference).removeprefix("#"), "", seen | {reference}))
            listed = list(enumerate(self.options("allOf", part, place) if "allOf" in part else ()))
            left += [(one, f"{place}/allOf/{index}", "", seen) for index, one in reversed(listed)]

    def together(self, parts: list[Any], path: str) -> dict[str, Any]:
        """One schema in the place of several that all have to be fitted."""
        found: dict[str, Any] = {}
        for part in parts:
            for keyword, value in part.items():
                if keyword in ANNOTATIONS or keyword.startswith("x-"):
                    continue
                if keyword not in found or found[keyword] == value:
                    found[keyword] = value
                else:
                    found[keyword] = self._both(keyword, found[keyword], value, path)
        return found

    def _both(self, keyword: str, one: Any, other: Any, path: str) -> Any:
        try:
            match keyword:
                case "properties":
                    shared = {name: {"allOf": [one[name], other[name]]} for name in one.keys() & other.keys()}
                    return {**one, **other, **shared}
                case "required":
                    return [*one, *(name for name in other if name not in one)]
                case "type":
                    return _common_types(one, other)
                case "enum":
                    return [value for value in one if value in other]
                case "additionalProperties" if False in (one, other):
                    return False
                case _ if keyword in _LOWER_BOUNDS:
                    return max(one, other)
                case _ if keyword in _UPPER_BOUNDS:
                    return min(one, other)
        except (TypeError, AttributeError):
            pass  # not of the type that the keyword has; whoever reads the first one says so
        self.note(path, keyword, "stands in several schemas of allOf, of which the first is held to")
        return one

    # -- what can't be read, and what isn't held to

    def count(self, path: str, depth: int) -> None:
        """One schema more is read, `depth` levels down."""
        self._read += 1
        if depth > DEEPEST:
            raise self.error(path, f"schemas are nested more than {DEEPEST} deep; take levels out")
        if self._read > MOST_SCHEMAS:
            raise self.error("", f"more than {MOST_SCHEMAS} schemas are to be read; take some out")

    def check_name(self, name: Any, place: str) -> None:
        """A member's name has to be text that can be written."""
        if not isinstance(name, str):
            raise self.error(place, f"{shown(name)} is no name; names are strings")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise self.error(place, f"{shown(name)} has half of a surrogate pair; write whole characters") from None

    def _check_value(self, value: Any, place: str) -> None:
        try:
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError):  # of which UnicodeEncodeError is one
            raise self.error(place, "is no JSON value, or has half of a surrogate pair; correct it") from None

    def note_unknown(self, schema: Schema, path: str) -> None:
        """Tell the keywords that no grammar holds to."""
        for keyword in schema.keys() - HELD - ANNOTATIONS:
            if not isinstance(keyword, str) or not keyword.startswith("x-"):
                self.note(path, str(keyword), "isn't held to: no grammar has it; check the arguments by the schema")

    def note(self, path: str, keyword: str, text: str) -> None:
        self._tell(self.place + path, f"{keyword} {text}")

    def error(self, path: str, problem: str) -> ToolsError:
        return ToolsError(self.place + path, problem)


def _type_of(value: Any) -> set[str]:
    """The types that JSON Schema gives a value."""
    if value is None:
        return {"null"}
    if isinstance(value, bool):
        return {"boolean"}
    if isinstance(value, int | float):
        return {"number", "integer"} if value == value // 1 else {"number"}
    return {"string"} if isinstance(value, str) else {"array"} if isinstance(value, list | tuple) else {"object"}


def _common_types(one: Any, other: Any) -> list[str]:
    first, second = ([value] if isinstance(value, str) else value for value in (one, other))
    common = [name for name in first if name in second]
    if "integer" not in common and {"integer", "number"} <= {*first, *second}:
        common.append("integer")
    return common


def are_exclusive(options: Sequence[Any]) -> bool:
    """Whether no value can fit two of the schemas, as far as their types say it."""
    kinds: list[str] = []
    for option in options:
        declared = option.get("type") if isinstance(option, Mapping) else None
        names = declared if isinstance(declared, list) else [declared]
        kinds += ["number" if name == "integer" else str(name) for name in names]
    return "None" not in kinds and len(set(kinds)) == len(kinds)


def shown(value: Any) -> str:
    text = json.dumps(value, default=repr)
    return text if len(text) <= 60 else f"{text[:57]}…"
