"""Tables of code points: what is white space (TEXT-2), and what `\\s`, `\\d`, `\\w` and `\\b` make of each script and
category (DIALECT-4), with those that stand beside the tables' edges. A case holds many code points, each in a region of
its own, so a failure shows which of them is wrong.

Only code points that have been in Unicode for long are here: for others results may differ (DIALECT-1).
"""

from __future__ import annotations

from typing import Any

ANCHOR = "<bot>"


def span(first: int, last: int) -> str:
    """All code points from the first to the last."""
    return "".join(map(chr, range(first, last + 1)))


STRIPPED = "".join(
    (
        *(span(0x09, 0x0D), span(0x1C, 0x20), "\x85\xa0\u1680", span(0x2000, 0x200A)),
        "\u2028\u2029\u202f\u205f\u3000",
    )
)
NOT_STRIPPED = (  # the neighbours of each of these spans, and what looks empty or is white space to some language
    "\x08\x0e\x1b\x21\x7f\x84\x86\x9f\xa1\xad\u034f\u061c\u115f\u167f\u1681\u180e\u1fff\u200b\u200c\u200d\u200e\u200f"
    "\u2027\u202a\u202e\u2030\u205e\u2060\u2061\u2800\u2fff\u3001\u3164\ufeff\uffa0\U000e0020"
)
PROPERTY = "".join(char for char in STRIPPED if not "\x1c" <= char <= "\x1f")  # White_Space

SCRIPTS = {
    "europe": (
        "of Europe and the Caucasus",
        "Āß ϐΩ Ѐ҃ж Ա Ⴀა \u2c00\U0001e000 \u03e2\u2c81 \u1681 \u16a0 \U00010300 \U00010330 \U00010350\U00010376"
        " \U00010500 \U00010530 \U00010c80 \U00010400 \U00010450",
    ),
    "near-east": (
        "of the Near East",
        "א\u0591 ؠ\u0610٠ \u0710\u0711 \u0780\u07a6 \u0800\u0816 \u0840\u0859 \U00010840 \U00010860 \U00010880"
        " \U000108e0 \U00010900 \U00010920 \U00010ac0\U00010ae5 \U00010b00 \U00010b40 \U00010b60 \U00010b80"
        " \U00012000 \U00010380 \U000103a0 \U00010280 \U000102a0",
    ),
    "africa": (
        "of Africa",
        "ߊ\u07eb߀ ሀ\u135d \u2d30\u2d7f \ua500\ua620 \ua6a0\ua6f0 \U00010480\U000104a0 \U00010980 \U000109a0 \U00013000"
        " \U00016ad0\U00016af0 \U0001e800\U0001e8d0 \U0001e900\U0001e944\U0001e950",
    ),
    "india": (
        "of South Asia, with vowel signs and digits",
        "ऄ\u0900० ঀ\u0981০ ਅ\u0a01੦ અ\u0a81૦ ଅ\u0b01୦ ஃ\u0b82௦ అ\u0c00౦ ಅ\u0c81೦ അ\u0d00൦ අ\u0d82෦"
        " \ua800\ua802 \ua882\ua880\ua8d0"
        " \uaae0\uaaeb\uabf0 \u1c00\u1c24\u1c40 \u1c5a\u1c50 \u1900\u1920\u1946 \U00011003\U00011000\U00011066"
        " \U00011083\U00011080 \U000110d0\U000110f0 \U00011103\U00011100\U00011136 \U00011183\U00011180\U000111d0"
        " \U00011480\U000114b0\U000114d0",
    ),
    "south-east-asia": (
        "of South-East Asia",
        "กัสดี๐ ກ\u0eb1໐ က\u102b၀ ក\u17b4០ \u1950 \u1980\u19d0 \u1a00\u1a17 \u1a20\u1a55\u1a80 \u1b05\u1b00\u1b50"
        " \u1b83\u1b80\u1bb0 \u1bc0\u1be6 \u1700\u1712 \u1720\u1732 \ua90a\ua926\ua900 \ua930\ua947 \ua984\ua980\ua9d0"
        " \uaa00\uaa29\uaa50 \uaa80\uaab0 \U00016b00\U00016b30\U00016b50",
    ),
    "east-asia": (
        "of East Asia",
        "\u1100\u302e한국 ぁひゝ ァーカ ㄅ 一\U00020000々〆 ꀀ ꓐ ༀ\u0f18༠ ᠠ\u180b᠐ \ua840"
        " \U00016f00\U00016f4f \U00017000 \U0001b170",
    ),
    "america": (
        "of America, and invented ones",
        "Ꭰꭰ ᐁ \U000104b0 \U0001bc00\U0001bc9d \U00010a00\U00010a01 \U00016a40\U00016a60",
    ),
}
WORD_LIKE = (  # neither plain letters nor digits: letter numbers, letters in circles, marks, connectors, joiners
    "ªºʰⅧⅷ〇Ⓐⓩĳǅ\u0345\u0300\u20dd\u0903\u3099_‿⁀⁔︳︴﹍﹎﹏＿\u200c\u200dー々ﬁ𝔘𝟘\U0001f130\U0001f189"
)
NOT_WORD = (  # numbers and symbols that aren't letters, punctuation of every category, controls, white space
    "²¹½①⑽㉈௰\U00010107-–‐—·'’“„«»()[]{}…§¶$€₿+−×∞<>^`´¨\u02c5°©®™№☃🔧\U0001f1e7🏽"
    "\u200b\u200e\u2060\ufeff\xad \t\xa0\u3000\x00\x1f\x85\ufffd\ue000\U000e0001"
)
ZEROES = (
    "0\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0de6\u0e50\u0ed0\u0f20\u1040\u1090\u17e0\u1810"
    "\u1946\u19d0\u1a80\u1a90\u1b50\u1bb0\u1c40\u1c50\ua620\ua8d0\ua900\ua9d0\ua9f0\uaa50\uabf0\uff10\U000104a0\U00011066"
    "\U000110f0\U00011136\U000111d0\U000112f0\U00011450\U000114d0\U00011650\U000116c0\U00011730\U000118e0\U00011c50"
    "\U00016a60\U00016b50\U0001d7ce\U0001d7d8\U0001d7e2\U0001d7ec\U0001d7f6\U0001e950"
)
NINES = "".join(chr(ord(zero) + 9) for zero in ZEROES)
NOT_DIGITS = "²³¹¼½௰௱௲๏〇一三十①⑨⒐⓪❾㈠㊈ⅠⅧⅷↁ\u0bf0\u0f33\u1369\u19da\u2070\u2089\U00010107\U0001e8c7\U0001f100abF٪%"


