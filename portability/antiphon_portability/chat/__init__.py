"""Chat templates, rendered: in Jinja2's sandbox, with limits, in a process of their own.

Not what is made of the renders: that's for the lint and the auto-parser. Jinja2 is imported where something is
rendered or read, not here.
"""

from antiphon_portability.chat.dialect import Dialect
from antiphon_portability.chat.errors import NotRendered, TooMuch
from antiphon_portability.chat.named import with_tool_use
from antiphon_portability.chat.renderer import HAS_PROCESSES, SECONDS, Message, Renderer

__all__ = ["HAS_PROCESSES", "SECONDS", "Dialect", "Message", "NotRendered", "Renderer", "TooMuch", "with_tool_use"]
