"""Engines that run grammars, to hold ours and recorded ones against texts; tests skip where they can't be had.

XGrammar takes exactly the language of a grammar. llguidance takes the longest token at each place, and so refuses some
texts that a grammar has; what it takes is in the language.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from filelock import FileLock

ROOT: Final = Path(__file__).parents[2]
DRIVER: Final = Path(__file__).with_name("xgrammar_driver.py")
_SECONDS: Final = 300


class XGrammar:
    """XGrammar, in a process that lives as long as this one."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, str(DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=environment,
        )
        self.starts = self._read() == "ready"

    def accepts(self, gbnf: str, texts: Iterable[str]) -> list[bool]:
        """For each text, whether it is a text of the grammar."""
        # an empty option has to be written there, which llama.cpp's own grammars don't
        return self._answer({"gbnf": gbnf.replace("::= |", '::= "" |')}, texts)

    def accepts_tagged(self, structural_tag: dict[str, Any], texts: Iterable[str]) -> list[bool]:
        """For each text, whether the structural tag allows it."""
        return self._answer({"structural_tag": structural_tag}, texts)

    def _answer(self, request: dict[str, Any], texts: Iterable[str]) -> list[bool]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({**request, "texts": list(texts)}) + "\n")
        self.process.stdin.flush()
        answer = self._read()
        assert isinstance(answer, list), answer
        return answer

    def _read(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None


@cache
def xgrammar() -> XGrammar:
    """Skips where it can't be had."""
    folder = _installed()
    found = None if folder is None else XGrammar(folder)
    if found is None or not found.starts:
        pytest.skip("XGrammar can't be installed here, or doesn't run")
    return found


def _installed() -> Path | None:
    """The folder with XGrammar and what it needs; None where it can't be had."""
    requirements = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["xgrammar"]
    version = next(one.partition("==")[2] for one in requirements if one.startswith("xgrammar=="))
    folder = ROOT / "build" / f"xgrammar-{version}-{sys.version_info.major}.{sys.version_info.minor}"
    folder.parent.mkdir(exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
                pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", f"{fresh}/all"]
                try:
                    done = subprocess.run([*pip, *requirements], capture_output=True, check=False, timeout=_SECONDS)
                except subprocess.TimeoutExpired:
                    return None
                if done.returncode:
                    return None
                os.replace(f"{fresh}/all", folder)
    return folder


def llguidance_accepts(gbnf: str, texts: Iterable[str]) -> list[bool]:
    """For each text, whether llguidance takes it. Skips where it isn't installed."""
    library = pytest.importorskip("llguidance")
    notation = pytest.importorskip("llguidance.gbnf_to_lark")
    tokenizer = library.LLTokenizer("byte")
    grammar = library.LLMatcher.grammar_from_lark(notation.gbnf_to_lark(gbnf))
    found = []
    for text in texts:
        matcher = library.LLMatcher(tokenizer, grammar, log_level=0)
        assert not matcher.is_error(), matcher.get_error()
        tokens = list(text.encode())
        found.append(matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting())
    return found
