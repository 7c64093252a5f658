"""What the kit reads: files, arguments and standard input. Whatever is wrong with them is a BadInput.

So is a file that can't be written, since its name came from somebody, too.
"""

from __future__ import annotations

import codecs
import gzip
import json
import os
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from antiphon_portability.chat import with_tool_use
from antiphon_portability.regex import TARGETS

from antiphon_conformance.display import escape
from antiphon_conformance.schemas import first_fault

READ_SIZE = 1 << 16
STDIN = "-"
ALL = "all"
"""What stands for every target."""
_NEAR = 0.55
"""How alike a name has to be to a target's, for that to be suggested; as `jva` and `java`, not `re2` and `regex`."""


class BadInput(Exception):
    """Input that can't be used: where it is, what is wrong, what to do. Its text is one line.

    `excerpt`: lines that show the place, to be printed below it as they are; or nothing.
    """

    def __init__(self, place: str, problem: str, excerpt: str = "") -> None:
        super().__init__(escape(f"{place}: {problem}"))
        self.excerpt = excerpt


@dataclass(frozen=True)
class TemplateDocument:
    """A template's document, with its file's name, the JSON Pointer to it in that file, and the file's text."""

    document: Any
    file: str
    pointer: str
    text: str = field(repr=False)


def read_template(file: str) -> TemplateDocument:
    """A template from its own file, or from a tokenizer_config.json that has it as `response_template`."""
    if file == STDIN:
        raise BadInput("TEMPLATE", "can't be standard input; give a file")
    text = read_text(file)
    return template_in(_parsed(text, file), file, text)


def template_in(document: Any, file: str, text: str) -> TemplateDocument:
    """The same of a file's document and text."""
    if isinstance(document, dict) and "response_template" in document and "fields" not in document:
        return TemplateDocument(document["response_template"], file, "/response_template", text)
    if isinstance(document, dict) and not document.keys() & {"fields", "start_anchor", "start_anchor_pattern"}:
        problem = "is neither a template nor a tokenizer_config.json with the key response_template"
        raise BadInput(file, f"{problem}; put one there, or give its own file")
    return TemplateDocument(document, file, "", text)


@dataclass(frozen=True)
class ChatTemplate:
    """The Jinja source of a chat template, and the tokens that go with it, such as `bos_token`."""

    source: str
    special_tokens: dict[str, str]


def read_chat_template(file: str) -> ChatTemplate:
    """A chat template from its own file, or from a tokenizer_config.json that has it as `chat_template`.

    Of several, the ones that are named default and tool_use, the latter where there are tools, as transformers does.
    """
    if file == STDIN:
        raise BadInput("CHAT_TEMPLATE", "can't be standard input; write it to a .jinja file, and give that")
    if not file.endswith(".json"):
        return ChatTemplate(read_text(file), {})
    return chat_template_in(read_json(file), file)


def chat_template_in(document: Any, file: str) -> ChatTemplate:
    """The same of the document of a tokenizer_config.json."""
    found = document.get("chat_template") if isinstance(document, dict) else None
    if isinstance(found, list):  # several, by name
        named = {str(one["name"]): one.get("template") for one in found if isinstance(one, dict) and "name" in one}
        found = named.get("default", found)
        tool_use = named.get("tool_use")
        if isinstance(found, str) and isinstance(tool_use, str):
            found = with_tool_use(found, tool_use)
        if named and "default" not in named:
            problem = f"has chat templates named {', '.join(named)}, and none named default"
            raise BadInput(file, f"{problem}; write the one that is meant to a .jinja file")
    if found is None:
        raise BadInput(file, "has no chat_template; give a .jinja file, or a tokenizer_config.json that has one")
    if not isinstance(found, str):
        problem = 'is no text, and no list with {"name": "default", "template": "…"}; correct it, or give a .jinja file'
        raise BadInput(f"{file}: /chat_template", problem)
    return ChatTemplate(found, special_tokens(document))


def special_tokens(document: Mapping[str, Any]) -> dict[str, str]:
    """The tokens that a tokenizer_config.json names, such as `eos_token`."""
    tokens = {key: value.get("content") if isinstance(value, dict) else value for key, value in document.items()}
    return {key: value for key, value in tokens.items() if key.endswith("_token") and isinstance(value, str)}


def read_tools(file: str | None) -> Any:
    """The list of tools in a JSON file; None without a file."""
    if file is None:
        return None
    tools = read_json(file)
    if not isinstance(tools, list):
        raise BadInput(file, "tools are a JSON list of tool objects; put brackets around a single one")
    return tools


def read_report(path: Path) -> Any:
    """A report that `conformance run --report` wrote, perhaps compressed by gzip."""
    return report_in(_parsed(_unpacked(path), path) if path.suffix == ".gz" else read_json(path), path)


