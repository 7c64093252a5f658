"""Adapter for the `transformers` that is installed where it runs: beside the kit, or in an environment of its own.

It differs from SPEC.md in form as follows:

* Template and prefix are dealt with in one constructor; to tell the two apart the template is loaded first.
* There are no kinds of errors, so only the stage and the moment are judged.
* The events of a feed that raises are lost there, so the answer can't have them.
* There is no option for malformed regions (ERROR-6).
* Before 5.15 the parser takes no tools: it is made without them, and arguments stay as they are.
* Before 5.24 there is no content kind `python-call-list`.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "shared"))
import chat_parsing

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # it remarks that torch isn't installed, which isn't needed

try:
    from transformers.utils.chat_parsing import ResponseParser
    from transformers.utils.chat_parsing.content_parsers import CONTENT_PARSERS
    from transformers.utils.chat_parsing.response_templates import load_response_template
except ImportError as error:
    sys.exit(f"transformers has no response templates here ({error}); name a release, such as transformers==5.24.0")

TAKES_TOOLS = "tools" in inspect.signature(ResponseParser).parameters
load = chat_parsing.loading(load_response_template)


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """What came of a run: everything of the result but `type` and `id`."""
    if request["options"].get("on_malformed", "raise") != "raise":
        return {"unsupported": "transformers has no option for malformed regions (ERROR-6)"}
    tools = {"tools": request["tools"]} if TAKES_TOOLS else {}
    return chat_parsing.answer(
        request, load, lambda template: ResponseParser(template, prefix=request["prefix"], **tools)
    )


if __name__ == "__main__":
    chat_parsing.serve(chat_parsing.hello("transformers", CONTENT_PARSERS), answer)
