"""How a chat template writes calls, read from turns with one call and with two."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from . import gaps
from .calls import Calls, Path, Shape, Spelling
from .framing import Frame, Framed, Texts, framed, turns_with_calls
from .gaps import ID, KEY, NAME, OTHER_KEY, VALUE
from .probes import KEYS, MARKED, NUMBER, OBJECT, VALUES, Probes

_MOST_TRIES: Final = 200
"""Brackets of a turn at which a JSON value is looked for."""
_KNOWN_ALONE: Final = (Shape.OBJECT, Shape.LIST, Shape.PYTHON)
"""Known by their first characters, without a marker."""
_BRACKET: Final = re.compile(r"[\[{]")
_PYTHON: Final = re.compile(rf"{NAME}\(\s*{KEY}\s*=")
_IN_LIST: Final = re.compile(rf"\[\s*{NAME}\(")
_TWO_IN_LIST: Final = re.compile(rf"\)\s*,\s*{NAME}\(")


def read_calls(asked: Probes, frame: Frame) -> Calls | None:
    """None if the chat template writes no calls, or writes them in a way that isn't understood. Raises TooMuch."""
    texts = turns_with_calls(asked, frame)
    if texts is None:
        return None
    found = _read(texts)
    is_known = found is not None and (found.start or (found.shape in _KNOWN_ALONE and not found.name_is_key))
    return found if is_known else None


def writes_bare_python(asked: Probes, frame: Frame) -> bool:
    """Whether calls are written as Python does, but not as one list. Raises TooMuch."""
    texts = turns_with_calls(asked, frame)
    return texts is not None and _PYTHON.search(texts.one) is not None and not _is_python_list(texts)


def _is_python_list(texts: Texts) -> bool:
    return _IN_LIST.search(texts.one) is not None and (texts.two is None or _TWO_IN_LIST.search(texts.two) is not None)


def _read(texts: Texts) -> Calls | None:
    spans = _json_spans(texts.one)
    if spans and NAME in texts.one[spans[0].start : spans[0].end]:
        return _native(texts, spans)
    if spans:
        return _named_json(texts, spans[0])
    if _PYTHON.search(texts.one):
        return _python(texts) if _is_python_list(texts) else None
    return _loose_json(texts) or _tagged(texts)


def _calls(shape: Shape, around: Framed, **more: Any) -> Calls:
    return Calls(shape, **{**asdict(around), **more})


# -- calls in JSON


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    value: Any


def _json_spans(text: str) -> Sequence[_Span]:
    """The JSON objects of a turn that are calls or arguments, and its lists of calls, one after the other."""
    found: list[_Span] = []
    pos = 0
    for _ in range(_MOST_TRIES):
        bracket = _BRACKET.search(text, pos)
        if bracket is None:
            break
        pos = bracket.start() + 1
        try:
            value, end = json.JSONDecoder().raw_decode(text, bracket.start())
        except (ValueError, RecursionError):
            continue
        is_around_calls = isinstance(value, dict) and NAME in text[pos:end] and not _has_name(value)
        if (NAME in text[pos:end] or KEY in text[pos:end]) and not is_around_calls:
            found.append(_Span(bracket.start(), end, value))
            pos = end
    return found


def _has_name(value: Any) -> bool:
    return any(_path(value, is_it) is not None for is_it in (_is_name, _has_name_as_key))


def _is_name(value: Any) -> bool:
    return bool(value == NAME)


def _has_name_as_key(value: Any) -> bool:
    return isinstance(value, dict) and NAME in value


def _native(texts: Texts, spans: Sequence[_Span]) -> Calls | None:
    span = spans[0]
    is_list = isinstance(span.value, list)
    value = span.value[0] if is_list else span.value
    two = _json_spans(texts.two) if texts.two is not None else []
    between, behind_two = None, ""
    if texts.two is not None and len(two) > 1:
        between, behind_two = texts.two[two[0].end : two[1].start], texts.two[two[-1].end :]
    head = texts.head(texts.one[: span.start], _before_json(texts.answered))
    tail = texts.frame.tail(texts.one[span.end :], behind_two)
    around = _around_list(head, tail) if is_list else framed(head, between, tail).before_json()
    objects = _path(value, lambda item: isinstance(item, dict) and KEY in item)
    encoded = None if objects else _path(value, lambda item: isinstance(item, str) and KEY in item)
    name, arguments = _path(value, _is_name), objects or encoded
    name_is_key = _path(value, _has_name_as_key) is not None
    if not name_is_key and not (name and arguments and all(map(_is_word, (*name, *arguments)))):
        return None
    return _calls(
        Shape.LIST if is_list else Shape.OBJECT,
        around,
        shown=value,
        name=name or (),
        arguments=arguments or (),
        id=() if name_is_key else _path(value, lambda item: item == ID) or _generated_id(value),
        lines=not around.start and between is not None,
        name_is_key=name_is_key,
        text_arguments=encoded is not None,
    )


