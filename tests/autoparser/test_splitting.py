"""Where a turn begins and ends in what chat templates write, for each way in which they make that hard."""

from __future__ import annotations

from typing import Final

import pytest
from antiphon_portability.autoparser.roundtrip import Call, Conversation, Said
from antiphon_portability.autoparser.roundtrip.said import Spelling
from antiphon_portability.autoparser.roundtrip.spelling import spelling_of
from antiphon_portability.autoparser.roundtrip.splitting import NotSplit, Splitter, Turn
from antiphon_portability.autoparser.roundtrip.texts import Texts
from antiphon_portability.autoparser.roundtrip.writing import Writer
from antiphon_portability.chat import NotRendered, Renderer
from chats import TURN, chat

ASKED: Final = {"role": "user", "content": "Is it late?"}
ANSWER: Final = Said("It is.")
THOUGHT: Final = Said("It is.", "A look at the clock.")
CALL: Final = Said(calls=(Call("clock", {"zone": "CET"}, "call00001"),))
PROMPT: Final = "<user>Is it late?<end>\n<assistant>"
MADE: Final = "with reasoning, which the prompt asks for"


def split(chat_template: str, said: Said = ANSWER) -> Turn:
    with Renderer(chat_template) as renderer:
        writer = Writer(Texts(renderer), Spelling())
        return Splitter(writer).turn(Conversation("", said, (ASKED,)))


def test_what_continues_the_prompt() -> None:
    turn = split(chat(), THOUGHT)
    assert (turn.prompt, turn.text) == (PROMPT, "<think>A look at the clock.</think>It is.<end>")
    assert (turn.end, turn.bare) == ("<end>", "<think>A look at the clock.</think>It is.")
    assert (turn.said, turn.notes) == (THOUGHT, ())


def test_white_space_at_the_prompts_end() -> None:
    turn = split(chat("<think></think>{{ message.content }}<end>", "<assistant><think>\n"))
    assert (turn.prompt[-20:], turn.text) == ("\n<assistant><think>\n", "</think>It is.<end>")
    assert turn.notes == ("without the '\\n' at the prompt's end, which it lacks",)


def test_a_prompt_that_makes_a_model_think() -> None:
    thought = "{% if message.reasoning_content %}<think>\n{{ message.reasoning_content }}\n</think>{% endif %}"
    turn = split(chat(thought + "{{ message.content }}<end>", "<assistant><think>\n"))
    assert turn.text == "Let me see.\n</think>It is.<end>"
    assert turn.said == Said("It is.", "Let me see.")
    assert turn.notes == (MADE,)


def test_the_setting_that_doesnt_make_it_think_is_preferred() -> None:
    prompt = "<assistant>{% if enable_thinking is not defined or enable_thinking %}<think>\n{% endif %}"
    turn = split(chat("{{ message.content }}<end>", prompt))
    assert (turn.prompt, turn.text, turn.said, turn.notes) == (PROMPT, "It is.<end>", ANSWER, ())


CUTS: Final = chat("{{ message.content.split('</think>') | last }}<end>", "<assistant><think>\n")


def test_a_block_that_is_cut_from_turns() -> None:
    turn = split(CUTS, THOUGHT)
    assert turn.text == "A look at the clock.\n</think>\n\nIt is.<end>"
    assert turn.composed
    assert turn.notes == ("with reasoning before '</think>', up to which the chat template cuts its turns",)
    assert split(CUTS).said.reasoning


def test_a_closed_block_that_is_cut_from_turns() -> None:
    turn = split(CUTS.replace("<think>\n", "<think>\n</think>"))
    assert (turn.prompt.removeprefix(PROMPT), turn.text, turn.said) == ("<think>\n</think>", "It is.<end>", ANSWER)


def test_a_block_in_the_content() -> None:
    """Only if the chat template knows how the block ends."""
    written = chat("{{ message.content }}<end>", "<assistant><think>\n")
    with pytest.raises(NotSplit):
        split(written, THOUGHT)
    turn = split("{# contents may have a </think> #}" + written, THOUGHT)
    assert turn.text == "A look at the clock.\n</think>\n\nIt is.<end>"
    assert turn.notes == ("with reasoning in the content",)


def test_a_block_in_the_content_that_keeps_calls_out() -> None:
    """What isn't written can't be split."""
    written = "{# </think> #}{% if message.content %}{{ message.content }}{% else %}{{ message.tool_calls }}{% endif %}"
    with pytest.raises(NotSplit):
        split(chat(written, "<assistant><think>\n"), CALL)


def test_words_at_the_prompts_end() -> None:
    turn = split(
        chat("{{ message.reasoning_content }}[ANSWER]{{ message.content }}<end>", "<assistant>I think:\n"), THOUGHT
    )
    assert (turn.text, turn.words) == ("A look at the clock.[ANSWER]It is.<end>", "I think:\n")


def test_earlier_turns_that_are_written_otherwise_in_the_prompt() -> None:
    turn = split(chat(before="{{ messages | length }} messages\n"))
    assert (turn.prompt, turn.text) == ("1 messages\n" + PROMPT, "It is.<end>")


