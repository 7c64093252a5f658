"""What engines write differently, or lack: one `Engine` each, data only.

An engine is the target of a translation: a pattern syntax with one meaning. Where several products share one, they
share the entry (PCRE2 with PHP and Perl, RE2 with Go).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from .nodes import Position

Lookbehind: TypeAlias = Literal["any", "bounded", "fixed"]
Positions: TypeAlias = Mapping[Position, str]  # {word} stands for the class of word characters, as the place needs it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Engine:
    """One target. The defaults are those of a backtracking engine in the tradition of Perl."""

    name: str
    title: str
    flags: str = ""  # what its compile function wants beside the pattern, in its own words
    # What it has: None or False for what it lacks.
    lookahead: bool = True
    lookbehind: Lookbehind | None = "fixed"
    backreference: str | None = r"\k<{name}>"
    atomic: Literal["native", "by lookahead"] | None = "native"  # (?>…), or (?=(…))\1
    possessive: bool = True  # else written as atomic
    conditional: str | None = "(?({name}){yes}|{no})"
    grapheme: str | None = None
    # How it behaves.
    unset_group_fails: bool = True  # a backreference to a group that took no part doesn't match
    forgets_attempts: bool = True  # what an atomic group or lookahead captured is gone once another way is taken
    keeps_groups: bool = True  # a new iteration of a loop keeps what groups captured in earlier ones
    empty_iterations: bool = True  # as DIALECT-5 has them
    empty_lazy_iterations: bool = True  # a lazy loop may go round at the end of the text, where its body takes nothing
    restores_groups: bool = True  # in loops of loops and counted ones, what an attempt that is given up had captured
    repeated_names: bool = False  # several groups may have the same name, and are one group
    forward_references: bool = False
    most_repeats: int | None = None  # of a loop, and of loops in it, multiplied
    most_units: int | None = None  # what `analysis.bulk` may come to
    most_characters: int | None = None  # of a pattern
    unrolls_chars: bool = True  # its size grows with the count of a loop over one character
    encoding: Literal["code points", "utf-8", "utf-16"] = "code points"  # utf-8: no lone surrogates in texts
    word_boundary: Literal["ascii", "unicode"] | None = None  # what its own \b means, where none can be spelled out
    native_classes: bool = False  # \w, \p{…}, flags i and a mean exactly what they mean in the dialect
    looks_in_lookbehind: bool = True  # lookarounds, anchors and boundaries
    not_in_pair: str | None = None  # if its search may begin within a surrogate pair: what is true anywhere else
    by_code_points: str | None = None  # what makes it look at pairs as one, in lookbehinds and between them
    after_lazy: str | None = None  # what keeps it from searching backwards, where lazy loops mislead it
    any_start: str | None = None  # what makes it try every character, where references mislead its search
    native_partial: str | None = None  # how it can tell by itself that a match depends on what follows
    # How it writes things.
    group: str = "(?<{name}>"
    group_names: str = r"[A-Za-z_][A-Za-z0-9_]*"
    any_char: str = "(?s:.)"
    negated_set: str = "[^{items}]"
    never: str = "(?!)"
    escapes: tuple[str, str, str] = (r"\x{0:02x}", r"\x{{{0:x}}}", r"\x{{{0:x}}}")  # below 80, below 10000, from there
    special_in_set: frozenset[str] = frozenset(r"[]\^-&~|")
    positions: Positions
    ascii_positions: Positions  # those that flag a changes

    def backreference_to(self, name: str) -> str:
        """The text of a backreference to group `name`."""
        return (self.backreference or "").format(name=name)


_WORDS: Final[dict[Position, str]] = {
    "word-boundary": "(?:(?<={word})(?!{word})|(?<!{word})(?={word}))",
    "not-word-boundary": "(?:(?<={word})(?={word})|(?<!{word})(?!{word}))",
    "word-start": "(?:(?<!{word})(?={word}))",
    "word-end": "(?:(?<={word})(?!{word}))",
}
_EDGES: Final[dict[Position, str]] = {
    "text-start": r"\A",
    "line-start": r"(?<![^\n])",
    "text-end": r"\z",
    "final-end": r"(?=\n?\z)",
    "line-end": r"(?![^\n])",
}
_PYTHON: Final[dict[Position, str]] = {
    "text-start": r"\A",
    "line-start": "(?m:^)",
    "text-end": r"\Z",
    "final-end": "$",
    "line-end": "(?m:$)",
}
_JAVASCRIPT: Final = _EDGES | _WORDS | {"text-start": "^", "text-end": "$", "final-end": r"(?=\n?$)"}
_NO_LOOKAROUND: Final[dict[Position, str]] = {
    "text-start": r"\A",
    "line-start": "(?m:^)",
    "text-end": r"\z",
    "line-end": "(?m:$)",
    "word-boundary": r"\b",
    "not-word-boundary": r"\B",
}
_JAVASCRIPT_ESCAPES: Final = (r"\x{0:02x}", r"\u{0:04x}", r"\u{{{0:x}}}")
_PYTHON_ESCAPES: Final = (r"\x{0:02x}", r"\u{0:04x}", r"\U{0:08x}")
_HIT_END: Final = "hitEnd() after the plain pattern's lookingAt() from each start, transparent bounds, no anchoring"
_IDENTIFIERS: Final = r"[^\W\d]\w*"
_LONE_LEAD: Final = r"[\ud800-\udbff](?![\udc00-\udfff])"
_LONE_TRAIL: Final = r"(?<![\ud800-\udbff])[\udc00-\udfff]"
_LETTERS_AND_DIGITS: Final = "[A-Za-z][A-Za-z0-9]*"

_ECMASCRIPT: Final = Engine(
    name="ecmascript",
    title="ECMAScript, flags su",
    flags="su",
    lookbehind="any",
    atomic="by lookahead",
    possessive=False,
    conditional=None,
    unset_group_fails=False,
    keeps_groups=False,
    empty_iterations=False,
    any_char=".",
    not_in_pair="(?=.|$)",  # of half a pair V8 makes no character
    escapes=_JAVASCRIPT_ESCAPES,
    special_in_set=frozenset(r"[]\^-"),
    positions=_JAVASCRIPT,
    ascii_positions=_WORDS | {"word-boundary": r"\b", "not-word-boundary": r"\B"},
)
_RE2: Final = Engine(
    name="re2",
    title="RE2 (Go)",
    lookahead=False,
    lookbehind=None,
    backreference=None,
    atomic=None,
    possessive=False,
    conditional=None,
    unset_group_fails=False,
    empty_iterations=False,
    most_repeats=1000,
    most_units=200_000,
    word_boundary="ascii",
    encoding="utf-8",
    group="(?P<{name}>",
    never=r"[^\x00-\x{10FFFF}]",
    positions=_NO_LOOKAROUND,
    ascii_positions={"word-boundary": r"\b", "not-word-boundary": r"\B"},
)

ENGINES: Final = {
    engine.name: engine
    for engine in (
        _ECMASCRIPT,
        replace(
            _ECMASCRIPT,
            name="ecmascript-v",
            title="ECMAScript, flags sv",
            flags="sv",
            special_in_set=frozenset(r"()[]{}/-\|^&"),
            negated_set="[[^{items}]]",  # V8 11.3 takes [^b] for [b] the second time when it unrolls a loop
            positions={at: template.replace(r"[^\n]", r"[[^\n]]") for at, template in _JAVASCRIPT.items()},
        ),
        Engine(
            name="java",
            title="Java",
            lookbehind="bounded",
            conditional=None,
            forgets_attempts=False,
            restores_groups=False,
            looks_in_lookbehind=False,
            empty_iterations=False,
            grapheme=r"\X",
            group_names=_LETTERS_AND_DIGITS,
            native_partial=f"Matcher.{_HIT_END}",
            escapes=(r"\x{0:02x}", r"\x{{{0:x}}}", ""),
            by_code_points="(?:\U0001f600){0}",  # any character beyond U+FFFF in the pattern will do
            positions=_EDGES | _WORDS,
            ascii_positions=_WORDS,
        ),
        Engine(
            name="dotnet",
            title=".NET",
            lookbehind="any",
            possessive=False,
            empty_iterations=False,
            empty_lazy_iterations=False,
            repeated_names=True,
            forward_references=True,
            encoding="utf-16",
            not_in_pair=r"(?<![\ud800-\udbff](?=[\udc00-\udfff]))",
            any_char=rf"(?:[^\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff]|{_LONE_LEAD}|{_LONE_TRAIL})",
            escapes=(r"\x{0:02x}", r"\u{0:04x}", ""),
            positions=_EDGES | _WORDS,
            ascii_positions=_WORDS,
        ),
        Engine(
            name="pcre2",
            title="PCRE2 (PHP)",
            flags="PCRE2_UTF",
            conditional="(?(<{name}>){yes}|{no})",
            possessive=False,  # PCRE2 10.42 keeps what such a loop captured at an earlier start
            most_repeats=65_534,
            most_units=8_000,
            most_characters=120_000,
            unrolls_chars=False,
            backreference="(?P={name})",
            grapheme=r"\X",
            forward_references=True,
            group="(?P<{name}>",
            group_names="[A-Za-z_][A-Za-z0-9_]{0,31}",
            encoding="utf-8",
            native_partial="the plain pattern with PCRE2_PARTIAL_HARD: PCRE2_ERROR_PARTIAL is undecided from its start",
            positions=_EDGES | _WORDS,
            ascii_positions=_WORDS,
        ),
        Engine(
            name="icu",
            title="ICU (Swift's NSRegularExpression)",
            lookbehind="bounded",
            conditional=None,
            empty_iterations=False,
            empty_lazy_iterations=False,
            looks_in_lookbehind=False,
            grapheme=r"\X",
            group_names=_LETTERS_AND_DIGITS,
            any_char=r"[\s\S]",  # (?s:.) takes "\r\n" as one
            any_start=r"(?:[\s\S](?!)|)",  # ICU 78.3 begins `(?=(\w))\1!` at "!" only, as if \1 were empty
            native_partial=_HIT_END,
            positions=_EDGES | _WORDS,
            ascii_positions=_WORDS,
        ),
        _RE2,
        replace(
            _RE2,
            name="rust",
            title="Rust regex",
            most_repeats=None,
            most_units=50_000,
            word_boundary="unicode",
            after_lazy="(?:)",  # regex 1.7 begins `.*?[ab]{2,3}?aaa` too late in "😀baaaa"
            never=r"(?:\z(?s:.))",
            ascii_positions={"word-boundary": r"(?-u:\b)"},
        ),
        Engine(
            name="re",
            title="Python re",
            possessive=False,  # in Python 3.11.2 such a loop may keep what a last iteration that failed had taken
            backreference="(?P={name})",
            group="(?P<{name}>",
            group_names=_IDENTIFIERS,
            escapes=_PYTHON_ESCAPES,
            positions=_PYTHON | _WORDS,
            ascii_positions=_WORDS,
        ),
        Engine(
            name="ruby",
            title="Ruby (Onigmo)",
            possessive=False,
            conditional="(?(<{name}>){yes}|{no})",
            looks_in_lookbehind=False,
            grapheme=r"\X",
            encoding="utf-8",
            any_char="(?m:.)",
            escapes=(r"\x{0:02x}", r"\u{{{0:x}}}", r"\u{{{0:x}}}"),
            positions=_EDGES | _WORDS,
            ascii_positions=_WORDS,
        ),
        Engine(
            name="regex",
            title="Python regex",
            flags="V0",
            lookbehind="any",
            backreference="(?P={name})",
            grapheme=r"\X",
            repeated_names=True,
            forward_references=True,
            native_classes=True,
            group="(?P<{name}>",
            group_names=_IDENTIFIERS,
            escapes=_PYTHON_ESCAPES,
            positions=_PYTHON
            | {"word-boundary": r"\b", "not-word-boundary": r"\B", "word-start": r"\m", "word-end": r"\M"},
            # `regex` doesn't heed (?a:…) at \m and \M (2026.11)
            ascii_positions=_WORDS | {"word-boundary": r"(?a:\b)", "not-word-boundary": r"(?a:\B)"},
        ),
    )
}
