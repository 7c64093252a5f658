"""The command line, by subprocess: what it prints, its exit status, and that no input makes a traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from antiphon_conformance import resources, schemas
from antiphon_conformance.cases import identity
from antiphon_conformance.reports import document as report
from made_up import BAD, case_source, fake_command, write_suite

TEMPLATE = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<bot>",
    "fields": {
        "think": {"open": "<t>", "close": "</t>"},
        "calls": {"open": "<c>", "close": "</c>", "content": "json", "repeats": True},
        "content": {},
    },
}


@dataclass(frozen=True)
class Ended:
    status: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def antiphon(*arguments: str | bytes, stdin: bytes = b"", environment: dict[str, str] | None = None) -> Ended:
    command: Sequence[str | bytes] = [sys.executable, "-m", "antiphon_conformance.cli", *arguments]
    found = subprocess.run(
        command, input=stdin, capture_output=True, timeout=60, env={**os.environ, **(environment or {})}, check=False
    )
    return Ended(found.returncode, found.stdout, found.stderr.decode())


@pytest.fixture
def template(tmp_path: Path) -> str:
    path = tmp_path / "template.json"
    path.write_text(json.dumps(TEMPLATE), "utf-8")
    return str(path)


# parse, stream, check


def test_parse_prints_the_message(template: str) -> None:
    ended = antiphon("parse", template, "<t>hm</t>Hello", "--no-prefix")
    assert (ended.status, ended.err) == (0, "")
    assert json.loads(ended.out) == {"role": "assistant", "think": "hm", "content": "Hello"}


def test_prefixes(template: str, tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_bytes("Hé?\r\n<bot><t>".encode())
    by_file = antiphon("parse", template, "hm</t>Hi", "--prefix-file", str(tmp_path / "prompt.txt"))
    by_option = antiphon("parse", template, "hm</t>Hi", "--prefix", "Hé?<bot><t>")
    assert json.loads(by_file.out) == json.loads(by_option.out) == {"role": "assistant", "think": "hm", "content": "Hi"}


def test_text_from_standard_input_is_utf_8_whatever_the_locale(template: str) -> None:
    """And no line end is translated."""
    for arguments in (("-",), ()):
        text = "é\r\n😀\u2028."
        ended = antiphon(
            "parse",
            template,
            *arguments,
            "--no-prefix",
            stdin=text.encode(),
            environment={"LC_ALL": "C", "PYTHONUTF8": "0"},
        )
        assert json.loads(ended.out)["content"] == text


def test_lone_surrogates_are_escaped(tmp_path: Path) -> None:
    """UTF-8 can't carry them, and a template may have them."""
    path = tmp_path / "t.json"
    path.write_text('{"defaults": {"x": "\\ud800"}, "start_anchor": "x", "fields": {"content": {}}}')
    for command in ("parse", "stream"):
        ended = antiphon(command, str(path), "é", "--no-prefix")
        assert (ended.status, ended.err) == (0, "")
        assert b'"\\ud800"' in ended.out


def test_tools_cast_arguments(tmp_path: Path) -> None:
    transform = {"function": {"name": "{content.name}", "arguments": "{content.arguments}"}}
    field = {"open": "<c>", "close": "</c>", "content": "json", "transform": transform}
    (tmp_path / "t.json").write_text(json.dumps({"start_anchor": "x", "fields": {"call": field}}))
    parameters = {"properties": {"n": {"type": "integer"}}}
    (tmp_path / "tools.json").write_text(json.dumps([{"name": "f", "parameters": parameters}]))
    text = '<c>{"name": "f", "arguments": {"n": "7"}}</c>'
    ended = antiphon("parse", str(tmp_path / "t.json"), text, "--no-prefix", "--tools", str(tmp_path / "tools.json"))
    assert json.loads(ended.out)["call"]["function"]["arguments"] == {"n": 7}


def test_stream_prints_events_and_at_last_the_message(template: str) -> None:
    ended = antiphon("stream", template, "hm</t>Hello", "--prefix", "<bot><t>", "--chunk", "4")
    assert ended.lines == [
        {"type": "region_open", "field": "think"},
        {"type": "region_chunk", "field": "think", "text": "hm", "dirty": False},
        {"type": "region_close", "field": "think", "value": "hm"},
        {"type": "region_open", "field": "content"},
        {"type": "region_chunk", "field": "content", "text": "He", "dirty": False},
        {"type": "region_chunk", "field": "content", "text": "llo", "dirty": False},
        {"type": "region_close", "field": "content", "value": "Hello"},
        {"role": "assistant", "think": "hm", "content": "Hello"},
    ]


