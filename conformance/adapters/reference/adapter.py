"""Adapter for the reference, and the worked example for authors of others: copy it, and exchange what is in `answer`.

An adapter reads one JSON object a line from standard input and answers each with one line on standard output, until its
input ends. Standard output is for answers alone; print whatever else you like to standard error. What the messages
hold is told by conformance/README.md and defined by conformance/schema/protocol.schema.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import antiphon


def implementation_version() -> str:
    """The installed version; a source checkout that isn't installed has none."""
    try:
        return version("antiphon")
    except PackageNotFoundError:
        return "unreleased"


# The extended constructs of patterns that you have, by the slugs of SPEC.md, DIALECT-3.
# fmt: off
FEATURES = [
    "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge", "atomic",
    "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline", "verbose", "ascii",
    "unicode-property", "posix-class", "named-character", "line-break", "grapheme", "branch-reset", "duplicate-names",
    "group-kept-in-loop",
]
# fmt: on

# The extensions under discussion that you have tried (SPEC.md, annex B). Leave it out if there are none.
PROPOSALS = ["close-outside-strings", "skip-blank"]

# Who you are and what you can do. Leave out of `contents` and `features` what your implementation lacks: the cases that
# need it are then skipped, and reported as such.
HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "antiphon",
    "version": implementation_version(),
    "language": "Python",
    "contents": ["text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"],
    "features": FEATURES,
    "proposals": PROPOSALS,
    "dialect": None,
}


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """What came of a run: everything of the result but `type` and `id`."""
    # The runner sends a template once for each way to cut the text, so it pays to keep what was loaded.
    try:
        template = load(json.dumps(request["template"]), tuple(request.get("proposals", ())))
        parser = antiphon.ResponseParser(
            template, prefix=request["prefix"], tools=request["tools"], **request["options"]
        )
    except antiphon.TemplateError as error:
        if error.kind == "pattern-unavailable":  # where `regex` isn't installed, the engine can't do everything
            return {"unsupported": str(error)}
        return {"error": {"stage": "load", "kind": error.kind, "pointer": error.pointer, "message": str(error)}}
    except antiphon.ParseError as error:  # the prefix alone can be faulty: its events are on the error
        return {"error": described("prefix", error), "initial": list(error.events)}

    # From here on everything that was emitted is part of the answer, also if an error ends the run.
    came: dict[str, Any] = {"initial": parser.initial_events, "feeds": []}
    for chunk in request["chunks"]:
        try:
            came["feeds"].append(parser.feed(chunk))
        except antiphon.ParseError as error:
            came["feeds"].append(list(error.events))
            return {"error": described("feed", error), **came}
    try:
        message, final = parser.finalize()
    except antiphon.ParseError as error:
        return {"error": described("finalize", error), **came, "final": list(error.events)}
    return {"message": message, **came, "final": final}


@lru_cache(maxsize=16)
def load(document: str, proposals: tuple[str, ...]) -> antiphon.Template:
    """The template of a JSON text. It is a value of its own, so runs can share it (TEMPLATE-9)."""
    return antiphon.load_template(json.loads(document), proposals=proposals)


def described(stage: str, error: antiphon.ParseError) -> dict[str, Any]:
    """An error as the protocol has it. Leave out what your implementation has no such thing for."""
    place = {} if error.field is None else {"field": error.field, "position": error.position}
    return {"stage": stage, "kind": error.kind, **place, "message": str(error)}


def respond(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a message."""
    return HELLO if request["type"] == "hello" else {"type": "result", "id": request["id"], **answer(request)}


def main() -> None:
    """The loop. json.dumps writes ASCII, which spares you the question of lone surrogates."""
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(respond(json.loads(line))) + "\n")
        sys.stdout.flush()  # the runner waits for the line


if __name__ == "__main__":
    main()
