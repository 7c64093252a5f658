"""What the adapters of transformers and of vLLM share, whose parsers are twins; neither has more than it tells itself.

It runs in the environments of releases, where nothing of this kit is installed.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

Json = dict[str, Any]

# Their patterns are those of the `regex` module, so they have every construct of DIALECT-3.
# fmt: off
FEATURES = [
    "lookahead", "negative-lookahead", "lookbehind", "negative-lookbehind", "word-boundary", "word-edge", "atomic",
    "possessive", "backreference", "conditional", "ignore-case", "multiline", "dot-without-newline", "verbose", "ascii",
    "unicode-property", "posix-class", "named-character", "line-break", "grapheme", "branch-reset", "duplicate-names",
    "group-kept-in-loop",
]
# fmt: on
MESSAGE_LIMIT = 1000
"""Code points of an error's text."""


def hello(package: str, contents: Iterable[str]) -> Json:
    """Who an installed package is. `contents`: the content kinds that it has."""
    return {
        "type": "hello",
        "protocol": 1,
        "name": package,
        "version": importlib.metadata.version(package),
        "language": "Python",
        "contents": sorted(contents),
        "features": FEATURES,
        "dialect": None,
    }


def loading(load: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A loader of documents that loads each once: it then serves all its runs, as it serves all messages of a model."""
    by_text = lru_cache(maxsize=16)(lambda text: load(json.loads(text)))
    return lambda document: by_text(json.dumps(document))


def answer(
    request: Mapping[str, Any],
    load: Callable[[Any], Any],
    make: Callable[[Any], Any],
    translated: Callable[[Iterable[Any]], list[Any]] = list,
) -> Json:
    """What came of a run: everything of the result but `type` and `id`. Whatever exception it meets is an error.

    `load` makes a template of a document, `make` a parser of a template, and `translated` the protocol's events of the
    parser's. If an exception has `events`, they are those of the failing call that came before it.
    """
    came: Json = {"initial": [], "feeds": []}
    try:
        template = load(request["template"])
    except Exception as error:
        return {"error": described("load", error)}
    try:
        parser = make(template)
        came["initial"] = translated(parser.initial_events)
    except Exception as error:
        return {"error": described("prefix", error), "initial": events_of(error)}
    for chunk in request["chunks"]:
        try:
            came["feeds"].append(translated(parser.feed(chunk)))
        except Exception as error:
            came["feeds"].append(events_of(error))
            return {"error": described("feed", error), **came}
    try:
        message, final = parser.finalize()
        return {"message": message, **came, "final": translated(final)}
    except Exception as error:
        return {"error": described("finalize", error), **came, "final": events_of(error)}


def described(stage: str, error: Exception) -> Json:
    """An error as the protocol has it. They have no kinds, so only the stage and the moment are judged."""
    return {"stage": stage, "message": f"{type(error).__name__}: {error}"[:MESSAGE_LIMIT]}


def events_of(error: Exception) -> list[Any]:
    """The events that an error carries; those of the parsers themselves carry none."""
    return list(getattr(error, "events", ()))


def serve(introduction: Json, answer: Callable[[Mapping[str, Any]], Json]) -> None:
    """One answer a line until the input ends."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        head = {} if request["type"] == "hello" else {"type": "result", "id": request["id"]}
        body = introduction if request["type"] == "hello" else answer(request)
        sys.stdout.write(json.dumps({**head, **body}) + "\n")
        sys.stdout.flush()
