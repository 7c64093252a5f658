"""A JSON Schema as a document: what it says, which of it is held to, and where it refers to; nothing of grammars."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias
from urllib.parse import unquote

from antiphon_portability.autoparser.grammar import casts, merging, patterns
from antiphon_portability.autoparser.grammar.errors import ToolsError
from antiphon_portability.autoparser.grammar.json_values import common, containers, shown, types_of
from antiphon_portability.autoparser.grammar.keywords import ANNOTATIONS, BY_TYPE, HELD, TYPES, UNIONS, Schema

MOST_SCHEMAS: Final = 50_000
"""How many schemas are read, those that are met twice counted twice."""
DEEPEST: Final = 100
"""Levels of schemas in each other."""

Opened: TypeAlias = frozenset[str]
"""The references that were followed since the last text was taken."""
_MOST_LEVELS: Final = 3 * DEEPEST
"""Of JSON: a schema in another is one or two further down, and values may be as deep as schemas."""
_ARGUMENT: Final = re.compile(r"(?:/(?:anyOf|oneOf|allOf)/\d+)*/properties/([^/]*)(?:/(?:anyOf|oneOf|allOf)/\d+)*")
"""Where schemas say what an argument is as a whole."""


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
        self._check_levels(root, "", _MOST_LEVELS)

    # -- what a schema says

    def types(self, schema: Schema, path: str) -> tuple[str, ...] | None:
        """The types that a value may have, said or to be seen from other keywords; None: any."""
        declared = schema.get("type")
        if declared is None:
            name = next((name for name, keywords in BY_TYPE.items() if keywords & schema.keys()), None)
            return None if name is None else (name,)
        names = declared if isinstance(declared, list | tuple) else [declared]
        for name in names:
            if not isinstance(name, str) or name not in TYPES:
                known = ", ".join(sorted(TYPES))
                raise self.error(f"{path}/type", f"{shown(name)} is no type of JSON Schema; there are {known}")
        return tuple(dict.fromkeys(names))

    def members(self, schema: Schema) -> tuple[dict[str, Any], list[str]]:
        """The properties of an object's schema, and the names that it requires, which are all among these."""
        found = schema
        if schema.keys() & {"$ref", "allOf"}:
            parts = [part for part in self.parts(schema, "", "", frozenset()) if part is not True]
            if False in parts:
                raise self.error("", "allOf has false in it, so no arguments fit; take it out")
            found = self.together(parts, "")
        for union in UNIONS:
            if union in found:
                self.note("", union, "isn't held to: the arguments are written one by one")
        self.note_unknown(found, "")
        members, required = self.described(found, "")
        if found.get("additionalProperties", False) not in (False, None):
            self.note("", "additionalProperties", "can't be written: only names that are listed are")
        return members, required

    def described(self, schema: Schema, path: str) -> tuple[dict[str, Any], list[str]]:
        """The schemas of an object's members by name, as far as it names them, and the names that it requires."""
        properties = schema.get("properties", {})
        if not isinstance(properties, Mapping):
            raise self.error(f"{path}/properties", "properties is an object of schemas")
        required = self._required(schema, path)
        unlisted = [name for name in required if name not in properties]
        others = schema.get("additionalProperties", True)
        if unlisted and others is False:
            raise self.error(f"{path}/required", "it asks for a property that isn't in properties; add it there")
        members = {**properties, **dict.fromkeys(unlisted, others)}
        for name in members:
            self._check_name(name, f"{path}/properties")
        return members, required

    def _required(self, schema: Schema, path: str) -> list[str]:
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
        kept = [value for value in self.listed(schema, path) if types is None or types_of(value) & {*types}]
        for keyword in sorted(schema.keys() & HELD - {"enum", "const", "type", "nullable"}):
            self.note(path, keyword, "isn't held to beside enum or const")
        if not kept:
            raise self.error(path, "no value of enum or const is of the type; correct one of them")
        return kept

    def listed(self, schema: Schema, path: str) -> list[Any]:
        """All values of `enum`, or `const`; those of both, if both are there."""
        values = schema.get("enum", [schema.get("const")])
        if not isinstance(values, list | tuple) or not values:
            raise self.error(f"{path}/enum", "enum is a list of at least one value")
        for index, value in enumerate(values):
            self._check_value(value, f"{path}/enum/{index}" if "enum" in schema else f"{path}/const")
        if "const" not in schema:
            return list(values)
        self._check_value(schema["const"], f"{path}/const")
        return common([schema["const"]], values)

    def limit(self, schema: Schema, keyword: str, path: str) -> int | None:
        """A count; None where there is none, or none that can be held to."""
        count = schema.get(keyword)
        if count is None:
            return None
        if not _is_number(count) or count < 0 or count != int(count):
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
            if not _is_number(value):
                raise self.error(f"{path}/{name}", f"{shown(value)} is no bound; write a number")
            whole = int(value)
            if whole != value:  # inwards to the next whole number
                found.append(whole + (inwards if (value > 0) == (inwards > 0) else 0))
            else:
                found.append(whole + step)
        return None if not found else max(found) if inwards > 0 else min(found)

    # -- what becomes of an argument that is read as text

    def argument(self, path: str) -> Any:
        """The schema that a parser looks at (TOOLS-2) for the argument whose schema, or part of it, is at a path."""
        named = _ARGUMENT.fullmatch(path)
        properties = self.root.get("properties") if isinstance(self.root, Mapping) else None
        if named is None or not isinstance(properties, Mapping):
            return None
        return properties.get(named[1].replace("~1", "/").replace("~0", "~"))

    def note_lost(self, path: str, values: Sequence[Any]) -> None:
        """Tell which values can't be written."""
        if values:
            self.note(path, "enum or const", f"is without {shown(values)}: it wouldn't be read back as it is")

    def note_casts(self, path: str) -> None:
        """Tell what a string at a path may be turned into, if that isn't surely by the schema."""
        for name in casts.unheld(self.argument(path)):
            self.note(path, "type", f"isn't held to for a text that reads as {name}: it becomes one (SPEC.md, TOOLS-4)")

    # -- schemas in schemas

    def options(self, keyword: str, schema: Schema, path: str) -> Sequence[Any]:
        """The schemas of anyOf, oneOf or allOf."""
        options = schema[keyword]
        if not isinstance(options, list | tuple) or not options:
            raise self.error(f"{path}/{keyword}", f"{keyword} is a list of at least one schema")
        if keyword == "oneOf" and not _are_exclusive(options):
            self.note(path, "oneOf", "is held to as anyOf: a value that fits several of its schemas goes")
        return options

    def says_more(self, schema: Schema) -> bool:
        """Whether a schema has keywords besides its union or reference."""
        unions = [union for union in (*UNIONS, "$ref") if union in schema]
        return bool(schema.keys() & HELD - {*unions[:1], "nullable"})

    def target(self, reference: Any, path: str) -> tuple[Any, str]:
        """What a reference refers to, and its path."""
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise self.error(f"{path}/$ref", f"{shown(reference)} isn't in the schema; write it into its $defs")
        fragment = unquote(reference.removeprefix("#"))
        if fragment and not fragment.startswith("/"):
            found = next((place for place, _, one in containers(self.root) if _has_anchor(one, fragment)), None)
            if found is None:
                raise self.error(f"{path}/$ref", f"{shown(reference)} is no $anchor in the schema; write #/$defs/…")
            fragment = found
        return self._at(fragment, reference, path), fragment

    def _at(self, pointer: str, reference: str, path: str) -> Any:
        found = self.root
        for key in pointer.split("/")[1:]:
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
            if part.keys() & {"const", "enum"}:
                self.listed(part, place)
            yield {key: value for key, value in part.items() if key not in ("allOf", "$ref", without)}
            reference = part.get("$ref") if without != "$ref" else None
            if reference is not None and reference not in seen:
                target, found = self.target(reference, place)
                left.append((target, found, "", seen | {reference}))
            listed = list(enumerate(self.options("allOf", part, place) if "allOf" in part else ()))
            left += [(one, f"{place}/allOf/{index}", "", seen) for index, one in reversed(listed)]

    def together(self, parts: Sequence[Schema], path: str) -> dict[str, Any]:
        """One schema in the place of several that all have to be fitted."""
        return merging.together(parts, lambda keyword, why: self.note(path, keyword, why))

    def combined(
        self, schema: Schema, path: str, opened: Opened, depth: int, drop: str = ""
    ) -> Iterator[tuple[Any, str]]:
        """The schemas of which one has to be fitted instead of `allOf`, each with its path.

        `drop`: a keyword that isn't looked at.
        """
        self.count(path, depth)
        parts = [part for part in self.parts(schema, path, drop, opened) if part is not True]
        together = self.together(parts, path) if False not in parts else {"enum": []}
        union = next((name for name in UNIONS if name in together), None)
        if together.get("enum") == []:
            return
        if union is None or not self.says_more(together):
            yield together, path
            return
        shared = {key: value for key, value in together.items() if key != union}
        for index, option in enumerate(self.options(union, together, path)):
            yield {"allOf": [shared, option]}, f"{path}/{union}/{index}"

    # -- what can't be read, and what isn't held to

    def count(self, path: str, depth: int) -> None:
        """One schema more is read, `depth` levels down."""
        self._read += 1
        if depth > DEEPEST:
            raise self.error(path, f"schemas are nested more than {DEEPEST} deep; take levels out")
        if self._read > MOST_SCHEMAS:
            raise self.error("", f"more than {MOST_SCHEMAS} schemas are to be read; take some out")

    def _check_name(self, name: Any, place: str) -> None:
        """A member's name has to be text that can be written."""
        if not isinstance(name, str):
            raise self.error(place, f"{shown(name)} is no name; names are strings")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise self.error(place, f"{shown(name)} has half of a surrogate pair; write whole characters") from None

    def _check_levels(self, value: Any, place: str, most: int) -> None:
        for path, level, _ in containers(value):
            if level > most:
                raise self.error(place + path, f"JSON is nested more than {most} deep; take levels out")

    def _check_value(self, value: Any, place: str) -> None:
        self._check_levels(value, place, DEEPEST)
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


def _has_anchor(schema: Any, name: str) -> bool:
    return isinstance(schema, Mapping) and schema.get("$anchor") == name


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf


def _are_exclusive(options: Sequence[Any]) -> bool:
    """Whether no value can fit two of the schemas, as far as their types say it."""
    kinds: list[str] = []
    for option in options:
        declared = option.get("type") if isinstance(option, Mapping) else None
        names = declared if isinstance(declared, list) else [declared]
        kinds += ["number" if name == "integer" else str(name) for name in names]
    return "None" not in kinds and len(set(kinds)) == len(kinds)
