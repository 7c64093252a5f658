"""What can't become a grammar, and what of a schema a grammar doesn't hold: each with its place and a remedy."""

from __future__ import annotations

from dataclasses import dataclass


class GrammarError(Exception):
    """There is no grammar for this.

    `place`: a JSON Pointer, or the name of a part; with `in_tools`, in the tools, else in the template or analysis.
    `problem` ends with a remedy.
    """

    in_tools = False

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place
        self.problem = problem


class ToolsError(GrammarError):
    """The tools don't let themselves be turned into a grammar. `place`: a JSON Pointer into them."""

    in_tools = True

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(place or "the tools", problem)


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the grammar doesn't hold a model to, and why. `place`: a JSON Pointer into the tools."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"
