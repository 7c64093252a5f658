"""A renderer that remembers: most conversations of a round trip are asked for several times."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from antiphon_portability.autoparser.roundtrip.said import Message
from antiphon_portability.chat import NotRendered, Renderer

Tool = Mapping[str, Any]
Variables = Mapping[str, Any]


class Texts:
    """What a chat template writes."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._known: dict[str, str | NotRendered] = {}

    @property
    def source(self) -> str:
        """The chat template itself."""
        return self._renderer.chat_template

    def text(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        variables: Variables,
        *,
        prompt: bool = False,
    ) -> str:
        """The text of a conversation; with `prompt`, as the model gets it. Raises NotRendered, TooMuch."""
        key = json.dumps([messages, tools, variables, prompt])
        if key not in self._known:
            try:
                self._known[key] = self._renderer.render(
                    messages, tools=[*tools] or None, add_generation_prompt=prompt, **variables
                )
            except NotRendered as error:
                self._known[key] = error
        found = self._known[key]
        if isinstance(found, NotRendered):
            raise NotRendered(str(found))
        return found

    def maybe(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        variables: Variables,
        *,
        prompt: bool = False,
    ) -> str | None:
        """The same; None where the chat template refuses."""
        try:
            return self.text(messages, tools, variables, prompt=prompt)
        except NotRendered:
            return None
