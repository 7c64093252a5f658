"""A Chromium for tests in a real browser: the system's, or that which `playwright install chromium` has fetched."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser; the test is skipped where there is none, or no playwright to drive it."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright isn't installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=_executable(driver), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def _executable(playwright: Playwright) -> str:
    own = playwright.chromium.executable_path
    found = [path for path in map(shutil.which, COMMANDS) if path] + [own] * Path(own).exists()
    if not found:
        pytest.skip("there is no Chromium: install it, or run `playwright install chromium`")
    return found[0]
