"""Adapter for a parser of response templates in Python. The runner starts it and talks to it in JSON Lines.

It reads one JSON object a line from standard input and answers each with one line, until the input ends. Standard
output is for answers alone; print whatever else you like to standard error. The protocol: conformance/README.md.
"""

from __future__ import annotations

import json
import sys
from typing import Any

# Who you are, and what you have. Take out of `contents` and `features` what your parser lacks: the cases that need it
# are then counted apart. `dialect` may name an engine, such as "re", for which the patterns shall be translated.
HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "my-parser",
    "version": "0.0.0",
    "language": "Python",
    "contents": ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"],
    "features": [
        *("lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge"),
        *("atomic", "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline"),
        *("verbose", "ascii", "unicode-property", "posix-class", "named-character", "line-break", "grapheme"),
        *("branch-reset", "duplicate-names", "group-kept-in-loop"),
    ],
    "dialect": None,
}

Event = dict[str, Any]
"""Such as {"type": "region_open", "field": "content"}; the types and members are those of SPEC.md, EVENT-1."""


class Refused(Exception):
    """The template or the tools are refused. `pointer`: the JSON Pointer to the fault, or None if you have none."""

    def __init__(self, kind: str, message: str, pointer: str | None = None) -> None:
        super().__init__(message)
        self.kind, self.pointer = kind, pointer


class Failed(Exception):
    """The text can't be parsed. `events`: what the failing call would have returned before the error (ERROR-4)."""

    def __init__(
        self,
        kind: str,
        message: str,
        events: list[Event],
        field: str | None = None,
        position: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind, self.events, self.field, self.position = kind, events, field, position


class Unsupported(Exception):
    """The parser lacks an option, or something that a pattern needs; the text says what."""


# ---------------------------------------------------------------------------------------------------------------------
# CONNECT YOUR PARSER HERE. All below it may stay as it is.


class Parser:
    """One stream. Let each method call your parser, turn its events into those of the protocol, and raise its errors as
    Refused (of template and tools), Failed (of the text) or Unsupported. Any other exception ends the adapter; the
    runner shows it as a crash of the case, and starts the adapter anew.
    """

    initial_events: list[Event]
    """What the prefix alone determines (ANCHOR-5)."""

    def __init__(self, template: Any, prefix: str | None, tools: Any, options: dict[str, Any], patterns: Any) -> None:
        """`template` may be faulty; `prefix` is None where the parser is to be made without one (PREFIX-1).

        `options` may hold "on_malformed": "event" (ERROR-6). `patterns`: the template's, translated, if HELLO has a
        dialect; else None.
        """
        raise Refused("not-connected", "no parser is connected yet; see CONNECT YOUR PARSER HERE in adapter.py")

    def feed(self, text: str) -> list[Event]:
        """The events that are determined now."""
        raise NotImplementedError

    def finalize(self) -> tuple[dict[str, Any], list[Event]]:
        """The message and the last events."""
        raise NotImplementedError


# END OF THE PART THAT IS YOURS
# ---------------------------------------------------------------------------------------------------------------------


def answer(request: dict[str, Any], patterns: Any) -> dict[str, Any]:
    """What came of a run: everything of the result but `type` and `id`. What came before an error is part of it."""
    came: dict[str, Any] = {"initial": [], "feeds": []}
    stage = "prefix"
    try:
        parser = Parser(request["template"], request["prefix"], request["tools"], request["options"], patterns)
        came["initial"] = parser.initial_events
        stage = "feed"
        for chunk in request["chunks"]:
            came["feeds"].append(parser.feed(chunk))
        stage = "finalize"
        message, final = parser.finalize()
    except Unsupported as lack:
        return {"unsupported": str(lack)}
    except Refused as error:
        return {"error": described("load", error, kind=error.kind, pointer=error.pointer)}
    except Failed as error:
        if stage == "feed":
            came["feeds"].append(error.events)
        else:
            came["initial" if stage == "prefix" else "final"] = error.events
        return {**came, "error": described(stage, error, kind=error.kind, field=error.field, position=error.position)}
    return {**came, "message": message, "final": final}


def described(stage: str, error: Exception, **details: Any) -> dict[str, Any]:
    """An error as the protocol has it; what you don't tell isn't judged."""
    return {"stage": stage, "message": str(error)} | {name: told for name, told in details.items() if told is not None}


def respond(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a message. The kit's plugin for pytest takes this function as an adapter, too."""
    global patterns
    if request["type"] == "hello":
        return HELLO
    patterns = request.get("patterns", patterns)
    return {"type": "result", "id": request["id"], **answer(request, patterns)}


patterns: Any = None  # of the last run that carried some: only the first one of a case does


def main() -> None:
    """One answer a line, in order, each written out at once: the runner waits for it."""
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(respond(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
