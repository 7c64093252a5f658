"""Which parts of a conversation a chat template uses: parts with words of their own, looked for in the render.

llama.cpp watches which values are read instead; a render shows what became of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from antiphon_portability.autoparser.analysis.results import Capabilities
from antiphon_portability.chat import Message, NotRendered, Renderer

_TEXT: Final = "STRING_MARKER"
_TYPED: Final = [{"type": "text", "text": _TEXT}]
_USER: Final = {"role": "user", "content": "USER_MARKER"}
_SYSTEM: Final = {"role": "system", "content": "SYSTEM_MARKER"}
_DEFINED, _CALLED, _CALLED_AGAIN = "tool1", "FIRST_CALLED", "SECOND_CALLED"
_VALUE: Final = "VALUE_MARKER"
_PYTHON: Final = f"{{'arg': '{_VALUE}'}}"
"""The arguments, as they are printed where nothing was made of them."""
_REASONING: Final = "REASONING_MARKER"
_EFFORTS: Final = ("none", "minimal", "low", "medium", "high", "max", "EFFORT_MARKER")
KEPT: Final = {
    "preserve_thinking": True,
    "clear_thinking": False,
    "truncate_history_thinking": False,
    "drop_thinking": False,
}
"""The names by which chat templates are told to keep the reasoning of earlier turns."""


def capabilities(renderer: Renderer) -> Capabilities:
    """Raises TooMuch."""
    probe = _Probe(renderer)
    string, typed = probe.text({"role": "user", "content": _TEXT}), probe.text({"role": "user", "content": _TYPED})
    system = probe.text(_SYSTEM, _USER)
    found = Capabilities(
        supports_string_content=string is not None and _TEXT in string,
        supports_typed_content=typed is not None and _TEXT in typed and not _is_dumped(typed),
        supports_system_role=system is not None and _SYSTEM["content"] in system,
        supports_preserve_reasoning=_preserves_reasoning(probe),
        supports_reasoning_effort=_heeds_effort(probe),
    )
    return _with_calls(found, probe)


def _is_dumped(text: str) -> bool:
    """Whether a part of the content is written with its keys, as Python or JSON."""
    before = text.partition(_TEXT)[0]
    return before.endswith(("'text': '", '"text": "', '"text":"'))


def _with_calls(found: Capabilities, probe: _Probe) -> Capabilities:
    """Tools and calls; the arguments as an object, and if that is of no use, as a text."""
    for arguments in ({"arg": _VALUE}, json.dumps({"arg": _VALUE})):
        is_object = not isinstance(arguments, str)
        text = probe.text(*_turns(_call(_CALLED, arguments)), tools=[_tool()])
        if text is None and not is_object:
            return replace(found, supports_tools=False, supports_tool_calls=False, supports_parallel_tool_calls=False)
        if text is None:
            continue
        found = replace(found, supports_tools=_DEFINED in text, supports_tool_calls=_CALLED in text)
        if not found.supports_tool_calls:
            return replace(found, supports_parallel_tool_calls=False)
        if is_object and _VALUE in text and _PYTHON not in text:
            found = replace(found, supports_object_arguments=True)
            break
    both = (_call(_CALLED, arguments), _call(_CALLED_AGAIN, arguments, "call00002"))
    text = probe.text(*_turns(*both), tools=[_tool()])
    return replace(found, supports_parallel_tool_calls=text is not None and _CALLED_AGAIN in text)


def _preserves_reasoning(probe: _Probe) -> bool:
    answers = [{"role": "assistant", "content": "A", "reasoning_content": text} for text in (_REASONING, "R")]
    text = probe.text(_USER, answers[0], _USER, answers[1], _USER, enable_thinking=True, **KEPT)
    return text is not None and _REASONING in text


def _heeds_effort(probe: _Probe) -> bool:
    without = probe.text(_USER, enable_thinking=True)
    return any(
        probe.text(_USER, enable_thinking=True, reasoning_effort=effort, reasoning_strength=effort) != without
        for effort in _EFFORTS
    )


def _tool() -> Mapping[str, Any]:
    parameters = {"type": "object", "properties": {"arg": {"type": "string", "description": "A"}}, "required": ["arg"]}
    return {"type": "function", "function": {"name": _DEFINED, "description": "D", "parameters": parameters}}


def _call(name: str, arguments: Any, call_id: str = "call00001") -> Mapping[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _turns(*calls: Mapping[str, Any]) -> tuple[Message, ...]:
    results = [{"role": "tool", "content": "T", "tool_call_id": call["id"]} for call in calls]
    calling = {"role": "assistant", "content": "", "tool_calls": list(calls)}
    return (_USER, calling, *results, {"role": "assistant", "content": "A"}, _USER)


class _Probe:
    """Renders with the generation prompt."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def text(self, *messages: Message, **variables: Any) -> str | None:
        """None for what the chat template refuses. Raises TooMuch."""
        try:
            return self._renderer.render(messages, add_generation_prompt=True, **variables)
        except NotRendered:
            return None
