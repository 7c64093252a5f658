"""What this package raises, and nothing else: a pattern that is refused, and an engine that can't express a pattern."""

from __future__ import annotations

from typing import Final, Literal

# What is refused though `regex` takes it: slug of the construct -> (what it is, what to write instead).
UNSUPPORTED: Final = {
    "L": (r"a named list (\L<…>) has no list in a template", "write the options out: (?:one|two)"),
    "G": (r"\G depends on where a search began", "leave it out, or use a lookbehind"),
    "K": (r"\K moves the start of a match after the fact", r"use a lookbehind, or a group around what is kept"),
    "fuzzy": ("fuzzy matching has no first match in a stream", r"write a literal brace as \{"),
    "call": ("recursion can't be decided on a part of the text", "write the nesting out as deep as it is needed"),
    "verb": ("a verb such as (*FAIL) controls one engine's search", "write (?!) for a place that never matches"),
    "DEFINE": ("(?(DEFINE)…) holds groups for recursion only", "write the group where it is used"),
    "depth": ("groups are nested too deeply", "nest at most 64 of them"),
    "count": ("a loop counts too far", "stay below 65,536, and at 4,096 at most for loops in loops, multiplied"),
    "lookbehind-grapheme": (r"whether \X ends before a place depends on what follows", "look behind for characters"),
    "lookbehind-condition": ("a lookaround as condition in a lookbehind", "write the two branches as options"),
    "ascii-case": ("a property can't ignore case in ASCII only", "drop flag a or flag i, or list the characters"),
    "r": ("flag r searches backwards", "write the pattern in reading order"),
    "V1": ("flag V1 selects another syntax", "write the pattern in version 0 syntax"),
    "L-flag": ("flag L depends on the machine's locale", "use flag u or a"),
    "b": ("flag b is for fuzzy matching only", "remove the flag"),
    "e": ("flag e is for fuzzy matching only", "remove the flag"),
    "p": ("flag p asks for the longest match", "order the options, longest first"),
    "f": ("flag f lets one character match several", "write the expansion out: (?:ß|ss)"),
    "w": ("flag w changes what a word and a line is", r"use \b and $, or lookarounds"),
}


class PatternError(ValueError):
    """A pattern is not of the dialect.

    `reason` says what is wrong; `position` where it starts in the pattern (code points, from 0); `kind` is "syntax"
    where the `regex` module refuses the pattern too, and "unsupported" where it takes it but the construct has no
    meaning in a stream; `remedy` says what to write instead.
    """

    def __init__(self, reason: str, position: int, kind: Literal["syntax", "unsupported"], remedy: str) -> None:
        super().__init__(f"{reason} at position {position}: {remedy}")
        self.reason = reason
        self.position = position
        self.kind = kind
        self.remedy = remedy

    @property
    def told(self) -> str:
        """All of it for somebody who sees the pattern as a part of a template."""
        return f"{self.reason} at code point {self.position} of the pattern; {self.remedy}"


class EngineError(ValueError):
    """The engine `engine` has nothing that means the same as `construct`; `remedy` says what to write instead.

    `slug` names the construct as SPEC.md does (DIALECT-3), or as `analysis.features` does.
    """

    def __init__(self, engine: str, slug: str, construct: str, remedy: str) -> None:
        super().__init__(f"{engine} can't express {construct}: {remedy}")
        self.engine = engine
        self.slug = slug
        self.construct = construct
        self.remedy = remedy
