"""The port in Chromium: a page on a server of this machine loads its modules and answers requests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

from antiphon_conformance.implementations.adapters import Crashed, Read
from antiphon_conformance.implementations.protocol import HELLO_REQUEST, Hello, Result, parse_hello, parse_result
from background import running
from chromium import chromium
from playwright.sync_api import Error, Page

T = TypeVar("T")
PAGE = b"""<!doctype html><title>port</title>
<script type="module">
  import { answer } from "/src/answer.mjs";
  const line = (request) => JSON.stringify(answer(JSON.parse(request)));
  globalThis.answers = (lines) => lines.split("\\n").map(line).join("\\n");
</script>"""
SECONDS = 60.0


class BrowserAdapter:
    """The port in a page, with the interface of the harness's adapters. All runs of a case go in one call."""

    name = "chromium"
    busy = 0.0
    stderr = ()

    def __init__(self, page: Page) -> None:
        self._page = page

    def hello(self) -> Hello:
        """Raises what Playwright does."""
        return parse_hello(self._answers([HELLO_REQUEST])[0])

    def run(self, request: Mapping[str, Any]) -> Result:
        """Raises Crashed with the exception that was thrown in the page."""
        (result,) = self.runs([request], parse_result)
        return result

    def runs(self, requests: Iterable[Mapping[str, Any]], read: Read[T]) -> Iterator[T]:
        """Raises what `run` does."""
        asked = list(requests)
        return map(read, self._answers(asked), asked)

    def interrupt(self) -> None:
        """The page isn't used by several threads."""

    def close(self) -> None:
        """The page is closed by who opened it."""

    def _answers(self, requests: Iterable[Mapping[str, Any]]) -> list[Any]:
        lines = "\n".join(map(json.dumps, requests))
        try:
            return [json.loads(line) for line in self._page.evaluate("(lines) => answers(lines)", lines).split("\n")]
        except Error as error:
            raise Crashed(f"crashed: {error.message}") from None


class _Handler(SimpleHTTPRequestHandler):
    """The port's files, and the page at the root."""

    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A server for a folder; its address."""
    with running(ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))) as server:
        yield f"http://127.0.0.1:{server.server_port}/"


@contextmanager
def browser_adapter(folder: Path) -> Iterator[BrowserAdapter]:
    """The port in a page of its own; the test is skipped where there is no Chromium."""
    with chromium() as browser, served(folder) as address:
        page = browser.new_page()
        page.set_default_timeout(SECONDS * 1000)
        page.goto(address)
        page.wait_for_function("globalThis.answers !== undefined")
        yield BrowserAdapter(page)
