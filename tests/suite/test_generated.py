"""Generated case files are what their generators write, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from generated import documents, written
from oracles import complete_suite


@pytest.mark.parametrize(("name", "document"), documents().items())
def test_what_is_committed_is_what_is_generated(name: str, document: Any, tmp_path: Path) -> None:
    """Else someone changed the file by hand, where the next run of the generator will change it back."""
    assert (complete_suite.SUITE / f"{name}.json").read_text("utf-8") == written(name, document, tmp_path)
