"""The built page in a browser, watched: nothing but the site's own files is loaded, and nothing complains."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

LOADED = 60_000
"""Milliseconds within which Python must be there; a machine may be busy."""
PATIENCE = 30_000
"""Milliseconds within which anything else must be seen; a machine may be busy."""
LOOKS: list[tuple[Literal["dark", "light"], int]] = [("dark", 360), ("dark", 1280), ("light", 360), ("light", 1280)]
"""The last one is that in which a page is opened."""
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
"""What a person is to look at; pictures of an earlier run are replaced."""


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


@contextmanager
def ready(browser: Browser, site: str, address: str = "", **options: Any) -> Iterator[Page]:
    """The same when Python is there, with the clipboard, and patient: for tests that leave nothing behind."""
    permissions = ["clipboard-read", "clipboard-write"]
    with watched(browser, site, address, permissions=permissions, **options) as page:
        page.set_default_timeout(PATIENCE)
        wait_for_python(page)
        yield page


def wait_for_python(page: Page) -> None:
    """Whichever regex engine it has."""
    page.get_by_text(re.compile("Python 3|runs on Python's re")).wait_for(timeout=LOADED)


def expect_presentable(page: Page, state: str) -> None:
    """Nothing is wrong by axe's rules, and nothing is wider than the window, in both themes, wide and narrow.

    The page is opened with `bypass_csp`, since axe is a script. Pictures of it are named after this state.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python isn't installed")
    for theme, width in LOOKS:
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": 800})
        page.screenshot(path=SCREENSHOTS / f"{state}-{width}-{theme}.png", full_page=True)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), (theme, width)
        found = axe.Axe().run(page).response["violations"]
        assert found == [], [(one["id"], [(node["target"], node["html"]) for node in one["nodes"]]) for one in found]


class Person:
    """What a person does where there are editors."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def editor(self, name: str) -> Locator:
        return self.page.get_by_role("textbox", name=name, exact=True)

    def write(self, name: str, text: str) -> None:
        """Replace what is in an editor, by pasting."""
        self.editor(name).click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)


def follow(page: Page, fragment: str) -> None:
    """Go to this fragment of the page, also if it is there already."""
    page.evaluate("to => { history.replaceState(null, '', location.pathname); location.hash = to }", fragment)


def drop(page: Page, place: str, name: str, text: str) -> None:
    """Drop a file onto what a selector finds."""
    make = "([name, text]) => { const all = new DataTransfer(); all.items.add(new File([text], name)); return all }"
    page.dispatch_event(place, "drop", {"dataTransfer": page.evaluate_handle(make, [name, text])})


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
