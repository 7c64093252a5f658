"""The errors of SPEC.md, section 10. Nothing else is raised for any template, tool or text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class AntiphonError(ValueError):
    """What the three errors have in common.

    Attributes:
        kind: the stable slug of SPEC.md (ERROR-1).
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes with all they carry."""
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(cls: type[AntiphonError], args: tuple[Any, ...], attributes: dict[str, Any]) -> AntiphonError:
    error = cls.__new__(cls, *args)
    error.__dict__.update(attributes)
    return error


class TemplateError(AntiphonError):
    """A template, or a list of tools, that can't be used (LOAD-1, TOOLS-1).

    Attributes:
        pointer: JSON Pointer to the offending value ("" is the whole document).
        reason: what is wrong and what to write instead, without the place.
    """

    def __init__(self, kind: str, pointer: str, reason: str) -> None:
        super().__init__(kind, f"{pointer or 'the document'}: {reason}")
        self.pointer = pointer
        self.reason = reason


class ParseError(AntiphonError):
    """A stream from which no message can be made (ERROR-1 to ERROR-4).

    Attributes:
        reason: what is wrong and, where there is one, the remedy; without the place.
        field: the field in question; None if there is none.
        position: where the text in question begins, in code points of the generation; negative in the head.
        events: the events of the failing call that came before the error.
        message_so_far: the message as far as it had been parsed.
    """

    def __init__(self, kind: str, reason: str, *, field: str | None = None, position: int = 0) -> None:
        place = "" if field is None else f"field {field!r}, code point {position} of the generation: "
        super().__init__(kind, place + reason)
        self.reason = reason
        self.field = field
        self.position = position
        self.events: Sequence[Mapping[str, Any]] = ()
        self.message_so_far: Mapping[str, Any] = {}


class ParserStateError(AntiphonError):
    """A call that the parser can't take in the state it is in (ERROR-5)."""


class Malformed(Exception):
    """Inside the package: a region's text that has no value. The parser makes a `ParseError` of it."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
