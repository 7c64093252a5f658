"""Environments of releases: made once, whole or not at all, by one run at a time; and the names that stand for them."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from zipfile import ZipFile

import pytest
from antiphon_conformance import resources
from antiphon_conformance.implementations import environments
from antiphon_conformance.implementations import known as implementations
from antiphon_conformance.implementations.adapters import UnknownAdapter
from antiphon_conformance.implementations.environments import NotMade, Recipe
from antiphon_conformance.implementations.known import make_adapter
from background import running

LEAVE_A_TRACE = "import pathlib, sys\npathlib.Path(sys.prefix, 'trace').write_text(sys.argv[1])\n"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip takes for the index, with release 1.0 of `tiny`; and a cache of its own."""
    folder = tmp_path / "index"
    folder.mkdir()
    wheel(folder / "tiny-1.0-py3-none-any.whl", {"tiny.py": "NUMBER = 7\n"})
    monkeypatch.setenv(environments.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder


def wheel(path: Path, files: dict[str, str]) -> None:
    name, version = path.name.split("-")[:2]
    about = f"{name}-{version}.dist-info"
    tag = "-".join(path.stem.split("-")[2:])
    written = {
        **files,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    record = "".join(f"{file},,\n" for file in [*written, f"{about}/RECORD"])
    with ZipFile(path, "w") as archive:
        for file, text in {**written, f"{about}/RECORD": record}.items():
            archive.writestr(file, text)


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    """The folder of an adapter for `tiny`."""
    folder = tmp_path / "adapter"
    folder.mkdir()
    (folder / "requirements.txt").write_text("# any release\ntiny=={version}\n")
    return folder


def says(python: Path, code: str) -> str:
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_a_release_is_installed_once(index: Path, adapter: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recipe = Recipe("tiny", "1.0", adapter)
    python = environments.interpreter(recipe)
    assert says(python, "import tiny; print(tiny.NUMBER)") == "7"
    assert "tiny 1.0: installing it, once, below " in capfd.readouterr().err
    assert environments.versions_made("tiny") == ["1.0"]
    for file in index.iterdir():
        file.unlink()
    assert environments.interpreter(recipe) == python, "nothing is asked of the index again"
    assert capfd.readouterr().err == ""


def test_what_pip_cannot_do_is_up_to_a_script(index: Path, adapter: Path) -> None:
    """It gets the version; another script makes another environment."""
    without = Recipe("tiny", "1.0", adapter).place
    (adapter / "fetch.py").write_text(LEAVE_A_TRACE)
    recipe = Recipe("tiny", "1.0", adapter)
    assert recipe.place != without
    environments.interpreter(recipe)
    assert (recipe.place / "trace").read_text() == "1.0"


@pytest.mark.parametrize(
    ("version", "script", "reason"),
    [
        ("2.0", None, "Could not find a version that satisfies the requirement tiny==2.0"),
        ("1.0", "import sys; print('Loading'); sys.exit('there is no parser in it')", "there is no parser in it"),
        ("1.0", "import sys; sys.exit(3)", "exit status 3"),
    ],
)
def test_what_fails_leaves_nothing_and_is_told_in_one_line(
    index: Path, adapter: Path, version: str, script: str | None, reason: str
) -> None:
    if script:
        (adapter / "fetch.py").write_text(script)
    recipe = Recipe("tiny", version, adapter)
    remedy = "see to the version, to the network, and to pip's configuration"
    with pytest.raises(NotMade) as caught:
        environments.interpreter(recipe)
    assert str(caught.value) == f"tiny {version} can't be installed: {reason}; {remedy}"
    assert [path.name for path in recipe.place.parent.iterdir()] == [f"{recipe.place.name}.lock"]
    assert environments.versions_made("tiny") == []


def test_what_a_killed_run_left_is_cleared_away(index: Path, adapter: Path) -> None:
    recipe = Recipe("tiny", "1.0", adapter)
    left = recipe.place.with_name(f"{recipe.place.name}.making-x")
    (left / "bin").mkdir(parents=True)
    assert environments.versions_made("tiny") == []
    environments.interpreter(recipe)
    assert not left.exists()


def test_of_two_runs_one_installs_and_the_other_waits(
    index: Path, adapter: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    (adapter / "fetch.py").write_text(f"import time\nopen({str(log)!r}, 'a').write('x')\ntime.sleep(1)\n")
    code = "import pathlib, sys; from antiphon_conformance.implementations import environments as e"
    run = f"{code}; e.interpreter(e.Recipe('tiny', '1.0', pathlib.Path(sys.argv[1])))"
    with ThreadPoolExecutor() as pool:
        runs = [pool.submit(subprocess.run, [sys.executable, "-c", run, str(adapter)], check=True) for _ in range(3)]
    assert [done.result().returncode for done in runs] == [0, 0, 0]
    assert log.read_text() == "x"
    told = capfd.readouterr().err
    assert told.count("tiny 1.0: installing it, once") == 1
    assert told.count("tiny 1.0: waiting for another run, which installs it") == 2


def test_a_cache_that_cannot_be_written(adapter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(environments.CACHE_VARIABLE, str(tmp_path / "file"))
    with pytest.raises(NotMade, match=r"can't be written to .*; let ANTIPHON_CACHE name a folder that can be"):
        environments.interpreter(Recipe("tiny", "1.0", adapter))


def test_the_user_s_cache_is_the_usual_one(monkeypatch: pytest.MonkeyPatch, adapter: Path) -> None:
    monkeypatch.delenv(environments.CACHE_VARIABLE, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert Recipe("tiny", "1.0", adapter).place.parent == Path("/somewhere/antiphon/environments")


# What names stand for


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("transformers==4.57.0", "has no response templates; 5.13.0 is the first release that has"),
        ("transformers==5.12.1", "has no response templates; 5.13.0 is the first release that has"),
        ("vllm==0.9.0", "has no response templates; 0.32.0 is the first release that has"),
        ("transformers==latest", "names no version; write one like transformers==5.13.0"),
        ("vllm==", "names no version; write one like vllm==0.33.0"),
        ("transformers==5.*", "names no version; write one like transformers==5.13.0"),
        (
            "transfomers==5.24.0",
            "is neither the name of an adapter (reference, javascript, transformers, vllm, transformers==VERSION, "
            "vllm==VERSION) nor a command that can be found",
        ),
    ],
)
def test_a_name_that_cannot_be_used_tells_what_can(name: str, reason: str) -> None:
    with pytest.raises(UnknownAdapter) as caught:
        make_adapter(name)
    assert caught.value.reason == reason


def test_a_release_that_cannot_be_had_is_told_as_a_reason(index: Path) -> None:
    with pytest.raises(UnknownAdapter, match=r"^transformers 5\.13\.0 can't be installed: Could not find a version"):
        make_adapter("transformers==5.13.0")


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        (None, "needs Node.js, and there is no command `node`; install Node.js 20 or newer"),
        (
            "echo v18.20.4",
            "needs Node.js 20 or newer, and `node --version` says 'v18.20.4'; install Node.js 20 or newer",
        ),
        ("exit 1", "needs Node.js 20 or newer, and `node --version` says ''; install Node.js 20 or newer"),
    ],
)
def test_the_port_needs_a_node_that_is_new_enough(
    node: str | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if node is not None:
        script = tmp_path / "node"
        script.write_text(f"#!/bin/sh\n{node}\n")
        script.chmod(script.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnknownAdapter) as caught:
        make_adapter("javascript")
    assert caught.value.reason == reason
    assert {entry.name: entry.state for entry in implementations.entries()}["javascript"] == reason


def test_every_name_is_listed() -> None:
    assert {entry.name for entry in implementations.entries()} == {*implementations.NAMES} - {"vllm"}


# What vLLM's adapter takes out of a wheel


PARSER = "vllm/parser/chat_parsing/__init__.py"
WHEEL = "vllm-0.40.0-cp38-abi3-manylinux_2_28_x86_64.whl"


def fetching(python: Path, code: str) -> Sequence[str]:
    """The lines that code prints which has the functions of fetch.py."""
    script = resources.find("adapters/vllm/fetch.py")
    return says(python, f"import runpy; fetch = runpy.run_path({str(script)!r}); {code}").splitlines()


@pytest.fixture(scope="module")
def vllm_python() -> Path:
    """The interpreter of the environment of vLLM, which has what fetch.py needs."""
    try:
        package = implementations.PACKAGES["vllm"]
        return environments.interpreter(Recipe("vllm", package.default or "", resources.find("adapters/vllm")))
    except NotMade as error:
        pytest.skip(str(error))


LIST = "\nwith fetch['open_wheel']('vllm==0.40.0') as wheel: print(*wheel.namelist(), sep='\\n')"


def test_a_wheel_on_disk_is_read_where_it_lies(vllm_python: Path, index: Path) -> None:
    wheel(index / WHEEL, {PARSER: "", "vllm/big.so": ""})
    assert PARSER in fetching(vllm_python, LIST)


def test_a_wheel_behind_a_server_without_ranges_is_downloaded(
    vllm_python: Path, index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = tmp_path / "served/vllm"
    served.mkdir(parents=True)
    wheel(served / WHEEL, {PARSER: "", "vllm/big.so": ""})
    handler = partial(SimpleHTTPRequestHandler, directory=str(served.parent))
    with running(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        assert PARSER in fetching(vllm_python, LIST)


def test_vllm_is_there_without_vllm(vllm_python: Path) -> None:
    adapter = make_adapter("vllm")
    hello = adapter.hello()
    adapter.close()
    assert (hello.name, hello.version) == ("vllm", implementations.PACKAGES["vllm"].default)
    assert "python-call-list" not in hello.capabilities
    assert says(vllm_python, "import importlib.util as u; print(u.find_spec('torch'))") == "None"


def test_a_cache_below_the_home_of_nobody_is_a_folder_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(environments.CACHE_VARIABLE, "~nobody-of-that-name/cache")
    assert environments.versions_made("transformers") == []