def _around_list(head: str, tail: str) -> Framed:
    return Framed(head.lstrip(), tail.strip(), ends_line="\n" in gaps.space_before(tail))


def _before_json(answered: str | None) -> str | None:
    """A turn with an answer and a call, up to the call's JSON."""
    spans = _json_spans(answered) if answered is not None else []
    return answered[: spans[0].start] if answered is not None and spans else None


def _path(value: Any, is_it: Callable[[Any], bool], keys: Path = ()) -> Path | None:
    """The keys that lead to the first value of which something holds; not through arguments."""
    if is_it(value):
        return keys
    if not isinstance(value, dict) or KEY in value:
        return None
    found = (_path(item, is_it, (*keys, key)) for key, item in value.items())
    return next((path for path in found if path is not None), None)


def _generated_id(value: dict[str, Any]) -> Path:
    """The key of an id that the chat template makes up: `tool_call_id` and such."""
    texts = (key for key, item in value.items() if isinstance(item, str | int) and _is_word(key))
    return next(((key,) for key in texts if "id" in key.split("_")), ())


def _is_word(key: str) -> bool:
    """Whether a placeholder can name it."""
    return re.fullmatch(r"\w+", key) is not None


# -- calls with their name in the text


def _named_json(texts: Texts, span: _Span) -> Calls | None:
    before, name, mid = texts.one[: span.start].rpartition(NAME)
    if not name:
        return None
    two = _json_spans(texts.two) if texts.two is not None else []
    between, behind_two, mids = None, "", [mid]
    if texts.two is not None and len(two) > 1:
        between, _, second = texts.two[two[0].end : two[1].start].rpartition(NAME)
        mids.append(second)
        behind_two = texts.two[two[-1].end :]
    head = texts.head(before, _before_name(_before_json(texts.answered)))
    around = framed(head, between, texts.frame.tail(texts.one[span.end :], behind_two))
    return _with_name(Shape.NAMED_JSON, around, gaps.generalised(mids).rstrip())


def _with_name(shape: Shape, around: Framed, behind: str = "", **more: Any) -> Calls | None:
    """Calls that begin with a marker and have their name; without a marker, any word could be a name."""
    start = around.start + NAME + behind
    is_known = gaps.has_word(start) or shape is Shape.NAMED_JSON
    return _calls(shape, around, start=start, **more) if is_known and start[0] not in (NAME, ID) else None


def _before_name(text: str | None) -> str | None:
    return None if text is None else text.rpartition(NAME)[0]


def _loose_json(texts: Texts) -> Calls | None:
    """Arguments in an object whose names have no quotes, and whose strings have quotes of their own."""
    before, _, rest = texts.one.partition(NAME)
    start, first, rest = rest.partition(KEY)
    quote, value, rest = rest.partition(VALUE)
    behind = rest.partition(OTHER_KEY)[0].rstrip()
    if start.strip() != "{" or not first or not value or quote.strip()[:1] != ":" or behind[-1:] != ",":
        return None
    opened, closed = quote.strip()[1:].strip(), behind[:-1].rstrip()
    if not opened or not closed:
        return None
    last = closed + "}"
    between = texts.two.partition(last)[2].partition(NAME)[0] if texts.two is not None else None
    head = texts.head(before, _before_name(texts.answered))
    around = framed(head, between, texts.frame.tail(texts.one.rpartition(last)[2]))
    arguments = {"string_delims": [[opened, closed]], "unquoted_keys": True}
    return _with_name(Shape.NAMED_JSON, around, content_args=arguments)


def _python(texts: Texts) -> Calls:
    before, _, behind = texts.one.partition(NAME)
    head = texts.head(before, _before_name(texts.answered)).rstrip()
    tail = texts.frame.tail(behind.rpartition(")")[2]).lstrip()
    return Calls(Shape.PYTHON, head.removesuffix("[").strip(), tail.removeprefix("]").strip())


# -- calls with each argument by itself


