"""Analyses of rendered chat templates: equal to llama.cpp's, field by field, but for what is listed here."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from antiphon_portability.autoparser import Analysis, analyse
from antiphon_portability.chat import Dialect, Renderer
from recorded import analyses, chat_template, fields, needs_records

DISAGREE: Final = {
    ("LFM2.5-8B-A1B.jinja", "caps.supports_typed_content"): (
        "a content in parts is rendered as their text, by a macro; llama.cpp doesn't see that it is used there"
    ),
    ("mistralai-Ministral-3-14B-Reasoning-2512.jinja", "caps.supports_typed_content"): (
        "a content in parts is rendered as their text; llama.cpp tries one without parts, which is refused"
    ),
}
"""Where ours is another, and why."""


@cache
def analysed(name: str) -> Analysis:
    with Renderer(chat_template(name), dialect=Dialect.LENIENT) as renderer:
        return analyse(renderer)


@needs_records
@pytest.mark.parametrize("name", list(analyses()))
def test_as_llama_cpp_analyses(name: str) -> None:
    found, record = dict(fields(analysed(name).document())), analyses()[name]
    want = dict(fields({part: record[part] for part in analysed(name).document()}))
    assert {path for path in found if found[path] != want[path]} == {path for one, path in DISAGREE if one == name}
    assert found.keys() == want.keys()


@pytest.mark.parametrize("name", [name for name, path in DISAGREE if path == "caps.supports_typed_content"])
def test_content_in_parts_is_rendered(name: str) -> None:
    parts = [{"type": "text", "text": "first"}, {"type": "text", "text": "second"}]
    with Renderer(chat_template(name), dialect=Dialect.LENIENT) as renderer:
        assert "firstsecond" in renderer.render([{"role": "user", "content": parts}])
