"""JSON Schemas as expressions: of JSON values, and of texts that stand for values without quotes.

What is held to is in `HELD`, what says nothing of values in `ANNOTATIONS`. Every other keyword, and every value of
these that can't be held to, becomes a note; nothing is passed over in silence. Objects keep the schema's order: first
the required members, then any of the others. Without `additionalProperties` an object that lists its properties has no
others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from antiphon.pointer import pointer as join_pointer

from antiphon_portability.autoparser.grammar import automata, patterns
from antiphon_portability.autoparser.grammar.errors import ToolsError
from antiphon_portability.autoparser.grammar.expressions import (
    ANY,
    NEVER,
    NOTHING,
    Chars,
    Expression,
    Json,
    Repeat,
    Rule,
    Text,
    chars,
    choice,
    optional,
    separated,
    sequence,
)
from antiphon_portability.autoparser.grammar.numbers import DIGITS, integers
from antiphon_portability.autoparser.grammar.syntax import Writer

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
MOST_SCHEMAS: Final = 50_000
"""How many schemas are read, those that are met twice counted twice."""
DEEPEST: Final = 100
"""Levels of schemas in each other."""

Schema: TypeAlias = Mapping[str, Any]
_Open: TypeAlias = frozenset[str]
_DIGIT: Final = chars("0123456789")
_TYPES: Final = frozenset({"string", "number", "integer", "boolean", "null", "object", "array"})
_BY_KEYWORD: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    ("object", frozenset({"properties", "required", "additionalProperties"})),
    ("array", frozenset({"items", "prefixItems", "minItems", "maxItems"})),
    ("string", frozenset({"pattern", "minLength", "maxLength", "format"})),
    ("number", frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})),
)
"""The type of a schema that doesn't say it."""
_UNIONS: Final = ("anyOf", "oneOf")
_LOWER_BOUNDS: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems"})
_UPPER_BOUNDS: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems"})


def _digits(count: int) -> Expression:
    return Repeat(_DIGIT, count, count)


def _two(first: int, last: int) -> Expression:
    return choice(*(f"{number:02d}" for number in range(first, last + 1)))


_HEX: Final = chars("0123456789abcdefABCDEF")
_DATE: Final = sequence(
    _digits(4), "-", choice(
        sequence(choice(*(f"{month:02d}" for month in (1, 3, 5, 7, 8, 10, 12))), "-", _two(1, 31)),
        sequence(choice("04", "06", "09", "11"), "-", _two(1, 30)),
        sequence("02-", _two(1, 28)),
    ),
)  # fmt: skip
_TIME: Final = sequence(
    _two(0, 23), ":", _two(0, 59), ":", _two(0, 59), optional(".", Repeat(_DIGIT, 1, 6)),
    choice("Z", sequence(chars("+-"), _two(0, 23), ":", _two(0, 59))),
)  # fmt: skip
FORMATS: Final[Mapping[str, Expression]] = {
    "date": _DATE,
    "time": _TIME,
    "date-time": sequence(_DATE, "T", _TIME),
    "uuid": sequence(
        *(part for count in (8, 4, 4, 4) for part in (Repeat(_HEX, count, count), Text("-"))), Repeat(_HEX, 12, 12)
    ),
}


@dataclass(frozen=True, slots=True)
class RawText:
    """A value that a model writes without quotes. JSON, if that is there; or a text that fits `texts`; or any."""

    texts: tuple[Expression, ...] | None = None
    json: Expression | None = None


