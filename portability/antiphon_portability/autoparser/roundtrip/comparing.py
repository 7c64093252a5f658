"""How the message that came out differs from what went in: each difference by itself, mild or not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from antiphon_portability.autoparser.roundtrip.said import KEYS, Call, Message, Said, as_object
from antiphon_portability.names import REASONING_KEYS


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference.

    `what`: in words; the same for the same kind of loss. `is_mild`: the thing is there, and something of it is lost.
    `expected` and `got`: the values. `said`: what went in, with this difference in it; None if it can't be said.
    `path`: of a value in a call's arguments, the call's index and the keys that lead to it.
    """

    what: str
    expected: Any
    got: Any
    is_mild: bool = False
    said: Said | None = None
    path: tuple[int | str, ...] = ()

    def values(self) -> dict[str, Any]:
        """What was expected and what was got, without one that isn't there."""
        return {name: value for name in ("expected", "got") if (value := getattr(self, name)) is not MISSING}


_TYPES: Final[Mapping[type, str]] = {
    bool: "boolean", int: "integer", float: "number", str: "text", list: "list", dict: "object", type(None): "null",
}  # fmt: skip


def differences(said: Said, message: Message) -> Iterator[Difference]:
    """What of `said` a parsed message doesn't have, or has otherwise."""
    if message.get("role") != "assistant":
        yield Difference("the role", "assistant", message.get("role"), is_mild=True)
    content = message.get("content")
    reasonings = {key: message[key] for key in REASONING_KEYS if message.get(key)}
    reasoning = next(iter(reasonings.values()), "")
    if said.content and not said.reasoning and not content and reasoning == said.content:
        moved = replace(said, content="", reasoning=said.content)
        yield Difference("content comes back as reasoning", said.content, reasoning, False, moved)
    else:
        yield from _of_text("content", said, said.content, content)
        yield from _of_text("reasoning", said, said.reasoning, reasoning)
    yield from _of_calls(said, message.get("tool_calls") or [])
    yield from _of_others(said, {key: value for key, value in message.items() if key not in KEYS})
    for key, value in reasonings.items():
        if value != reasoning:
            yield Difference(f"{key!r} besides", None, value)


def _of_others(said: Said, got: Mapping[str, Any]) -> Iterator[Difference]:
    """Of the keys that are no part of a turn."""
    for key, value in said.others:
        if got.get(key) != value:
            what = f"another {key!r}" if key in got else f"no {key!r}"
            without = replace(said, others=tuple(other for other in said.others if other[0] != key))
            yield Difference(what, value, got.get(key), False, without)
    for key, value in got.items():
        if key not in dict(said.others) and value not in (None, "", [], {}):
            yield Difference(f"{key!r} besides", None, value)


def _of_text(part: str, said: Said, expected: str, got: Any) -> Iterator[Difference]:
    got = "" if got is None else got
    if got == expected:
        return
    if not isinstance(got, str):
        yield Difference(f"{part} that isn't a text", expected, got)
        return
    with_it = replace(said, content=got) if part == "content" else replace(said, reasoning=got)
    if got.strip() == expected.strip():
        yield Difference(f"spaces around {part}", expected, got, True, with_it)
    elif not expected:
        yield Difference(f"{part} where there was none", expected, got, False, with_it)
    elif not got:
        yield Difference(f"no {part}", expected, got, False, with_it)
    else:
        yield Difference(f"other {part}", expected, got, False, with_it)


def _of_calls(said: Said, got: Any) -> Iterator[Difference]:
    expected = [_shown(call) for call in said.calls]
    if not isinstance(got, list):
        yield Difference("calls that are no list", expected, got)
        return
    if len(got) != len(said.calls):
        readable = [call for call in map(_read, got) if call is not None]
        with_them = replace(said, calls=tuple(readable)) if len(readable) == len(got) else None
        what = f"{len(got) or 'no'} call{'s' * (len(got) > 1)} instead of {len(said.calls) or 'none'}"
        yield Difference(what, expected, got, False, with_them)
        return
    for index, (call, other) in enumerate(zip(said.calls, got, strict=True)):
        yield from _of_call(said, index, call, other)


