"""Response templates derived from chat templates: of a few words, of two packages, and of any text."""

from __future__ import annotations

from typing import Any, Final

import antiphon
import pytest
from antiphon_conformance import resources
from antiphon_portability.autoparser.analysis import families as analysed
from antiphon_portability.autoparser.derive import MISSING, Derived, derive, families
from antiphon_portability.autoparser.roundtrip import Verdict
from antiphon_portability.chat import Dialect, NotRendered, Renderer
from antiphon_portability.lint import lint
from hostile_templates import REFUSED
from recorded import chat_templates
from small_templates import JSON, THINK, calls, chat, pairs


def derived_from(
    source: str, dialect: Dialect = Dialect.LENIENT, tokens: dict[str, str] | None = None, *, prove: bool = False
) -> Derived:
    with Renderer(source, tokens, dialect=dialect, seconds=20) as renderer:
        return derive(renderer, prove=prove)


def fields(source: str, tokens: dict[str, str] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = derived_from(source, tokens=tokens).template["fields"]
    return found


# -- where a turn begins and ends

ANCHORS: Final[dict[str, tuple[str, Any]]] = {
    "the generation prompt": (chat(), "<bot>"),
    "reasoning begun in the prompt": (chat(THINK + "{{ m.content }}", prompt="<bot><think>\n"), "<bot>"),
    "reasoning begun and ended in the prompt": (
        chat(THINK + "{{ m.content }}", prompt="<bot>{% if not enable_thinking %}<think>\n\n</think>\n\n{% endif %}"),
        "<bot>",
    ),
    "reasoning ended in the prompt": (
        chat(
            "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}{% endif %}</think>{{ m.content }}",
            prompt="<bot>{{ '<think>' if enable_thinking else '</think>' }}",
        ),
        ["<bot></think>", "<bot>"],
    ),
    "no generation prompt": (
        "{% for m in messages %}{% if m.role == 'user' %}[INST]{{ m.content }}[/INST]{% elif m.role == 'tool' %}"
        "[RES]{{ m.content }}[/RES]{% else %}{{ m.content }}{{ m.tool_calls }}</s>{% endif %}{% endfor %}",
        ["[/INST]", "[/RES]"],
    ),
    "an answer's own marker begun in the prompt": (
        chat("<say>{{ m.content }}</say>", prompt="<bot><say>"),
        "<bot><say>",
    ),
    "words of the prompt that no turn has": (chat(prompt="<bot>I think:\n"), "<bot>"),
    "a word, and the marker before it": (
        "{% for m in messages %}{{ m.role }}: {{ m.content }}<sep>{% endfor %}"
        "{% if add_generation_prompt %}assistant:{% endif %}",
        "<sep>assistant:",
    ),
}


@pytest.mark.parametrize("name", ANCHORS)
def test_where_a_turn_begins(name: str) -> None:
    source, anchor = ANCHORS[name]
    assert derived_from(source).template["start_anchor"] == anchor


def test_nothing_says_where_a_turn_begins() -> None:
    found = derived_from("{% for m in messages %}{{ m.content }}{% endfor %}")
    assert found.template["start_anchor_pattern"] == r"\Z"
    assert any("where a turn begins" in text for text in found.unsettled)


def test_what_ends_a_turn() -> None:
    assert fields(chat())["content"] == {"close_pattern": r"</bot>\s*", "content": "text"}


def test_an_end_that_only_the_tokenizer_knows() -> None:
    source = chat("{{ m.content }}{{ eos_token }}").replace("</bot>", "")
    found = derived_from(source)
    assert any("eos_token" in text for text in found.unsettled)
    assert found.template["fields"]["content"] == {"content": "text"}
    assert fields(source, {"eos_token": "<eos>"})["content"]["close_pattern"] == r"<eos>\s*"


def test_turns_that_end_where_the_next_begins() -> None:
    assert fields(chat().replace("</bot>", ""))["content"]["close_pattern"] == r"<user>\s*"


# -- reasoning and answers


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_by_the_key_that_is_read(key: str) -> None:
    found = fields(chat(THINK.replace("reasoning_content", key) + "{{ m.content }}"))
    assert found[key] == {"open": "<think>", "close_pattern": r"</think>\s*", "content": "text"}


def test_reasoning_in_turns_with_calls_only() -> None:
    source = calls(f"<call>{JSON}</call>", "{% if m.reasoning_content %}<r>{{ m.reasoning_content }}</r>{% endif %}")
    assert fields(source)["reasoning_content"]["open"] == "<r>"


def test_reasoning_that_no_marker_begins() -> None:
    """It is what the model writes first: the implicit field; the answer begins where it ends."""
    found = fields(chat("{% if m.reasoning_content %}{{ m.reasoning_content }}[ANSWER]{% endif %}{{ m.content }}"))
    assert found["reasoning_content"] == {"close_pattern": r"</bot>\s*", "content": "text"}
    assert found["content"] == {"open": "[ANSWER]", "close_pattern": r"</bot>\s*", "content": "text"}


def test_reasoning_that_only_prompts_begin() -> None:
    found = derived_from(chat(prompt="<bot><muse>\n"))
    assert found.template["fields"]["reasoning_content"]["close_pattern"] == r"</muse>\s*"
    assert any("where reasoning stands" in text for text in found.unsettled)


def test_reasoning_that_nothing_ends_before_an_answer() -> None:
    """It goes on to a call, or to the end."""
    thought = "{% if m.reasoning_content %}Thought: {{ m.reasoning_content }} {% endif %}"
    source = calls("\nAct: {{ f.name }}\nWith: {{ f.arguments | tojson }}")
    found = derived_from(source.replace("{{ m.content }}{% if", thought + "{{ m.content }}{% if"))
    assert any("where reasoning ends" in text for text in found.unsettled)
    message = antiphon.parse_response("Thought: So.\nAct: go\nWith: {}</bot>", found.template, prefix="<bot>")
    assert message["reasoning_content"] == "So."
    assert message["tool_calls"][0]["function"] == {"name": "go", "arguments": {}}
    assert antiphon.parse_response("A Thought: x</bot>", found.template, prefix="<bot>")["content"] == "A Thought: x"


def test_turns_that_two_markers_end() -> None:
    found = fields(chat().replace("</bot>", "</bot><eos>"))
    assert found["content"]["close_pattern"] == r"(?:</bot>|<eos>)\s*"


def test_answers_with_a_beginning_and_no_end() -> None:
    begun = "{{ '<say>' ~ m.content if m.content }}{% if"
    found = fields(calls(f"<call>{JSON}</call>").replace("{{ m.content }}{% if", begun))
    assert found["content"] == {"open": "<say>", "close_pattern": r"</bot>\s*|(?=<call>)", "content": "text"}


def test_answers_between_markers() -> None:
    found = fields(chat(THINK + "<say>{{ m.content }}</say>"))
    assert found["content"] == {"open": "<say>", "close_pattern": r"</say>\s*", "content": "text"}
    assert found["reasoning_content"]["close_pattern"] == r"</think>\s*"


@pytest.mark.parametrize("end", ["*end of thoughts*", "--\nThe answer:"])
def test_reasoning_that_words_end_before_an_answer_between_markers(end: str) -> None:
    thought = "{% if m.reasoning_content %}*thoughts*{{ m.reasoning_content }}\n" + end + "\n{% endif %}"
    found = derived_from(chat(thought + "<say>{{ m.content }}</say>"), prove=True)
    assert found.template["fields"]["content"]["open"] == "<say>"
    text = f"*thoughts*So.\n{end}\n<say>Yes.</say></bot>"
    message = antiphon.parse_response(text, found.template, prefix="<bot>")
    assert message == {"role": "assistant", "reasoning_content": "So.", "content": "Yes."}
    assert not found.round_trip.having(Verdict.WRONG)


DOUBLED: Final = {"angles": ("<<bot>>", "<</bot>>"), "square brackets": ("[[BOT]]", "[[/BOT]]")}


@pytest.mark.parametrize("name", DOUBLED)
def test_markers_in_two_pairs_of_brackets(name: str) -> None:
    start, end = DOUBLED[name]
    found = derived_from(chat().replace("<bot>", start).replace("</bot>", end).replace("<user>", start), prove=True)
    assert found.template["start_anchor"] == start
    assert antiphon.parse_response(f"Yes.{end}", found.template, prefix=start)["content"] == "Yes."
    assert not found.round_trip.having(Verdict.WRONG)


def test_reasoning_that_only_prompts_begin_in_two_pairs_of_brackets() -> None:
    found = fields(chat(prompt="<bot><<muse>>\n"))
    assert found["reasoning_content"]["close_pattern"] == r"<</muse>>\s*"


# -- calls

CALL: Final = {
    "type": "function",
    "function": {"name": "{content.name}", "arguments": "{content.arguments}"},
}
LIST: Final = {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}}
NAMED: Final = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
ARGUMENT: Final = "<arg={{ k }}>{{ v if v is string else v | tojson }}</arg>"
PYTHON: Final = pairs("{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}")
ALONE: Final = r'(?=\{\s*(?:"type"\s*:\s*"function"\s*,\s*)?"name"\s*:\s*"[^"]*"\s*,\s*"arguments"\s*:)'
NESTED: Final = '{"id": {{ c.id | tojson }}, "function": ' + JSON + "}"

