"""The rendering process: what it is asked, and what it answers."""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import traceback
from collections.abc import Mapping
from typing import Any, Final

import jinja2

from antiphon_portability.chat.dialect import Dialect
from antiphon_portability.chat.environments import compiled

_MEMORY: Final = 1 << 30  # bytes of the process, where the platform can limit them
_LONGEST: Final = 1_000_000  # code points of a text


def serve() -> None:
    """On standard input the task, then requests, a line each; on standard output the answers."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on every platform
        resource: Any = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    answers = Answers(sys.stdin.readline())
    for line in sys.stdin:
        print(answers.to(line), flush=True)


class Answers:
    """Of one chat template. The task is JSON: the chat template, the dialect, the special tokens."""

    def __init__(self, task: str) -> None:
        self._chat_template, dialect, self._special_tokens = json.loads(task)
        self._dialect = Dialect(dialect)

    def to(self, request: str) -> str:
        """The request is the variables, as JSON; so is the answer: what came of it, and the text or why there is none.

        What comes of it: "text", "error" or "too much".
        """
        try:
            kind, text = "text", self._text(json.loads(request))
        except _TooLong:
            kind, text = "too much", f"the chat template writes more than {_LONGEST:,} code points"
        except MemoryError:
            kind, text = "too much", "the chat template takes too much memory"
        except Exception as error:  # a sandboxed program: it can fail in any way
            kind, text = "error", _told(error)[:_LONGEST]
        return json.dumps([kind, text])

    def _text(self, given: Mapping[str, Any]) -> str:
        template = compiled(self._chat_template, self._dialect)
        pieces, length = [], 0
        for piece in template.generate(self._variables(given)):
            length += len(piece)
            if length > _LONGEST:
                raise _TooLong
            pieces.append(piece)
        return "".join(pieces)

    def _variables(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What is absent is None in transformers, and undefined in llama.cpp."""
        tokens = {"bos_token": "", "eos_token": "", **self._special_tokens}
        if self._dialect is Dialect.HUGGING_FACE:
            return {"documents": None, **tokens, **given}
        missing = [name for name in ("tools", "add_generation_prompt") if not given.get(name)]
        return {**tokens, **{name: value for name, value in given.items() if name not in missing}}


def _told(error: Exception) -> str:
    """Its kind, its line in the chat template where that helps, and its text."""
    line = None
    if isinstance(error, jinja2.TemplateSyntaxError):
        line = error.lineno
    elif type(error) is not jinja2.TemplateError:  # which is what raise_exception raises
        frames = traceback.extract_tb(error.__traceback__)
        line = next((frame.lineno for frame in reversed(frames) if frame.filename == "<template>"), None)
    place = "" if line is None else f"line {line}: "
    return f"{type(error).__name__}: {place}{str(error).removesuffix('.')}"


class _TooLong(Exception):
    pass
