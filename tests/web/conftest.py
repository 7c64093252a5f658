"""The built site and a browser, for the tests of the page."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from antiphon_web import serving
from background import running
from chromium import chromium

from web.pages import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def dist() -> Path:
    """The folder of the built site; ANTIPHON_WEB_DIST names another than that of `make web`."""
    named = os.environ.get("ANTIPHON_WEB_DIST")
    if named:
        return Path(named)
    try:
        return serving.find_page()
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def any_site(dist: Path) -> Iterator[str]:
    """The address at which the built site is served, whichever engine is in it."""
    with running(serving.Server(serving.read_page(dist), "127.0.0.1", 0)) as server:
        yield server.address


@pytest.fixture(scope="session")
def site(dist: Path, any_site: str) -> str:
    """The same, for tests that need the constructs of regex."""
    if json.loads((dist / "runtime" / "manifest.json").read_text("utf-8"))["engine"] != "regex":
        pytest.skip("the page was built without regex: `make web` says why")
    return any_site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed with its module: a process can drive one at a time, and other rooms' tests have browsers of their own."""
    with chromium() as running:
        from playwright.sync_api import expect  # not before `chromium` has skipped where there is none

        expect.set_options(timeout=PATIENCE)
        yield running
