"""From a turn to a response template."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from antiphon_portability.autoparser.analysis.results import Content

from .calls import Calls, Shape
from .delimiters import SPACE, alternatives, closing, escaped, opening, pattern
from .gaps import ID, KEY, NAME, VALUE, is_marker, tokens
from .turns import Turn

Field = dict[str, Any]

NOWHERE: Final = r"\Z"
"""The end of the prompt, where nothing in it says that the answer begins."""
_TEXT: Final = {"content": "text"}
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

    def anchor(self) -> dict[str, Any]:
        if "start_anchor" in self.row.patterns:
            return {"start_anchor_pattern": self.row.patterns["start_anchor"]}
        anchors = self.turn.anchors
        if not anchors:
            return {"start_anchor_pattern": NOWHERE}
        return {"start_anchor": anchors[0] if len(anchors) == 1 else [*anchors]}

    def fields(self) -> Iterator[tuple[str, Field]]:
        if self.turn.reasoning is not None:
            yield self.turn.reasoning.key, self._known("reasoning", self.reasoning(self.turn.reasoning.start))
        if self.turn.calls is not None:
            yield "tool_calls", self._known("tool_calls", _SHAPES[self.turn.calls.shape](self, self.turn.calls))
        yield "content", self._known("content", self.content())

    def _known(self, part: str, field: Field) -> Field:
        """A field, with the open that its family is known for."""
        if part not in self.row.patterns:
            return field
        kept = {key: value for key, value in field.items() if key not in ("open", "open_pattern")}
        return {"open_pattern": self.row.patterns[part], **kept}

    # -- reasoning and content

    def reasoning(self, start: str) -> Field:
        """The implicit field, if no marker begins it."""
        found = self.turn.reasoning
        if found is None or not start:
            return {**closing(self.ends), **_TEXT}
        ahead = self._call_marks() if self.row.calls_end_reasoning else ()
        repeated = {"repeats": True, "join": "\n"} if self.row.parts_repeat else {}
        return {**opening(start), **closing((found.end, *self.row.ends), ahead), **_TEXT, **repeated}

    def content(self) -> Field:
        """The implicit field, unless a marker stands before each answer, or the reasoning is implicit."""
        turn = self.turn
        if turn.reasoning is not None and not turn.reasoning.start:
            return {**opening(turn.reasoning.end), **closing(self.ends, self._call_marks()), **_TEXT}
        if not turn.content.start:
            return {**closing(self._between_regions(), patterns=self._sections_ends()), **_TEXT}
        if not turn.content.end:
            return {**opening(turn.content.start), **closing(self.ends, self._call_marks()), **_TEXT}
        return {**opening(turn.content.start), **closing((turn.content.end, *self.row.ends)), **_TEXT}

    def _between_regions(self) -> Iterator[str]:
        """Texts that stand between regions, and are nobody's."""
        yield self.turn.stray
        calls = self.turn.calls
        if calls is not None and calls.shape is Shape.TAGGED and _outer_and_inner(calls)[0]:
            yield from calls.end.split()[1:]
        for mark in (self.wrapped.start.strip(), self.wrapped.end.strip()):
            if not any(mark in anchor for anchor in self.turn.anchors):
                yield mark
        yield from self.ends

    def _sections_ends(self) -> Iterator[str]:
        """Patterns for what stands behind all calls, or around none."""
        calls = self.turn.calls
        if calls is None or (calls.lines and calls.section):
            return
        for end in calls.section_end:
            section = f"(?:{escaped(calls.section)}{SPACE})?" if calls.section and end == calls.section_end[0] else ""
            yield section + escaped(end)

    # -- calls

    def _call_marks(self) -> Sequence[str]:
        """Patterns for what calls begin with."""
        calls = self.turn.calls
        if calls is None:
            return ()
        if self.row.call_mark:
            return (self.row.call_mark,)
        start = calls.start.partition(NAME)[0].rstrip()
        begins = [escaped(calls.section)] if calls.section else []
        if start:
            begins.append(pattern(start, captures=False))
        return begins or [_unmarked(calls)]

    def close(self, calls: Calls) -> Field:
        """A call's close; where a call has no end of its own, the turn's end, or the next call."""
        ahead = self._call_marks() if calls.start or calls.section else ()
        if not calls.end:
            return closing((*calls.section_end, *self.ends), ahead)
        return closing((_end(calls),), ahead if self.row.end_may_be_missing else ())

    def object(self, calls: Calls) -> Field:
        shape = {} if calls.name_is_key else {"transform": _call(calls, "content.")}
        made = {"repeats": True, "content": "json", **shape}
        if calls.lines and calls.section:
            return {**self._lines(calls), **made}
        start = self._open(calls) if calls.start else {"open_pattern": f"(?={_unmarked(calls)})"}
        return {**start, **self.close(calls), **made}

    def _lines(self, calls: Calls) -> Field:
        """Delimiters for calls that only their first characters part: a region for each."""
        first = rf'\{{\s*"{escaped(calls.name[0])}"\s*:'
        ends = alternatives(map(escaped, calls.section_end or self.ends))
        return {
            "open_pattern": rf"{escaped(calls.section)}\s*(?=\{{)|(?<=\}}\n)(?={first})",
            "close_pattern": rf"{ends}\s*|\n(?=\{{)",
        }

    def list(self, calls: Calls) -> Field:
        start = opening(calls.start.strip())
        implicit = self.turn.reasoning is not None and not self.turn.reasoning.start
        if implicit or not is_marker(tokens(calls.start.strip())[-1]):  # it may stand in any text
            start = {"open_pattern": pattern(calls.start) + r"(?=\[)"}
        shape = {} if calls.name_is_key else {"transform_each": True, "transform": _call(calls, "")}
        return {**start, **closing((calls.end,) if calls.end else self.ends), "content": "json", **shape}

    def named_json(self, calls: Calls) -> Field:
        arguments = {"content_args": calls.content_args} if calls.content_args else {}
        return self._named(calls, {"content": "json", **arguments})

    def tagged(self, calls: Calls) -> Field:
        arguments = {"tag_pattern": _tag_pattern(calls), "value_parser": _RAW}
        return self._named(calls, {"content": "xml-inline", "content_args": arguments})

    def _named(self, calls: Calls, content: Field) -> Field:
        """A field of calls that have their name in the open."""
        ids = {"id": "{id}"} if ID in calls.start or self.row.id_is_header else {}
        shape = {"type": "function", **ids, "function": {"name": "{name}", "arguments": "{content}"}}
        return {**self._open(calls), **self.close(calls), "repeats": True, **content, "transform": shape}

    def _open(self, calls: Calls) -> Field:
        """The open of a call, and before it what surrounds calls: only a call behind it makes that a marker."""
        optional = [pattern(calls.section) + SPACE] if calls.section else []
        outer, inner = _outer_and_inner(calls)
        if outer:
            optional.append(pattern(outer, captures=False))
        made = _with_id(inner) if self.row.id_is_header else pattern(inner, behind=calls.tag[:1] or "{")
        if not optional and made == escaped(inner):
            return {"open": inner}
        return {"open_pattern": "".join(f"(?:{part})?" for part in optional) + made}

    def python(self, calls: Calls) -> Field:
        shape = {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}}
        content = {"content": "python-call-list", "transform_each": True, "transform": shape}
        return {**opening(calls.start), **closing((calls.end,) if calls.end else self.ends), **content}


