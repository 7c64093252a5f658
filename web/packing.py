"""A hook of the wheel's build: packs the page (`make web`) into `antiphon_web`, if it has been built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Page(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        page = Path(self.root) / "web" / "dist"
        if version != "editable" and (page / "index.html").exists():
            build_data["force_include"][str(page)] = "antiphon_web/dist"