class SchemaReader:
    """The schemas of one document, the parameters of a tool, in one syntax.

    `place`: the document's JSON Pointer in the tools; `hint`: what its rules are called. Raises ToolsError.
    """

    def __init__(self, writer: Writer, document: Any, place: str, hint: str) -> None:
        self.writer = writer
        self.rules = writer.rules
        self.document = document
        self.place = place
        self.hint = hint
        self._references: dict[str, Rule] = {}
        self._read = 0

    # -- the members of an object, each for itself

    def members(self, schema: Schema) -> tuple[dict[str, Any], list[str]]:
        """The properties of an object's schema, and the names that it requires, which are all among these."""
        found = schema
        if schema.keys() & {"$ref", "allOf"}:
            parts = [part for part in self._parts(schema, "", "", frozenset()) if isinstance(part, Mapping)]
            found = self._together(parts, "")
        for union in _UNIONS:
            if union in found:
                self._note("", union, "isn't held to: the arguments are written one by one")
        self._note_unknown(found, "")
        properties = found.get("properties", {})
        if not isinstance(properties, Mapping):
            raise self._error("/properties", "properties is an object of schemas")
        required = self._required(found, "")
        if found.get("additionalProperties", False) not in (False, None):
            self._note("", "additionalProperties", "can't be written: only names that are listed are")
        for name in properties:
            self._check_text(name, "/properties")
        return {**properties, **{name: True for name in required if name not in properties}}, required

    def path(self, name: str) -> str:
        """The place of a property's schema."""
        return join_pointer("properties", name)

    # -- values

    def value(self, schema: Any, path: str = "") -> Expression:
        """A value by a schema at `path`, a JSON Pointer into the document."""
        body = self._value(schema, path, frozenset(), 0)
        whole = self.writer.syntax.is_json and not path
        return Json(self.rules.add(f"{self.hint}-value", body), schema) if whole else body

    def _value(self, schema: Any, path: str, opened: _Open, depth: int) -> Expression:
        """`opened`: the references that were followed since the last text was taken."""
        self._count(path, depth)
        if isinstance(schema, bool):
            return self._any() if schema else NEVER
        if not isinstance(schema, Mapping):
            raise self._error(path, "a schema is a JSON object, or true or false; write {} for any value")
        if "$ref" in schema:
            return self._reference(schema, path, opened, depth)
        if "allOf" in schema or (any(union in schema for union in _UNIONS) and self._says_more(schema)):
            return self._combined(schema, path, opened, depth)
        for union in _UNIONS:
            if union in schema:
                return self._union(union, schema, path, opened, depth)
        types = self._types(schema, path)
        self._note_unknown(schema, path)
        if "const" in schema or "enum" in schema:
            return self._listed(schema, path, types)
        if schema.get("nullable") is True and types and "null" not in types:
            types = (*types, "null")
        if types is None:
            return self._any()
        return choice(*(self._of_type(name, schema, path, depth) for name in types))

    def _count(self, path: str, depth: int) -> None:
        self._read += 1
        if depth > DEEPEST:
            raise self._error(path, f"schemas are nested more than {DEEPEST} deep; take levels out")
        if self._read > MOST_SCHEMAS:
            raise self._error("", f"more than {MOST_SCHEMAS} schemas are to be read; take some out")

    def _any(self) -> Expression:
        """Any value."""
        rule, space, comma = self.rules, self.writer.space, self.writer.comma()
        known = rule.bodies.get("any")
        if known is None:
            value = rule.reserve("any")
            member = self.writer.item(self._any_name(), ":", value)
            rule.define(
                value,
                choice(
                    self.writer.string(), self._number(), *map(self.writer.syntax.constant, (True, False, None)),
                    sequence("{", space, separated(member, comma, 0), space, "}"),
                    sequence("[", space, separated(value, comma, 0), space, "]"),
                ),
            )  # fmt: skip
        return Rule("any")

    def _any_name(self) -> Expression:
        return self.writer.string()

    def _types(self, schema: Schema, path: str) -> tuple[str, ...] | None:
        declared = schema.get("type")
        if declared is None:
            found = (name for name, keywords in _BY_KEYWORD if keywords & schema.keys())
            name = next(found, None)
            return None if name is None else (name,)
        names = declared if isinstance(declared, list | tuple) else [declared]
        for name in names:
            if not isinstance(name, str) or name not in _TYPES:
                known = ", ".join(sorted(_TYPES))
                raise self._error(f"{path}/type", f"{_shown(name)} is no type of JSON Schema; there are {known}")
        return tuple(dict.fromkeys(names))

    def _of_type(self, name: str, schema: Schema, path: str, depth: int) -> Expression:
        match name:
            case "object":
                return self._object(schema, path, depth)
            case "array":
                return self._array(schema, path, depth)
            case "string":
                return self._string(schema, path)
            case "integer":
                return self._integer(schema, path)
            case "number":
                for keyword in sorted(schema.keys() & {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}):
                    self._note(path, keyword, "is held to for whole numbers only (type integer)")
                return self._number()
            case "boolean":
                return choice(self.writer.syntax.constant(True), self.writer.syntax.constant(False))
        return self.writer.syntax.constant(None)

    # -- strings and numbers

    def _string(self, schema: Schema, path: str) -> Expression:
        texts = self._texts(schema, path)
        if texts is None:
            return self.writer.string()
        try:
            return self.rules.add(f"{self.hint}-string", self.writer.string_of(texts, f"{self.hint}-text"))
        except automata.TooLarge:
            self._note(path, "the string", "has a pattern or a length that needs too many rules, so any string goes")
            return self.writer.string()

    def _texts(self, schema: Schema, path: str) -> tuple[Expression, ...] | None:
        """What the text of a string has to fit, expressions without rules; None: it may be any text."""
        least = self._limit(schema, "minLength", path) or 0
        most = self._limit(schema, "maxLength", path)
        if most is not None and most < least:
            raise self._error(path, "it asks for a longer text than it allows; correct minLength or maxLength")
        counted = () if not least and most is None else (Repeat(ANY, least, most),)
        shape = self._shape(schema, path)
        return (() if shape is None else (shape,)) + counted or None

    def _shape(self, schema: Schema, path: str) -> Expression | None:
        """The texts that `pattern` or `format` describes."""
        pattern = schema.get("pattern")
        form = schema.get("format")
        found = None
        if isinstance(pattern, str):
            try:
                found = patterns.of_schema(pattern)
            except patterns.NotRegular as reason:
                self._note(path, "pattern", f"isn't held to: {reason}")
        elif "pattern" in schema:
            self._note(path, "pattern", "isn't held to: it is no string")
        known = FORMATS.get(form) if isinstance(form, str) else None
        if known is not None and found is None:
            return known
        if "format" in schema:
            why = f"only {', '.join(FORMATS)} are; write a pattern" if known is None else "there is a pattern"
            self._note(path, "format", f"isn't held to: {why}")
        return found

    def _limit(self, schema: Schema, keyword: str, path: str) -> int | None:
        """A count; None where there is none, or none that can be held to."""
        count = schema.get(keyword)
        if count is None:
            return None
        if isinstance(count, bool) or not isinstance(count, int | float) or count < 0 or count != int(count):
            raise self._error(f"{path}/{keyword}", f"{_shown(count)} is no count; write a whole number from 0")
        if count > patterns.MOST_REPEATS:
            self._note(path, keyword, f"isn't held to: engines count to {patterns.MOST_REPEATS} only")
            return None
        return int(count)

    def _integer(self, schema: Schema, path: str) -> Expression:
        least = self._bound(schema, "minimum", "exclusiveMinimum", path, 1)
        most = self._bound(schema, "maximum", "exclusiveMaximum", path, -1)
        if least is not None or most is not None:
            found = integers(least, most)
            if found == NEVER:
                raise self._error(path, f"no whole number of up to {DIGITS} digits is within its bounds; correct them")
            return found
        return self.rules.add("integer", sequence(optional("-"), _whole()))

    def _bound(self, schema: Schema, keyword: str, exclusive: str, path: str, inwards: int) -> int | None:
        found: list[int] = []
        for name, step in ((keyword, 0), (exclusive, inwards)):
            value = schema.get(name)
            if name == keyword and schema.get(exclusive) is True:  # as draft 4 has it
                step = inwards
            if value is None or (name == exclusive and isinstance(value, bool)):
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > 1e300:
                raise self._error(f"{path}/{name}", f"{_shown(value)} is no bound; write a number")
            whole = int(value)
            if whole != value:  # inwards to the next whole number
                found.append(whole + (inwards if (value > 0) == (inwards > 0) else 0))
            else:
                found.append(whole + step)
        return None if not found else max(found) if inwards > 0 else min(found)

    def _number(self) -> Expression:
        digits = Repeat(_DIGIT, 1, DIGITS)
        power = choice("0", sequence(Chars(((0x31, 0x39),)), Repeat(_DIGIT, 0, 1)))
        exponent = optional(chars("eE"), Repeat(chars("+-"), 0, 1), power)
        return self.rules.add("number", sequence(optional("-"), _whole(), optional(".", digits), exponent))

    def _listed(self, schema: Schema, path: str, types: tuple[str, ...] | None) -> Expression:
        """A value of `enum`, or `const`."""
        return choice(*(self.writer.whole(value) for value in self._members(schema, path, types)))

    def _members(self, schema: Schema, path: str, types: tuple[str, ...] | None) -> list[Any]:
        members = [schema["const"]] if "const" in schema else schema["enum"]
        if not isinstance(members, list | tuple) or not members:
            raise self._error(f"{path}/enum", "enum is a list of at least one value")
        for index, member in enumerate(members):
            self._check_value(member, f"{path}/enum/{index}" if "enum" in schema else f"{path}/const")
        kept = [member for member in members if types is None or _type_of(member) & {*types}]
        for keyword in sorted(schema.keys() & HELD - {"enum", "const", "type", "nullable"}):
            self._note(path, keyword, "isn't held to beside enum or const")
        if not kept:
            raise self._error(path, "no value of enum or const is of the type; correct one of them")
        return kept

    # -- objects and arrays

    def _object(self, schema: Schema, path: str, depth: int) -> Expression:
        properties = schema.get("properties", {})
        if not isinstance(properties, Mapping):
            raise self._error(f"{path}/properties", "properties is an object of schemas")
        required = self._required(schema, path)
        others = schema.get("additionalProperties", "properties" not in schema)
        names = [*properties, *(name for name in required if name not in properties)]
        if schema.get("additionalProperties") is False and len(names) > len(properties):
            raise self._error(f"{path}/required", "it asks for a property that isn't in properties; add it there")
        space = self.writer.space
        fixed = [self._member(name, schema, path, depth) for name in names if name in required]
        free = [self._member(name, schema, path, depth) for name in names if name not in required]
        more = self._others(names, others, path, depth)
        inner = self.listed(fixed, free, more)
        return sequence("{", space, inner, space, "}")

    def listed(self, fixed: list[Expression], free: list[Expression], more: Expression | None = None) -> Expression:
        """Members with commas between: those that are fixed, then any of the others in their order, then more."""
        comma = self.writer.comma()
        tail = self._any_of(free, more)
        if not fixed:
            return NOTHING if tail is None else optional(tail)
        first = [part for member in fixed for part in (comma, member)][1:]
        return sequence(*first, NOTHING if tail is None else optional(comma, tail))

    def _required(self, schema: Schema, path: str) -> list[str]:
        required = schema.get("required", [])
        if isinstance(required, bool):  # as draft 3 has it, in the property
            self._note(path, "required", "isn't held to: it is no list of names")
            return []
        if not isinstance(required, list | tuple) or not all(isinstance(name, str) for name in required):
            raise self._error(f"{path}/required", "required is a list of names")
        return list(dict.fromkeys(required))

    def _member(self, name: Any, schema: Schema, path: str, depth: int) -> Expression:
        self._check_text(name, f"{path}/properties")
        place = path + join_pointer("properties", name)
        value = self._value(schema.get("properties", {}).get(name, True), place, frozenset(), depth + 1)
        written = self.writer.item(self.writer.name(name), ":", value)
        return self.rules.add(f"{self.hint}-{name}", written)

    def _check_value(self, value: Any, place: str) -> None:
        try:
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError):  # of which UnicodeEncodeError is one
            raise self._error(place, "is no JSON value, or has half of a surrogate pair; correct it") from None

    def _check_text(self, name: Any, place: str) -> None:
        if not isinstance(name, str):
            raise self._error(place, f"{_shown(name)} is no name; names are strings")
        try:
            name.encode()
        except UnicodeEncodeError:
            raise self._error(place, f"{_shown(name)} has half of a surrogate pair; write whole characters") from None

    def _others(self, names: list[str], allowed: Any, path: str, depth: int) -> Expression | None:
        """A member that isn't listed; None where there may be none."""
        if allowed is False:
            return None
        value = self._value(allowed, f"{path}/additionalProperties", frozenset(), depth + 1)
        try:
            name = self.writer.other_name(names) if names else self._any_name()
        except automata.TooLarge:
            self._note(path, "additionalProperties", "can't be written: telling other names would need too many rules")
            return None
        return self.rules.add(f"{self.hint}-other", self.writer.item(name, ":", value))

    def _any_of(self, members: list[Expression], more: Expression | None) -> Expression | None:
        """One or more of these members in their order, then any number of others; None where there is none of them."""
        comma = self.writer.comma()
        rest: Expression = NOTHING if more is None else Repeat(sequence(comma, more), 0, None)
        options = [] if more is None else [sequence(more, rest)]
        for member in reversed(members):
            options.append(sequence(member, rest))
            rest = self.rules.add(f"{self.hint}-rest", sequence(optional(comma, member), rest))
        return choice(*reversed(options)) if options else None

    def _array(self, schema: Schema, path: str, depth: int) -> Expression:
        space = self.writer.space
        least = self._limit(schema, "minItems", path) or 0
        most = self._limit(schema, "maxItems", path)
        first = schema.get("prefixItems", ())
        rest = schema.get("items", True)
        first_key = "prefixItems"
        if isinstance(rest, list):  # as drafts before 2020 have it
            first, rest, first_key = rest, schema.get("additionalItems", True), "items"
        if not isinstance(first, list | tuple):
            raise self._error(f"{path}/prefixItems", "prefixItems is a list of schemas")
        items = [self._value(item, f"{path}/{first_key}/{at}", frozenset(), depth + 1) for at, item in enumerate(first)]
        if rest is False:
            most = len(items) if most is None else min(most, len(items))
        if most is not None and most < least:
            raise self._error(path, "it asks for more elements than it allows; correct minItems or maxItems")
        other = NEVER if rest is False else self._value(rest, f"{path}/items", frozenset(), depth + 1)
        if not items:
            element = self.rules.add(f"{self.hint}-item", other) if other != NEVER else NEVER
            return sequence("[", space, self._elements(element, least, most), space, "]")
        return sequence("[", space, self._tuple(items, other, least, most), space, "]")

    def _elements(self, element: Expression, least: int, most: int | None) -> Expression:
        """Elements of one kind. What is counted is a rule, since llama.cpp counts the parts of what is repeated."""
        if most == 0 or element == NEVER:
            return NOTHING if not least else NEVER
        following = self.rules.add(f"{self.hint}-next", sequence(self.writer.comma(), element))
        more = Repeat(following, max(least - 1, 0), None if most is None else most - 1)
        listed = element if most == 1 else sequence(element, more)
        return listed if least else optional(self.rules.add(f"{self.hint}-items", listed))

    def _tuple(self, items: list[Expression], other: Expression, least: int, most: int | None) -> Expression:
        """Elements each with a schema of its own, of which the last may be missing; then others."""
        comma = self.writer.comma()
        count = len(items) if most is None else min(most, len(items))
        more = None if most is None else most - count
        tail: Expression = NOTHING
        if other != NEVER:
            tail = Repeat(sequence(comma, other), max(least - count, 0), more)
        for index in reversed(range(count)):
            body = sequence(items[index] if index == 0 else sequence(comma, items[index]), tail)
            tail = body if index < least else optional(body)
        return tail

    # -- references and unions

    def _reference(self, schema: Schema, path: str, opened: _Open, depth: int) -> Expression:
        reference = schema["$ref"]
        target = self._target(reference, path)
        if self._says_more(schema):
            return self._combined({**schema, "allOf": [{"$ref": reference}]}, path, opened, depth, drop="$ref")
        if reference in opened:
            return NEVER  # itself, without a text between: that adds nothing to it
        if opened:
            return self._value(target, reference.removeprefix("#"), opened | {reference}, depth + 1)
        if reference not in self._references:
            rule = self.rules.reserve(f"{self.hint}-{reference.rpartition('/')[2]}")
            self._references[reference] = rule
            body = self._value(target, reference.removeprefix("#"), frozenset({reference}), depth + 1)
            self.rules.define(rule, body)
        return self._references[reference]

    def _target(self, reference: Any, path: str) -> Any:
        """What a reference refers to."""
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise self._error(f"{path}/$ref", f"{_shown(reference)} isn't in the schema; write it into its $defs")
        found = self.document
        for key in reference.removeprefix("#").split("/")[1:]:
            key = key.replace("~1", "/").replace("~0", "~")
            try:
                found = found[int(key)] if isinstance(found, list | tuple) else found[key]
            except (KeyError, IndexError, ValueError, TypeError):
                problem = f"{_shown(reference)} leads nowhere; write a JSON Pointer to a schema in $defs"
                raise self._error(f"{path}/$ref", problem) from None
        return found

    def _union(self, keyword: str, schema: Schema, path: str, opened: _Open, depth: int) -> Expression:
        options = self._listed_schemas(keyword, schema, path)
        self._note_unknown(schema, path)
        if keyword == "oneOf" and not _exclusive(options):
            self._note(path, "oneOf", "is held to as anyOf: a value that fits several of its schemas goes")
        found = [
            self._value(option, f"{path}/{keyword}/{index}", opened, depth + 1) for index, option in enumerate(options)
        ]
        if schema.get("nullable") is True:
            found.append(self.writer.syntax.constant(None))
        return choice(*found)

    def _listed_schemas(self, keyword: str, schema: Schema, path: str) -> Sequence[Any]:
        options = schema[keyword]
        if not isinstance(options, list | tuple) or not options:
            raise self._error(f"{path}/{keyword}", f"{keyword} is a list of at least one schema")
        return options

    def _says_more(self, schema: Schema) -> bool:
        """Whether a schema has keywords besides its union or reference."""
        unions = [union for union in (*_UNIONS, "$ref") if union in schema]
        return bool(schema.keys() & HELD - {*unions[:1], "nullable"})

    def _combined(self, schema: Schema, path: str, opened: _Open, depth: int, drop: str = "") -> Expression:
        """What fits all of `allOf`, and the keywords beside it; beside anyOf or oneOf, each option for itself."""
        self._count(path, depth)
        parts = [part for part in self._parts(schema, path, drop, opened) if part is not True]
        if False in parts:
            return NEVER
        together = self._together(parts, path)
        union = next((name for name in _UNIONS if name in together), None)
        if union is None:
            return self._value(together, path, opened, depth + 1)
        common = {key: value for key, value in together.items() if key != union}
        if not common.keys() & HELD:
            return self._value(together, path, opened, depth + 1)
        options = self._listed_schemas(union, together, path)
        return choice(
            *(
                self._value({"allOf": [common, option]}, f"{path}/{union}/{index}", opened, depth + 1)
                for index, option in enumerate(options)
            )
        )

    def _parts(self, schema: Schema, path: str, drop: str, opened: _Open) -> Iterator[Any]:
        """The schemas that all have to be fitted, none of which has `allOf` or a reference."""
        left: list[tuple[Any, str, str, _Open]] = [(schema, path, drop, opened)]
        while left:
            part, place, without, seen = left.pop()
            self._count(place, 0)
            if not isinstance(part, Mapping):
                if not isinstance(part, bool):
                    raise self._error(place, "a schema is a JSON object, or true or false; write {} for any value")
                yield part
                continue
            rest = {key: value for key, value in part.items() if key not in ("allOf", "$ref", without)}
            yield rest
            reference = part.get("$ref") if without != "$ref" else None
            if reference is not None and reference not in seen:
                target = self._target(reference, place)
                left.append((target, str(reference).removeprefix("#"), "", seen | {reference}))
            listed = list(enumerate(self._listed_schemas("allOf", part, place) if "allOf" in part else ()))
            left += [(one, f"{place}/allOf/{index}", "", seen) for index, one in reversed(listed)]

    def _together(self, parts: list[Any], path: str) -> dict[str, Any]:
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
        self._note(path, keyword, "stands in several schemas of allOf, of which the first is held to")
        return one

    # -- texts without quotes

    def raw(self, schema: Any, path: str) -> list[RawText]:
        """The ways in which a value by a schema is written where strings have no quotes."""
        return list(dict.fromkeys(self._raw(schema, path, frozenset(), 0)))

    def _raw(self, schema: Any, path: str, opened: _Open, depth: int) -> Iterator[RawText]:
        self._count(path, depth)
        if not isinstance(schema, Mapping) or not self._may_be_string(schema, path, opened, depth):
            yield RawText(json=self._value(schema, path, opened, depth + 1))
            return
        if "$ref" in schema and not self._says_more(schema):
            reference = schema["$ref"]
            if reference not in opened:
                target = self._target(reference, path)
                yield from self._raw(target, reference.removeprefix("#"), opened | {reference}, depth + 1)
            return
        if "allOf" in schema or "$ref" in schema:
            parts = [part for part in self._parts(schema, path, "", opened) if part is not True]
            yield from self._raw(self._together(parts, path), path, opened, depth + 1)
            return
        union = next((name for name in _UNIONS if name in schema), None)
        if union is not None:
            for index, option in enumerate(self._listed_schemas(union, schema, path)):
                yield from self._raw(option, f"{path}/{union}/{index}", opened, depth + 1)
            return
        yield from self._raw_types(schema, path, depth)

    def _raw_types(self, schema: Schema, path: str, depth: int) -> Iterator[RawText]:
        types = self._types(schema, path)
        self._note_unknown(schema, path)
        if "const" in schema or "enum" in schema:
            members = self._members(schema, path, types)
            texts = [member for member in members if isinstance(member, str)]
            yield RawText(texts=(choice(*texts),))
            if len(texts) < len(members):
                if types is None:  # nothing says then that the text isn't a string (TOOLS-3)
                    self._note(path, "enum", "of its values only the strings can be told apart, since there is no type")
                else:
                    rest = [self.writer.whole(member) for member in members if not isinstance(member, str)]
                    yield RawText(json=choice(*rest))
            return
        for name in types or ("string",):
            if name == "string":
                yield RawText(texts=self._texts(schema, path))
            else:
                yield RawText(json=self._of_type(name, schema, path, depth + 1))
        if schema.get("nullable") is True:
            yield RawText(json=self.writer.syntax.constant(None))

    def _may_be_string(self, schema: Any, path: str, opened: _Open, depth: int) -> bool:
        self._count(path, depth)
        if not isinstance(schema, Mapping):
            return False
        if "$ref" in schema:
            reference = schema["$ref"]
            if reference in opened:
                return False
            return self._may_be_string(self._target(reference, path), path, opened | {reference}, depth + 1)
        for union in _UNIONS:
            if union in schema:
                options = self._listed_schemas(union, schema, path)
                return any(self._may_be_string(option, path, opened, depth + 1) for option in options)
        types = self._types(schema, path)
        if types is not None:
            return "string" in types
        if "allOf" in schema:
            typed = [part for part in self._listed_schemas("allOf", schema, path) if part not in ({}, True)]
            return bool(typed) and all(self._may_be_string(part, path, opened, depth + 1) for part in typed)
        members = [schema["const"]] if "const" in schema else schema.get("enum", ())
        return any(isinstance(member, str) for member in members)

    # -- what can't be held to

    def _note_unknown(self, schema: Schema, path: str) -> None:
        for keyword in schema.keys() - HELD - ANNOTATIONS:
            if not isinstance(keyword, str) or not keyword.startswith("x-"):
                self._note(path, str(keyword), "isn't held to: no grammar has it; check the arguments by the schema")

    def _note(self, path: str, keyword: str, text: str) -> None:
        self.rules.note(self.place + path, f"{keyword} {text}")

    def _error(self, path: str, problem: str) -> ToolsError:
        return ToolsError(self.place + path, problem)


def _whole() -> Expression:
    return choice("0", sequence(Chars(((0x31, 0x39),)), Repeat(_DIGIT, 0, DIGITS - 1)))


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


def _exclusive(options: Sequence[Any]) -> bool:
    """Whether no value can fit two of the schemas, as far as their types say it."""
    kinds: list[str] = []
    for option in options:
        declared = option.get("type") if isinstance(option, Mapping) else None
        names = declared if isinstance(declared, list) else [declared]
        kinds += ["number" if name == "integer" else str(name) for name in names]
    return "None" not in kinds and len(set(kinds)) == len(kinds)


def _shown(value: Any) -> str:
    text = json.dumps(value, default=repr)
    return text if len(text) <= 60 else f"{text[:57]}…"
