"""The public interface of the port, by tests in JavaScript."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from antiphon_conformance import resources
from antiphon_portability.templates import table_as_json

from javascript.port import FOLDER, node

TEMPLATES: dict[str, Any] = {
    "chat": {
        "start_anchor": "<bot>",
        "fields": {"n": {"open": "<n>", "close": "</n>", "content": "int", "repeats": True}, "content": {}},
    },
    "astral": {"start_anchor": "<bot>", "fields": {"block": {"open": "😀🚀", "close": "😁🚁"}, "content": {}}},
    "half": {"start_anchor": "<bot>", "fields": {"content": {"close": "\ud83d"}}},
    "zero width": {"start_anchor": "<bot>", "fields": {"content": {"close_pattern": "(?=.)", "repeats": True}}},
    "separators": {
        "start_anchor": "<bot>",
        "fields": {"content": {"content": "kv-lines", "content_args": {"kv_sep": "\ud83d"}}},
    },
    "names": {"start_anchor": "<bot>", "fields": {"😀": {"open": "<t>"}, "\uffff": {"open": "<t>"}}},
    "calls": {
        "defaults": {"list": []},
        "start_anchor": "<bot>",
        "fields": {
            "call": {
                "open": "<c>",
                "close": "</c>",
                "content": "json",
                "transform": {"twice": ["{content}", "{content}"], "fixed": []},
            }
        },
    },
    "by nature": {
        "start_anchor": "<bot>",
        "fields": {"x": {"open": "<t>", "content": "json", "transform": "{content.constructor}"}},
    },
}


def test_the_interface(tmp_path: Path) -> None:
    tables = {
        name: {"document": document, "patterns": table_as_json(document, "ecmascript")}
        for name, document in TEMPLATES.items()
    }
    path = tmp_path / "templates.json"
    path.write_text(json.dumps(tables), "ascii")
    script = Path(__file__).parent / "interface.test.mjs"
    environment = {**os.environ, "TEMPLATES": str(path)}
    ran = subprocess.run([node(), "--test", str(script)], env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "# fail 0" in ran.stdout


def test_the_example_of_the_readme(tmp_path: Path) -> None:
    """It prints what its comments say."""
    (example,) = re.findall(r"^```js\n(.*?)^```$", (FOLDER / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    port = shutil.copytree(FOLDER, tmp_path / "port", ignore=shutil.ignore_patterns("node_modules"))
    template = json.loads((resources.find("suite") / "templates" / "qwen3.json").read_text("utf-8"))
    translated = {"template": template, "patterns": table_as_json(template, "ecmascript")}
    (port / "qwen3.ecmascript.json").write_text(json.dumps(translated), "ascii")
    (port / "example.mjs").write_text(example, "utf-8")
    ran = subprocess.run([node(), "example.mjs"], cwd=port, capture_output=True, text=True, timeout=120)
    assert ran.stdout.splitlines() == re.findall(r"^// (.*)$", example, re.MULTILINE), ran.stderr
