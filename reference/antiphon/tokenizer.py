"""Parsing token ids with the template that a tokenizer carries, and the template's place in `tokenizer_config.json`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, SupportsIndex, TypeAlias, cast

from antiphon.errors import ParserStateError, TemplateError
from antiphon.parser import Message, OnMalformed, ResponseParser, TemplateLike, parse_response
from antiphon.template import Template, load_template
from antiphon.tools import Tool

KEY: Final = "response_template"

Ids: TypeAlias = Any
"""A sequence of token ids: a list, a tuple, or an array with `tolist` (NumPy, PyTorch, …); or text as it is."""


@dataclass(frozen=True)
class TokenizerParsers:
    """The two ways of parsing, for token ids of one tokenizer. Made by `for_tokenizer`."""

    tokenizer: Any
    template: Template

    def parse_response(
        self,
        response: Ids | Sequence[Ids],
        *,
        prefix: Ids | Sequence[Ids] | None = None,
        tools: Sequence[Tool] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> Message | list[Message]:
        """The message of one generation, or a list of them for a batch; as `antiphon.parse_response`, with token ids.

        A batch is a list of texts, a list of lists of ids, or a two-dimensional array. An empty list as prefix says
        that there is none.
        """
        texts = self._decode(response)
        before = self._decode_prefix(prefix)
        parsed: Message | list[Message] = parse_response(
            cast(str, texts), self.template, prefix=cast(str | None, before), tools=tools, on_malformed=on_malformed
        )  # both may be lists, too; no overload says so
        return parsed

    def get_response_parser(
        self,
        *,
        prefix: Ids | None = None,
        tools: Sequence[Tool] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> ResponseParser:
        """A parser for one stream; as `antiphon.ResponseParser`, with a prefix of token ids. It is fed with text."""
        text = self._decode_prefix(prefix)
        if isinstance(text, list):
            raise ParserStateError("not-text", "a parser follows one stream: give one prefix, not a batch")
        return ResponseParser(self.template, prefix=text, tools=tools, on_malformed=on_malformed)

    def _decode_prefix(self, prefix: Ids | Sequence[Ids] | None) -> str | list[str] | None:
        """An empty list as prefix is an empty prefix; as a response it is an empty batch."""
        if prefix is None:
            return None
        return self._decode(prefix) or ""

    def _decode(self, value: Ids | Sequence[Ids]) -> str | list[str]:
        """The text of one sequence, or the texts of a batch."""
        items = _as_list(value)
        if isinstance(items, str):
            return items
        if items and all(isinstance(item, int) for item in items):
            return str(self.tokenizer.decode(items))
        return [self._decode_one(item) for item in items]

    def _decode_one(self, value: Ids) -> str:
        text = self._decode(value)
        if isinstance(text, list):
            if text:
                raise ParserStateError("not-text", "a batch is one level deep: texts, or lists of token ids")
            return ""
        return text


def for_tokenizer(tokenizer: Any, template: TemplateLike | None = None) -> TokenizerParsers:
    """`parse_response` and `get_response_parser` for a tokenizer: anything with `decode(ids) -> str`.

    Args:
        tokenizer: its `response_template` is used by default.
        template: a template or its document to use instead.

    Raises:
        TemplateError: there is no template (kind `missing-key`), or it can't be used.
    """
    document = template if template is not None else getattr(tokenizer, KEY, None)
    if document is None:
        reason = f"the tokenizer has no {KEY}; set the attribute, or pass a template"
        raise TemplateError("missing-key", "", reason)
    return TokenizerParsers(tokenizer, document if isinstance(document, Template) else load_template(document))


def read_tokenizer_template(config: str | Path) -> Mapping[str, Any] | None:
    """The template document in a `tokenizer_config.json` (the file, or the folder it is in); None if it has none.

    Raises:
        OSError, UnicodeDecodeError, json.JSONDecodeError: the file can't be read.
        TemplateError: it doesn't hold an object.
    """
    text = _config_path(config).read_bytes().decode("utf-8")
    template: Mapping[str, Any] | None = _read_object(text).get(KEY)
    return template


def write_tokenizer_template(config: str | Path, template: Mapping[str, Any] | None) -> None:
    """Puts a template into a `tokenizer_config.json`, or takes it out (None). Every other byte of the file stays.

    A file that doesn't exist is made.

    Raises:
        TemplateError: the template can't be used, or the file doesn't hold an object; the file isn't touched.
        OSError, UnicodeDecodeError, json.JSONDecodeError: the file can't be read or written.
    """
    path = _config_path(config).resolve()  # what a link points to is edited, not the link
    text = path.read_bytes().decode("utf-8") if path.exists() else "{\n}\n"
    edited = edit_tokenizer_template(text, template)
    temporary = path.with_name(path.name + ".new")
    temporary.write_bytes(edited.encode("utf-8"))
    if path.exists():
        shutil.copymode(path, temporary)
    temporary.replace(path)


def edit_tokenizer_template(text: str, template: Mapping[str, Any] | None) -> str:
    """The text of a `tokenizer_config.json` with a template put into it, or taken out (None). All else stays as it is.

    Raises:
        TemplateError: the template can't be used, or the text isn't that of an object.
        json.JSONDecodeError: the text isn't JSON.
    """
    if template is not None:
        load_template(template)
    _read_object(text)
    edited = _edit(text, template)
    _read_object(edited)  # an edit that spoils the file must not reach it
    return edited


def _edit(text: str, template: Mapping[str, Any] | None) -> str:
    """The text of an object with its member `KEY` replaced, added or taken out."""
    members = _members(text)
    indent = _indent(text)
    # Of members with one name the last counts, for readers of JSON.
    index = max((index for index, member in enumerate(members) if member.name == KEY), default=None)
    if index is None:
        if template is None:
            return text
        member = f"{indent}{json.dumps(KEY)}: {_dump(template, indent)}"
        if not members:
            return f"{text[: text.index('{') + 1]}{member}\n{text[text.rindex('}') :]}"
        return f"{text[: members[-1].end]},{member}{text[members[-1].end :]}"
    old = members[index]
    if template is not None:
        return text[: old.value] + _dump(template, indent) + text[old.end :]
    if index > 0:
        return text[: members[index - 1].end] + text[old.end :]
    if len(members) > 1:
        return text[: old.begin] + text[members[1].begin :]
    return text[: text.index("{") + 1] + text[text.rindex("}") :]


class _Member(NamedTuple):
    """A member of an object in a text: where it begins, its value begins, and its value ends."""

    name: str
    begin: int
    value: int
    end: int


def _members(text: str) -> list[_Member]:
    decoder = json.JSONDecoder()
    members: list[_Member] = []
    pos = _skip(text, text.index("{") + 1)
    while text[pos] != "}":
        begin = pos
        name, pos = decoder.raw_decode(text, begin)
        value = _skip(text, _skip(text, pos) + 1)  # over the colon
        _, end = decoder.raw_decode(text, value)
        members.append(_Member(name, begin, value, end))
        pos = _skip(text, end)
        if text[pos] == ",":
            pos = _skip(text, pos + 1)
    return members


def _skip(text: str, pos: int) -> int:
    while text[pos] in " \t\n\r":
        pos += 1
    return pos


def _indent(text: str) -> str:
    """What stands before the first member of the object, which is how its members are indented."""
    begin = text.index("{") + 1
    space = text[begin : _skip(text, begin)]
    return space if text[begin + len(space)] != "}" else "\n  "


def _dump(template: Mapping[str, Any], indent: str) -> str:
    """The template as JSON, indented like its neighbours; lone surrogates, which no file can hold, are escaped."""
    line, _, step = indent.rpartition("\n")
    text = json.dumps(template, indent=step or "  ", ensure_ascii=False, default=dict).replace("\n", f"{line}\n{step}")
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)


def _read_object(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except RecursionError:
        raise TemplateError("too-deep", "", "the file is nested too deeply to be read") from None
    if not isinstance(document, dict):
        raise TemplateError("wrong-type", "", "a tokenizer's configuration is an object")
    return document


def _config_path(config: str | Path) -> Path:
    path = Path(config)
    return path / "tokenizer_config.json" if path.is_dir() else path


def _as_list(value: Any) -> str | list[Any]:
    """Text as it is; a list, a tuple or an array as a list, with plain integers where it has integers."""
    items = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(items, str):
        return items
    if not isinstance(items, list | tuple):
        raise ParserStateError("not-text", f"expected text or token ids, not {type(value).__name__}")
    return [int(item) if isinstance(item, SupportsIndex) else item for item in items]
