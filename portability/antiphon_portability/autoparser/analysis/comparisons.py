"""Renders of two conversations, side by side. A conversation that can't be rendered makes its comparisons absent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from antiphon_portability.autoparser.analysis.conversations import PAIRS, TOOLS, Conversation, Step
from antiphon_portability.autoparser.analysis.differences import DiffSplit, diff_split
from antiphon_portability.chat import NotRendered, Renderer

LONGEST: Final = 30_000
"""Code points of a render that is looked at; most have a few thousand."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both renders of a step's pair, and where they differ."""

    step: Step
    first: str
    second: str
    diff: DiffSplit

    @classmethod
    def of(cls, step: Step, first: str, second: str) -> Comparison:
        return cls(step, first, second, diff_split(first, second))


Compare = Callable[[Step], Comparison | None]
"""Makes a step's comparison; None if it is absent."""


class Comparisons:
    """The comparisons of a chat template, made when they are asked for; each conversation is rendered once."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._renders: dict[int, str | NotRendered] = {}  # by the identities of conversations, which can't be hashed
        self._made: dict[Step, Comparison] = {}
        self._absent: dict[Step, str] = {}

    def __call__(self, step: Step) -> Comparison | None:
        """Raises TooMuch."""
        if step not in self._made and step not in self._absent:
            try:
                pair = PAIRS[step]
                self._made[step] = Comparison.of(step, self._render(pair.first), self._render(pair.second))
            except NotRendered as error:
                self._absent[step] = str(error)
        return self._made.get(step)

    @property
    def made(self) -> tuple[Comparison, ...]:
        """In the order in which they were made."""
        return tuple(self._made.values())

    @property
    def absent(self) -> dict[Step, str]:
        """Those that couldn't be made, and why."""
        return dict(self._absent)

    def _render(self, conversation: Conversation) -> str:
        """Raises NotRendered, also for a text that is too long to be looked at; TooMuch."""
        key = id(conversation)
        if key not in self._renders:
            self._renders[key] = self._rendered(conversation)
        found = self._renders[key]
        if isinstance(found, NotRendered):
            raise found
        return found

    def _rendered(self, conversation: Conversation) -> str | NotRendered:
        try:
            text = self._renderer.render(
                conversation.messages,
                tools=TOOLS if conversation.has_tools else None,
                add_generation_prompt=conversation.add_generation_prompt,
                enable_thinking=conversation.enable_thinking,
            )
        except NotRendered as error:
            return error
        return text if len(text) <= LONGEST else NotRendered(f"it has more than {LONGEST:,} code points")
