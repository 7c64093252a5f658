"""The rows of the matrix: patterns for each construct, the core ones together, the extended ones as in DIALECT-3."""

from __future__ import annotations

from typing import Final

FEATURES: Final[dict[str, tuple[str, ...]]] = {
    "literals, escapes": ("</think>", r"<\|im_end\|>", r"\x41\u00e9\U0001f600\n\101", r"call\{|\]|\}\#\ \_"),
    "sets": ("[a-c]", "[^>\n]+", r"[]\w-]x", r"[^\s😀]", r"[[a]b]", r"[\d&&~~||]"),
    "`.`": ("a.b", ".*?<", "<.+>"),
    "`\\d \\s \\w`": (r"\d+", r"\s*<", r"(?P<name>\w+)\(", r"\D\S\W", r"[^\s\S]|x"),
    "groups, `|`": ("(?P<x>a|ab)(?:c|bcd)", "(a)(?P<x>b)?(c)", "(?P<x>a)|b|"),
    "quantifiers": ("a*b+c?", "a*?b+?c??", "(?P<x>ab){2,3}?c", "(?P<x>[ab])*<", "a{,2}b{3}c{1,}"),
    "loops over nothing": ("(?:a?)*b", "(?P<x>a|)+b", "(?:(?P<x>a)|b?)*?<", r"(?:\s*,?)*\]"),
    r"`^ \A`": (r"^a|b", r"\Aab", r"(?:^|\n)<"),
    "`$`": ("a$", "</s>|$", r"(?:a$|b)\n?"),
    r"`\Z \z`": (r"a\Z", r"</s>|\z", r"(?:a\Z|b)c*"),
    "`lookahead`": ("a(?=b)", r"</think>(?=\n|$)", "(?=[ab]*c)[ab]", "a(?=(?P<x>b+))[bc]+"),
    "`negative-lookahead`": ("a(?!b)", r"</think>(?!\n\n)", "(?!ab)[ab]+", "(?:(?!</s>).)*<"),
    "`lookbehind`": ("(?<=a)b", r"(?<=\n|^)<", "(?<=ab|c)d", "a(?<=a+)b"),
    "`negative-lookbehind`": ("(?<!a)b", r"(?<![\w.])x", "(?<!ab|c)d", "(?<!a+b)c"),
    "`word-boundary`": (r"\bab", r"ab\b", r"a\Bb", r"\b\w+\b"),
    "`word-edge`": (r"\mab", r"ab\M", r"\m\w+\M"),
    "`atomic`": ("(?>a|ab)c", "(?>a*)b", "(?>(?P<x>a+|b))[ac]"),
    "`possessive`": ("a*+b", "(?:ab|a)++b", "[^<]*+<", "a?+a{2,3}+"),
    "`backreference`": ("(?P<q>['\"]).*?(?P=q)", r"(a|ab)\1", r"(?:(?P<x>a)|b)(?P=x)", r"(?P<x>[ab])(?i:(?P=x))"),
    "`conditional`": ("(?P<x><)?a(?(x)>)", "(a)?b(?(1)c|d)", "(?:(?P<x>a)|b)+(?(x)c|d)", "(?(?=a)ab|c)"),
    "`ignore-case`": ("(?i)<think>", "(?i)k", "(?i:[i-k])s", "(?i)[^s]ß", "(?i)İ"),
    "`multiline`": ("(?m)^a", "(?m)a$", "(?m)^$", r"(?m:^|<)a(?m:$)"),
    "`dot-without-newline`": ("(?-s)a.*b", "(?-s:.)x"),
    "`verbose`": ("(?x) a b # comment", "(?x: < [ ] > )"),
    "`ascii`": (r"(?a)\w+", r"(?a)\bé", r"(?a)\s\d", "(?ai)k"),
    "`unicode-property`": (r"\p{L}+", r"\P{Lu}", r"\p{Greek}", r"[\p{Nd}\p{Script=Han}]", r"\h"),
    "`posix-class`": ("[[:alpha:]]+", "[[:^digit:]]", "[[:punct:]x]"),
    "`named-character`": (r"\N{DIGIT ONE}", r"\N{GRINNING FACE}+"),
    "`line-break`": (r"a\R", r"\R+b"),
    "`grapheme`": (r"a\X", r"\X+?b"),
    "`branch-reset`": ("(?|(a)|(b))c", r"(?|(?P<x>a)|(?P<x>bc))d"),
    "`duplicate-names`": ("(?P<x>a)|(?P<x>b)", "(?:(?P<x>a)|(?P<x>b)c)+", "(?P<x>a)(?P<x>b)?"),
    "`group-kept-in-loop`": ("(?:(?P<a>a)|(?P<b>b))+c", "(?:(?P<x>[ab])?<)+", "(?:(?P<x>a)|bc|b)*d"),
    "named groups beyond ASCII": ("(?P<né>a)", "(?P<a_b>a)(?P<_>b)"),
    "characters beyond U+FFFF": ("😀+", "[😀-😂]x", "[^😀]", ".😀"),
}
