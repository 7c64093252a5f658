"""What stands in the region of a call, by the content kinds of SPEC.md, section 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from antiphon_portability.autoparser.grammar import automata, patterns
from antiphon_portability.autoparser.grammar.calls import closed_value
from antiphon_portability.autoparser.grammar.delimiters import settled, texts
from antiphon_portability.autoparser.grammar.errors import GrammarError, ToolsError
from antiphon_portability.autoparser.grammar.expressions import (
    ANY,
    NOTHING,
    Chars,
    Expression,
    Repeat,
    Rules,
    Text,
    choice,
    optional,
    separated,
    sequence,
)
from antiphon_portability.autoparser.grammar.patterns import NotRegular, spaces
from antiphon_portability.autoparser.grammar.schemas import SchemaReader
from antiphon_portability.autoparser.grammar.syntax import JSON, PYTHON, Syntax, Writer
from antiphon_portability.autoparser.grammar.tools import Tool
from antiphon_portability.regex import nodes
from antiphon_portability.regex.codepoints import complement, set_ranges

Path: TypeAlias = tuple[str, ...]
_MOST_IN_ANY_ORDER: Final = 4
"""Required arguments that may come in any order; each more doubles the rules."""
_PYTHON_NAME: Final = patterns.parsed(r"[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*").root
_SPACES: Final = set_ranges(nodes.CharSet((nodes.Shorthand("space"), nodes.Range(0x1C, 0x1F)))) or ()  # TEXT-2
_NO_SPACE: Final = Chars(complement(_SPACES))
_STRIPPED: Final = choice("", sequence(_NO_SPACE, optional(Repeat(ANY, 0, None), _NO_SPACE)))
"""Texts that stripping leaves as they are."""


@dataclass(frozen=True)
class Shape:
    """Where the parts of a call are: paths into the content, of which the empty one is all of it.

    `name` is None where a group has it. `others`: further members that the transform asks for.
    """

    arguments: Path
    name: Path | None = None
    others: tuple[Path, ...] = ()
    each: bool = False


@dataclass(frozen=True)
class Content:
    """The content of a field; `place` is the field's JSON Pointer. `marks`: what would end its region.

    `marked_at`: where they are. `tight`: no white space of our own around it, since a lookaround asks what is there.
    """

    kind: str
    arguments: Mapping[str, Any]
    shape: Shape
    marks: tuple[str, ...]
    place: str
    rules: Rules
    parallel: bool
    tight: bool = False
    closers: tuple[str, ...] = ()
    marked_at: str = ""

    def of(self, tools: Sequence[Tool]) -> Expression:
        """The content of a region that calls one of these tools; several where the content has the name."""
        match self.kind:
            case "json":
                return self._padded(self._json(tools))
            case "xml-inline":
                return self._tags(tools[0])
            case "kv-lines":
                return self._lines(tools[0])
            case "python-call-list":
                return self._padded(self._python_calls(tools))
        problem = f"content {self.kind!r} has no arguments by name; use json, xml-inline, kv-lines or python-call-list"
        raise GrammarError(f"{self.place}/content", problem)

    def _padded(self, value: Expression) -> Expression:
        around = NOTHING if self.tight else spaces(self.rules)
        return sequence(around, value, around)

    def _writer(self, syntax: Syntax, marks: tuple[str, ...] = ()) -> Writer:
        return Writer(self.rules, syntax, (*self.marks, *marks), self.marked_at or self.place)

    def _fail(self, problem: str, *keys: str) -> GrammarError:
        return GrammarError("/".join([self.place, *keys]), problem)

    # -- JSON

    def _json(self, tools: Sequence[Tool]) -> Expression:
        pairs = self.arguments.get("string_delims") or ()
        raw = tuple(pairs[0]) if pairs else None
        writer = self._writer(
            Syntax(raw_strings=raw, bare_names=bool(self.arguments.get("unquoted_keys"))) if self.arguments else JSON
        )
        one = choice(*(self.rules.add(f"tool-{tool.name}", self._json_call(writer, tool)) for tool in tools))
        if not self.shape.each:
            return one
        listed = separated(one, sequence(writer.space, ",", writer.space), 1, None if self.parallel else 1)
        return writer.item("[", listed, "]")

    def _json_call(self, writer: Writer, tool: Tool) -> Expression:
        arguments = SchemaReader(writer, tool.parameters, tool.place, f"tool-{tool.name}").value(tool.parameters)
        members: dict[Path, Expression] = {}
        if self.shape.name is not None:
            members[self.shape.name] = writer.text(tool.name)
        members |= {path: writer.string() for path in self.shape.others if path not in members}
        members[self.shape.arguments] = arguments
        return self._object(writer, members)

    def _object(self, writer: Writer, members: Mapping[Path, Expression]) -> Expression:
        """An object with these members, which may be in objects themselves."""
        if () in members:
            if len(members) > 1:
                problem = "takes the content both as a whole and by its members; take the arguments from one of them"
                raise self._fail(problem, "transform")
            return members[()]
        parts: list[Expression | str] = ["{"]
        for key in dict.fromkeys(path[0] for path in members):
            inner = {path[1:]: value for path, value in members.items() if path[0] == key}
            separator = [","] if len(parts) > 1 else []
            parts += [*separator, writer.name(key), ":", self._object(writer, inner)]
        return writer.item(*parts, "}")

    # -- tags

    def _tags(self, tool: Tool) -> Expression:
        source = self.arguments["tag_pattern"]
        option, others = self._tag_option(patterns.parsed(source).root)
        reader = self._reader(tool, self._value_end(option))
        properties, required = reader.document.members(tool.parameters)
        tags = {name: self._tag(option, others, reader, name, properties[name], tool) for name in properties}
        space = spaces(self.rules)
        fixed = [sequence(tags[name], space) for name in properties if name in required]
        free = [sequence(tags[name], space) for name in properties if name not in required]
        behind = [optional(closer, space) for closer in self.closers]
        before = NOTHING if self.tight else space
        return sequence(before, self._in_any_order(fixed, free, tool), *behind)

    def _in_any_order(self, fixed: list[Expression], free: list[Expression], tool: Tool) -> Expression:
        """Tags of arguments in any order, of which those that are fixed stand there once, unless these are too many.

        Others may come twice, the last counts; where the values of a key are collected, they come once, in order.
        """
        if self.arguments.get("merge_duplicates"):
            return sequence(*fixed, *map(optional, free))
        others = Repeat(choice(*free), 0, None) if free else NOTHING
        if len(fixed) > _MOST_IN_ANY_ORDER:
            return sequence(*fixed, others)
        states: dict[int, Expression] = {(1 << len(fixed)) - 1: others}
        for done in reversed(range((1 << len(fixed)) - 1)):
            left = [index for index in range(len(fixed)) if not done & 1 << index]
            ways = choice(*(sequence(fixed[index], states[done | 1 << index]) for index in left))
            states[done] = self.rules.add(f"tool-{tool.name}-args", sequence(others, ways))
        return states[0]

    def _reader(self, tool: Tool, *marks: str) -> SchemaReader:
        return SchemaReader(self._writer(JSON, marks), tool.parameters, tool.place, f"tool-{tool.name}")

    def _tag_option(self, root: nodes.Node) -> tuple[list[nodes.Node], list[str]]:
        """The parts of the last way to write a tag; and by what a value begins in the others, which are tried first."""
        ways = [way for option in patterns.options(root) for way in _ways(list(patterns.items(option)))]
        ways = [way for way in ways if {"key", "value"} <= {_name(part) for part in way}]
        if not ways:
            raise self._fail_tag("has its key or value where it may be missing; write them into the tag itself")
        last = ways[-1]
        value = next(index for index, part in enumerate(last) if _name(part) == "value")
        begun = ["".join(texts(nodes.Sequence(tuple(way[value : value + 20])))[:1]) for way in ways[:-1]]
        return last, [text for text in begun if text]

    def _fail_tag(self, problem: str) -> GrammarError:
        return self._fail(problem, "content_args", "tag_pattern")

    def _value_end(self, option: list[nodes.Node]) -> str:
        """The text by which a value ends."""
        value = next(index for index, part in enumerate(option) if _name(part) == "value")
        behind = texts(nodes.Sequence(tuple(part for part in option[value + 1 :] if not isinstance(part, nodes.Look))))
        end = next((text.strip() for text in behind if text.strip()), "")
        if not end:
            raise self._fail_tag("has nothing behind the value; write the text that ends it")
        if any(mark in end for mark in self.marks):
            raise self._fail_tag("has the text that closes the region in it; close the region by another")
        return end

    def _tag(
        self, option: list[nodes.Node], others: list[str], reader: SchemaReader, name: str, schema: Any, tool: Tool
    ) -> Expression:
        key = next(part for part in option if isinstance(part, nodes.Capture) and part.name == "key")
        self._check_key(key, name, tool)
        place = f"{self.place}/content_args/tag_pattern"
        value = next(index for index, part in enumerate(option) if _name(part) == "value")
        written = [Text(name) if part is key or _refers(part, key) else part for part in option]
        try:
            before = settled(_expressions(written[:value], self.rules), self.rules, place)
            tail = settled(_expressions(written[value + 1 :], None), self.rules, place)
        except NotRegular as reason:
            raise self._fail_tag(str(reason)) from None
        end = self._value_end(option)
        marks = (*self.marks, *others)
        return self.rules.add(
            f"tool-{tool.name}-arg-{name}",
            sequence(before, self._value(reader, schema, name, option[value], tail, end, marks)),
        )

    def _check_key(self, key: nodes.Capture, name: str, tool: Tool) -> None:
        if not takes(key.body, name):
            problem = (
                f"{name!r} can't be a key by the tag_pattern of the template; rename it, or let the pattern take it"
            )
            raise ToolsError(f"{tool.place}/properties", problem)

    def _value(
        self,
        reader: SchemaReader,
        schema: Any,
        name: str,
        group: nodes.Node,
        tail: Expression,
        end: str,
        marks: tuple[str, ...],
    ) -> Expression:
        if not _is_anything(group):
            raise self._fail_tag("takes only some texts as a value; write (?P<value>.*?), or use another content kind")
        parser = self.arguments.get("value_parser") or {"name": "text", "args": {"strip": False}}
        options = parser.get("args") or {}
        as_json = parser["name"] == "json" and not options.get("allow_non_json")
        if parser["name"] not in ("text", "json") or options.get("string_delims") or options.get("unquoted_keys"):
            problem = (
                "parses values in a way that isn't turned into a grammar; use text, or json without other arguments"
            )
            raise self._fail(problem, "content_args", "value_parser")
        if as_json:
            return sequence(reader.value(schema, reader.path(name)), tail)
        stripped = options.get("strip", True) is not False
        edges = (_STRIPPED,) if stripped else ()
        return closed_value(reader, schema, reader.path(name), tail, end, marks, edges)

    # -- lines

    def _lines(self, tool: Tool) -> Expression:
        between = self.arguments.get("kv_sep", ":")
        line = self.arguments.get("line_sep", "\n")
        reader = self._reader(tool, *([line] if line.strip() else []))
        reader.writer.space = optional(" ")  # a value is on one line
        properties, required = reader.document.members(tool.parameters)
        stripped = self.arguments.get("strip", True) is not False
        lines: dict[str, Expression] = {}
        for name in properties:
            if between in name or line in name or (stripped and name != name.strip()):
                problem = f"{name!r} can't be a key of a line here; rename it"
                raise ToolsError(f"{tool.place}/properties", problem)
            value = closed_value(
                reader, properties[name], reader.path(name), Text(line), line, self.marks,
                (_STRIPPED,) if stripped else (),
            )  # fmt: skip
            lines[name] = sequence(name, between, optional(" ") if stripped else "", value)
        fixed = [lines[name] for name in properties if name in required]
        free = [optional(lines[name]) for name in properties if name not in required]
        return sequence(optional(line), *fixed, *free)

    # -- calls as Python writes them

    def _python_calls(self, tools: Sequence[Tool]) -> Expression:
        writer = self._writer(PYTHON)
        one = choice(*(self.rules.add(f"tool-{tool.name}", self._python_call(writer, tool)) for tool in tools))
        comma = sequence(writer.space, ",", writer.space)
        return writer.item("[", separated(one, comma, 1, None if self.parallel else 1), "]")

    def _python_call(self, writer: Writer, tool: Tool) -> Expression:
        reader = SchemaReader(writer, tool.parameters, tool.place, f"tool-{tool.name}")
        properties, required = reader.document.members(tool.parameters)
        for name, place in [(tool.name, "name"), *((name, "parameters/properties") for name in properties)]:
            if not takes(_PYTHON_NAME, name):
                where = f"{tool.place.rpartition('/')[0]}/{place}"
                raise ToolsError(where, f"{name!r} is no name of a call (SPEC.md, KIND-CALLS-1); rename it")
        written = {
            name: writer.item(name, "=", reader.value(schema, reader.path(name))) for name, schema in properties.items()
        }
        listed = reader.listed(
            [written[name] for name in properties if name in required],
            [written[name] for name in properties if name not in required],
        )
        return sequence(tool.name, "(", writer.space, listed, writer.space, ")")


def _ways(parts: list[nodes.Node]) -> list[list[nodes.Node]]:
    """A sequence, once for each option of its parts that have the value in them."""
    for index, part in enumerate(parts):
        if isinstance(part, nodes.Alternation) and any(_has_value(option) for option in part.options):
            return [
                way
                for option in part.options
                for way in _ways([*parts[:index], *patterns.items(option), *parts[index + 1 :]])
            ]
    return [parts]


def _has_value(node: nodes.Node) -> bool:
    return any(_name(part) == "value" for part in patterns.items(node))


def _name(part: nodes.Node) -> str | None:
    return part.name if isinstance(part, nodes.Capture) else None


def _refers(part: nodes.Node, key: nodes.Capture) -> bool:
    return isinstance(part, nodes.Backreference) and part.number == key.number


def _expressions(parts: list[nodes.Node | Text], rules: Rules | None) -> list[Expression | nodes.Look]:
    return [
        part if isinstance(part, Text | nodes.Look) else patterns.of(part, rules, {})
        for part in parts
    ]  # fmt: skip


def takes(node: nodes.Node, text: str) -> bool:
    """Whether a pattern's part surely doesn't refuse a text."""
    try:
        return automata.of(patterns.of(node, None, {})).takes(text)
    except (NotRegular, automata.TooLarge):
        return True  # what the pattern says can't be told here


def _is_anything(group: nodes.Node) -> bool:
    """Whether a group takes any text: `.*?`."""
    return patterns.is_anything(group.body if isinstance(group, nodes.Capture) else group)