def test_a_last_turn_that_is_continued() -> None:
    """The last turn is rendered as the beginning of one; followed by another, it's a turn."""
    last = "{% if loop.last and not add_generation_prompt %}<think>\n{{ message.content }}{% else %}"
    cut = "{{ message.content.split('</think>') | last }}<end>\n{% endif %}"
    turn = split(chat(last + cut, "<assistant><think>\n"), THOUGHT)
    assert (turn.text, turn.setting.followed) == ("A look at the clock.\n</think>\n\nIt is.<end>", True)


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        ("<bot>", "the prompt goes on with '<bot>', the turn as written with '<assistant>It is.<end>\\n'"),
        ("<assistant><bot>", "the prompt goes on with '<bot>', the turn as written with 'It is.<end>\\n'"),
    ],
)
def test_what_is_not_clear_is_not_split(prompt: str, why: str) -> None:
    with pytest.raises(NotSplit) as raised:
        split(chat("{{ message.content }}<end>\n", prompt))
    assert str(raised.value) == why


def test_what_is_refused_is_not_rendered() -> None:
    with pytest.raises(NotRendered):
        split(chat("{{ raise_exception('no') }}"))


ENDS: Final = {
    # what a turn ends with: how it's written; the text of an answer, and of a call, and what ends them
    "a token": (TURN, ("It is.<end>", "<end>"), ("</call><end>", "<end>")),
    "a token of each kind": (
        "{{ message.content }}{% for call in message.tool_calls or [] %}<call>{{ call.function | tojson }}</call>"
        "{% endfor %}{{ '<|call|>' if message.tool_calls else '<|return|>' }}",
        ("It is.<|return|>", "<|return|>"),
        ("</call><|call|>", "<|call|>"),
    ),
    "a token behind each call": (
        "{{ message.content }}{% for call in message.tool_calls or [] %}{{ call.function | tojson }}<|call_end|>"
        "{% endfor %}{% if not message.tool_calls %}<|return|>{% endif %}",
        ("It is.<|return|>", "<|return|>"),
        ("}<|call_end|>", ""),
    ),
    "the last of several": (
        "<|open|>{{ message.content or message.tool_calls | tojson }}<|close|><|eom|>",
        ("<|open|>It is.<|close|><|eom|>", "<|eom|>"),
        ("<|close|><|eom|>", "<|eom|>"),
    ),
    "nothing": (TURN.replace("<end>\n", ""), ("It is.", ""), ("</call>", "")),
    "a line's end": (TURN.replace("<end>", ""), ("It is.", ""), ("</call>", "")),
    "one more at the end of the conversation": (
        TURN + "{% if loop.last and not add_generation_prompt %}<eos>{% endif %}",
        ("It is.<end>", "<end>"),
        ("</call><end>", "<end>"),
    ),
    "a marker in two pairs of brackets": (
        TURN.replace("<end>", "[[/BOT]]"),
        ("It is.[[/BOT]]", "[[/BOT]]"),
        ("</call>[[/BOT]]", "[[/BOT]]"),
    ),
    "a marker in two pairs of angles": (
        TURN.replace("<end>", "<<END>>"),
        ("It is.<<END>>", "<<END>>"),
        ("</call><<END>>", "<<END>>"),
    ),
    "what isn't a marker": (TURN.replace("<end>", "[e~["), ("It is.[e~[", "[e~["), ("</call>[e~[", "[e~[")),
}  # fmt: skip


@pytest.mark.parametrize("kind", ENDS)
def test_what_ends_a_turn(kind: str) -> None:
    written, (answer, end), (call, call_end) = ENDS[kind]
    turn, calling = split(chat(written)), split(chat(written), CALL)
    assert (turn.text, turn.end) == (answer, end)
    assert (calling.text[-len(call) :], calling.end) == (call, call_end)


def test_a_prompt_that_is_always_there() -> None:
    always = chat().replace("{% if add_generation_prompt %}<assistant>{% endif %}", "<assistant>")
    assert split(always).text == "It is.<end>"
    assert split(always, CALL).text.endswith("</call><end>")


def test_a_prompt_that_is_always_there_and_has_no_marker() -> None:
    said = "{{ 'User: ' if message.role == 'user' else 'Bot:' }}{{ message.content }}\n\n"
    turn = split(f"{{% for message in messages %}}{said}{{% endfor %}}Bot:")
    assert (turn.prompt, turn.text, turn.end) == ("User: Is it late?\n\nBot:", "It is.", "")


# -- how messages are spelled


@pytest.mark.parametrize(
    ("turn", "spelling"),
    [
        (TURN, Spelling()),
        (TURN.replace("message.reasoning_content", "message.thinking"), Spelling(reasoning="thinking")),
        (
            TURN.replace("{{ call.function | tojson }}", "{{ call.function.name + call.function.arguments }}"),
            Spelling(arguments_as_text=True),
        ),
        (
            TURN.replace("{{ call.function | tojson }}", "{{ call.function.name }}{{ call.function.arguments }}"),
            Spelling(arguments_as_text=True),  # else they'd be written as Python does
        ),
        (
            "{% if message.content is not none and message.tool_calls %}{{ raise_exception('no') }}{% endif %}" + TURN,
            Spelling(no_content="null"),
        ),
        (
            TURN.replace("{{ call.function | tojson }}", "{{ call.function.arguments | tojson }}"),
            Spelling(ids_with_names=True),
        ),
        (
            TURN.replace("{{ message.content }}", "{% for part in message.content %}{{ part.text }}{% endfor %}"),
            Spelling(),
        ),
    ],
)
def test_messages_are_spelled_as_the_chat_template_wants_them(turn: str, spelling: Spelling) -> None:
    with Renderer(chat(turn)) as renderer:
        assert spelling_of(Texts(renderer)) == spelling


def test_contents_in_parts() -> None:
    parts = "{% for part in message.content %}{{ part.text }}{% endfor %}"
    with Renderer(chat(parts + "<end>\n").replace("{{ message.content }}", parts)) as renderer:
        assert spelling_of(Texts(renderer)) == Spelling(in_parts=True)
