"""What becomes of an argument that is read as text, by the types that its schema says (SPEC.md, TOOLS-3 to TOOLS-6).

An argument's schema is here what a parser looks at: the one in `properties`, without references and `allOf`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from antiphon.tools import cast_argument

from antiphon_portability.autoparser.grammar.json_values import same
from antiphon_portability.autoparser.grammar.keywords import BY_TYPE, UNIONS

_DEEPEST: Final = 100  # levels of unions (TOOLS-3 asks for 8)
_REFINED: Final = frozenset({"$ref", "allOf", "const", "enum", "not", *UNIONS})
"""Keywords beside a type that may leave values of it out."""


def comes_back(value: Any, text: str, argument: Any) -> bool:
    """Whether a text is read as this value."""
    return same(cast_argument(text, argument), value)


def can_cast(name: str, argument: Any) -> bool:
    """Whether a value of this type, written as JSON, is read as one."""
    names = {*_candidates(argument)}
    return name in names or (name == "integer" and "number" in names)


def unheld(argument: Any) -> list[str]:
    """The types to which a text may be cast though the schema doesn't take each value of them."""
    names = dict.fromkeys(_candidates(argument))
    return [name for name in names if name != "string" and not _takes_all(name, argument)]


def _candidates(argument: Any, depth: int = 0) -> Iterator[str]:
    if not isinstance(argument, Mapping) or depth == _DEEPEST:
        return
    declared = argument.get("type")
    yield from (name for name in (declared if isinstance(declared, list) else [declared]) if isinstance(name, str))
    for option in _options(argument):
        yield from _candidates(option, depth + 1)
    if argument.get("nullable") is True:
        yield "null"


def _options(argument: Mapping[str, Any]) -> Iterator[Any]:
    for union in UNIONS:
        options = argument.get(union)
        yield from options if isinstance(options, list) else ()


def _takes_all(name: str, argument: Any, depth: int = 0) -> bool:
    """Whether a schema surely takes every value of a type."""
    if not isinstance(argument, Mapping) or depth == _DEEPEST:
        return argument is True
    if argument.keys() & _REFINED:
        alone = not argument.keys() & (_REFINED - {*UNIONS}) and "type" not in argument
        return alone and any(_takes_all(name, option, depth + 1) for option in _options(argument))
    declared = argument.get("type")
    names = declared if isinstance(declared, list) else [declared]
    said = name in names or (name == "integer" and "number" in names)
    said = said or (name == "null" and argument.get("nullable") is True)
    return said and not argument.keys() & BY_TYPE.get(name, frozenset())
