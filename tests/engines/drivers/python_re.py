"""The standard library's re, or `regex` if the command line says so."""

from __future__ import annotations

import importlib
import platform
import sys
import warnings
from typing import Any

from serving import Search, serve, spans

module: Any = importlib.import_module(sys.argv[1])
warnings.simplefilter("ignore")


def compiler(pattern: str, flags: str, groups: list[str]) -> Search:
    names = ["V0"] if flags == "V0" else list(flags.upper())
    compiled = module.compile(pattern, sum(int(getattr(module, name)) for name in names))

    def search(text: str) -> Any:
        match = compiled.search(text)
        return match and spans(match, {name: name for name in groups})

    return search


release = module.__version__ if hasattr(module, "V0") else platform.python_version()
serve(f"{module.__name__} {release}", compiler)