def _of_call(said: Said, index: int, call: Call, other: Any) -> Iterator[Difference]:
    def with_call(**changes: Any) -> Said:
        calls = (*said.calls[:index], replace(call, **changes), *said.calls[index + 1 :])
        return replace(said, calls=calls)

    read = _read(other)
    if read is None:
        yield Difference("a call without a function's name", _shown(call), other)
        return
    if not isinstance(other.get("function"), Mapping):
        yield Difference('calls without "function"', _shown(call), other, True)
    elif other.get("type") != "function":
        yield Difference('the "type" of calls', "function", other.get("type"), True)
    known = {"id", "type"} | ({"function"} if "function" in other else {"name", "arguments"})
    for key in sorted(other.keys() - known):
        yield Difference(f"{key!r} besides in a call", None, other[key])
    if read.name != call.name:
        yield Difference("another function", call.name, read.name, False, with_call(name=read.name))
    if read.id != call.id:
        yield Difference("ids" if read.id is None else "other ids", call.id, read.id, True, with_call(id=read.id))
    arguments = as_object(read.arguments)
    if arguments is not read.arguments:
        yield Difference("arguments that are a text in JSON", call.arguments, read.arguments, True)
    for found in _of_value(call.arguments, arguments, (index,)):
        changed = with_call(arguments=_with(call.arguments, found.path[1:], found.got))
        yield replace(found, said=changed)


def _read(call: Any) -> Call | None:
    function = call.get("function", call) if isinstance(call, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(name, str):
        return None
    call_id = call.get("id")
    return Call(name, function.get("arguments", {}), call_id if isinstance(call_id, str) and call_id else None)


class _Missing:
    """Stands for a member that isn't there."""

    def __repr__(self) -> str:
        return "nothing"


MISSING: Final = _Missing()


def _of_value(expected: Any, got: Any, path: tuple[int | str, ...]) -> Iterator[Difference]:
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for key, value in expected.items():
            yield from _of_value(value, got.get(key, MISSING), (*path, key))
        for key in got.keys() - expected.keys():
            yield Difference("more arguments", MISSING, got[key], False, None, (*path, key))
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (value, other) in enumerate(zip(expected, got, strict=True)):
            yield from _of_value(value, other, (*path, index))
    elif not _is_same(expected, got):
        yield _of_leaf(expected, got, path)


def _is_same(expected: Any, got: Any) -> bool:
    """JSON makes no difference between 2 and 2.0, but Python makes none between 1 and true."""
    return isinstance(expected, bool) == isinstance(got, bool) and bool(expected == got)


def _of_leaf(expected: Any, got: Any, path: tuple[int | str, ...]) -> Difference:
    if got is MISSING:
        kind = "empty arguments" if expected in ("", [], {}, None) else "arguments"
        return Difference(f"missing {kind}", expected, got, expected in ("", [], {}, None), None, path)
    if isinstance(expected, str) and isinstance(got, str):
        if expected.strip() == got.strip():
            return Difference("spaces around arguments", expected, got, True, None, path)
        return Difference("another text in an argument", expected, got, False, None, path)
    kinds = f"{_plural(expected)} become {_plural(got)}"
    if isinstance(got, str) and got.strip() in _spellings(expected):
        return Difference(kinds, expected, got, True, None, path)
    if isinstance(expected, str) and (expected.strip() in _spellings(got) or _parsed(expected) == got):
        return Difference(kinds, expected, got, True, None, path)
    return Difference("another value of an argument", expected, got, False, None, path)


def _plural(value: Any) -> str:
    name = _TYPES.get(type(value), "value")
    if isinstance(value, list | dict) and not value:
        name = f"empty {name}"
    return name if value is None else f"{name}s"


def _spellings(value: Any) -> tuple[str, ...]:
    return json.dumps(value), json.dumps(value, ensure_ascii=False), str(value)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return MISSING


def _with(value: Any, path: tuple[int | str, ...], other: Any) -> Any:
    """The value with another one at the end of a path; without it, if that is MISSING."""
    if not path:
        return other
    key, rest = path[0], path[1:]
    if isinstance(value, list) and isinstance(key, int):
        return [_with(item, rest, other) if index == key else item for index, item in enumerate(value)]
    members = dict(value)
    if not rest and other is MISSING:
        members.pop(str(key), None)
    else:
        members[str(key)] = _with(members.get(str(key)), rest, other)
    return members


def _shown(call: Call) -> dict[str, Any]:
    return {"name": call.name, "arguments": call.arguments, **({} if call.id is None else {"id": call.id})}
