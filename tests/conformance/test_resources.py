"""Where data files are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from antiphon_conformance import resources


def test_inside_the_package_comes_before_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In site-packages another distribution may have a `suite`."""
    package = tmp_path / "made_up_kit"
    package.mkdir()
    (package / "__init__.py").touch()
    (tmp_path / "suite").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert resources._find("made_up_kit", "suite") == tmp_path / "suite"
    (package / "suite").mkdir()
    assert resources._find("made_up_kit", "suite") == package / "suite"
    with pytest.raises(FileNotFoundError, match="neither inside nor beside"):
        resources._find("made_up_kit", "schema")