def _tagged(texts: Texts) -> Calls | None:
    """NAME mid KEY gap VALUE next OTHER_KEY gap VALUE tail: what of these goes with an argument, and what with a call.

    `next` begins with what stands behind each value, and ends with what stands before each key; so does `mid`.
    """
    before, _, rest = texts.one.partition(KEY)
    before, name, mid = before.rpartition(NAME)
    gap, _, rest = rest.partition(VALUE)
    following, other, rest = rest.partition(OTHER_KEY)
    _, value, tail = rest.partition(VALUE)
    if not (name and other and value and gap.strip()):
        return None
    before_key = gaps.common_end(mid, following)
    behind_value = following[: len(following) - len(before_key)]
    tail = _without(texts.frame.tail(tail.replace(OTHER_KEY, KEY)), behind_value.rstrip())
    head = texts.head(before, _before_name(texts.answered))
    around = framed(head, _between_tagged(texts.two, behind_value.rstrip()), tail)
    behind_name = mid[: len(mid) - len(before_key)].rstrip()
    argument = _argument(texts.asked, before_key, gap, behind_value, around.end)
    return None if argument is None else _with_name(argument.pop("shape"), around, behind_name, **argument)


def _argument(asked: Probes, before_key: str, gap: str, behind_value: str, calls_end: str) -> dict[str, Any] | None:
    """How an argument is written: the shape, and what else `Calls` says of it."""
    number = (asked.turn("", [asked.call(0, {KEYS[0]: NUMBER})]) or "").partition(KEYS[0])[2]
    json_values = gap[-1] + behind_value[:1] == '""' and number.startswith(gap[:-1] + str(NUMBER))
    if json_values:
        gap, behind_value = gap[:-1], behind_value[1:]
    behind_value = behind_value.rstrip() or behind_value + gaps.space_before(before_key)
    if not behind_value.strip() and "\n" in before_key and not before_key.strip():
        separator = {"kv_sep": gap.strip()}
        return {"shape": Shape.LINES, "content_args": separator, "json_values": json_values, "tag": KEY + gap + VALUE}
    if not behind_value.strip() and not before_key.strip():
        return None
    end = behind_value.strip() or calls_end
    general = _general_gap(asked, gap, end)
    return {
        "shape": Shape.TAGGED,
        "tag": before_key.lstrip() + KEY + general + VALUE + behind_value,
        "json_values": json_values,
        "values": Spelling.JSON if json_values else _spelling(asked, end),
        "quotes": None if json_values else _quotes(asked, gap, end),
        "typed_beside": general != gap,
    }


def _between_tagged(two: str | None, behind_value: str) -> str | None:
    """What stands between the last argument of a call and the name of the next."""
    if two is None:
        return None
    value = two.find(VALUE, two.find(OTHER_KEY))
    second = two.rfind(NAME, 0, two.find(KEY, value)) if value >= 0 else -1
    if second <= value:
        return None
    return _without(two[value + len(VALUE) : second].replace(OTHER_KEY, KEY), behind_value)


def _without(text: str, start: str) -> str:
    return text[len(start) :] if text.startswith(start) else text.lstrip().removeprefix(start.lstrip())


def _general_gap(asked: Probes, gap: str, behind_value: str) -> str:
    """What stands between key and value, whatever the value's type."""
    number = _behind_key(asked, NUMBER, behind_value)
    if number is None or not number.rstrip().endswith(str(NUMBER)):
        return gap
    return gaps.generalised([gap, number.rstrip().removesuffix(str(NUMBER))])


def _spelling(asked: Probes, behind_value: str) -> Spelling:
    """How an object is written as a value."""
    written = _behind_key(asked, OBJECT, behind_value) or ""
    written = written[written.find("{") :].strip().replace(VALUE, VALUES[1]) if "{" in written else written
    if not written or written == repr(OBJECT):
        return Spelling.PYTHON if written else Spelling.JSON
    try:
        return Spelling.JSON if json.loads(written) == OBJECT else Spelling.TAGS
    except (ValueError, RecursionError):
        return Spelling.TAGS


def _quotes(asked: Probes, gap: str, behind_value: str) -> tuple[str, str] | None:
    """What is put around a text with a marker in it."""
    text = MARKED.replace(VALUES[0], VALUE)
    before, found, behind = (_behind_key(asked, MARKED, behind_value) or "").removeprefix(gap).partition(text)
    return (before, behind) if found and before.strip() and behind.strip() else None


def _behind_key(asked: Probes, value: Any, behind_value: str) -> str | None:
    """What stands behind the key of an argument, up to what stands behind its value."""
    turn = asked.turn("", [asked.call(0, {KEYS[0]: value})])
    found = None if turn is None else gaps.marked(turn).partition(KEY)[2]
    if not found or not behind_value.strip() or behind_value.strip() not in found:
        return None
    return found.rpartition(behind_value.strip())[0] if value == OBJECT else found.partition(behind_value)[0]