def field(close: str, **others: Any) -> dict[str, Any]:
    return {"close": close, "repeats": True, **others}


def template(**fields: Any) -> dict[str, Any]:
    return {"start_anchor": ANCHOR, "fields": fields}


UNSTRIPPED = {"content_args": {"strip": False}}
WORDS = template(words=field(";", open_pattern=r"<(?P<n>\w+)>", transform="{n}"), rest={"repeats": True, **UNSTRIPPED})


def case(name: str, description: str, clauses: str, template: Any, text: str, message: Any, **others: Any) -> Any:
    return {
        "id": name,
        "description": description,
        "clauses": clauses.split(),
        **{key: value for key, value in others.items() if key == "requires"},
        "timing": False,
        "template": template,
        **{key: value for key, value in others.items() if key != "requires"},
        "text": text,
        "expect": {"message": message},
    }


def between(chars: str, before: str, behind: str, inside: str = "") -> str:
    """For each code point: itself, perhaps something, and itself again, between two delimiters."""
    return "".join(f"{before}{char}{inside}{char if inside else ''}{behind}" for char in chars)


def stripping() -> list[Any]:
    lines = "".join(char for char in STRIPPED if char not in "\n")
    return [
        case(
            "alone",
            "Each white space character alone: nothing is left of it.",
            "TEXT-2 KIND-TEXT-1",
            template(x=field("]", open="[")),
            between(STRIPPED, "[", "]"),
            {"x": [""] * len(STRIPPED)},
        ),
        case(
            "near-misses",
            "Neighbours of white space, and characters that only look empty: each is left as it is.",
            "TEXT-2 TEXT-3",
            template(x=field("]", open="[")),
            between(NOT_STRIPPED, "[", "]"),
            {"x": list(NOT_STRIPPED)},
        ),
        case(
            "in-lines",
            "Lines are divided at line feeds only, and stripped of all white space around keys and values.",
            "TEXT-2 KIND-KV-1 KIND-KV-2",
            template(x={"content": "kv-lines"}),
            "".join(f"{char}k{index}{char}:{char}v{char}\n" for index, char in enumerate(lines)),
            {"x": {f"k{index}": "v" for index, _ in enumerate(lines)}},
            requires=["kv-lines"],
        ),
    ]


