"""The page's calls to its workers, run in Node.js by vitest, with workers that answer when they are told to."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VITEST = ROOT / "web" / "node_modules" / "vitest" / "vitest.mjs"


@pytest.mark.skipif(not VITEST.exists(), reason="the packages in web/package-lock.json aren't installed")
def test_the_client() -> None:
    command: list[str | Path] = [
        "node",
        VITEST,
        "run",
        "--globals",
        "--root",
        ROOT,
        "--dir",
        Path(__file__).with_name("engine"),
    ]
    done = subprocess.run(command, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
