"""RE2, by the package google-re2."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import re2
from serving import Search, serve, spans


def compiler(pattern: str, flags: str, groups: list[str]) -> Search:
    options = re2.Options()
    options.log_errors = False
    compiled = re2.compile(f"(?{flags}){pattern}" if flags else pattern, options)
    numbers = {name: compiled.groupindex[name] for name in groups}

    def search(text: str) -> Any:
        match = compiled.search(text)
        return match and spans(match, numbers)

    return search


serve(f"google-re2 {version('google-re2')}", compiler)
