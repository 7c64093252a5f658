"""Whatever the chat template, an analysis comes back, or one of the room's errors, in bounded time."""

from __future__ import annotations

import random
import time
from typing import Any, Final

import pytest
from antiphon_portability.autoparser import Analysis, NotAnalysed, analyse
from antiphon_portability.autoparser.analysis.comparisons import LONGEST
from antiphon_portability.chat import Dialect, NotRendered, Renderer, TooMuch
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import chat_templates
from support import examples

SECONDS: Final = 60  # of process time; most take a fraction of one
REFUSALS: Final = (NotAnalysed, NotRendered, TooMuch)

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


def come_back(source: str, dialect: Dialect, seconds: float = 2) -> Any:
    """The analysis, or the refusal, with a text that says why."""
    begun = time.process_time()
    try:
        with Renderer(source, dialect=dialect, seconds=seconds) as renderer:
            found: Any = analyse(renderer)
    except REFUSALS as refusal:
        assert str(refusal)
        return refusal
    finally:
        assert time.process_time() - begun < SECONDS
    assert Analysis.of(found.document()) == found
    return found


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_chat_templates(name: str, dialect: Dialect) -> None:
    come_back(HOSTILE[name], dialect)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.sampled_from(list(Dialect)))
def test_any_pieces(source: str, dialect: Dialect) -> None:
    come_back(source, dialect)
    come_back(f"{{% for m in messages %}}{source}{{% endfor %}}", dialect)


@pytest.mark.parametrize("number", range(examples(40)))
def test_damaged_chat_templates(number: int) -> None:
    """Real ones, with lines left out, written twice, or in another order."""
    chance = random.Random(number)
    lines = chance.choice(list(chat_templates().values())).splitlines(keepends=True)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(lines))
        kept = chance.choice([[], [lines[place]] * 2, [lines[place][: chance.randrange(len(lines[place]) + 1)]]])
        lines[place : place + 1] = kept or [""]
    come_back("".join(lines), Dialect.LENIENT, seconds=10)


REFUSED: Final = {
    ("llama.cpp/fireworks-ai-llama-3-firefunction-v2.jinja", Dialect.HUGGING_FACE): "'functions' is undefined"
}
"""It reads names that transformers doesn't give it."""


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize("package", ["llama.cpp", "trl"])
def test_all_chat_templates_of_both_packages(package: str, dialect: Dialect) -> None:
    sources = {name: text for name, text in chat_templates().items() if name.startswith(package)}
    assert len(sources) >= 70
    for name, source in sources.items():
        found = come_back(source, dialect, seconds=20)
        assert isinstance(found, Analysis) is ((name, dialect) not in REFUSED), name
        assert REFUSED.get((name, dialect), "") in str(found)
