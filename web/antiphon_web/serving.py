"""The server of the built page: its files, held in memory, and nothing else.

For one's own machine, and for tests. Any other static server does as well; nothing in the page depends on this one.
"""

from __future__ import annotations

import gzip
import hashlib
import socketserver
import sys
import threading
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}
_HASHED: Final = "assets/"  # in this folder Vite puts a hash of the content into each name
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_LEVEL: Final = 6  # of compression: 9 takes three times as long, for half a percent less
_IDLE_SECONDS: Final = 30


@dataclass(slots=True)
class File:
    """A file of the page, as it is sent; compressed once, when it is first asked for."""

    data: bytes
    kind: str
    caching: str
    policy: str
    _compressed: bytes | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def compressed(self) -> bytes:
        with self._lock:
            if self._compressed is None:
                self._compressed = gzip.compress(self.data, _LEVEL, mtime=0)
            return self._compressed


def find_page() -> Path:
    """The folder of the built page: in an installed kit inside the package, in a checkout beside it.

    Raises FileNotFoundError, with what to do.
    """
    inside = Path(__file__).resolve().parent
    for place in (inside, inside.parent):
        if (place / "dist" / "runtime" / "manifest.json").exists() and (place / "dist" / "index.html").exists():
            return place / "dist"
    raise FileNotFoundError("the page isn't built; `make web` in a checkout of antiphon does that")


def read_page(folder: Path) -> dict[str, File]:
    """The page's files by the paths of their addresses, without the first slash."""
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    policies = {name: _policy(data) for name, data in contents.items() if name.endswith(".html")}
    files = {
        name: File(
            data,
            _KINDS.get(Path(name).suffix, "application/octet-stream"),
            _FOR_EVER if name.startswith(_HASHED) else _ASK_AGAIN,
            policies.get(name, policies["index.html"]),
        )
        for name, data in contents.items()
    }
    return {"": files["index.html"], **files}


class Server(socketserver.ThreadingTCPServer):
    """Serves these files at a host and port; 0 is any free port. Raises OSError where that can't be had.

    It isn't http.server's, which asks for the name of its machine before it begins, and that may take long.
    """

    allow_reuse_address = True  # right after it has ended; not while another server is there
    daemon_threads = True

    def __init__(self, files: dict[str, File], host: str, port: int) -> None:
        self.files = files
        super().__init__((host, port), _Handler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        return f"http://{self.server_address[0]!s}:{self.port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):  # a page may be left while it loads
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "antiphon"
    sys_version = ""
    timeout = _IDLE_SECONDS

    def do_GET(self) -> None:
        # What isn't in the table isn't served, whatever its address means on a disk.
        path = _path(self.path)
        file = None if path is None else self.server.files.get(path)
        if file is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        packed = _accepts_gzip(self.headers.get("Accept-Encoding", ""))
        data = file.compressed() if packed else file.data
        tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
        known = [value.strip().removeprefix("W/") for value in self.headers.get("If-None-Match", "").split(",")]
        same = tag in known
        self.send_response(HTTPStatus.NOT_MODIFIED if same else HTTPStatus.OK)
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", file.caching)
        self.send_header("Vary", "Accept-Encoding")
        if not same:
            self.send_header("Content-Type", file.kind)
            self.send_header("Content-Length", str(len(data)))
            if packed:
                self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Security-Policy", file.policy)
        self.end_headers()
        if not same and self.command == "GET":
            self.wfile.write(data)

    do_HEAD = do_GET

    def end_headers(self) -> None:
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """A server on one's own machine needs no log of its requests."""


def _path(target: str) -> str | None:
    """Of a request's target, without the first slash; none where it is no address."""
    try:
        return unquote(urlsplit(target).path).removeprefix("/")
    except ValueError:
        return None


def _accepts_gzip(header: str) -> bool:
    for item in header.lower().split(","):
        name, _, quality = item.partition(";")
        if name.strip() == "gzip":
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _policy(page: bytes) -> str:
    """The Content-Security-Policy that a page states itself, and what can be said in a header only."""
    reader = _PolicyReader()
    reader.feed(page.decode("utf-8"))
    return "; ".join([*filter(None, [reader.policy]), "frame-ancestors 'self'"])


class _PolicyReader(HTMLParser):
    policy = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if tag == "meta" and (found.get("http-equiv") or "").lower() == "content-security-policy":
            self.policy = found.get("content") or ""
