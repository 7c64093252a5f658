"""Conversations as one chat template writes them, with its messages spelled as it wants them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from antiphon_portability.autoparser.roundtrip.conversations import Conversation
from antiphon_portability.autoparser.roundtrip.said import Message, Said, Spelling
from antiphon_portability.autoparser.roundtrip.texts import Texts
from antiphon_portability.autoparser.roundtrip.variants import Setting
from antiphon_portability.chat import NotRendered

_NEXT: Final[Mapping[str, str]] = {"role": "user", "content": "And in Oslo?"}


class Writer:
    """Every method raises TooMuch; those whose name has no `maybe` raise NotRendered."""

    def __init__(self, texts: Texts, spelling: Spelling) -> None:
        self.spelling = spelling
        self._texts = texts

    @property
    def source(self) -> str:
        """The chat template itself."""
        return self._texts.source

    def turn(self, conversation: Conversation, said: Said, setting: Setting) -> str:
        """The conversation with that as its last turn."""
        messages = [*self._before(conversation), self.spelling.message(said)]
        if not setting.followed:
            return self._texts.text(messages, conversation.tools, setting.variables)
        text = self._texts.text([*messages, self.spelling.history(_NEXT)], conversation.tools, setting.variables)
        return text.rpartition(_NEXT["content"])[0] or text

    def maybe_turn(self, conversation: Conversation, said: Said, setting: Setting) -> str | None:
        """The same; None where the chat template refuses."""
        try:
            return self.turn(conversation, said, setting)
        except NotRendered:
            return None

    def prompt(self, conversation: Conversation, setting: Setting) -> str:
        """What a model gets to continue."""
        return self._texts.text(self._before(conversation), conversation.tools, setting.variables, prompt=True)

    def maybe_base(self, conversation: Conversation, setting: Setting) -> str | None:
        """What comes before the turn, without what a prompt adds; None where the chat template refuses."""
        return self._texts.maybe(self._before(conversation), conversation.tools, setting.variables)

    def _before(self, conversation: Conversation) -> list[Message]:
        return [self.spelling.history(message) for message in conversation.before]
