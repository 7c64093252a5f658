"""transformers as an oracle, where it isn't known to be wrong: texts in one piece, delimiters that take text.

Its faults with chunks, with zero width and with the end of the text are cases of the suite (`suite/upstream/`).
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from streams import merged, run
from support import examples
from templates import templates, texts

upstream = pytest.importorskip("transformers.utils.chat_parsing", reason="transformers is not installed")

# DELIM-5 to DELIM-8: upstream never commits to a match of zero width at the end, and loses text at others.
ZERO_WIDTH = {
    "$", r"\Z", "^", r"(?:^|<a>\s*)", "(?:</a>|$)", "<a>|$", r"(?=\n)", "b?", r"(?=[\s\S]*?</a>)", "(?P<end></a>|$)",
}  # fmt: skip


@settings(max_examples=examples(1500))
@given(templates(), texts, texts)
def test_whole_texts(template: dict[str, Any], head: str, text: str) -> None:
    values = [value for field in template["fields"].values() for value in field.values()]
    assume(not any(value in ZERO_WIDTH for value in values if isinstance(value, str)))
    ours = run(template, [text], prefix=head)
    try:
        parser = upstream.ResponseParser(template, prefix=head)
        events = parser.initial_events + parser.feed(text)
        message, final = parser.finalize()
    except (ValueError, KeyError):  # it has no error class of its own
        assert ours.error is not None
    else:
        assert ours.error is None
        assert (ours.events, ours.message) == (merged(events + final), message)
