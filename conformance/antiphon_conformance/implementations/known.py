"""The implementations that the harness knows by name, and what a name or a command line stands for.

How one is talked to is told by adapters.py; how those from the package index are installed, by environments.py.
"""

from __future__ import annotations

import math
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from antiphon_conformance import resources
from antiphon_conformance.implementations import environments
from antiphon_conformance.implementations.adapters import (
    RUN_SECONDS,
    Adapter,
    InProcessAdapter,
    ProcessAdapter,
    UnknownAdapter,
    script,
)

NODE_MAJOR = 20
"""The oldest Node.js that the port in JavaScript runs in."""
NODE_SECONDS = 10.0
_RELEASE = re.compile(r"([A-Za-z][\w.-]*)==(.*)", re.DOTALL)
_VERSION = re.compile(r"\d{1,9}(\.\d{1,9})+((a|b|rc|\.post|\.dev)\d{1,9})?", re.ASCII)


@dataclass(frozen=True)
class Package:
    """An implementation in a package of the index. Each release that is asked for gets an environment of its own."""

    name: str
    first: str
    """The first release that has response templates."""
    default: str | None = None
    """The release that the bare name stands for; None: that which is installed beside the kit."""


PACKAGES = {
    package.name: package
    for package in (Package("transformers", first="5.13.0"), Package("vllm", first="0.32.0", default="0.33.0"))
}

NAMES = ("reference", "javascript", *PACKAGES, *(f"{name}==VERSION" for name in PACKAGES))


@dataclass(frozen=True)
class Entry:
    """What `antiphon conformance adapters` tells of a name. `state`: whether it can be used here, or what it needs."""

    name: str
    language: str
    source: str
    state: str = "ready"


def make_adapter(
    name: str, *, seconds: float = RUN_SECONDS, case_seconds: float = math.inf, own_process: bool = False
) -> Adapter:
    """The adapter of a name or of a command line. Raises UnknownAdapter, with what to do about it.

    A release out of the package index is installed on its first use, which takes a minute and says so on standard
    error. `seconds`, `case_seconds`: how long one run, and all runs of a case, may take where the adapter is a process
    of its own. All but the reference are; it is, too, if `own_process`.
    """
    if name == "reference" and not own_process:
        return InProcessAdapter(name, script(name).respond)
    return ProcessAdapter(name, _command(name), seconds=seconds, case_seconds=case_seconds)


def entries() -> list[Entry]:
    """What there is to say of each of the names."""
    beside = "ready" if find_spec("transformers") else "it isn't; pip install transformers"
    return [
        Entry("reference", "Python", "this kit, in its own process"),
        Entry("javascript", "JavaScript", "this kit", _state(_javascript)),
        Entry("transformers", "Python", "the release that is installed beside the kit", beside),
        *(_release_entry(package) for package in PACKAGES.values()),
    ]


def _release_entry(package: Package) -> Entry:
    bare = f"; {package.name} alone is {package.default}" if package.default else ""
    source = f"the package index: any release from {package.first} on{bare}"
    made = ", ".join(environments.versions_made(package.name))
    state = f"installed: {made}; others when first used" if made else "installed when first used"
    return Entry(f"{package.name}==VERSION", "Python", source, state)


def _command(name: str) -> Sequence[str]:
    if name == "reference":
        return _script_command(sys.executable, name)
    if name == "javascript":
        return _javascript()
    if name in PACKAGES:
        default = PACKAGES[name].default
        return _script_command(sys.executable, name) if default is None else _released(PACKAGES[name], default)
    release = _RELEASE.fullmatch(name)
    if release is not None and release[1] in PACKAGES:
        return _released(PACKAGES[release[1]], release[2])
    return _command_line(name)


def _command_line(text: str) -> Sequence[str]:
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise UnknownAdapter(f"isn't a command line ({error}); see to its quotes") from None
    if not command or shutil.which(command[0]) is None:
        raise UnknownAdapter(f"is neither the name of an adapter ({', '.join(NAMES)}) nor a command that can be found")
    return command


def _released(package: Package, version: str) -> Sequence[str]:
    """The command for a release: its adapter, run by the interpreter of the release's environment."""
    if _VERSION.fullmatch(version) is None:
        raise UnknownAdapter(f"names no version; write one like {package.name}=={package.default or package.first}")
    if _order(version) < _order(package.first):
        raise UnknownAdapter(f"has no response templates; {package.first} is the first release that has")
    try:
        recipe = environments.Recipe(package.name, version, resources.find(f"adapters/{package.name}"))
        return _script_command(str(environments.interpreter(recipe)), package.name)
    except environments.NotMade as error:
        raise UnknownAdapter(str(error)) from None


def _order(version: str) -> tuple[int, ...]:
    """Numbers that compare as versions do, as far as a first release is concerned."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _javascript() -> Sequence[str]:
    node = shutil.which("node")
    remedy = f"install Node.js {NODE_MAJOR} or newer"
    if node is None:
        raise UnknownAdapter(f"needs Node.js, and there is no command `node`; {remedy}")
    try:
        shown = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=NODE_SECONDS).stdout.strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnknownAdapter(f"needs Node.js, and `node --version` fails ({error}); {remedy}") from None
    major = re.match(r"v(\d+)\.", shown)
    if major is None or int(major[1]) < NODE_MAJOR:
        raise UnknownAdapter(f"needs Node.js {NODE_MAJOR} or newer, and `node --version` says {shown!r}; {remedy}")
    return (node, str(resources.find("adapters/javascript/adapter.mjs")))


def _script_command(python: str, name: str) -> Sequence[str]:
    return (python, str(resources.find(f"adapters/{name}/adapter.py")))


def _state(command: Callable[[], Sequence[str]]) -> str:
    try:
        command()
    except UnknownAdapter as error:
        return error.reason
    except FileNotFoundError as error:
        return str(error)
    return "ready"