def test_stream_does_not_wait_for_the_end_of_its_input(template: str) -> None:
    """An event comes out while the input is open; a code point may come in two writes."""
    command = [sys.executable, "-m", "antiphon_conformance.cli", "stream", template, "--no-prefix"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for part in ("é".encode()[:1], "é".encode()[1:]):
            process.stdin.write(part)
            process.stdin.flush()
            time.sleep(0.05)
        assert json.loads(process.stdout.readline())["type"] == "region_open"
        assert json.loads(process.stdout.readline())["text"] == "é"
        process.stdin.close()
        assert json.loads(process.stdout.read().splitlines()[-1]) == {"role": "assistant", "content": "é"}


def test_a_parse_error_tells_kind_field_position_and_remedy(template: str) -> None:
    ended = antiphon("parse", template, "Hi<c>{oops}</c>", "--no-prefix")
    assert (ended.status, ended.out) == (1, b"")
    assert ended.err.startswith("antiphon: json-syntax: field 'calls', code point 5 of the generation: not JSON: ")
    assert ended.err.endswith("; correct the region's text there, or its content kind in the template\n")
    assert ended.err.count("\n") == ended.err.count("field 'calls'") == 1


def test_a_parse_error_in_the_prefix(template: str) -> None:
    for command in ("parse", "stream"):
        ended = antiphon(command, template, "x", "--prefix", "<bot><c>{</c>")
        assert ended.status == 1
        assert ended.err.startswith("antiphon: json-syntax: field 'calls', code point -5 of the generation: not JSON: ")
        assert ended.err.count("\n") == 1


def test_a_prefix_without_the_anchor_is_remarked(template: str) -> None:
    for command in ("parse", "stream"):
        ended = antiphon(command, template, "x", "--prefix", "<t>")
        assert (ended.status, ended.err) == (
            0,
            "antiphon: the start anchor isn't in the prefix; all of it was parsed\n",
        )
        assert ended.lines[-1]["think"] == "x" if command == "stream" else b'"think": "x"' in ended.out
    assert antiphon("parse", template, "x", "--prefix", "").err == ""


def test_stream_prints_what_came_before_a_parse_error(template: str) -> None:
    for chunk in ("1", "100"):
        ended = antiphon("stream", template, "Hi<c>{oops}</c>", "--no-prefix", "--chunk", chunk)
        assert ended.status == 1
        assert ended.lines[-1]["field"] == "calls"
        assert {"type": "region_close", "field": "content", "value": "Hi"} in ended.lines


def test_check(template: str, tmp_path: Path) -> None:
    assert antiphon("check", template) == Ended(0, b"valid\n", "")
    faulty = {"start_anchor": "x", "fields": {"content": {"opne": "<t>"}}}
    (tmp_path / "faulty.json").write_text(json.dumps(faulty))
    ended = antiphon("check", str(tmp_path / "faulty.json"))
    assert ended.status == 1
    assert ended.out.startswith(f"{tmp_path}/faulty.json: /fields/content/opne: ".encode())
    assert b"(unknown-key)" in ended.out


def test_a_template_in_a_tokenizer_config(tmp_path: Path) -> None:
    config = tmp_path / "tokenizer_config.json"
    config.write_text(json.dumps({"tokenizer_class": "X", "response_template": TEMPLATE}))
    assert json.loads(antiphon("parse", str(config), "Hi", "--no-prefix").out)["content"] == "Hi"
    config.write_text(json.dumps({"response_template": {"start_anchor": "x", "fields": {}}}))
    assert b": /response_template/fields: " in antiphon("check", str(config)).out
    config.write_text(json.dumps({"tokenizer_class": "X"}))
    assert "key response_template" in antiphon("check", str(config)).err


# bad input


def assert_bad_input(ended: Ended, *telling: str) -> None:
    assert ended.status == 2, ended
    assert ended.err.startswith("antiphon: ")
    assert ended.err.count("\n") == 1, ended.err
    assert "Traceback" not in ended.err
    for part in telling:
        assert part in ended.err


@pytest.mark.parametrize(
    ("content", "telling"),
    [
        (b"", "line 1 column 1"),
        (b'{"fields":\n  {]}', "line 2 column 4"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a": "\xff"}', "byte 7: isn't UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5_000, "can't be read as JSON"),
        (b"[]", "wrong-type"),
        (b"{}", "neither a template nor"),
        (b'{"start_anchor": NaN, "fields": {"x": {}}}', "/start_anchor"),
        (b'{"start_anchor": "x", "fields": {"a\\nb": {"open": ""}}}', "/fields/a\\nb/open"),
        (b'{"response_template": null}', "/response_template: "),
    ],
)
def test_faulty_templates(tmp_path: Path, content: bytes, telling: str) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(content)
    assert_bad_input(antiphon("parse", str(path), "x", "--no-prefix"), str(path), telling)


@pytest.mark.parametrize(
    ("arguments", "telling"),
    [
        ((), "Missing argument"),
        (("{template}", "x"), "--prefix, --prefix-file and --no-prefix"),
        (("{template}", "x", "--no-prefix", "--prefix", ""), "exactly one"),
        (("{template}", "x", "--prefix-file", "{folder}/no"), "no: can't be read: No such file"),
        (("{folder}", "x", "--no-prefix"), "can't be read: Is a directory"),
        (("{template}", "x", "y", "--no-prefix"), "unexpected extra argument"),
        (("{template}", "x", "--no-prefix", "--prefx"), "--prefx"),
        (("{template}", "x", "--no-prefix", "--tools", "{template}"), "tools are a JSON list"),
        (("{template}", "x", "--no-prefix", "--tools", "{folder}/tools"), "tools: /0"),
        (("nul\x01l.json", "x", "--no-prefix"), "nul\\u0001l.json"),
        (("-", "x", "--no-prefix"), "TEMPLATE: can't be standard input; give a file"),
    ],
)
def test_misuse(template: str, tmp_path: Path, arguments: Sequence[str], telling: str) -> None:
    (tmp_path / "tools").write_text("[3]")
    filled = [argument.replace("{template}", template).replace("{folder}", str(tmp_path)) for argument in arguments]
    assert_bad_input(antiphon("parse", *filled), telling)


def test_more_misuse(template: str) -> None:
    assert_bad_input(antiphon("stream", template, "x", "--no-prefix", "--chunk", "0"), "--chunk")
    assert_bad_input(antiphon("nonsense"), "nonsense")
    assert_bad_input(antiphon(), "name a command")
    assert_bad_input(antiphon("conformance", "run", "--level", "promt"), "Invalid value for '--level': 'promt' is not")


def test_text_that_is_not_utf_8(template: str) -> None:
    assert_bad_input(antiphon("parse", template, b"ab\xff", "--no-prefix"), "TEXT: code point 2", "isn't UTF-8")
    assert_bad_input(antiphon("parse", template, "-", "--no-prefix", stdin=b"abc\xc3"), "standard input: byte 3")
    ended = antiphon("stream", template, "-", "--no-prefix", stdin="é".encode() * 40_000 + b"\xff")
    assert_bad_input(ended, "standard input: byte 80000")


def test_a_closed_pipe_is_no_error(template: str) -> None:
    command = f"{sys.executable} -m antiphon_conformance.cli stream {template} --no-prefix | head -n 1"
    found = subprocess.run(["sh", "-c", command], input=b"x" * 200_000, capture_output=True, timeout=60, check=False)
    assert json.loads(found.stdout)["type"] == "region_open"
    assert found.stderr == b""


@pytest.mark.parametrize(
    ("redirections", "telling"),
    [
        (">/dev/full", "standard output can't be written: No space left on device"),
        (">&-", "standard output is closed"),
        ("<&-", "standard input: is closed"),
    ],
)
def test_streams_that_are_closed_or_full(template: str, redirections: str, telling: str) -> None:
    if "full" in redirections and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    command = f"{sys.executable} -m antiphon_conformance.cli parse {template} --no-prefix {redirections}"
    found = subprocess.run(["sh", "-c", command], input=b"x", capture_output=True, timeout=60, check=False)
    assert_bad_input(Ended(found.returncode, found.stdout, found.stderr.decode()), telling)


def test_help() -> None:
    for arguments in (
        (),
        ("parse",),
        ("stream",),
        ("check",),
        ("conformance", "run"),
        ("suite", "coverage"),
        ("suite", "show"),
    ):
        assert antiphon(*arguments, "--help").status == 0


def test_version() -> None:
    version = identity.version(resources.find("suite"))
    assert antiphon("--version").out == f"antiphon {report.kit_version()}, suite {version}\n".encode()


# conformance run, suite coverage, suite show


@pytest.fixture
def suite(tmp_path: Path) -> str:
    bad = case_source(id="bad", text="bad", expect={"message": {"content": "good"}})
    return str(write_suite(tmp_path / "suite", case_source(id="good"), bad))


def test_run_with_a_command_and_a_report(suite: str, tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.json"
    ended = antiphon(
        "conformance", "run", "--suite", suite, "--adapter", fake_command("good"), "--report", str(path), "--seed", "5"
    )
    assert (ended.status, ended.err) == (1, "")
    assert "topic/file/bad  REGION-1" in ended.out.decode()
    document = json.loads(path.read_text())
    assert schemas.first_fault(document, "report") is None
    assert (document["seed"], document["level"]) == (5, "events")


def test_a_terminal_without_the_marks(suite: str) -> None:
    run = ("conformance", "run", "--suite", suite, "--adapter", fake_command("good"))
    ended = antiphon(*run, environment={"PYTHONIOENCODING": "ascii"})
    assert (ended.status, ended.err) == (1, "")
    assert ended.out.isascii()


def test_a_filter_chooses_cases(suite: str) -> None:
    run = ("conformance", "run", "--suite", suite, "--adapter", fake_command("good"), "--filter")
    assert antiphon(*run, "*/good").status == 0
    assert antiphon(*run, "REGION-1").status == 1
    assert_bad_input(antiphon(*run, "good"), "--filter: no case matches good, by its whole id", "topics are topic")


def test_the_level_decides(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, case_source(text="bad", expect=BAD))
    run = ("conformance", "run", "--suite", str(suite), "--adapter", fake_command("late"), "--level")
    assert [antiphon(*run, level).status for level in ("message", "events", "prompt")] == [0, 0, 1]


def test_peers_are_shown_but_do_not_decide(suite: str) -> None:
    run = ("conformance", "run", "--suite", suite, "--filter", "*/bad", "--adapter", fake_command("good"))
    assert antiphon(*run).status == 1
    run = ("conformance", "run", "--suite", suite, "--filter", "*/good", "--adapter", fake_command("good"))
    ended = antiphon(
        *run, "--peer", fake_command("exits_at_once"), "--peer", fake_command("garbage"), "--peer", "no-such-command"
    )
    assert ended.status == 0
    assert "no-such-command is skipped: it is neither the name of an adapter" in ended.out.decode()
    assert "is skipped: it didn't start: crashed (exit status 1); it said: no such model" in ended.out.decode()


@pytest.mark.parametrize(("option", "shown"), [("--adapter", 7), ("--peer", 5)])
def test_of_a_peer_some_failures_are_shown(tmp_path: Path, option: str, shown: int) -> None:
    cases = [case_source(id=f"case-{number}", expect={"message": {}}) for number in range(7)]
    suite = write_suite(tmp_path, *cases)
    out = antiphon("conformance", "run", "--suite", str(suite), option, fake_command("good")).out.decode()
    assert out.split("fake 1 fails")[1].count("✗ topic/file/case-") == shown
    assert ("and 2 cases more, which a report lists" in out) == (shown < 7)


def test_a_time_limit(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, case_source(text="bad", expect={"message": {}}))
    run = ("conformance", "run", "--suite", str(suite), "--adapter", fake_command("hang"), "--timeout", "0.5")
    ended = antiphon(*run)
    assert ended.status == 1
    assert "timed out after 0.5 s" in ended.out.decode()


def test_misuse_of_run(suite: str, tmp_path: Path) -> None:
    run = ("conformance", "run", "--suite", suite)
    for option, value, problem in (
        ("--adapter", "no-such-command", "is neither the name of an adapter"),
        ("--jobs", "0", "isn't a number from 1 to 1000; give one, or auto"),
        ("--seed", "x", "isn't a whole number; give one, or random"),
        ("--shard", "9/8", "isn't a part; write its number and how many there are, from 1/8 to 8/8"),
        ("--shard", f"1/{'9' * 5000}", "isn't a part; write its number and how many there are"),
        ("--adapter", f"transformers=={'9' * 5000}.0", "names no version; write one like transformers==5.13.0"),
        ("--requires", "lookahed", "no case needs that; take it out"),
        ("--repeat", "0", "Input should be greater than or equal to 1"),
        ("--case-timeout", "0", "Input should be greater than or equal to 0.01"),
        ("--baseline", "no-such-file", "isn't there; name another file, or make it with"),
    ):
        assert_bad_input(antiphon(*run, option, value), option, problem)
    assert_bad_input(antiphon(*run, "--baseline", "b" * 300), "b: File name too long; name another file or folder")
    (tmp_path / "folder.json").mkdir()
    assert_bad_input(antiphon(*run, "--report", str(tmp_path / "folder.json")), "--report", "Is a directory")
    assert_bad_input(antiphon(*run, "--report", "x.png"), "--report x.png: has none of the suffixes")
    assert_bad_input(antiphon("conformance", "run", "--suite", str(tmp_path / "no")), "isn't a folder")
    assert_bad_input(antiphon("conformance", "run", "--suite", str(tmp_path / "suite" / "topic")), "holds no cases")
    (tmp_path / "suite" / "topic" / "file.json").write_text('{"description": "d", "cases": [3]}')
    assert_bad_input(antiphon(*run), "topic/file.json: /cases/0: 3 should be of type object")


def test_shards_and_their_merging(suite: str, tmp_path: Path) -> None:
    run = ("conformance", "run", "--suite", suite, "--adapter", fake_command("good"))
    parts = [tmp_path / f"{index}.json" for index in (1, 2)]
    status = [
        antiphon(*run, "--shard", f"{index}/2", "--report", str(part)).status for index, part in enumerate(parts, 1)
    ]
    assert sorted(status) == [0, 1], "one of them has the failing case"
    merge = ("conformance", "merge", *map(str, parts))
    ended = antiphon(*merge, "--report", str(tmp_path / "all.json"))
    assert (ended.status, ended.err) == (1, "")
    assert "1 of 2 required cases fails" in ended.out.decode()
    assert json.loads((tmp_path / "all.json").read_text())["shard"] is None
    assert_bad_input(antiphon(*merge[:-1]), "REPORT: 1 of 2 shards are missing; run them with --shard 2/2")
    assert_bad_input(antiphon("conformance", "merge"), "Missing argument 'REPORT...'")


def test_the_name_of_a_random_chunking_is_enough(tmp_path: Path) -> None:
    """A failure that only a random chunking shows is shown again, whatever the seed was."""
    text = "abcdefghijklmnopqrstuvwxyz"
    suite = str(write_suite(tmp_path, case_source(text=text, expect={"message": {"content": text}})))
    adapter = fake_command("fails_in_many_pieces")
    ended = antiphon("conformance", "run", "--suite", suite, "--adapter", adapter, "--seed", "random")
    name = re.search(r"\[(cut at [\d,]+); \d of \d+ runs\]", ended.out.decode())
    assert name is not None
    case = ("--suite", suite, "topic/file/a-case", "--chunking", name[1])
    (request,) = antiphon("suite", "show", *case, "--requests").lines
    assert "".join(request["chunks"]) == text
    assert len(request["chunks"]) > 2
    explained = antiphon("conformance", "explain", *case, "--adapter", adapter).out.decode()
    assert "too many pieces" in explained


def test_coverage(suite: str, tmp_path: Path) -> None:
    ended = antiphon("suite", "coverage", "--suite", suite, "--minimum", "2", "--cases")
    assert ended.status == 1
    assert "REGION-1           2  topic/file/good, topic/file/bad" in ended.out.decode()
    write_suite(tmp_path / "suite", case_source(clauses=["NONE-1"]))
    ended = antiphon("suite", "coverage", "--suite", suite, "--minimum", "0")
    assert ended.status == 1
    assert "NONE-1 isn't a clause of SPEC.md; named by topic/file/a-case" in ended.out.decode()
    write_suite(tmp_path / "suite", case_source())
    assert antiphon("suite", "coverage", "--suite", suite, "--minimum", "0").status == 0


def test_show(suite: str) -> None:
    """A case to be read; the lines that run it."""
    show = ("suite", "show", "--suite", suite, "topic/file/good")
    text = antiphon(*show, "--chunking", "cut at 1").out.decode()
    assert text.startswith('topic/file/good  REGION-1\nd\n\ntemplate\n  {\n    "start_anchor": "<bot>",\n')
    assert text.endswith(
        'prefix  ""\ntext  "h" | "i"  (cut at 1)\n\nexpected, @ after so many code points of text\n'
        '  region_open content  @1\n  region_chunk content "hi"  @1..2\n  region_close content "hi"  @end\n'
        '  message {"content": "hi"}\n'
    )
    requests = antiphon(*show, "--requests").lines
    assert [request["chunks"] for request in requests][:2] == [["hi"], ["h", "i"]]
    assert all(schemas.first_fault(request, "protocol", "run") is None for request in requests)
    assert [request["chunks"] for request in antiphon(*show, "--requests", "--chunking", "each").lines] == [["h", "i"]]
    for name in ("cut at 3", "cut at 2,1", "cut at -1", "halves"):
        assert_bad_input(antiphon(*show, "--chunking", name), f"--chunking: {name} doesn't cut this text")
    assert_bad_input(antiphon(*show, "--dialect", "pcre"), "--dialect pcre: there is no such target; write pcre2")
    assert_bad_input(antiphon(*show[:-1], "topic/file/god"), "ID: there is no case topic/file/god; try topic/file/good")
