"""The calls that an analysis describes, as llama.cpp's auto-parser reads them.

It is stricter where what that allows could not be read by a response template: several calls between the marks of one,
ids that are left out while their comma stays, white space between a mark and the name or list that it is told by, and
marks inside strings, which a model can write with an escape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from antiphon_portability.autoparser.analysis.conversations import (
    ARGUMENT,
    FUNCTION,
    OTHER_ID,
    SECOND_ARGUMENT,
    SECOND_FUNCTION,
    SECOND_VALUE,
    SOME_ID,
    VALUE,
)
from antiphon_portability.autoparser.analysis.results import (
    Analysis,
    CallIdPosition,
    ContentMode,
    ReasoningMode,
    ToolMode,
)
from antiphon_portability.autoparser.grammar.calls import Calls, closed_value, until, without
from antiphon_portability.autoparser.grammar.errors import GrammarError, ToolsError
from antiphon_portability.autoparser.grammar.expressions import (
    NOTHING,
    Expression,
    Repeat,
    Rules,
    Text,
    chars,
    choice,
    optional,
    separated,
    sequence,
)
from antiphon_portability.autoparser.grammar.patterns import ID, spaces
from antiphon_portability.autoparser.grammar.schemas import SchemaReader
from antiphon_portability.autoparser.grammar.syntax import JSON, Writer
from antiphon_portability.autoparser.grammar.tools import Tool

_NEEDLES: Final = (FUNCTION, SECOND_FUNCTION, ARGUMENT, SECOND_ARGUMENT, VALUE, SECOND_VALUE)
"""What the compared conversations had in the places of names and values."""
_ID_NEEDLE: Final = re.compile(rf"{SOME_ID}\d|{OTHER_ID}")
_MEMBERS: Final = {"name_field": "the function's name", "args_field": "the arguments"}
_DERIVE: Final = "make a response template with antiphon derive, and give that to antiphon grammar"
_WRAPPER: Final = '{"type": "function",'


def calls(analysis: Analysis, tools: tuple[Tool, ...], *, parallel: bool, prompt: str | None = None) -> Calls:
    """`prompt`: None for the analysis' own. Raises GrammarError where the analysis has no calls, or can't be right."""
    if prompt is not None:
        analysis = replace(analysis, generation_prompt=_end_of(prompt, analysis))
    return _Builder(analysis, tools, parallel).calls()


def _end_of(prompt: str, analysis: Analysis) -> str:
    """The part of a prompt that asks for an answer; by what it is otherwise, up to where reasoning may begin in it."""
    asked, start = analysis.generation_prompt, analysis.reasoning.start.strip()
    asked = (asked.partition(start)[0] if start else asked).rstrip()
    begin = prompt.rfind(asked) if asked else -1
    return prompt[begin:] if begin >= 0 else analysis.generation_prompt


class _Builder:
    def __init__(self, analysis: Analysis, tools: tuple[Tool, ...], parallel: bool) -> None:
        self.analysis = analysis
        self.format = analysis.tools.format
        self.tools = tools
        self.parallel = parallel
        self.rules = Rules()
        self.space = spaces(self.rules)
        self._check()
        self.marks = tuple(dict.fromkeys(mark for mark in self._marks() if mark))
        self.writer = Writer(self.rules, JSON, self.marks)

    def _check(self) -> None:
        if self.format.mode is ToolMode.NONE:
            raise GrammarError("the chat template", "writes no tool calls; without them there is nothing to constrain")
        if self.format.mode is ToolMode.JSON_NATIVE and self.format.unseen:
            absent = " nor ".join(_MEMBERS[key] for key in self.format.unseen)
            problem = f"its analysis doesn't show which member of a call has {absent}; {_DERIVE}"
            raise GrammarError("the chat template", problem)
        parts = self.analysis.tools
        texts = [
            *(parts.format.section_start, parts.format.section_end),
            *(parts.format.per_call_start, parts.format.per_call_end),
            *(parts.function.name_prefix, parts.function.name_suffix, parts.function.args_separator),
            *(parts.function.close, parts.arguments.name_prefix, parts.arguments.name_suffix),
            *(parts.arguments.value_prefix, parts.arguments.value_suffix),
        ]
        if any(needle in text for text in texts for needle in _NEEDLES):
            problem = f"its calls don't show their marks when renders are compared; {_DERIVE}"
            raise GrammarError("the chat template", problem)
        if self.format.mode is ToolMode.TAG_WITH_TAGGED and not parts.arguments.value_suffix.strip():
            problem = f"nothing marks the end of an argument; {_DERIVE}"
            raise GrammarError("the chat template", problem)

    def _marks(self) -> Iterator[str]:
        """What ends a call or a section, and so can't stand in a value."""
        close = self.analysis.tools.function.close.strip()
        if self.format.mode is ToolMode.TAG_WITH_TAGGED:
            yield self.analysis.tools.arguments.value_suffix.strip()
            yield close
            yield self.format.per_call_end.strip()
        else:
            yield close + self.format.per_call_end.strip()
        yield self.format.section_end.strip()

    # -- the frame of the calls

    def calls(self) -> Calls:
        if self.format.mode is ToolMode.JSON_NATIVE:
            unit, several, end = self._json_native()
        else:
            unit, several, end = self._tagged()
        trigger = self.format.section_start or self.format.per_call_start
        triggers: tuple[str, ...] = (trigger,) if trigger else ()
        if triggers and self.format.openai_wrapper_trigger:
            triggers = (*triggers, _WRAPPER)
        before, prompt = self._before(trigger)
        first = self.rules.add("tool-call", unit)
        more = sequence(self.space, first) if several and self.parallel else None
        return Calls(self.rules, first, more, end, end, triggers, before, prompt, self.analysis.preserved_tokens)

    def _json_native(self) -> tuple[Expression, bool, Expression]:
        form = self.format
        one = choice(*(self.rules.add(f"tool-{tool.name}", self._json_call(tool)) for tool in self.tools))
        alone = not form.section_start and bool(form.per_call_start) and not form.tools_array_wrapped
        comma = sequence(self.space, ",", self.space)
        most = None if self.parallel and not alone else 1
        listed = separated(one, comma, 1, most)
        if form.tools_array_wrapped:
            listed = self.writer.item("[", listed, "]")
        start = form.section_start or form.per_call_start
        closing = form.section_end or form.per_call_end
        before = NOTHING if form.tools_array_wrapped else self.space
        unit = sequence(start, before, listed, self.space, closing)
        return unit, not form.section_start and bool(start), self.space if alone else NOTHING

    def _tagged(self) -> tuple[Expression, bool, Expression]:
        form, tagged = self.format, self.format.mode is ToolMode.TAG_WITH_TAGGED
        inner: Expression = self.space if tagged else NOTHING
        function = choice(*(self.rules.add(f"tool-{tool.name}", self._function(tool)) for tool in self.tools))
        per_call = bool(form.per_call_start)
        before = inner if self.analysis.tools.function.name_prefix else NOTHING
        one = sequence(form.per_call_start, before, function, inner, form.per_call_end) if per_call else function
        if not form.section_start:
            return one, per_call, inner
        between = self.space if per_call or self.analysis.tools.function.close else Text(", ")
        listed = separated(one, between, 1, None if self.parallel else 1)
        return sequence(form.section_start, self.space, listed, self.space, form.section_end), False, inner

    # -- a call in JSON

    def _json_call(self, tool: Tool) -> Expression:
        form, writer = self.format, self.writer
        arguments = self._arguments(tool)
        if form.fun_name_is_key:
            return writer.item("{", writer.text(tool.name), ":", arguments, "}")
        prefix = "" if form.function_field == "function" or "." in form.name_field else f"{form.function_field}."
        name_field, args_field = prefix + form.name_field, prefix + form.args_field
        values = {name_field: writer.text(tool.name), args_field: arguments}
        ids = {field: self._id(field) for field in (form.id_field, form.gen_id_field) if field}
        if "." in name_field or "." in args_field:
            outer = name_field.rpartition(".")[0] or args_field.rpartition(".")[0]
            inner = {field.rpartition(".")[2]: value for field, value in values.items()}
            return self._object({**ids, outer: self._object(inner)})
        members = {**values, **ids}
        ordered = [field for field in form.parameter_order if field in members]
        ordered += [field for field in members if field not in ordered]
        return self._object({field: members[field] for field in ordered}, form.openai_wrapper_trigger)

    def _object(self, members: dict[str, Expression], may_say_type: bool = False) -> Expression:
        writer = self.writer
        parts: list[Expression | str] = ["{"]
        if may_say_type:
            parts.append(optional(writer.item(writer.text("type"), ":", writer.text("function"), ","), self.space))
        for field, value in members.items():
            parts += [*([","] if len(parts) > 1 + may_say_type else []), writer.name(field), ":", value]
        return writer.item(*parts, "}")

    def _id(self, field: str) -> Expression:
        string = self.writer.string()
        if field != self.format.gen_id_field:
            return string
        return choice(string, self.rules.add("id-number", choice("0", sequence(chars("123456789"),
                      Repeat(chars("0123456789"), 0, 15)))))  # fmt: skip

    def _arguments(self, tool: Tool) -> Expression:
        return self._reader(tool).value(tool.parameters)

    def _reader(self, tool: Tool) -> SchemaReader:
        return SchemaReader(self.writer, tool.parameters, tool.place, f"tool-{tool.name}")

    # -- a call with its name in a tag

    def _function(self, tool: Tool) -> Expression:
        parts = self.analysis.tools
        function, form = parts.function, self.format
        opening = sequence(self._with_ids(function.name_prefix), tool.name, self._with_ids(function.name_suffix))
        self._check_name(tool, function.name_suffix or function.args_separator or parts.arguments.name_prefix)
        told_apart = self.space if function.name_suffix else NOTHING
        separator = sequence(told_apart, function.args_separator) if function.args_separator else NOTHING
        call_id = self._call_id()
        arguments = self._arguments(tool) if form.mode is ToolMode.TAG_WITH_JSON else self._tagged_arguments(tool)
        if function.close:
            closing = sequence(self.space, function.close)
        else:
            closing = NOTHING if form.per_call_end else self.space
        return sequence(opening, separator, call_id, self.space, arguments, closing)

    def _check_name(self, tool: Tool, behind: str) -> None:
        mark = behind.strip() or "\n"
        if mark in tool.name:
            name = tool.place.rpartition("/")[0] + "/name"
            raise ToolsError(name, f"has {mark!r} in it, which ends a name in this format; rename the tool")

    def _with_ids(self, mark: str) -> Expression:
        """A mark in which the compared calls had their id."""
        pieces = _ID_NEEDLE.split(mark)
        return sequence(*[part for piece in pieces for part in (self._word(), piece)][1:])

    def _word(self) -> Expression:
        return self.rules.add("id", ID)

    def _call_id(self) -> Expression:
        found = self.analysis.tools.call_id
        if found.pos is not CallIdPosition.BETWEEN_FUNC_AND_ARGS or not found.prefix or not found.suffix:
            return NOTHING
        return sequence(found.prefix, self._word(), found.suffix)

    def _tagged_arguments(self, tool: Tool) -> Expression:
        """Those that are required, in the schema's order; others among them, in any order."""
        reader = self._reader(tool)
        properties, required = reader.document.members(tool.parameters)
        arguments = {name: self._argument(reader, name, properties[name], tool) for name in properties}
        fixed = [arguments[name] for name in properties if name in required]
        free = [sequence(arguments[name], self.space) for name in properties if name not in required]
        others = Repeat(choice(*free), 0, None) if free else NOTHING
        return sequence(others, *(part for argument in fixed for part in (argument, self.space, others)))

    def _argument(self, reader: SchemaReader, name: str, schema: object, tool: Tool) -> Expression:
        marks = self.analysis.tools.arguments
        mark = marks.name_suffix.strip() or marks.value_prefix.strip()
        if mark and mark in name:
            place = f"{tool.place}/properties"
            raise ToolsError(place, f"{name!r} has {mark!r} in it, which ends a name in this format; rename it")
        before = sequence(marks.name_prefix, name, marks.name_suffix, marks.value_prefix)
        end = marks.value_suffix.strip()
        value = closed_value(reader, schema, reader.path(name), Text(marks.value_suffix), end, self.marks)
        return self.rules.add(f"tool-{tool.name}-arg-{name}", sequence(before, value))

    # -- what comes before the calls

    def _before(self, trigger: str) -> tuple[Expression, str]:
        """Reasoning and content before the calls, and the part of the prompt that they begin with."""
        reasoning, prompt = self.analysis.reasoning, self.analysis.generation_prompt
        start, end = reasoning.start.strip(), reasoning.end.strip()
        given = prompt.partition(start)[0] if start else prompt
        parts: list[Expression | str] = [given, self.space]
        if reasoning.mode is not ReasoningMode.NONE and end:
            thought = sequence(_loosely(reasoning.start), until(self.rules, end), _after(reasoning.end))
            parts.append(optional(thought))
        content, opens = self.analysis.content, [start]
        if content.mode is ContentMode.ALWAYS_WRAPPED and content.start and content.end:
            parts.append(optional(content.start, until(self.rules, content.end.strip()), self.space))
            opens.append(content.start.strip())
        begins = (trigger,) if trigger else ("{", "[")  # without a mark, a call begins with its bracket
        parts.append(without(self.rules, tuple(filter(None, (*begins, *opens)))))
        return sequence(*parts), prompt


def _loosely(mark: str) -> Expression:
    """A mark whose white space at the ends may be missing."""
    core = mark.strip()
    if not core:
        return NOTHING
    before, _, behind = mark.partition(core)
    return sequence(*(optional(char) for char in before), core, *(optional(char) for char in behind))


def _after(mark: str) -> Expression:
    return sequence(*(optional(char) for char in mark.rpartition(mark.strip())[2]))
