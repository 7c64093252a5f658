"""The calls that a response template reads, turned round: what it takes for calls of these tools.

All that it gives is read back by the template: a region is kept free of the texts that would close it. White space is
taken where the template allows it, as much as models write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from antiphon import load_template
from antiphon.pointer import pointer
from antiphon.transform import read_placeholder

from antiphon_portability.autoparser.grammar import delimiters, patterns
from antiphon_portability.autoparser.grammar.calls import Calls
from antiphon_portability.autoparser.grammar.contents import Content, Path, Shape, takes
from antiphon_portability.autoparser.grammar.delimiters import Delimiter
from antiphon_portability.autoparser.grammar.errors import GrammarError, ToolsError
from antiphon_portability.autoparser.grammar.expressions import (
    NOTHING,
    Chars,
    Expression,
    Repeat,
    Rules,
    Text,
    certain_start,
    choice,
    optional,
    sequence,
)
from antiphon_portability.autoparser.grammar.patterns import ID, ID_CHARS, NotRegular
from antiphon_portability.autoparser.grammar.surroundings import Surroundings
from antiphon_portability.autoparser.grammar.tools import Tool
from antiphon_portability.regex import nodes
from antiphon_portability.regex.analysis import walk
from antiphon_portability.regex.codepoints import Ranges, complement, union

_NAME, _ARGUMENTS = ("function", "name"), ("function", "arguments")


def calls(
    document: Mapping[str, Any],
    tools: tuple[Tool, ...],
    *,
    parallel: bool,
    ends: Sequence[str] = (),
    prompt: str | None = None,
) -> Calls:
    """`ends`: texts of tokens with which a model ends its message. `prompt`: None where it isn't known.

    Raises GrammarError where the template has no calls, or has them in a way that no grammar has;
    antiphon.TemplateError for a document that is no template.
    """
    begun = load_template(document).head(prompt or "")
    field = _field_of_calls(document)
    try:
        return replace(_Builder(document, field, tools, parallel, ends).calls(), prompt=begun)
    except NotRegular as reason:
        raise GrammarError(pointer("fields", field), str(reason)) from None


def _field_of_calls(document: Mapping[str, Any]) -> str:
    """The field whose transform makes calls, that is objects with a function's name and arguments."""
    found = [name for name, field in document["fields"].items() if _paths(field).keys() >= {_NAME, _ARGUMENTS}]
    if not found:
        problem = (
            "have none whose transform says where a call's name and arguments are; write "
            '{"function": {"name": "{…}", "arguments": "{…}"}}'
        )
        raise GrammarError("/fields", problem)
    return "tool_calls" if "tool_calls" in found else found[0]


def _paths(field: Mapping[str, Any]) -> dict[Path, Path]:
    """The placeholders of a field's transform, each by its place in the call."""
    shape = field.get("transform")
    if isinstance(shape, dict) and shape.get("function") in ("{content}", "{function}"):
        base = () if shape["function"] == "{content}" else ("function",)
        base = base if field.get("transform_each") else ("content", *base)
        whole = {"name": (*base, "name"), "arguments": (*base, "arguments")}
        shape = {**shape, "function": {key: "{" + ".".join(path) + "}" for key, path in whole.items()}}
    return dict(_placeholders(shape, ()))


def _placeholders(shape: Any, place: Path) -> Iterator[tuple[Path, Path]]:
    if isinstance(shape, dict):
        for key, value in shape.items():
            yield from _placeholders(value, (*place, key))
    elif isinstance(shape, str):
        path = read_placeholder(shape)
        if path is not None:
            yield place, path


@dataclass(frozen=True)
class _Close:
    """An option of a close: its parts; and whether it ends in a lookahead, so that nothing may stand behind it."""

    parts: tuple[Expression | nodes.Look, ...]
    looks: bool

    @property
    def plain(self) -> Expression:
        return sequence(*(part for part in self.parts if not isinstance(part, nodes.Look)))


@dataclass(frozen=True)
class _Region:
    """A region of a call: what opens it, and its content."""

    opening: Expression
    content: Expression

    @property
    def whole(self) -> Expression:
        return sequence(self.opening, self.content)


