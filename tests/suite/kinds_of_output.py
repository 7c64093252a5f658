"""The kinds of outputs that the suite has for each family of models, each told by what a case holds, not by its name.

Which of them a family can have follows from its template: one without reasoning has no case of reasoning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

Json: TypeAlias = Mapping[str, Any]
Kind: TypeAlias = Callable[[Json, Json], bool]
"""Whether a case, of this template, is of the kind."""

REASONING: Final = frozenset({"reasoning_content", "reasoning", "thinking"})
MARK: Final = re.compile(r"<[^<>\s]{2,}>|\[/?[A-Z_ ]{3,}\]|```")
CODE: Final = re.compile(r"\n[\s\S]*[\"'{}<>\\]|[\"'{}<>\\][\s\S]*\n")


def kinds_for(template: Json) -> dict[str, Kind]:
    """The kinds that a family with this template can have."""
    fields = template["fields"]
    calls = fields.get("tool_calls", {})
    parser = calls.get("content_args", {}).get("value_parser", {})
    return {
        **ANY,
        **(WITH_REASONING if REASONING & fields.keys() else {}),
        **(WITH_CALLS if calls else {}),
        **(WITH_TEXT_ARGUMENTS if parser.get("name") == "text" else {}),
    }


def message_of(case: Json) -> dict[str, Any]:
    message: dict[str, Any] = case["expect"].get("message", {})
    return message


def calls_of(case: Json) -> list[Any]:
    calls: list[Any] = message_of(case).get("tool_calls", [])
    return calls


def arguments_of(case: Json) -> list[Any]:
    """Of each call; where a call isn't an object with a function, the call itself."""
    functions = [call.get("function", call) for call in calls_of(case) if isinstance(call, dict)]
    return [function.get("arguments", function) for function in functions]


def values_of(case: Json) -> list[Any]:
    return [value for arguments in arguments_of(case) if isinstance(arguments, dict) for value in arguments.values()]


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts_in(part)


def is_cut_off(case: Json, _: Json) -> bool:
    return str(case["id"]).startswith("stops-")


def is_answer_only(case: Json, template: Json) -> bool:
    return message_of(case).keys() == {"role", "content"} and not is_cut_off(case, template)


def quotes_a_mark(case: Json, template: Json) -> bool:
    """A text of the message holds a mark of the template; or the mark broke what it stood in."""
    delimiters = " ".join(texts_in(template)).replace("\\", "")
    marks = {mark for text in texts_in(message_of(case)) for mark in MARK.findall(text)}
    return any(mark in delimiters for mark in marks) or str(case["id"]).endswith(("in-a-string", "in-a-value"))


def has_an_empty_part(case: Json, _: Json) -> bool:
    closes = [event for event in case["expect"].get("events", []) if event["type"] == "region_close"]
    return {} in arguments_of(case) or any(event["value"] in ("", [], {}) for event in closes)


def is_beyond_ascii(case: Json, template: Json) -> bool:
    """By a letter that is in none of the template's marks."""
    marks = set("".join(texts_in(template)))
    return any(c.isalpha() and not c.isascii() and c not in marks for c in case["text"])


def has_several_turns(case: Json, template: Json) -> bool:
    """The anchor is several times in the prefix."""
    anchor = template.get("start_anchor", [])
    literals = [anchor] if isinstance(anchor, str) else anchor
    pattern = template.get("start_anchor_pattern") or "|".join(map(re.escape, literals))
    return len(re.findall(pattern, case["prefix"])) > 1


def has_code(case: Json, _: Json) -> bool:
    return any(CODE.search(text) for text in texts_in(values_of(case)))


ANY: Final[dict[str, Kind]] = {
    "answer only": is_answer_only,
    "cut off": is_cut_off,
    "a mark quoted": quotes_a_mark,
    "beyond ASCII": is_beyond_ascii,
    "an empty part": has_an_empty_part,
    "several turns": has_several_turns,
}
WITH_REASONING: Final[dict[str, Kind]] = {
    "reasoning and answer": lambda case, _: "content" in message_of(case) and bool(REASONING & message_of(case).keys()),
}
WITH_CALLS: Final[dict[str, Kind]] = {
    "one call": lambda case, _: len(calls_of(case)) == 1,
    "parallel calls": lambda case, _: len(calls_of(case)) > 1,
    "answer and call": lambda case, _: "content" in message_of(case) and bool(calls_of(case)),
    "nested arguments": lambda case, _: any(isinstance(value, (dict, list)) for value in values_of(case)),
    "code in arguments": has_code,
}
WITH_TEXT_ARGUMENTS: Final[dict[str, Kind]] = {"typed by tools": lambda case, _: "tools" in case}
