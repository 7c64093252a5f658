"""The suite as the judge of a mutant, in this process: it takes the reference's place, and a case passes or fails.

A case fails as it does in a run at level `prompt`: by the harness's own verdicts, in any of its chunkings. Cases of
what is optional don't judge; those of proposals do, since the reference has them.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import antiphon_portability.regex as portability
import regex
from antiphon_conformance import resources
from antiphon_conformance.cases.case import Case
from antiphon_conformance.cases.chunkings import Chunking, chunkings
from antiphon_conformance.cases.suite import load_suite
from antiphon_conformance.implementations.protocol import ProtocolFault, parse_result, run_request
from antiphon_conformance.judging.compare import compare

from mutation.mutants import Mutant
from mutation.package import Package

PACKAGE = "antiphon"
STAGES = 2
"""First the text whole, and code point by code point; then all other chunkings."""


class Judge(Protocol):
    """What a campaign needs to know of cases.

    Attributes:
        package: what is mutated.
        topics: by case, the topic it belongs to.
        digests: by case, what changes if the case does.
    """

    package: Package
    topics: dict[str, str]
    digests: dict[str, str]

    def install(self, mutant: Mutant | None) -> None:
        """Put a mutant, or the package as it is, in place. Only in a process that ends after it."""

    def failure(self, case: str, stage: int) -> str | None:
        """How a case fails, in the chunkings of a stage; None: it doesn't."""


class SuiteJudge:
    """The conformance suite, for the reference."""

    def __init__(self, folder: Path | None = None) -> None:
        self.package = Package.read(PACKAGE)
        self.cases = {case.full_id: case for case in load_suite(folder) if case.required or case.proposals}
        self.topics = {name: case.topic for name, case in self.cases.items()}
        self.digests = {name: _digest(case) for name, case in self.cases.items()}
        path = resources.find("adapters/reference/adapter.py")
        self._adapter = compile(path.read_text("utf-8"), str(path), "exec")
        self._answer: Any = None

    @property
    def reference(self) -> str:
        """What changes if the reference does, or the translation of patterns that it stands on."""
        files = sorted(Path(str(portability.__file__)).parent.rglob("*.py"))
        return hashlib.sha256(b"\0".join([self.package.digest.encode(), *map(_bytes, files)])).hexdigest()[:16]

    def install(self, mutant: Mutant | None) -> None:
        self.package.install(mutant)
        names: dict[str, Any] = {"__name__": "adapter_of_a_mutant"}
        exec(self._adapter, names)
        self._answer = names["answer"]

    def failure(self, case: str, stage: int) -> str | None:
        for chunking in _of_stage(self.cases[case], stage):
            found = self._run(self.cases[case], chunking)
            if found is not None:
                return f"{chunking.name}: {found}"
        return None

    def _run(self, case: Case, chunking: Chunking) -> str | None:
        request = run_request(1, case, chunking, None)
        try:
            answer = self._answer(request)
        except Exception as error:  # whatever a mutant raises
            return f"crashed: {type(error).__name__}"
        try:
            result = parse_result({"type": "result", "id": request["id"], **answer}, request)
        except ProtocolFault as fault:
            return f"invalid response: {fault}"
        if result.unsupported is not None:
            return "unsupported"
        return next((finding.reason for finding in compare(case, chunking, result).findings), None)

    def prepare(self) -> None:
        """Do in this process what all those forked from it would do for patterns again, and keep it.

        No mutant changes how a pattern is read or translated, or how the engine works; and this takes most of the time
        that it takes to load a template.
        """
        for name in ("context_length", "emit", "first_chars", "may_match", "must_match", "nullable", "parse", "width"):
            setattr(portability, name, _kept(getattr(portability, name)))
        regex.compile = _kept(regex.compile)
        self.package.install(None)
        for case in self.cases.values():
            with suppress(Exception):  # the templates that don't load raise
                importlib.import_module(PACKAGE).load_template(case.template)


def _kept(function: Any) -> Any:
    """The function with its results kept, by the identity of what it was given if that has no hash."""
    results: dict[Any, Any] = {}

    def keep(*arguments: Any) -> Any:
        key = tuple(argument if isinstance(argument, str | int) else id(argument) for argument in arguments)
        if key not in results:
            results[key] = (function(*arguments), arguments)  # the arguments are kept too, so that no id is reused
        return results[key][0]

    return keep


def _of_stage(case: Case, stage: int) -> Iterator[Chunking]:
    both = ("whole", "each")
    return (chunking for chunking in chunkings(case) if (chunking.name in both) == (stage == 0))


def _digest(case: Case) -> str:
    judged = (case.template, case.text, case.prefix, case.tools, dict(case.options), case.expect, case.listed_chunkings)
    return hashlib.sha256(repr((case.full_id, judged)).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _bytes(path: Path) -> bytes:
    return path.read_bytes()
