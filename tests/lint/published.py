"""Published templates, as the suite has them, and what the lint is expected to say of each."""

from __future__ import annotations

import json
from typing import Any, Final

from antiphon_conformance import resources

PUBLISHED: Final[dict[str, dict[str, Any]]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(resources.find("suite/templates").glob("*.json"))
}

# Judged one by one. AP020: shown to be so by transformers itself (test_upstream.py). AP050 at a close with `|$`:
# SPEC.md, annex A.16. AP045: ", print(" opens a tool call. AP061: 1,600 spaces in a parameter that is never closed
# take `regex` three seconds. AP090: these chat templates do read `thinking`; the lint can't know without
# --chat-template.
EXPECTED: Final[dict[str, set[str]]] = {
    "cohere": set(),
    "deepseek-r1-distill": {
        "AP030 /fields/reasoning_content/open_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP050 /fields/content/close_pattern",
        "AP062 /fields/reasoning_content/open_pattern",
    },
    "ernie": {
        "AP020 /fields/reasoning_content/close_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP062 /fields/tool_calls/open_pattern",
    },
    "gemma4": {
        "AP020 /fields/content/close_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP050 /fields/content/close_pattern",
    },
    "glm4": {
        "AP020 /fields/content/close_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP050 /fields/content/close_pattern",
        "AP062 /fields/tool_calls/content_args/tag_pattern",
    },
    "gpt-oss": {
        "AP032 /fields/thinking/close_pattern",
        "AP062 /fields/tool_calls/open_pattern",
        "AP090 /fields/thinking",
    },
    "gpt-oss-harmony": {"AP062 /fields/tool_calls/open_pattern"},
    "inkling": {"AP062 /fields/reasoning_content/open_pattern"},
    "lfm2.5": {
        "AP020 /fields/tool_calls/close_pattern",
        "AP032 /fields/thinking/close_pattern",
        "AP045 /fields/tool_calls/open_pattern",
        "AP062 /fields/tool_calls/content_args/tag_pattern",
        "AP090 /fields/thinking",
    },
    "lfm2.5-calls": {"AP032 /fields/thinking/close_pattern", "AP090 /fields/thinking"},
    "llama3": {"AP031 /fields/tool_calls/open_pattern", "AP032 /fields/tool_calls/close_pattern"},
    "nemotron3": {
        "AP030 /fields/reasoning_content/open_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP061 /fields/tool_calls/content_args/tag_pattern",
        "AP062 /fields/reasoning_content/open_pattern",
    },
    "qwen3": {"AP032 /fields/reasoning_content/close_pattern"},
    "qwen3-serving": {
        "AP050 /fields/tool_calls/close",
        "AP052 /fields/content/close_pattern",
        "AP062 /fields/tool_calls/open_pattern",
    },
    "qwen3.5": {
        "AP032 /fields/reasoning_content/close_pattern",
        "AP061 /fields/tool_calls/content_args/tag_pattern",
    },
    "smollm": {"AP050 /fields/tool_calls/close", "AP052 /fields/content/close"},
}
