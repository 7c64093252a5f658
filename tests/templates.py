"""Templates that tests draw from: awkward shapes by hand, and random ones by Hypothesis."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

# Opens and closes that overlap, look around, match nothing, or can be decided late only. The texts that are drawn
# for them are made of the same letters, so that most delimiters are met in most texts.
LITERALS: Final[list[Any]] = [
    "<a>", "</a>", "<b>", "<a", "ab", "a", ["</a>", "</a>\n"], ["\n\nb", "b"], ["<a>", "<a><b>"], "</b>",
]  # fmt: skip
PATTERNS: Final = [
    r"</a>\s*", r"\s*<a>", r"<a>|$", r"</a>\n|</a>", r"<a>(?:b+)?", r"(?:ab){1,3}", r"<a>(?!/b)", r"<a>(?=b)",
    r"(?=\n)", r"$", r"\Z", r"^", r"(?:^|<a>\s*)", r"(?:</a>|$)", r"<a>.*?<b>", r"<a>.*<b>", r"(?<=\n)a",
    r"(?<!b)a", r"\ba", r"a\b", r"(?:a|ab)b", r"a{2,}", r"[^<]*<b>", r"(?=[\s\S]*?</a>)", r"<(?P<tag>a|b)>",
    r"(?P<end></a>|$)", r"(?i)<A>", r"b?", r"(?>a|ab)", r"a*+b", r"(?m)^a", r"(?:<b>)?[^<]*<a>",
]  # fmt: skip
PIECES: Final = [
    "<a>", "</a>", "<b>", "</b>", "a", "b", "<", "/", ">", "\n", " ", "{", "}", '"', "1", "<a", "\n\n", "é",
]  # fmt: skip

texts: Final = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@st.composite
def delimiters(draw: st.DrawFn, side: str) -> dict[str, Any]:
    if draw(st.booleans()):
        return {side: draw(st.sampled_from(LITERALS))}
    return {side + "_pattern": draw(st.sampled_from(PATTERNS))}


@st.composite
def fields(draw: st.DrawFn, *, explicit: bool) -> dict[str, Any]:
    field: dict[str, Any] = draw(delimiters("open")) if explicit else {}
    if draw(st.integers(0, 4)):
        field |= draw(delimiters("close"))
    kind = draw(st.sampled_from(["text", "text", "text", "json", "int", "kv-lines"]))
    field["content"] = kind
    if kind == "json":
        field["content_args"] = {"allow_non_json": draw(st.booleans())}
    named = [value for key, value in field.items() if key.endswith("_pattern") and "?P<" in value]
    if named:
        field["transform"] = {"it": "{content}", **({"tag": "{tag}"} if any("tag" in value for value in named) else {})}
    if draw(st.booleans()):
        field["repeats"] = True
        if kind == "text" and not named and draw(st.booleans()):
            field["join"] = draw(st.sampled_from(["", "\n"]))
    if draw(st.integers(0, 9)) == 0:
        field["optional"] = False
    return field


@st.composite
def templates(draw: st.DrawFn) -> dict[str, Any]:
    """Valid templates with up to three explicit fields and perhaps an implicit one."""
    names = draw(st.permutations(["w", "x", "y", "z"]))
    count = draw(st.integers(0, 3))
    made = {name: draw(fields(explicit=True)) for name in names[:count]}
    if not made or draw(st.integers(0, 3)):
        made[names[3]] = draw(fields(explicit=False))
    return {"defaults": {"role": "assistant"}, "start_anchor": "@", "fields": made}
