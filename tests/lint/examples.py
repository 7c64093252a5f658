"""For every kind of finding a template that has it, and one like it that hasn't."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True)
class Example:
    """What is linted: a template, and what goes with it."""

    template: Any
    chat_template: str | None = None
    source: str = ""
    targets: tuple[str, ...] = ()


def fields(defaults: dict[str, Any] | None = None, anchor: str = "<bot>", **members: Any) -> dict[str, Any]:
    return {
        "defaults": {"role": "assistant"} if defaults is None else defaults,
        "start_anchor": anchor,
        "fields": members,
    }


def explicit(open_: Any, close: Any = "</c>", **members: Any) -> dict[str, Any]:
    """A field whose delimiters are patterns where they are in a tuple of one."""
    ends = {}
    for key, value in (("open", open_), ("close", close)):
        if value is not None:
            ends[f"{key}_pattern" if isinstance(value, tuple) else key] = (
                value[0] if isinstance(value, tuple) else value
            )
    return ends | members


CALLS: Final = explicit("<c>", (r"</c>\s*",), content="json", repeats=True)
TEXT: Final[dict[str, Any]] = {}
NAMED: Final = {"function": "{name}", "arguments": "{content}"}
CHAT: Final = (
    "{% for message in messages %}<{{ message.role }}>"
    "{{ message.content }}{{ message.reasoning_content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<bot>{% endif %}"
)

TURNS: Final = (
    "{% for message in messages %}<{{ 'bot' if message.role == 'assistant' else message.role }}>{{ message.content }}"
    "{% for call in message.tool_calls or [] %}<c>{{ call.id }}:{{ call.function | tojson }}</c>{% endfor %}</s>"
    "{% endfor %}{% if add_generation_prompt %}<bot>{% endif %}"
)
"""The same role in prompts and in turns."""
CLOSED: Final = {"close_pattern": r"</s>\s*"}


def calls(open_: Any = "<c>", close: Any = (r"</c>\s*",), **members: Any) -> Example:
    return Example(fields(tool_calls=explicit(open_, close, **members), content=TEXT))


def called(open_: str, transform: dict[str, Any]) -> dict[str, Any]:
    """The tool calls of `TURNS`."""
    return explicit((open_,), "</c>", content="json", repeats=True, transform={"type": "function", **transform})


def texts(**members: Any) -> Example:
    return Example(fields(content=TEXT, note=explicit(**members)))


def ends(close: Any) -> Example:
    return Example(fields(content=explicit(None, close)))


def chat(template: dict[str, Any], source: str = CHAT) -> Example:
    return Example(template, chat_template=source)


WITH_CONTENT: Final = fields(content=TEXT)

EXAMPLES: Final[dict[str, tuple[Example, Example]]] = {
    "AP001": (Example({"start_anchor": "x", "fields": {"a": {"opne": "x"}}}), Example(WITH_CONTENT)),
    "AP002": (
        Example(WITH_CONTENT, source='{"fields": {"content": {"close": "a", "close": "b"}}}'),
        Example(WITH_CONTENT, source='{"fields": {"a": {"close": "a"}, "b": {"close": "a"}}}'),
    ),
    "AP010": (
        Example(fields(content=explicit(None, (r"\X<end>",))), targets=("re",)),
        Example(fields(content=explicit(None, (r".<end>",))), targets=("re",)),
    ),
    "AP020": (ends((r"<end>|$",)), ends((r"<end>\s*",))),
    "AP021": (
        Example(fields(think=explicit((r"(?:^|<t>\s*)",), (r"(?:</t>|$)",)))),
        Example(fields(think=explicit((r"(?:^|<t>\s*)",), (r"</t>",)))),
    ),
    "AP022": (ends((r"(?=\n)",)), ends((r"\n",))),
    "AP030": (texts(open_=(r"(?=[\s\S]*?</t>)",), close="</t>"), texts(open_="<t>", close="</t>")),
    "AP031": (texts(open_=(r'<t "[^"]+">',)), texts(open_=(r"<t \w+>",))),
    "AP032": (calls(close=(r"</c>\s*",)), calls(close="</c>")),
    "AP033": (texts(open_=(r"<t [^>]{1,500}>",)), texts(open_=(r"<t [^>]{1,50}>",))),
    "AP034": (texts(open_=(r"<t>.*<m>",)), texts(open_=(r"<t>.*?<m>",))),
    "AP040": (
        Example(fields(a=explicit("<t>"), b=explicit(("<(?:t|u)>",)))),
        Example(fields(a=explicit("<t>"), b=explicit(("<(?:u|v)>",)))),
    ),
    "AP041": (
        Example(fields(a=explicit("<t>"), b=explicit("<t>b"))),
        Example(fields(a=explicit("<t>a"), b=explicit("<t>b"))),
    ),
    "AP042": (
        Example(fields(a=explicit(("<t>(?:call)?",)), b=explicit("t>call"), c=explicit("<t>"))),
        Example(fields(a=explicit(("<t>(?:call)?",)), b=explicit("t>call"), c=explicit("<u>"))),
    ),
    "AP043": (
        Example(fields(think=explicit("<t>", None), tool_calls=CALLS, content=TEXT)),
        Example(fields(think=explicit("<t>", "</t>"), tool_calls=CALLS, content=TEXT)),
    ),
    "AP044": (texts(open_=("x*",)), texts(open_=("x+",))),
    "AP045": (ends(("<|im_end|>",)), ends((r"<\|im_end\|>|\n\n|$",))),
    "AP046": (
        Example(fields(think=explicit("<t>", "<a>"), content=explicit("<a>", "</a>"))),
        Example(fields(think=explicit("<t>", ("(?=<a>)",)), content=explicit("<a>", "</a>"))),
    ),
    "AP047": (Example(fields(think=explicit("<t>", "</t>"))), Example(fields(answer=explicit("<t>", "</t>")))),
    "AP048": (texts(open_="<t>", close=r"</t>\s*"), texts(open_=r"\boxed{", close="$$")),
    "AP049": (
        calls(close="</c>", content="json", repeats=True),
        calls(close=(r"(?<=[}\]])\s*</c>",), content="json", repeats=True),
    ),
    "AP050": (calls(close="</c>"), calls()),
    "AP051": (
        calls(close=r"</c>", content="json", transform={"function": "{content}"}),
        calls(close=r"</c>", content="json", transform={"function": "{content}"}, repeats=True),
    ),
    "AP052": (ends("<end>"), ends((r"<end>\s*",))),
    "AP053": (calls(), calls(content="json", repeats=True)),
    "AP060": (texts(open_=("<t(?:a|aa)+>",)), texts(open_=("<t(?:a|ba)+>",))),
    "AP061": (
        texts(open_=(r"<t>\s*[^<]*?\s*<m>",)),
        texts(open_=(r"<t>[^<]*?<m>",)),
    ),
    "AP062": (calls(open_=(r"\s*<c>",)), calls(open_=(r"<c>\s*",))),
    "AP070": (chat(WITH_CONTENT, "{{ raise_exception('no') }}"), chat(WITH_CONTENT)),
    "AP071": (chat(fields(content=TEXT, anchor="<bot>\n")), chat(WITH_CONTENT)),
    "AP072": (
        chat(WITH_CONTENT, CHAT + "{% if add_generation_prompt %}Sure: {% endif %}"),
        chat(
            fields(content=TEXT, reasoning_content=explicit("<think>", "</think>")),
            CHAT + "{% if add_generation_prompt %}<think>\n{% endif %}",
        ),
    ),
    "AP073": (chat(fields(content=TEXT, anchor="<assistant>")), chat(WITH_CONTENT)),
    "AP074": (
        chat(fields(content=CLOSED, tool_calls=called(r"<c>", {"function": "{content}"})), TURNS),
        chat(fields(content=CLOSED, tool_calls=called(r"<c>\w+:", {"function": "{content}"})), TURNS),
    ),
    "AP075": (
        chat(fields(content=CLOSED, tool_calls=called(r"<c>\w+:", {"function": "{content}"})), TURNS),
        chat(
            fields(content=CLOSED, tool_calls=called(r"<c>(?P<id>\w+):", {"id": "{id}", "function": "{content}"})),
            TURNS,
        ),
    ),
    "AP080": (
        calls(open_=("<c>(?:call:(?P<name>[a-z]+))?",), content="json", transform=NAMED, repeats=True),
        calls(open_=("<c>call:(?P<name>[a-z]+);",), content="json", transform=NAMED, repeats=True),
    ),
    "AP081": (
        calls(open_=("<c>(?P<id>[0-9]);(?P<name>[a-z]+);",), content="json", transform=NAMED, repeats=True),
        calls(open_=("<c>(?:[0-9]);(?P<name>[a-z]+);",), content="json", transform=NAMED, repeats=True),
    ),
    "AP090": (
        Example(fields(thinking=explicit("<t>"), content=TEXT)),
        chat(fields(thinking=explicit("<t>"), content=TEXT), CHAT.replace("reasoning_content", "thinking")),
    ),
    "AP091": (
        chat(fields(thinking=explicit("<t>"), content=TEXT)),
        chat(fields(reasoning_content=explicit("<t>"), content=TEXT)),
    ),
    "AP092": (Example(fields(defaults={}, content=TEXT)), Example(WITH_CONTENT)),
    "AP100": (
        Example(fields(defaults={"role": "assistant", "content": ""}, content={"optional": False})),
        Example(fields(content={"optional": False})),
    ),
    "AP101": (Example(fields(content={"optional": False})), Example(fields(content={"optional": True}))),
}
"""By id: where it fires, where it must not. AP011 to AP014 need engines other than Python's; see test_portability."""

