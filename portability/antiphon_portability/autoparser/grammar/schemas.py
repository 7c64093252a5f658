"""JSON Schemas as expressions of JSON values; `unquoted` has those of texts that stand for values.

What can't be held to becomes a note; nothing is passed over in silence. Objects keep the schema's order: first
the required members, then any of the others. Without `additionalProperties` an object that lists its properties has no
others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antiphon.pointer import pointer as join_pointer

from antiphon_portability.autoparser.grammar import automata, casts, patterns
from antiphon_portability.autoparser.grammar.documents import Opened, SchemaDocument
from antiphon_portability.autoparser.grammar.expressions import (
    ANY,
    NEVER,
    NOTHING,
    Expression,
    Repeat,
    Rule,
    choice,
    ends,
    optional,
    separated,
    sequence,
)
from antiphon_portability.autoparser.grammar.formats import FORMATS
from antiphon_portability.autoparser.grammar.keywords import BY_TYPE, UNIONS, Schema
from antiphon_portability.autoparser.grammar.numbers import DIGITS, integer, integers, number
from antiphon_portability.autoparser.grammar.syntax import Writer


class SchemaReader:
    """The schemas of one document, the parameters of a tool, in one syntax.

    `place`: the document's JSON Pointer in the tools; `hint`: what its rules are called. Raises ToolsError.
    """

    def __init__(self, writer: Writer, document: Any, place: str, hint: str) -> None:
        self.writer = writer
        self.rules = writer.rules
        self.document = SchemaDocument(document, place, writer.rules.note)
        self.hint = hint
        self._references: dict[str, Rule] = {}

    def path(self, name: str) -> str:
        """The place of a property's schema."""
        return join_pointer("properties", name)

    # -- values

    def value(self, schema: Any, path: str = "") -> Expression:
        """A value by a schema at `path`, a JSON Pointer into the document."""
        body = self.nested(schema, path, frozenset(), 0)
        self.rules.expect(self.document.place + path, body)
        return body if path else self.rules.add(f"{self.hint}-value", body)

    def nested(self, schema: Any, path: str, opened: Opened, depth: int) -> Expression:
        """`opened`: the references that were followed since the last text was taken."""
        self.document.count(path, depth)
        if isinstance(schema, bool):
            return self._any() if schema else NEVER
        if not isinstance(schema, Mapping):
            raise self.document.error(path, "a schema is a JSON object, or true or false; write {} for any value")
        if "$ref" in schema:
            return self._reference(schema, path, opened, depth)
        if "allOf" in schema or (any(union in schema for union in UNIONS) and self.document.says_more(schema)):
            return self._combined(schema, path, opened, depth)
        for union in UNIONS:
            if union in schema:
                return self._union(union, schema, path, opened, depth)
        types = self.document.types(schema, path)
        self.document.note_unknown(schema, path)
        if "const" in schema or "enum" in schema:
            return self._listed(schema, path, types)
        if schema.get("nullable") is True and types and "null" not in types:
            types = (*types, "null")
        if types is None:
            return self._any()
        return choice(*(self.of_type(name, schema, path, depth) for name in types))

    def _any(self) -> Expression:
        """Any value."""
        rule, space, comma = self.rules, self.writer.space, self.writer.comma()
        known = rule.bodies.get("any")
        if known is None:
            value = rule.reserve("any")
            member = self.writer.item(self.writer.any_name(), ":", value)
            rule.define(
                value,
                choice(
                    self.writer.string(), self._number(), *map(self.writer.syntax.constant, (True, False, None)),
                    sequence("{", space, separated(member, comma, 0), space, "}"),
                    sequence("[", space, separated(value, comma, 0), space, "]"),
                ),
            )  # fmt: skip
        return Rule("any")

    def of_type(self, name: str, schema: Schema, path: str, depth: int) -> Expression:
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
                for keyword in sorted(schema.keys() & BY_TYPE[name]):
                    self.document.note(path, keyword, "is held to for whole numbers only (type integer)")
                return self._number()
            case "boolean":
                return choice(self.writer.syntax.constant(True), self.writer.syntax.constant(False))
        return self.writer.syntax.constant(None)

    # -- strings and numbers

    def _string(self, schema: Schema, path: str) -> Expression:
        self.document.note_casts(path)
        texts = self.texts(schema, path)
        if texts is None:
            return self.writer.string()
        try:
            return self.rules.add(f"{self.hint}-string", self.writer.string_of(texts, f"{self.hint}-text"))
        except automata.TooLarge:
            self.document.note(path, "pattern or length", "needs too many rules, so any string goes")
            return self.writer.string()

    def texts(self, schema: Schema, path: str) -> tuple[Expression, ...] | None:
        """What the text of a string has to fit, expressions without rules; None: it may be any text."""
        least = self.document.limit(schema, "minLength", path) or 0
        most = self.document.limit(schema, "maxLength", path)
        if most is not None and most < least:
            raise self.document.error(path, "it asks for a longer text than it allows; correct minLength or maxLength")
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
                self.document.note(path, "pattern", f"isn't held to: {reason}")
        elif "pattern" in schema:
            self.document.note(path, "pattern", "isn't held to: it is no string")
        known = FORMATS.get(form) if isinstance(form, str) else None
        if known is not None and found is None:
            return known
        if "format" in schema:
            why = f"only {', '.join(FORMATS)} are; write a pattern" if known is None else "there is a pattern"
            self.document.note(path, "format", f"isn't held to: {why}")
        return found

    def _number(self) -> Expression:
        return self.rules.add("number", number(self.writer.syntax.largest))

    def _integer(self, schema: Schema, path: str) -> Expression:
        least = self.document.bound(schema, "minimum", "exclusiveMinimum", path, 1)
        most = self.document.bound(schema, "maximum", "exclusiveMaximum", path, -1)
        largest = self.writer.syntax.largest
        if least is None and most is None:
            return self.rules.add("integer", integer(largest))
        found = integers(least, most, largest)
        if found == NEVER:
            problem = f"no whole number of up to {DIGITS} digits is within its bounds; correct them"
            raise self.document.error(path, problem)
        return found

    def _listed(self, schema: Schema, path: str, types: tuple[str, ...] | None) -> Expression:
        """A value of `enum`, or `const`."""
        values = self.document.values(schema, path, types)
        argument = self.document.argument(path)
        kept: list[Expression] = []
        lost: list[Any] = []
        for value in values:
            written = self.writer.whole(value)
            read = not isinstance(value, str) or casts.comes_back(value, value, argument)
            if read and ends(written, lambda name: True):
                kept.append(written)
            else:
                lost.append(value)
        self.document.note_lost(path, lost)
        return choice(*kept)

    # -- objects and arrays

    def _object(self, schema: Schema, path: str, depth: int) -> Expression:
        members, required = self.document.described(schema, path)
        others = schema.get("additionalProperties", "properties" not in schema)
        space = self.writer.space
        written = {name: self._member(name, members[name], name in required, path, depth) for name in members}
        fixed = [written[name] for name in members if name in required]
        free = [written[name] for name in members if name not in required]
        more = self._others([*members], others, path, depth)
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

    def _member(self, name: str, schema: Any, required: bool, path: str, depth: int) -> Expression:
        place = path + join_pointer("properties", name)
        value = self.nested(schema, place, frozenset(), depth + 1)
        if required or schema is not False:
            self.rules.expect(self.document.place + place, value)
        written = self.writer.item(self.writer.name(name), ":", value)
        return self.rules.add(f"{self.hint}-{name}", written)

    def _others(self, names: list[str], allowed: Any, path: str, depth: int) -> Expression | None:
        """A member that isn't listed; None where there may be none."""
        if allowed is False:
            return None
        value = self.nested(allowed, f"{path}/additionalProperties", frozenset(), depth + 1)
        try:
            name = self.writer.other_name(names) if names else self.writer.any_name()
        except automata.TooLarge:
            self.document.note(path, "additionalProperties", "can't be written: its names would need too many rules")
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
        least = self.document.limit(schema, "minItems", path) or 0
        most = self.document.limit(schema, "maxItems", path)
        first = schema.get("prefixItems", ())
        rest = schema.get("items", True)
        first_key = "prefixItems"
        if isinstance(rest, list):  # as drafts before 2020 have it
            first, rest, first_key = rest, schema.get("additionalItems", True), "items"
        if not isinstance(first, list | tuple):
            raise self.document.error(f"{path}/prefixItems", "prefixItems is a list of schemas")
        items = [self.nested(item, f"{path}/{first_key}/{at}", frozenset(), depth + 1) for at, item in enumerate(first)]
        if rest is False:
            most = len(items) if most is None else min(most, len(items))
        if most is not None and most < least:
            raise self.document.error(path, "it asks for more elements than it allows; correct minItems or maxItems")
        other = NEVER if rest is False else self.nested(rest, f"{path}/items", frozenset(), depth + 1)
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
            following = self.rules.add(f"{self.hint}-next", sequence(comma, other))
            tail = Repeat(following, max(least - count, 0), more)
        elif least > count:
            return NEVER
        for index in reversed(range(count)):
            body = sequence(items[index] if index == 0 else sequence(comma, items[index]), tail)
            tail = body if index < least else optional(body)
        return tail

    # -- references and unions

    def _reference(self, schema: Schema, path: str, opened: Opened, depth: int) -> Expression:
        reference = schema["$ref"]
        target, place = self.document.target(reference, path)
        if self.document.says_more(schema):
            return self._combined({**schema, "allOf": [{"$ref": reference}]}, path, opened, depth, drop="$ref")
        if reference in opened:
            return NEVER  # itself, without a text between: that adds nothing to it
        if casts.unheld(self.document.argument(path)):  # its strings are read by what else the argument may be
            return self.nested(target, path, opened | {reference}, depth + 1)
        if opened:
            return self.nested(target, place, opened | {reference}, depth + 1)
        if reference not in self._references:
            rule = self.rules.reserve(f"{self.hint}-{reference.rpartition('/')[2]}")
            self._references[reference] = rule
            body = self.nested(target, place, frozenset({reference}), depth + 1)
            self.rules.define(rule, body)
        return self._references[reference]

    def _union(self, keyword: str, schema: Schema, path: str, opened: Opened, depth: int) -> Expression:
        options = self.document.options(keyword, schema, path)
        self.document.note_unknown(schema, path)
        found = [
            self.nested(option, f"{path}/{keyword}/{index}", opened, depth + 1) for index, option in enumerate(options)
        ]
        if schema.get("nullable") is True:
            found.append(self.writer.syntax.constant(None))
        return choice(*found)

    def _combined(self, schema: Schema, path: str, opened: Opened, depth: int, drop: str = "") -> Expression:
        """What fits all of `allOf`, and the keywords beside it; beside anyOf or oneOf, each option for itself."""
        options = self.document.combined(schema, path, opened, depth, drop)
        return choice(*(self.nested(option, place, opened, depth + 1) for option, place in options))
