"""How calls are written: what `reading` makes of renders, and `fields` makes fields of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Path = tuple[str, ...]


class Shape(StrEnum):
    """How a call is written."""

    OBJECT = "a JSON object for each call"
    LIST = "a JSON list of all calls"
    NAMED_JSON = "the name in the text, the arguments as JSON"
    TAGGED = "the name in the text, each argument between markers"
    LINES = "the name in the text, each argument on a line of its own"
    PYTHON = "a list of calls, as Python writes them"


class Spelling(StrEnum):
    """How lists and objects stand between markers."""

    JSON = "json"
    PYTHON = "python"
    TAGS = "tags"


@dataclass(frozen=True, slots=True)
class Calls:
    """How calls are written.

    `section` and `section_end` surround all of them, `start` and `end` each, or the list, and a `separator` may stand
    between two. `start` has a placeholder for the name, unless that is a JSON string; then the paths lead to the parts
    of the JSON value, of which `shown` is one. `ends_line`: a call's last line ends before its end, or before the next
    call. `tag`: an argument, with placeholders for key and value, around which `quotes` may stand. `json_values`: texts
    among them have quotes, too. `lines`: nothing but white space parts the calls of a section.
    """

    shape: Shape
    start: str = ""
    end: str = ""
    section: str = ""
    section_end: tuple[str, ...] = ()
    separator: str = ""
    ends_line: bool = False
    shown: Mapping[str, Any] = field(default_factory=dict)
    name: Path = ()
    arguments: Path = ()
    id: Path = ()
    tag: str = ""
    values: Spelling = Spelling.JSON
    json_values: bool = False
    content_args: dict[str, Any] = field(default_factory=dict)
    lines: bool = False
    name_is_key: bool = False
    text_arguments: bool = False
    typed_beside: bool = False
    quotes: tuple[str, str] | None = None