SHAPES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "JSON for each call": (
        calls(f"<call>{JSON}</call>"),
        {"open": "<call>", "close_pattern": r"</call>\s*", "content": "json", "transform": CALL, "repeats": True},
    ),
    "a JSON list": (
        calls(JSON, "<calls>[", "]</calls>", ", "),
        {"open": "<calls>", "close_pattern": r"</calls>\s*", "transform_each": True, "transform": LIST},
    ),
    "a JSON list behind a word": (
        calls(JSON, "functools[", "]", ", "),
        {"open_pattern": r"functools(?=\[)", "close_pattern": r"</bot>\s*", "transform_each": True},
    ),
    "JSON without a marker": (
        calls(JSON),
        {
            "open_pattern": ALONE,
            "close_pattern": r"</bot>\s*",
        },
    ),
    "nested JSON with an id": (
        calls(f"<call>{NESTED}</call>"),
        {
            "transform": {
                "type": "function",
                "id": "{content.id}",
                "function": {"name": "{content.function.name}", "arguments": "{content.function.arguments}"},
            }
        },
    ),
    "JSON in a section, a line for each": (
        calls(JSON + "\n", "<calls>\n", "</calls>"),
        {
            "open_pattern": r'<calls>\s*(?=\{)|(?<=\}\n)(?=\{\s*"name"\s*:)',
            "close_pattern": r"</calls>\s*|\n(?=\{)",
        },
    ),
    "the name as a key": (
        calls("{{ {f.name: f.arguments} | tojson }}", "<calls>[", "]</calls>", ", "),
        {"open": "<calls>", "close_pattern": r"</calls>\s*", "content": "json"},
    ),
    "name and JSON": (
        calls("<fn={{ f.name }}>{{ f.arguments | tojson }}</fn>"),
        {"open_pattern": r"<fn=(?P<name>[^\s<>]+)>", "close_pattern": r"</fn>\s*", "transform": NAMED},
    ),
    "name, id and JSON, without an end": (
        calls("[CALL]{{ f.name }}[ID]{{ c.id }}[ARGS]{{ f.arguments | tojson }}"),
        {
            "open_pattern": r"\[CALL\](?P<name>[^\s<\[]+)\[ID\](?P<id>[^\s<\[]+)\[ARGS\]",
            "close_pattern": r"</bot>\s*|(?=\[CALL\])",
            "transform": {"type": "function", "id": "{id}", "function": NAMED["function"]},
        },
    ),
    "an index in the name's marker": (
        calls("<fn {{ loop.index0 }}>{{ f.name }}</fn>{{ f.arguments | tojson }}<end>"),
        {"open_pattern": r"<fn \d+>(?P<name>[^\s<]+)</fn>", "close_pattern": r"<end>\s*"},
    ),
    "white space in the name's marker": (
        calls("<fn {{ f.name }}>{{ f.arguments | tojson }}</fn>"),
        {"open_pattern": r"<fn\s+(?P<name>[^\s<>]+)>", "close_pattern": r"</fn>\s*"},
    ),
    "words before the name, and before the arguments": (
        calls("\nAction: {{ f.name }}\nAction Input: {{ f.arguments | tojson }}"),
        {
            "open_pattern": r"Action:\s*(?P<name>[^\s<]+)\s+Action Input:(?=\s*\{)",
            "close_pattern": r"</bot>\s*|(?=Action:\s*[^\s<]+\s+Action Input:\s*\{)",
        },
    ),
    "a word right behind the name": (
        calls("<fn={{ f.name }}Args {{ f.arguments | tojson }}</fn>"),
        {"open_pattern": r"<fn=(?P<name>[^\s<\{]+)Args", "close_pattern": r"</fn>\s*"},
    ),
    "name and id in a fence": (
        calls("\n```tool\n{{ f.name }}#{{ c.id }}\n{{ f.arguments | tojson }}\n```"),
        {
            "open_pattern": r"```tool\s+(?P<name>[^\s<#]+)#(?P<id>[^\s<\{]+)(?=\s*\{)",
            "close_pattern": r"\n\s*```\s*",
        },
    ),
    "white space around arguments' names": (
        calls("<fn {{ f.name }}>" + pairs("<arg {{ k }} = {{ v if v is string else v | tojson }}</arg>") + "</fn>"),
        {
            "content_args": {
                "tag_pattern": r"<arg\s+(?P<key>[^=\n]+?)\s*= (?P<value>.*?)</arg>",
                "value_parser": {"name": "text", "args": {"strip": False}},
            }
        },
    ),
    "arguments between markers": (
        calls("<call>\n<fn={{ f.name }}>\n" + pairs("<arg={{ k }}>\n{{ v }}\n</arg>\n") + "</fn>\n</call>\n"),
        {
            "open_pattern": r"(?:<call>\s*)?<fn=(?P<name>[^\s<>]+)>",
            "close_pattern": r"</fn>\s*",
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": r"<arg=(?P<key>[^>\n]+)>\n?(?P<value>.*?)\n?</arg>",
                "value_parser": {"name": "text", "args": {"strip": False}},
            },
        },
    ),
    "arguments in tags that have their names": (
        calls("<fn={{ f.name }}>" + pairs("<{{ k }}>{{ v }}</{{ k }}>") + "</fn>"),
        {
            "content_args": {
                "tag_pattern": r"<(?P<key>[^>\n]+)>(?P<value>.*?)</(?P=key)>",
                "value_parser": {"name": "text", "args": {"strip": False}},
            }
        },
    ),
    "Python": (
        calls(f"{{{{ f.name }}}}({PYTHON})", "<c>[", "]</c>", ", "),
        {"open": "<c>", "close_pattern": r"</c>\s*", "content": "python-call-list", "transform": LIST},
    ),
    "JSON with other quotes": (
        calls(
            "<call>{{ f.name ~ '{' }}"
            + pairs(
                "{{ k }}:{% if v is string %}<q>{{ v }}</q>{% else %}{{ v | tojson }}{% endif %}"
                "{% if not loop.last %},{% endif %}"
            )
            + "}</call>"
        ),
        {
            "open_pattern": r"<call>(?P<name>[^\s<\{]+)",
            "content_args": {"string_delims": [["<q>", "</q>"]], "unquoted_keys": True},
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_how_calls_are_written(name: str) -> None:
    source, expected = SHAPES[name]
    found = fields(source)["tool_calls"]
    assert {key: found.get(key) for key in expected} == expected


def test_a_section_of_calls_is_nobodys_text() -> None:
    """But only with calls in it: the answer may quote its marker."""
    found = fields(calls(f"<call>{JSON}</call>", "<calls>", "</calls>"))
    assert found["tool_calls"]["open_pattern"] == r"(?:<calls>\s*)?<call>"
    assert found["content"]["close_pattern"] == r"(?:(?:<calls>\s*)?</calls>|</bot>)\s*"


def test_a_line_that_may_hold_several_calls() -> None:
    """The inner markers are a call's own; the outer one is left out by models, or has more than one call in it."""
    found = derived_from(SHAPES["arguments between markers"][0]).template
    text = "<fn=a>\n<arg=x>\n1\n</arg>\n</fn>\n<fn=b>\n</fn>\n</call>\n</bot>"
    message = antiphon.parse_response(text, found, prefix="<bot>")
    assert [call["function"]["name"] for call in message["tool_calls"]] == ["a", "b"]
    assert "content" not in message


CAN_NOT_SAY: Final[dict[str, str]] = {
    "names-as-keys": calls("{{ {f.name: f.arguments} | tojson }}", "<calls>[", "]</calls>", ", "),
    "json-in-strings": calls(
        '<call>{"name": {{ f.name | tojson }}, "arguments": {{ f.arguments | tojson | tojson }}}</call>'
    ),
    "nested-tags": calls(
        "<fn={{ f.name }}>"
        + pairs(
            "<arg={{ k }}>{% if v is mapping %}{% for a, b in v | items %}<{{ a }}>{{ b }}</{{ a }}>{% endfor %}"
            "{% else %}{{ v }}{% endif %}</arg>"
        )
        + "</fn>"
    ),
    "python-values": calls("<fn={{ f.name }}>" + pairs("<arg={{ k }}>{{ v }}</arg>") + "</fn>"),
    "types-beside-values": calls(
        "<fn={{ f.name }}>"
        + pairs('<arg={{ k }} type="{{ "text" if v is string else "other" }}">{{ v | string }}</arg>')
        + "</fn>"
    ),
    "lines-of-json": calls(JSON + "\n", "<calls>\n", "</calls>"),
    "members-that-may-be-missing": calls("<fn={{ f.name }}><id={{ c.id }}>{{ f.arguments | tojson }}</fn>"),
    "python-outside-lists": calls(f"{{{{ f.name }}}}({PYTHON})", "<c>", "</c>", "; "),
    "names-without-quotes": calls(f"{{{{ f.name }}}}({PYTHON})", "<c>[", "]</c>", ", "),
    "text-in-tags": calls(
        "<fn={{ f.name }}>"
        + pairs("<arg={{ k }}>{{ '<![CDATA[' ~ v ~ ']]>' if '<' in v | string else v }}</arg>")
        + "</fn>"
    ),
}


@pytest.mark.parametrize("slug", MISSING)
def test_what_the_format_cant_say(slug: str) -> None:
    assert slug in derived_from(CAN_NOT_SAY[slug]).missing


@pytest.mark.parametrize("name", SHAPES)
def test_the_round_trip_proves_it(name: str) -> None:
    """Nothing that comes back is wrong, unless the format is said to lack what it takes."""
    found = derived_from(SHAPES[name][0], prove=True)
    wrong = {result.feature: result.lost for result in found.round_trip.having(Verdict.WRONG)}
    if name == "Python":
        assert wrong.pop("long numbers") == ("an error: calls-syntax in tool_calls",)  # one beyond 2^53 (KIND-CALLS-4)
    assert not wrong or found.missing, wrong
    assert len(found.round_trip.having(Verdict.EXACT)) >= 5


@pytest.mark.parametrize(
    "each",
    [
        "{{ f.name }}{{ f.name }}{{ f.arguments | tojson }}",
        "{{ c.id }}{{ f.name }}{{ f.arguments | tojson }}",
        "{{ f.name }}" + pairs("<a={{ k }}>{{ v }}</a>"),
        "{{ {f.name: f.arguments} | tojson }}",
    ],
)
def test_calls_that_nothing_begins_are_left_alone(each: str) -> None:
    """Any word could be a call."""
    found = derived_from(calls(each))
    assert "tool_calls" not in found.template["fields"]
    assert "how calls are written" in " ".join(found.unsettled)


def test_calls_whose_names_are_keys_stay_as_they_were_written() -> None:
    found = fields(calls("<call>{{ {f.name: f.arguments} | tojson }}</call>"))["tool_calls"]
    assert found == {"open": "<call>", "close_pattern": r"</call>\s*", "repeats": True, "content": "json"}


@pytest.mark.parametrize(("before", "between", "behind"), [("<c>", "; ", "</c>"), ("<c>[", "; ", "]</c>")])
def test_calls_in_python_that_are_no_list_stay_in_the_answer(before: str, between: str, behind: str) -> None:
    found = derived_from(calls(f"{{{{ f.name }}}}({PYTHON})", before, behind, between))
    assert "tool_calls" not in found.template["fields"]
    assert found.missing == ("python-outside-lists",)
    assert "how calls are written" not in " ".join(found.unsettled)


@pytest.mark.parametrize("behind", ["Args ", "\nArgs ", "-", " - "])
def test_names_with_the_character_that_stands_behind_them(behind: str) -> None:
    template = derived_from(calls(f"<fn>{{{{ f.name }}}}{behind}{{{{ f.arguments | tojson }}}}</fn>")).template
    for name in ("getAccount", "Argentina", "get-time", "get.time"):
        message = antiphon.parse_response(f"<fn>{name}{behind}{{}}</fn></bot>", template, prefix="<bot>")
        assert [call["function"]["name"] for call in message["tool_calls"]] == [name]


def test_white_space_parts_a_marker_from_a_name() -> None:
    template = derived_from(SHAPES["white space in the name's marker"][0]).template
    text = "<fnord>{}</fn></bot>"
    assert "tool_calls" not in antiphon.parse_response(text, template, prefix="<bot>")


@pytest.mark.parametrize("name", SHAPES)
def test_each_part_has_its_reason(name: str) -> None:
    found = derived_from(SHAPES[name][0])
    fields = {f"/fields/{name}": members for name, members in found.template["fields"].items()}
    members = {f"{field}/{key}" for field, members in fields.items() for key in members}
    assert {f"/{key}" for key in found.template if key != "fields"} | fields.keys() | members == found.parts.keys()


def test_a_reason_shows_what_was_seen() -> None:
    found = derived_from(SHAPES["arguments between markers"][0])
    assert found.parts["/fields/tool_calls/open_pattern"].endswith("<call>\n<fn=⟨name⟩>")
    assert found.generation_prompt == "<bot>"


def test_chat_templates_that_want_arguments_as_text_and_null_for_no_content() -> None:
    call = "{{ '<fn=' ~ c.function.name ~ '>' + c.function.arguments + '</fn>' }}"
    source = chat(
        "{% if m.content is none %}{% for c in m.tool_calls %}"
        + call
        + "{% endfor %}{% else %}{{ m.content }}{% endif %}"
    )
    for dialect in Dialect:
        found = derived_from(source, dialect).template["fields"]["tool_calls"]
        assert found["open_pattern"] == r"<fn=(?P<name>[^\s<>]+)>"


def test_chat_templates_that_want_lists_of_parts() -> None:
    source = chat("{{ m.content[0].text }}").replace("<user>{{ m.content }}", "<user>{{ m.content[0].text }}")
    assert derived_from(source, Dialect.HUGGING_FACE).template["start_anchor"] == "<bot>"


def test_each_family_can_be_known() -> None:
    """By the name that the analysis gives it, or by texts in its source."""
    names = {family.name for family in analysed.FAMILIES}
    assert {name for name, row in families.FAMILIES.items() if not row.named_in} <= names


# -- chat templates of two packages


@pytest.mark.parametrize("dialect", list(Dialect))
def test_all_chat_templates_of_both_packages(dialect: Dialect) -> None:
    """Each is derived, or refused with a reason; what is derived can be loaded."""
    for name, source in chat_templates().items():
        if (name, dialect) in REFUSED:
            with pytest.raises(NotRendered, match=REFUSED[name, dialect]):
                derived_from(source, dialect)
            continue
        found = derived_from(source, dialect)
        antiphon.load_template(found.template)
        assert set(found.missing) <= MISSING.keys(), name


WARNINGS: Final[dict[str, frozenset[str]]] = {
    "llama.cpp/MiniMax-M1.jinja": frozenset({"AP010"}),
    "llama.cpp/MiniMax-M3.jinja": frozenset({"AP010"}),
    "llama.cpp/openai-gpt-oss-120b.jinja": frozenset({"AP010"}),
    "llama.cpp/meetkai-functionary-medium-v3.2.jinja": frozenset({"AP010", "AP046"}),
}
"""What can't be avoided: lookarounds and a backreference, which re2 and rust lack, where nothing else tells calls,
arguments and answers apart; and a marker that begins with what another ends with."""


@pytest.mark.long
def test_what_is_derived_is_sound_in_a_stream() -> None:
    seen: list[dict[str, Any]] = []
    for name, source in chat_templates().items():
        template = derived_from(source).template
        if template in seen:
            continue
        seen.append(template)
        found = [finding for finding in lint(template).findings if finding.rule.severity != "note"]
        assert {finding.rule.id for finding in found} <= WARNINGS.get(name, frozenset()), name
    assert len(seen) > 40


def test_the_specification_lists_what_is_missing() -> None:
    annex = resources.find_specification().read_text("utf-8").partition("## Annex C.")[2]
    assert {slug for slug in MISSING if f"(`{slug}`)" in annex} == MISSING.keys()
