"""Several chat templates of one model, as one."""

from __future__ import annotations

from typing import Final

_END: Final = "\n"  # one at the end of a chat template isn't written


def with_tool_use(default: str, tool_use: str) -> str:
    """A chat template that is `tool_use` where there are tools, and `default` elsewhere, as transformers chooses."""
    # A block takes the line end behind it, and the blanks before it on its line; an empty expression keeps these.
    without, given = (f"{source.removesuffix(_END)}{{{{ '' }}}}" for source in (default, tool_use))
    return f"{{% if not tools %}}\n{without}{{% else %}}\n{given}{{% endif %}}"
