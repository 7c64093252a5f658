"""What a stream is parsed with, made of a request: template, prefix, text, tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast

import antiphon

from antiphon_web.asking import Json, Refused, Request, choice, member, read_editor, texts

ON_MALFORMED = ("raise", "event")


@dataclass(frozen=True)
class Given:
    """All that decides about what comes of a stream, but for its text. `template` and `tools` are JSON as written."""

    template: str
    prefix: str
    tools: str
    on_malformed: str
    proposals: tuple[str, ...]

    def loaded(self) -> antiphon.Template:
        """Raises Refused."""
        return loaded(self.template, self.proposals)

    def tool_list(self) -> list[Json] | None:
        """None for an empty text. Raises Refused for what isn't JSON, or isn't a list."""
        return as_tools(read_editor(self.tools, "list of tools")) if self.tools.strip() else None

    def options(self) -> dict[str, Any]:
        """How a parser for it is made, apart from the template. Raises Refused."""
        on_malformed = cast(Literal["raise", "event"], self.on_malformed)
        return {"prefix": self.prefix, "tools": self.tool_list(), "on_malformed": on_malformed}


def given(request: Request) -> Given:
    """What a request says of a stream, without its text. Raises Refused."""
    return Given(
        member(request, "template", str),
        member(request, "prefix", str),
        member(request, "tools", str),
        choice(request, "on_malformed", ON_MALFORMED, "raise"),
        tuple(texts(request, "proposals")),
    )


@lru_cache(maxsize=4)
def loaded(source: str, proposals: tuple[str, ...]) -> antiphon.Template:
    """The template that is written in an editor. Raises Refused."""
    try:
        return antiphon.load_template(read_editor(source, "template"), proposals=proposals)
    except (antiphon.TemplateError, antiphon.ParserStateError) as error:
        raise refused(error) from None


def as_tools(found: Json) -> list[Json]:
    """A list of tools, as far as it is one. Raises Refused."""
    if not isinstance(found, list):
        message = "tools are a JSON list of tool objects; put brackets around a single one"
        raise Refused("load", "invalid-tools", message, pointer="")
    return found


def refused(error: antiphon.TemplateError | antiphon.ParserStateError) -> Refused:
    """As a refusal the fault of a template or of tools, or a mistake of the caller."""
    if isinstance(error, antiphon.ParserStateError):
        return Refused("state", error.kind, str(error))
    return Refused("load", error.kind, str(error), pointer=error.pointer)


def failure(stage: str, error: antiphon.ParseError) -> Mapping[str, Json]:
    """An error of parsing, as `Failure` of api.ts."""
    place = {} if error.field is None else {"field": error.field, "position": error.position}
    return {"stage": stage, "kind": error.kind, "message": str(error), **place}
