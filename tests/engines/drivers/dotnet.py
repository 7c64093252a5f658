""".NET's regular expressions, by the packages dotnetcore2 and pythonnet. .NET counts in units of UTF-16."""

from __future__ import annotations

import json
import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from serving import Search, in_code_points, serve

SECONDS = 0.5


def start_runtime() -> None:
    import dotnetcore2
    import pythonnet

    release = version("dotnetcore2")
    os.environ["DOTNET_SYSTEM_GLOBALIZATION_INVARIANT"] = "1"
    settings = {"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": release}}}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "runtimeconfig.json"
        path.write_text(json.dumps(settings))
        root = Path(dotnetcore2.__file__).parent / "bin"
        pythonnet.load("coreclr", runtime_config=str(path), dotnet_root=str(root))


start_runtime()
import clr  # noqa: E402

clr.AddReference("System.Text.RegularExpressions")
import System  # noqa: E402
from System.Text.RegularExpressions import Regex, RegexOptions  # noqa: E402

FLAGS = {
    "i": RegexOptions.IgnoreCase,
    "m": RegexOptions.Multiline,
    "s": RegexOptions.Singleline,
    "x": RegexOptions.IgnorePatternWhitespace,
    "n": RegexOptions.ExplicitCapture,
}


def compiler(pattern: str, flags: str, groups: list[str]) -> Search:
    options = RegexOptions.CultureInvariant
    for letter in flags:
        options |= FLAGS[letter]
    compiled = Regex(pattern, options, System.TimeSpan.FromSeconds(SECONDS))

    def span(text: str, found: Any) -> Any:
        return in_code_points(text, (found.Index, found.Index + found.Length))

    def search(text: str) -> Any:
        match = compiled.Match(text)
        if not match.Success:
            return None
        taken = {name: match.Groups[name] for name in groups}
        return span(text, match), {name: span(text, group) if group.Success else None for name, group in taken.items()}

    return search


serve(f".NET {System.Environment.Version}", compiler)