def report_in(document: Any, file: str | Path) -> Any:
    """The same of a file's document, which is checked."""
    fault = first_fault(document, "report")
    if fault is not None:
        raise BadInput(f"{file}: {fault.pointer or 'the document'}", f"isn't a report: {fault.problem}")
    try:
        datetime.fromisoformat(document["created"]).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadInput(f"{file}: /created", "isn't a report: the text is no date and time; correct it there") from None
    return document


def _unpacked(path: Path) -> str:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return file.read()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise BadInput(str(path), f"can't be read as gzip: {problem}; give a file that can") from None


def read_json(file: str | Path) -> Any:
    """A JSON document."""
    return _parsed(read_text(file), file)


def _parsed(text: str, file: str | Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        hint = "save it without a byte order mark" if text.startswith("\ufeff") else "correct the JSON there"
        raise BadInput(
            f"{file}: line {error.lineno} column {error.colno}", f"isn't JSON: {error.msg}; {hint}"
        ) from None
    except RecursionError:
        raise BadInput(str(file), "is nested too deeply to be read; take levels out") from None
    except ValueError as error:
        problem = str(error).partition(";")[0]  # behind it, advice for programmers
        raise BadInput(str(file), f"can't be read as JSON: {problem}; correct it there") from None


def read_text(file: str | Path) -> str:
    """A file's text; line ends stay as they are."""
    if not str(file):
        raise BadInput("the file's name", "is empty; name a file")
    try:
        data = Path(file).read_bytes()
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadInput(str(file), f"can't be read: {problem}; give a file that can") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: byte {error.start}", "isn't UTF-8; save the file as UTF-8") from None


@contextmanager
def writing(option: str, path: Path) -> Iterator[None]:
    """In here the file that an option named is written, or made ready to be. Raises BadInput where that can't be."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{option} {path}", f"can't be written: {error.strerror}; name another file") from None


def targets(option: str, names: Sequence[str]) -> list[str]:
    """The engines that an option's values name, each once, as patterns are translated for them; all of them for ALL."""
    found = list(dict.fromkeys(name if name == ALL else target(option, name, f", and {ALL}") for name in names))
    return list(TARGETS) if ALL in found else found


def target(option: str, name: str, others: str = "") -> str:
    """The one engine that an option names. `others`: what it could name beside."""
    if name not in TARGETS:
        listed = [part.strip() for part in name.split(",")]
        near = get_close_matches(name.lower(), TARGETS, n=1, cutoff=_NEAR)
        remedy = f"write {near[0]}" if near else f"there are {', '.join(TARGETS)}{others}"
        if others and len(listed) > 1 and all(part in {*TARGETS, ALL} for part in listed):
            remedy = "name each by itself: " + " ".join(f"{option} {part}" for part in listed)
        raise BadInput(f"{option} {name}", f"there is no such target; {remedy}")
    return name


def read_prefix(prefix: str | None, file: str | None, none: bool) -> str:
    """The prefix out of exactly one of three options (PREFIX-1)."""
    if sum((prefix is not None, file is not None, none)) != 1:
        raise BadInput("prefix", "give exactly one of --prefix, --prefix-file and --no-prefix")
    if file is not None:
        return read_text(file)
    return checked_argument("--prefix", prefix or "")


def checked_argument(name: str, value: str) -> str:
    """An argument of the command line, if the shell's bytes were UTF-8."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadInput(
            f"{name}: code point {error.start}", "isn't UTF-8; pass the text as UTF-8, or by a file"
        ) from None
    return value


def text_pieces(text: str) -> Iterator[str]:
    """The text of an argument; or standard input as it comes, decoded as UTF-8, if the argument is `-`."""
    if text != STDIN:
        yield checked_argument("TEXT", text)
        return
    if sys.stdin is None:
        raise BadInput("standard input", "is closed; give TEXT, or a pipe")
    decoder = codecs.getincrementaldecoder("utf-8")()
    consumed = 0
    while True:
        try:
            data = os.read(sys.stdin.fileno(), READ_SIZE)
        except (OSError, ValueError) as error:
            raise BadInput("standard input", f"can't be read: {error}; give TEXT, or a pipe") from None
        pending = len(decoder.getstate()[0])
        try:
            yield decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise BadInput(
                f"standard input: byte {consumed - pending + error.start}", "isn't UTF-8; convert the text"
            ) from None
        if not data:
            return
        consumed += len(data)


def chunks(pieces: Iterator[str], size: int) -> Iterator[str]:
    """Pieces of text divided anew, into chunks of `size` code points; the last may be shorter."""
    held = ""
    for piece in pieces:
        held += piece
        whole = len(held) - len(held) % size
        yield from (held[start : start + size] for start in range(0, whole, size))
        held = held[whole:]
    if held:
        yield held
