"""A chat template and the texts that it writes.

It is a program, and may run for ever or fill the memory. So it runs in a process of its own, which is started for the
first text and kept for the next ones; where there are no processes, it runs in place, and whoever started this one
limits it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Event, Timer
from types import TracebackType
from typing import Any, Final, Protocol, Self

from antiphon_portability.chat.dialect import Dialect
from antiphon_portability.chat.errors import NotRendered, TooMuch

SECONDS: Final = 10.0  # for all texts of a renderer
HAS_PROCESSES: Final = sys.platform != "emscripten"
_PROGRAM: Final = "from antiphon_portability.chat.process import serve; serve()"

Message = Mapping[str, Any]


class Renderer:
    """Renders one chat template; a context manager, which ends its process.

    `special_tokens` are variables of the chat template (`bos_token` …); `seconds` is the time for all texts together.
    """

    def __init__(
        self,
        chat_template: str,
        special_tokens: Mapping[str, str] | None = None,
        *,
        dialect: Dialect = Dialect.HUGGING_FACE,
        seconds: float = SECONDS,
    ) -> None:
        self.chat_template = chat_template
        self.special_tokens: Mapping[str, str] = dict(special_tokens or {})
        self.dialect = dialect
        self.seconds = seconds
        self._worker: _Worker | None = None
        self._trouble = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def render(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        **variables: Any,
    ) -> str:
        """The text of a conversation. `variables` (`enable_thinking` …) are JSON values, as all that is given.

        Raises NotRendered; TooMuch, and then the renderer is closed and raises it again for whatever is asked.
        """
        if self._trouble:
            raise TooMuch(self._trouble)
        given = {**variables, "messages": messages, "tools": tools, "add_generation_prompt": add_generation_prompt}
        try:
            kind, text = json.loads(self._started().answer(json.dumps(given)))
        except TooMuch as error:
            kind, text = "too much", str(error)
        if kind == "too much":
            self._trouble = text
            self.close()
            raise TooMuch(text)
        if kind == "error":
            raise NotRendered(text)
        return str(text)

    def close(self) -> None:
        """Ends the process; a text that is asked for later starts another."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _started(self) -> _Worker:
        if self._worker is None:
            task = json.dumps([self.chat_template, self.dialect, dict(self.special_tokens)])
            self._worker = _Child(task, self.seconds) if HAS_PROCESSES else _InPlace(task)
        return self._worker


class _Worker(Protocol):
    def answer(self, request: str) -> str:
        """What `process.Answers` makes of a request. Raises TooMuch."""

    def close(self) -> None: ...


class _Child:
    """The process, a line for each request and answer."""

    def __init__(self, task: str, seconds: float) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._seconds = self._left = seconds
        self._is_late = Event()
        self._lines = [task]  # to be written with the first request

    def answer(self, request: str) -> str:
        begun = time.monotonic()
        timer = Timer(self._left, self._stop)
        timer.daemon = True
        timer.start()
        try:
            written = self._asked(request)
        finally:
            timer.cancel()
        self._left = max(0.0, self._left - (time.monotonic() - begun))
        if written.endswith(b"\n"):
            return written.decode()
        if self._is_late.is_set():
            raise TooMuch(f"the chat template takes more than {self._seconds:g} seconds")
        raise TooMuch(f"its process ended with status {self._process.wait()}")

    def _stop(self) -> None:
        self._is_late.set()
        self._process.kill()

    def _asked(self, request: str) -> bytes:
        assert self._process.stdin and self._process.stdout
        lines, self._lines = [*self._lines, request], []
        with suppress(OSError):  # a process that has ended; what it wrote says the rest
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream:
                    stream.close()
        self._process.wait()


class _InPlace:
    def __init__(self, task: str) -> None:
        from antiphon_portability.chat.process import Answers  # Jinja2 is imported when there is something to render

        self._answers = Answers(task)

    def answer(self, request: str) -> str:
        return self._answers.to(request)

    def close(self) -> None:
        pass
