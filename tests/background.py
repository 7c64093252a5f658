"""Servers that run beside a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread
from typing import TypeVar

S = TypeVar("S", bound=BaseServer)
_SECONDS = 0.01
"""How long a server may take to see that it is to end."""


@contextmanager
def running(server: S) -> Iterator[S]:
    """The server, while it serves in a thread of its own."""
    with server:
        Thread(target=server.serve_forever, args=(_SECONDS,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
