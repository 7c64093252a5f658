r"""PCRE2, by the package pcre2.

The package turns on PCRE2_ALT_BSUX, under which `\x{…}` is no escape: here it is written `\N{U+…}`, which is the same.
"""

from __future__ import annotations

import re
from typing import Any

import pcre2
from serving import Search, serve, spans

FLAGS = {"i": pcre2.I, "m": pcre2.M, "s": pcre2.S, "x": pcre2.X, "u": pcre2.U}


def compiler(pattern: str, flags: str, groups: list[str]) -> Search:
    pattern = re.sub(r"\\x\{([0-9A-Fa-f]+)\}|\\.", lambda part: rf"\N{{U+{part[1]}}}" if part[1] else part[0], pattern)
    inline = "".join(sorted(set(flags) - set(FLAGS)))  # "J"
    compiled = pcre2.compile(
        f"(?{inline}){pattern}" if inline else pattern, sum(FLAGS[letter] for letter in flags if letter in FLAGS)
    )

    def search(text: str) -> Any:
        match = compiled.search(text)
        return match and spans(match, {name: name for name in groups})

    return search


serve(f"pcre2 {pcre2.__version__}, PCRE2 {pcre2.__libpcre2_version__}", compiler)
