"""An adapter that gets its patterns from the runner, and finds them with Python's own `re`, as a port would.

It has the reference's rules for what delimiters mean together, and contents, but none of its searching: `Searched` and
`Delimiter` know nothing but the table that came with the request. What they do is all that a port has to do with it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, cast

import antiphon
import antiphon.content
import antiphon.delimiter
from antiphon.delimiter import Match, SearchResult, Undecided
from antiphon.engine import Found
from antiphon_conformance.implementations.adapters import script

REFERENCE: Any = script("reference")
HELLO = {**REFERENCE.HELLO, "name": "table", "dialect": "re"}
HELLO.pop("proposals", None)  # the patterns of the table know nothing of them


class Unavailable(Exception):
    """A pattern that the engine can't do; the text says where and why."""


class Searched:
    """A translation, run by `re`."""

    def __init__(self, pointer: str, translation: Mapping[str, Any]) -> None:
        if translation["pattern"] is None:
            raise Unavailable(f"{pointer}: {translation['notes'][0]['text']}")
        self._compiled = re.compile(translation["pattern"])
        self._translation = translation

    def search(self, text: str, pos: int) -> Found | None:
        return self._found(self._compiled.search(text, pos)) if pos <= len(text) else None

    def match(self, text: str, pos: int) -> Found | None:
        return self._found(self._compiled.match(text, pos)) if pos <= len(text) else None

    def _found(self, match: re.Match[str] | None) -> Found | None:
        if match is None:
            return None
        names = self._translation["groups"].items()
        captures = {name: match[group] for group, name in names if match[group] is not None}
        ends = [match.start(tail) for tail in self._translation["tails"] if match[tail] is not None]
        undecided = any(match[marker] is not None for marker in self._translation["markers"])
        return Found(match.start(), min(ends, default=match.end()), captures, undecided)


class Delimiter:
    """A delimiter by its entry of the table, with the interface of `antiphon.delimiter.Delimiter`."""

    def __init__(self, pointer: str, entry: Mapping[str, Any]) -> None:
        self.groups = frozenset(entry["groups"])
        self.context: int | None = entry["context"]
        self.longest: int | None = entry["longest"]
        self._plain = Searched(pointer, entry["plain"])
        self._hit_end = Searched(pointer, entry["hit_end"])
        self._must = Searched(pointer, entry["must"])
        self._taking = Searched(pointer, entry["taking"]) if "taking" in entry else None

    def search(self, text: str, pos: int, *, complete: bool) -> SearchResult:
        found = (self._plain if complete else self._hit_end).search(text, pos)
        if found is None:
            return None if complete else Undecided(max(pos, len(text)), certain=False)
        if found.undecided:
            return Undecided(found.start, certain=self._must.match(text, found.start) is not None)
        return Match(found.start, found.end, found.captures)

    def may_take_text(self, text: str, pos: int) -> bool:
        return self._taking is None or self._taking.match(text, pos) is not None


@lru_cache(maxsize=16)
def loaded(template_text: str, proposals: tuple[str, ...], patterns_text: str) -> antiphon.Template:
    """The template, with everything that it searches for taken from the table. Raises Unavailable, TemplateError."""
    template = antiphon.load_template(json.loads(template_text), proposals=proposals)
    patterns = json.loads(patterns_text)
    anchor = Searched("/start_anchor", next(patterns[key] for key in patterns if key.startswith("/start_"))["plain"])
    fields = {}
    for name, field in template.fields.items():
        pointer = f"/fields/{name.replace('~', '~0').replace('/', '~1')}"
        sides = {side: delimiter(patterns, f"{pointer}/{side}") for side in ("open", "close")}
        content = parsing(field.content, patterns, f"{pointer}/content_args")
        fields[name] = replace(field, **sides, content=content)  # type: ignore[arg-type]
    implicit = None if template.implicit is None else fields[template.implicit.name]
    return replace(template, fields=fields, implicit=implicit, anchor=cast(Any, anchor))


def delimiter(patterns: Mapping[str, Any], pointer: str) -> Delimiter | None:
    """The delimiter of a field, by literals or by a pattern."""
    found = [place for place in (pointer, f"{pointer}_pattern") if place in patterns]
    return Delimiter(found[0], patterns[found[0]]) if found else None


def parsing(kind: Any, patterns: Mapping[str, Any], pointer: str) -> Any:
    """A content kind, with the tag patterns of the table in it and in its value parsers."""
    if f"{pointer}/tag_pattern" in patterns:
        kind = replace(kind, tag_pattern=Searched(pointer, patterns[f"{pointer}/tag_pattern"]["plain"]))
    if isinstance(kind, antiphon.content.XmlInline | antiphon.content.KvLines):
        kind = replace(kind, value_parser=parsing(kind.value_parser, patterns, f"{pointer}/value_parser/args"))
    return kind


class Answering:
    """As the reference answers, with another template."""

    def __init__(self) -> None:
        self._patterns: Mapping[str, Any] = {}

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What came of a run; its patterns may be those of the run before."""
        self._patterns = request.get("patterns", self._patterns)
        for pointer, entry in self._patterns.items():
            if "error" in entry:
                error = {"stage": "load", "kind": entry["error"]["kind"], "pointer": pointer}
                return {"error": {**error, "message": entry["error"]["message"]}}
        try:
            REFERENCE.load = partial(loaded, patterns_text=json.dumps(self._patterns))
            return cast(dict[str, Any], REFERENCE.answer(request))
        except Unavailable as error:
            return {"unsupported": f"pattern-unavailable: {error}"}


def main() -> None:
    answering = Answering()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        hello = request["type"] == "hello"
        response = HELLO if hello else {"type": "result", "id": request["id"], **answering.answer(request)}
        sys.stdout.write(json.dumps(response) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
