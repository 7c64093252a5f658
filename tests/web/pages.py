"""The built page in a browser, watched: nothing but the site's own files is loaded, and nothing complains."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOADED = 60_000
"""Milliseconds within which Python must be there; a machine may be busy."""


@contextmanager
def watched(browser: Browser, site: str, address: str = "", script: str = "", **options: Any) -> Iterator[Page]:
    """A page of the site in a context of its own; `script` is run in it first, `options` are the context's."""
    context = browser.new_context(**options)
    page = context.new_page()
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    if script:
        page.add_init_script(script)
    page.goto(site + address)
    try:
        yield page
    finally:
        context.close()
    foreign = [url for url in requests if not url.startswith((site, "blob:", "data:"))]
    assert not foreign, foreign
    assert not complaints, "\n".join(complaints)


def wait_for_python(page: Page) -> None:
    page.get_by_text("Python 3").wait_for(timeout=LOADED)


def link(**state: Any) -> str:
    """A share link's fragment, made as the page makes it."""
    document = {"template": "{}", "prefix": "", "text": "", "tools": "", **state}
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(document).encode()) + packer.flush()
    return "#1=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def unlink(fragment: str) -> Any:
    """What a share link's fragment holds."""
    packed = fragment.removeprefix("#1=")
    data = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    return json.loads(zlib.decompress(data, wbits=-zlib.MAX_WBITS))
