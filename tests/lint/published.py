"""The templates of the suite, published ones and its own, and what the lint is expected to say of each."""

from __future__ import annotations

import json
from typing import Any, Final

from antiphon_conformance import resources

PUBLISHED: Final[dict[str, dict[str, Any]]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(resources.find("suite/templates").glob("*.json"))
}

# Judged one by one. AP020: shown to be so by transformers itself (test_upstream.py). AP050 at a close with `|$`:
# SPEC.md, annex A.16. AP034: the close of `rwkv-world` takes what a model makes up behind its answer. AP046: of
# `functionary3.2`, if the last `>` of an end mark were the first of `>>>`. AP045: ", print(" opens a tool call. AP061:
# 1,600 spaces in a parameter that is never closed take `regex` three seconds. AP090: these chat templates do read
# `thinking` or `reasoning`; the lint can't know without --chat-template.
EXPECTED: Final[dict[str, set[str]]] = {
    "apertus": {"AP032 /fields/tool_calls/close_pattern"},
    "apriel1.6": {"AP032 /fields/content/close_pattern"},
    "cohere": set(),
    "command-r-plus": {"AP032 /fields/tool_calls/close_pattern"},
    "deepseek-r1": {"AP032 /fields/tool_calls/close_pattern"},
    "deepseek-r1-distill": {
        "AP030 /fields/reasoning_content/open_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP050 /fields/content/close_pattern",
        "AP062 /fields/reasoning_content/open_pattern",
    },
    "deepseek-v3.1": {"AP032 /fields/tool_calls/close_pattern"},
    "deepseek-v3.2": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "deepseek-v4": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "ernie": {
        "AP020 /fields/reasoning_content/close_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP062 /fields/tool_calls/open_pattern",
    },
    "firefunction2": {"AP032 /fields/tool_calls/close_pattern"},
    "functionary3.1": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/open_pattern"},
    "functionary3.2": {
        "AP033 /fields/content/close_pattern",
        "AP033 /fields/tool_calls/close_pattern",
        "AP046 /fields/content/close_pattern",
        "AP046 /fields/tool_calls/close_pattern",
    },
    "gemma4": {
        "AP020 /fields/content/close_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP050 /fields/content/close_pattern",
    },
    "gigachat3": {"AP032 /fields/tool_calls/close_pattern"},
    "glm4": {
        "AP020 /fields/content/close_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP050 /fields/content/close_pattern",
        "AP062 /fields/tool_calls/content_args/tag_pattern",
    },
    "glm4.7": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "gpt-oss": {
        "AP032 /fields/thinking/close_pattern",
        "AP062 /fields/tool_calls/open_pattern",
        "AP090 /fields/thinking",
    },
    "gpt-oss-harmony": {"AP062 /fields/tool_calls/open_pattern"},
    "granite3.3": {"AP032 /fields/tool_calls/close_pattern"},
    "granite4": {"AP032 /fields/tool_calls/close_pattern"},
    "hermes": {"AP032 /fields/tool_calls/close_pattern"},
    "hunyuan3": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "inkling": {"AP062 /fields/reasoning_content/open_pattern"},
    "kimi-k2": {"AP032 /fields/tool_calls/close_pattern"},
    "kimi-k3": {"AP062 /fields/tool_calls/content_args/tag_pattern"},
    "lfm2.5": {
        "AP020 /fields/tool_calls/close_pattern",
        "AP032 /fields/thinking/close_pattern",
        "AP045 /fields/tool_calls/open_pattern",
        "AP062 /fields/tool_calls/content_args/tag_pattern",
        "AP090 /fields/thinking",
    },
    "lfm2.5-calls": {"AP032 /fields/thinking/close_pattern", "AP090 /fields/thinking"},
    "ling3": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "llama3": {"AP031 /fields/tool_calls/open_pattern", "AP032 /fields/tool_calls/close_pattern"},
    "minicpm5": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "minimax-m1": {"AP032 /fields/tool_calls/close_pattern"},
    "minimax-m2": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "minimax-m3": {"AP032 /fields/tool_calls/close_pattern"},
    "ministral3": {"AP032 /fields/tool_calls/close_pattern"},
    "mistral-nemo": {"AP032 /fields/tool_calls/close_pattern"},
    "mistral-small3.2": {"AP032 /fields/tool_calls/close_pattern"},
    "muse-glimmer": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "nemotron-nano2": {"AP032 /fields/tool_calls/close_pattern"},
    "nemotron3": {
        "AP030 /fields/reasoning_content/open_pattern",
        "AP032 /fields/reasoning_content/close_pattern",
        "AP061 /fields/tool_calls/content_args/tag_pattern",
        "AP062 /fields/reasoning_content/open_pattern",
    },
    "qwen3": {"AP032 /fields/reasoning_content/close_pattern"},
    "qwen3-coder": {
        "AP032 /fields/tool_calls/close_pattern",
        "AP062 /fields/tool_calls/content_args/tag_pattern",
        "AP062 /fields/tool_calls/open_pattern",
    },
    "qwen3-serving": {
        "AP050 /fields/tool_calls/close",
        "AP052 /fields/content/close_pattern",
        "AP062 /fields/tool_calls/open_pattern",
    },
    "qwen3.5": {
        "AP032 /fields/reasoning_content/close_pattern",
        "AP061 /fields/tool_calls/content_args/tag_pattern",
    },
    "reka-edge": {"AP032 /fields/tool_calls/close_pattern"},
    "rwkv-world": {"AP034 /fields/content/close_pattern"},
    "seed-oss": {"AP032 /fields/tool_calls/close_pattern", "AP062 /fields/tool_calls/content_args/tag_pattern"},
    "smollm": {"AP050 /fields/tool_calls/close", "AP052 /fields/content/close"},
    "solar-open": {"AP090 /fields/reasoning"},
}

# Whose delimiters are so long that not all of their combinations are tried.
UNFINISHED: Final = frozenset({"deepseek-r1", "hunyuan3", "kimi-k2"})
