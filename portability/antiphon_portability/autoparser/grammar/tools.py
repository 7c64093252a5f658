"""The tools of a request, as a grammar needs them: names, and the schemas of their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from antiphon_portability.autoparser.grammar.errors import ToolsError

NO_PARAMETERS: Final[Mapping[str, Any]] = {"type": "object", "properties": {}}
_LONGEST_NAME: Final = 1_000  # code points; a longer one is no name that a model writes


@dataclass(frozen=True, slots=True)
class Tool:
    """`parameters`: a JSON Schema; `place`: its JSON Pointer in the list of tools.

    `instead_of`: the JSON Pointers of the tools before it that have its name.
    """

    name: str
    parameters: Mapping[str, Any]
    place: str
    instead_of: tuple[str, ...] = ()


def read_tools(tools: Any) -> tuple[Tool, ...]:
    """The tools of a list (SPEC.md, TOOLS-1): of several with one name, the last. Raises ToolsError."""
    if not isinstance(tools, list | tuple):
        raise ToolsError("", "are a list of tool objects; put brackets around a single one")
    if not tools:
        raise ToolsError("", "are an empty list; a grammar is about at least one")
    found: dict[str, Tool] = {}
    for index, one in enumerate(tools):
        tool = _read_tool(one, f"/{index}")
        before = found.get(tool.name)
        replaced = (*before.instead_of, before.place.removesuffix("/parameters")) if before else ()
        found[tool.name] = replace(tool, instead_of=replaced)
    return tuple(found.values())


def _read_tool(tool: Any, place: str) -> Tool:
    nested = isinstance(tool, Mapping) and "function" in tool
    function = tool["function"] if nested else tool
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(name, str):
        problem = 'is no tool; write {"type": "function", "function": {"name": …, "parameters": …}}'
        raise ToolsError(place, problem)
    place = f"{place}/function" if nested else place
    if not name or len(name) > _LONGEST_NAME or not _is_unicode(name):
        raise ToolsError(
            f"{place}/name", f"is empty, longer than {_LONGEST_NAME}, or half a character; rename the tool"
        )
    return Tool(name, _read_parameters(function.get("parameters"), place), f"{place}/parameters")


def _read_parameters(parameters: Any, place: str) -> Mapping[str, Any]:
    """Without parameters, or with empty ones, a tool takes none."""
    if not parameters and parameters is not False:
        return NO_PARAMETERS
    if not isinstance(parameters, Mapping):
        raise ToolsError(f"{place}/parameters", "is no JSON Schema of an object; write one, or leave it out")
    declared = parameters.get("type", "object")
    if declared != "object" and declared != ["object"]:
        raise ToolsError(f"{place}/parameters/type", 'is not "object"; arguments have names, so they are an object')
    return {"type": "object", **parameters} if _says_nothing(parameters) else parameters


def _says_nothing(parameters: Mapping[str, Any]) -> bool:
    """Whether a schema would allow values other than objects."""
    return not parameters.keys() & {"type", "properties", "required", "$ref", "allOf", "anyOf", "oneOf"}


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
