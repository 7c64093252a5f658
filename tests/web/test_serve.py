"""`antiphon serve`: what its server sends, what it doesn't, and what the command says."""

from __future__ import annotations

import gzip
import http.client
import re
import signal
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from antiphon_web import cli, serving
from background import running

from web.pages import wait_for_python, watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
POLICY = "default-src 'none'; script-src 'self'"
WITHIN = "; frame-ancestors 'self'"
FILES = {
    "index.html": f'<!doctype html><meta content="{POLICY}" http-equiv=Content-Security-Policy><title>made up</title>',
    "frame.html": '<!doctype html><meta http-equiv="content-security-policy" content="sandbox">',
    "assets/index-4f2a.js": "export {};" * 100,
    "runtime/manifest.json": "{}",
    "runtime/pyodide.mjs": "export {};",
    "runtime/pyodide.asm.wasm": "\0asm",
    "runtime/antiphon.zip": "PK",
}
SECONDS = 60


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small page, with a file beside it that is nobody's business."""
    for name, text in FILES.items():
        (tmp_path / "dist" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "dist" / name).write_text(text)
    (tmp_path / "secret").write_text("secret")
    return tmp_path / "dist"


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    with running(server_of(serving.read_page(folder))) as server:
        yield server.port


def server_of(files: dict[str, serving.File]) -> serving.Server:
    return serving.Server(files, "127.0.0.1", 0)


def ask(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    answer = Answer(response.status, response.msg, response.read())
    connection.close()
    return answer


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/?a=1", "text/html; charset=utf-8"),
        ("/assets/index-4f2a.js", "text/javascript; charset=utf-8"),
        ("/runtime/pyodide.mjs", "text/javascript; charset=utf-8"),
        ("/runtime/pyodide.asm.wasm", "application/wasm"),
        ("/runtime/manifest.json", "application/json"),
        ("/runtime/antiphon.zip", "application/zip"),
    ],
)
def test_each_file_is_sent_as_what_it_is(port: int, path: str, kind: str) -> None:
    answer = ask(port, path)
    assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.body.decode() == FILES[path.lstrip("/").partition("?")[0] or "index.html"]


def test_each_page_has_the_policy_that_it_states_and_all_else_that_of_the_first(port: int) -> None:
    policies = {
        path: ask(port, path).headers["Content-Security-Policy"]
        for path in ("/", "/frame.html", "/assets/index-4f2a.js")
    }
    assert policies == {
        "/": POLICY + WITHIN,
        "/frame.html": "sandbox" + WITHIN,
        "/assets/index-4f2a.js": POLICY + WITHIN,
    }


def test_only_files_whose_names_change_with_their_content_are_kept_for_ever(port: int) -> None:
    assert "immutable" in ask(port, "/assets/index-4f2a.js").headers["Cache-Control"]
    assert ask(port, "/").headers["Cache-Control"] == "no-cache"
    assert ask(port, "/runtime/pyodide.mjs").headers["Cache-Control"] == "no-cache"


def test_what_a_browser_has_isn_t_sent_again(port: int) -> None:
    tag = ask(port, "/").headers["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        again = ask(port, "/", If_None_Match=known)
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    assert ask(port, "/", If_None_Match='"other"').status == 200


def test_it_is_compressed_for_those_who_can_read_that(port: int) -> None:
    plain, packed = ask(port, "/assets/index-4f2a.js"), ask(port, "/assets/index-4f2a.js", Accept_Encoding="br, gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.body) < len(plain.body)
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["ETag"] != plain.headers["ETag"]
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    for encoding in ("identity", "gzip;q=0", "deflate, gzip; q=0.0"):
        assert "Content-Encoding" not in ask(port, "/", Accept_Encoding=encoding).headers


def test_a_head_has_no_body(port: int) -> None:
    answer = ask(port, "/runtime/pyodide.mjs", "HEAD")
    assert (answer.status, answer.headers["Content-Length"], answer.body) == (200, "10", b"")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret",
        "/%2e%2e/secret",
        "/runtime/../../secret",
        "/runtime/..%2f..%2fsecret",
        "//secret",
        "/runtime/",
        "/runtime",
        "/assets/nothing.js",
        "/index.html%00",
        "/\\..\\secret",
        "/..%5csecret",
        "/%252e%252e/secret",
        "/%c0%ae%c0%ae/secret",
        "/%ff",
        "/%",
        "http://elsewhere/secret",
        "..",
    ],
)
def test_nothing_but_the_page_s_files_is_sent(port: int, path: str) -> None:
    answer = ask(port, path)
    assert answer.status == 404
    assert b"secret" not in answer.body.replace(path.encode(), b"")


def test_what_isn_t_there_has_no_body_either_when_only_the_head_is_asked_for(port: int) -> None:
    answer = ask(port, "/nothing", "HEAD")
    assert (answer.status, answer.body) == (404, b"")


def test_a_part_isn_t_sent_nor_promised(port: int) -> None:
    answer = ask(port, "/runtime/pyodide.mjs", Range="bytes=2-4")
    assert (answer.status, answer.body, answer.headers["Accept-Ranges"]) == (200, b"export {};", None)


