"""Every driver gives the same positions for the same pattern; and what happens when one misbehaves."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from downloads import Unavailable

from engines.catalogue import BY_NAME, CI, presence
from engines.protocol import Failed, Garbage, JsonLines, Match, PlainLines, Refused, Request, Wire
from engines.session import DriverFault, Session
from engines.sources import Trap, traps

FLAGS = {"node": "su", "java": "sU", "pcre2": "su", "php": "su", "perl": "su", "ruby": "m"}
"""With these a dot is any code point; elsewhere the flag is s."""
P_NAMES = ("go", "rust", "re", "re2")
LISTED = {
    "v8": ("node", "su"), "v8v": ("node", "sv"), "net": ("dotnet", "s"), "java": ("java", "U"),
    "regex": ("regex", "V0"),
    **{name: (name, "") for name in ("pcre2", "perl", "icu", "re2", "go", "rust", "ruby", "re")},
}  # fmt: skip
"""The engines of the list of traps, with the flags that were measured."""
MISBEHAVING = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    pattern = request.get("pattern", "")
    if pattern == "hang" and "x" in request["texts"]:
        time.sleep(60)
    if pattern == "die" and "x" in request["texts"]:
        sys.exit("out of luck")
    answer = {"results": [None] * (len(request.get("texts", ())) + (pattern == "few"))}
    print("nonsense" if pattern == "garbage" else json.dumps(answer), flush=True)
"""


@pytest.fixture(params=BY_NAME)
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    found = presence(request.param)
    if found.version is None:
        pytest.skip(f"{request.param}: {found.reason}")
    with found.engine.session() as session:
        yield session


def ask(session: Session, name: str, pattern: str, groups: tuple[str, ...], *texts: str) -> list[object]:
    if name in P_NAMES:
        pattern = pattern.replace("(?<", "(?P<")
    return list(session.ask(Request(pattern, FLAGS.get(name, "s"), groups, texts)))


@pytest.mark.parametrize("session", BY_NAME, indirect=True)
def test_positions_are_code_points(session: Session, request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["session"]
    texts = ("", "é😀😀bcc", "😀xxa", "bbb", "\n\x00\U0010ffff😀b", "a" * 3000)
    assert ask(session, name, "(?<x>a|😀b)(?<n>c)?c*", ("x", "n"), *texts) == [
        None,
        Match((2, 6), {"x": (2, 4), "n": (4, 5)}),
        Match((3, 4), {"x": (3, 4), "n": None}),
        None,
        Match((3, 5), {"x": (3, 5), "n": None}),
        Match((0, 1), {"x": (0, 1), "n": None}),
    ]
    dots = [Match((0, 2), {"dot": (1, 2)}), Match((0, 2), {"dot": (1, 2)}), None]
    if name == "dotnet":  # a dot is half of a surrogate pair
        dots[:2] = [Match((0, -1), {"dot": (1, -1)}), Match((0, 1), {"dot": (-1, 1)})]
    assert ask(session, name, ".(?<dot>.)", ("dot",), "\n😀", "😀\n\r", "é") == dots
    assert ask(session, name, "(?<empty>)b|😀", ("empty",), "😀b", "éb") == [
        Match((0, 1), {"empty": None}),
        Match((1, 2), {"empty": (1, 1)}),
    ]


@pytest.mark.parametrize("session", BY_NAME, indirect=True)
def test_a_faulty_pattern_is_refused(session: Session, request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["session"]
    with pytest.raises(Refused, match=r"."):
        ask(session, name, "(a", (), "a")
    assert ask(session, name, "a", (), "ba") == [Match((1, 2), {})]


@pytest.mark.parametrize("name", ["java", "pcre2", "php", "icu", "dotnet"])
def test_a_search_that_gives_up_is_told(name: str) -> None:
    found = presence(name)
    if found.version is None:
        pytest.skip(f"{name}: {found.reason}")
    pattern, text = ("(?:a|b)*[cd]", "a" * 200_000) if name == "java" else ("(?:a|aa)+[cd]", "a" * 60)
    with found.engine.session() as session:
        first, second = ask(session, name, pattern, (), text, "ac")
        assert isinstance(first, Failed)
        assert isinstance(second, Match)
        assert session.breakdowns == []


@pytest.mark.parametrize("name", LISTED)
def test_traps_are_as_they_were_measured(name: str) -> None:
    """The list of traps has other engines' results, too: a check on the drivers."""
    engine, flags = LISTED[name]
    found = presence(engine)
    if found.version is None:
        pytest.skip(f"{engine}: {found.reason}")
    try:
        listed = traps()
    except Unavailable as unavailable:
        pytest.skip(str(unavailable))
    with found.engine.session() as session:
        wrong = [
            (trap, result)
            for trap in listed
            if (result := raw(session, flags, trap)) != expected(trap, name) and not expectably_other(trap, name)
        ]
    assert wrong == []


def raw(session: Session, flags: str, trap: Trap) -> object:
    """What an engine says of a trap, in the list's terms."""
    try:
        (result,) = session.ask(Request(trap.pattern, flags, (), (trap.text,)))
    except Refused:
        return "ERR"
    if isinstance(result, Match):
        start, end = result.span
        return trap.text[start:end]
    return "ERR" if isinstance(result, Failed) else None


def expected(trap: Trap, name: str) -> object:
    """What the list says: the engine's own result, or else that of `regex`."""
    result = trap.results.get(name, trap.results["regex"])
    return result[0] if isinstance(result, tuple) else result


def expectably_other(trap: Trap, name: str) -> bool:
    unlisted = name not in trap.results and trap.results["regex"] == "ERR"
    return unlisted or (name == "pcre2" and r"\x{" in trap.pattern)  # see the driver


@pytest.mark.parametrize(
    ("pattern", "happened"), [("hang", "no answer in time"), ("die", "the driver died (status 1): out of luck")]
)
def test_a_driver_that_hangs_or_dies_is_started_again(pattern: str, happened: str) -> None:
    with misbehaving() as session:
        results = session.ask(Request(pattern, "", (), ("a", "b", "x", "c")))
        assert results == [None, None, Failed(happened), None]
        assert session.breakdowns == [(pattern, happened)]


@pytest.mark.parametrize("pattern", ["garbage", "few"])
def test_a_driver_that_breaks_the_protocol_is_a_fault(pattern: str) -> None:
    with misbehaving() as session, pytest.raises(DriverFault, match=pattern):
        session.ask(Request(pattern, "", (), ("a",)))


def test_a_driver_that_does_not_start_is_a_fault(tmp_path: Path) -> None:
    for command in ([str(tmp_path / "nothing")], [sys.executable, "-c", "raise SystemExit('no engine')"]):
        with pytest.raises(DriverFault), Session(command, JsonLines()) as session:
            session.version()


@pytest.mark.parametrize("wire", [JsonLines(), PlainLines()])
@pytest.mark.parametrize("line", [b"", b"1", b"[]", b"{}", b'{"results": [1]}', b"results", b"results\t1", b"\xff"])
def test_garbage_is_known(wire: Wire, line: bytes) -> None:
    with pytest.raises(Garbage):
        wire.read(line, Request("a", "", (), ("a",)))


def misbehaving() -> Session:
    return Session([sys.executable, "-c", MISBEHAVING], JsonLines(), seconds=0.5, alone=0.3)


def test_what_continuous_integration_has() -> None:
    """Only node and java may be missing on a machine where `make test` ran."""
    missing = [name for name in CI if presence(name).version is None]
    assert set(missing) <= {"node", "java"}