_SHAPES: Final[Mapping[Shape, Callable[[_Fields, Calls], Field]]] = {
    Shape.OBJECT: _Fields.object,
    Shape.LIST: _Fields.list,
    Shape.NAMED_JSON: _Fields.named_json,
    Shape.TAGGED: _Fields.tagged,
    Shape.PYTHON: _Fields.python,
}


def _call(calls: Calls, scope: str) -> dict[str, Any]:
    """The transform of a call that is a JSON object; its members are found in the scope."""

    def placeholder(path: Sequence[str]) -> str:
        return "{" + scope + ".".join(path) + "}"

    ids = {"id": placeholder(calls.id)} if calls.id else {}
    function = {"name": placeholder(calls.name), "arguments": placeholder(calls.arguments)}
    return {"type": "function", **ids, "function": function}


def _with_id(start: str) -> str:
    """A call's open, with all that stands between its markers for the id."""
    pieces = tokens(start)
    first = next((index for index, piece in enumerate(pieces) if not is_marker(piece)), 0)
    last = next((index for index in range(first, len(pieces)) if is_marker(pieces[index])), len(pieces))
    before, header, behind = ("".join(part) for part in (pieces[:first], pieces[first:last], pieces[last:]))
    return f"{escaped(before)}(?P<id>{pattern(header, behind=behind)}){escaped(behind)}"


def _unmarked(calls: Calls) -> str:
    """The beginning of a call that is a JSON object and nothing else."""
    name, arguments = (escaped(json.dumps(path[-1])) for path in (calls.name, calls.arguments))
    kind = r'(?:"type"\s*:\s*"function"\s*,\s*)?'
    return rf'\{{\s*{kind}{name}\s*:\s*"[^"]*"\s*,\s*{arguments}\s*:'


def _outer_and_inner(calls: Calls) -> tuple[str, str]:
    """A call's beginning, in two: a line that models forget, or write once for several calls, and what has the name."""
    before = calls.start.rpartition(NAME)[0]
    outer, newline, inner = before.rpartition("\n")
    if not newline or not inner.startswith("<"):
        return "", calls.start
    return outer + newline, calls.start[len(outer + newline) :]


def _end(calls: Calls) -> str:
    """What ends each call: the inner marker, where the outer one may be missing, or hold several calls."""
    if calls.shape is not Shape.TAGGED:
        return calls.end
    ends = calls.end.split()
    return ends[0] if _outer_and_inner(calls)[0] else ends[-1]


def _tag_pattern(calls: Calls) -> str:
    """An argument; white space may stand between its markers, and a text in quotes."""
    before, _, rest = calls.tag.partition(KEY)
    gap, _, behind = rest.partition(VALUE)
    made = pattern(before + KEY + gap.replace("><", ">\n<") + VALUE + behind)
    if calls.quotes is None:
        return made
    before, behind = map(escaped, calls.quotes)
    return made.replace("(?P<value>.*?)", f"(?:{before}(?P<value>.*?){behind}|(?P<value>.*?))")
