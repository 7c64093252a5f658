"""What stands in the region of a call, by the content kinds of SPEC.md, section 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from antiphon_portability.autoparser.grammar import automata, patterns
from antiphon_portability.autoparser.grammar.calls import closed_value
from antiphon_portability.autoparser.grammar.delimiters import settled, text_behind, texts
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
from antiphon_portability.autoparser.grammar.keywords import UNIONS
from antiphon_portability.autoparser.grammar.patterns import NotRegular, spaces
from antiphon_portability.autoparser.grammar.schemas import SchemaReader
from antiphon_portability.autoparser.grammar.syntax import JSON, PYTHON, Syntax, Writer
from antiphon_portability.autoparser.grammar.tools import Tool
from antiphon_portability.regex import nodes
from antiphon_portability.regex.codepoints import Ranges, complement, set_ranges, union

Path: TypeAlias = tuple[str, ...]
_MOST_IN_ANY_ORDER: Final = 4
"""Parts of a call that may come in any order; each more doubles the rules."""
_PYTHON_NAME: Final = patterns.parsed(r"[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*").root
_CUT: Final = (
    "isn't surely read back whole: what the tag_pattern has beside the value may take a part of it; write loops over "
    "characters there, or nothing"
)
_REPEATED: Final = (
    "isn't held to names that differ: a name that an object repeats is an error (SPEC.md, KIND-CALLS-2); list its "
    "properties"
)
_SPACES: Final = set_ranges(nodes.CharSet((nodes.Shorthand("space"), nodes.Range(0x1C, 0x1F)))) or ()  # TEXT-2


def _unlike(first: Ranges, last: Ranges) -> Expression:
    """Texts that neither begin with the one nor end with the other."""
    both = Chars(complement(union([*first, *last])))
    longer = sequence(Chars(complement(first)), Repeat(ANY, 0, None), Chars(complement(last)))
    return choice("", both, longer)


_STRIPPED: Final = _unlike(_SPACES, _SPACES)
"""Texts that stripping leaves as they are."""


@dataclass(frozen=True)
class Shape:
    """Where the parts of a call are: paths into the content, of which the empty one is all of it.

    `name` is None where a group has it. `others`: further members that the transform asks for. `may_say_type`: whether
    a call may say that it is of a function, which the transform doesn't ask for.
    """

    arguments: Path
    name: Path | None = None
    others: tuple[Path, ...] = ()
    each: bool = False
    may_say_type: bool = False


@dataclass(frozen=True)
class Content:
    """The content of a field; `place` is the field's JSON Pointer. `marks`: what would end its region.

    `marked_at`: where they are. `tight`: whether before and behind it there is no white space of our own, since a
    lookaround asks what is there.
    """

    kind: str
    arguments: Mapping[str, Any]
    shape: Shape
    marks: tuple[str, ...]
    place: str
    rules: Rules
    parallel: bool
    tight: tuple[bool, bool] = (False, False)
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
        before, behind = (NOTHING if tight else spaces(self.rules) for tight in self.tight)
        return sequence(before, value, behind)

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
        return self._object(writer, members, tool, self.shape.may_say_type)

    def _object(
        self, writer: Writer, members: Mapping[Path, Expression], tool: Tool, may_say_type: bool = False
    ) -> Expression:
        """An object with these members, which may be in objects themselves, in any order."""
        if () in members:
            if len(members) > 1:
                problem = "takes the content both as a whole and by its members; take the arguments from one of them"
                raise self._fail(problem, "transform")
            return members[()]
        comma = sequence(writer.space, ",", writer.space)
        written: list[Expression] = []
        for key in dict.fromkeys(path[0] for path in members):
            inner = {path[1:]: value for path, value in members.items() if path[0] == key}
            written.append(writer.item(writer.name(key), ":", self._object(writer, inner, tool)))
        listed = self._in_any_order(written, NOTHING, comma, NOTHING, tool)
        if may_say_type and ("type",) not in members:
            said = writer.item(writer.name("type"), ":", writer.text("function"))
            listed = sequence(optional(said, comma), listed)
        return writer.item("{", listed, "}")

    def _in_any_order(
        self, parts: list[Expression], first: Expression, between: Expression, last: Expression, tool: Tool
    ) -> Expression:
        """All of these parts, in any order unless they are too many; `first` and `last` around them."""
        if len(parts) > _MOST_IN_ANY_ORDER:
            return sequence(first, *[one for part in parts for one in (between, part)][1:], last)
        states: dict[int, Expression] = {(1 << len(parts)) - 1: last}
        for done in reversed(range((1 << len(parts)) - 1)):
            left = [index for index in range(len(parts)) if not done & 1 << index]
            ways = choice(*(sequence(parts[index], states[done | 1 << index]) for index in left))
            states[done] = sequence(between if done else first, ways)
            if len(left) > 1 and done:
                states[done] = self.rules.add(f"tool-{tool.name}-rest", states[done])
        return states[0] if parts else last

    # -- tags

    def _tags(self, tool: Tool) -> Expression:
        """Tags of arguments, those that are required once each, others among them.

        Others may come twice, the last counts; where the values of a key are collected, all come once, in order.
        """
        source = self.arguments["tag_pattern"]
        ways = self._tag_ways(patterns.parsed(source).root)
        readers = [self._reader(tool, self._value_end(way)) for way, _ in ways]
        properties, required = readers[0].document.members(tool.parameters)
        tags = {
            name: choice(
                *(
                    self._tag(way, others, reader, name, properties[name], tool)
                    for (way, others), reader in zip(ways, readers, strict=True)
                )
            )
            for name in properties
        }
        space = spaces(self.rules)
        fixed = [sequence(tags[name], space) for name in properties if name in required]
        free = [sequence(tags[name], space) for name in properties if name not in required]
        behind = [optional(closer, space) for closer in self.closers]
        before = NOTHING if self.tight[0] else space
        if self.arguments.get("merge_duplicates"):
            arguments = sequence(*fixed, *map(optional, free))
        else:
            rest = Repeat(choice(*free), 0, None) if free else NOTHING
            arguments = self._in_any_order(fixed, rest, rest, rest, tool)
        return sequence(before, arguments, *behind)

    def _reader(self, tool: Tool, *marks: str) -> SchemaReader:
        return SchemaReader(self._writer(JSON, marks), tool.parameters, tool.place, f"tool-{tool.name}")

    def _tag_ways(self, root: nodes.Node) -> list[tuple[list[nodes.Node], list[str]]]:
        """The ways to write a tag, as parts; each with what values end with in those that are tried before it."""
        ways = [way for option in patterns.options(root) for way in _ways(list(patterns.items(option)))]
        ways = [way for way in ways if {"key", "value"} <= {_name(part) for part in way}]
        if not ways:
            raise self._fail_tag("has its key or value where it may be missing; write them into the tag itself")
        found: list[tuple[list[nodes.Node], list[str]]] = []
        ended: list[str] = []
        for way in ways:
            found.append((way, [*ended]))
            value = next(index for index, part in enumerate(way) if _name(part) == "value")
            ended += texts(nodes.Sequence(tuple(way[value:])))[:1]
        return found

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
        self._check_key(key, text_behind(option, key), name, tool)
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
        beside = patterns.taken_beside(option[:value][::-1]), patterns.taken_beside(option[value + 1 :])
        if None in beside:
            self.rules.note(tool.place + reader.path(name), _CUT)
        edges = _unlike(beside[0] or (), beside[1] or ())
        return self.rules.add(
            f"tool-{tool.name}-arg-{name}",
            sequence(before, self._value(reader, schema, name, option[value], tail, end, marks, edges)),
        )

    def _check_key(self, key: nodes.Capture, behind: str, name: str, tool: Tool) -> None:
        if not takes(key, name, behind):
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
        edges: Expression,
    ) -> Expression:
        """`edges`: texts that what stands beside the value takes nothing of."""
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
        fitting = (edges, _STRIPPED) if stripped else (edges,)
        return closed_value(reader, schema, reader.path(name), tail, end, marks, fitting)

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
        for name, schema in properties.items():
            if _has_free_objects(schema):
                place = f"{tool.place}{reader.path(name)}"
                self.rules.note(place, _REPEATED)
        listed = reader.listed(
            [written[name] for name in properties if name in required],
            [written[name] for name in properties if name not in required],
        )
        return sequence(tool.name, "(", writer.space, listed, writer.space, ")")


def _has_free_objects(schema: Any) -> bool:
    """Whether a schema may allow objects whose members it doesn't list."""
    if not isinstance(schema, Mapping):
        return schema is True
    if schema.keys() & {"enum", "const"}:
        return False
    options = [option for union in UNIONS for option in schema.get(union, ())]
    inner = [*schema.get("properties", {}).values(), schema.get("items", False), *options]
    said = schema.get("type", () if options else "object")
    others = schema.get("additionalProperties", "properties" not in schema)
    return ("object" in said and others is not False) or any(map(_has_free_objects, inner))


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


def takes(node: nodes.Node, text: str, behind: str = "") -> bool:
    """Whether a pattern's part doesn't surely refuse a text, or end before it does. `behind`: what follows it."""
    body = node.body if isinstance(node, nodes.Capture) else node
    lazy = isinstance(body, nodes.Repeat) and body.mode == "lazy"
    if lazy and behind and (text + behind).index(behind) < len(text):
        return False
    try:
        return automata.of(patterns.of(body, None, {})).takes(text)
    except (NotRegular, automata.TooLarge):
        return True  # what the pattern says can't be told here


def _is_anything(group: nodes.Node) -> bool:
    """Whether a group takes any text: `.*?`."""
    return patterns.is_anything(group.body if isinstance(group, nodes.Capture) else group)
