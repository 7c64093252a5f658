"""The bridge keeps the contract that api.ts writes down, whatever it is asked."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from antiphon_web import bridge
from antiphon_web.asking import is_too_deep

from web.calls import TEMPLATE, TEXT, asked, stream, suite

API = Path(__file__).parents[2] / "web" / "interop" / "src" / "api.ts"
NOT_IN_A_PAGE = (
    "rich", "typer", "jinja2", "jsonschema", "jsonschema_rs", "referencing", "rpds", "filelock", "junitparser",
    "platformdirs", "libcst", "subprocess", "multiprocessing", "concurrent.futures", "importlib.metadata", "asyncio",
)  # fmt: skip


# -- what api.ts says


def braced(text: str, begin: int) -> str:
    """What is between the brace at `begin` and the one that closes it."""
    depth = 0
    for position in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[begin + 1 : position]
    raise AssertionError("a brace isn't closed")


def members(body: str) -> dict[str, str]:
    """The members of an object type by their names, which end in ? if they may be left out, with their types."""
    body, found = re.sub(r"/\*\*.*?\*/", "", body, flags=re.DOTALL), {}
    depth, start = 0, 0
    for position, character in enumerate(body + ";"):
        depth += {"{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1}.get(character, 0)
        if depth == 0 and character == ";":
            name, colon, type_ = body[start:position].partition(":")
            if colon:
                found[name.strip()] = type_.strip()
            start = position + 1
    return found


SOURCE = API.read_text("utf-8")
CALLS = members(braced(SOURCE, SOURCE.index("{", SOURCE.index("export interface Calls"))))


def answer_members(name: str) -> set[str] | None:
    """Those of a call's answer, as members() has them; None where it isn't an object."""
    type_ = members(braced(CALLS[name], 0))["answer"]
    if re.fullmatch(r"[A-Z]\w*", type_):
        declared = re.search(rf"export interface {type_} ", SOURCE)
        return set(members(braced(SOURCE, SOURCE.index("{", declared.end())))) if declared else None
    return set(members(braced(type_, 0))) if type_.startswith("{") and not type_.startswith("{ [") else None


def test_there_are_the_calls_of_the_contract() -> None:
    assert set(CALLS) == set(bridge.CALLS)


@pytest.mark.parametrize("name", bridge.CALLS)
def test_each_call_has_its_function(name: str) -> None:
    module = import_module(f"antiphon_web.{bridge.CALLS[name]}")
    assert callable(getattr(module, name))


CHAT = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}<assistant>"


def sound_requests() -> Iterator[tuple[str, dict[str, Any]]]:
    case = next(case for case in suite() if case.required and case.expect.timed)
    hello = {
        "type": "hello", "protocol": 1, "name": "a", "version": "1", "language": "b", "contents": [], "features": [],
    }  # fmt: skip
    one, template = stream(TEXT), json.dumps(TEMPLATE)
    parser = asked("parser_new", template=template, prefix="", tools="", on_malformed="raise")["parser"]
    judged = {"case": case.full_id, "hello": hello, "seed": 0, "number": 1}
    result = asked("run", case=case.full_id, seed=0)
    report = {
        "adapter": "reference", "hello": None, "seed": 0, "level": "events", "filter": [], "seconds": 5,
        "results": [result], "asked": [case.full_id], "interrupted": False,
    }  # fmt: skip
    yield "versions", {}
    yield "check", {"template": template, "tools": ""}
    yield "parse", {**one, "chunks": list(TEXT)}
    yield "parser_new", {"template": template, "prefix": "", "tools": "", "on_malformed": "raise"}
    yield "parser_feed", {"parser": parser, "text": TEXT}
    yield "parser_message", {"parser": parser}
    yield "parser_finalize", {"parser": parser}
    yield "parser_free", {"parser": parser}
    yield "trace", {**one, "milliseconds": 1000}
    yield "cuts", {**one, "from": 0, "milliseconds": 1000}
    yield "case", {**one, "id": "a", "description": "b"}
    yield "open", {"source": template, "name": "a.json"}
    yield "write_config", {"source": "{}", "name": "a.json", "template": template}
    yield "translations", {"template": template, "from": 0, "milliseconds": 1000}
    yield "table", {"template": template, "dialect": "java"}
    yield "search", {"pattern": "a+", "text": "baa"}
    chat = {"chat_template": CHAT, "dialect": "lenient"}
    yield "derive", chat
    yield "round_trip", {**chat, "template": template}
    yield "suite", {}
    yield "describe", {"case": case.full_id, "clauses": ["DUE-1"]}
    yield "requests", judged
    yield "judge", {**judged, "answers": [], "failure": "timed out after 5 s"}
    yield "run", {"case": case.full_id, "seed": 0}
    yield "report", report


def test_answers_have_the_members_of_the_contract() -> None:
    tried = set()
    for name, request in sound_requests():
        answer, expected = asked(name, **request), answer_members(name)
        tried.add(name)
        assert not isinstance(answer, dict) or "error" not in answer or answer["error"] is None, (name, answer)
        if expected is not None:
            optional = {member.rstrip("?") for member in expected if member.endswith("?")}
            needed = {member for member in expected if not member.endswith("?")}
            assert needed <= set(answer) <= needed | optional, name
    assert tried == set(bridge.CALLS)


# -- requests that aren't sound

DEEP = "[" * 100_000 + "]" * 100_000
HOSTILE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1e308,
    "",
    "\ud800",
    "\x00",
    DEEP,
    '{"fields": NaN}',
    [],
    [[]],
    {},
    {"a": {}},
)


def is_refused_or_answered(text: str) -> bool:
    """Whether an answer is one, and no fault of the kit's own."""
    found = json.loads(text)
    if "ok" in found:
        return True
    failure = found["error"]
    assert failure["kind"] != "internal", failure
    return {"stage", "kind", "message"} <= failure.keys() and "\n" not in failure["message"]


