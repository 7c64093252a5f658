"""What showed each part of a response template, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from antiphon_portability.autoparser.analysis.conversations import Step

from .calls import Calls, Shape
from .gaps import DIGITS, ID, KEY, NAME, OTHER_KEY, VALUE, WORD
from .turns import Turn, Wrapped

_AS_IT_IS: Final = "it is written as it is; white space around it is left out"
_CITED: Final = re.compile(r"\b[RCTA]\d\b")
_STEPS: Final[Mapping[str, tuple[Step, ...]]] = {
    **{step.value: (step,) for step in Step},
    "C1": (Step.CONTENT_OR_CALL, Step.CONTENT_OR_REASONING),
    "T4": (Step.ARGUMENT_NAME, Step.ARGUMENT_VALUE),
}
"""What an explanation cites, as comparisons."""
_SHOWN: Final = {NAME: "name", ID: "id", KEY: "key", OTHER_KEY: "key", VALUE: "value", DIGITS: "number", WORD: "word"}


def parts(turn: Turn, template: Mapping[str, Any]) -> dict[str, str]:
    """The template's parts by JSON Pointer, each with the comparison that showed it."""
    found: dict[str, str] = {}
    anchor = next(key for key in template if key.startswith("start_anchor"))
    found["/defaults"] = "what is parsed is the assistant's turn"
    found[f"/{anchor}"] = "what the prompts of questions and tools' results end with, up to where the turn begins"
    if turn.reasoning is not None:
        said = dict(_of_wrapped(turn.reasoning, "reasoning"))
        if turn.family.calls_end_reasoning and "close" in said:
            said["close"] += "; models of its family also begin a call before that"
        found |= _under(template, turn.reasoning.key, said)
    if turn.calls is not None:
        known = turn.calls in (turn.family.calls, turn.family.calls_if_unseen)
        found |= _under(template, "tool_calls", dict(_of_calls(turn.calls, known=known)))
    found |= _under(template, "content", dict(_of_content(turn)))
    return found | dict.fromkeys(_known(turn), "what the family is known for")


def cited(parts: Mapping[str, str], pointer: str) -> tuple[Step, ...]:
    """The comparisons that a part's explanation cites; where it cites none, those of what the part belongs to."""
    if pointer.startswith("/start_anchor"):
        return (Step.ASSISTANT_START,)
    while pointer:
        names = [name for name in _CITED.findall(parts.get(pointer, "")) if name in _STEPS]
        if names:
            return tuple(step for name in dict.fromkeys(names) for step in _STEPS[name])
        pointer = pointer.rpartition("/")[0]
    return ()


def _known(turn: Turn) -> Iterator[str]:
    """The pointers of patterns that are the family's."""
    names = {"reasoning": turn.reasoning.key if turn.reasoning else ""}
    for part in turn.family.patterns:
        if part != "start_anchor":
            yield f"/fields/{names.get(part, part)}/open_pattern"
        else:
            yield "/start_anchor_pattern"


def _under(template: Mapping[str, Any], name: str, said: Mapping[str, str]) -> dict[str, str]:
    """What is said of a field's keys, for those that it has; what is said of an open goes for its pattern, too."""
    field = template["fields"][name]
    found = {"": said[""]}
    for key in field:
        text = said.get(key.removesuffix("_pattern"))
        if text:
            found[f"/{key}"] = text
    return {f"/fields/{name}{key}": text for key, text in found.items()}


def _of_wrapped(found: Wrapped, what: str) -> Iterator[tuple[str, str]]:
    yield "", f"{what}: {found.shown}"
    yield "content", _AS_IT_IS
    yield "repeats", "models of its family write it in several pieces"
    yield "join", "what is put between the pieces"
    if found.start:
        yield "open", f"{_shown(found.start)} stands before it"
    if found.end:
        yield "close", f"{_shown(found.end)} stands behind it"


def _of_content(turn: Turn) -> Iterator[tuple[str, str]]:
    if turn.content.start:
        yield from _of_wrapped(turn.content, "the answer")
        return
    yield "", "the answer: a turn with nothing else (C1); no marker is its own"
    yield "content", _AS_IT_IS
    if turn.reasoning is not None and not turn.reasoning.start:
        yield "open", f"{_shown(turn.reasoning.end)}, the end of reasoning, stands before it"
    yield "close", "what stands behind an answer, before the next turn, and around all calls (C1, T2)"


def _of_calls(calls: Calls, *, known: bool) -> Iterator[tuple[str, str]]:
    by = "what the family is known for" if known else "turns with one call, and with two (T1, T2)"
    yield "", f"calls: {by}: {calls.shape}"
    start = _shown(calls.start) if calls.start else "no marker: a call is known by its first keys"
    section = f"; {_shown(calls.section)} before all of them" if calls.section else ""
    yield "open", f"before each call, or the list: {start}{section}"
    end = _shown(calls.end) if calls.end else "nothing of their own: the next call, or the turn's end"
    yield "close", f"behind each call, or the list: {end}"
    yield "repeats", "each call is a region of its own, as a turn with two shows (T2)"
    yield "transform_each", "the calls are elements of one list (T2)"
    yield "transform", _of_transform(calls)
    yield from _of_values(calls)


def _of_transform(calls: Calls) -> str:
    keys = [".".join(path) for path in (calls.name, calls.arguments, calls.id) if path]
    if keys:
        return f"where name, arguments and id stand in the JSON value: {', '.join(keys)}"
    if calls.shape is Shape.PYTHON:
        return "each call of the list has its name and arguments (T1)"
    beside = ", and beside it the call's id (T7)" if ID in calls.start + calls.end else ""
    return f"the name stands before the arguments (T3){beside}"


def _of_values(calls: Calls) -> Iterator[tuple[str, str]]:
    if calls.shape is Shape.PYTHON:
        yield "content", "a list of calls as in Python (T1)"
    elif calls.shape not in (Shape.TAGGED, Shape.LINES):
        yield "content", "JSON (T1)"
        yield "content_args", "JSON but for its strings and names (T1)"
    else:
        texts = "without tools, arguments are texts; with tools, their schemas say what they are (TOOLS-2)"
        yield "content", "arguments are in JSON, texts too" if calls.json_values else texts
        yield "content_args", f"turns with one argument and with two (T4): {_shown(calls.tag)}".removesuffix(": ")


def _shown(text: str) -> str:
    for placeholder, name in _SHOWN.items():
        text = text.replace(placeholder, f"⟨{name}⟩")
    return text
