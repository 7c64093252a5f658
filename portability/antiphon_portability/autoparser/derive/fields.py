"""From a turn to a response template."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from antiphon_portability.autoparser.analysis.results import Content

from .calls import Calls, Shape
from .delimiters import Delimiter, ahead, closing, escaped, opening, pattern
from .edges import Edges, outer_and_inner
from .gaps import ID, KEY, VALUE, is_markup
from .turns import Turn, Wrapped

Field = dict[str, Any]

NOWHERE: Final = r"\Z"
"""The end of the prompt, where nothing in it says that the answer begins."""
_TEXT: Final = {"content": "text"}
_JSON: Final = {"name": "json"}
_RAW: Final = {"name": "text", "args": {"strip": False}}


def document(turn: Turn, wrapped: Content) -> dict[str, Any]:
    """The response template. `wrapped`: what the analysis found around answers, where the turn found nothing."""
    made = _Fields(turn, wrapped)
    return {"defaults": {"role": "assistant"}, **made.anchor(), "fields": dict(made.fields())}


class _Fields:
    def __init__(self, turn: Turn, wrapped: Content) -> None:
        self.turn = turn
        self.wrapped = wrapped
        self.row = turn.family
        self.ends = tuple(dict.fromkeys((*turn.ends, *self.row.ends)))
        implicit = turn.reasoning is not None and not turn.reasoning.start
        self.edges = Edges(turn.calls, self.row, self.ends, implicit) if turn.calls is not None else None

    def anchor(self) -> dict[str, Any]:
        if "start_anchor" in self.row.patterns:
            return {"start_anchor_pattern": self.row.patterns["start_anchor"]}
        anchors = self.turn.anchors
        if not anchors:
            return {"start_anchor_pattern": NOWHERE}
        return {"start_anchor": anchors[0] if len(anchors) == 1 else [*anchors]}

    def fields(self) -> Iterator[tuple[str, Field]]:
        found, calls = self.turn.reasoning, self.turn.calls
        if found is not None:
            yield found.key, self._known("reasoning", self.reasoning(found))
        if calls is not None and self.edges is not None:
            yield "tool_calls", self._known("tool_calls", _SHAPES[calls.shape](calls, self.edges))
        yield "content", self._known("content", self.content())

    def _known(self, part: str, field: Field) -> Field:
        """A field, with the open that its family is known for."""
        if part not in self.row.patterns:
            return field
        kept = {key: value for key, value in field.items() if key not in ("open", "open_pattern")}
        return {"open_pattern": self.row.patterns[part], **kept}

    # -- reasoning and content

    def reasoning(self, found: Wrapped) -> Field:
        """The implicit field, if no marker begins it."""
        if not found.start:
            end = found.end if self.turn.content.start else ""
            return {**closing((end, *self.ends)), **_TEXT}
        repeated = {"repeats": True, "join": "\n"} if self.row.parts_repeat else {}
        start = opening(found.start) if is_markup(found.start) else {"open_pattern": rf"\A\s*{pattern(found.start)}"}
        return {**start, **self._end_of_reasoning(found.end), **_TEXT, **repeated}

    def _end_of_reasoning(self, end: str) -> Delimiter:
        if not end:
            return self._up_to_calls()
        return closing((end, *self.row.ends), self._before_calls() if self.row.calls_end_reasoning else ())

    def content(self) -> Field:
        """The implicit field, unless a marker stands before each answer, or the reasoning is implicit."""
        turn = self.turn
        if turn.content.start:
            has_end = bool(turn.content.end)
            close = closing((turn.content.end, *self.row.ends)) if has_end else self._up_to_calls()
            return {**opening(turn.content.start), **close, **_TEXT}
        if turn.reasoning is not None and not turn.reasoning.start:
            return {**opening(turn.reasoning.end), **self._up_to_calls(), **_TEXT}
        return {**closing(self._between_regions(), patterns=self.edges.sections_ends() if self.edges else ()), **_TEXT}

    def _up_to_calls(self) -> Delimiter:
        """The close of what has no end of its own."""
        return closing(self.ends, self._before_calls())

    def _before_calls(self) -> Iterator[str]:
        return map(ahead, self.edges.marks()) if self.edges else iter(())

    def _between_regions(self) -> Iterator[str]:
        """Texts that stand between regions, and are nobody's."""
        yield self.turn.stray
        calls = self.turn.calls
        if calls is not None and calls.shape is Shape.TAGGED and outer_and_inner(calls)[0]:
            yield from calls.end.split()[1:]
        for mark in (self.wrapped.start.strip(), self.wrapped.end.strip()):
            if not any(mark in anchor for anchor in self.turn.anchors):
                yield mark
        yield from self.ends


