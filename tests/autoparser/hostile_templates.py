"""Chat templates that ask too much, and pieces of which any can be made."""

from __future__ import annotations

import random
from typing import Final

from antiphon_portability.autoparser.analysis.comparisons import LONGEST
from antiphon_portability.chat import Dialect
from recorded import chat_templates

MANY: Final = LONGEST // 8


def turns(before: str = "", reasoning: str = "") -> str:
    """All turns in tags, with texts before and behind the reasoning."""
    written = f"{{{{ m.content }}}}{before}{{{{ m.reasoning_content }}}}{reasoning}"
    return f"{{% for m in messages %}}<t>{written}</t>{{% endfor %}}"


def calls(each: str, before: str = "") -> str:
    """All turns, and in them calls; `f` is the function, `k` and `v` are an argument."""
    arguments = f"{{% for k, v in f.arguments | items %}}{each}{{% endfor %}}"
    loop = f"{{% for c in m.tool_calls %}}{{% set f = c.function %}}{{{{ f.name }}}}{arguments}{{% endfor %}}"
    return turns(before, loop)


def calling(text: str) -> str:
    """All turns, and behind those with calls a text; `n` is the first function's name."""
    return turns("", f"{{% if m.tool_calls %}}{{% set n = m.tool_calls[0].function.name %}}{text}{{% endif %}}")


ENDLESS: Final = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
HOSTILE: Final[dict[str, str]] = {
    "nothing": "",
    "a syntax error": "{{",
    "endless": ENDLESS,
    "endless with tools": f"{{% if tools %}}{ENDLESS}{{% endif %}}",
    "huge": "{% for a in range(99999) %}{{ messages }}{% endfor %}",
    "too long to look at": "{{ '<a>' * 99999 }}{{ messages[0].content }}",
    "recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "another text each time": "{{ range(99999) | random }}{% for m in messages %}{{ m }}{% endfor %}",
    "openers": calls("{{ k }}{{ '[' * 999 }}{{ v }}", f"{{{{ '<' * {MANY} }}}}"),
    "openers in calls": calls(f"{{{{ '<' * {MANY} }}}}{{{{ k }}}}{{{{ '[' * {MANY} }}}}{{{{ v }}}}"),
    "openers and a closer": calls("{{ '<' * 999 }}{{ k }}>{{ v }}", f"{{{{ '<[' * {MANY // 2} }}}}>"),
    "markers": calls("{{ '<a> ' * 999 }}{{ k }}{{ '<b>' * 999 }}{{ v }}", f"{{{{ '<a> ' * {MANY // 4} }}}}"),
    "markers behind a name": calls(f"{{{{ k }}}}={{{{ v }}}}{{{{ '<a> ' * {MANY // 2} }}}}"),
    "markers with spaces": calls("<a>{{ ' ' * 999 }}{{ k }}={{ v }}", f"<a>{{{{ ' ' * {MANY} }}}}"),
    "names": calls("{{ ('<' ~ f.name) * 400 }}{{ ('[' ~ k) * 400 }}{{ v * 400 }}"),
    "nearly the name": calls("{{ '<FFF_FIRST_FUN_' * 99 }}", f"{{{{ '<FFF_FIRST_FUN_' * {MANY // 16} }}}}"),
    "braces": calling("{{ '{' * 999 }}{{ m.tool_calls | tojson }}{{ '}' * 999 }}"),
    "deep JSON": calling('{"name": "{{ n }}", "a": {{ "[" * 5000 }}{{ "]" * 5000 }} }'),
    "no object": calling(': "{{ n }}"'),
    "no end": calling('} {"{{ n }}"'),
    "a replacement as name": calls(r"\1\g<2>({{ k }})\E{{ v }}"),
    "half characters": "\ud800" + calls("<\udc00{{ k }}>\udc00{{ v }}", "\udfff"),
    "null characters": "\x00" + calls("<\x00{{ k }}>\x00{{ v }}", "\x00"),
    "out of the sandbox": "{{ messages.__class__.__base__.__subclasses__() }}{{ cycler.__init__.__globals__.os }}",
    "adds to what it was given": "{% set _ = messages.append({'role': 'user', 'content': 'x'}) %}{{ messages }}",
    "cuts what it was given": "{% set _ = messages.clear() %}{{ messages }}{% set _ = tools.clear() %}",
}
PIECES: Final = (
    "{% for m in messages %}", "{% endfor %}", "{% if m.tool_calls %}", "{% if m.role == 'assistant' %}", "{% else %}",
    "{% endif %}", "{{ m.content }}", "{{ m.reasoning_content }}", "{{ m | tojson }}", "{{ m.tool_calls | tojson }}",
    "{{ m.tool_calls[0].function.name }}", "{{ m.tool_calls[0].function.arguments }}", "{{ m.tool_calls[0].id }}",
    "{{ tools }}", "{{ raise_exception('x') }}", "{% set m = none %}", "<t>", "</t>", "<think>", "[CALL]", "<", "[",
    "{", "}", " ", "\n", "x", '"', "{{ m.content.split('x')[0] }}", "{{ m.content + 1 }}", "{{ enable_thinking }}",
    "{{ add_generation_prompt }}", "{{ loop.index }}", "{{ m.x.y.z }}",
)  # fmt: skip


def damaged(number: int) -> str:
    """A real one with lines left out, cut off, written twice or in another order."""
    chance = random.Random(number)
    lines = chance.choice(list(chat_templates().values())).splitlines(keepends=True)
    for _ in range(chance.randrange(1, 4)):
        place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        cut = lines[place][: chance.randrange(len(lines[place]) + 1)]
        lines[place : place + 1] = chance.choice([[""], [cut], [lines[place]] * 2, [lines[other]]])
    return "".join(lines)


REFUSED: Final = {
    ("llama.cpp/fireworks-ai-llama-3-firefunction-v2.jinja", Dialect.HUGGING_FACE): "'functions' is undefined"
}
"""It reads names that transformers doesn't give it."""
