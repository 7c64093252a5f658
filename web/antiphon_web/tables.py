"""The patterns of a template for a port that has no parser for patterns: what a file by `antiphon translate` has."""

from __future__ import annotations

from antiphon_portability.regex import TARGETS
from antiphon_portability.templates import table_as_json

from antiphon_web.asking import Json, Request, choice, member, read_json_of


def table(request: Request) -> Json:
    """The patterns by their JSON Pointers. Raises Refused."""
    dialect = choice(request, "dialect", tuple(TARGETS))
    return table_as_json(read_json_of(member(request, "template", str), "template"), dialect)
