"""The round trip: does a response template understand what the chat template writes?

    with Renderer(chat_template) as renderer:
        trip = round_trip(renderer, response_template)
    trip.results  # of each feature the verdict, what is lost, and the text that shows it

It needs no model: conversations are rendered, and the last turn of each is parsed by the reference.
"""

from antiphon_portability.autoparser.roundtrip.comparing import Difference
from antiphon_portability.autoparser.roundtrip.conversations import CONVERSATIONS, Conversation
from antiphon_portability.autoparser.roundtrip.given import NoConversation, conversations_of
from antiphon_portability.autoparser.roundtrip.results import PARSED, Result, RoundTrip, Verdict
from antiphon_portability.autoparser.roundtrip.run import round_trip
from antiphon_portability.autoparser.roundtrip.said import Call, Said

__all__ = [
    "CONVERSATIONS",
    "PARSED",
    "Call",
    "Conversation",
    "Difference",
    "NoConversation",
    "Result",
    "RoundTrip",
    "Said",
    "Verdict",
    "conversations_of",
    "round_trip",
]
