"""`manifest.json`: what lies beside it, for whoever loads the runtime (`interop/src/engine.ts`).

    {
      "pyodide": "0.29.5",
      "python": "3.13.2",
      "engine": "regex" | "re",
      "regex": "2026.11.19" | null,
      "archives": {"kit": "antiphon.zip", "suite": "suite.zip"},
      "wheels": ["regex-….whl"],
      "files": [{"name": "antiphon.zip", "bytes": 123456, "sha256": "…"}, …]
    }

Archives and wheels are zip files whose contents belong into site-packages: the kit and the wheels before anything is
imported, the suite when it is asked for. `engine` is `re`, and there is no wheel, where regex couldn't be built.
`files` are all files but the manifest itself, with their sizes before any compression on the way.
"""

from __future__ import annotations

import hashlib
import json

from runtime.archives import Files
from runtime.pins import pins, pyodide

NAME = "manifest.json"


def manifest(files: Files, archives: dict[str, str], wheels: list[str]) -> bytes:
    """The manifest of these files. Raises BuildFailed."""
    document = {
        "pyodide": pyodide().version,
        "python": pyodide().python,
        "engine": "regex" if wheels else "re",
        "regex": pins().regex.version if wheels else None,
        "archives": archives,
        "wheels": wheels,
        "files": [
            {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in sorted(files.items())
        ],
    }
    return (json.dumps(document, indent=1) + "\n").encode()
