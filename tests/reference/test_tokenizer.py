"""Token ids in place of text, and the template's place in `tokenizer_config.json`."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from antiphon import (
    AntiphonError,
    TemplateError,
    edit_tokenizer_template,
    for_tokenizer,
    read_tokenizer_template,
    write_tokenizer_template,
)
from test_response_parser import CHAT, PROMPT
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

SPECIAL = ["<think>", "</think>", "<|im_start|>", "<|im_end|>"]


class ByteTokenizer:
    """A real byte-level tokenizer without merges: every byte and every special token is a token."""

    def __init__(self, template: Any = None) -> None:
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        self.backend = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(alphabet)}, merges=[]))
        self.backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        self.backend.decoder = decoders.ByteLevel()
        self.backend.add_special_tokens(SPECIAL)
        self.response_template = template

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self.backend.encode(text).ids
        return ids

    def decode(self, ids: list[int]) -> str:
        text: str = self.backend.decode(ids, skip_special_tokens=False)
        return text


@pytest.fixture
def tokenizer() -> ByteTokenizer:
    return ByteTokenizer(CHAT)


RESPONSE = "Grüß.</think>Servus 👋<|im_end|>"
MESSAGE = {"role": "assistant", "reasoning_content": "Grüß.", "content": "Servus 👋"}


@pytest.mark.parametrize("wrap", [list, tuple, np.array], ids=["list", "tuple", "numpy"])
def test_one_sequence_of_ids(tokenizer: ByteTokenizer, wrap: Any) -> None:
    parsers = for_tokenizer(tokenizer)
    prefix = wrap(tokenizer.encode(PROMPT + "<think>"))
    assert parsers.parse_response(wrap(tokenizer.encode(RESPONSE)), prefix=prefix) == MESSAGE


def test_batches_of_ids(tokenizer: ByteTokenizer) -> None:
    parsers = for_tokenizer(tokenizer)
    prefix, response = tokenizer.encode(PROMPT + "<think>"), tokenizer.encode(RESPONSE)
    assert parsers.parse_response([response, response], prefix=prefix) == [MESSAGE, MESSAGE]
    assert parsers.parse_response(np.array([response, response]), prefix=[prefix, prefix]) == [MESSAGE, MESSAGE]
    assert parsers.parse_response([RESPONSE, response], prefix=[PROMPT + "<think>", prefix]) == [MESSAGE, MESSAGE]
    assert parsers.parse_response([], prefix="") == []
    with pytest.raises(AntiphonError):
        parsers.parse_response([response, response], prefix=[prefix])


def test_an_empty_prefix(tokenizer: ByteTokenizer) -> None:
    parsers = for_tokenizer(tokenizer)
    prefixes: list[Any] = ["", [], np.array([])]
    for prefix in prefixes:
        assert parsers.parse_response("Hi", prefix=prefix) == {"role": "assistant", "content": "Hi"}
    with pytest.raises(AntiphonError):
        parsers.parse_response("Hi")


def test_a_streaming_parser_with_a_prefix_of_ids(tokenizer: ByteTokenizer) -> None:
    parser = for_tokenizer(tokenizer).get_response_parser(prefix=np.array(tokenizer.encode(PROMPT + "<think>")))
    assert parser.initial_events == [{"type": "region_open", "field": "reasoning_content"}]
    for character in RESPONSE:
        parser.feed(character)
    assert parser.finalize()[0] == MESSAGE
    with pytest.raises(AntiphonError):
        for_tokenizer(tokenizer).get_response_parser(prefix=[[1], [2]])


def test_the_template_of_the_tokenizer_or_another() -> None:
    with pytest.raises(TemplateError) as caught:
        for_tokenizer(ByteTokenizer())
    assert caught.value.kind == "missing-key"
    assert for_tokenizer(ByteTokenizer(), CHAT).parse_response("Hi", prefix="")["content"] == "Hi"  # type: ignore[call-overload]


CONFIGS = {
    "indented": '{\n  "a": 1e-05,\n  "b": "\\u00e9",\n  "z": [1,2 ,3]\n}\n',
    "compact": '{"a":1,"z":{"response_template":null}}',
    "tabs": '{\n\t"a": true\n}',
    "empty": "{}",
    "windows": '{\r\n  "a": 1\r\n}\r\n',
}


@pytest.mark.parametrize("text", CONFIGS.values(), ids=CONFIGS.keys())
def test_the_config_keeps_every_other_byte(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_bytes(text.encode())
    write_tokenizer_template(path, CHAT)
    assert read_tokenizer_template(path) == CHAT
    assert {k: v for k, v in json.loads(path.read_bytes()).items() if k != "response_template"} == json.loads(text)
    write_tokenizer_template(path, {**CHAT, "version": 1})
    assert read_tokenizer_template(tmp_path) == {**CHAT, "version": 1}
    write_tokenizer_template(path, None)
    assert path.read_bytes().decode() == text
    assert read_tokenizer_template(path) is None


def test_a_template_among_other_members_is_replaced_in_place(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_text('{"a": 1, "response_template": {"old": true}, "z": 2}')
    write_tokenizer_template(path, CHAT)
    text = path.read_text()
    assert text.startswith('{"a": 1, "response_template": {') and text.endswith('}, "z": 2}')
    write_tokenizer_template(path, None)
    assert path.read_text() == '{"a": 1, "z": 2}'


@pytest.mark.parametrize("text", CONFIGS.values(), ids=CONFIGS.keys())
def test_a_text_is_edited_as_a_file_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_bytes(text.encode())
    write_tokenizer_template(path, CHAT)
    edited = edit_tokenizer_template(text, CHAT)
    assert edited.encode() == path.read_bytes()
    assert edit_tokenizer_template(edited, None) == text


@pytest.mark.parametrize(
    ("text", "template", "error"),
    [("{}", {"fields": {}}, TemplateError), ("[]", CHAT, TemplateError), ("{", CHAT, json.JSONDecodeError)],
    ids=["template", "no object", "no JSON"],
)
def test_a_text_is_edited_only_if_all_is_sound(text: str, template: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        edit_tokenizer_template(text, template)


def test_of_two_templates_the_last_counts_for_writer_and_reader(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_text('{"response_template": {"old": 1}, "a": 1, "response_template": {"old": 2}}')
    write_tokenizer_template(path, CHAT)
    assert read_tokenizer_template(path) == CHAT


def test_what_a_link_points_to_is_edited(tmp_path: Path) -> None:
    blob, link = tmp_path / "blob", tmp_path / "tokenizer_config.json"
    blob.write_text("{}")
    blob.chmod(0o600)
    link.symlink_to(blob)
    write_tokenizer_template(tmp_path, MappingProxyType(CHAT))
    assert link.is_symlink() and read_tokenizer_template(blob) == CHAT
    assert blob.stat().st_mode & 0o777 == 0o600


def test_a_template_that_is_none_never_reaches_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_text("{}")
    with pytest.raises(TemplateError):
        write_tokenizer_template(path, {"fields": {}})
    assert path.read_text() == "{}"
    path.write_text("[]")
    with pytest.raises(TemplateError):
        read_tokenizer_template(path)