def test_it_takes_nothing(port: int) -> None:
    assert ask(port, "/", "POST").status == 501


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /a b HTTP/1.1", b"400"),
        (b"GET", b"400"),
        (b"\x16\x03\x01\x00\xa5", b"400"),  # the start of https
        (b"GET / HTTP/9.9", b"505"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1", b"414"),
        (b"GET / HTTP/1.1" + b"\r\na: b" * 200, b"431"),
        (b"GET /\xff HTTP/1.1", b"404"),
        (b"GET http://[/ HTTP/1.1", b"404"),
        (b"GET / HTTP/1.1\r\nHost: \xff\r\nAccept-Encoding: \xff;q=, gzip;\r\nIf-None-Match: \xff", b"200"),
    ],
    ids=lambda value: value[:24],
)
def test_what_is_no_request_is_answered_with_what_is_wrong(
    port: int, capfd: pytest.CaptureFixture[str], sent: bytes, status: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", port), SECONDS) as visitor:
        visitor.sendall(sent + b"\r\n\r\n")
        answer = visitor.recv(10_000)
    assert status in answer.partition(b"\r\n")[0] or b"Error code: " + status in answer
    assert ask(port, "/").status == 200
    assert capfd.readouterr().err == ""


def test_a_visitor_who_leaves_while_a_file_is_sent_is_no_error(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "runtime/pyodide.asm.wasm").write_bytes(bytes(20_000_000))
    with running(server_of(serving.read_page(folder))) as server:
        visitor = socket.create_connection(("127.0.0.1", server.port))
        visitor.sendall(b"GET /runtime/pyodide.asm.wasm HTTP/1.1\r\n\r\n")
        visitor.recv(1)
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        visitor.close()
        assert ask(server.port, "/").status == 200
    assert capfd.readouterr().err == ""


def says(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The line of the command about bad input."""
    monkeypatch.setattr(sys, "argv", ["antiphon", "serve", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_without_a_built_page_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "__file__", str(tmp_path / "antiphon_web" / "serving.py"))
    assert says(monkeypatch, capsys) == "antiphon: the page isn't built; `make web` in a checkout of antiphon does that"


def test_a_taken_port_is_said_in_one_line(
    port: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "find_page", lambda: folder)
    line = says(monkeypatch, capsys, "--port", str(port))
    assert line == f"antiphon: --port: {port} is taken; name another, or 0 for any free one"


def test_so_is_a_host_that_isn_t_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "find_page", lambda: folder)
    assert says(monkeypatch, capsys, "--host", "192.0.2.1").startswith(
        "antiphon: --host: 192.0.2.1 can't be listened at"
    )


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("", "--host: is empty"),
        ("ä" * 64, "is no name of a host; name another"),
        ("a\0b", "is no name of a host; name another"),
        ("a\nb", "--host: "),
        ("\udcff", "--host: "),
        ("::1", "can't be listened at"),
    ],
)
def test_and_a_host_that_is_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], host: str, said: str
) -> None:
    monkeypatch.setattr(serving, "find_page", lambda: folder)
    assert said in says(monkeypatch, capsys, "--host", host)


def heeds_ctrl_c() -> None:
    """Tests that are run in the background are deaf to it, and so would be what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def served(*command: str | Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A running `antiphon serve`, and its port."""
    with subprocess.Popen(
        [*command, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if sys.platform == "win32" else heeds_ctrl_c,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.fullmatch(r"The playground is at http://127\.0\.0\.1:(\d+)/ \(Ctrl-C ends it\)\n", line)
            assert found, line
            yield process, int(found[1])
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C in another way")
def test_the_command_prints_its_address_and_ends_quietly_with_ctrl_c(dist: Path) -> None:
    with served(sys.executable, "-m", "antiphon_web.cli") as (process, port):
        assert ask(port, "/").status == 200
        process.send_signal(signal.SIGINT)
        printed, complaint = process.communicate(timeout=SECONDS)
        assert (process.returncode, printed.strip(), complaint) == (0, "", "")


def test_the_page_works_below_any_path(dist: Path, browser: Browser) -> None:
    files = {f"some/path/{name}": file for name, file in serving.read_page(dist).items()}
    with running(server_of(files)) as server, watched(browser, f"{server.address}some/path/") as page:
        wait_for_python(page)


def test_the_licences_of_what_it_carries_are_in_it(dist: Path) -> None:
    told = (dist / "licences.txt").read_text("utf-8")
    assert all(name in told for name in ("Pyodide", "svelte", "@codemirror/view"))


def test_an_installed_wheel_serves_the_page(dist: Path, tmp_path: Path) -> None:
    """Built of this checkout, and installed into an environment that has the kit's dependencies, but not this kit."""
    if dist.resolve() != ROOT / "web" / "dist":
        pytest.skip("the wheel gets the page of `make web`, and ANTIPHON_WEB_DIST names another")
    python = environment(tmp_path / "venv")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run([*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT])
    run([*pip, "--python", python, "install", "--no-deps", "--no-index", *tmp_path.glob("antiphon-*.whl")])
    with served(python.with_name("antiphon")) as (_, port):
        for path in dist.rglob("*"):
            if path.is_file():
                assert ask(port, f"/{path.relative_to(dist).as_posix()}").body == path.read_bytes()


def environment(folder: Path) -> Path:
    """The Python of a new environment."""
    run([sys.executable, "-m", "venv", "--without-pip", folder])
    (packages,) = folder.rglob("site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return next(folder.glob("*/python"))


def run(command: list[str | Path]) -> None:
    subprocess.run(command, check=True, timeout=5 * SECONDS)