UNREAD: Final = chat(fields(content=TEXT, reply=explicit("<t>")))
ALSO: Final[dict[str, tuple[str, Example]]] = {
    "a set for a token": ("AP045", calls(open_=("[TOOL_CALLS]",))),
    "a bracket": ("AP045", texts(open_="[", close="]")),
    "any call": ("AP045", calls(open_=(r",\s*\w+\(",))),
    "a newline that both need": ("AP046", calls(open_="\n<c>", close="</c>\n", repeats=True)),
    "no close before the implicit field": ("AP043", Example(fields(think=explicit("<t>", None), content=TEXT))),
    "flags": ("AP048", texts(open_="/<t>/i")),
    "an escaped bar": ("AP048", ends(r"<\|end\|>")),
    "a close in a string of a call": ("AP049", calls(close=(r"</c>\s*",), content="python-call-list")),
    "nothing behind an open": ("AP048", texts(open_=("<t>$",))),
    "a name that nothing reads": ("AP091", UNREAD),
}
"""What else fires."""

NEITHER: Final[dict[str, tuple[str, Example]]] = {
    "paragraphs": ("AP045", ends("\n\n")),
    "the end": ("AP045", ends(("$",))),
    "zero width": ("AP045", ends((r"(?=\w)",))),
    "a message that is written out": (
        "AP091",
        chat(UNREAD.template, "{% for message in messages %}{{ message | tojson }}{{ message.role }}{% endfor %}<bot>"),
    ),
    "a close with a line's end": ("AP049", calls(close="\n</c>", content="json", repeats=True)),
    "text has no strings": ("AP049", calls(close="</c>", repeats=True)),
    "an object": ("AP053", calls(content="json", transform={"function": "{content}"})),
}
"""What else is silent."""
