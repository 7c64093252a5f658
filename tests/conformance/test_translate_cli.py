"""The command translate: what it prints, its exit status, and that it survives whatever it is given."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance import schemas
from antiphon_conformance.display import broken
from antiphon_conformance.inputs import BadInput, read_chat_template, read_template
from antiphon_conformance.templates import translating
from antiphon_portability.regex import TARGETS
from antiphon_portability.regex import translate as translate_pattern
from rich.console import Console
from test_cli import TEMPLATE, antiphon, assert_bad_input

README = (Path(__file__).parents[2] / "portability" / "README.md").read_text("utf-8")
NARROW = {"COLUMNS": "80"}


def write(folder: Path, document: Any, name: str = "template.json") -> str:
    path = folder / name
    path.write_text(json.dumps(document), "utf-8")
    return str(path)


# patterns


def test_the_pattern_is_whole_and_on_a_line_of_its_own() -> None:
    ended = antiphon("translate", r"(?P<tag>\w+)>", "--to", "ecmascript", environment=NARROW)
    assert (ended.status, ended.err) == (0, "")
    pattern, empty, *rest = ended.out.decode().splitlines()
    assert pattern == translate_pattern(r"(?P<tag>\w+)>", "ecmascript").pattern
    assert empty == ""
    assert "flags      su" in rest
    assert "group      tag is the pattern's tag" in rest
    assert any(line.startswith("rewritten  classes and properties") for line in rest)
    assert all(len(line) <= 80 and line == line.rstrip() for line in rest)


def test_hit_end() -> None:
    out = antiphon("translate", "ab", "--to", "re", "--hit-end").out.decode()
    assert out.splitlines()[0] == translate_pattern("ab", "re", "hit-end").pattern
    assert "markers  hit1: if one took part, the match is undecided" in out


def test_json_is_the_translation() -> None:
    ended = antiphon("translate", r"a\s", "--to", "re", "--to", "ecmascript", "--to", "re", "--json", "--hit-end")
    translations = [translate_pattern(r"a\s", target, "hit-end").as_json() for target in ("re", "ecmascript")]
    assert ended.lines == json.loads(json.dumps(translations))
    for line in ended.lines:
        assert schemas.first_fault(line, "protocol", "translation") is None


def test_what_cannot_be_done() -> None:
    ended = antiphon("translate", "(?P<a>x|y)(?P=a)", "--to", "re2")
    assert (ended.status, ended.err) == (1, "")
    assert "unsupported  a backreference; instead: write the options out" in ended.out.decode()
    ended = antiphon("translate", "(?P<a>x|y)(?P=a)", "--to", "re2", "--json")
    assert (ended.status, ended.lines[0]["pattern"]) == (1, None)


def test_a_table_of_targets() -> None:
    ended = antiphon("translate", "(?P<a>x|y)(?P=a)", "--to", "all", environment=NARROW)
    rows = {row[0]: row[1:] for line in ended.out.decode().splitlines() if (row := line.split())}
    assert ended.status == 1
    assert set(TARGETS) <= set(rows)
    assert rows["java"] == ["exact"]
    assert rows["re2"][:3] == ["unsupported", "a", "backreference;"]
    assert antiphon("translate", "ab", "--to", "all").status == 0


@pytest.mark.parametrize(
    ("pattern", "position", "shown", "before"),
    [
        ("a(b", 1, "a(b", "a"),
        ("日本(b", 2, "日本(b", "    "),  # two columns each
        ("\t(b", 1, r"\t(b", r"\t"),
        ("x" * 100 + "(" + "y" * 100, 100, "…" + "x" * 30 + "(" + "y" * 29 + "…", "…" + "x" * 30),
    ],
)
def test_a_malformed_pattern(pattern: str, position: int, shown: str, before: str) -> None:
    ended = antiphon("translate", pattern, "--to", "re")
    fault, excerpt, caret = ended.err.splitlines()
    assert (ended.status, ended.out) == (2, b"")
    assert fault.startswith(f"antiphon: PATTERN: code point {position}: missing ); close what starts here")
    assert excerpt == f"  {shown}"
    assert caret == "  " + " " * len(before) + "^"


def test_a_pattern_without_meaning_in_a_stream() -> None:
    ended = antiphon("translate", r"a\Gb", "--to", "re")
    assert ended.status == 2
    assert ended.err.splitlines()[0].endswith("; leave it out, or use a lookbehind")


@pytest.mark.parametrize(
    ("arguments", "telling"),
    [
        (("a", "--to", "javascript"), "--to javascript: there is no such target; "),
        (("a", "--to", "RE2"), "--to RE2: there is no such target; "),
        (("a", "--to", "pcre"), "write pcre2"),
        (("a",), "Missing option '--to'"),
        (("--to", "re"), "Missing argument 'PATTERN'"),
        (("", "--to", "re"), "PATTERN: is empty"),
        (("a", "--to", "java,rust"), "name each by itself: --to java --to rust"),
        (("a", "--to", "jva"), "write java"),
        ((b"a\xff", "--to", "re"), "PATTERN: code point 1: isn't UTF-8"),
        ((b"\xed\xa0\x80", "--to", "re"), "PATTERN: code point 0: isn't UTF-8"),
        (("{folder}", "--to", "re"), "is a folder; give a template's file"),
        (("{folder}/no.json", "--to", "re"), "there is no such file"),
    ],
)
def test_misuse(tmp_path: Path, arguments: tuple[str | bytes, ...], telling: str) -> None:
    filled = [a if isinstance(a, bytes) else a.replace("{folder}", str(tmp_path)) for a in arguments]
    assert_bad_input(antiphon("translate", *filled), telling)


def test_a_table_keeps_its_words_however_narrow() -> None:
    out = antiphon("translate", "ab", "--to", "all", environment={"COLUMNS": "20"}).out.decode()
    assert set(TARGETS) <= set(out.split())
    assert "…" not in out


def test_a_pattern_that_the_terminal_lacks() -> None:
    ended = antiphon("translate", "😀é", "--to", "ecmascript", environment={"PYTHONIOENCODING": "ascii"})
    assert_bad_input(ended, "print the pattern by --json")


def test_a_file_that_may_be_meant_as_a_pattern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "content").write_text("hi")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=r"as a pattern write \(\?:content\)"):
        shown("content")


@pytest.mark.parametrize("width", [1, 8, 40])
def test_quoted_texts_lose_nothing_where_they_are_broken(width: int) -> None:
    text = 'a  word, then "two  spaces \\" and   three": "x' + " " * 60 + 'y"'
    quoted = '"two  spaces \\" and   three": "x' + " " * 60 + 'y"'
    assert quoted.replace(": ", ":") in "".join(broken(text, width)).replace(": ", ":")


@pytest.mark.parametrize("width", [7, 8, 9])
def test_an_escape_is_not_broken(width: int) -> None:
    text = '"' + 8 * r"ab\n" + 4 * r"\\" + '"'
    lines = broken(text, width)
    assert all((len(line) - len(line.rstrip("\\"))) % 2 == 0 for line in lines)
    assert "".join(lines) == text


def test_chat_templates_without_a_default(tmp_path: Path) -> None:
    path = write(tmp_path, {"chat_template": [{"name": "rag", "template": "x"}]})
    with pytest.raises(BadInput, match="named rag, and none named default"):
        read_chat_template(path)


def test_a_file_without_a_name() -> None:
    with pytest.raises(BadInput, match="is empty; name a file"):
        read_template("")


def test_a_dot_is_a_pattern_though_it_is_a_folder() -> None:
    assert antiphon("translate", ".", "--to", "re").out.startswith(b"(?s:.)")


def shown(pattern: str, target: str = "ecmascript") -> tuple[bool, str]:
    """What the command prints for what no command line can carry."""
    stream = io.StringIO()
    found = translating.show(translating.Wish(pattern, [target]), Console(width=80, file=stream))
    return found, stream.getvalue()


def test_nul_and_a_million_characters() -> None:
    found, text = shown("a\0b")
    assert found
    assert text.splitlines()[0] == r"a\x00b"
    found, text = shown("a" * 1_000_000)
    assert not found
    assert "a pattern of more than 10,000 code points" in text
    with pytest.raises(BadInput, match="nested too deeply"):
        shown("(" * 5000)


def test_help() -> None:
    ended = antiphon("translate", "--help", environment={"COLUMNS": "200"})
    assert ended.status == 0
    assert all(target in ended.out.decode() for target in TARGETS)


# templates


def test_a_template(tmp_path: Path) -> None:
    ended = antiphon("translate", write(tmp_path, TEMPLATE), "--to", "ecmascript")
    document = json.loads(ended.out)
    assert (ended.status, ended.err) == (0, "")
    assert (document["template"], document["target"]) == (TEMPLATE, "ecmascript")
    assert list(document["patterns"]) == [
        "/start_anchor", "/fields/think/open", "/fields/think/close", "/fields/calls/open", "/fields/calls/close",
    ]  # fmt: skip
    assert schemas.first_fault(document["patterns"], "protocol", "patterns") is None


def test_a_template_in_a_tokenizer_config(tmp_path: Path) -> None:
    path = write(tmp_path, {"response_template": TEMPLATE}, "tokenizer_config.json")
    assert "/fields/think/open" in json.loads(antiphon("translate", path, "--to", "re").out)["patterns"]
    path = write(tmp_path, {"tokenizer_class": "X"}, "tokenizer_config.json")
    assert_bad_input(antiphon("translate", path, "--to", "re"), "is neither a template nor")


def test_a_template_that_the_target_cannot_do(tmp_path: Path) -> None:
    fields = {"content": {"close_pattern": "(a|b)\\1"}}
    ended = antiphon("translate", write(tmp_path, {"start_anchor": "x", "fields": fields}), "--to", "re2")
    assert ended.status == 1
    assert json.loads(ended.out)["patterns"]["/fields/content/close_pattern"]["plain"]["verdict"] == "unsupported"


def test_a_faulty_template_is_told_as_check_does(tmp_path: Path) -> None:
    path = write(tmp_path, {"start_anchor": "x", "fields": {"content": {"close_pattern": "a("}}})
    ended = antiphon("translate", path, "--to", "re")
    assert_bad_input(ended, "/fields/content/close_pattern: ")
    assert ended.err == "antiphon: " + antiphon("check", path).out.decode()


def test_odd_templates(tmp_path: Path) -> None:
    """Lone surrogates, NUL and long literals."""
    fields = {"a\ud800": {"open": "\ud800", "close": "\0"}, "content": {"close": ["x" * 11_000, "y"]}}
    ended = antiphon("translate", write(tmp_path, {"start_anchor": "x", "fields": fields}), "--to", "ecmascript")
    patterns = json.loads(ended.out)["patterns"]
    assert ended.status == 1
    assert patterns["/fields/a\ud800/open"]["plain"]["pattern"] == r"\ud800"
    assert patterns["/fields/content/close"]["plain"]["pattern"] is None


def test_misuse_with_templates(tmp_path: Path) -> None:
    path = write(tmp_path, TEMPLATE)
    assert_bad_input(antiphon("translate", path, "--to", "all"), "--to: a template is translated to one target")
    assert_bad_input(antiphon("translate", path, "--to", "re", "--hit-end"), "--hit-end: a template's patterns")
    (tmp_path / "bad.json").write_bytes(b"\xff")
    assert_bad_input(antiphon("translate", str(tmp_path / "bad.json"), "--to", "re"), "isn't UTF-8")


# what the README shows


EXAMPLES = re.findall(r"^\$ antiphon (translate .*)\n((?:(?!```|\$ ).*\n)*)", README, re.MULTILINE)


def test_the_readme_has_examples() -> None:
    assert len(EXAMPLES) == 2


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_the_readme_shows_what_is_printed(command: str, output: str) -> None:
    printed = antiphon(*shlex.split(command), environment=NARROW).out.decode()
    assert [line.rstrip() for line in printed.strip().splitlines()] == [
        line.rstrip() for line in output.strip().splitlines()
    ]