class _Builder:
    def __init__(
        self, document: Mapping[str, Any], name: str, tools: tuple[Tool, ...], parallel: bool, ends: Sequence[str]
    ) -> None:
        self.fields: Mapping[str, Mapping[str, Any]] = document["fields"]
        self.name = name
        self.field = self.fields[name]
        self.kind = self.field.get("content", "text")
        self.tools = tools
        self.parallel = parallel
        self.rules = Rules()
        self.around = Surroundings(self.fields, name, self.rules, ends)
        opening = delimiters.read(self.field, name, "open")
        if opening is None:
            raise GrammarError(pointer("fields", name), "has no open; without one no text says that calls begin")
        self.opening: Delimiter = opening
        self.closing = delimiters.read(self.field, name, "close")
        self.paths = _paths(self.field)
        self.shape = self._shape()
        self.closes, self.marks = self._closes()

    def calls(self) -> Calls:
        regions = [self._region(group) for group in self._groups_of_tools()]
        triggers = self._triggers() or self._triggers_by_name(regions)
        begun = [
            sequence(delimiters.lead(region.opening, self.around.is_of_calls)[1], region.content) for region in regions
        ]
        first = self.rules.add("first-call", choice(*begun))
        several = bool(self.field.get("repeats")) and self.parallel and bool(self.closes)
        more = self._next(regions) if several else None
        preserved = tuple(dict.fromkeys(self.around.preserved()))
        closes = [close.plain for close in self.closes if not close.looks]
        close, end = (self.around.end(closes, behind=behind) for behind in (False, True))
        return Calls(self.rules, first, more, close, end, triggers, self.around.before(triggers), "", preserved)

    def _groups_of_tools(self) -> list[tuple[Tool, ...]]:
        """The tools that share a region's expression: all, where the content has the name."""
        if self.shape.name is None and self.kind != "python-call-list":
            return [(tool,) for tool in self.tools]
        if self.kind in ("xml-inline", "kv-lines"):
            problem = (
                "takes the name from the content, which isn't turned into a grammar; take it from a group of the open"
            )
            raise GrammarError(pointer("fields", self.name, "transform"), problem)
        return [self.tools]

    # -- what the transform takes from where

    def _shape(self) -> Shape:
        arguments = self._in_content(self.paths[_ARGUMENTS])
        name = self.paths[_NAME]
        if arguments is None:
            problem = "takes the arguments from a delimiter; take them from the content"
            raise GrammarError(pointer("fields", self.name, "transform"), problem)
        others = [self._in_content(path) for place, path in self.paths.items() if place not in (_NAME, _ARGUMENTS)]
        named = self._in_content(name)
        if named is None and len(name) == 1 and name[0] not in self._groups_in(self.opening):
            problem = "takes the name from the close, which comes too late; take it from the open or the content"
            raise GrammarError(pointer("fields", self.name, "transform"), problem)
        each = bool(self.field.get("transform_each"))
        may_say_type = self.field["transform"]["function"] != "{content}"
        return Shape(arguments, named, tuple(path for path in others if path), each, may_say_type)

    def _in_content(self, path: Path) -> Path | None:
        """A placeholder's path in the content, or in its element; None for a group's."""
        if self.field.get("transform_each"):
            groups = self._groups_in(self.opening) | (self._groups_in(self.closing) if self.closing else frozenset())
            return None if path[0] in groups else path
        return path[1:] if path[0] == "content" else None

    @staticmethod
    def _groups_in(end: Delimiter) -> frozenset[str]:
        found = (part for option in end.options for part in walk(option))
        return frozenset(part.name for part in found if isinstance(part, nodes.Capture) and part.name is not None)

    # -- delimiters

    def _region(self, tools: tuple[Tool, ...]) -> _Region:
        content = self._content(tools)
        behind = choice(*(close.plain for close in self.closes)) if self.closes else NOTHING
        opened: list[Expression] = []
        for option in self.opening.options:
            tool = tools[0] if self.shape.name is None else None
            parts = self._parts(option, self.opening, tool)
            if tool is not None:
                parts = self._name_ended(parts, option, tool, sequence(content, behind))
            delimiters.settled([*parts, content, behind], self.rules, self.opening.place)
            opened.append(sequence(*(part for part in parts if not isinstance(part, nodes.Look))))
        for close in self.closes:
            if not close.looks:
                closing = self.closing.place if self.closing else ""
                delimiters.settled([content, *close.parts], self.rules, closing)
        before = patterns.spaces(self.rules) if all(map(_looks_over_space, self.opening.options)) else NOTHING
        return _Region(choice(*opened), sequence(before, content))

    def _parts(
        self, option: nodes.Node, delimiter: Delimiter, tool: Tool | None, name: Expression | None = None
    ) -> list[Expression | nodes.Look]:
        """The parts of an option, with the tool's name in its group, and words in others that the transform takes."""
        groups: dict[str, Expression] = {}
        asked = {path[0] for path in self.paths.values()} - {"content"}
        for part in walk(option):
            if not isinstance(part, nodes.Capture) or part.name not in asked:
                continue
            if part.name == self.paths[_NAME][0]:
                if tool is not None:
                    self._check_name(tool, part, delimiters.text_behind(patterns.items(option), part))
                    groups[part.name] = Text(tool.name)
                elif name is not None:
                    groups[part.name] = name
            elif _takes_words(part):
                groups[part.name] = self.rules.add("id", ID)
        try:
            return patterns.parts(option, self.rules, groups)
        except NotRegular as reason:
            raise delimiter.fail(f"has {reason}") from None

    def _name_ended(
        self, parts: list[Expression | nodes.Look], option: nodes.Node, tool: Tool, behind: Expression
    ) -> list[Expression | nodes.Look]:
        """The parts of an open, in which a name ends before anything that its group would take, too."""
        group = next((part for part in patterns.items(option) if self._is_name(part)), None)
        index = next((index for index, part in enumerate(parts) if part == Text(tool.name)), None)
        taken = patterns.greedily_taken(group, {self.paths[_NAME][0]: NOTHING}) if group is not None else ()
        if index is None or not taken:
            return parts
        rest = [part for part in parts[index + 1 :] if not isinstance(part, nodes.Look)]
        first = rest[0] if rest else NOTHING
        if not isinstance(first, Repeat) or first.least:
            return parts
        begun = certain_start(sequence(*rest[1:], behind), self.rules.bodies)[:1]
        may_be_missing = bool(begun) and not any(low <= ord(begun) <= high for low, high in taken)
        apart = _begun_apart(first, taken)
        return [(optional(apart) if may_be_missing else apart) if part is first else part for part in parts]

    def _is_name(self, part: nodes.Node) -> bool:
        return isinstance(part, nodes.Capture) and part.name == self.paths[_NAME][0]

    def _check_name(self, tool: Tool, group: nodes.Capture, behind: str) -> None:
        if not takes(group, tool.name, behind):
            problem = (
                f"{tool.name!r} is no name that the template's open takes; rename the tool, or let the open take it"
            )
            raise ToolsError(f"{tool.place.rpartition('/')[0]}/name", problem)

    def _closes(self) -> tuple[list[_Close], tuple[str, ...]]:
        """The options of the close that a grammar can have, and what has to be kept out of a region."""
        found: list[_Close] = []
        marks: dict[str, None] = {}
        for option in self.closing.options if self.closing else ():
            if patterns.at_end(option):
                continue
            assert self.closing is not None
            marks.update(dict.fromkeys(delimiters.core(option, self.closing)))
            parts = self._parts(option, self.closing, None)
            looks = isinstance(parts[-1], nodes.Look) and parts[-1].ahead
            found.append(_Close(tuple(parts), looks))
        return found, tuple(marks)

    def _content(self, tools: tuple[Tool, ...]) -> Expression:
        place = pointer("fields", self.name)
        before = any(map(_ends_in_look, self.opening.options))
        behind = any(isinstance(close.parts[0], nodes.Look) and not close.looks for close in self.closes)
        arguments = self.field.get("content_args", {})
        closers = self._closers() if self.kind == "xml-inline" else ()
        marked_at = self.closing.place if self.closing else ""
        content = Content(
            self.kind,
            arguments,
            self.shape,
            self.marks,
            place,
            self.rules,
            self.parallel,
            (before, behind),
            closers,
            marked_at,
        )
        return content.of(tools)

    def _closers(self) -> tuple[str, ...]:
        """The tags that the open leaves open besides the one that the close closes, the innermost first.

        A template that reads tags has no need of `</function>` before `</tool_call>`, but models write it.
        """
        names = delimiters.opened_tags(self.opening)
        closed = [index for index, name in enumerate(names) if any(f"</{name}" in mark for mark in self.marks)]
        return tuple(f"</{name}>" for name in reversed(names[closed[-1] + 1 :])) if closed else ()

    # -- what stands between calls

    def _next(self, regions: list[_Region]) -> Expression | None:
        """A further call, with the close of the one before it; None where no close can be followed by one."""
        body = self.rules.add("call", choice(*(region.whole for region in regions)))
        found = [sequence(close.plain, self.around.separators, body) for close in self.closes if not close.looks]
        place = self.closing.place if self.closing else ""
        for close in self.closes:
            fitting = [region for region in regions if close.looks and self._followed(close, region, place)]
            if len(fitting) == len(regions):
                found.append(sequence(close.plain, body))
            else:
                found += [sequence(close.plain, region.whole) for region in fitting]
        return choice(*found) if found else None

    def _followed(self, close: _Close, region: _Region, place: str) -> bool:
        try:
            delimiters.settled([region.content, *close.parts, region.whole], self.rules, place)
        except GrammarError:
            return False
        return True

    # -- triggers

    def _triggers(self) -> tuple[str, ...]:
        """The texts by which a call begins, without those by which something else does, too."""
        found: dict[str, None] = {}
        name = self.rules.reserve("name")
        for option in self.opening.options:
            parts = self._parts(option, self.opening, None, name)
            plain = sequence(*(part for part in parts if not isinstance(part, nodes.Look)))
            texts, _ = delimiters.lead(plain)
            if not texts:
                return ()
            found.update(dict.fromkeys(texts))
        return self._only_of_calls(found)

    def _triggers_by_name(self, regions: list[_Region]) -> tuple[str, ...]:
        """The same, each with a tool's name."""
        found = [delimiters.lead(region.opening)[0] for region in regions]
        return self._only_of_calls(text for texts in found for text in texts) if all(found) else ()

    def _only_of_calls(self, triggers: Iterable[str]) -> tuple[str, ...]:
        return tuple(filter(self.around.is_of_calls, dict.fromkeys(triggers)))