def stripped_numbers() -> list[Any]:
    numbers = {kind: template(n=field("]", open="[", content=kind)) for kind in ("int", "float", "bool")}
    return [
        case(
            "around-integers",
            "Each white space character on both sides of an integer. Conversions of host languages strip other sets.",
            "TEXT-2 KIND-INT-1",
            numbers["int"],
            between(STRIPPED, "[", "]", "7"),
            {"n": [7] * len(STRIPPED)},
        ),
        case(
            "around-integers-near-misses",
            "The near misses on both sides of an integer: none is one.",
            "TEXT-2 KIND-INT-1 ERROR-6",
            numbers["int"],
            between(NOT_STRIPPED, "[", "]", "7"),
            {},
            options={"on_malformed": "event"},
        ),
        case(
            "around-floats",
            "Each white space character on both sides of a real number.",
            "TEXT-2 KIND-FLOAT-1",
            numbers["float"],
            between(STRIPPED, "[", "]", "-.5"),
            {"n": [-0.5] * len(STRIPPED)},
        ),
        case(
            "around-floats-near-misses",
            "The near misses on both sides of a real number.",
            "TEXT-2 KIND-FLOAT-1 ERROR-6",
            numbers["float"],
            between(NOT_STRIPPED, "[", "]", "-.5"),
            {},
            options={"on_malformed": "event"},
        ),
        case(
            "around-booleans",
            "Each white space character on both sides of a truth value.",
            "TEXT-2 KIND-BOOL-1",
            numbers["bool"],
            between(STRIPPED, "[", "]", "true"),
            {"n": [True] * len(STRIPPED)},
        ),
        case(
            "around-booleans-near-misses",
            "The near misses on both sides: anything but true is false.",
            "TEXT-2 KIND-BOOL-1",
            numbers["bool"],
            between(NOT_STRIPPED, "[", "]", "true"),
            {"n": [False] * len(NOT_STRIPPED)},
        ),
    ]


def spaces() -> list[Any]:
    def marks(pattern: str) -> Any:
        return template(x=field(";", open_pattern=f"<{pattern}>"), rest={"repeats": True, **UNSTRIPPED})

    texts = [f"<{char}>" for char in NOT_STRIPPED + "\x1c\x1d\x1e\x1f"]
    return [
        case(
            "space",
            "`\\s` takes every character with the property White_Space.",
            "DIALECT-4",
            marks(r"\s"),
            "".join(f"<{char}>a;" for char in PROPERTY),
            {"x": ["a"] * len(PROPERTY)},
        ),
        case(
            "space-near-misses",
            "And none of the neighbours, nor U+001C to U+001F.",
            "DIALECT-4 TEXT-2",
            marks(r"\s"),
            "".join(texts),
            {"rest": ["".join(texts)]},
        ),
        case(
            "not-space",
            "`\\S` takes those.",
            "DIALECT-4",
            marks(r"\S"),
            "".join(f"{text}a;" for text in texts),
            {"x": ["a"] * len(texts)},
        ),
    ]


def words() -> list[Any]:
    cases = [
        case(
            f"letters-{name}",
            f"Words in the scripts {place}: `\\w` takes letters, marks and digits alike.",
            "DIALECT-4 TRANSFORM-3",
            WORDS,
            "".join(f"<{word}>;" for word in text.split()),
            {"words": text.split()},
        )
        for name, (place, text) in SCRIPTS.items()
    ]
    not_word = template(x=field(";", open_pattern=r"<\W>"), rest={"repeats": True, **UNSTRIPPED})
    return [
        *cases,
        case(
            "word-like",
            "What is of the word without being a plain letter or digit: letter numbers, letters in circles, marks, "
            "connectors, the two joiners.",
            "DIALECT-4 TRANSFORM-3",
            WORDS,
            "".join(f"<{char}>;" for char in WORD_LIKE),
            {"words": list(WORD_LIKE)},
        ),
        case(
            "not-word",
            "What isn't: other numbers, punctuation, symbols, pictures, controls, white space.",
            "DIALECT-4",
            not_word,
            "".join(f"<{char}>a;" for char in NOT_WORD),
            {"x": ["a"] * len(NOT_WORD)},
        ),
    ]


