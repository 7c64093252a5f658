"""Values as models write them where strings have no quotes, and so texts have to tell what they are.

A parser casts such a text by the types that the argument's schema says; a value of a type that isn't said there would
come back as a string. Where that can't be helped, it is noted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from antiphon_portability.autoparser.grammar import casts
from antiphon_portability.autoparser.grammar.documents import Opened
from antiphon_portability.autoparser.grammar.expressions import Expression, choice
from antiphon_portability.autoparser.grammar.json_values import shown
from antiphon_portability.autoparser.grammar.keywords import UNIONS, Schema
from antiphon_portability.autoparser.grammar.schemas import SchemaReader
from antiphon_portability.autoparser.grammar.syntax import PYTHON

_CONSTANTS: Final[Mapping[str, tuple[bool | None, ...]]] = {"boolean": (True, False), "null": (None,)}
"""Those that are cast as Python writes them, too (TOOLS-4)."""
_UNSAID: Final = (
    "isn't said where a parser looks for it (SPEC.md, TOOLS-3), so {} comes back as a string; "
    "write the type into the parameter's schema, beside $ref or allOf"
)


@dataclass(frozen=True, slots=True)
class RawText:
    """A value that a model writes without quotes. JSON, if that is there; or a text that fits `texts`; or any."""

    texts: tuple[Expression, ...] | None = None
    json: Expression | None = None


def raw(reader: SchemaReader, schema: Any, path: str) -> list[RawText]:
    """The ways in which a value by an argument's schema, which is at a path, is written."""
    return list(dict.fromkeys(_Argument(reader, path).ways(schema, path, frozenset(), 0)))


class _Argument:
    """An argument; `schema` is what a parser looks at for it, `path` where that is."""

    def __init__(self, reader: SchemaReader, path: str) -> None:
        self.reader = reader
        self.document = reader.document
        self.path = path
        self.schema = self.document.argument(path)

    def ways(self, schema: Any, path: str, opened: Opened, depth: int) -> Iterator[RawText]:
        self.document.count(path, depth)
        if schema is True:
            yield RawText()
        elif not isinstance(schema, Mapping):
            yield RawText(json=self.reader.nested(schema, path, opened, depth + 1))
        else:
            yield from self._of_schema(schema, path, opened, depth)

    def _of_schema(self, schema: Schema, path: str, opened: Opened, depth: int) -> Iterator[RawText]:
        more = self.document.says_more(schema)
        union = next((name for name in UNIONS if name in schema), None)
        if "$ref" in schema and not more:
            reference = schema["$ref"]
            if reference not in opened:
                target, place = self.document.target(reference, path)
                yield from self.ways(target, place, opened | {reference}, depth + 1)
        elif "allOf" in schema or "$ref" in schema or (union is not None and more):
            for option, place in self.document.combined(schema, path, opened, depth):
                yield from self.ways(option, place, opened, depth + 1)
        elif union is not None:
            self.document.note_unknown(schema, path)
            for index, option in enumerate(self.document.options(union, schema, path)):
                yield from self.ways(option, f"{path}/{union}/{index}", opened, depth + 1)
            yield from self._null(schema, path, depth)
        else:
            yield from self._of_types(schema, path, depth)

    def _of_types(self, schema: Schema, path: str, depth: int) -> Iterator[RawText]:
        types = self.document.types(schema, path)
        self.document.note_unknown(schema, path)
        if "const" in schema or "enum" in schema:
            yield from self._listed(self.document.values(schema, path, types), path)
            return
        for name in ("string",) if types is None else types:
            yield self._of_type(name, schema, path, depth)
        yield from self._null(schema, path, depth)

    def _null(self, schema: Schema, path: str, depth: int) -> Iterator[RawText]:
        if schema.get("nullable") is True:
            yield self._of_type("null", schema, path, depth)

    def _of_type(self, name: str, schema: Schema, path: str, depth: int) -> RawText:
        if name == "string":
            self.document.note_casts(self.path)
            return RawText(texts=self.reader.texts(schema, path))
        if not casts.can_cast(name, self.schema):
            self.document.note(self.path, "type", _UNSAID.format(f"a value of type {name}"))
        elif name in _CONSTANTS:
            return RawText(json=choice(*map(PYTHON.constant, _CONSTANTS[name])))
        return RawText(json=self.reader.of_type(name, schema, path, depth + 1))

    def _listed(self, values: list[Any], path: str) -> Iterator[RawText]:
        """Values of `enum` or `const`: those that come back as they are, or if there are none, all."""
        read = [casts.comes_back(value, _text(value), self.schema) for value in values]
        lost = [value for value, comes_back in zip(values, read, strict=True) if not comes_back]
        if not any(read):
            self.document.note(self.path, "type", _UNSAID.format(f"each of {shown(values)}"))
        else:
            self.document.note_lost(path, lost)
        kept = [value for value, comes_back in zip(values, read, strict=True) if comes_back] or values
        texts = [value for value in kept if isinstance(value, str)]
        if texts:
            yield RawText(texts=(choice(*texts),))
        if len(texts) < len(kept):
            yield RawText(json=choice(*(self._written(value) for value in kept if not isinstance(value, str))))

    def _written(self, value: Any) -> Expression:
        return PYTHON.constant(value) if value is None or isinstance(value, bool) else self.reader.writer.whole(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