def _begun_apart(loop: Repeat, taken: Ranges) -> Expression:
    """One or more rounds of a loop, the first of which doesn't begin with what is taken."""
    if not isinstance(loop.body, Chars):
        return Repeat(loop.body, 1, loop.most) if loop.most != 1 else loop.body
    first = Chars(complement(union([*complement(loop.body.ranges), *taken])))
    return sequence(first, Repeat(loop.body, 0, None if loop.most is None else loop.most - 1))


def _takes_words(group: nodes.Capture) -> bool:
    """Whether a group is a loop that takes any word."""
    loop = group.body
    if not isinstance(loop, nodes.Repeat) or loop.most is not None or loop.least > 1:
        return False
    ranges = patterns.node_ranges(loop.body) or ()
    return all(any(first <= start and end <= last for first, last in ranges) for start, end in ID_CHARS.ranges)


def _ends_in_look(option: nodes.Node) -> bool:
    parts = patterns.items(option)
    return bool(parts) and isinstance(parts[-1], nodes.Look)


def _looks_over_space(option: nodes.Node) -> bool:
    """Whether an option ends in a lookahead that doesn't mind white space first: `(?=\\s*\\{)`."""
    look = patterns.items(option)[-1]
    if not isinstance(look, nodes.Look) or not look.ahead or look.negated:
        return False
    loop = next(iter(patterns.items(look.body)), None)
    if not isinstance(loop, nodes.Repeat) or loop.least or loop.most is not None:
        return False
    ranges = patterns.node_ranges(loop.body) or ()
    return all(any(first <= ord(char) <= last for first, last in ranges) for char in " \t\r\n")