# -- calls


def _object(calls: Calls, edges: Edges) -> Field:
    shape = {} if calls.name_is_key else {"transform": _call(calls, "content.")}
    delimiters = edges.lines() if calls.lines and calls.section else {**edges.open(), **edges.close()}
    return {**delimiters, "repeats": True, "content": "json", **shape}


def _list(calls: Calls, edges: Edges) -> Field:
    shape = {} if calls.name_is_key else {"transform_each": True, "transform": _call(calls, "")}
    return {**edges.lists_open(), **edges.lists_close(), "content": "json", **shape}


def _python(calls: Calls, edges: Edges) -> Field:
    shape = {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}}
    content = {"content": "python-call-list", "transform_each": True, "transform": shape}
    return {**edges.lists_open(), **edges.lists_close(), **content}


def _named_json(calls: Calls, edges: Edges) -> Field:
    arguments = {"content_args": calls.content_args} if calls.content_args else {}
    return _named(calls, edges, {"content": "json", **arguments})


def _tagged(calls: Calls, edges: Edges) -> Field:
    arguments = {"tag_pattern": _tag_pattern(calls), "value_parser": _JSON if calls.json_values else _RAW}
    return _named(calls, edges, {"content": "xml-inline", "content_args": arguments})


def _lines(calls: Calls, edges: Edges) -> Field:
    arguments = {**calls.content_args, **({"value_parser": _JSON} if calls.json_values else {})}
    return _named(calls, edges, {"content": "kv-lines", "content_args": arguments})


def _named(calls: Calls, edges: Edges, content: Field) -> Field:
    """A field of calls that have their name in the open."""
    ids = {"id": "{id}"} if edges.row.id_is_header else _ids(calls)
    shape = {"type": "function", **ids, "function": {"name": "{name}", "arguments": "{content}"}}
    return {**edges.open(), **edges.close(), "repeats": True, **content, "transform": shape}


_SHAPES: Final[Mapping[Shape, Callable[[Calls, Edges], Field]]] = {
    Shape.OBJECT: _object,
    Shape.LIST: _list,
    Shape.NAMED_JSON: _named_json,
    Shape.TAGGED: _tagged,
    Shape.LINES: _lines,
    Shape.PYTHON: _python,
}


def _call(calls: Calls, scope: str) -> dict[str, Any]:
    """The transform of a call that is a JSON object; its members are found in the scope."""

    def placeholder(path: Sequence[str]) -> str:
        return "{" + scope + ".".join(path) + "}"

    ids = {"id": placeholder(calls.id)} if calls.id else _ids(calls)
    function = {"name": placeholder(calls.name), "arguments": placeholder(calls.arguments)}
    return {"type": "function", **ids, "function": function}


def _ids(calls: Calls) -> Field:
    """The id that stands beside a call."""
    return {"id": "{id}"} if ID in calls.start + calls.end else {}


def _next_argument(start: str, space: str) -> str:
    """The place before the next argument, or at the end, where a value has no end of its own."""
    return ahead(rf"{space}{pattern(start, groups=())}|(?:{space})?\Z" if space else rf"{pattern(start, groups=())}|\Z")


def _tag_pattern(calls: Calls) -> str:
    """An argument; white space may stand between its markers, and a text in quotes."""
    before, _, rest = calls.tag.partition(KEY)
    gap, _, behind = rest.partition(VALUE)
    gap = gap.replace("><", ">\n<")
    if not behind.strip():
        return pattern(before + KEY + gap + VALUE) + _next_argument(before + KEY + gap.rstrip(), escaped(behind))
    made = pattern(before + KEY + gap + VALUE + behind)
    if calls.quotes is None:
        return made
    before, behind = map(escaped, calls.quotes)
    return made.replace("(?P<value>.*?)", f"(?:{before}(?P<value>.*?){behind}|(?P<value>.*?))")