def digits() -> list[Any]:
    numbers = template(
        numbers=field(";", open_pattern=r"<(?P<n>\d+)>", transform="{n}"), rest={"repeats": True, **UNSTRIPPED}
    )
    not_digits = template(x=field(";", open_pattern=r"<\D>"), rest={"repeats": True, **UNSTRIPPED})
    return [
        case(
            "zeroes",
            "The zeroes of all scripts that have one are digits.",
            "DIALECT-4 TRANSFORM-3",
            numbers,
            f"<{ZEROES}>;",
            {"numbers": [ZEROES]},
        ),
        case(
            "nines",
            "The nines, at the other ends of the ranges.",
            "DIALECT-4 TRANSFORM-3",
            numbers,
            f"<{NINES}>;",
            {"numbers": [NINES]},
        ),
        case(
            "not-digits",
            "Numbers that aren't decimal digits: fractions, superscripts, tens, ideographs, Roman and circled ones.",
            "DIALECT-4",
            not_digits,
            "".join(f"<{char}>a;" for char in NOT_DIGITS),
            {"x": ["a"] * len(NOT_DIGITS)},
        ),
    ]


def boundaries() -> list[Any]:
    letters = "".join(word[0] for _, text in SCRIPTS.values() for word in text.split())
    sides = template(x=field(";", open_pattern=r"\bEND\b"), rest={"repeats": True, **UNSTRIPPED})
    inside = "".join(f"END{char} " for char in letters + WORD_LIKE + NINES)
    before = "".join(f" {char}END" for char in letters + WORD_LIKE + NINES)
    others = "".join(char for char in NOT_WORD if char != ";")
    boundary = {"requires": ["word-boundary"]}
    return [
        case(
            "no-boundary-behind",
            "A letter, mark or digit of any script behind the mark: no word ends there.",
            "DIALECT-4",
            sides,
            inside,
            {"rest": [inside]},
            **boundary,
        ),
        case(
            "no-boundary-before",
            "One of them before the mark: no word begins there.",
            "DIALECT-4",
            sides,
            before,
            {"rest": [before]},
            **boundary,
        ),
        case(
            "boundary-behind",
            "Anything else behind the mark: the word ends.",
            "DIALECT-4",
            template(x=field(";", open_pattern=r"\bEND\b", **UNSTRIPPED)),
            "".join(f"END{char};" for char in others),
            {"x": list(others)},
            **boundary,
        ),
        case(
            "boundary-before",
            "Anything else before the mark: the word begins.",
            "DIALECT-4",
            sides,
            "".join(f"{char}END;" for char in others),
            {"x": [""] * len(others), "rest": list(others)},
            **boundary,
        ),
    ]


FILES = {
    "unicode/white-space-table": (
        "Every character that stripping removes, and those beside them.",
        ["host-rules", "wrong-value"],
        stripping,
    ),
    "unicode/white-space-numbers-table": (
        "The same around numbers and truth values, which conversions of host languages strip in their own ways.",
        ["host-rules", "wrong-value"],
        stripped_numbers,
    ),
    "unicode/space-table": ("Every character that `\\s` takes, and those beside them.", ["engine-rules"], spaces),
    "unicode/word-table": ("`\\w` and `\\W` over scripts and categories.", ["engine-rules", "lost-call"], words),
    "unicode/digit-table": ("`\\d` and `\\D` over scripts.", ["engine-rules"], digits),
    "unicode/boundary-table": ("`\\b` over scripts and categories.", ["engine-rules", "swallowed-text"], boundaries),
}


def documents() -> dict[str, Any]:
    """The files of this family."""
    return {
        name: {
            "$schema": "../../schema/case-file.schema.json",
            "description": description,
            "notes": notes,
            "cases": cases(),
        }
        for name, (description, notes, cases) in FILES.items()
    }
