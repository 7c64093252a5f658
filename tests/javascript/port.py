"""The port's files, and Node.js to run them; tests are skipped where that can't be had."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from antiphon_conformance.implementations.adapters import Adapter, UnknownAdapter
from antiphon_conformance.implementations.known import make_adapter

FOLDER = Path(__file__).parents[2] / "conformance" / "adapters" / "javascript"
SECONDS = 60.0
"""How long one run may take, on a machine that has other things to do."""


def node_adapter() -> Adapter:
    """The port in Node.js."""
    try:
        return make_adapter("javascript", seconds=SECONDS)
    except UnknownAdapter as error:
        pytest.skip(error.reason)


def node() -> str:
    """The command for Node.js."""
    node_adapter()
    found = shutil.which("node")
    assert found is not None
    return found