@pytest.mark.parametrize(
    "request_text", ["", "[]", "nonsense", "NaN", '{"a":NaN}', '{"a":1e999}', DEEP, "\ud800", "null"]
)
@pytest.mark.parametrize("name", [*bridge.CALLS, "nonsense", ""])
def test_requests_that_are_none(name: str, request_text: str) -> None:
    assert is_refused_or_answered(bridge.call(name, request_text))


def test_members_that_are_missing_or_of_another_type() -> None:
    for name, request in sound_requests():
        for member in request:
            without = {key: value for key, value in request.items() if key != member}
            assert is_refused_or_answered(bridge.call(name, json.dumps(without))), (name, member)
            for value in HOSTILE:
                changed = json.dumps({**request, member: value})
                assert is_refused_or_answered(bridge.call(name, changed)), (name, member, value)


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        ("[" * 1000 + "]" * 1000, False),
        ("[" * 1001 + "]" * 1001, True),
        ('{"a":[' * 501 + "]}" * 501, True),
        ("[" * 100_000, True),
        ("[1," * 1001 + "1" + ",1]" * 1001, True),
        ("[" + "[]," * 5000 + "{}]", False),
        (json.dumps(["[" * 5000, '\\"[{' * 2000]), False),
        ('"\\' + "[" * 5000, False),
        ('"' + '\\"[' * 100_000, False),
    ],
)
def test_depth_is_known_before_a_text_is_read(text: str, deep: bool) -> None:
    """Python's reader, compiled for a browser, would overflow the stack there."""
    assert is_too_deep(text) == deep


def test_a_lone_surrogate_comes_back() -> None:
    found = asked("parse", **stream("a\ud800<end>"), chunks=["a\ud800<end>"])
    assert found["message"] == {"content": "a\ud800"}


# -- the first calls


def test_parse_stops_at_an_error_and_tells_what_came_before() -> None:
    found = asked("parse", **stream("<call>{]</call>x"), chunks=["<call>{", "]", "</call>x"])
    assert [event["type"] for events in found["feeds"] for event in events] == [
        "region_open",
        "region_chunk",
        "region_chunk",
    ]
    assert len(found["feeds"]) == 3
    error = found["error"]
    assert (error["stage"], error["kind"], error["field"], error["position"]) == ("feed", "json-syntax", "calls", 6)


def test_a_template_that_does_not_load_is_refused_with_its_place() -> None:
    for name, more in (("parse", {"chunks": []}), ("trace", {"milliseconds": 1})):
        found = asked(name, **stream("", {"start_anchor": "x", "fields": {"a": {"opne": "b"}}}), **more)
        assert found["error"]["pointer"] == "/fields/a/opne"
        assert asked(name, **stream("", "{"), **more)["error"]["kind"] == "json"


# -- what a page loads


def loaded(program: str) -> set[str]:
    """The modules that a program loads in an interpreter of its own."""
    shown = f"import sys, json\n{program}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_a_page_that_parses_loads_nothing_else() -> None:
    request = json.dumps({**stream(TEXT), "chunks": [TEXT], "milliseconds": 1000})
    program = "import json\nfrom antiphon_web import bridge\n"
    program += "".join(f"assert 'ok' in bridge.call({name!r}, {request!r})\n" for name in ("parse", "trace"))
    found = loaded(program)
    assert not found & {*NOT_IN_A_PAGE, "antiphon_conformance", "antiphon_portability.lint.run"}


def test_the_harness_needs_nothing_that_is_compiled() -> None:
    """In a page there are only pure Python packages: of those that the command line needs, Jinja2 and jsonschema."""
    requests = [(name, json.dumps(request)) for name, request in sound_requests() if not name.startswith("parser_")]
    program = f"""
import jsonschema.validators  # today's needs compiled packages; the one in a page is older
missing = ["rich", "typer", "jsonschema_rs", "referencing", "filelock", "junitparser", "platformdirs", "pygal"]
for name in missing:
    sys.modules[name] = None
import warnings
warnings.simplefilter("ignore", DeprecationWarning)
from antiphon_web import bridge
for name, request in {requests!r}:
    assert bridge.call(name, request).startswith('{{"ok"'), name
for name in missing:
    assert sys.modules.pop(name) is None
"""
    assert "antiphon_conformance.runs.runner" in loaded(program)
